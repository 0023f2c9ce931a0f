// The names of tokens; twins carry their position.

import {readable} from '../shared/texts.js';

const SMALL = '₀₁₂₃₄₅₆₇₈₉';
/**
 * The name of a token; one that others have, too, gets its position from 1 in small digits.
 * @param {Unit} unit
 * @param {number} [most] letters of the token
 * @returns {string}
 */
export function label({text, from, twin}, most = 14) {
  const position = twin ? String(from + 1).replace(/\d/g, d => SMALL[d]) : '';
  return readable(text.slice(0, 400), most) + position;
}
/**
 * A name that fits.
 * @param {Unit} unit
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} font
 * @returns {string}
 */
export function fitted(unit, room, measure, font) {
  let most = 24;
  let text = label(unit, most);
  while (most > 2 && measure(text, font) > room) text = label(unit, --most);
  return text;
}
/** A text in quotation marks. */
export const quote = text => `“${text}”`;
