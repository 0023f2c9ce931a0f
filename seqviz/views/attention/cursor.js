// The cursor stands on a token of one side, `at`, and on its cell at `far` of the other.

/**
 * @typedef {Object} Cursor
 * @property {'query' | 'key'} side
 * @property {number} at which row or column of the sheet, from 0; -1 if no row is on screen
 * @property {number | null} far which of the other side; null if it stands on no cell
 * @property {boolean} [keyed] keys have put `far` where it is
 */

/** The cell of a cursor: `row` or `column` is null where it stands on no cell. */
export const cellAt = ({side, at, far}) =>
  side === 'query' ? {row: at, column: far} : {row: far, column: at};
/**
 * Whether two cursors stand on the same token and cell; not if one is null.
 * @param {Cursor | null} a
 * @param {Cursor | null} b
 * @returns {boolean | null}
 */
export const alike = (a, b) => a && b && a.side === b.side && a.at === b.at && a.far === b.far;

/**
 * The cursor that is locked on a sheet, null if none is; the controls count tokens from 1.
 * @param {Sheet} sheet
 * @param {number} written rows that a decoder has written
 * @param {{side: 'query' | 'key', query: number, key: number}} controls 0 for no token
 * @returns {Cursor | null}
 */
export function lockOf({rows, columns}, written, controls) {
  const queries = rows.slice(0, written);
  const {side} = controls;
  const [units, others] = side === 'query' ? [queries, columns] : [columns, queries];
  const find = (list, token) =>
    token < 0 ? -1 : list.findIndex(({from, to}) => token >= from && token < to);
  const at = find(units, controls[side] - 1);
  const far = find(others, controls[side === 'query' ? 'key' : 'query'] - 1);
  return at < 0 || !written ? null : {side, at, far: far < 0 ? null : far};
}
