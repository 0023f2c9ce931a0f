// The machine's model in a page: it takes the place of Python's, in the same words.

import {flat} from '../shared/graph/tensors.js';
import {serve} from '../shared/graph/serving.js';
import {MachineModel} from '../shared/graph/machine_model.js';
import {MachineTexts} from '../shared/graph/machine_texts.js';

const WISHES = ['text', 'silent'];
const OWN = /^p/; // what a run of a page is called

/** What a view asks for: another text, heads silenced, what is said without one, numbers. */
class MachineAnswers {
  /** @param {{facts: Object, nets: Object<string, Net>, state: Object}} given see `serve` */
  constructor({facts, nets, state}) {
    Object.assign(this, {told: facts, net: nets.model, shown: state.facts});
    const texts = new MachineTexts(facts, nets.model, state.facts.model);
    this.model = new MachineModel(facts, nets.model, texts, state.facts.anatomy);
    this.wanted = {text: state.facts.text, silent: state.facts.silent};
    this.runs = OWN.test(state.facts.run) ? Number(state.facts.run.slice(1)) : 0;
    this.called = []; // what the run is called that is held
    this.ends = new AbortController();
  }
  async hear(message, to) {
    const wish = WISHES.find(name => name in message);
    if (wish) return this.again(wish, message, to);
    if (!this.came) await (this.beginning ??= this.begin(to));
    if ('want' in message) to.send({part: message.want}, [this.part(message.want)]);
    else if ('without' in message) to.send(await this.without(message, to));
    else throw new Error('this page cannot answer that');
  }
  /** Runs again, in place of what is under way. */
  async again(wish, message, {signal, set, send}) {
    this.ends.abort();
    this.ends = new AbortController();
    const {signal: own} = this.ends;
    const before = this.wanted;
    this.wanted = {...before, [wish]: message[wish]};
    try {
      set(await this.stateOf(this.nextName(), AbortSignal.any([signal, own])));
      send({...message, problem: ''});
    } catch (error) {
      if (own.aborted) return;
      this.wanted = before;
      throw error;
    }
  }
  nextName() {
    this.runs += 1;
    return `p${this.runs}`;
  }
  /** Runs what is wanted; what is written stays while heads are silenced. */
  async stateOf(run, signal) {
    const {model, wanted, shown} = this;
    const {text, silent} = wanted;
    const known = this.rest?.text === text ? this.rest : await model.run(text, [], null, signal);
    const came = silent.length ? await model.run(text, silent, known, signal) : known;
    const before = silent.length ? {answers: model.answers(known)} : null;
    const facts = {...shown, ...(await model.facts(came, signal)), run, silent, before};
    signal?.throwIfAborted();
    Object.assign(this, {rest: known, came, shown: facts, called: [run]});
    const held = text === shown.text ? {} : {number: ''}; // of the text before
    return {facts, first: this.first(run), silent, ...held};
  }
  first(run) {
    const {values} = this.came;
    let room = this.told.most.first;
    const names = this.told.first.filter(name => (room -= flat(values.get(name)).length) >= 0);
    return Object.fromEntries(names.map(name => [`${run} ${name}`, floatsOf(values.get(name))]));
  }
  // The run that the page begins with is Python's, with all digits of the weights: of rounded ones
  // the page has a run of its own, so that all of its numbers are of the same weights.
  async begin({set}) {
    const {run} = this.shown;
    const {signal} = this.ends;
    const same = this.told.exact || OWN.test(run);
    try {
      const state = await this.stateOf(same ? run : this.nextName(), signal);
      this.called.push(run);
      if (!same) set(state);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.beginning = null;
    }
  }
  /** The numbers of a weight, or of a node in the run that is shown. */
  part(name) {
    const [run, node] = name.split(' ');
    const held = this.called.includes(run) ? this.came.values : new Map();
    const found = run === 'w' ? this.net.weights.get(node) : held.get(node);
    if (!found) throw new Error(`'${name}' is not in this view any more.`);
    return floatsOf(found);
  }
  /** What is said without one head more. */
  async without({without: head, run}, {signal}) {
    if (!this.called.includes(run)) throw new Error('this run is not shown any more');
    const silent = [...this.shown.silent, head];
    const came = await this.model.run(this.rest.text, silent, this.rest, signal);
    return {without: head, run, answers: this.model.answers(came)};
  }
}
const floatsOf = value => Float32Array.from(flat(value));
serve(given => new MachineAnswers(given));
