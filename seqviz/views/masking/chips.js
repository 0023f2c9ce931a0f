// Where the tokens of a sentence stand: slots of a fixed width, so that no mask moves a neighbour.

import {runsLeft, turnRow} from '../shared/direction.js';
import {readable} from '../shared/texts.js';

export const MASK = '[MASK]';
const SCALES = [2.1, 1.9, 1.7, 1.6, 1.5, 1.35, 1.2, 1.1]; // of the type
const LARGEST = [2.1, 1.5, 1.2]; // for one line, for two, for three
const SQUEEZED = 0.82; // of its width the mask's name takes at least
const LONGEST = 28; // letters

/** For each token the positions of its word, which begins at a start. */
export function wordsOf(starts) {
  const words = [];
  starts.forEach((start, k) => words.push(start || k === 0 ? [] : words[k - 1]));
  words.forEach((word, k) => word.push(k));
  return words;
}
/** A sentence with its words, and its tokens as they are written there. */
export function sentenceOf(given) {
  const words = wordsOf(given.starts);
  return {...given, words, texts: given.bare.map(text => readable(text, LONGEST))};
}
// One after another, a word's pieces side by side; a word that does not fit begins a line.
function broken({tokens, texts, special, words}, scale, {W, em, small, measure}) {
  const font = scale * em;
  const least = Math.max(2.15 * font, SQUEEZED * measure(MASK, `700 ${small}px`) + 4);
  const widths = tokens.map((_, k) => {
    const size = special.includes(k) ? small : font;
    const own = measure(texts[k], `600 ${size}px`) + 0.62 * size;
    return Math.min(W, special.includes(k) ? own : Math.max(own, least));
  });
  const chips = [];
  let x = 0;
  let line = 0;
  tokens.forEach((_, k) => {
    const starts = words[k][0] === k;
    const room = starts ? words[k].reduce((sum, j) => sum + widths[j] + 1, 0) : widths[k];
    const gap = x === 0 ? 0 : starts ? 0.2 * font : 1;
    const wraps = x > 0 && x + gap + Math.min(room, starts ? W : room) > W;
    if (wraps) [x, line] = [0, line + 1];
    else x += gap;
    const w = widths[k];
    const fits = (w - 6) / measure(MASK, '700 1px');
    const size = special.includes(k) ? small : font;
    chips.push({x, w, line, size, mask: Math.max(small, Math.min(font, fits))});
    x += w;
  });
  if (runsLeft(tokens)) turnRow(chips, 0, W);
  return {chips, lines: line + 1, font};
}
/**
 * The largest type with one line, else with two, else with three, else the smallest.
 * @returns {{chips: Object[], lines: number, gutter: number, first: number, height: number}} each
 * chip with its box, its line and the sizes of its own text and of the mask's; `first` is the room
 * over the first line, `gutter` that between lines
 */
export function chipLayout(sentence, size) {
  const {em} = size;
  const tries = SCALES.map(scale => broken(sentence, scale, size));
  const few = LARGEST.map((most, n) =>
    tries.find(({lines}, k) => SCALES[k] <= most && lines === n + 1),
  );
  const found = few.find(Boolean) ?? tries.at(-1);
  const one = found.lines === 1;
  const gutter = em * (one ? 3.9 : 1.75);
  const first = one ? gutter : em * 1.5;
  const h = found.font * 1.62;
  for (const chip of found.chips) {
    Object.assign(chip, {y: first + chip.line * (h + gutter), h, cx: chip.x + chip.w / 2});
  }
  const height = first + found.lines * h + (found.lines - 1) * gutter + em * 1.6;
  return {...found, gutter, first, height};
}
/** The position whose chip lies under a point; gaps belong to what stands beside them. */
export function chipAt({chips, font}, x, y) {
  const beside = 0.15 * font;
  const k = chips.findIndex(
    chip =>
      x >= chip.x - beside &&
      x < chip.x + chip.w + beside &&
      y >= chip.y - beside &&
      y < chip.y + chip.h + beside,
  );
  return k < 0 ? null : k;
}
/** An arc to another token, or a curve to one on another line. */
export function arcBetween(a, b, weight, {first, gutter}, em) {
  const y1 = b.line > a.line ? a.y + a.h : a.y;
  const y2 = b.line < a.line ? b.y + b.h : b.y;
  const room = (a.line === 0 ? first : gutter) * 1.22;
  const rise = Math.min(room, 1.2 * em + Math.abs(a.cx - b.cx) * 0.2);
  const bend = a.line === b.line ? y1 - rise : (y1 + y2) / 2;
  return {
    d: `M${a.cx} ${y1}C${a.cx} ${bend} ${b.cx} ${bend} ${b.cx} ${y2}`,
    width: em * (0.06 + 1.1 * weight),
    opacity: 0.3 + 0.7 * Math.min(1, weight * 2.5),
  };
}
/** The nearest token of the next line, up or down; the same where there is none. */
export function besideLine(chips, special, k, by) {
  const near = chips
    .map((chip, j) => ({j, line: chip.line, apart: Math.abs(chip.cx - chips[k].cx)}))
    .filter(({j, line}) => line === chips[k].line + by && !special.includes(j))
    .sort((a, b) => a.apart - b.apart);
  return near[0]?.j ?? k;
}
