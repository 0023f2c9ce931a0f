// The names of tokens, where twins carry their position; which of them stand where there is not
// room for all: the focus and what it attends to.

import {readable} from '../shared/texts.js';

const LOW_DIGITS = '₀₁₂₃₄₅₆₇₈₉';
/**
 * The name of a token; one that others have, too, gets its position from 1 in small digits.
 * @param {Unit} unit
 * @param {number} [most] letters of the token
 * @returns {string}
 */
export function label({text, from, twin}, most = 14) {
  const position = twin ? String(from + 1).replace(/\d/g, d => LOW_DIGITS[d]) : '';
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

// ---- which names stand
/**
 * @typedef {Object} Name the name of a token, where it stands
 * @property {number} at which row or column, from 0
 * @property {number} middle pixels from the first one's edge
 * @property {'hot' | 'second' | 'strong' | 'plain' | 'soft'} look
 */

const NAMED_FIRST = 0.05; // the least weight whose key is named before others
const STEPS = {focus: 9, compared: 8, far: 7, farOfCompared: 6, read: 2};

// The higher, the sooner a name is written.
function rankOf({A, B, values}, side, at) {
  if (side === A.side && at === A.at) return STEPS.focus;
  if (B && side === B.side && at === B.at) return STEPS.compared;
  if (side !== A.side && at === A.far) return STEPS.far;
  if (B && side !== B.side && at === B.far) return STEPS.farOfCompared;
  if (side === A.side) return 0;
  const size = Math.abs(values[at]);
  return size >= NAMED_FIRST ? STEPS.read + size : 0;
}
function lookOf(rank, {accent, tone}) {
  if (rank === STEPS.focus) return accent === tone.second ? 'second' : 'hot';
  if (rank === STEPS.compared) return 'second';
  if (rank >= STEPS.farOfCompared) return 'strong';
  return rank ? 'plain' : 'soft';
}
/**
 * The names of one side that are written.
 * @param {Scene} scene `A`, `B`, `values`, `accent` and `tone` are read
 * @param {'query' | 'key'} side
 * @param {{from: number, count: number, pitch: number}} rows those in sight
 * @param {number} line pixels that a name takes
 * @returns {Name[]}
 */
export function namesOf(scene, side, {from, count, pitch}, line) {
  const all = Array.from({length: count}, (_, i) => {
    const rank = rankOf(scene, side, from + i);
    return {at: from + i, middle: (i + 0.5) * pitch, rank, look: lookOf(rank, scene)};
  });
  if (pitch >= line) return all;
  const kept = [];
  for (const name of all.sort((a, b) => b.rank - a.rank)) {
    if (kept.every(other => Math.abs(other.middle - name.middle) >= line)) kept.push(name);
  }
  return kept;
}
