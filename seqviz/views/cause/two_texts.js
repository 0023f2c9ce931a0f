// The two texts: Enter runs both again.

import {lackOf, needsKernel} from '../shared/kernel.js';
import {onKeys} from '../shared/keys.js';
import {html} from '../shared/nodes.js';

const NAMES = ['this text', 'other text'];

/** The fields over the grids. */
export class TwoTexts {
  /**
   * @param {Element} parent
   * @param {string[]} texts
   * @param {Object} model
   * @param {AbortSignal} signal
   * @param {Runs} runs
   */
  constructor(parent, texts, model, signal, runs) {
    const dead = needsKernel(model);
    Object.assign(this, {runs, rows: [], inputs: []});
    NAMES.forEach((name, k) => {
      const row = html(parent, 'div', {class: 'row'});
      const form = html(row, 'form', {class: 'live'});
      const label = html(form, 'label', {class: k ? 'second' : 'first'}, `${name} `);
      const input = html(label, 'input', {
        type: 'text',
        dir: 'auto',
        spellcheck: 'false',
        autocapitalize: 'off',
        autocomplete: 'off',
        'aria-label': name,
        'data-focus': `texts ${k}`,
      });
      const button = html(form, 'button', {type: 'submit'}, 'Run');
      input.value = texts[k];
      input.disabled = button.disabled = dead;
      if (dead && !k) html(form, 'span', {class: 'soft'}, `another text ${lackOf(model)}`);
      // Jupyter keeps the Enter of a form to itself
      onKeys(input, {Enter: () => form.requestSubmit()}, signal);
      const submit = event => {
        event.preventDefault();
        runs.start({texts: this.inputs.map(({value}) => value)});
      };
      form.addEventListener('submit', submit, {signal});
      this.rows.push(row);
      this.inputs.push(input);
    });
    this.status = html(this.rows[0].firstChild, 'span', {class: 'runs', role: 'status'});
  }
  /** The last run has ended, with a problem or without. */
  ended(problem) {
    for (const input of this.inputs) input.setAttribute('aria-invalid', Boolean(problem));
  }
  /** Shows the texts that the picture is of, unless others are being written. */
  show(texts) {
    texts.forEach((text, k) => {
      const input = this.inputs[k];
      if (this.shown?.[k] !== text && input !== document.activeElement) input.value = text;
    });
    this.shown = texts;
    this.status.textContent = this.runs.underway ? 'runs …' : '';
  }
}
