// The names of tokens; twins carry their position.

import {readable} from '../shared/base.js';

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
/**
 * A text that is cut where there is no more room.
 * @param {string} text
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} font
 * @returns {string}
 */
export function cutTo(text, room, measure, font) {
  if (measure(text, font) <= room) return text;
  let letters = [...text];
  while (letters.length > 1 && measure(letters.join('') + '…', font) > room) {
    letters = letters.slice(0, -1);
  }
  return letters.join('') + '…';
}
/**
 * A text in quotation marks.
 * @param {string} text
 * @returns {string}
 */
export const quote = text => `“${text}”`;
