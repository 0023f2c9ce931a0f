// The page of all questions that come back: a few a day, in this browser only.

import {html} from '../views/shared/nodes.js';
import {memoryOf} from './memory.js';
import {countsOf, dayOf, dayText, dueOf} from './schedule.js';
import {RETURNING, returning} from './waking.js';

const A_DAY = 6; // questions
const lectures = memoryOf('seqviz lectures');
const place = document.querySelector('.sv-know');
const boxes = [...place.querySelectorAll('[data-from]')];
const choice = place.querySelector('select');
const status = place.querySelector('[role="status"]');

const nameOf = box => box.querySelector('.sv-ask').dataset.question;
const ofName = name => returning.of(name);
function chosenBoxes() {
  const last = boxes.findLastIndex(box => box.dataset.from === choice.value);
  return last < 0 ? boxes : boxes.slice(0, last + 1);
}
/** Shows what is due; what was answered on this visit stays. */
function draw() {
  const names = chosenBoxes().map(nameOf);
  const due = dueOf(names, ofName, dayOf(new Date()), A_DAY);
  boxes.forEach(box => {
    box.hidden = !due.includes(nameOf(box));
  });
  count();
}
function count() {
  const names = chosenBoxes().map(nameOf);
  const {asked, right, next} = countsOf(names, ofName, dayOf(new Date()));
  const open = boxes.filter(box => !box.hidden && !box.querySelector('.sv-mine')).length;
  const date = next ? ` Come back on ${dayText(next)}.` : '';
  const left = open ? `${open} to answer now.` : `Nothing to answer now.${date}`;
  status.textContent = `${left} ${right} of ${asked} right the last time, of ${names.length} in all.`;
}
function start() {
  for (const lecture of new Set(boxes.map(box => box.dataset.from))) {
    html(choice, 'option', {value: lecture}, lecture);
  }
  choice.value = lectures.of('last')?.number ?? '';
  if (choice.selectedIndex < 0) choice.value = '';
  choice.addEventListener('change', () => {
    lectures.keep('last', {number: choice.value});
    draw();
  });
  place.addEventListener('click', () => setTimeout(count));
  addEventListener('storage', ({key}) => key === RETURNING && count());
  draw();
}
start();
