// A question of a page: its choice is marked, kept, and told to whoever wants to know.

import {html} from '../views/shared/nodes.js';
import {KEPT, isChoice, kept, toldOf} from './choices.js';
import {answered, dayOf} from './schedule.js';

const optionsOf = box => [...box.querySelectorAll('details')];
const textOf = option => option.querySelector('summary > span').textContent;
const questionOf = box => box.querySelector(':scope > p > span').textContent;

/**
 * Keeps the first option that is opened as the reader's prediction.
 * @param {Element} box a question
 * @param {Object} memory
 * @param {(told: string) => void} tell what was said and what it is
 * @returns {() => void} draws what is kept
 */
export function hearPrediction(box, memory, tell) {
  const name = box.dataset.question;
  const was = textOf(box.querySelector('[data-right]'));
  function draw() {
    const record = [memory.of(name)].find(isChoice);
    mark(box, record?.said, memory.problem());
    tell(record ? toldOf(record) : '');
  }
  onOpening(box, option => {
    const choice = {question: questionOf(box), said: textOf(option), was, place: document.title};
    kept(memory, name, choice);
    draw();
    document.dispatchEvent(new Event(KEPT));
  });
  return draw;
}
/**
 * Hears an answer to a question that comes back: when it comes again depends on it.
 * @param {Element} box
 * @param {Object} memory
 */
export function hearAnswer(box, memory) {
  let said = null;
  onOpening(box, option => {
    if (said !== null) return;
    said = textOf(option);
    const name = box.dataset.question;
    memory.keep(name, answered(memory.of(name), 'right' in option.dataset, dayOf(new Date())));
    mark(box, said, memory.problem());
  });
}
// A click is a hand's, or a key's: what prints or searches a page opens without one.
function onOpening(box, back) {
  for (const option of optionsOf(box)) {
    option.firstElementChild.addEventListener('click', () => option.open || back(option));
  }
}
function mark(box, said, problem) {
  for (const option of optionsOf(box)) {
    const summary = option.firstElementChild;
    const mine = textOf(option) === said;
    const there = summary.querySelector('.sv-mine');
    if (mine && !there) html(summary, 'b', {class: 'sv-mine'}, 'your choice');
    if (!mine) there?.remove();
  }
  if (said === undefined || !problem) return;
  const told = box.querySelector(':scope > .sv-kept') ?? html(box, 'p', {class: 'sv-kept'});
  told.setAttribute('role', 'status');
  told.textContent = problem;
}
