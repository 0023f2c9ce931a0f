// Glimpses: what their cells, their path and their readout hold.

import {MOST_SAID, asRows} from './layout.js';
import {named, portion, wholePercent, wrongAt} from './sentence.js';

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
};
function glimpseCell(film, k) {
  const best = named(film.classes[film.best[k]]);
  const p = film.p[k][film.best[k]];
  const seen = `${wholePercent(film.shares[k])} seen`;
  const wrong = wrongAt(film, k) ? `; wrong, it is ${named(film.classes[film.label])}` : '';
  return {
    word: `says ${best}`,
    share: p,
    value: `${portion(p)} · ${wholePercent(film.shares[k])}`,
    aria: `Glimpse ${k + 1}, ${seen}: it says ${best}, ${portion(p)}${wrong}`,
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
