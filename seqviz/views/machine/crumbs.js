// The way down to where the cursor is.

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
