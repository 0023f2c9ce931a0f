// How the number in focus was made: its name, and its equation in one line or two.

import {html} from '../shared/nodes.js';

const LETTERING = {large: 16, small: 12}; // pixels

/** The box under the picture. */
export class EquationBox {
  /** @param {Element} parent */
  constructor(parent) {
    this.node = html(parent, 'div', {
      class: 'equation beneath',
      role: 'group',
      'aria-label': 'how it is made',
    });
    this.title = html(this.node, 'p', {class: 'title'});
    this.line = html(this.node, 'p', {class: 'pieces'});
  }
  /**
   * @param {{title: string, pieces: [string, string][]}} equation
   * @param {string} more what stands behind the title
   * @param {Measure} measure
   * @param {boolean} spoken whether a screen reader says it
   */
  show({title, pieces}, more, measure, spoken) {
    this.node.setAttribute('aria-live', spoken ? 'polite' : 'off');
    this.text = `${title}: ${pieces.map(([text]) => text).join('')}`;
    const key = JSON.stringify([title, more, pieces]);
    if (key !== this.key) {
      this.key = key;
      this.title.replaceChildren(title);
      if (more) html(this.title, 'span', {'aria-hidden': true}, more); // the stage names its keys
      this.line.replaceChildren(
        ...pieces.map(([text, kind]) => html(null, 'span', {class: kind}, text)),
      );
    }
    this.fit(measure);
  }
  /** A long equation is written smaller, a longer one in two lines. */
  fit(measure) {
    const {clientWidth} = this.line;
    const wide = measure(this.line.textContent, `600 ${LETTERING.large}px`);
    const size = Math.min(LETTERING.large, (LETTERING.large * clientWidth) / wide);
    this.line.classList.toggle('long', size < LETTERING.small);
    this.line.style.fontSize = `${Math.max(LETTERING.small, size).toFixed(1)}px`;
  }
}
