// All that is to be seen, from values, controls and size; no drawing.

import {barsOf, stripOf} from './bars.js';
import {besideOf} from './beside.js';
import {KNOBS, keptAt} from './decoding.js';
import {together} from '../shared/pieces.js';
import {chance, many} from '../shared/texts.js';
import {ROWS, bitsText, othersAfter, tailOf, tokenText} from './sentence.js';
import {textLineOf} from './text_line.js';
import {tokenAfter, treeOf} from './tree.js';

const NARROW = 50; // em: below, one column
const WIDE = 74; // from here on three

/** Where the knob of a method stands, 0 if it has none. */
export const knobIn = (method, knobs) => (KNOBS[method] ? knobs[KNOBS[method]] : 0);

/** How many columns the panes have. */
export function columnsIn(W, em, compare) {
  if (W < NARROW * em) return 1;
  return compare && W >= WIDE * em ? 3 : 2;
}
/**
 * @param {Object} given
 * @param {Object} given.facts
 * @param {Object[]} given.back doubt, rank and probability of the prompt's last tokens
 * @param {Place[]} given.places after the prompt, after each token that was written
 * @param {Place | null} given.place the last of them, null where there is none
 * @param {Object} given.state `method`, `k`, `p`, `temperature`, `written`, `focus`, `over`, `roll`
 * @param {Object} size pixels of all that is drawn
 */
export function sceneOf(given, size) {
  const {facts, place, state} = given;
  const {method} = state;
  const knob = knobIn(method, state);
  const at = atOf(state, place);
  const kept = place && keptAt(place, method, knob, facts);
  const rolled = state.roll?.rests ? state.roll : null;
  const word = rolled?.word ?? place?.words[at] ?? '';
  const id = rolled?.id ?? place?.ids[at];
  const words = {text: textOf(given), method, knob, at, id, word, kept, written: state.written};
  const scene = {...given, ...words, cards: cardsOf(given)};
  const over = state.over;
  return {
    ...scene,
    previewing: over?.r !== undefined && over.r !== state.focus && !state.roll,
    line: textLineOf(scene, size),
    bars: place && barsOf(scene, size),
    strip: place && stripOf(scene, size),
    tree: size.columns === 3 || !state.compare ? treeOf(scene, size) : null,
    lines: state.compare ? besideOf(scene, {...size, side: size.lines}) : null,
    note: noteOf(scene),
  };
}
/** The rank, from 0, that all panes show; a number may fall below all that have a name. */
function atOf({roll, over, focus}, place) {
  if (roll?.rests) return roll.rank;
  return Math.min(over?.r ?? focus, (place?.ids.length ?? 1) - 1);
}
/** Each token of the text: its word, the doubt before it, its rank. */
function textOf({facts, back, places, place, state, ...seen}) {
  const {prompt} = facts;
  const given = prompt.map((word, k) => ({
    word,
    given: true,
    ...(back[k - prompt.length + back.length] ?? {doubt: null, rank: null}),
  }));
  const own = state.written.map((id, k) => {
    const before = {path: state.written.slice(0, k), place: places[k]};
    const {word, r, p} = tokenAfter(id, before, seen);
    return {
      word,
      given: false,
      doubt: places[k].doubt,
      rank: Number.isFinite(r) ? r + 1 : null,
      chance: p,
    };
  });
  const all = place || own.length ? [...given, ...own] : given;
  const {told} = together(all.map(({word}) => word));
  return all.map((one, k) => ({...one, word: told[k]}));
}
/** What each method keeps here. */
function cardsOf({facts, place, state}) {
  return facts.methods.map(method => {
    const knob = knobIn(method, state);
    return {
      method,
      knob,
      on: method === state.method,
      keeps: place ? keepsOf(method, knob, place, facts) : '–',
    };
  });
}
function keepsOf(method, knob, place, facts) {
  if (method === 'temperature') return knob === 1 ? 'as it is' : 'reshapes all';
  const {n} = keptAt(place, method, knob, facts);
  return n === facts.vocabulary ? `keeps all ${many(n)}` : `keeps ${many(n)}`;
}
function noteOf({place, word, following, state, beside, live}) {
  if (state.compare) {
    return beside.every(one => one.own)
      ? `Luck ${state.luck}: the same number at each step`
      : `From the prompt${live ? '' : '; more needs a kernel'}`;
  }
  if (!place || !following) return '';
  const first = `“${tokenText(following.words[0])}” ${chance(following.p[0])}`;
  return `After “${tokenText(word)}”: ${bitsText(following.doubt)} bits of doubt, first ${first}`;
}
/** The token in focus in words, for who hears it. */
export function readingOf({place, at, kept, word}) {
  if (!place) return '';
  const after = kept.n > at ? `${chance(kept.after[at])} after decoding` : 'not kept';
  return `${tokenText(word)}, rank ${at + 1}, ${chance(place.p[at])}, ${after}`;
}
/** The controls in words, for a picture. */
export const stateText = ({cards}) =>
  cards
    .filter(({on}) => on)
    .map(({method, keeps}) => `${method}: ${keeps}`)
    .join('');

// ---- what is saved as a table
/** Rows of what is on screen. */
export function tableOf(scene) {
  const next = scene.place ? nextTable(scene) : [];
  const header = ['pane', 'item', 'token', 'quantity', 'value'];
  return [header, ...textTable(scene), ...next, ...(scene.state.compare ? runTable(scene) : [])];
}
function textTable({text}) {
  return text.flatMap(({word, doubt, rank, chance}, k) => {
    if (doubt === null || rank === null) return [];
    const start = ['text', String(k + 1), word];
    return [
      [...start, 'doubt, bits', doubt],
      [...start, 'rank', rank],
      [...start, 'probability', chance],
    ];
  });
}
function nextTable({place, kept, method, facts: {vocabulary: V}}) {
  const rows = [
    ['next', '', '', 'doubt, bits', place.doubt],
    ['next', '', '', 'kept tokens', kept.n],
    ['next', '', '', 'kept probability', kept.mass],
  ];
  for (let r = 0; r < Math.min(ROWS, V); r++) {
    const start = ['next', String(r + 1), place.words[r]];
    rows.push([...start, 'model', place.p[r]], [...start, method, kept.after[r]]);
  }
  if (V > ROWS) {
    const start = ['next', `${V - ROWS} others`, ''];
    rows.push([...start, 'model', tailOf(place)], [...start, method, othersAfter(kept)]);
  }
  return rows;
}
function runTable({beside}) {
  return beside.flatMap(({method, knob, run}) => {
    const name = knob === 0 ? method : `${method} ${knob}`;
    return together(run?.words ?? []).told.flatMap((word, k) => [
      [name, String(k + 1), word, 'rank', run.ranks[k]],
      [name, String(k + 1), word, 'probability', run.p[k]],
    ]);
  });
}
