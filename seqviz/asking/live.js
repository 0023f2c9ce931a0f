// What is asked, in a running notebook: Python gets to know what was predicted.

import {wake} from './waking.js';

function render({model, el}) {
  el.innerHTML = model.get('html'); // Python wrote it, and escaped all texts in it
  el.dataset.lmSuppressShortcuts = 'true'; // JupyterLab's own keys do not act in here
  return wake(el, (_, told) => {
    if (model.get('told') === told) return;
    model.set('told', told);
    model.save_changes();
  });
}
export default {render};
