// The sentences over a film of steps, made from the numbers on screen; sentence.py says the same.

import {readable} from '../shared/base.js';

const NAME_LETTERS = 24;
const RIGHT_PLACE = 0.5;
const ALIKE = 0.5;
const A_FEW = 0.25;
const SEEN = 0.2;
const WRITTEN = 0.002;
const COARSE = 2;

/** A share with two decimals, never a round 0 or 1 for one that is not. */
export function portion(value) {
  if (value > 0 && value < 0.005) return '<0.01';
  if (value >= 0.995 && value < 1) return '>0.99';
  return value.toFixed(2);
}
/** A share in whole per cent, never a round 0 or 100 for one that is not. */
export function wholePercent(value) {
  const size = Math.abs(value);
  if (size > 0 && size < 0.005) return '<1 %';
  if (size >= 0.995 && size < 1) return '>99 %';
  return `${value < 0 ? '−' : ''}${(100 * size).toFixed(0)} %`;
}
/** A word or a name as people read it. */
export const named = text => readable(text, NAME_LETTERS);
/** A word in quotes; one that comes twice has its place. */
export function calledWord({words}, k) {
  const twin = words.filter(word => word === words[k]).length > 1;
  return `“${named(words[k])}”${twin ? ` (word ${k + 1})` : ''}`;
}
/** Whether what is said at a step is known to be wrong. */
export const wrongAt = (film, k) =>
  film.words ? k in film.wrong : film.label !== null && film.best[k] !== film.label;

// ---- in pieces: {b: in focus}, {em: compared}, {u: wrong}, {strong: a number, an object}
const strong = text => ({strong: text});
export function headline(film, focus) {
  const {kind} = film;
  if (focus.region !== null) {
    if (kind === 'glimpses') return seenThere(film, focus);
    return kind === 'drawing' ? writtenThere(film, focus) : attendedThere(film, focus);
  }
  const pair = focus.other !== null;
  if (kind === 'glimpses') return pair ? twoGlimpses(film, focus) : oneGlimpse(film, focus.at);
  if (kind === 'drawing') return pair ? twoCanvases(film, focus) : oneCanvas(film, focus.at);
  return pair ? twoWords(film, focus) : oneWord(film, focus.at);
}

// ---- words
function attendedThere(film, {at, region, locked}) {
  const box = film.places[region];
  const there = box >= 0 ? ` in the ${named(film.boxes[box])}` : '';
  const on = k => film.regions[k][region];
  if (locked) {
    const end = ` of its weight on this region${there}.`;
    return [{b: calledWord(film, at)}, ' puts ', strong(portion(on(at))), end];
  }
  const order = film.regions.map((_, k) => k).sort((a, b) => on(b) - on(a));
  const [first, ...rest] = order.slice(0, 2);
  const then = rest.flatMap(k => [', then ', {em: calledWord(film, k)}, `, ${portion(on(k))}`]);
  const most = [{em: calledWord(film, first)}, ' attends to it most, ', strong(portion(on(first)))];
  return [`This region${there}: `, ...most, ...then, '.'];
}
function twoWords(film, {at, other}) {
  const shared = film.regions[at].reduce(
    (all, weight, r) => all + Math.min(weight, film.regions[other][r]),
    0,
  );
  const place = shared > ALIKE ? 'the same place' : 'different places';
  return [
    {b: calledWord(film, at)},
    ' and ',
    {em: calledWord(film, other)},
    ` attend to ${place}: they share `,
    strong(portion(shared)),
    ' of their weight.',
  ];
}
function oneWord(film, k) {
  const objects = film.gold[k].map(b => ({name: named(film.boxes[b]), weight: film.inside[k][b]}));
  if (wrongAt(film, k)) return wrongWord(film, k, objects[0]);
  const word = {b: calledWord(film, k)};
  if (!objects.length) return [word, ...spread(film, k)];
  if (objects.length > 1) return [word, ' attends with ', ...severalObjects(objects), '.'];
  const [{name, weight}] = objects;
  const area = film.areas[film.gold[k][0]];
  const there = weight > area;
  return [
    word,
    ...(there ? [' attends to the ', strong(name)] : [' attends elsewhere']),
    ': ',
    strong(portion(weight)),
    ` of its weight lies ${there ? 'inside it' : `inside the ${name}`}, on `,
    strong(portion(area)),
    ' of the picture.',
  ];
}
function spread(film, k) {
  const half = `${film.half[k].length} of ${film.R}`;
  if (film.half[k].length > A_FEW * film.R) {
    const start = ' attends to no one place: half of its weight is spread over ';
    return [start, strong(half), ' regions.'];
  }
  return [' attends to a few places: half of its weight lies in ', strong(half), ' regions.'];
}
function severalObjects(objects) {
  return objects.flatMap(({name, weight}, j) => {
    const joint = j === 0 ? '' : j === objects.length - 1 ? ' and ' : ', ';
    return [joint, strong(portion(weight)), ' to the ', strong(name)];
  });
}
function wrongWord(film, k, object) {
  const says = {u: `“${named(film.words[k])}”`};
  const right = strong(`“${named(film.wrong[k])}”`);
  if (object && object.weight > RIGHT_PLACE) {
    return [
      'Right place, wrong word: ',
      strong(portion(object.weight)),
      ' of its weight lies inside the ',
      strong(object.name),
      ', yet it says ',
      says,
      '.',
    ];
  }
  const start = ['Wrong word: it says ', says, ', right is ', right];
  if (!object) return [...start, '.'];
  const weight = [strong(portion(object.weight)), ' of its weight lies inside the '];
  return [...start, '; ', ...weight, strong(object.name), '.'];
}

// ---- glimpses
function seenThere(film, {region}) {
  const seen = film.regions.map(row => row[region]);
  const best = seen.indexOf(Math.max(...seen));
  if (seen[best] < SEEN) return ['This place: no glimpse sees it.'];
  const sees = [' sees ', strong(wholePercent(seen[best])), ' of it.'];
  return ['This place: ', {em: `glimpse ${best + 1}`}, ...sees];
}
function saysAt(film, k, mark) {
  const name = named(film.classes[film.best[k]]);
  const said = {[wrongAt(film, k) ? 'u' : mark]: name};
  return ['says ', said, ': ', strong(portion(film.p[k][film.best[k]]))];
}
function twoGlimpses(film, {at, other}) {
  const first = [{b: `Glimpse ${at + 1}`}, ' ', ...saysAt(film, at, 'b')];
  return [...first, ', ', {em: `glimpse ${other + 1}`}, ' ', ...saysAt(film, other, 'em'), '.'];
}
function oneGlimpse(film, k) {
  const {best, p} = film;
  const seen = wholePercent(film.shares[k]);
  const wrong = wrongAt(film, k);
  const truth = wrong ? named(film.classes[film.label]) : '';
  if (k && best[k] !== best[k - 1]) {
    const [was, now] = [k - 1, k].map(t => named(film.classes[best[t]]));
    return [
      `Glimpse ${k + 1} changes its mind: `,
      strong(was),
      ' becomes ',
      {[wrong ? 'u' : 'b']: now},
      ', ',
      strong(portion(p[k][best[k]])),
      `, with ${seen} of the pixels seen${wrong ? `; it is ${truth}` : ''}.`,
    ];
  }
  const start = `After ${k + 1} glimpse${k ? 's' : ''}, ${seen} of the pixels, it `;
  const after = [start, ...saysAt(film, k, 'b'), '.'];
  if (!wrong) return after;
  const surer = k > 0 && p[k][best[k]] > p[k - 1][best[k]];
  return [...after, ` ${surer ? 'Surer, not right: it' : 'It'} is `, strong(truth), '.'];
}

// ---- drawings
function writtenThere(film, {region}) {
  const written = film.regions.map(row => row[region]);
  const best = written.indexOf(Math.max(...written));
  if (written[best] < WRITTEN) return ['This place: no window has written here.'];
  return ['This place: ', {em: `window ${best + 1}`}, ' writes most of it.'];
}
function twoCanvases(film, {at, other}) {
  return [
    'From ',
    {b: `window ${at + 1}`},
    ' to ',
    {em: `window ${other + 1}`},
    ` the ${film.goal} goes from ${wholePercent(film.done[at])} to `,
    strong(wholePercent(film.done[other])),
    '.',
  ];
}
function oneCanvas(film, k) {
  const {T, gains, windows, done} = film;
  const gain = gains[k];
  const change =
    gain >= 0 ? ['added ', {b: wholePercent(gain)}] : ['took ', {u: wholePercent(-gain)}, ' away'];
  const area = ([, , width, height]) => width * height;
  const coarse = area(windows[0]) >= COARSE * area(windows[T - 1]) && gains[0] > gain && gain >= 0;
  if (k === T - 1 && T > 1 && coarse) {
    return ['Coarse first, detail last: the last of ', strong(T), ' windows ', ...change, '.'];
  }
  const start = `After ${k + 1} of ${T} window${T > 1 ? 's' : ''} `;
  const there = [strong(wholePercent(done[k])), ` of the ${film.goal} is there: this one `];
  return [start, ...there, ...change, '.'];
}
