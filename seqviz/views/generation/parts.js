// What travels: places, runs and the prompt, as values.py and writing.py pack them.

const REAL = 8; // bytes
const WHOLE = 4;

class Reader {
  constructor(view) {
    this.view = view;
    this.at = 0;
  }
  bytes(length) {
    const start = this.view.byteOffset + this.at;
    this.at += length;
    return this.view.buffer.slice(start, start + length);
  }
  reals(count) {
    return new Float64Array(this.bytes(count * REAL));
  }
  whole(count) {
    return new Uint32Array(this.bytes(count * WHOLE));
  }
  json() {
    return JSON.parse(new TextDecoder().decode(this.bytes(this.view.byteLength - this.at)));
  }
}
/**
 * @typedef {Object} Place what the model expects after a text
 * @property {Uint32Array} ids the likeliest tokens
 * @property {string[]} words and what they are called
 * @property {Float64Array} p their probabilities
 * @property {Float64Array} cumulated and those together
 * @property {number} doubt bits
 * @property {Float64Array} tail probability of all tokens up to each rank of the tail
 * @property {Uint32Array} counts that nucleus keeps at each stop
 * @property {Float64Array} masses what these have together
 * @property {Float64Array} sums of p^(1/T) at each temperature
 * @property {string} last word of the text, with the `rank` and `chance` that it had
 */

/** @returns {Place} */
export function placeOf(view, {keep, tail, nucleus, temperatures}) {
  const reader = new Reader(view);
  const [doubt, chance] = reader.reals(2);
  const p = reader.reals(keep);
  const place = {
    doubt,
    chance,
    p,
    cumulated: cumulatedOf(p),
    tail: reader.reals(tail.length),
    masses: reader.reals(nucleus.length),
    sums: reader.reals(temperatures.length),
  };
  const [rank] = reader.whole(1);
  const ids = reader.whole(keep);
  const counts = reader.whole(nucleus.length);
  const [last, ...words] = reader.json();
  return {...place, rank, ids, counts, last, words};
}
/** Sums of the first numbers. */
export function cumulatedOf(numbers) {
  let sum = 0;
  return numbers.map(x => (sum += x));
}
/** What a method wrote: ids, words, the model's ranks and probabilities, why it ended early. */
export function runOf(view) {
  const reader = new Reader(view);
  const [count] = reader.whole(1);
  const p = reader.reals(count);
  const ids = reader.whole(count);
  const ranks = reader.whole(count);
  return {p, ids, ranks, ...reader.json()};
}
/** Doubt, rank and probability of the last tokens of the prompt. */
export function promptOf(view) {
  const numbers = new Reader(view).reals(view.byteLength / REAL);
  return Array.from({length: numbers.length / 3}, (_, k) => {
    const [doubt, rank, chance] = numbers.subarray(3 * k, 3 * k + 3);
    return {doubt, rank, chance};
  });
}
