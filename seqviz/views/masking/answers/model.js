// The models in the page: what they expect where tokens are hidden, and which weights lead there;
// seqviz/running/masked_models.py says the same in Python.

import {othersHeard, run} from '../../shared/graph/running.js';
import {flat, tensor} from '../../shared/graph/tensors.js';

/**
 * @typedef {Object} Said what the models say at one place, V tokens of a vocabulary
 * @property {number} place from 0
 * @property {Float32Array} both probabilities (V), from both sides
 * @property {Float32Array | null} left probabilities (V), from the left side only
 * @property {Float32Array[]} maps of each map the weights (T) from this place
 */
export class MaskedModel {
  /**
   * @param {{mask: number, models: Object<string, Object>, maps: Object[]}} told by Python
   * @param {Object<string, Net>} nets its graphs: both, and perhaps left
   */
  constructor({mask, models, maps}, nets) {
    Object.assign(this, {mask, models, maps, nets});
  }
  get compared() {
    return 'left' in this.models;
  }
  /**
   * Hides places of a text, one group after another, those of a group at once.
   * @param {number[]} ids of the text
   * @param {number[][]} groups
   * @param {{signal?: AbortSignal, hears?: (done: number) => void}} how
   * @returns {Promise<Said[]>} a row for each place
   */
  async read(ids, groups, {signal, hears}) {
    const before = this.compared ? (await this.logits('left', ids, signal)).rows : null;
    const said = [];
    for (const [done, places] of groups.entries()) {
      hears?.(done);
      await othersHeard();
      signal?.throwIfAborted();
      const hidden = ids.map((id, k) => (places.includes(k) ? this.mask : id));
      const {rows, kept} = await this.logits('both', hidden, signal);
      for (const place of places) {
        const both = softmaxOf(rows[place]);
        const left = before && softmaxOf(place ? before[place - 1] : new Float32Array(both.length));
        said.push({place, both, left, maps: this.maps.map(map => rowOf(map, kept, place))});
      }
    }
    return said;
  }
  // Logits (V) at each place.
  async logits(side, ids, signal) {
    const told = this.models[side];
    const {model, longest, fills, output} = told;
    if (longest !== null && ids.length > longest) {
      const most = `expected at most ${longest} tokens, for which ${model} has positions`;
      throw new Error(`text: ${most}, came ${ids.length}`);
    }
    const shape = [1, ids.length];
    const inputs = {[told.ids]: tensor(shape, ids)};
    for (const {name, value, kind} of fills) {
      inputs[name] = tensor(shape, new Array(ids.length).fill(value), kind);
    }
    const keep = side === 'both' ? [...new Set(this.maps.map(({weights}) => weights))] : [];
    const found = await run(this.nets[side], inputs, {keep, signal});
    const all = flat(found.output[output]);
    const V = all.length / ids.length;
    return {rows: ids.map((_, k) => all.subarray(k * V, (k + 1) * V)), kept: found.kept};
  }
}
function softmaxOf(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = Float64Array.from(logits, logit => Math.exp(logit - most));
  const sum = powers.reduce((a, b) => a + b);
  return Float32Array.from(powers, power => power / sum);
}
// The weights (T) from a place, by one head or as the mean of all.
function rowOf({weights, head}, kept, place) {
  const T = kept[weights].shape.at(-1);
  const all = flat(kept[weights]);
  const heads = head === null ? Array.from({length: all.length / T / T}, (_, h) => h) : [head];
  const sums = new Float32Array(T);
  for (const h of heads) {
    const start = (h * T + place) * T;
    for (let k = 0; k < T; k++) sums[k] += all[start + k] / heads.length;
  }
  return sums;
}
