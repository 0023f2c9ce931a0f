// What the model would say without the head in focus: asked for once, and only for the last one.

import {listen, needsKernel} from '../shared/kernel.js';

/** Answers without a head. */
export class Withouts {
  known = new Map(); // by run and head; null while they are under way
  /**
   * @param {Object} model
   * @param {AbortSignal} signal
   * @param {() => void} came
   */
  constructor(model, signal, came) {
    Object.assign(this, {model, asked: ''});
    const hear = ({without, run, answers}) => {
      if (!without || !answers) return;
      this.known.set(headKey(run, without), answers);
      came();
    };
    listen(model, 'msg:custom', hear, signal);
  }
  /**
   * @param {string} run
   * @param {[number, number]} head attention and head
   * @returns {Array | null} null while that is not known
   */
  of(run, head) {
    const key = headKey(run, head);
    if (this.known.has(key) || needsKernel(this.model)) return this.known.get(key) ?? null;
    if (!this.known.get(this.asked)) this.known.delete(this.asked); // overtaken by this one
    this.asked = key;
    this.known.set(key, null);
    try {
      this.model.send({without: head, run});
    } catch {
      // no kernel: the sentence does without it
    }
    return null;
  }
}
const headKey = (run, head) => [run, ...head].join(' ');
