// Which key means what. Pure: a key and where it was pressed in, an action out.

const TURNS = {
  ArrowRight: 'forward',
  ArrowDown: 'forward',
  PageDown: 'forward',
  ' ': 'forward',
  ArrowLeft: 'back',
  ArrowUp: 'back',
  PageUp: 'back',
  Home: 'first',
  End: 'last',
  Escape: 'leave',
};
const LETTERS = {
  o: 'over',
  b: 'black',
  '.': 'black',
  d: 'open',
  a: 'answer',
  s: 'notes',
  l: 'pointer',
  t: 'clock',
  c: 'theme',
  p: 'print',
  f: 'full',
  g: 'number',
  v: 'poll',
  q: 'join',
  '?': 'help',
};

/** What the help says, in its order. */
export const HELP = [
  ['→ Space PgDn', 'next step'],
  ['← ⇧Space PgUp', 'back'],
  ['Home End', 'first, last'],
  ['7 Enter', 'slide 7 (g 7 on a question)'],
  ['o', 'overview'],
  ['d', 'the code, more of the text'],
  ['1 – 6', 'votes (⌫ takes one back)'],
  ['a', 'answer'],
  ['v', 'talk, then a second vote'],
  ['q', 'address for phones'],
  ['s', 'notes window'],
  ['b .', 'black screen'],
  ['l', 'pointer'],
  ['t', 'start, stop the time'],
  ['c', 'dark, light'],
  ['f', 'full screen'],
  ['p', 'print, or save as PDF'],
  ['Esc', 'leaves a picture'],
];

/**
 * What a key does.
 * @param {{key: string, shift: boolean}} press
 * @param {Object} at where: `place` of the focus is 'deck', 'button', 'picture' or, a control in
 * one, 'field', or a 'count' of votes;
 * `asks`: an open question is shown; `typed`: digits so far; `black`, `over` as in the state
 * @returns {{name: string, value?: any} | null} null if the key is not the deck's
 */
export function actionOf({key, shift}, at) {
  if (at.black) return {name: 'black'}; // the first key only lifts the black
  if (key === 'PageDown' || key === 'PageUp' || key === 'Escape') return {name: TURNS[key]};
  if (at.place === 'field') return null; // a control of a picture
  if (at.place === 'count' && !LETTERS[key]) return null;
  if (key === ' ' || key === 'Enter') return pressed(key, shift, at);
  if (at.place === 'picture') return null;
  if (/^[0-9]$/.test(key)) {
    const votes = at.asks && !at.typed && key !== '0';
    return votes ? {name: 'vote', value: key - 1} : {name: 'type', value: at.typed + key};
  }
  if (key === 'Backspace') return at.asks ? {name: 'unvote'} : null;
  const name = TURNS[key] ?? LETTERS[key];
  return name ? {name} : null;
}
function pressed(key, shift, at) {
  if (at.place === 'button') return null;
  if (key === ' ') return {name: shift ? 'back' : 'forward'};
  if (at.typed) return {name: 'slide', value: +at.typed.replace(/^g/, '') - 1};
  if (at.place === 'picture') return null;
  return {name: at.over ? 'over' : 'forward'};
}
/** Digits as the corner shows them; `g` stands before them where a digit would be a vote. */
export const typedText = typed => (typed === 'g' ? 'go to' : typed.replace(/^g0*/, ''));
