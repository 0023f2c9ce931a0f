// Maps as bytes, see packing.py: the largest of each row, then a code for each weight.

import {halfFloats} from '../shared/half_floats.js';

/**
 * @typedef {Object} WeightMap rows of one map as they come, pieces and special tokens as they are
 * @property {Float64Array} values weights (rows, keys)
 * @property {Float64Array} totals the sum of each row
 * @property {Float32Array} lost what the sum of the keys that cannot be hidden lost in each row
 */

const SQUARES = Float64Array.from({length: 256}, (_, b) => (b / 255) * (b / 255));
/**
 * The special tokens, if there are others: all of a text are never hidden.
 * @param {string[]} tokens
 * @param {number[]} special which of them, from 0
 * @returns {number[]}
 */
export const leaving = (tokens, special) => (special.length < tokens.length ? special : []);

/**
 * The share of the largest weight that a byte stands for.
 * @param {number} byte
 * @returns {number} from 0 to 1
 */
export const shareOf = byte => SQUARES[byte];

/**
 * The numbers of a part that holds nothing else.
 * @param {Uint8Array} bytes
 * @returns {Float32Array}
 */
export const floatsOf = bytes => new Float32Array(bytes.slice().buffer);

// A list of numbers for each row: maxima; where keys can be hidden, maxima of the others and what
// their sums lost; where rows do not sum to 1, what the rows lost.
function floatRows(bytes, kind) {
  const Q = kind.queries.length;
  const special = leaving(kind.keys, kind.specialKeys);
  const lists = 1 + (special.length ? 2 : 0) + (kind.sums ? 0 : 1);
  const floats = floatsOf(bytes.subarray(0, 4 * Q * lists));
  const list = n => floats.subarray(n * Q, (n + 1) * Q);
  return {
    special,
    start: 4 * Q * lists,
    maxima: list(0),
    others: special.length ? list(1) : list(0),
    lost: special.length ? list(2) : new Float32Array(Q),
    lostOfRows: kind.sums ? null : list(lists - 1),
  };
}
// Rows of a map of floats, which lost nothing.
function exact(bytes, K, from, to) {
  const values = Float64Array.from(floatsOf(bytes.subarray(4 * from * K, 4 * to * K)));
  const totals = new Float64Array(to - from);
  values.forEach((v, i) => {
    totals[Math.floor(i / K)] += v;
  });
  return {values, totals, lost: new Float32Array(to - from)};
}
/**
 * Rows of a map.
 * @param {Uint8Array} bytes
 * @param {Kind} kind
 * @param {'byte' | 'half' | 'full'} precision
 * @param {number} [from] the first row, from 0
 * @param {number} [to] the row after the last
 * @returns {WeightMap}
 */
export function decoded(bytes, kind, precision, from = 0, to = kind.queries.length) {
  const K = kind.keys.length;
  if (precision === 'full') return exact(bytes, K, from, to);
  const {special, start, maxima, others, lost, lostOfRows} = floatRows(bytes, kind);
  const half = precision === 'half';
  const shares = half ? halfFloats() : SQUARES;
  const wide = half ? 2 : 1;
  const codes = bytes.subarray(start + wide * from * K, start + wide * to * K);
  const numbers = half ? new Uint16Array(codes.slice().buffer) : codes;
  const isSpecial = new Uint8Array(K);
  for (const k of special) isSpecial[k] = 1;
  const values = new Float64Array((to - from) * K);
  const totals = new Float64Array(to - from).fill(1);
  for (let q = from, i = 0; q < to; q++) {
    let sum = 0;
    for (let k = 0; k < K; k++, i++) {
      values[i] = (isSpecial[k] ? maxima[q] : others[q]) * shares[numbers[i]];
      sum += values[i];
    }
    if (lostOfRows) totals[q - from] = sum + lostOfRows[q];
  }
  return {values, totals, lost: lost.subarray(from, to)};
}
