// A drawing: what its cells, its window and its readout hold.

import {classesBlock} from './glimpses.js';
import {named, portion, wholePercent, wrongAt} from './sentence.js';

export const CANVASES = {
  noun: 'window',
  title: () => 'The canvas after each window',
  bar: () => 'bar: share there',
  key: () => 'Frame: the window it writes through. New: light adds, dark takes away.',
  lights: {own: 'show the window', off: 'off'},
  range: () => ['canvas', 'written now'],
  cell: canvasCell,
  marks: (film, {at}) => ({frame: film.windows[at]}),
  readout: (film, focus) => [
    sumBlock(film, focus.at),
    ...(film.classes.length ? [classesBlock(film, focus, 'Classifier says', 3)] : []),
  ],
};
function canvasCell(film, k) {
  const gain = film.gains[k];
  const change = `${gain >= 0 ? '+' : ''}${wholePercent(gain)}`;
  const says = film.classes.length
    ? `; a classifier says ${named(film.classes[film.best[k]])}, ${portion(film.p[k][film.best[k]])}`
    : '';
  const wrong = film.classes.length && wrongAt(film, k) ? ', wrong' : '';
  return {
    word: wholePercent(film.done[k]),
    share: Math.max(0, film.done[k]),
    value: change,
    aria: `Window ${k + 1}: ${wholePercent(film.done[k])} of the ${film.goal} is there, ${change}${says}${wrong}`,
  };
}
function sumBlock(film, k) {
  const {canvases, target, goal} = film;
  const canvas = canvases[k];
  const before = k ? canvases[k - 1] : new Uint8Array(canvas.length);
  const change = Array.from(canvas, (v, i) => v - before[i]);
  const largest = Math.max(1, ...change.map(Math.abs));
  const times = 255 / largest;
  const loud = change.map(v => v * times);
  return {
    kind: 'sum',
    title: 'What it wrote',
    parts: [
      {name: 'before', values: before},
      {sign: '+'},
      {name: times < 1.05 ? 'new' : `new ×${times.toFixed(times < 9.95 ? 1 : 0)}`, values: loud},
      {sign: '='},
      {name: 'canvas', values: canvas},
      {sign: '→'},
      {name: goal.split(' ')[0], values: target},
    ],
  };
}
