// The cards of the methods: name, number, slider, and what is kept. Touching one chooses it.

import {html} from '../shared/nodes.js';
import {knobText, TITLES} from './beside.js';
import {KNOBS} from './decoding.js';

const LIMITS = {
  temperature: {min: 0.1, max: 2, step: 0.1},
  nucleus: {min: 0.05, max: 1, step: 0.01},
};
const CARD_NAMES = {...TITLES, nucleus: 'Nucleus p'};

export class Cards {
  /**
   * @param {Element} parent
   * @param {Object} facts
   * @param {(changes: Object) => void} set
   */
  constructor(parent, facts, set) {
    const group = {class: 'cards', role: 'radiogroup', 'aria-label': 'decoding method'};
    this.row = html(parent, 'div', group);
    const name = 'method-' + Math.random().toString(36).slice(2);
    this.cards = facts.methods.map(method => {
      const node = html(this.row, 'div', {class: 'method', 'data-method': method});
      const radio = {type: 'radio', class: 'pick', name, 'aria-label': CARD_NAMES[method]};
      const pick = html(node, 'input', radio);
      pick.addEventListener('change', () => set({method}));
      html(node, 'b', {}, CARD_NAMES[method]);
      const number = html(node, 'span', {class: 'num'});
      const keeps = html(node, 'span', {class: 'keeps'});
      const slider = KNOBS[method] ? this.sliderOf(node, method, facts, set) : null;
      return {node, pick, number, keeps, slider};
    });
  }
  sliderOf(node, method, {keep}, set) {
    const limits = LIMITS[method] ?? {min: 1, max: keep, step: 1};
    const look = {type: 'range', 'aria-label': KNOBS[method], ...limits};
    const slider = html(node, 'input', look);
    slider.addEventListener('input', () => set({method, [KNOBS[method]]: Number(slider.value)}));
    return slider;
  }
  show(cards) {
    cards.forEach(({method, knob, on, keeps}, k) => {
      const card = this.cards[k];
      card.node.classList.toggle('on', on);
      card.pick.checked = on;
      card.number.textContent = knobText(method, knob);
      card.keeps.textContent = keeps;
      if (!card.slider) return;
      card.slider.value = knob;
      card.slider.setAttribute('aria-valuetext', `${knobText(method, knob)}, ${keeps}`);
    });
  }
}
