// The machine's model in a page: it takes the place of Python's, in the same words.

import {flat} from '../shared/graph/tensors.js';
import {serve} from '../shared/graph/serving.js';
import {MachineModel} from './answers/model.js';
import {MachineTexts} from './answers/texts.js';

const WISHES = ['text', 'silent'];
const OWN = /^p/; // what a run of a page is called

/** What a view asks for: another text, heads silenced, the numbers of a node. */
class MachineAnswers {
  /** @param {{facts: Object, nets: Object<string, Net>, state: Object}} given see `serve` */
  constructor({facts, nets, state}) {
    Object.assign(this, {told: facts, net: nets.model, shown: state.facts});
    const texts = new MachineTexts(facts, nets.model, state.facts.model);
    this.model = new MachineModel(facts, nets.model, texts, state.facts.anatomy);
    this.wanted = {text: state.facts.text, silent: state.facts.silent};
    this.runs = 0;
    this.ends = new AbortController();
  }
  async hear(message, to) {
    if ('want' in message) {
      to.send({part: message.want}, [await this.part(message.want, to)]);
      return;
    }
    if ('without' in message) {
      const answers = await this.without(message.without, to.signal);
      to.send({...message, answers, problem: ''});
      return;
    }
    const wish = WISHES.find(name => name in message);
    if (!wish) throw new Error('this page cannot answer that');
    this.ends.abort(); // what is under way is not wanted any more
    this.ends = new AbortController();
    const {signal: own} = this.ends;
    const before = this.wanted;
    this.wanted = {...before, [wish]: message[wish]};
    try {
      to.set(await this.stateOf(this.name(), AbortSignal.any([to.signal, own])));
      to.send({...message, problem: ''});
    } catch (error) {
      if (own.aborted) return;
      this.wanted = before;
      throw error;
    }
  }
  name() {
    this.runs += 1;
    const last = OWN.test(this.shown.run) ? Number(this.shown.run.slice(1)) : 0;
    return `p${Math.max(last + 1, this.runs)}`;
  }
  /** What is said without one more head. */
  async without(head, signal) {
    const {text, silent} = this.shown;
    const rest = await this.restOf(text, signal);
    return this.model.answers(await this.model.run(text, [...silent, head], rest, signal));
  }
  /** The run of a text with all heads. */
  async restOf(text, signal) {
    return this.rest?.text === text ? this.rest : this.model.run(text, [], null, signal);
  }
  /** Runs what is wanted; what is written stays while heads are silenced. */
  async stateOf(run, signal) {
    const {text, silent} = this.wanted;
    const {model} = this;
    const known = await this.restOf(text, signal);
    const came = silent.length ? await model.run(text, silent, known, signal) : known;
    const before = silent.length ? {answers: model.answers(known)} : null;
    const facts = {...this.shown, ...(await model.facts(came, signal)), run, silent, before};
    Object.assign(this, {rest: known, came, shown: facts});
    return {facts, first: this.first(run), silent, number: ''};
  }
  first(run) {
    const {told, came} = this;
    let room = told.most.first;
    const names = told.first.filter(name => (room -= flat(came.values.get(name)).length) >= 0);
    return Object.fromEntries(
      names.map(name => [`${run} ${name}`, floatsOf(came.values.get(name))]),
    );
  }
  /** The numbers of a weight, or of a node in the run that is shown. */
  async part(name, {signal, set}) {
    const [run, node] = name.split(' ');
    if (run !== 'w' && !this.came) await this.begin(signal, set);
    const found = run === 'w' ? this.net.weights.get(node) : this.came.values.get(node);
    if (!found) throw new Error(`'${name}' is not in this view any more.`);
    return floatsOf(found);
  }
  // The run that the page begins with is Python's, with weights in full: one of its own has all
  // numbers of the same weights.
  async begin(signal, set) {
    const {run} = this.shown;
    const same = this.told.exact || OWN.test(run);
    const state = await this.stateOf(same ? run : this.name(), signal);
    if (!same) set(state);
  }
}
const floatsOf = value => Float32Array.from(flat(value));
serve(given => new MachineAnswers(given));
