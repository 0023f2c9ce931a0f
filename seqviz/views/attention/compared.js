// What one head does in two texts: their words lined up, the weights as numbers, one sentence.

import {readable} from '../shared/texts.js';
import {cellAt} from './cursor.js';
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
/**
 * Which word of the second text stands opposite one of the first; null for a gap.
 * @param {Column[]} columns
 * @param {number} place
 * @returns {number | null}
 */
export const opposite = (columns, place) => columns.find(([i]) => i === place)[1];

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
 * The weight in focus in both texts.
 * @param {Sheet} here
 * @param {Sheet} there
 * @param {{rows: Column[], columns: Column[]}} lines
 * @param {Cursor} cursor
 * @param {number} steps that a decoder has written
 * @returns {TwoWeights}
 */
export function compared(here, there, lines, cursor, steps) {
  const {row, column} = cellAt(cursor);
  const [row2, column2] = [opposite(lines.rows, row), opposite(lines.columns, column)];
  const name = (units, at) => (at === null ? null : readable(units[at].text));
  const query = [name(here.rows, row), name(there.rows, row2)];
  const key = [name(here.columns, column), name(there.columns, column2)];
  const [[word, word2], [far, far2]] = cursor.side === 'query' ? [query, key] : [key, query];
  const query2 = cursor.side === 'query';
  const [at2, others] = query2 ? [row2, there.columns] : [column2, there.rows];
  const values =
    at2 === null ? null : series(there, {side: cursor.side, at: at2}, writtenOf(there, steps));
  const most2 = values?.length ? firstLargest(values) : null;
  const known = row2 !== null && column2 !== null;
  return {
    side: cursor.side,
    word,
    word2,
    far,
    far2,
    weight: here.values[row * here.m + column],
    weight2: known ? there.values[row2 * there.m + column2] : null,
    most2: name(others, most2),
    largest2: most2 === null ? null : values[most2],
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
