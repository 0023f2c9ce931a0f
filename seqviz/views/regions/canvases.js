// A drawing: what is said of it, and what its cells, its window and its readout hold.

import {phrase} from '../shared/nodes.js';
import {portion} from '../shared/texts.js';
import {mostAt, named, wholePercent, windowRows, wrongAt} from './film.js';
import {classesBlock} from './glimpses.js';

const WRITTEN = 0.002; // of a region, from which on it counts as written
const COARSE = 2; // times the area of the last window, from which on the first one is wide

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
  there: writtenThere,
  one: oneCanvas,
  two: twoCanvases,
  rows: (film, k) => [
    ['canvases', String(k + 1), film.goal, 'share there', film.done[k]],
    ['canvases', String(k + 1), film.goal, 'share added', film.gains[k]],
  ],
  looked: windowRows,
};
function writtenThere(film, {region}) {
  const best = mostAt(film, region);
  if (film.regions[best][region] < WRITTEN) return ['This place: no window has written here.'];
  return phrase`This place: ${{em: `window ${best + 1}`}} writes most of it.`;
}
function twoCanvases({done, goal}, {at, other}) {
  const [first, second] = [{b: `window ${at + 1}`}, {em: `window ${other + 1}`}];
  const shares = phrase`${wholePercent(done[at])} to ${{strong: wholePercent(done[other])}}`;
  return phrase`From ${first} to ${second} the ${goal} goes from ${shares}.`;
}
function oneCanvas(film, k) {
  const {T, gains, windows, done} = film;
  const gain = gains[k];
  const change =
    gain >= 0
      ? phrase`added ${{b: wholePercent(gain)}}`
      : phrase`took ${{u: wholePercent(-gain)}} away`;
  const area = ([, , width, height]) => width * height;
  const coarse = area(windows[0]) >= COARSE * area(windows[T - 1]) && gains[0] > gain && gain >= 0;
  if (k === T - 1 && T > 1 && coarse) {
    return phrase`Coarse first, detail last: the last of ${{strong: T}} windows ${change}.`;
  }
  const start = `After ${k + 1} of ${T} window${T > 1 ? 's' : ''}`;
  const there = phrase`${{strong: wholePercent(done[k])}} of the ${film.goal} is there`;
  return phrase`${start} ${there}: this one ${change}.`;
}
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
function sumBlock({canvases, target, goal}, k) {
  const canvas = canvases[k];
  const change = Array.from(canvas, (v, i) => v - (k ? canvases[k - 1][i] : 0));
  const times = 255 / Math.max(1, ...change.map(Math.abs));
  return {
    kind: 'sum',
    title: 'What it wrote',
    parts: [
      {name: 'before', values: k ? canvases[k - 1] : canvas.map(() => 0)},
      {sign: '+'},
      {
        name: times < 1.05 ? 'new' : `new ×${times.toFixed(times < 9.95 ? 1 : 0)}`,
        values: change.map(v => v * times),
      },
      {sign: '='},
      {name: 'canvas', values: canvas},
      {sign: '→'},
      {name: goal.split(' ')[0], values: target},
    ],
  };
}
