// How a text becomes the inputs of a whole graph, and what its tokens are called;
// seqviz/running/machine_calls.py says the same in Python.

import {run} from './running.js';
import {flat, tensor} from './tensors.js';
import {readerOf} from '../splitting/readers.js';
import {piecesTogether} from '../splitting/word_pieces.js';

/**
 * @typedef {Object} Asked
 * @property {Object<string, Tensor>} inputs
 * @property {Object<string, string[]>} tokens of the source, and of the target if there is one
 * @property {Object<string, number[]>} special places of those that are of no text
 */
export class MachineTexts {
  /**
   * @param {Object} told by Python
   * @param {Net} net
   * @param {string} model its name
   */
  constructor(told, net, model) {
    Object.assign(this, {told, net, model});
    this.readers = told.readers.map(readerOf);
  }
  /**
   * Reads a text; where the model writes the target it writes it.
   * @param {string} text
   * @param {AbortSignal} signal
   * @returns {Promise<Asked>}
   */
  async read(text, signal) {
    const [reader] = this.readers;
    const source = reader.read(text, this.told.pair);
    this.check(text, source.ids.length);
    const sides = {source: sideRead(source.tokens, reader.special)};
    let target = null;
    if (Object.values(this.told.inputs).includes('target')) {
      target = this.told.target ?? (await this.written(source, signal));
      const writes = this.readers.at(-1);
      sides.target = sideRead(writes.names(target), writes.special);
    }
    const of = part =>
      Object.fromEntries(Object.entries(sides).map(([k, side]) => [k, side[part]]));
    return {inputs: this.inputs(source, target), tokens: of('tokens'), special: of('special')};
  }
  check(text, count) {
    if (!text.trim() || !count) throw new Error('text: is empty: write at least one word');
    const [least, most] = this.told.span;
    if (count >= least && count <= most) return;
    const special = 'special ones among them';
    if (least === most) {
      const only = `${this.model} could be exported for texts of ${most} only`;
      const fix = `write one of ${most} tokens, ${special}`;
      throw new Error(`text: has ${count} tokens, and ${only}: ${fix}`);
    }
    const fix = count > most ? 'shorten it' : 'write more';
    throw new Error(`text: has ${count} tokens, expected ${least} to ${most}, ${special}: ${fix}`);
  }
  inputs({ids, segments}, target) {
    const gives = {
      ids,
      mask: ids.map(() => 1),
      segments: segments ?? ids.map(() => 0),
      target,
    };
    const {inputs, kinds} = this.told;
    return Object.fromEntries(
      Object.entries(inputs).map(([name, what]) => [
        name,
        tensor([1, gives[what].length], gives[what], kinds[name]),
      ]),
    );
  }
  // Greedily: the start in front, without the end.
  async written(source, signal) {
    const {writing, logits} = this.told;
    const ids = [...writing.start];
    while (ids.length < writing.most) {
      const {kept} = await run(this.net, this.inputs(source, ids), {keep: [logits], signal});
      const value = kept[logits];
      const last = flat(value).subarray(-value.shape.at(-1));
      const best = last.indexOf(Math.max(...last));
      if (writing.stop.includes(best)) break;
      ids.push(best);
    }
    return ids;
  }
  /** The tokens of ids that are predicted. */
  names(ids) {
    return this.readers.at(-1).names(ids);
  }
}
function sideRead(tokens, special) {
  const places = tokens.flatMap((token, k) => (special.includes(token) ? [k] : []));
  return {tokens: piecesTogether(tokens, places).tokens, special: places};
}
