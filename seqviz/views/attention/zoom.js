// What part of a sheet is in sight: so many of its rows and columns, from the first ones on.

/**
 * @typedef {Object} MapView which rows (queries) and columns (keys) of a sheet are in sight
 * @property {number} q0 the first row, from 0
 * @property {number} qn how many rows
 * @property {number} k0 the first column, from 0
 * @property {number} kn how many columns
 */

/**
 * @typedef {Object} Zoom what a person has asked for
 * @property {number | null} count rows and columns, if there are as many; Infinity for all; null
 * for as many as can be read
 * @property {number} q0 the first row, from 0
 * @property {number} k0 the first column, from 0
 */

/** All rows and columns. */
export const WHOLE = {count: Infinity, q0: 0, k0: 0};
const FEWEST = 4; // rows and columns, if there are

// Where so many of a total begin, moved as little as it takes to have them all inside.
const within = (from, count, total) => Math.max(0, Math.min(total - count, Math.round(from)));
/**
 * The part of a sheet in sight.
 * @param {Sheet} sheet
 * @param {Zoom} zoom with a `count`
 * @returns {MapView}
 */
export function viewOf({n, m}, {count, q0, k0}) {
  const [qn, kn] = [n, m].map(total => Math.min(total, count));
  return {q0: within(q0, qn, n), qn, k0: within(k0, kn, m), kn};
}
/** All of a sheet. */
export const wholeView = sheet => viewOf(sheet, WHOLE);
/**
 * Whether a part of the sheet is out of sight.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @returns {boolean}
 */
export const isZoomed = (view, {n, m}) => view.qn < n || view.kn < m;
/**
 * Where a part begins that has a cell in its middle.
 * @param {number} count
 * @param {{row: number, column: number}} cell
 * @returns {Zoom}
 */
export const around = (count, {row, column}) => ({
  count,
  q0: row - Math.floor(count / 2),
  k0: column - Math.floor(count / 2),
});
/**
 * The view nearer by a factor; the cell under the hand stays where it is.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @param {number} factor
 * @param {number} row
 * @param {number} column
 * @returns {Zoom}
 */
export function zoomed(view, sheet, factor, row, column) {
  const most = Math.max(sheet.n, sheet.m);
  const now = Math.max(view.qn, view.kn);
  const count = Math.max(Math.min(FEWEST, most), Math.min(most, Math.round(now / factor)));
  const {qn, kn} = viewOf(sheet, {count, q0: 0, k0: 0});
  const start = (at, from, before, after) => at - ((at - from + 0.5) / before) * after + 0.5;
  return {
    count,
    q0: within(start(row, view.q0, view.qn, qn), qn, sheet.n),
    k0: within(start(column, view.k0, view.kn, kn), kn, sheet.m),
  };
}
/**
 * Where the view begins when it is moved over a sheet.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @param {number} rows down, need not be whole
 * @param {number} columns to the right, need not be whole
 * @returns {{q0: number, k0: number}}
 */
export const panned = (view, {n, m}, rows, columns) => ({
  q0: within(view.q0 + rows, view.qn, n),
  k0: within(view.k0 + columns, view.kn, m),
});
/**
 * Where the view begins when it is moved as little as it takes to have a cell in it.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @param {{row: number | null, column: number | null}} cell null for any
 * @returns {{q0: number, k0: number}}
 */
export function broughtIn(view, {n, m}, {row, column}) {
  const shift = (from, count, at) =>
    at === null || (at >= from && at < from + count) ? from : at < from ? at : at - count + 1;
  return {
    q0: within(shift(view.q0, view.qn, row), view.qn, n),
    k0: within(shift(view.k0, view.kn, column), view.kn, m),
  };
}
