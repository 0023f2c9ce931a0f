// What one head does in two texts: their words lined up, the weights as numbers, one sentence.

import {readable} from '../shared/texts.js';
import {quote} from './labels.js';
import {firstLargest, series, weight, writtenOf} from './weights.js';

/**
 * @typedef {Object} TwoWeights the weight in focus in both texts; null for what stands opposite a
 * gap
 * @property {'query' | 'key'} side
 * @property {string} word the one in focus
 * @property {string} far the other one of its cell
 * @property {number} weight
 * @property {string | null} word2 opposite `word` in the second text
 * @property {string | null} far2 opposite `far`
 * @property {number | null} weight2
 * @property {string | null} most2 the other end of the largest weight of `word2`
 * @property {number | null} largest2 that weight
 */

/** @typedef {[number | null, number | null]} Column words of both texts, from 0; null for a gap */

// How many words are common to the texts from word i and from word j on.
function commonOf(first, second) {
  const table = Array.from({length: first.length + 1}, () => new Uint32Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      table[i][j] =
        first[i] === second[j]
          ? table[i + 1][j + 1] + 1
          : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}
function matchesOf(first, second, common) {
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < first.length && j < second.length) {
    if (first[i] === second[j]) pairs.push([i++, j++]);
    else if (common[i + 1][j] >= common[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}
const range = (from, to) => Array.from({length: to - from}, (_, k) => from + k);
// The words between two that are equal.
function wordsBetween(first, second) {
  if (first.length === second.length) return first.map((i, k) => [i, second[k]]);
  return [...first.map(i => [i, null]), ...second.map(j => [null, j])];
}
// Lines up two texts by a longest common subsequence of their words. Between equal words stand
// those that differ: opposite each other if there are as many in both texts, else each opposite a
// gap.
function aligned(first, second) {
  const columns = [];
  let [i, j] = [0, 0];
  const end = [first.length, second.length];
  for (const [row, column] of [...matchesOf(first, second, commonOf(first, second)), end]) {
    columns.push(...wordsBetween(range(i, row), range(j, column)));
    if (row < first.length) columns.push([row, column]);
    [i, j] = [row + 1, column + 1];
  }
  return columns;
}
// Which word of the second text stands opposite one of the first; null for a gap.
const opposite = (columns, place) => columns.find(([i]) => i === place)[1];

const VERBS = {
  query: ['attends to', 'to', 'attends most to'],
  key: ['is attended to by', 'by', 'is attended to most by'],
};
const textsOf = units => units.map(({text}) => text);

/**
 * How the columns of two sheets are lined up, and the rows that a decoder has written.
 * @param {Sheet} here
 * @param {Sheet} there of the second text
 * @param {number} steps Infinity for all
 * @returns {{rows: Column[], columns: Column[]}}
 */
export function linedUp(here, there, steps) {
  const [rows, rows2] = [here, there].map(sheet => sheet.rows.slice(0, writtenOf(sheet, steps)));
  return {
    rows: aligned(textsOf(rows), textsOf(rows2)),
    columns: aligned(textsOf(here.columns), textsOf(there.columns)),
  };
}
/**
 * What is in focus in both texts, of each its own; null for what stands opposite a gap.
 * @param {Scene} scene `two`, `A` and `steps` are read
 * @returns {{at: Column, far: Column, weights: (Float64Array | null)[]}} the cell in focus, and its
 * row or column
 */
export function focusOfBoth({two: {here, there, lines}, A, steps}) {
  const [own, other] = A.side === 'query' ? ['rows', 'columns'] : ['columns', 'rows'];
  const at = [A.at, opposite(lines[own], A.at)];
  const weights = [here, there].map((sheet, k) =>
    at[k] === null ? null : series(sheet, {...A, at: at[k]}, writtenOf(sheet, steps)),
  );
  return {at, far: [A.far, opposite(lines[other], A.far)], weights};
}
/**
 * The weight in focus in both texts.
 * @param {Scene} scene `two`, `A` and `steps` are read
 * @returns {TwoWeights}
 */
export function compared(scene) {
  const {here, there} = scene.two;
  const {side} = scene.A;
  const [own, other] = side === 'query' ? ['rows', 'columns'] : ['columns', 'rows'];
  const {at, far, weights} = focusOfBoth(scene);
  const name = (units, place) => (place === null ? null : readable(units[place].text));
  const [first, second] = weights;
  const most = second?.length ? firstLargest(second) : null;
  return {
    side,
    word: name(here[own], at[0]),
    word2: name(there[own], at[1]),
    far: name(here[other], far[0]),
    far2: name(there[other], far[1]),
    weight: first[far[0]],
    weight2: at[1] === null || far[1] === null ? null : second[far[1]],
    most2: name(there[other], most),
    largest2: most === null ? null : second[most],
  };
}
/**
 * With which weight a word attends to another in both texts.
 * @param {TwoWeights} facts
 * @returns {string}
 */
export function lessonOfTwo({side, word, word2, far, far2, weight: here, weight2, ...second}) {
  const [verb, to, most] = VERBS[side];
  const said = `${quote(word)} ${verb} ${quote(far)} with ${weight(here)}`;
  const gap = name => `${said}; in the second text no word is in the place of ${quote(name)}`;
  if (word2 === null) return gap(word);
  if (far2 === null) {
    const {most2, largest2} = second;
    if (most2 === null) return gap(far);
    return `${gap(far)}, and ${quote(word2)} ${most} ${quote(most2)} with ${weight(largest2)}`;
  }
  const who = word2 === word ? '' : ` ${quote(word2)}, in its place,`;
  const whom = far2 === far ? '' : ` ${to} ${quote(far2)}, in its place,`;
  return `${said}; in the second text${who}${whom} with ${weight(weight2)}`;
}
