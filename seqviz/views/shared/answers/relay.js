// A page that answers: what a view sends to Python goes to a worker, and what the worker sends
// back is told as Python's is.

import {blocksOf, elementsOf, lacks, loadBeside, numbersOf, textOf} from './blocks.js';
import {copied, mapped, nowOf, putBack} from './copies.js';
import {Foot} from './foot.js';
import {BARRED, Life} from './life.js';

const NO_WORKER =
  'This browser cannot run the model that is in this page: open it in one from 2023 or later.';
const NOT_HERE =
  'The place where this page stands does not let its model run: save the page, and open the file.';
const stopped = problem =>
  `The model in this page stopped (${problem}). What is asked next starts it again.`;

const kindOf = message => Object.keys(message).join();
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
    this.wants = new Set(); // parts that the worker is asked for
    this.asked = []; // what else it is asked, the last one last
    this.kept = new Map(); // what it answered last, with other parts than before
    this.resent = new WeakSet(); // what a new worker was sent again
    this.renewed = false; // other parts have come, and no answer since
    this.life = new Life({
      size: this.graphs.reduce((sum, {size}) => sum + size, 0),
      script: () => textOf(this.host, this.answers.script),
      first: () => this.first(),
      busy: () => this.wants.size > 0 || this.asked.length > 0,
      came: data => this.came(data),
      ended: problem => this.ended(problem),
    });
  }
  open() {
    const {host, page, state, model} = this;
    if (page.now) {
      putBack(state, page.now);
      for (const message of page.now.messages) this.kept.set(kindOf(message), message);
    }
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
    if ('want' in message) this.wants.add(message.want);
    else this.asked.push(message);
    if (this.model.answers) this.life.send(message);
    else this.fail(this.foot.told);
  }

  // ---- to the worker
  /** What a worker is told at its start: the picture as it stands, and what was answered last. */
  async first() {
    const {host, page, answers} = this;
    const graphs = {};
    const transfer = [];
    for (const [name, graph] of Object.entries(answers.graphs)) {
      const told = JSON.parse(await textOf(host, graph.told));
      const numbers = await numbersOf(host, graph);
      graphs[name] = {told, numbers};
      transfer.push(numbers);
    }
    const controls = mapped(page.controls, (_, name) => this.state[name]);
    const {facts, first} = this.state;
    const state = {...controls, facts, first: copied(first)};
    return {start: {facts: answers.facts, graphs, state}, transfer, messages: this.resend()};
  }
  /** What was answered last, but for what is asked for in its place. */
  resend() {
    const kinds = this.asked.map(kindOf);
    const messages = [...this.kept.values()].filter(message => !kinds.includes(kindOf(message)));
    for (const message of messages) this.resent.add(message);
    this.asked.push(...messages);
    return messages;
  }

  // ---- from the worker
  came({set, send, buffers = []}) {
    this.foot.tell('');
    if (set) this.take(set);
    if (!send) return;
    const name = send.part ?? send.want;
    if (name === undefined) this.answered(send);
    else this.wants.delete(name);
    const told = 'want' in send ? {part: name, problem: send.problem} : send;
    this.tell('msg:custom', told, buffers.map(viewOf));
  }
  /** Sets names of the state, then tells each. What was sent again moves no control. */
  take(set) {
    const {state, page, model, tell} = this;
    const again = this.asked.some(message => this.resent.has(message));
    const asked = this.asked.some(message => !this.resent.has(message));
    const free = ([name]) => asked || !again || !(name in page.controls);
    const changes = Object.fromEntries(Object.entries(set).filter(free));
    if (changes.first) {
      this.anew = this.renewed = true;
      changes.first = mapped(changes.first, viewOf);
    }
    const changed = name => name === 'first' || !same(state[name], changes[name]);
    const others = Object.keys(changes).filter(changed);
    Object.assign(state, changes);
    for (const name of others) tell('change:' + name, model, state[name]);
  }
  /** Keeps what changed the picture, for a worker that begins where this one is. */
  answered(send) {
    const answers = message => Object.keys(message).every(name => same(message[name], send[name]));
    const at = this.asked.findLastIndex(answers);
    if (at < 0) return;
    const message = this.asked[at];
    const kind = kindOf(message);
    this.asked = this.asked.filter((other, k) => k > at || kindOf(other) !== kind); // overtaken
    if (!send.problem && this.renewed) {
      this.kept.delete(kind); // the last one is the last of all
      this.kept.set(kind, message);
    }
    this.renewed = false;
  }
  ended(problem) {
    if (this.asked.some(message => this.resent.has(message))) this.kept.clear(); // not borne
    if (problem !== BARRED) {
      this.foot.tell(stopped(problem));
      this.fail(problem);
      return;
    }
    this.foot.tell(NOT_HERE);
    this.model.answers = false;
    this.fail(NOT_HERE);
    this.again();
  }
  /** Tells the view that nothing of what it waits for comes. */
  fail(problem) {
    const parts = [...this.wants].map(part => ({part, problem}));
    const others = this.asked.map(message => ({...message, problem}));
    this.wants.clear();
    this.asked = [];
    for (const message of [...parts, ...others]) this.tell('msg:custom', message, []);
  }

  // ---- a saved copy
  copied() {
    const {state, host, anew, blocks} = this;
    if (lacks(blocks)) return {now: {lacks: true}};
    const messages = [...this.kept.values()];
    const now = nowOf(state, name => this.holds(name), {anew, messages});
    const changed = anew || state.facts !== host.content.facts || Object.keys(now.first).length;
    return {now: changed ? now : undefined, elements: [this.foot.line, ...elementsOf(blocks)]};
  }
}
/** Calls back when a node has come on screen and the page has nothing to do. */
function whenShown(node, action) {
  const watcher = new IntersectionObserver(seen => {
    if (!seen.some(({isIntersecting}) => isIntersecting)) return;
    watcher.disconnect();
    if (globalThis.requestIdleCallback) requestIdleCallback(action);
    else setTimeout(action, 200);
  });
  watcher.observe(node);
}
/** Called by stub.js with a view's place before the view is drawn. */
export default place => {
  const {host, page} = place;
  if (page.now?.lacks) host.copied = () => ({now: page.now});
  else new Relay(place).open();
};
