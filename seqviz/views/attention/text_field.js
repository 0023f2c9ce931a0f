// A text of a live view: Enter runs the model in Python.

import {onKeys} from '../shared/keys.js';
import {html} from '../shared/nodes.js';

/** What the fields say: that of the text, or of a picture's name, and that of a second one. */
const FIELDS = {
  text: what => ({
    title: `${what} `,
    label: `${what} that the model reads`,
    act: 'Run',
    hint: `another ${what} needs a running kernel`,
  }),
  second: what => ({
    title: 'Compared with ',
    label: `second ${what}, which the same head reads`,
    act: 'Compare',
    hint: `a second ${what} needs a running kernel`,
  }),
};

/**
 * A line to write a text in; dead without a kernel.
 * @param {'text' | 'second'} name what the runs are asked for
 * @param {string} value what stands there at first
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {Runs} runs
 * @param {'text' | 'picture'} reads what the text stands for
 * @returns {{name: string, value: string, form: HTMLFormElement, input: HTMLInputElement,
 * show: () => void}} `show` tells whether the model runs
 */
export function textField(name, value, model, signal, runs, reads) {
  const {title, label: aria, act, hint} = FIELDS[name](reads);
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
  const gone = model.kernel === false;
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
