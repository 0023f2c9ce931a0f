// The reader's own text, which the model reads in Python.

import {ask, listen} from '../shared/kernel.js';
import {onKeys} from '../shared/keys.js';
import {html} from '../shared/nodes.js';

/**
 * The form, before a node; without a kernel it says that it needs one.
 * @param {Element} node
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {(problem: string) => void} complain
 */
export function ownText(node, model, signal, complain) {
  const label = 'your own text';
  const form = html(null, 'form', {class: 'bar own'});
  node.before(form);
  html(form, 'span', {class: 'soft', 'aria-hidden': 'true'}, label);
  const field = {type: 'text', dir: 'auto', maxlength: 5000, 'aria-label': label};
  const input = html(form, 'input', {...field, autocomplete: 'off', spellcheck: 'false'});
  const run = html(form, 'button', {type: 'submit'}, 'Run');
  if (model.kernel === false) {
    input.disabled = run.disabled = true;
    const why = 'needs a running kernel: open the notebook to use it';
    html(form, 'span', {class: 'soft'}, why);
    return;
  }
  let came = () => {};
  const showRunning = running => {
    run.disabled = running;
    run.textContent = running ? 'running …' : 'Run';
  };
  const submit = event => {
    event.preventDefault();
    showRunning(true);
    came = ask(model, {run: input.value}, signal, text => {
      complain(text);
      showRunning(false);
    });
  };
  const hear = message => {
    if (!message.ran) return;
    came();
    showRunning(false);
    complain(model.get('problem') ?? '');
  };
  form.addEventListener('submit', submit, {signal});
  // Jupyter keeps the Enter of a form to itself
  onKeys(input, {Enter: () => run.disabled || form.requestSubmit()}, signal);
  listen(model, 'msg:custom', hear, signal);
}
