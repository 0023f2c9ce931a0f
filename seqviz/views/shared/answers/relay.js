// A page that answers: what a view sends to Python goes to a worker, and what the worker sends
// back is told as Python's is.

import {withValues} from '../objects.js';
import {blocksOf, elementsOf, lacks, loadBeside, numbersOf, textOf} from './blocks.js';
import {nowOf, putBack} from './copies.js';
import {Foot} from './foot.js';
import {Life} from './life.js';
import {wishOf} from './wishes.js';

const NO_WORKER =
  'This browser cannot run the model that is in this page: open it in one from 2023 or later.';
const stopped = problem =>
  `The model in this page stopped (${problem}). What is asked next starts it again.`;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const viewOf = bytes => (ArrayBuffer.isView(bytes) ? bytes : new DataView(bytes));

class Relay {
  /** @param {Object} place of stub.js: `host`, `page`, `state`, `model`, `tell`, `again` */
  constructor(place) {
    Object.assign(this, place);
    this.answers = this.host.content.answers;
    this.blocks = blocksOf(this.answers);
    this.graphs = Object.values(this.answers.graphs);
    this.fromPage = this.model.send;
    this.foot = new Foot(this.host);
    this.anew = Boolean(this.page.now?.anew); // the page's own parts are of another picture
    this.asked = new Map(); // what has no answer yet, the newest message of each wish
    this.life = new Life({
      size: this.graphs.reduce((sum, {size}) => sum + size, 0),
      script: () => textOf(this.host, this.answers.script),
      first: () => this.first(),
      busy: () => this.asked.size > 0,
      came: data => this.came(data),
      ended: problem => this.ended(problem),
    });
  }
  open() {
    const {host, page, state, model} = this;
    if (page.now) putBack(state, page.now);
    host.copied = () => this.copied();
    model.send = message => this.send(message);
    if (!globalThis.Worker) this.foot.tell(NO_WORKER);
    else if (lacks(this.blocks)) this.offer();
    else this.live();
  }
  live() {
    this.model.answers = true;
    whenShown(this.host, () => this.life.beginEarly());
  }

  // ---- numbers that lie beside the page
  offer() {
    const away = this.graphs.filter(({numbers}) => lacks(numbers));
    const size = away.reduce((sum, graph) => sum + graph.size, 0);
    const addresses = [...new Set(away.map(({beside}) => beside))];
    this.foot.offer(size, () => loadBeside(addresses));
    this.model.offers = true;
    const come = () => {
      if (lacks(this.blocks)) return;
      document.removeEventListener('seqviz-blocks', come);
      this.foot.served();
      this.live();
      this.again();
    };
    document.addEventListener('seqviz-blocks', come);
  }

  // ---- from the view
  holds(name) {
    return !this.anew && name in this.host.content.parts;
  }
  send(message) {
    if ('page' in message || this.holds(message.want)) {
      this.fromPage(message);
      return;
    }
    queueMicrotask(() => {
      this.tell('msg:custom', {heard: true}, []);
      if (!('there' in message)) this.ask(message); // else it asks no more than that
    });
  }
  ask(message) {
    this.asked.set(wishOf(message), message);
    if (this.model.answers) this.life.send(message);
    else this.fail(this.foot.told);
  }

  // ---- to the worker
  /** What a worker is told at its start: the picture as it stands. */
  async first() {
    const {host, page, state, answers} = this;
    const graphs = {};
    const transfer = [];
    for (const [name, graph] of Object.entries(answers.graphs)) {
      const told = JSON.parse(await textOf(host, graph.told));
      const numbers = await numbersOf(host, graph);
      graphs[name] = {told, numbers};
      transfer.push(numbers);
    }
    const controls = withValues(page.controls, (_, name) => state[name]);
    const shown = {facts: state.facts, ...controls};
    return {start: {facts: answers.facts, graphs, state: shown}, transfer};
  }

  // ---- from the worker
  came({set, send, buffers = []}) {
    this.foot.tell('');
    if (set) this.take(set);
    if (!send) return;
    const part = send.part ?? send.want;
    const answers = message =>
      'want' in message
        ? message.want === part
        : Object.keys(message).every(name => same(message[name], send[name]));
    for (const [wish, message] of this.asked) {
      if (answers(message)) this.asked.delete(wish);
    }
    const told = 'want' in send ? {part, problem: send.problem} : send;
    this.tell('msg:custom', told, buffers.map(viewOf));
  }
  /** Sets names of the state, then tells each. */
  take(set) {
    const {state, model, tell} = this;
    const changed = name => name === 'first' || !same(state[name], set[name]);
    const names = Object.keys(set).filter(changed);
    Object.assign(state, set);
    if (set.first) {
      this.anew = true;
      state.first = withValues(set.first, viewOf);
    }
    for (const name of names) tell('change:' + name, model, state[name]);
  }
  ended(problem) {
    this.foot.tell(stopped(problem));
    this.fail(problem);
  }
  /** Tells the view that nothing of what it waits for comes. */
  fail(problem) {
    const messages = [...this.asked.values()];
    this.asked.clear();
    for (const message of messages) {
      const told = 'want' in message ? {part: message.want} : message;
      this.tell('msg:custom', {...told, problem}, []);
    }
  }

  // ---- a saved copy
  copied() {
    const {state, host, anew, blocks} = this;
    const now = nowOf(state, name => this.holds(name), anew);
    const changed = anew || state.facts !== host.content.facts || Object.keys(now.first).length;
    return {now: changed ? now : undefined, elements: [this.foot.line, ...elementsOf(blocks)]};
  }
}
/** Calls back when a node has come on screen and the page has nothing to do. */
function whenShown(node, action) {
  const watcher = new IntersectionObserver(seen => {
    if (!seen.some(({isIntersecting}) => isIntersecting)) return;
    watcher.disconnect();
    if (globalThis.requestIdleCallback) requestIdleCallback(action, {timeout: 1000});
    else setTimeout(action, 200);
  });
  watcher.observe(node);
}
/** Called by stub.js with a view's place before the view is drawn. */
export default place => new Relay(place).open();
