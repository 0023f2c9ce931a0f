// Glimpses: what is said of them, and what their cells, their path and their readout hold.

import {phrase} from '../shared/nodes.js';
import {portion} from '../shared/texts.js';
import {mostAt, named, wholePercent, windowRows, wrongAt} from './film.js';
import {MOST_SAID, asRows} from './layout.js';

const SEEN = 0.2; // of a region, from which on it counts as seen

export const GLIMPSES = {
  noun: 'glimpse',
  title: () => 'What it has seen, and says',
  bar: () => 'bar: how sure · % seen',
  key: ({label}) =>
    `Bright: seen so far. Frame: this glimpse.${label === null ? '' : ' Ringed: the true class.'}`,
  lights: {own: 'dim the rest', off: 'off'},
  range: () => ['unseen', 'seen'],
  cell: glimpseCell,
  marks: (film, {at}) => ({
    path: film.windows.slice(0, at + 1).map(([x, y]) => ({x, y})),
    frame: film.windows[at],
  }),
  readout: (film, focus) => [
    classesBlock(film, focus, `What it says after glimpse ${focus.at + 1}`),
  ],
  there: seenThere,
  one: oneGlimpse,
  two: twoGlimpses,
  rows: (film, k) => [
    ['glimpses', String(k + 1), film.classes[film.best[k]], 'probability', sureness(film, k)],
    ['glimpses', String(k + 1), 'picture', 'share seen', film.shares[k]],
  ],
  looked: windowRows,
};
const sureness = ({p, best}, k) => p[k][best[k]];
const saidAt = ({classes, best}, k) => named(classes[best[k]]);

function seenThere(film, {region}) {
  const best = mostAt(film, region);
  const seen = film.regions[best][region];
  if (seen < SEEN) return ['This place: no glimpse sees it.'];
  const glimpse = {em: `glimpse ${best + 1}`};
  return phrase`This place: ${glimpse} sees ${{strong: wholePercent(seen)}} of it.`;
}
function saysAt(film, k, mark) {
  const said = {[wrongAt(film, k) ? 'u' : mark]: saidAt(film, k)};
  return phrase`says ${said}: ${{strong: portion(sureness(film, k))}}`;
}
function twoGlimpses(film, {at, other}) {
  const first = phrase`${{b: `Glimpse ${at + 1}`}} ${saysAt(film, at, 'b')}`;
  return phrase`${first}, ${{em: `glimpse ${other + 1}`}} ${saysAt(film, other, 'em')}.`;
}
function oneGlimpse(film, k) {
  const {best} = film;
  const seen = wholePercent(film.shares[k]);
  const wrong = wrongAt(film, k);
  const truth = wrong ? named(film.classes[film.label]) : '';
  if (k && best[k] !== best[k - 1]) {
    const said = {[wrong ? 'u' : 'b']: saidAt(film, k)};
    const becomes = phrase`${{strong: saidAt(film, k - 1)}} becomes ${said}`;
    const p = {strong: portion(sureness(film, k))};
    const end = `, with ${seen} of the pixels seen${wrong ? `; it is ${truth}` : ''}.`;
    return phrase`Glimpse ${k + 1} changes its mind: ${becomes}, ${p}${end}`;
  }
  const start = `After ${k + 1} glimpse${k ? 's' : ''}, ${seen} of the pixels`;
  const after = phrase`${start}, it ${saysAt(film, k, 'b')}.`;
  if (!wrong) return after;
  const surer = k > 0 && sureness(film, k) > sureness(film, k - 1);
  return phrase`${after} ${surer ? 'Surer, not right: it' : 'It'} is ${{strong: truth}}.`;
}
function glimpseCell(film, k) {
  const says = saidAt(film, k);
  const p = sureness(film, k);
  const seen = wholePercent(film.shares[k]);
  const wrong = wrongAt(film, k) ? `; wrong, it is ${named(film.classes[film.label])}` : '';
  return {
    word: `says ${says}`,
    share: p,
    value: `${portion(p)} · ${seen}`,
    aria: `Glimpse ${k + 1}, ${seen} seen: it says ${says}, ${portion(p)}${wrong}`,
  };
}
/** Probabilities of the classes, as columns, or the likeliest as rows. */
export function classesBlock(film, {at, other}, title, most = MOST_SAID) {
  const {classes, p, best, label} = film;
  const every = classes.map((name, c) => ({
    label: named(name),
    value: p[at][c],
    other: other === null ? null : p[other][c],
    me: c === best[at],
    truth: c === label,
    mark: c === label ? 'right' : c === best[at] && wrongAt(film, at) ? 'wrong' : null,
  }));
  const mark = label === null ? null : wrongAt(film, at) ? 'wrong' : 'right';
  if (most === MOST_SAID && !asRows(film)) return {kind: 'columns', title, mark, columns: every};
  const order = [...every].sort((a, b) => b.value - a.value);
  const rows = order.filter((row, k) => k < most - 1 || row.truth).slice(0, most);
  return {kind: 'rows', title, mark, rows, note: ''};
}
