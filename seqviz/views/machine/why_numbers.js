// The numbers behind one weight: q and k, their products, the score, the weight, what is carried.

import {attentionIn} from './standing.js';

/**
 * @typedef {Object} Why how a token comes to its weight of a key, in one head
 * @property {Object} part of the anatomy
 * @property {number} key the one in focus
 * @property {number | null} other a key that is compared with it
 * @property {number} carried the key whose value is shown: the one compared, if there is one
 * @property {Line | null} query null where the scores are no products
 * @property {Line[]} keys k of the key in focus, and of the one compared
 * @property {number[][]} products of q with each of these, number by number
 * @property {Line} scores by key, before they are divided
 * @property {number[]} scaled the scores divided by the scale
 * @property {number[]} capped the same, as far as a cap lets them: cap × tanh(score ÷ cap)
 * @property {number[]} reads what the softmax reads
 * @property {number[]} added what a mask, or a bias, adds to each; empty without one
 * @property {boolean[]} masked whether each is hidden from the token
 * @property {Line} weights by key
 * @property {Line} value of the carried key
 * @property {Line} context the sum over all keys
 * @property {boolean} silent whether zeros go on in place of that sum
 */

const HIDDEN = -5000; // a score that a mask has lowered this far: -1e4 is usual, and less

/** Whether an attention's mask hides a key of which the softmax reads this score. */
export const isHidden = ({mask}, score) => Boolean(mask) && score < HIDDEN;
/** A score divided by the scale, as far as a cap lets it: cap × tanh(score ÷ cap). */
export function cappedScore({scale, cap}, score) {
  const scaled = score / scale;
  return cap ? cap * Math.tanh(scaled / cap) : scaled;
}
/** The sum of numbers. */
export const totalOf = list => list.reduce((sum, one) => sum + one, 0);

/**
 * q of a token, k of a key and their products, number by number of a head; null while they are
 * under way, or where the scores are no products.
 * @param {Numbers} numbers
 * @param {Object} part
 * @param {{token: number, head: number}} of
 * @param {number} key
 * @returns {{query: Line, keys: Line, products: number[]} | null}
 */
export function productsOf(numbers, part, {token, head}, key) {
  const query = part.query && numbers.headLine(part.query, token, head);
  const keys = part.key && numbers.headLine(part.key, key, head);
  if (!query || !keys) return null;
  return {query, keys, products: query.values.map((q, n) => q * keys.values[n])};
}
/**
 * All numbers of the weight in focus.
 * @param {{facts, numbers, state, over}} world `over.key` is compared
 * @returns {Why | null} null while some are under way
 */
export function whyOf({facts, numbers, state, over}) {
  const part = attentionIn(facts, state);
  const {token, key, head} = state;
  const other = over?.key === key ? null : (over?.key ?? null);
  const carried = other ?? key;
  const vector = (place, of) => numbers.headLine(place, of, head);
  const row = node => numbers.mapLine(part, node, head, token);
  const lines = {
    query: part.query && vector(part.query, token),
    scores: row(part.scores),
    weights: row(part.weights),
    value: vector(part.value, carried),
    context: vector(part.context, token),
  };
  const asked = part.query ? [key, ...(other === null ? [] : [other])] : [];
  const keys = asked.map(of => vector(part.key, of));
  const reads = row(part.masked);
  const needed = [...Object.values(lines), ...keys, reads];
  if (needed.some((line, k) => !line && (k || part.query))) return null;
  const scaled = lines.scores.values.map(score => score / part.scale);
  const capped = lines.scores.values.map(score => cappedScore(part, score));
  return {
    ...lines,
    part,
    key,
    other,
    carried,
    keys,
    products: keys.map(({values}) => values.map((k, c) => lines.query.values[c] * k)),
    scaled,
    capped,
    reads: reads.values,
    added: part.mask ? reads.values.map((read, of) => read - capped[of]) : [],
    masked: reads.values.map(read => isHidden(part, read)),
    silent: facts.silent.some(([attention, of]) => attention === part.attention && of === head),
  };
}
