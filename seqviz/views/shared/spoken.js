// What a screen reader is told beside the sentence. A stage is an application: the reader hands it
// the arrows, which in a document would be its own, and reads nothing of what is drawn there. So
// that stands beside the stage as tables, read cell by cell as any table is; a grid with a node for
// each cell would hold a quarter of a million of them, and most pictures are no grids.

import {html, setText} from './nodes.js';
import {readable, SHAPELESS} from './texts.js';

const AT_REST = 300; // milliseconds without a drawing after which tables are written: no key waits
const AFTER_KEY = 120; // and without a key after which what is under the cursor is said
const SPOKEN = {rows: 60, columns: 40}; // of a table, around the cursor

/**
 * @typedef {Object} Told a table
 * @property {string} caption
 * @property {(string | number)[][]} rows the names of the columns first; the first cell names a row
 * @property {[number, number]} [at] row and column of the cursor, from 0, without those of names
 */

/** What is heard of one view. */
export class Spoken {
  /**
   * @param {Element} parent
   * @param {AbortSignal} signal
   */
  constructor(parent, signal) {
    const box = html(parent, 'div', {class: 'spoken'});
    this.line = html(box, 'output', {'aria-live': 'polite', 'aria-atomic': true});
    this.tables = html(box, 'div');
    this.signal = signal;
    this.written = '';
    signal.addEventListener('abort', () => [this.resting, this.pausing].forEach(clearTimeout));
  }
  /**
   * Writes tables and texts when drawing has come to rest.
   * @param {() => (Told | string)[]} told
   */
  rest(told) {
    clearTimeout(this.resting);
    if (this.signal.aborted) return;
    this.tables.setAttribute('aria-busy', true);
    this.resting = setTimeout(() => this.write(told()), AT_REST);
  }
  write(told) {
    this.tables.setAttribute('aria-busy', false);
    const shown = told.map(one => (one.rows ? inReach(one) : one)).filter(Boolean);
    const written = JSON.stringify(shown);
    if (written === this.written) return;
    this.written = written;
    this.tables.replaceChildren(
      ...shown.map(one => (one.rows ? spokenTable(one) : html(null, 'p', {}, one))),
    );
  }
  /**
   * Says what is under the cursor after a key that the stage took; and that it was locked or freed.
   * @param {Element} stage
   * @param {Element} said the sentence
   * @param {{cursorText: () => string, isLocked: boolean}} view
   */
  follow(stage, said, view) {
    const {signal} = this;
    const keyed = event => {
      const before = said.textContent;
      clearTimeout(this.pausing);
      this.pausing = setTimeout(() => {
        if (!event.defaultPrevented) return;
        const tells = said.textContent !== before && said.getAttribute('aria-live') !== 'off';
        const text = tells ? '' : view.cursorText();
        const lock = view.isLocked ? event.key === 'Enter' && 'Locked' : this.locked && 'Free';
        this.locked = view.isLocked;
        const held = tells ? '' : text || said.textContent;
        setText(this.line, lock ? [lock, held].filter(Boolean).join(': ') : text);
      }, AFTER_KEY);
    };
    stage.addEventListener('keydown', keyed, {signal, capture: true});
    stage.addEventListener('focusout', () => this.silence(), {signal});
  }
  silence() {
    clearTimeout(this.pausing);
    setText(this.line, '');
  }
}
/**
 * Rows as tables: those of a pane, an item and a quantity as one for each pane, with a column for
 * each quantity.
 * @param {string} caption
 * @param {(string | number)[][]} rows the names of the columns first
 * @returns {Told[]}
 */
export function spokenTables(caption, rows) {
  const names = rows[0] ?? [];
  if (names[0] !== 'pane' || names.at(-2) !== 'quantity') return [{caption, rows}];
  const panes = new Map();
  for (const [pane, ...cells] of rows.slice(1)) {
    const [item, [quantity, value]] = [cells.slice(0, -2), cells.slice(-2)];
    if (!panes.has(pane)) panes.set(pane, {quantities: new Set(), items: new Map()});
    const {quantities, items} = panes.get(pane);
    quantities.add(quantity);
    const key = JSON.stringify(item);
    if (!items.has(key)) items.set(key, {item, values: new Map()});
    items.get(key).values.set(quantity, value);
  }
  return [...panes].map(([pane, {quantities, items}]) => {
    const line = ({item, values}) => [...item, ...[...quantities].map(q => values.get(q) ?? '')];
    return {
      caption: `${caption}: ${pane}`,
      rows: [[...names.slice(1, -2), ...quantities], ...[...items.values()].map(line)],
    };
  });
}
// The rows and columns around the cursor; the caption says which they are.
function inReach({caption, rows: [names, ...rows], at = [0, 0]}) {
  if (!rows.length) return null;
  const down = spanAround(rows.length, SPOKEN.rows, at[0]);
  const across = spanAround(names.length - 1, SPOKEN.columns, at[1]);
  const cells = ([name, ...values]) =>
    [name, ...values.slice(across.from, across.to)].map(spokenText);
  return {
    caption: caption + partText('rows', down) + partText('columns', across),
    rows: [cells(names), ...rows.slice(down.from, down.to).map(cells)],
  };
}
function spanAround(count, most, at) {
  const from = Math.max(0, Math.min(count - most, at - most / 2));
  return {from, to: Math.min(count, from + most), count};
}
const partText = (what, {from, to, count}) =>
  to - from < count ? `; ${what} ${from + 1} to ${to} of ${count}` : '';
function spokenText(value) {
  if (typeof value === 'string') return SHAPELESS.test(value) ? readable(value, Infinity) : value;
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(3))).replace('-', '−');
}
function spokenTable({caption, rows: [names, ...rows]}) {
  const table = html(null, 'table');
  html(table, 'caption', {}, caption);
  const head = html(html(table, 'thead'), 'tr');
  for (const name of names) html(head, 'th', {scope: 'col'}, name);
  const body = html(table, 'tbody');
  for (const [name, ...values] of rows) {
    const row = html(body, 'tr');
    html(row, 'th', {scope: 'row'}, String(name));
    for (const value of values) html(row, 'td', {}, value);
  }
  return table;
}
