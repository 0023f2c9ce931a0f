// Where the rows of the list stand, beside the map.

import {cutTo, readable, signed} from '../shared/texts.js';
import {fontOf} from './scene.js';
import {LETTERS} from './sentence.js';

/**
 * @param {Object} scene what `mapScene` returns
 * @returns {{head: Object, rows: Object[], columns: Object}} each row with its box and its texts
 */
export function listOf({rows, heads, size}, kindOf) {
  const {u, side: W, sideHeight: H, measure} = size;
  const name = fontOf.name(u);
  const small = `700 ${fontOf.small(u)}`;
  const top = 3.1 * u;
  const gap = Math.min(2.8 * u, (H - top) / Math.max(11, rows.length));
  const widths = rows.map(row => measure(row.note, small));
  const cos = W - Math.max(4.6 * u, ...widths) - 0.7 * u;
  const end = cos - 3 * u;
  const word = 2.8 * u;
  const texts = rows.map(row =>
    cutTo(readable(row.text, LETTERS), end - word - 2.6 * u, measure, name),
  );
  const bar = word + 0.9 * u + Math.max(...texts.map(text => measure(text, name)));
  const columns = {rank: 1.4 * u, mark: 2.1 * u, word, bar, end, cos, W};
  const placed = rows.map((row, k) => ({
    ...row,
    text: texts[k],
    kind: kindOf(row.id),
    y: top + k * gap,
    mid: top + (k + 0.5) * gap,
    gap,
    width: Math.max(1, (end - bar) * Math.max(0, row.cos ?? 0)),
    value: row.cos === null ? '?' : signed(row.cos),
    noteWidth: widths[k],
  }));
  const title = cutTo(heads.title, W, measure, `700 ${name}`);
  const left = cutTo(heads.left, heads.right ? W - 6 * u : W, measure, fontOf.small(u));
  return {heads: {...heads, title, left}, rows: placed, columns, u, H};
}
/** The row under a height; null if there is none. */
export function rowAt({rows}, y) {
  return rows.find(row => y >= row.y && y < row.y + row.gap) ?? null;
}
/** The list in words, for a screen reader. */
export function listText({heads, rows}) {
  const parts = rows.map(({rank, text, value, note}) =>
    [rank ?? '', text, value, note].filter(part => part !== '').join(' '),
  );
  return `${heads.title}: ${parts.join(', ')}`;
}
