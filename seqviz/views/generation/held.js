// What is held of the distribution of the next token; values.py and writing.py hold the same.

import {firstWith} from './decoding.js';
import {cumulatedOf} from './parts.js';

/**
 * The tokens, the likeliest first; of equals the first comes first.
 * @param {Float64Array} p (V)
 * @returns {{order: Int32Array, ranked: Float64Array}} their ids and probabilities, (V) each
 */
export function rankedTokens(p) {
  const order = Int32Array.from(p.keys()).sort((a, b) => p[b] - p[a] || a - b);
  return {order, ranked: Float64Array.from(order, id => p[id])};
}
/** Entropy in bits. */
export const bitsOf = p => Math.abs(p.reduce((bits, x) => bits - (x && x * Math.log2(x)), 0));
/** How many of the likeliest tokens nucleus sampling keeps. */
const keptByMass = (cumulated, p) => (p < 1 && firstWith(cumulated, p) + 1) || cumulated.length;
/** What remains of probabilities at a temperature, but for their sum. */
const warmed = (ranked, temperature) => ranked.map(x => x ** (1 / temperature));
/**
 * What a view holds of a place; see `Place` of parts.js.
 * @param {Float64Array} p (V)
 * @param {{keep: number, nucleus: number[], temperatures: number[], tail: number[]}} facts
 * @returns {Object} but for the words, and how the text's last token was ranked
 */
export function placeValues(p, {keep, nucleus, temperatures, tail}) {
  const {order, ranked} = rankedTokens(p);
  const cumulated = cumulatedOf(ranked);
  const counts = nucleus.map(stop => keptByMass(cumulated, stop));
  const beyond = counts.map(n => (n > keep ? n : 0)); // the page counts what has a name itself
  const sumAt = T => warmed(ranked, T).reduce((sum, x) => sum + x);
  return {
    ids: order.slice(0, keep),
    p: ranked.slice(0, keep),
    doubt: bitsOf(p),
    tail: Float64Array.from(tail, rank => cumulated[rank - 1]),
    counts: Int32Array.from(beyond),
    masses: Float64Array.from(beyond, n => (n ? cumulated[n - 1] : 0)),
    sums: Float64Array.from(temperatures, sumAt),
  };
}
/**
 * On which rank, from 0, a number from 0 to 1 falls, of what a method keeps.
 * @param {Float64Array} ranked probabilities, the largest first
 * @param {{method: string, knob: number}} draw
 * @param {number} u
 * @returns {number}
 */
export function fallenRank(ranked, {method, knob}, u) {
  const cumulated = cumulatedOf(method === 'temperature' ? warmed(ranked, knob) : ranked);
  const kept = {greedy: () => 1, 'top-k': () => knob, nucleus: () => keptByMass(cumulated, knob)};
  const n = kept[method]?.() ?? ranked.length;
  const bound = u * cumulated[n - 1];
  return cumulated.findIndex(sum => sum > bound);
}
