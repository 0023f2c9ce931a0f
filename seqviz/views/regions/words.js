// Words over a picture: what is said of them, and what their cells, marks and readout hold.

import {phrase} from '../shared/nodes.js';
import {portion} from '../shared/texts.js';
import {inFocus, named, outlinesOf, placeName, wrongAt} from './film.js';
import {MOST_OBJECTS, MOST_SAID} from './layout.js';
import {largestWeight} from './lighting.js';

const SPREAD = 0.25; // of the regions: half of the weight on more of them has no one place
const INSIDE = 0.5; // of the weight, from which on the place is right
const ALIKE = 0.5; // of the weight that two words share, from which on it is one place

export const WORDS = {
  noun: 'word',
  title: ({question}) => question || 'The words, in order',
  bar: ({boxes}) => (boxes.length ? 'bar: weight in its object' : 'bar: largest weight'),
  key: ({boxes}) =>
    boxes.length
      ? 'Light: weight. Thick line: half of it. Thin box: true object. Tick: area.'
      : 'Light: weight. Thick line: the fewest regions with half of it.',
  lights: {own: 'own scale', one: 'one scale', off: 'off'},
  range: (film, k, scale) => ['weight 0', portion(largestWeight(film, k, scale))],
  cell: wordCell,
  marks: wordMarks,
  readout: (film, focus) => [attendsBlock(film, focus), ...saysBlock(film, focus)],
  there: attendedThere,
  one: oneWord,
  two: twoWords,
  rows: wordRows,
  looked: attendedRows,
};

// ---- the sentence
// A word in quotes; one that comes twice has its place.
function calledWord({words}, k) {
  const twin = words.filter(word => word === words[k]).length > 1;
  return `“${named(words[k])}”${twin ? ` (word ${k + 1})` : ''}`;
}
function attendedThere(film, {at, region, locked}) {
  const box = film.places[region];
  const there = box < film.boxes.length ? ` in the ${named(film.boxes[box])}` : '';
  const on = k => film.regions[k][region];
  if (locked) {
    const weight = {strong: portion(on(at))};
    return phrase`${{b: calledWord(film, at)}} puts ${weight} of its weight on this region${there}.`;
  }
  const order = film.regions.map((_, k) => k).sort((a, b) => on(b) - on(a));
  const [first, ...rest] = order.slice(0, 2);
  const word = k => ({em: calledWord(film, k)});
  const then = rest.flatMap(k => phrase`, then ${word(k)}, ${portion(on(k))}`);
  const most = phrase`${word(first)} attends to it most, ${{strong: portion(on(first))}}`;
  return phrase`This region${there}: ${most}${then}.`;
}
function twoWords(film, {at, other}) {
  const shared = film.regions[at].reduce(
    (all, weight, r) => all + Math.min(weight, film.regions[other][r]),
    0,
  );
  const place = shared > ALIKE ? 'the same place' : 'different places';
  const both = phrase`${{b: calledWord(film, at)}} and ${{em: calledWord(film, other)}}`;
  return phrase`${both} attend to ${place}: they share ${{strong: portion(shared)}} of their weight.`;
}
function oneWord(film, k) {
  const objects = film.gold[k].map(b => ({name: named(film.boxes[b]), weight: film.inside[k][b]}));
  if (wrongAt(film, k)) return wrongWord(film, k, objects[0]);
  const word = {b: calledWord(film, k)};
  if (!objects.length) return phrase`${word} attends to ${spread(film, k)}.`;
  if (objects.length > 1) return phrase`${word} attends with ${severalObjects(objects)}.`;
  const [{name, weight}] = objects;
  const area = film.areas[film.gold[k][0]];
  const there = weight > area;
  const place = there ? phrase`to the ${{strong: name}}` : 'elsewhere';
  const share = {strong: portion(weight)};
  const lies = phrase`${share} of its weight lies inside ${there ? 'it' : `the ${name}`}`;
  return phrase`${word} attends ${place}: ${lies}, on ${{strong: portion(area)}} of the picture.`;
}
function spread(film, k) {
  const half = {strong: `${film.half[k].length} of ${film.R}`};
  return film.half[k].length > SPREAD * film.R
    ? phrase`no one place: half of its weight is spread over ${half} regions`
    : phrase`a few places: half of its weight lies in ${half} regions`;
}
function severalObjects(objects) {
  return objects.flatMap(({name, weight}, j) => {
    const joint = j === 0 ? '' : j === objects.length - 1 ? ' and ' : ', ';
    return phrase`${joint}${{strong: portion(weight)}} to the ${{strong: name}}`;
  });
}
function wrongWord(film, k, object) {
  const says = {u: `“${named(film.words[k])}”`};
  const right = {strong: `“${named(film.wrong[k])}”`};
  const start = phrase`Wrong word: it says ${says}, right is ${right}`;
  if (!object) return phrase`${start}.`;
  const weight = {strong: portion(object.weight)};
  const lies = phrase`${weight} of its weight lies inside the ${{strong: object.name}}`;
  return object.weight > INSIDE
    ? phrase`Right place, wrong word: ${lies}, yet it says ${says}.`
    : phrase`${start}; ${lies}.`;
}

// ---- the table
function wordRows(film, k) {
  const start = ['words', String(k + 1), film.words[k]];
  if (!film.boxes.length) {
    return [[...start, 'regions that hold half of the weight', film.half[k].length]];
  }
  const names = [...film.boxes.map(name => `weight inside ${name}`), 'weight elsewhere'];
  return names.map((name, b) => [...start, name, film.inside[k][b]]);
}
function attendedRows(film, k) {
  const step = String(k + 1);
  const says = film.alternatives[k].map(({word, p}) => ['says', step, word, 'probability', p]);
  const weights = Array.from(film.regions[k], (weight, r) => [
    'regions',
    step,
    placeName(film, r),
    'weight',
    weight,
  ]);
  return [...says, ...weights];
}

// ---- what is drawn
const insideOf = (film, k) => film.gold[k].reduce((all, b) => all + film.inside[k][b], 0);

function wordCell(film, k) {
  const wrong = wrongAt(film, k);
  const objects = film.gold[k].map(b => named(film.boxes[b])).join(' and ');
  const known = film.boxes.length > 0;
  const share = known ? Math.min(1, insideOf(film, k)) : Math.max(...film.regions[k]);
  const few = film.half[k].length <= SPREAD * film.R;
  const value = known && !objects ? (few ? 'narrow' : 'spread') : portion(share);
  const attends = objects
    ? `attends to the ${objects}, ${value} of its weight inside`
    : `attends to ${few ? 'few' : 'many'} regions`;
  const right = wrong ? `; wrong, right is ${named(film.wrong[k])}` : '';
  return {
    word: named(film.words[k]),
    share: known && !objects ? 0 : share,
    value: wrong ? `is ${named(film.wrong[k])}` : value,
    aria: `${named(film.words[k])}: ${attends}${right}`,
  };
}
function wordMarks(film, focus) {
  const boxes = inFocus(focus).flatMap(([k]) =>
    film.gold[k].map(b => ({
      b,
      corners: film.corners[b],
      name: named(film.boxes[b]),
      value: portion(film.inside[k][b]),
      says: wrongAt(film, k) ? `says “${named(film.words[k])}”` : '',
    })),
  );
  // two words on one object: one label
  const outlines = outlinesOf(film, focus);
  return {outlines, boxes: boxes.filter(({b}, i) => boxes.findIndex(box => box.b === b) === i)};
}
function attendsBlock(film, focus) {
  const {boxes} = film;
  const {at} = focus;
  const half = `Half of it in ${film.half[at].length} of ${film.R} regions`;
  const block = {kind: 'rows', title: 'Where it attends', note: half};
  if (!boxes.length) return {...block, rows: heaviestRows(film, focus)};
  const rank = b => (film.gold[at].includes(b) ? 2 : 0) + film.inside[at][b];
  const order = boxes.map((_, b) => b);
  const shown = order.length > MOST_OBJECTS ? order.sort((a, b) => rank(b) - rank(a)) : order;
  const rows = shown.slice(0, MOST_OBJECTS).map(b => objectRow(film, focus, b, named(boxes[b])));
  const more = shown.length - rows.length;
  return {
    ...block,
    mark: placeMark(film, at),
    rows: [...rows, objectRow(film, focus, boxes.length, 'elsewhere')],
    note: more ? `${half}; ${more} more object${more > 1 ? 's' : ''}` : half,
  };
}
const objectRow = (film, {at, other}, b, label) => ({
  label,
  value: film.inside[at][b],
  other: other === null ? null : film.inside[other][b],
  tick: film.areas[b],
  me: film.gold[at].includes(b),
  rest: b === film.boxes.length,
});
// Right is more than half of the weight inside the word's object; wrong is no more than by chance.
function placeMark(film, at) {
  const [own, ...others] = film.gold[at];
  if (own === undefined || others.length) return null;
  if (film.inside[at][own] > INSIDE) return 'right';
  return film.inside[at][own] <= film.areas[own] ? 'wrong' : null;
}
function heaviestRows(film, {at, other}) {
  const weights = film.regions[at];
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  return order.slice(0, MOST_OBJECTS).map(r => ({
    label: `row ${Math.floor(r / film.columns) + 1}, col ${(r % film.columns) + 1}`,
    value: weights[r],
    other: other === null ? null : film.regions[other][r],
    tick: 1 / film.R,
    me: true,
  }));
}
function saysBlock(film, {at, other}) {
  const word = film.words[at];
  const wrong = wrongAt(film, at);
  const truth = !film.judged ? null : wrong ? film.wrong[at] : word;
  const said = film.alternatives[at].filter(
    ({word: one}, k) => k < MOST_SAID - 1 || [word, truth].includes(one),
  );
  if (!said.length) return [];
  const beside = one => film.alternatives[other].find(row => row.word === one)?.p ?? 0;
  const rows = said.slice(0, MOST_SAID).map(one => ({
    label: named(one.word),
    value: one.p,
    other: other === null || !film.alternatives[other].length ? null : beside(one.word),
    me: one.word === word,
    mark: one.word === truth ? 'right' : one.word === word && wrong ? 'wrong' : null,
  }));
  const mark = film.judged ? (wrong ? 'wrong' : 'right') : null;
  return [{kind: 'rows', title: 'What it says', mark, rows, note: wrong ? film.note : ''}];
}
