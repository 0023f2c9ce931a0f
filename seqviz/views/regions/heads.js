// Heads of a vision transformer over its picture: what a token reads in each, and what is said.

import {phrase} from '../shared/nodes.js';
import {portion} from '../shared/texts.js';
import {heaviest, named, outlinesOf, placeName} from './film.js';
import {MOST_OBJECTS} from './layout.js';
import {largestWeight} from './lighting.js';

const BROAD = 8; // heads; cells of more have no room for the word

export const HEADS = {
  noun: 'head',
  film: 'layer',
  title: film => `From ${film.asker}`,
  bar: () => 'bar: how narrow',
  key: () =>
    'Point at a patch to let it ask, click keeps it. Light: weight. Thick line: half of it. Tick: with even weights.',
  lights: {own: 'own scale', one: 'one scale', off: 'off'},
  range: (film, k, scale) => ['weight 0', portion(largestWeight(film, k, scale))],
  place: k => `head ${k}`,
  picture: 'picture: arrows move over its patches, Enter keeps the one that attends, Escape frees',
  asked: askedBy,
  cell: headCell,
  marks: (film, focus) => ({outlines: outlinesOf(film, focus)}),
  readout: (film, focus) => [readsBlock(film, focus), ...shuffledBlock(film, focus)],
  there: () => [],
  one: oneHead,
  two: twoHeads,
  rows: (film, k) => [
    ['heads', String(k), film.asker, 'patches that hold half of the weight', film.half[k].length],
  ],
  looked: readRows,
};

// ---- what is asked
/** The film as a token sees it: a patch, behind them the special tokens; null is their mean. */
function askedBy(film, query) {
  const {T, R, special} = film;
  const N = R + special.length;
  const tokens = query === null ? Array.from({length: R}, (_, r) => r) : [query];
  const heads = Array.from({length: T}, (_, k) => k);
  const meanOf = (all, k, size) =>
    Array.from({length: size}, (_, j) => {
      const sum = tokens.reduce((so, t) => so + all[(k * N + t) * size + j], 0);
      return sum / tokens.length;
    });
  const weightsOf = k => {
    const row = k * N + query;
    const bytes = film.bytes.subarray(row * R, (row + 1) * R);
    return Float32Array.from(bytes, byte => film.tops[row] * (byte / 255) ** 2);
  };
  const regions = query === null ? film.regions : heads.map(weightsOf);
  return {
    ...film,
    regions,
    query,
    asker: askerOf(film, query),
    half: regions.map(heaviest),
    onSpecial: heads.map(k => meanOf(film.onSpecial, k, special.length)),
    same: film.shuffled.length ? heads.map(k => meanOf(film.shuffled, k, 2)) : null,
  };
}
function askerOf(film, query) {
  if (query === null) return 'all patches';
  return query < film.R ? placeName(film, query) : named(film.special[query - film.R]);
}
const onPatches = ({onSpecial}, k) => 1 - onSpecial[k].reduce((sum, weight) => sum + weight, 0);
// Shares of the weight on patches.
const ofPatches = (film, k) => {
  const whole = film.regions[k].reduce((sum, weight) => sum + weight, 0) || 1;
  return Array.from(film.regions[k], weight => weight / whole);
};
const overlap = (some, others) => some.reduce((sum, v, r) => sum + Math.min(v, others[r]), 0);
const evenOf = film => Array.from({length: film.R}, () => 1 / film.R);
const halfEven = ({R}) => Math.ceil(R / 2);

// ---- the sentence
function oneHead(film, k) {
  const half = {strong: `${film.half[k].length} of ${film.R}`};
  const from = phrase`From ${{strong: film.asker}}, ${{b: `head ${k}`}}`;
  const start = phrase`${from} puts ${portion(onPatches(film, k))} on patches, half of it on ${half}`;
  if (!film.same) return phrase`${start}; even weights: half on ${halfEven(film)}.`;
  const [moves, stays] = film.same[k].map(value => ({strong: portion(value)}));
  return phrase`${start}; shuffled, ${moves} moves with them, ${stays} stays.`;
}
function twoHeads(film, {at, other}) {
  const [first, second] = [at, other].map(k => ofPatches(film, k));
  const heads = phrase`${{b: `head ${at}`}} and ${{em: `head ${other}`}}`;
  const alike = {strong: portion(overlap(first, second))};
  const even = portion(overlap(first, evenOf(film)));
  return phrase`From ${{strong: film.asker}}, ${heads} share ${alike} of their weight on patches; even weights share ${even} with head ${at}.`;
}

// ---- what is drawn
function headCell(film, k) {
  const few = film.half[k].length;
  return {
    word: film.T > BROAD ? String(k) : `head ${k}`,
    share: Math.max(0, 1 - (few - 1) / Math.max(1, halfEven(film) - 1)),
    value: `half on ${few}`,
    aria: `head ${k}: half of its weight lies on ${few} of ${film.R}`,
  };
}
// What tells several of one name apart is not cut.
const numberFirst = name => name.replace(/^(.*) (\d+)$/, '$2 $1');
function readsBlock(film, {at, other}) {
  const N = film.R + film.special.length;
  const valueOf = (k, read) => (k === null ? null : read(k));
  const row = (label, read, count, me) => ({
    label,
    value: read(at),
    other: valueOf(other, read),
    tick: count / N,
    me,
  });
  const order = film.special.map((_, s) => s);
  order.sort((a, b) => film.onSpecial[at][b] - film.onSpecial[at][a]);
  const shown = order.slice(0, MOST_OBJECTS - 1);
  const more = order.length - shown.length;
  return {
    kind: 'rows',
    title: 'Where it attends',
    rows: [
      row('patches', k => onPatches(film, k), film.R, true),
      ...shown.map(s =>
        row(numberFirst(named(film.special[s])), k => film.onSpecial[k][s], 1, false),
      ),
    ],
    note: `tick: even weights${more ? `; ${more} more special tokens` : ''}`,
  };
}
function shuffledBlock(film, {at, other}) {
  if (!film.same) return [];
  const even = overlap(ofPatches(film, at), evenOf(film));
  const rows = ['moves', 'stays'].map((label, j) => ({
    label,
    value: film.same[at][j],
    other: other === null ? null : film.same[other][j],
    tick: even,
  }));
  return [{kind: 'rows', title: 'If shuffled', rows, note: 'tick: even weights'}];
}
function readRows(film, k) {
  const row = (item, value) => ['regions', String(k), item, 'weight', value];
  return [
    ...Array.from(film.regions[k], (weight, r) => row(placeName(film, r), weight)),
    ...film.special.map((name, s) => row(name, film.onSpecial[k][s])),
  ];
}
