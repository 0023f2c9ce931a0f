// What the model is asked to run, one small lot after another; what came is kept.

import {ask, listen, needsKernel} from '../shared/kernel.js';

const AT_ONCE = 100; // milliseconds that a lot of jobs takes: what is wanted now waits no longer

/**
 * @typedef {Object} Job see seqviz/running/causes.py, which runs it as the page's worker does
 * @property {0 | 1} of which text runs
 * @property {number} stream whose states a grid tells
 * @property {{stream: number, stage: number, token: number, head: [number, number] | null,
 * from: {text: number, stage: number, token: number, order?: number[]}}[]} states that are put in
 * the model's place: of the stream at a stage, or of one head; `order` of the tokens they come from
 * @property {Array[]} silent [attention, head] or ['part', stream, block, part]
 * @property {{token: number, other: number, plus: number, less: number | null,
 * ids: number[]}} weigh
 * @property {'answer' | 'grid' | 'wrote'} want
 */

/** Jobs on the texts that are shown. */
export class Jobs {
  /**
   * @param {Object} model
   * @param {(name: string) => any} get see `supply`: what was run before this page, and in a page
   * of which Python takes a picture, what is run for it
   * @param {AbortSignal} signal
   * @param {() => void} came
   * @param {(problem: string) => void} complain
   */
  constructor(model, get, signal, came, complain) {
    Object.assign(this, {model, get, signal, came, complain});
    this.begin('');
    listen(model, 'msg:custom', message => this.hear(message), signal);
  }
  /** Forgets all jobs: other texts are shown. */
  begin(run) {
    this.arrived?.();
    Object.assign(this, {run, known: new Map(), waiting: [], flying: null});
    const before = 'done' in this.model.get('first') ? this.get('done') : null;
    this.done = before?.run === run ? before.results : {};
  }
  /** Whether nobody can run them. */
  get dead() {
    return needsKernel(this.model) && !this.model.asks;
  }
  /** Whether some that were asked for have not come. */
  get underWay() {
    return Boolean(this.flying) || this.waiting.length > 0;
  }
  /** The results of jobs that were run before this page; null if one was not. */
  before(jobs) {
    const results = jobs.map(job => this.done[JSON.stringify(job)]);
    return results.every(Boolean) ? results : null;
  }
  /**
   * The results of jobs; null while they are under way.
   * @param {string} key
   * @param {() => Job[]} make
   * @param {{soon?: boolean, only?: string}} [how] `soon`: before others; `only`: for what is
   * previewed, in place of what was wanted for another preview
   * @returns {Object[] | null}
   */
  of(key, make, {soon = false, only = ''} = {}) {
    if (this.known.has(key)) return this.known.get(key);
    const jobs = make();
    const before = this.before(jobs);
    if (before) this.known.set(key, before);
    if (before || this.dead) return before;
    if (only) this.waiting = this.waiting.filter(lot => !lot.only || lot.only === only);
    const underWay = [this.flying, ...this.waiting].some(lot => lot?.key === key);
    if (underWay) {
      this.go();
      return null;
    }
    const lot = {key, jobs, results: [], only, sent: 0, next: 1};
    if (soon || only) this.waiting.unshift(lot);
    else this.waiting.push(lot);
    this.go();
    return null;
  }
  // An answer that does not come is asked for again, behind what is wanted now.
  giveUp() {
    const lot = this.flying;
    this.arrived();
    this.waiting.push(lot);
    Object.assign(this, {flying: null, arrived: null});
  }
  /** How many of the jobs of a key have come, of how many. */
  progress(key) {
    const lot = [this.flying, ...this.waiting].find(one => one?.key === key);
    return lot ? [lot.results.length, lot.jobs.length] : null;
  }
  go() {
    if (this.flying?.late) this.giveUp();
    if (this.flying || !this.waiting.length) return;
    const lot = this.waiting.shift();
    this.flying = lot;
    const from = lot.results.length;
    const jobs = lot.jobs.slice(from, from + lot.next);
    Object.assign(lot, {sent: jobs.length, since: performance.now(), late: false});
    const message = {jobs, run: this.run, key: `${lot.key} ${from}`};
    if (this.model.asks) {
      this.asked(message);
      return;
    }
    const late = problem => {
      lot.late = lot.told = true;
      this.complain(problem);
    };
    this.arrived = ask(this.model, message, this.signal, late);
  }
  async asked(message) {
    const results = await this.get(`jobs ${JSON.stringify(message.jobs)}`);
    this.hear({...message, results});
  }
  hear({key, run, results, problem}) {
    const lot = this.flying;
    if (!lot || run !== this.run || key !== `${lot.key} ${lot.results.length}`) return;
    this.arrived?.();
    this.flying = null;
    if (lot.told) this.complain('');
    if (problem) {
      this.complain(problem);
      this.known.set(lot.key, null);
    } else {
      // some jobs cost nothing: not many more at once than before
      const pace = (performance.now() - lot.since) / lot.sent;
      lot.next = Math.max(1, Math.min(2 * lot.sent, Math.floor(AT_ONCE / pace)));
      lot.results.push(...results);
      if (lot.results.length < lot.jobs.length) this.waiting.push(lot);
      else this.known.set(lot.key, lot.results);
    }
    this.go();
    this.came();
  }
}
