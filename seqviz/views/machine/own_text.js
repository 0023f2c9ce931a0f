// The text that the model reads: Enter runs it; while somebody types, each text that is read in
// time is run at once.

import {lackOf} from '../shared/kernel.js';
import {html} from '../shared/nodes.js';
import {textField} from '../shared/runs.js';

const IN_TIME = 250; // milliseconds of a run after which typing alone runs the next one

/** The field over the picture. */
export class OwnText {
  /**
   * @param {Element} parent
   * @param {{text: string, pair: string | null}} facts
   * @param {Object} model
   * @param {AbortSignal} signal
   * @param {Runs} runs
   */
  constructor(parent, {text, pair}, model, signal, runs) {
    Object.assign(this, {model, runs, took: 0, typed: false});
    const says = {
      title: 'text ',
      label: 'text that the model reads',
      act: 'Run',
      hint: `another text ${lackOf(model)}`,
    };
    this.field = textField('text', text, model, signal, runs, says);
    const {form, input} = this.field;
    if (pair) form.firstChild.after(html(null, 'span', {class: 'soft'}, `and “${pair}”`));
    parent.append(form);
    const begin = typed => {
      Object.assign(this, {typed, since: performance.now()});
    };
    form.addEventListener('submit', () => begin(false), {signal, capture: true});
    const typing = () => {
      if (!this.quick || !input.value.trim()) return;
      begin(true);
      runs.start({text: input.value});
    };
    input.addEventListener('input', typing, {signal});
  }
  /** Whether a model in the page answers in time. */
  get quick() {
    return Boolean(this.model.answers) && this.took < IN_TIME;
  }
  /**
   * A run has ended.
   * @returns {boolean} whether its problem is not to be told: somebody is still writing
   */
  ended(wish, problem) {
    if (!('text' in wish)) return false;
    this.took = performance.now() - this.since;
    this.field.input.setAttribute('aria-invalid', Boolean(problem));
    return this.typed && Boolean(problem);
  }
  /** Shows the text that the picture is of, unless another one is being written. */
  show(text) {
    const {input} = this.field;
    if (this.shown !== text && input !== document.activeElement) input.value = text;
    this.shown = text;
    this.field.show();
  }
}
