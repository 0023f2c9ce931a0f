// The model in the page: what it expects behind a text. What was read last is kept, so that a token
// costs a step.

import {othersHeard, run} from '../shared/graph/running.js';
import {flat, tensor} from '../shared/graph/tensors.js';
import {softmaxOf} from './chances.js';

const KEPT_NUMBERS = 8e6; // of distributions and states
const WORK = 20; // milliseconds without a rest

/**
 * @typedef {Object} NextToken
 * @property {(ids: number[], signal: AbortSignal) => Promise<Float64Array>} after the distribution
 * behind these ids, (V,)
 */
/**
 * The model that Python put into the page.
 * @param {Net} net
 * @param {{starts?: number[][], reads?: Object}} facts of running/writing_models.py: the shapes of
 * the state before the first step, or how a whole text is read
 * @returns {NextToken}
 */
export function nextTokenOf(net, {starts, reads}) {
  return starts ? new TokenByToken(net, starts) : new WholeTexts(net, reads);
}

/** What was found behind beginnings of texts; of more than is kept the oldest goes. */
class Kept {
  constructor() {
    this.found = new Map();
    this.size = 0;
  }
  get(ids) {
    const key = ids.join(' ');
    const one = this.found.get(key);
    if (!one) return null;
    this.found.delete(key);
    this.found.set(key, one); // used last
    return one;
  }
  set(ids, one) {
    this.found.set(ids.join(' '), one);
    this.size += one.size;
    for (const [key, oldest] of this.found) {
      if (this.size <= KEPT_NUMBERS || oldest === one) break;
      this.found.delete(key);
      this.size -= oldest.size;
    }
  }
}
/** Reads all of a text for each next token. */
class WholeTexts {
  constructor(net, reads) {
    Object.assign(this, {net, reads, kept: new Kept(), rest: resting()});
  }
  async after(ids, signal) {
    const known = this.kept.get(ids);
    if (known) return known.p;
    await this.rest(signal);
    const {ids: name, fills, output} = this.reads;
    const shape = [1, ids.length];
    const inputs = {[name]: tensor(shape, ids)};
    for (const {name: other, value, kind} of fills) {
      inputs[other] = tensor(shape, ids.map(() => value), kind); // prettier-ignore
    }
    const {output: given} = await run(this.net, inputs, {signal});
    const logits = flat(given[output]);
    const p = softmaxOf(logits.subarray(logits.length - given[output].shape.at(-1)));
    this.kept.set(ids, {p, size: p.length});
    return p;
  }
}
/** Reads a token at a step, behind the longest beginning that is known. */
class TokenByToken {
  constructor(net, starts) {
    Object.assign(this, {net, kept: new Kept(), rest: resting()});
    const zeros = shape => new Float32Array(shape.reduce((size, length) => size * length, 1));
    this.start = {state: starts.map(shape => tensor(shape, zeros(shape), 'float'))};
  }
  async after(ids, signal) {
    let read = ids.length;
    let now = this.start;
    for (; read > 0; read--) {
      const known = this.kept.get(ids.slice(0, read));
      if (!known) continue;
      now = known;
      break;
    }
    for (; read < ids.length; read++) {
      await this.rest(signal);
      now = await this.step(ids[read], now.state, signal);
      this.kept.set(ids.slice(0, read + 1), now);
    }
    return now.p;
  }
  async step(id, state, signal) {
    const [first, ...others] = this.net.inputs;
    const inputs = Object.fromEntries(others.map((name, k) => [name, state[k]]));
    inputs[first] = tensor([1], [id]);
    const {output} = await run(this.net, inputs, {signal});
    const [logits, ...next] = output;
    const p = softmaxOf(flat(logits));
    const size = next.reduce((sum, one) => sum + flat(one).length, p.length);
    return {p, state: next, size};
  }
}
// Lets messages that wait be heard, where that is due.
function resting() {
  let rested = performance.now();
  return async signal => {
    if (performance.now() - rested > WORK) {
      await othersHeard();
      rested = performance.now();
    }
    signal.throwIfAborted();
  };
}
