// What of the models' probabilities is shown: the likeliest tokens, the true one and its ranks, as
// guesses.py packs them.

import {packed} from '../../shared/codec.js';
import {likeliestIds, rankOf} from '../../shared/graph/chances.js';
import {withValues} from '../../shared/objects.js';

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
  const ids = likeliestIds(both, K);
  const other = left ?? new Float32Array(both.length);
  const [best] = likeliestIds(other, 1);
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
/**
 * A part: a row for each place.
 * @param {Guess[]} guesses
 * @param {number} count of rows, `places[k]` says in which of them a guess is; others hold zeros
 * @param {string[]} words of the vocabulary, as they are shown
 * @returns {ArrayBuffer}
 */
export function packedGuesses(guesses, places, count, words) {
  const none = withValues(guesses[0], emptied);
  const rows = Array.from({length: count}, (_, row) => guesses[places.indexOf(row)] ?? none);
  const all = name => rows.flatMap(row => row[name]);
  const used = [...new Set([...all('ids'), ...all('best')])].sort((a, b) => a - b);
  const placeOf = new Map(used.map((id, k) => [id, k]));
  const numbered = name => Int32Array.from(all(name), id => placeOf.get(id));
  const floats = name => Float32Array.from(all(name));
  return packed({
    words: used.map(id => words[id]),
    ids: numbered('ids'),
    p: floats('p'),
    q: floats('q'),
    truth: floats('truth'),
    ranks: Int32Array.from(all('ranks')),
    best: numbered('best'),
    left: floats('left'),
    maps: Float32Array.from(none.maps.flatMap((_, map) => rows.flatMap(row => [...row.maps[map]]))),
  });
}
const emptied = part => (typeof part === 'number' ? 0 : Array.from(part, emptied));
