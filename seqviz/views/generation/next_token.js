// The model in the page: what it expects behind a text. What was read last is kept, so that a token
// costs a step; seqviz/running/writing_models.py does the same in Python.

import {softmaxOf} from '../shared/graph/chances.js';
import {readIds, readNext} from '../shared/graph/id_graphs.js';
import {sizeOf, tensor} from '../shared/graph/tensors.js';

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
  /** The distribution (V) behind a text (T). */
  async after(ids, signal) {
    return (await this.read(ids, signal)).p;
  }
  // Of what was read the oldest goes if that is too much.
  async read(ids, signal) {
    const name = ids.join(' ');
    const found = this.kept.get(name) ?? (await this.readAnew(ids, signal));
    this.forget(name); // it is the one used last
    this.kept.set(name, found);
    this.size += sizeOfFound(found);
    for (const oldest of this.kept.keys()) {
      if (this.size <= KEPT_NUMBERS || oldest === name) break;
      this.forget(oldest);
    }
    return found;
  }
  async readAnew(ids, signal) {
    if (this.reads) {
      const {logits} = await readIds(this.net, this.reads, ids, {signal});
      return {p: softmaxOf(logits.at(-1)), state: []};
    }
    const before = ids.slice(0, -1);
    const {state} = before.length ? await this.read(before, signal) : this.start();
    return this.step(ids.at(-1), state, signal);
  }
  start() {
    const zeros = shape => tensor(shape, new Float32Array(sizeOf(shape)), 'float');
    return {state: this.starts.map(zeros)};
  }
  async step(id, state, signal) {
    const {logits, state: next} = await readNext(this.net, id, state, {signal});
    return {p: softmaxOf(logits), state: next};
  }
  forget(name) {
    if (this.kept.has(name)) this.size -= sizeOfFound(this.kept.get(name));
    this.kept.delete(name);
  }
}
const sizeOfFound = ({p, state}) => state.reduce((sum, one) => sum + sizeOf(one.shape), p.length);
