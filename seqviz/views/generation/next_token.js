// The model in the page: what it expects behind a text. What was read last is kept, so that a token
// costs a step; seqviz/running/writing_models.py does the same in Python.

import {softmaxOf} from '../shared/graph/chances.js';
import {readIds} from '../shared/graph/id_graphs.js';
import {run} from '../shared/graph/running.js';
import {flat, sizeOf, tensor} from '../shared/graph/tensors.js';

const KEPT_NUMBERS = 8e6; // of distributions and states

export class NextToken {
  /**
   * @param {Net} net
   * @param {{starts?: number[][], reads?: Object}} facts the shapes of the state before the first
   * step, or how a whole text is read
   */
  constructor(net, {starts, reads}) {
    Object.assign(this, {net, starts, reads, kept: new Map(), size: 0});
  }
  /**
   * The distribution behind a text.
   * @param {number[]} ids (T)
   * @param {AbortSignal} signal
   * @returns {Promise<Float64Array>} (V)
   */
  async after(ids, signal) {
    return (await this.read(ids, signal)).p;
  }
  // Of steps, those that are not known yet.
  async read(ids, signal) {
    const name = ids.join(' ');
    let found = this.kept.get(name);
    if (found) {
      this.kept.delete(name); // it is the one used last
      this.size -= sizeOfFound(found);
    } else if (this.reads) {
      const {logits} = await readIds(this.net, this.reads, ids, {signal});
      found = {p: softmaxOf(logits.at(-1)), state: []};
    } else {
      const before =
        ids.length > 1 ? (await this.read(ids.slice(0, -1), signal)).state : this.start();
      found = await this.step(ids.at(-1), before, signal);
    }
    this.keep(name, found);
    return found;
  }
  start() {
    return this.starts.map(shape => tensor(shape, new Float32Array(sizeOf(shape)), 'float'));
  }
  async step(id, state, signal) {
    const [first, ...others] = this.net.inputs;
    const inputs = Object.fromEntries(others.map((name, k) => [name, state[k]]));
    inputs[first] = tensor([1], [id]);
    const [logits, ...next] = (await run(this.net, inputs, {signal})).output;
    return {p: softmaxOf(flat(logits)), state: next};
  }
  // Of more than is kept the oldest goes.
  keep(name, found) {
    this.kept.set(name, found);
    this.size += sizeOfFound(found);
    for (const [other, oldest] of this.kept) {
      if (this.size <= KEPT_NUMBERS || oldest === found) break;
      this.kept.delete(other);
      this.size -= sizeOfFound(oldest);
    }
  }
}
const sizeOfFound = ({p, state}) => state.reduce((sum, one) => sum + sizeOf(one.shape), p.length);
