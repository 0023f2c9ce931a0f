// Numbers and tokens as they are written in a scene.

import {asRead} from '../direction.js';
import {decimals, readable} from '../texts.js';

const LOWERED = '₀₁₂₃₄₅₆₇₈₉';
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const INFINITELY = -1e30; // what is less is the lowest number that there is
const LETTERS = 18; // of a token

/**
 * A number in about three figures: 2.74, −0.021, 131.
 * @param {number} value
 * @returns {string}
 */
export function written(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'no number' : value < 0 ? '−∞' : '∞';
  if (size < 0.0005) return '0';
  const places = size < 0.0995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return decimals(value, places);
}
/**
 * A probability or a weight: 1.00, 0.96, 0.003, 0.
 * @param {number} p
 * @returns {string}
 */
export function probable(p) {
  if (Number.isNaN(p)) return 'no number';
  return p < 0.0005 ? '0' : p.toFixed(p < 0.005 ? 3 : 2);
}
/** A score that a mask has lowered: −∞, or about the number in its place, −10⁴. */
export function hiddenScore(score) {
  if (score < INFINITELY) return '−∞';
  const power = String(Math.round(Math.log10(-score)));
  return `−10${power.replace(/\d/g, digit => RAISED[digit])}`;
}
/** A share in whole percent. */
export const percents = part => `${Math.round(100 * part)} %`.replace('-', '−');
/** A text in quotation marks, unless it is in such already. */
export const inMarks = text => (/^“.*”/.test(text) ? text : `“${text}”`);
/** A token as it is read: without the mark that a word begins there. */
export const shown = token => readable(token.replace(/^[▁Ġ](?=.)/u, ''), LETTERS);
/** An answer and how likely it is. */
export const saidText = ([word, p]) => `${inMarks(shown(word))} ${probable(p)}`;
/**
 * A span of tokens: "within … cloud".
 * @param {string[]} names of all tokens
 * @param {[number, number]} span its first and last token
 */
export const spanText = (names, [first, last]) =>
  first === last
    ? names[first]
    : asRead(`${names[first]} … ${names[last]}`, names.slice(first, last + 1));
/** A span in marks, and how likely it is. */
export const spanSaid = (names, span) => `${inMarks(spanText(names, span))} ${probable(span[2])}`;
/** What is said of the same: the likeliest word, of a span's sides the one that is named. */
export const saidOf = ({spans}, answers, word) =>
  spans ? answers.find(([side]) => side === word) : answers[0];
const small = number => String(number).replace(/\d/g, digit => LOWERED[digit]);
function labelsOfText(tokens) {
  const names = tokens.map(shown);
  return names.map((name, k) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return (/^[^\p{L}\p{N}]$/u.test(name) ? inMarks(name) : name) + small(k + 1);
  });
}
/**
 * The tokens as they are shown: those that stand there twice get their positions, from 1.
 * @param {{source: string[], target?: string[]}} tokens
 * @returns {{source: string[], target?: string[]}}
 */
export const labelsOf = tokens =>
  Object.fromEntries(Object.entries(tokens).map(([side, all]) => [side, labelsOfText(all)]));
