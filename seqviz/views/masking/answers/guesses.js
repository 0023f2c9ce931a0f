// What of the models' probabilities is shown: the likeliest tokens, the true one and its ranks, as
// guesses.py packs them.

import {packed} from '../../shared/codec.js';

/**
 * @typedef {Object} Guess what is shown of one place
 * @property {number[]} ids the K likeliest tokens of the first model
 * @property {number[]} p their probabilities, `q` those of the second model
 * @property {number[]} truth probabilities of the true token by both, `ranks` its ranks from 1
 * @property {number} best the second model's likeliest token, `left` its probability
 * @property {Float32Array[]} maps
 */
/**
 * @param {Said} said see model.js
 * @param {number} true token
 * @param {number} K guesses
 * @returns {Guess}
 */
export function guessOf({both, left, maps}, own, K) {
  const ids = likeliest(both, K);
  const other = left ?? new Float32Array(both.length);
  const [best] = likeliest(other, 1);
  return {
    ids,
    p: ids.map(id => both[id]),
    q: ids.map(id => other[id]),
    truth: [both[own], other[own]],
    ranks: [rankOf(both, own), left ? rankOf(left, own) : 0],
    best,
    left: other[best],
    maps,
  };
}
// Of equals the first comes first.
function likeliest(p, count) {
  const found = [];
  for (let id = 0; id < p.length; id++) {
    if (found.length === count && p[id] <= p[found.at(-1)]) continue;
    const at = found.findIndex(other => p[id] > p[other]);
    found.splice(at < 0 ? found.length : at, 0, id);
    found.length = Math.min(found.length, count);
  }
  return found;
}
const rankOf = (p, own) =>
  1 + p.reduce((count, one, id) => count + (one > p[own] || (one === p[own] && id < own)), 0);

/**
 * A part: a row for each place.
 * @param {Guess[]} guesses
 * @param {number} count of rows, `places[k]` says in which of them a guess is; others hold zeros
 * @param {string[]} words of the vocabulary, as they are shown
 * @returns {ArrayBuffer}
 */
export function packedGuesses(guesses, places, count, words) {
  const rows = Array.from({length: count}, (_, row) => guesses[places.indexOf(row)] ?? null);
  const {ids, maps} = guesses[0];
  const spread = (name, width) => rows.flatMap(row => row?.[name] ?? new Array(width).fill(0));
  const chosen = spread('ids', ids.length);
  const best = spread('best', 1);
  const used = [...new Set([...chosen, ...best])].sort((a, b) => a - b);
  const placeOf = new Map(used.map((id, k) => [id, k]));
  const floats = (name, width) => Float32Array.from(spread(name, width));
  const numbers = all => Int32Array.from(all);
  const weights = maps.flatMap((empty, map) =>
    rows.flatMap(row => [...(row?.maps[map] ?? new Float32Array(empty.length))]),
  );
  return packed({
    words: used.map(id => words[id]),
    ids: numbers(chosen.map(id => placeOf.get(id))),
    p: floats('p', ids.length),
    q: floats('q', ids.length),
    truth: floats('truth', 2),
    ranks: numbers(spread('ranks', 2)),
    best: numbers(best.map(id => placeOf.get(id))),
    left: floats('left', 1),
    maps: Float32Array.from(weights),
  });
}
