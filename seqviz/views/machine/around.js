// What stands around the picture: the way down to where the cursor is, what keys do, a table for a
// screen reader.

import {button} from '../shared/controls.js';
import {html} from '../shared/nodes.js';

/** The way from the whole model down, a button each. */
export class Crumbs {
  /**
   * @param {Element} parent
   * @param {(depth: number) => void} open
   */
  constructor(parent, open) {
    this.open = open;
    const way = html(parent, 'div', {class: 'way'});
    this.row = html(way, 'nav', {class: 'crumbs', 'aria-label': 'where the picture is'});
    this.sizes = html(way, 'span', {class: 'sizes'});
  }
  /**
   * @param {{text: string, depth: number}[]} way
   * @param {string} sizes
   */
  show(way, sizes) {
    const key = JSON.stringify([way, sizes]);
    if (key === this.key) return;
    this.key = key;
    const focused = this.row.contains(document.activeElement);
    this.row.replaceChildren();
    way.forEach(({text, depth}, place) => {
      if (place) html(this.row, 'span', {'aria-hidden': true}, '›');
      const here = place === way.length - 1;
      const more = here ? {'aria-current': 'true'} : {};
      button(this.row, text, {class: 'crumb', ...more}, () => this.open(depth));
    });
    this.sizes.textContent = sizes;
    if (focused) this.row.lastElementChild.focus();
  }
}
/**
 * Shows what keys do.
 * @param {Element} node
 * @param {[string, string][]} hints a key and what it does
 */
export function showHints(node, hints) {
  const key = JSON.stringify(hints);
  if (node.dataset.hints === key) return;
  node.dataset.hints = key;
  node.replaceChildren();
  for (const [name, does] of hints) {
    const hint = html(node, 'span');
    html(hint, 'kbd', {}, name);
    hint.append(` ${does}`);
  }
}
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
