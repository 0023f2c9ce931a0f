// What is in focus of the map on screen, and what it is compared with: numbers, from sheets and
// cursors.

import {alike} from './cursor.js';
import {firstLargest, series, strongest} from './weights.js';

/**
 * @typedef {Object} CursorList the weights of one row or column
 * @property {Sheet} sheet that they are from
 * @property {Cursor} cursor
 * @property {Float64Array} values
 */

// The strongest cell of a sheet is searched once.
const found = new WeakMap();
/**
 * The strongest cell of the rows that are written.
 * @param {Sheet} sheet
 * @param {number} written
 * @returns {{row: number, column: number}}
 */
export function strongestOf(sheet, written) {
  if (found.get(sheet)?.written !== written) {
    found.set(sheet, {...strongest(sheet, written), written});
  }
  return found.get(sheet);
}
/**
 * A cursor with its weights; where it stands on no cell, on the largest of these.
 * @param {Sheet} sheet
 * @param {Cursor} cursor
 * @param {number} written
 * @returns {{values: Float64Array, cursor: Cursor}}
 */
export function resolved(sheet, cursor, written) {
  const values = series(sheet, cursor, written);
  return {values, cursor: {...cursor, far: cursor.far ?? firstLargest(values)}};
}
/**
 * Cursors and weights.
 * @param {{sheet: Sheet, open: Sheet, written: number}} maps the sheet on screen, that of the
 * head that is open, how many rows a decoder has written
 * @param {{lock: Cursor, over: Cursor, pre: Object}} focus what is locked, what the pointer
 * previews, the head that it previews; each null if none is
 * @returns {{A: Cursor, B: Cursor | null, values: Float64Array, compared: Float64Array | null,
 * lists: CursorList[]}} cursor `A` with its `values`, `B` with `compared`, and the `lists` that
 * stand beside each other
 */
export function focusOf({sheet, open, written}, {lock, over, pre}) {
  if (!written) {
    const none = {side: 'query', at: -1, far: -1};
    const values = new Float64Array(sheet.m);
    const list = {sheet, values, cursor: none};
    return {A: none, B: null, values, compared: null, lists: [list]};
  }
  const best = strongestOf(open, written);
  const start = {side: 'query', at: best.row, far: pre ? null : best.column};
  const main = resolved(sheet, lock ?? over ?? start, written);
  const other = lock && over && !alike(lock, over) ? resolved(sheet, over, written) : null;
  return {
    A: main.cursor,
    B: other?.cursor ?? null,
    values: main.values,
    compared: other?.values ?? null,
    lists: listsOf({sheet, open, written, pre}, main, other),
  };
}
// Beside the list in focus stands that of the head that is open, or of the same side's cursor.
function listsOf({sheet, open, written, pre}, main, other) {
  const list = {sheet, ...main};
  if (pre) {
    const {cursor} = main;
    return [{sheet: open, cursor, values: series(open, cursor, written)}, list];
  }
  return other && other.cursor.side === main.cursor.side ? [list, {sheet, ...other}] : [list];
}
