// The text of a live view: Enter runs the model in Python.

import {ask, html, listen, onKeys} from '../shared/base.js';

/**
 * A line to write a text in, before the bar; dead without a kernel.
 * @param {Element} root is busy until the answer is there
 * @param {Element} bar
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {(problem: string) => void} complain
 * @returns {HTMLFormElement}
 */
export function textField(root, bar, model, signal, complain) {
  const form = html(null, 'form', {class: 'live'});
  const label = html(form, 'label', {}, 'text ');
  const input = html(label, 'input', {
    type: 'text',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-label': 'text that the model reads',
  });
  const button = html(form, 'button', {type: 'submit'}, 'Run');
  const gone = model.kernel === false;
  let came = () => {};
  input.value = model.get('facts').text;
  bar.before(form);
  if (gone) html(form, 'span', {class: 'soft'}, 'another text needs a running kernel');
  input.disabled = button.disabled = gone;
  // Jupyter keeps the Enter of a form to itself
  onKeys(input, {Enter: () => form.requestSubmit()}, signal);
  form.addEventListener(
    'submit',
    event => {
      event.preventDefault();
      complain('');
      root.setAttribute('aria-busy', 'true');
      came();
      came = ask(model, {text: input.value}, signal, complain);
    },
    {signal},
  );
  listen(
    model,
    'msg:custom',
    message => {
      if (message.text === undefined) return;
      came();
      root.setAttribute('aria-busy', 'false');
      input.setAttribute('aria-invalid', Boolean(message.problem));
      complain(message.problem);
    },
    signal,
  );
  return form;
}
