// The distribution of the next token, and what travels of it: values.py and writing.py do the same.

const SPARE = 1e-12; // what a sum may lack of p

/**
 * The softmax of logits, in float64: equal ones stay equal, others differ.
 * @param {Float32Array} logits (V,)
 * @returns {Float64Array} (V,)
 */
export function softmaxOf(logits) {
  let most = -Infinity;
  for (const x of logits) most = Math.max(most, x);
  const p = Float64Array.from(logits, x => Math.exp(x - most));
  const sum = totalOf(p);
  return p.map(x => x / sum);
}
function totalOf(numbers) {
  let sum = 0;
  for (const x of numbers) sum += x;
  return sum;
}
const runningSums = numbers => {
  let sum = 0;
  return numbers.map(x => (sum += x));
};
/**
 * The tokens, the likeliest first; of equals the first comes first.
 * @param {Float64Array} p (V,)
 * @returns {Int32Array} (V,)
 */
export const rankedTokens = p => Int32Array.from(p.keys()).sort((a, b) => p[b] - p[a] || a - b);

/** Rank of a token, from 1. */
export function rankOf(p, id) {
  let rank = 1;
  for (let k = 0; k < p.length; k++) {
    if (p[k] > p[id] || (p[k] === p[id] && k < id)) rank += 1;
  }
  return rank;
}
/** Entropy in bits. */
export function bitsOf(p) {
  let bits = 0;
  for (const x of p) if (x > 0) bits -= x * Math.log2(x);
  return Math.abs(bits);
}
/** How many of the likeliest tokens nucleus sampling keeps: the fewest that have p together. */
function keptByMass(cumulated, p) {
  if (p === 1) return cumulated.length;
  const found = cumulated.findIndex(sum => sum >= p - SPARE);
  return found < 0 ? cumulated.length : found + 1;
}
/**
 * What a view holds of a place; see `Place` of parts.js.
 * @param {Float64Array} p (V,)
 * @param {{keep: number, nucleus: number[], temperatures: number[], tail: number[]}} facts
 * @returns {Object} but for the words, and how the text's last token was ranked
 */
export function placeValues(p, {keep, nucleus, temperatures, tail}) {
  const order = rankedTokens(p);
  const ranked = Float64Array.from(order, id => p[id]);
  const cumulated = runningSums(ranked);
  const counts = Int32Array.from(nucleus, stop => keptByMass(cumulated, stop));
  const beyond = counts.map(n => (n > keep ? n : 0)); // the page counts what has a name itself
  return {
    ids: order.slice(0, keep),
    p: ranked.slice(0, keep),
    doubt: bitsOf(p),
    tail: Float64Array.from(tail, rank => cumulated[rank - 1]),
    counts: beyond,
    masses: Float64Array.from(beyond, n => (n ? cumulated[n - 1] : 0)),
    sums: Float64Array.from(temperatures, T => totalOf(ranked.map(x => x ** (1 / T)))),
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
  const drawn = method === 'temperature' ? ranked.map(x => x ** (1 / knob)) : ranked;
  const cumulated = runningSums(drawn);
  const kept = {greedy: () => 1, 'top-k': () => knob, nucleus: () => keptByMass(cumulated, knob)};
  const n = kept[method]?.() ?? drawn.length;
  const bound = u * cumulated[n - 1];
  return cumulated.findIndex(sum => sum > bound);
}
