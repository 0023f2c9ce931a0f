// Two windows of one lecture. From a file both have the origin null: some browsers carry a
// BroadcastChannel between them, some a message to the opener; both are used, and a number makes
// twice harmless. A page of a file has no origin to name: the random pair is the check.

const KEPT = 'seqviz-pair';

/** The pair in the address of a lecturer's window, `#notes:...`; empty on the slides. */
export const pairIn = hash => /^#notes:([\w-]+)$/.exec(hash)?.[1] ?? '';

/** The pair of this window: it survives a reload. */
export function ownPair() {
  try {
    return (sessionStorage[KEPT] ??= crypto.randomUUID());
  } catch {
    return crypto.randomUUID(); // a browser that keeps nothing for a file
  }
}
/**
 * Ties this window to the other one.
 * @param {string} pair
 * @param {(state: Object) => void} take what the other window sends
 * @param {() => Object} state what a window that asks is told
 * @returns {{send: (state: Object) => void, ask: () => void, tie: (other: Window) => void}}
 */
export function channelOf(pair, take, state) {
  const channel = new BroadcastChannel(`seqviz-${pair}`);
  let other = window.opener;
  let count = 0;
  function post(message) {
    count += 1;
    const packet = {pair, count, ...message};
    channel.postMessage(packet);
    if (other && !other.closed) other.postMessage(packet, '*');
  }
  function receive(packet) {
    if (packet?.pair !== pair) return;
    if (packet.hello) post({state: state()});
    else if (packet.state && packet.count > count) {
      count = packet.count;
      take(packet.state);
    }
  }
  channel.addEventListener('message', event => receive(event.data));
  addEventListener('message', event => {
    if (event.data?.pair !== pair) return;
    other ??= event.source;
    receive(event.data);
  });
  return {
    send: now => post({state: now}),
    ask: () => post({hello: true}),
    tie: window => {
      other = window;
    },
  };
}
