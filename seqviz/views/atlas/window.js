// Which words of a sentence have room in a row, and where they stand: those of its strongest link,
// and what is around them; where others are left out stand dots.

import {runsLeft, turnRow} from '../shared/direction.js';
import {readable} from '../shared/texts.js';

export const SPACE = 4.5; // between words
const DOTS = 14;

/** Places of words, the nearest to one of the ends first. */
const byNearness = (count, ends) =>
  Array.from({length: count}, (_, k) => k).sort((a, b) => {
    const far = k => Math.min(...ends.map(end => Math.abs(k - end)));
    return far(a) - far(b) || a - b;
  });
/** Room that dots take: one for each place where a word is left out. */
function dotsIn(kept, count) {
  const gap = k => !kept.has(k) && (k === 0 || kept.has(k - 1));
  return DOTS * Array.from({length: count}, (_, k) => gap(k)).filter(Boolean).length;
}
function keptWords(widths, room, ends) {
  const all = new Set(widths.keys());
  const wide = kept => [...kept].reduce((sum, k) => sum + widths[k] + SPACE, -SPACE);
  if (wide(all) <= room) return all;
  const kept = new Set();
  for (const k of byNearness(widths.length, ends)) {
    const more = new Set([...kept, k]);
    if (wide(more) + dotsIn(more, widths.length) > room && kept.size) break;
    kept.add(k);
  }
  return kept;
}
/**
 * @param {string[]} words
 * @param {{from: number, room: number, ends: number[], measure: Measure}} place `ends` are the
 * words that must be seen
 * @returns {{words: Object<number, {x: number, w: number, text: string}>, dots: number[]}} the
 * words by their place, and where dots begin
 */
export function placedWords(words, {from, room, ends, measure}) {
  const texts = words.map(word => readable(word, 24));
  const widths = texts.map(text => measure(text));
  const kept = keptWords(widths, room, ends);
  const boxes = [];
  let x = 0;
  texts.forEach((text, k) => {
    if (kept.has(k)) {
      boxes.push({k, x, w: widths[k], text});
      x += widths[k] + SPACE;
    } else if (k === 0 || kept.has(k - 1)) {
      boxes.push({k: null, x, w: DOTS - SPACE});
      x += DOTS;
    }
  });
  if (runsLeft(words)) turnRow(boxes, 0, x - SPACE);
  for (const box of boxes) box.x += from;
  const seen = boxes.filter(({k}) => k !== null).map(box => [box.k, box]);
  const dots = boxes.filter(({k}) => k === null).map(box => box.x);
  return {words: Object.fromEntries(seen), dots};
}
