// A film as the page has it: what Python sent by name, what follows from it, and its words.

import {readable} from '../shared/texts.js';

const LETTERS = 24; // of a word or a name
const MAZE = 0.25; // an outline of more regions is drawn thin
const BY_STEP = ['regions', 'inside', 'windows', 'p', 'light', 'canvases'];

const rowsOf = (flat, count) =>
  Array.from({length: count}, (_, k) =>
    flat.subarray((k * flat.length) / count, ((k + 1) * flat.length) / count),
  );
const largestAt = row => row.indexOf(Math.max(...row));
/**
 * A film with its sizes: T steps, h x w pixels, rows and columns of R regions.
 * @param {Object} told what films.py tells of it before it is shown
 * @param {Object} values arrays and words by name
 */
export function filmOf(told, values) {
  const {steps: T, size, grid, kind} = told;
  const [h, w] = size;
  const [rows, columns] = grid;
  const film = {...told, ...values, T, h, w, rows, columns, R: rows * columns};
  for (const name of BY_STEP) if (values[name]) film[name] = rowsOf(values[name], T);
  if (kind === 'attention') return film;
  return {...film, ...(film.words ? ofWords(film) : ofWindows(film, kind))};
}
function ofWords({boxes, corners, alternatives, chances, regions}) {
  let next = 0;
  return {
    corners: rowsOf(corners, boxes.length),
    alternatives: alternatives.map(row => row.map(word => ({word, p: chances[next++]}))),
    half: regions.map(heaviest),
  };
}
function ofWindows({classes, p, done}, kind) {
  const best = classes.length ? p.map(largestAt) : [];
  if (kind === 'glimpses') return {best};
  return {best, gains: Array.from(done, (share, k) => share - (k ? done[k - 1] : 0))};
}
/** The fewest regions that hold half of all weight, the heaviest first. */
export function heaviest(weights) {
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const half = weights.reduce((all, weight) => all + weight, 0) / 2;
  let held = 0;
  return order.filter(r => {
    const more = held < half;
    held += weights[r];
    return more;
  });
}

/** The steps in focus, and the kind of their marks. */
export const inFocus = ({at, other}) => [
  [at, 'me'],
  ...(other === null ? [] : [[other, 'second']]),
];
/** Outlines of the regions that hold half of the weight of each step in focus. */
export const outlinesOf = ({half, R}, focus) =>
  inFocus(focus).map(([k, kind]) => ({
    set: half[k],
    kind: half[k].length > MAZE * R ? 'thin' : kind,
  }));

// ---- in words; a sentence is in pieces: {b: in focus}, {em: compared}, {u: wrong}, {strong: ...}
/** A share in whole per cent, never a round 0 or 100 for one that is not. */
export function wholePercent(value) {
  const size = Math.abs(value);
  if (size > 0 && size < 0.005) return '<1 %';
  if (size >= 0.995 && size < 1) return '>99 %';
  return `${value < 0 ? '−' : ''}${(100 * size).toFixed(0)} %`;
}
/** A word or a name as people read it. */
export const named = text => readable(text, LETTERS);
/** A region by its row and column. */
export const placeName = ({columns}, r) =>
  `row ${Math.floor(r / columns) + 1}, column ${(r % columns) + 1}`;
/** Whether what is said at a step is known to be wrong. */
export const wrongAt = (film, k) =>
  film.words ? k in film.wrong : film.label !== null && film.best[k] !== film.label;
/** The step that has most to do with a region. */
export const mostAt = ({regions}, r) => largestAt(regions.map(row => row[r]));
/** Rows of a table for what is said at a step, and its window. */
export function windowRows(film, k) {
  const step = String(k + 1);
  const says = film.classes.map((name, c) => ['says', step, name, 'probability', film.p[k][c]]);
  const sides = ['x', 'y', 'width', 'height'];
  return [...says, ...sides.map((side, j) => ['window', step, side, 'pixels', film.windows[k][j]])];
}
