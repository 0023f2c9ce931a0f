// Letters that no font of the reader's computer has, where the browser draws all of them alike: as
// what no font can have. Firefox writes their numbers into the boxes.

import {html} from './nodes.js';
import {codeOf} from './texts.js';

const NO_LETTER = '\u{10ffff}';
const ASKED = /[^\u0000-\u024f\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{P}]/gu;
const LETTER_SIDE = 24; // pixels of a letter's picture
const MOST_NAMED = 3;
const lacked = new Map();
let boxPen = null;

function letterPixels(letter) {
  boxPen ??= html(null, 'canvas', {width: LETTER_SIDE, height: LETTER_SIDE}).getContext('2d', {
    willReadFrequently: true,
  });
  boxPen.font = '12px sans-serif';
  boxPen.clearRect(0, 0, LETTER_SIDE, LETTER_SIDE);
  boxPen.fillText(letter, 4, 16);
  return new Uint32Array(boxPen.getImageData(0, 0, LETTER_SIDE, LETTER_SIDE).data.buffer);
}
function isLacking(letter) {
  if (!lacked.has(letter)) {
    const box = letterPixels(NO_LETTER);
    const same = letterPixels(letter).every((pixel, k) => pixel === box[k]);
    lacked.set(letter, same && box.some(Boolean));
  }
  return lacked.get(letter);
}
/**
 * Says under a view which of its letters stand as boxes.
 * @param {Element} root
 */
export function sayLacking(root) {
  const letters = [...new Set(root.textContent.match(ASKED))].filter(isLacking);
  const more = letters.length > MOST_NAMED ? ` and ${letters.length - MOST_NAMED} more` : '';
  const names = letters.slice(0, MOST_NAMED).map(codeOf).join(', ') + more;
  const text = letters.length ? `No font on this computer has ${names}: a box stands there.` : '';
  const told = root.querySelector(':scope > .lacking');
  if (text === (told?.textContent ?? '')) return;
  told?.remove();
  if (text) html(root, 'p', {class: 'lacking'}, text);
}
