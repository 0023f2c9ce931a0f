// Runs of the model in Python: the page asks, and of several wishes the last one counts. A text is
// written in a field, and Enter runs it.

import {ask, listen, needsKernel, SLOW} from './kernel.js';
import {onKeys} from './keys.js';
import {html} from './nodes.js';

const LONG = 'Still no answer: the model takes long, or the kernel is busy or gone.';

export class Runs {
  /**
   * @param {Object} model
   * @param {(wish: Object, problem: string) => void} done is told when the last wish is answered
   * @param {(problem: string) => void} changed is told when a run begins, or takes too long
   */
  constructor(model, done, changed) {
    Object.assign(this, {model, done, changed, underway: false, wish: {}, sent: 0, run: ''});
    this.own = Math.random().toString(36).slice(2); // another view of the model counts for itself
    this.life = new AbortController();
    this.came = () => {};
    listen(model, 'msg:custom', message => this.hear(message), this.life.signal);
  }
  /**
   * Asks Python for a run, in place of the one that is under way.
   * @param {{text: string} | {silent: Head[]}} wish
   */
  start(wish) {
    this.came();
    this.sent++;
    Object.assign(this, {wish, underway: true, run: `${this.own} ${this.sent}`});
    let begun = false;
    let refused = '';
    const {model} = this;
    const late = problem => {
      if (begun) this.changed(model.answers ? SLOW : LONG);
      else refused = problem;
    };
    this.came = ask(model, {...wish, run: this.run}, this.life.signal, late);
    begun = true;
    this.underway &&= !refused;
    this.changed(refused);
  }
  /** An older answer is none. */
  hear(message) {
    if (!this.underway || message.run !== this.run) return;
    this.came();
    this.underway = false;
    this.done(this.wish, message.problem);
  }
  end() {
    this.life.abort();
  }
}

/**
 * A line to write a text in; dead without a kernel.
 * @param {string} name what the runs are asked for
 * @param {string} value what stands there at first
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {Runs} runs
 * @param {{title: string, label: string, act: string, hint: string}} says what stands before it,
 * what a screen reader says, the button, and what is said without a kernel
 * @returns {{name: string, value: string, form: HTMLFormElement, input: HTMLInputElement,
 * show: () => void}} `show` tells whether the model runs
 */
export function textField(name, value, model, signal, runs, says) {
  const {title, label: aria, act, hint} = says;
  const form = html(null, 'form', {class: 'live'});
  const label = html(form, 'label', {}, title);
  const input = html(label, 'input', {
    type: 'text',
    dir: 'auto',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-label': aria,
    'data-focus': name,
  });
  const button = html(form, 'button', {type: 'submit'}, act);
  const gone = needsKernel(model);
  input.value = value;
  const status = html(form, 'span', {class: 'runs', role: 'status'});
  if (gone) html(form, 'span', {class: 'soft'}, hint);
  input.disabled = button.disabled = gone;
  // Jupyter keeps the Enter of a form to itself
  onKeys(input, {Enter: () => form.requestSubmit()}, signal);
  const submit = event => {
    event.preventDefault();
    runs.start({[name]: input.value});
  };
  form.addEventListener('submit', submit, {signal});
  return {
    name,
    value,
    form,
    input,
    show() {
      const mine = name === 'text' || name in runs.wish;
      status.textContent = runs.underway && mine ? 'runs …' : '';
    },
  };
}
