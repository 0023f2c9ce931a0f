// The weights on screen: one row or column of them, the strongest first, gold links. Numbers only.

/**
 * The sum of a list.
 * @param {number[] | Float32Array | Float64Array} values
 * @returns {number}
 */
export const summed = values => values.reduce((sum, v) => sum + v, 0);

// ---- the strongest: of the first n rows, of a row, of a column; differences count by their size
const size = Math.abs;
/**
 * The rows that a decoder has written in its first steps: those of a word when all its pieces are.
 * @param {Sheet} sheet
 * @param {number} steps Infinity for all
 * @returns {number}
 */
export const writtenOf = ({rows}, steps) => rows.findLastIndex(({to}) => to <= steps) + 1;
/**
 * The largest cell of the first rows, of tokens that are not special if there is one; of
 * differences the one that changed most.
 * @param {Sheet} sheet
 * @param {number} n rows
 * @returns {{row: number, column: number}}
 */
export function strongest({rows, columns, m, values}, n) {
  const search = counts => {
    let best = -1;
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < m; c++) {
        if (counts(r, c) && size(values[r * m + c]) > size(values[best] ?? 0)) best = r * m + c;
      }
    }
    return best;
  };
  let best = search((r, c) => !rows[r].special && !columns[c].special);
  if (best < 0) {
    best = Math.max(
      0,
      search(() => true),
    );
  }
  return {row: Math.floor(best / m), column: best % m};
}
/**
 * The weights of one row (a query), or of the first n of one column (a key).
 * @param {Sheet} sheet
 * @param {Cursor} cursor
 * @param {number} n
 * @returns {Float64Array}
 */
export function series({values, m}, {side, at}, n) {
  return side === 'query'
    ? values.subarray(at * m, at * m + m)
    : Float64Array.from({length: n}, (_, r) => values[r * m + at]);
}
/**
 * Where the largest stands, from 0; of equals the first.
 * @param {Float64Array} list
 * @returns {number}
 */
export const firstLargest = list =>
  list.reduce((best, v, i) => (size(v) > size(list[best]) ? i : best), 0);
/**
 * Where the largest stand, from 0, the largest first.
 * @param {Float64Array} list
 * @param {number} count how many of them
 * @returns {number[]}
 */
export function ranked(list, count) {
  return [...list.keys()].sort((a, b) => size(list[b]) - size(list[a]) || a - b).slice(0, count);
}

// ---- gold links of what is shown: sure ones count as sure if any token pair of the two words is
/**
 * The links between rows and columns; those of hidden tokens are left out.
 * @param {Gold | null} gold
 * @param {{rows: Unit[], columns: Unit[]}} axes
 * @returns {{row: number, column: number, sure: boolean}[]}
 */
export function linksOf(gold, {rows, columns}) {
  if (!gold) return [];
  const place = units => i => units.findIndex(({from, to}) => i >= from && i < to);
  const row = place(rows);
  const column = place(columns);
  const known = new Map();
  for (const [kind, pairs] of [
    ['possible', gold.possible],
    ['sure', gold.sure],
  ]) {
    for (const [q, k] of pairs) {
      const r = row(q);
      const c = column(k);
      if (r >= 0 && c >= 0) known.set(`${r} ${c}`, {row: r, column: c, sure: kind === 'sure'});
    }
  }
  return [...known.values()];
}
/** A weight in words: never a round 0 for one that is not 0. */
export const weight = v => (v === 0 ? '0' : v < 0.001 ? '<0.001' : v.toFixed(v < 0.0095 ? 3 : 2));
/** A difference of weights, with its sign. */
export const change = v => (v === 0 ? '0' : `${v < 0 ? '−' : '+'}${weight(Math.abs(v))}`);
/** How the numbers of a sheet are written. */
export const numberOf = sheet => (sheet.signed ? change : weight);
/** Whether the numbers of a sheet are weights: neither differences nor lengths. */
export const isShare = ({signed, written}) => !signed && !written;
/**
 * What the width of a line, and the limit of lines, is a share of: 1, or the largest of all where
 * it is no weight.
 * @param {Sheet} sheet
 * @returns {number}
 */
export const unitOf = sheet => (!isShare(sheet) && sheet.most) || 1;
/**
 * A colour's place on the scale, 0 to 1, of a weight, the largest of all and of its row; over four
 * decades it may lie below 0.
 * @type {Object<string, (v: number, most: number, peak?: number) => number>}
 */
export const level = {
  linear: (v, most) => v / most,
  row: (v, _, peak) => v / peak,
  log: v => 1 + Math.log10(v) / 4,
};
/**
 * The entropy that a head has at most, in bits: that of equal weights on all keys that its score is
 * of, and this is of all texts.
 * @param {Scene} scene
 * @returns {number}
 */
export const mostBits = ({kind, screen, sheet}) =>
  Math.log2(screen.between === 'all' ? sheet.m : kind.keys.length);
