// Rows as a table, for a screen reader.

import {html} from './nodes.js';

const cellText = value =>
  typeof value === 'number' ? String(Number(value.toPrecision(3))) : String(value);
/**
 * Shows rows as a table, the names of the columns first.
 * @param {HTMLTableElement} table
 * @param {string} caption
 * @param {(string | number)[][]} rows
 */
export function showTable(table, caption, [names, ...rows]) {
  table.replaceChildren();
  html(table, 'caption', {}, caption);
  const head = html(html(table, 'thead'), 'tr');
  for (const name of names) html(head, 'th', {scope: 'col'}, name);
  const body = html(table, 'tbody');
  for (const [name, ...values] of rows) {
    const row = html(body, 'tr');
    html(row, 'th', {scope: 'row'}, name);
    for (const value of values) html(row, 'td', {}, cellText(value));
  }
}
