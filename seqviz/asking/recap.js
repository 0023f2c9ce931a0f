// The list of a reader's predictions: what was said, and what it was.

import {html} from '../views/shared/nodes.js';
import {KEPT, csvOf, isChoice, toldOf} from './choices.js';

const NONE = 'You have made no prediction yet: the first option you open is kept.';
const SURE = 'Forget all: sure?';

/**
 * Draws the predictions of some questions, or all.
 * @param {Element} place
 * @param {Object} memory
 * @param {string[] | null} names null: all that were kept
 */
export function drawRecap(place, memory, names) {
  const all = memory.all();
  const chosen = (names ?? Object.keys(all)).map(name => all[name]).filter(isChoice);
  place.replaceChildren();
  if (!chosen.length) {
    html(place, 'p', {}, NONE);
    return;
  }
  const right = chosen.filter(({said, was}) => said === was).length;
  const made = names ? `${chosen.length} of ${names.length} made` : `${chosen.length} made`;
  const head = html(place, 'p');
  html(head, 'b', {}, 'Your predictions.');
  head.append(` ${made}, ${right} right.`);
  const list = html(place, 'ol');
  for (const choice of chosen) {
    const item = html(list, 'li', {class: choice.said === choice.was ? 'right' : 'wrong'});
    html(item, 'span', {}, choice.question);
    html(item, 'span', {class: 'sv-said'}, toldOf(choice));
  }
  drawButtons(place, memory);
}
function drawButtons(place, memory) {
  const row = html(place, 'p', {class: 'sv-buttons'});
  const save = html(row, 'button', {type: 'button'}, 'Save all as CSV');
  const forget = html(row, 'button', {type: 'button'}, 'Forget all');
  save.addEventListener('click', () => saveText('predictions.csv', csvOf(memory.all())));
  forget.addEventListener('click', () => {
    if (forget.textContent !== SURE) {
      forget.textContent = SURE;
      return;
    }
    memory.forget();
    document.dispatchEvent(new Event(KEPT));
  });
}
function saveText(name, text) {
  const address = URL.createObjectURL(new Blob(['\ufeff', text], {type: 'text/csv'}));
  html(null, 'a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
