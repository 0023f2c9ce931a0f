// The page of a phone: the question that is open, and the vote of this phone.
import {all, element, find} from '../nodes.js';
import {lineTo} from '../line.js';

const NAMES = {
  first: 'First vote',
  talk: 'Talk',
  second: 'Second vote',
  told: 'The answer is told',
};
const AWAY = {
  4001: 'Open the whole address that is on the wall: it ends in the four letters of this lecture.',
  4002: 'This browser keeps no cookie. Allow it: a random number, so that a phone counts once.',
  4003: 'The room is full: 1,000 phones are in it.',
};
const main = document.querySelector('main');
const options = find('.options', main);
let shown = {};
const place = `${location.host}/phone${location.pathname}`;
const vote = lineTo(`ws://${place}`, {came() {}, hear: draw, gone});

const say = text => (find('.status', main).textContent = text);
function gone(why) {
  for (const button of all('button', options)) button.disabled = true;
  say(AWAY[why] ?? 'Not connected. Trying again …');
}
function draw(message) {
  const fresh = message.name !== shown.name;
  shown = message;
  const {phase, question, said = {}} = message;
  find('.round', main).textContent = NAMES[phase] ?? '';
  find('h1', main).replaceChildren(...marked(question ?? 'No question is open.'));
  if (fresh) options.replaceChildren(...(message.options ?? []).map(choice));
  const chosen = phase in said ? said[phase] : (said.second ?? said.first);
  all('button', options).forEach((button, k) => {
    button.disabled = !(phase in said);
    button.setAttribute('aria-pressed', k === chosen);
  });
  say(words(message, chosen));
}
function words({phase, said, closed}, chosen) {
  if (closed) return 'Too late: this vote is closed.';
  if (phase === 'wait') return 'Wait here: the next one comes by itself.';
  if (phase === 'talk') return 'Why that one? Talk with your neighbours. Then you vote again.';
  if (phase === 'told') {
    const yours = [said.first, said.second].filter(k => k !== null).map(k => k + 1);
    return `You said ${yours.join(', then ') || 'nothing'}. See the wall.`;
  }
  return chosen === null ? 'Choose one.' : `Your vote is ${chosen + 1}. You may change it.`;
}
// Text between backticks is code; it becomes no markup.
function marked(text) {
  return text.split('\x60').map((part, k) => (k % 2 ? element('code', {}, part) : part));
}
function choice(text, k) {
  const button = element('button');
  const says = element('span');
  says.append(...marked(text));
  button.append(element('b', {}, k + 1), says);
  button.addEventListener('click', () => vote({name: shown.name, phase: shown.phase, option: k}));
  return button;
}
