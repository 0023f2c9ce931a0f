// What is in focus of the map on screen, and what it is compared with: numbers, from sheets and
// cursors.

import {alike} from './cursor.js';
import {firstLargest, series, strongest} from './weights.js';

/**
 * @typedef {Object} Gold links between tokens [query, key], from 0
 * @property {[number, number][]} sure
 * @property {[number, number][]} possible the sure ones among them
 */

/**
 * @typedef {Object} Kind one kind of attention, see parts.py
 * @property {string} name
 * @property {number} layers how many
 * @property {number} heads of each layer
 * @property {number[]} numbers the layers as the model numbers them, rising
 * @property {string[]} queries tokens
 * @property {string[]} keys
 * @property {boolean} self both are the same tokens
 * @property {boolean} causal no query attends to a later key
 * @property {boolean} sums every row sums to 1
 * @property {number[]} specialQueries which tokens are special, from 0
 * @property {number[]} specialKeys
 * @property {string[]} pairings what may be shown alone, 'A to B', where tokens are of several
 * texts
 * @property {(number | null)[] | null} segmentQueries the text of each token, from 0, where there
 * are several
 * @property {(number | null)[] | null} segmentKeys
 * @property {number[] | null} wordQueries the word of each token, by number; null without pieces
 * @property {number[] | null} wordKeys
 * @property {string[] | null} wordTextQueries the words
 * @property {string[] | null} wordTextKeys
 * @property {string[]} scores names of what heads are scored by
 * @property {Gold | null} gold
 */

/**
 * @typedef {Object} Facts what the page knows from the start
 * @property {Kind[]} kinds
 * @property {(number | string)[]} checkpoints labels; none if the caller gave none
 * @property {'byte' | 'half'} precision of each weight in a map
 * @property {number} rolls tokens up to which a page without a kernel makes rollouts itself
 * @property {string} title empty if the caller gave none
 * @property {string} [text] of a live view
 * @property {{text: string, kinds: Kind[]} | null} [second] of a live view: the text that it is
 * compared with
 * @property {Silence} [silence] of a live view whose model can run without some heads
 */

/**
 * @typedef {Object} Silence heads that are silenced, and what the model says; see silence.py
 * @property {Silent[]} heads
 * @property {string[]} predicts names of the kinds whose queries the model speaks at
 * @property {string[]} [tokens] these queries, while heads are silenced
 * @property {{before: [string, number][][], after: [string, number][][]} | null} [guesses] at each
 * of them, with all heads and without
 * @property {number[] | null} [shifts] of the state of each, 1 - cosine, where there are no guesses
 */

/**
 * @typedef {Float32Array[] | Float64Array[] | null} Ranking what heads are ordered by, of layers in
 * their order, of heads; null by place, and until it comes
 */

/**
 * @typedef {Object} Course one weight over the checkpoints
 * @property {number[]} weights
 * @property {Unit} query
 * @property {Unit} key
 */

/**
 * @typedef {Object} Scene what is on screen
 * @property {Facts} facts
 * @property {Kind} kind
 * @property {number} g checkpoint times number of kinds, plus kind, both from 0
 * @property {number} moment the checkpoint, from 0; or the run, before heads are silenced and after
 * @property {'' | 'after' | 'before' | 'difference'} show which map, while heads are silenced
 * @property {Layer} layer of the map that is open
 * @property {Head} head
 * @property {{layer: Layer, head: Head} | null} pre the head that is previewed
 * @property {Sheet} open the sheet of the map that is open
 * @property {Sheet} sheet the one on screen: of `pre`, else `open`
 * @property {{row: number, column: number, sure: boolean}[]} links the gold ones
 * @property {Screen} screen
 * @property {number} steps queries that a decoder has written; Infinity for all
 * @property {number} written rows of that
 * @property {Cursor} A in focus
 * @property {Float64Array} values the weights of its row or column
 * @property {Cursor | null} B compared with it
 * @property {Float64Array | null} compared the weights of B
 * @property {CursorList[]} lists one, or two side by side
 * @property {Cursor | null} lock what is locked
 * @property {Course[] | null} courses of A and B; none of a roll-up, null until
 * they come, and without checkpoints
 * @property {TwoTexts | null} two the map of a second text too; null until it comes, and without
 * @property {string} sort 'place', a score, or 'cell'
 * @property {'mean' | 'max' | 'rollout'} rollup
 * @property {number} least where heads fade, 0 for nowhere
 * @property {Thumbs} [thumbs] of the kind, once they have come
 * @property {Ranking} [ranking]
 * @property {string} [rankingKey] one for each ranking
 * @property {Object<string, Float32Array[]> | null} scores of layers in their order, of heads
 * @property {string} scoresKey one for each table of scores
 * @property {number} threshold lines below are not drawn
 * @property {'linear' | 'log' | 'row'} scale
 * @property {MapView} view
 * @property {Zoom | null} zoom what a person has asked for; null for the cell in focus in the
 * middle
 * @property {boolean} single whether no kind has more than one head
 * @property {'' | 'heads' | 'lines' | 'texts'} beside what stands beside the map where one fits
 * @property {string} theme with the font
 * @property {Object} tone the palette
 * @property {string} accent the colour of A
 * @property {Uint32Array} pixels 256 colours of the scale
 * @property {Uint32Array} diverging 256 colours of the scale of differences
 * @property {number} ratio pixels of a canvas to one of the page
 * @property {Measure} measure
 */

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
