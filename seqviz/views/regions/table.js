// What a film of steps shows, as rows of a table; table.py makes the same.

const HEADER = ['pane', 'step', 'item', 'quantity', 'value'];
const SIDES = ['x', 'y', 'width', 'height'];

/** A region by its row and column. */
export const placeName = ({columns}, r) =>
  `row ${Math.floor(r / columns) + 1}, column ${(r % columns) + 1}`;
/** Rows of what is on screen: every step, the readout of those in focus, the region. */
export function tableRows(film, {at, other, region}) {
  const [steps, readout] = ROWS[film.kind] ?? [wordRows, attendedRows];
  const looked = [at, other].filter(k => k !== null);
  const every = Array.from({length: film.T}, (_, k) => k);
  const rows = [...every.flatMap(k => steps(film, k)), ...looked.flatMap(k => readout(film, k))];
  if (region === null) return [HEADER, ...rows];
  const there = every.map(k => [
    'region',
    String(k + 1),
    placeName(film, region),
    'share',
    film.regions[k][region],
  ]);
  return [HEADER, ...rows, ...there];
}
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
function glimpseRows(film, k) {
  const best = film.best[k];
  const step = String(k + 1);
  return [
    ['glimpses', step, film.classes[best], 'probability', film.p[k][best]],
    ['glimpses', step, 'picture', 'share seen', film.shares[k]],
  ];
}
function canvasRows(film, k) {
  const step = String(k + 1);
  return [
    ['canvases', step, film.goal, 'share there', film.done[k]],
    ['canvases', step, film.goal, 'share added', film.gains[k]],
  ];
}
function windowRows(film, k) {
  const step = String(k + 1);
  const says = film.classes.map((name, c) => ['says', step, name, 'probability', film.p[k][c]]);
  const frame = SIDES.map((side, j) => ['window', step, side, 'pixels', film.windows[k][j]]);
  return [...says, ...frame];
}
const ROWS = {glimpses: [glimpseRows, windowRows], drawing: [canvasRows, windowRows]};
