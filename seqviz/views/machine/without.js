// What the model would say without the head in focus: asked for once.

import {listen, needsKernel} from '../shared/kernel.js';

/** Answers without a head, by run and head. */
export class Withouts {
  known = new Map();
  /**
   * @param {Object} model
   * @param {AbortSignal} signal
   * @param {() => void} came
   */
  constructor(model, signal, came) {
    Object.assign(this, {model, signal});
    listen(
      model,
      'msg:custom',
      ({without, run, answers}) => {
        if (!without || !answers) return;
        this.known.set(headKey(run, without), answers);
        came();
      },
      signal,
    );
  }
  /**
   * @param {string} run
   * @param {[number, number]} head attention and head
   * @returns {Array | null} null while that is not known
   */
  of(run, head) {
    const key = headKey(run, head);
    if (!this.known.has(key)) {
      this.known.set(key, null);
      if (!needsKernel(this.model)) this.model.send({without: head, run});
    }
    return this.known.get(key);
  }
}
const headKey = (run, head) => [run, ...head].join(' ');
