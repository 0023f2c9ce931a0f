// What travels of a film: numbers, then pictures of a byte a value.

const LENGTH = 4; // bytes that say how many numbers there are

/** Numbers and bytes of a part, as films.py packs them. */
export function readFilm(view) {
  const start = view.byteOffset + LENGTH;
  const end = start + 4 * view.getUint32(0, true);
  return {
    numbers: new Float32Array(view.buffer.slice(start, end)),
    bytes: new Uint8Array(view.buffer, end, view.byteOffset + view.byteLength - end),
  };
}
// Takes one piece after another from an array.
function taker(array) {
  let next = 0;
  const piece = count => array.subarray(next, (next += count));
  const rows = (count, length) => Array.from({length: count}, () => piece(length));
  return {piece, rows};
}
const FILMS = {caption: captionOf, question: captionOf, glimpses: glimpsesOf, drawing: drawingOf};
/**
 * A film, with its facts and its numbers by name: arrays for each step.
 * @param {Object} facts what films.py tells of it
 * @param {{numbers: Float32Array, bytes: Uint8Array}} part
 */
export function filmOf(facts, {numbers, bytes}) {
  const [h, w] = facts.size;
  const [rows, columns] = facts.grid;
  const shape = {T: facts.steps, h, w, rows, columns, R: rows * columns};
  const film = {...facts, ...shape};
  const values = taker(numbers);
  film.regions = values.rows(film.T, film.R);
  return {...film, ...FILMS[facts.kind](film, values, taker(bytes))};
}
const pictureBytes = ({h, w, coloured}) => h * w * (coloured ? 3 : 1);

function captionOf(film, values, shades) {
  const {T, R, boxes} = film;
  const inside = values.rows(T, boxes.length + 1);
  const areas = values.piece(boxes.length + 1);
  const corners = values.rows(boxes.length, 4);
  const places = values.piece(R);
  const alternatives = film.alternatives.map(words => {
    const p = values.piece(words.length);
    return words.map((word, k) => ({word, p: p[k]}));
  });
  const half = film.regions.map(heaviest);
  const base = shades.piece(pictureBytes(film));
  return {inside, areas, corners, places, alternatives, half, base};
}
function glimpsesOf(film, values, shades) {
  const {T, h, w, classes} = film;
  const windows = values.rows(T, 4);
  const shares = values.piece(T);
  const p = values.rows(T, classes.length);
  const base = shades.piece(pictureBytes(film));
  return {windows, shares, p, best: p.map(largestAt), base, light: shades.rows(T, h * w)};
}
function drawingOf(film, values, shades) {
  const {T, h, w, classes} = film;
  const windows = values.rows(T, 4);
  const done = values.piece(T);
  const p = values.rows(T, classes.length);
  const gains = Array.from(done, (share, k) => share - (k ? done[k - 1] : 0));
  const canvases = shades.rows(T, h * w);
  const target = shades.piece(h * w);
  const best = classes.length ? p.map(largestAt) : [];
  return {windows, done, gains, p, best, canvases, target};
}
const largestAt = row => row.indexOf(Math.max(...row));

/** The fewest regions that hold half of all weight, the heaviest first. */
export function heaviest(weights) {
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const half = weights.reduce((all, weight) => all + weight, 0) / 2;
  let held = 0;
  return order.filter(r => {
    const more = held < half;
    held += weights[r];
    return more;
  });
}
