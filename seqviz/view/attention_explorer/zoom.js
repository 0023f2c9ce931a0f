// What part of a sheet is in sight: its first row and column, and how many of each.

/**
 * @typedef {Object} MapView which rows (queries) and columns (keys) of a sheet are in sight
 * @property {number} q0 the first row, from 0
 * @property {number} qn how many rows
 * @property {number} k0 the first column, from 0
 * @property {number} kn how many columns
 */

/**
 * All of a sheet.
 * @param {Sheet} sheet
 * @returns {MapView}
 */
export const wholeView = ({n, m}) => ({q0: 0, qn: n, k0: 0, kn: m});
/**
 * Whether a part of the sheet is out of sight.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @returns {boolean}
 */
export const isZoomed = (view, {n, m}) => view.qn < n || view.kn < m;
/**
 * Where so many of a total begin, moved as little as it takes to have them all inside.
 * @param {number} from need not be whole
 * @param {number} count
 * @param {number} total
 * @returns {number}
 */
export const within = (from, count, total) =>
  Math.max(0, Math.min(total - count, Math.round(from)));

/**
 * The view nearer by a factor; the cell under the hand stays where it is.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @param {number} factor
 * @param {number} row
 * @param {number} column
 * @returns {MapView} at least 4 rows and columns, if there are
 */
export function zoomed(view, {n, m}, factor, row, column) {
  const q = Math.max(Math.min(4, n), Math.min(n, Math.round(view.qn / factor)));
  const k = Math.max(Math.min(4, m), Math.min(m, Math.round(view.kn / factor)));
  const start = (at, from, before, now) => at - ((at - from + 0.5) / before) * now + 0.5;
  return {
    q0: within(start(row, view.q0, view.qn, q), q, n),
    qn: q,
    k0: within(start(column, view.k0, view.kn, k), k, m),
    kn: k,
  };
}
/**
 * The view moved over a sheet.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @param {number} rows down, need not be whole
 * @param {number} columns to the right, need not be whole
 * @returns {MapView}
 */
export const panned = (view, {n, m}, rows, columns) => ({
  ...view,
  q0: within(view.q0 + rows, view.qn, n),
  k0: within(view.k0 + columns, view.kn, m),
});
/**
 * The view moved as little as it takes to have a cell in it.
 * @param {MapView} view
 * @param {Sheet} sheet
 * @param {number} row
 * @param {number} column
 * @returns {MapView}
 */
export function inSight(view, {n, m}, row, column) {
  const shift = (from, count, at) => (at < from ? at : at >= from + count ? at - count + 1 : from);
  return {
    ...view,
    q0: within(shift(view.q0, view.qn, row), view.qn, n),
    k0: within(shift(view.k0, view.kn, column), view.kn, m),
  };
}
