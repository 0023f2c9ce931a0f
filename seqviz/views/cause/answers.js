// The model of causes in a page: it takes the place of Python's, in the same words.

import {serve} from '../shared/graph/serving.js';
import {MachineModel} from '../shared/graph/machine_model.js';
import {MachineTexts} from '../shared/graph/machine_texts.js';
import {CauseModel} from './answers/causes.js';

/** What a view asks for: other texts, and jobs on them. */
class CauseAnswers {
  /** @param {{facts: Object, nets: Object<string, Net>, state: Object}} given see `serve` */
  constructor({facts, nets, state}) {
    const {model, anatomy} = {...state.facts, ...facts};
    const texts = new MachineTexts(facts, nets.model, model);
    this.model = new CauseModel(new MachineModel(facts, nets.model, texts, anatomy));
    Object.assign(this, {shown: state.facts, exact: facts.exact, runs: 0, token: -1});
    this.called = [];
  }
  async hear(message, {signal, set, send}) {
    if ('texts' in message) {
      set(await this.stateOf(message.texts, signal, {token: -1, carried: []}));
      return send({...message, problem: ''});
    }
    if (!('jobs' in message)) throw new Error('this page cannot answer that');
    const {jobs, run, key} = message;
    if (!this.both) await (this.beginning ??= this.begin(set));
    if (!this.called.includes(run)) throw new Error('this run is not shown any more');
    const results = [];
    for (const job of jobs) results.push(await this.model.result(this.both, job, signal));
    return send({key, run, results});
  }
  async stateOf(texts, signal, more = {}) {
    const both = await this.model.read(texts, signal);
    this.runs += 1;
    const run = `p${this.runs}`;
    const facts = {...this.shown, ...(await this.model.facts(both, signal)), run};
    signal?.throwIfAborted();
    Object.assign(this, {both, shown: facts, called: [run]});
    return {facts, ...more};
  }
  // The page begins with Python's grids: of rounded weights it has its own, so that all of its
  // numbers are of the same weights.
  async begin(set) {
    const {run, texts} = this.shown;
    try {
      const state = await this.stateOf(texts);
      this.called.push(run);
      if (!this.exact) set(state);
    } finally {
      this.beginning = null;
    }
  }
}
serve(given => new CauseAnswers(given));
