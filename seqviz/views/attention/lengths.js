// What heads write: how long W_O v is, of each head and key; as head_writing.py.

import {rowsOf} from '../shared/graph/by_token.js';
import {run} from '../shared/graph/running.js';
import {flat, sizeOf, Tensor} from '../shared/graph/tensors.js';
import {between} from '../shared/graph/within.js';

const EXACT = 1e-3; // by which the vectors of all keys may miss what was added, of its largest
const NO_STREAM =
  'this model adds what its heads read to no stream, as a Transformer does, so there is no W_O: look at the weights';
const NO_SUM =
  'this model normalises what a head reads, or changes it in another way, before it adds that up, so it is no sum over the keys: look at the weights';

/**
 * How long W_O v is. The vectors v of a head's keys stand in place of what its queries read, as
 * many at a time as there are queries, while all other heads read nothing. A silenced head writes
 * nothing.
 * @param {Net} net
 * @param {Source} source
 * @param {Object<string, any>} values of all nodes of a run, and of its inputs
 * @param {AbortSignal} signal
 * @returns {Promise<Float64Array[]>} by head and key
 */
export async function lengthsOf(net, source, values, signal) {
  const {context, update, added: place, value, weights} = source;
  if (!update) throw new Error(NO_STREAM);
  const {shape} = values[context];
  const part = between(net, Object.entries(values), context, update);
  const added = async numbers => {
    const given = {[context]: new Tensor(numbers, shape)};
    const {kept} = await run(part, given, {keep: [update], signal});
    return rowsOf(place, kept[update]);
  };
  const [nothing] = await added(new Float32Array(sizeOf(shape)));
  const [queries, width] = shape.slice(-2);
  const read = headsOf(values[context]);
  const speaks = head => read[head].some(row => row.some(v => v !== 0));
  const vectors = headsOf(values[value]).map((rows, head) =>
    speaks(head) ? rows : rows.map(row => new Float32Array(row.length)),
  );
  const each = []; // by head and key
  for (const [head, own] of vectors.entries()) {
    each.push([]);
    for (let from = 0; from < own.length; from += queries) {
      const some = own.slice(from, from + queries);
      const numbers = new Float32Array(sizeOf(shape));
      some.forEach((v, k) => numbers.set(v, (head * queries + k) * width));
      const rows = await added(numbers);
      each[head].push(...some.map((_, k) => rows[k].map((x, i) => x - nothing[i])));
    }
  }
  checkSum(rowsOf(place, values[update]), nothing, headsOf(values[weights]), each);
  return each.map(keys => Float64Array.from(keys, v => Math.hypot(...v)));
}
// A value (..., rows, numbers) by head and row.
function headsOf({shape, ...value}) {
  const [rows, width] = shape.slice(-2);
  const numbers = flat({shape, ...value});
  return Array.from({length: numbers.length / rows / width}, (_, head) =>
    Array.from({length: rows}, (_, row) =>
      numbers.subarray((head * rows + row) * width, (head * rows + row + 1) * width),
    ),
  );
}
function checkSum(added, nothing, weights, each) {
  let [off, most] = [0, 0];
  added.forEach((row, query) => {
    row.forEach((whole, i) => {
      let sum = nothing[i];
      each.forEach((keys, head) =>
        keys.forEach((v, key) => {
          sum += weights[head][query][key] * v[i];
        }),
      );
      off = Math.max(off, Math.abs(sum - whole));
      most = Math.max(most, Math.abs(whole - nothing[i]));
    });
  });
  if (off > EXACT * most) throw new Error(NO_SUM);
}
/** What a head writes, weights times lengths, (query, key). */
export const lengthened = (map, lengths) => map.map((w, i) => w * lengths[i % lengths.length]);
