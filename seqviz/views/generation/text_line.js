// The text so far on one line: each token with the doubt before it and the rank that it had.

import {runsLeft, turnRow} from '../shared/direction.js';
import {many} from '../shared/texts.js';
import {tokenText} from './sentence.js';

const SIZE = 1.65; // of the type, in em
const LEAST = 2.9; // width of a token
const SLOT = 9; // room for the token in focus, so that a preview moves nothing
const NAMES = 4.9; // the names of the rows

/** A filled disc for rank 1, a ring to rank 10, a diamond beyond, each with the number. */
export const rankText = rank => `${rank === 1 ? '●' : rank <= 10 ? '○' : '◇'} ${many(rank)}`;

/**
 * The end of the text that fits, then the token in focus.
 * @param {Object} scene `text`: word, given, doubt and rank of each token; `place`, `at`
 * @returns {{columns: Object[], ghost: Object | null, hidden: number, H: number}}
 */
export function textLineOf({text, place, at, word: focus}, {em, W, measure}) {
  const widthOf = word => measure(word, `650 ${SIZE * em}px`);
  const ghostWord = place ? tokenText(focus) : '?';
  const ghostWidth = Math.max(3.2 * em, widthOf(ghostWord) + 1.2 * em);
  const columns = text.map((one, k) => {
    const word = tokenText(one.word);
    const w = Math.min(W / 2, Math.max(LEAST * em, widthOf(word) + 0.75 * em));
    return {...one, k, word, w};
  });
  const start = NAMES * em;
  let room = W - start - Math.max(SLOT * em, ghostWidth) - 2.6 * em;
  let from = columns.length;
  while (from > 0 && room - columns[from - 1].w > 0) {
    from -= 1;
    room -= columns[from].w;
  }
  let x = start + (from > 0 ? 2.4 * em : 0);
  const shown = columns.slice(from).map(column => {
    const placed = {...column, x};
    x += column.w;
    return placed;
  });
  const most = Math.max(3.2 * em, Math.min(ghostWidth, W - x - 2));
  const known = place ? {doubt: place.doubt, rank: at + 1} : {doubt: null, rank: null};
  const ghost = {x, w: most, word: ghostWord, ...known};
  const left = runsLeft(text.map(({word}) => word));
  if (left) turnRow([...shown, ghost], start, W);
  return {columns: shown, ghost, hidden: from, start, left, H: 5.65 * em, size: SIZE * em};
}
/** Which token of the text lies at a point, null if none does. */
export function tokenAt({columns, H}, x, y) {
  if (y < 0 || y > H) return null;
  return columns.find(column => x >= column.x && x < column.x + column.w)?.k ?? null;
}
