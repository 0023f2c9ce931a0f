// What travels: places and runs, as values.py and writing.py pack them.

import {unpacked} from '../shared/codec.js';

/**
 * @typedef {Object} Place what the model expects after a text
 * @property {Int32Array} ids the likeliest tokens
 * @property {string[]} words and what they are called
 * @property {Float64Array} p their probabilities
 * @property {Float64Array} cumulated and those together
 * @property {number} doubt bits
 * @property {Float64Array} tail probability of all tokens up to each rank of the tail
 * @property {Int32Array} counts that nucleus keeps at each stop
 * @property {Float64Array} masses what these have together
 * @property {Float64Array} sums of p^(1/T) at each temperature
 * @property {string} last word of the text, with the `rank` and `chance` that it had
 */

/** @returns {Place} */
export function placeOf(view) {
  const place = unpacked(view);
  return {...place, cumulated: cumulatedOf(place.p)};
}
/** Sums of the first numbers. */
export function cumulatedOf(numbers) {
  let sum = 0;
  return numbers.map(x => (sum += x));
}
