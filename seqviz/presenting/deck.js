// A lecture in one page: state and keys; `moves.js` says what a press does, `slides.js` draws it.
import {
  FRESH,
  addressOf,
  back,
  checked,
  clocked,
  forward,
  placeOf,
  polled,
  turned,
} from './moves.js';
import {HELP, actionOf, typedText} from './keys.js';
import {channelOf, ownPair, pairIn} from './channel.js';
import {ballotOf, counted, phaseOf, talkText, unvoted, voted, votesTable} from './votes.js';
import {drawDesk, drawTime} from './lecturer.js';
import {drawPanel, drawTally, drawVotes, tallyOf} from './ballots.js';
import {drawStep, factsOf, fitSlide, scrollToFocus, titleOf} from './slides.js';
import {all, element, find} from './nodes.js';
import {drawFigures, fitViews, shrinkForPaper} from './pictures.js';
import {progressOf, wholeMinutes} from './pace.js';
import {hearSwipes} from './swipes.js';
import {lineTo} from './line.js';
import {scrollable} from './fitting.js';

const root = document.querySelector('.deck');
// A part of the deck itself: a view on a slide has classes of its own.
const $ = selector => find(`:scope > ${selector}, :scope > :not(main) ${selector}`, root);
const facts = factsOf(root);
const {nodes, deck, parts, total} = facts;
const lecturer = pairIn(location.hash);
const pair = lecturer || ownPair();
let state = FRESH;
let typed = '';
let printing = false;
let rem = 0;
let polls = {counts: {}, phones: null}; // what the server of phones says, if there is one
let line = null;
const windows = channelOf(pair, take, () => state);

// ---- what is shown follows from the state
function draw() {
  nodes.forEach((node, i) => {
    const frame = node.parentNode;
    frame.classList.toggle('now', i === state.i);
    frame.classList.toggle('next', i === state.i + 1);
    frame.toggleAttribute('inert', i !== state.i && !state.over);
    if (Math.abs(i - state.i) < 2 || state.over || printing) drawSlide(i);
  });
  root.classList.toggle('overview', state.over);
  root.classList.toggle('dark-screen', state.black && !lecturer);
  root.classList.toggle('open', state.open);
  root.classList.toggle('joining', state.join);
  drawProgress();
  drawPoll();
  scrollToFocus(nodes[state.i]);
  typing(typed);
  $('.at').textContent = `${state.i + 1} / ${nodes.length}`;
  const again = {talk: ': talk', second: ': second vote'}[phaseOf(state, deck[state.i])] ?? '';
  const title = titleOf(nodes[state.i], state.step) + again;
  if ($('.live').textContent !== title) $('.live').textContent = title;
  document.title = `${state.i + 1} · ${title}`;
  if (lecturer) drawDesk(root, facts, state);
  else history.replaceState(null, '', addressOf(state, deck));
}
// A slide that is not shown stands as it was left, so that the overview tells no answer before its
// vote; on paper, and for the lecturer, all is told.
function drawSlide(i) {
  const {id, steps, focus, options} = deck[i];
  const shown = i === state.i && !printing;
  const rest = printing || lecturer || !options ? steps : (state.left[id] ?? 0);
  const step = shown ? state.step : focus.length ? 0 : rest;
  drawStep(nodes[i], deck[i], step);
  if (options) {
    drawVotes(nodes[i], phaseOf(state, deck[i], step), ballotOf(state, polls.counts, deck[i]));
  }
  fitSlide(nodes[i], String(rem), printing);
}
// How many have voted, for all; of what, for the lecturer; which question is open, for phones.
function drawPoll() {
  const slide = deck[state.i];
  const phase = phaseOf(state, slide);
  const ballot = ballotOf(state, polls.counts, slide);
  const talks = phase === 'talk';
  const says = talks ? talkText(state, Date.now()) : tallyOf(phase, ballot, polls.phones);
  if (slide.options) drawTally(nodes[state.i], phase, says);
  if (lecturer) drawPanel($('.votes'), nodes[state.i], slide, phase, ballot, says);
  else line?.({name: slide.id, phase});
  if (line) $('.here').textContent = `${polls.phones ?? 0} here`;
}
function drawProgress() {
  const bar = progressOf(parts, state.i);
  $('.progress ol').replaceChildren(
    ...bar.map(part => {
      const item = element('li', {style: `flex:${part.minutes}`, class: part.on ? 'on' : ''});
      item.append(element('i', {style: `width:${part.share * 100}%`}));
      return item;
    }),
  );
  const on = bar.find(part => part.on);
  const label = $('.progress p');
  label.replaceChildren(element('b', {}, on.name), ` ${wholeMinutes(on.minutes)} min`);
  const most = innerWidth - label.offsetWidth - 17 * rem; // the code of a view is folded there
  label.style.left = `${Math.max(rem, Math.min((on.from / total) * innerWidth, most))}px`;
}
function show(next) {
  const turns = next.i !== state.i;
  state = next;
  if (turns) rewind();
  draw();
  windows.send(state);
}
function rewind() {
  if (root.contains(document.activeElement)) document.activeElement.blur();
  for (const box of all('.scrolls', nodes[state.i])) box.scrollTop = 0;
  $('.toast').textContent = '';
}
function take(other) {
  const turns = other.i !== state.i;
  state = checked(other, deck);
  if (turns) rewind();
  draw();
}

// ---- what a key or a button does
function onward() {
  const box = !state.over && !deck[state.i].focus.length && scrollable(nodes[state.i]);
  if (box) box.scrollTop += box.clientHeight * 0.8;
  else show(forward(state, deck, Date.now()));
}
const toggled = name => show({...state, [name]: !state[name]});
const go = (i, step) => show(turned(state, deck, i, step, Date.now()));
const ACTIONS = {
  forward: onward,
  back: () => show(back(state, deck, Date.now())),
  first: () => go(0),
  last: () => go(nodes.length - 1),
  slide: value => go(value),
  vote: value => show(voted(state, deck[state.i], value)),
  unvote: () => show(unvoted(state, deck[state.i])),
  poll: () => show(polled(state, deck, Date.now())),
  join() {
    if (line) toggled('join');
    else $('.toast').textContent = 'Phones vote where it was begun by: seqviz present --vote';
  },
  answer: () => deck[state.i].options && go(state.i, 1),
  over: () => {
    toggled('over');
    if (state.over) nodes[state.i].parentNode.scrollIntoView({block: 'center'});
  },
  black: () => toggled('black'),
  open: () => find('.whole', nodes[state.i]) && toggled('open'),
  clock: () => show(clocked(state, Date.now())),
  theme: () => paint(root.dataset.theme === 'dark' ? 'light' : 'dark'),
  pointer: () => root.classList.toggle('pointing'),
  full: () =>
    document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen(),
  help: () => ($('dialog').open ? $('dialog').close() : $('dialog').showModal()),
  notes: openNotes,
  print: printAll,
  number: () => typing('g'),
  type: value => typing(value.slice(-4)),
  leave() {
    root.classList.remove('pointing');
    $('.toast').textContent = '';
    document.activeElement?.blur();
    show({...state, over: false, open: false, join: false});
  },
};
function act({name, value}) {
  if (name !== 'type' && name !== 'number') typing('');
  ACTIONS[name](value);
}
const press = key => act(actionOf({key}, {place: 'deck', typed: ''}));
function typing(text) {
  typed = text;
  $('.typed').textContent = typedText(text);
}
function placeOfFocus(target) {
  const inside = target.closest?.('.picture');
  if (target.closest?.('button, summary, select, input, textarea, a')) {
    if (target.closest('.votes input')) return 'count';
    return inside ? 'field' : 'button';
  }
  return inside ? 'picture' : 'deck';
}
// A view that fills the screen has all keys but those of a clicker, which leave it.
function leavesView(key) {
  if (!document.fullscreenElement?.closest('.picture')) return true;
  if (!key.startsWith('Page')) return false;
  document.exitFullscreen();
  return true;
}
// A view hears of Escape before it loses the focus.
function freeLock(target) {
  target.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
}
// Before a view hears it: the page keys and the space bar turn slides wherever the focus is.
function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === 'p') {
    event.preventDefault();
    printAll();
    return;
  }
  if (
    !event.isTrusted ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    ($('dialog').open && event.key !== '?') ||
    !leavesView(event.key)
  ) {
    return;
  }
  const asks = Boolean(deck[state.i].options) && state.step === 0 && !state.over;
  const where = {asks, typed, place: placeOfFocus(event.target), ...state};
  const action = actionOf({key: event.key, shift: event.shiftKey}, where);
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  if (action.name === 'leave') freeLock(event.target);
  act(action);
}

// ---- the other window
function openNotes() {
  if (lecturer) return;
  const address = `${location.href.split('#')[0]}#notes:${pair}`;
  const opened = window.open(address, `notes-${pair}`, 'width=1120,height=680');
  if (opened) windows.tie(opened);
  else $('.toast').textContent = 'The browser blocked the notes window: allow it for this page.';
}

// ---- phones, and votes by hand
function call() {
  line = lineTo(root.dataset.vote, {
    came() {
      $('.toast').textContent = '';
      drawPoll();
    },
    hear(message) {
      polls = message;
      drawSlide(state.i);
      drawPoll();
    },
    gone() {
      $('.toast').textContent = 'Phones cannot vote: “seqviz present” has ended. Trying again …';
    },
  });
}
function hearPanel() {
  $('.votes').addEventListener('input', ({target}) => {
    const {round, option} = target.dataset;
    show(counted(state, deck[state.i], round, +option, Math.trunc(+target.value)));
  });
  $('.save').addEventListener('click', () => {
    const ballots = deck.map(slide => ballotOf(state, polls.counts, slide));
    const name = root.dataset.deck;
    const file = new Blob([votesTable(name, deck, ballots)], {type: 'text/csv'});
    const href = URL.createObjectURL(file);
    element('a', {href, download: `${name}-votes.csv`}).click();
  });
}

// ---- theme, size, paper
function paint(theme) {
  root.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
  document.body.dataset.jpThemeLight = String(theme === 'light'); // what views follow
}
function measure() {
  rem = lecturer ? 16 : Math.min(innerWidth / 80, innerHeight / 45);
  document.documentElement.style.fontSize = `${rem}px`;
  const sheet = `@page{size:${80 * rem}px ${45 * rem}px;margin:0}`;
  document.querySelector('.paper').textContent = sheet;
  if (globalThis.Plotly) drawFigures(root, rem);
  draw();
  return fitViews(root);
}
function prepare() {
  if (printing) return;
  printing = true;
  root.dataset.before = root.dataset.theme;
  paint('light');
  draw();
  shrinkForPaper(root, true);
}
function restore() {
  printing = false;
  paint(root.dataset.before);
  draw();
  shrinkForPaper(root, false);
}
const frame = () => new Promise(requestAnimationFrame);
// A view draws anew in another theme a moment later: paper waits for it.
async function printAll() {
  prepare();
  for (let k = 0; k < 4; k++) await frame();
  window.print();
}

// ---- build
function hearKeys() {
  addEventListener('keydown', onKey, {capture: true});
  root.addEventListener('focusin', event => {
    root.classList.toggle('handed', ['picture', 'field'].includes(placeOfFocus(event.target)));
  });
  root.addEventListener('focusout', () => root.classList.remove('handed'));
  nodes.forEach((node, i) => {
    node.parentNode.addEventListener('click', () => {
      if (state.over) show(turned({...state, over: false}, deck, i, 0, Date.now()));
    });
    all('.option', node).forEach((option, k) => {
      option.addEventListener('click', () => act({name: 'vote', value: k}));
    });
  });
  for (const button of all('[data-key]', root)) {
    button.addEventListener('click', () => press(button.dataset.key));
  }
  hearPanel();
  hearSwipes(root, key => state.over || press(key));
  $('.run').addEventListener('click', () => act({name: 'clock'}));
  $('.zero').addEventListener('click', () => show({...state, used: 0, since: 0}));
  // a button that was clicked keeps the focus: the next space would press it again
  addEventListener('click', event => {
    const button = document.activeElement.closest('.deck button');
    if (event.detail && button && !button.closest('.picture')) button.blur();
  });
}
function hearWindow() {
  let asleep;
  const awake = event => {
    $('.laser').style.translate = `${event.clientX}px ${event.clientY}px`;
    root.classList.add('awake');
    clearTimeout(asleep);
    asleep = setTimeout(() => root.classList.remove('awake'), 2000);
  };
  addEventListener('pointermove', awake);
  addEventListener('pointerdown', awake); // a tap moves nothing
  let waiting;
  addEventListener('resize', () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(measure);
  });
  addEventListener('hashchange', () => lecturer || fromAddress());
  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', restore);
}
function fromAddress() {
  const {i, step, unknown} = placeOf(location.hash, deck);
  show(turned(state, deck, i, step, Date.now()));
  if (unknown) {
    $('.toast').textContent = `There is no slide “${unknown.slice(0, 60)}”: this is the first.`;
  }
}
function start() {
  for (const [key, what] of HELP) {
    const term = element('dt');
    term.append(element('kbd', {}, key));
    $('dialog dl').append(term, element('dd', {}, what));
  }
  root.classList.toggle('presenter', Boolean(lecturer));
  document.documentElement.classList.toggle('notes-window', Boolean(lecturer));
  paint(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  hearKeys();
  hearWindow();
  if (!lecturer && location.hash) fromAddress();
  const fitted = measure();
  windows.ask();
  if (root.dataset.vote) call();
  setInterval(() => {
    if (lecturer) drawTime(root, facts, state);
    if (phaseOf(state, deck[state.i]) === 'talk') drawPoll();
  }, 1000);
  fitted.then(() => {
    draw(); // the steps of views
    root.dataset.ready = 'true';
  });
}
start();
