// The text of a live view: Enter runs the model in Python.

import {html, onKeys} from '../shared/base.js';

/**
 * A line to write a text in, before the bar; dead without a kernel.
 * @param {Element} bar
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {Runs} runs
 * @returns {{form: HTMLFormElement, input: HTMLInputElement, show: () => void}} `show` tells
 * whether the model runs
 */
export function textField(bar, model, signal, runs) {
  const form = html(null, 'form', {class: 'live'});
  const label = html(form, 'label', {}, 'text ');
  const input = html(label, 'input', {
    type: 'text',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-label': 'text that the model reads',
    'data-focus': 'text',
  });
  const button = html(form, 'button', {type: 'submit'}, 'Run');
  const gone = model.kernel === false;
  input.value = model.get('facts').text;
  bar.before(form);
  const status = html(form, 'span', {class: 'runs', role: 'status'});
  if (gone) html(form, 'span', {class: 'soft'}, 'another text needs a running kernel');
  input.disabled = button.disabled = gone;
  // Jupyter keeps the Enter of a form to itself
  onKeys(input, {Enter: () => form.requestSubmit()}, signal);
  const submit = event => {
    event.preventDefault();
    runs.start({text: input.value});
  };
  form.addEventListener('submit', submit, {signal});
  return {
    form,
    input,
    show() {
      status.textContent = runs.underway ? 'runs …' : '';
    },
  };
}
