// What is asked, in a page of a notebook: a prediction stands beside the result below it as well.

import {html, setText} from '../views/shared/nodes.js';
import {wake} from './waking.js';

wake(document.body, (box, told) => {
  const result = resultOf(box.closest('.jp-Cell'));
  if (!result) return;
  const name = box.dataset.question;
  const there = result.querySelector(`.sv-said[data-of="${name}"]`);
  if (!told) there?.remove();
  else setText(there ?? html(result, 'p', {class: 'sv-said', 'data-of': name}), told);
});
/** The output of the first cell below that shows something and asks nothing, in its section. */
function resultOf(cell) {
  for (let next = cell?.nextElementSibling; next; next = next.nextElementSibling) {
    if (next.querySelector('h2')) return null;
    const output = next.querySelector('.jp-OutputArea-output');
    if (output && !next.querySelector('.sv-ask')) return output;
  }
  return null;
}
