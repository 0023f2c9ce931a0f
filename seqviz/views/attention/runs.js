// Runs of the model in Python: the page asks, and of several wishes the last one counts.

import {ask, listen} from '../shared/kernel.js';

const LONG = 'Still no answer: the model takes long, or the kernel is busy or gone.';

export class Runs {
  /**
   * @param {Object} model
   * @param {(wish: Object, problem: string) => void} done is told when the last wish is answered
   * @param {(problem: string) => void} changed is told when a run begins, or takes too long
   */
  constructor(model, done, changed) {
    Object.assign(this, {model, done, changed, underway: false, wish: {}, sent: 0, run: ''});
    this.own = Math.random().toString(36).slice(2); // another view of the model counts for itself
    this.life = new AbortController();
    this.came = () => {};
    listen(model, 'msg:custom', message => this.hear(message), this.life.signal);
  }
  /**
   * Asks Python for a run, in place of the one that is under way.
   * @param {{text: string} | {silent: Head[]}} wish
   */
  start(wish) {
    this.came();
    this.sent++;
    Object.assign(this, {wish, underway: true, run: `${this.own} ${this.sent}`});
    let begun = false;
    let refused = '';
    const late = problem => {
      if (begun) this.changed(LONG);
      else refused = problem;
    };
    this.came = ask(this.model, {...wish, run: this.run}, this.life.signal, late);
    begun = true;
    this.underway &&= !refused;
    this.changed(refused);
  }
  /** An older answer is none. */
  hear(message) {
    if (!this.underway || message.run !== this.run) return;
    this.came();
    this.underway = false;
    this.done(this.wish, message.problem);
  }
  end() {
    this.life.abort();
  }
}
