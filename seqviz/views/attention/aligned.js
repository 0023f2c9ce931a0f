// Two lists of words lined up where they are equal; step by step as aligned.py.

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
/**
 * Lines up two texts by a longest common subsequence of their words. Between equal words stand
 * those that differ: opposite each other if there are as many in both texts, else each opposite a
 * gap.
 * @param {string[]} first
 * @param {string[]} second
 * @returns {Column[]}
 */
export function aligned(first, second) {
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
