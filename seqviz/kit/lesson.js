// The lesson, step by step: nothing is sent, the answers go into a file that is saved by hand.

import {html} from '../views/shared/nodes.js';
import {memoryOf} from '../asking/memory.js';

const kit = JSON.parse(document.getElementById('kit').textContent);
const kept = memoryOf('seqviz lesson');
const drawn = count => crypto.getRandomValues(new Uint8Array(count));
const fresh = () => ({
  version: kit.version,
  code: [...drawn(8)].map(byte => byte.toString(16).padStart(2, '0')).join(''),
  arm: drawn(1)[0] % 2 ? 'view' : 'text',
  part: 'start',
  before: [],
  after: [],
});
// A lesson goes on where a reload found it.
const there = kept.of('now');
let state = there?.version === kit.version ? there : fresh();

const part = name => document.querySelector(`main > .${name}`);
const buttonOf = name => part(name).querySelector(':scope > p > button');
function go(change) {
  state = {...state, ...change};
  kept.keep('now', state);
  draw();
}
function draw() {
  const asks = state.part === 'before' || state.part === 'after';
  const shown = asks ? 'ask' : state.part;
  for (const name of ['start', 'ask', 'study', 'end']) part(name).hidden = name !== shown;
  for (const arm of ['text', 'view']) {
    part('study').querySelector(`.${arm}`).hidden = arm !== state.arm;
  }
  if (asks) drawQuestion();
}
function drawQuestion() {
  const answers = state[state.part];
  const {question, options} = kit.items[answers.length];
  const place = part('ask').querySelector('.options');
  part('ask').querySelector('h2').textContent =
    `Question ${answers.length + 1} of ${kit.items.length}`;
  part('ask').querySelector('.question').textContent = question;
  place.replaceChildren();
  options.forEach((option, k) => {
    html(place, 'button', {type: 'button'}, option).addEventListener('click', () => answer(k));
  });
  place.firstElementChild.focus();
}
function answer(k) {
  const answers = [...state[state.part], k];
  const over = answers.length === kit.items.length;
  const next = {before: 'study', after: 'end'}[state.part];
  go({[state.part]: answers, part: over ? next : state.part});
}
function save() {
  const {version, code, arm, before, after} = state;
  const text = JSON.stringify({version, code, arm, before, after});
  const address = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
  html(null, 'a', {href: address, download: `answers-${code.slice(0, 8)}.json`}).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
buttonOf('start').addEventListener('click', () => go({part: 'before'}));
buttonOf('study').addEventListener('click', () => go({part: 'after'}));
buttonOf('end').addEventListener('click', save);
part('end')
  .querySelector('.next')
  .addEventListener('click', () => go(fresh()));
draw();
