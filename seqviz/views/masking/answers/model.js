// The models in the page: what they expect where tokens are hidden, and which weights lead there;
// seqviz/running/masked_models.py says the same in Python.

import {softmaxOf} from '../../shared/graph/chances.js';
import {readIds} from '../../shared/graph/id_graphs.js';
import {flat} from '../../shared/graph/tensors.js';

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
    Object.assign(this, {mask, models, maps, nets, compared: 'left' in models});
  }
  /**
   * Hides places of a text, one group after another, those of a group at once.
   * @param {number[]} ids of the text
   * @param {number[][]} groups
   * @param {{signal?: AbortSignal, hears?: (done: number) => void}} how
   * @returns {Promise<Said[]>} a row for each place
   */
  async read(ids, groups, {signal, hears}) {
    const {nets, models, maps} = this;
    const keep = [...new Set(maps.map(({weights}) => weights))];
    const before = this.compared ? await readIds(nets.left, models.left, ids, {signal}) : null;
    const said = [];
    for (const [done, places] of groups.entries()) {
      hears?.(done);
      const hidden = ids.map((id, k) => (places.includes(k) ? this.mask : id));
      const {logits, kept} = await readIds(nets.both, models.both, hidden, {keep, signal});
      for (const place of places) {
        const both = chancesOf(logits[place]);
        const left = before && chancesOf(before.logits[place - 1] ?? new Float32Array(both.length));
        said.push({place, both, left, maps: maps.map(map => rowOf(map, kept, place))});
      }
    }
    return said;
  }
}
const chancesOf = logits => Float32Array.from(softmaxOf(logits));

// The weights (T) from a place, by one head or as the mean of all.
function rowOf({weights, head}, kept, place) {
  const T = kept[weights].shape.at(-1);
  const all = flat(kept[weights]);
  const heads = head === null ? [...new Array(all.length / T / T).keys()] : [head];
  const rows = heads.map(h => all.subarray((h * T + place) * T, (h * T + place + 1) * T));
  return rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / heads.length);
}
