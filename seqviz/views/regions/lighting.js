// Light is attention: a picture is dimmed, and lit where a step attends, has seen, or writes.

const DIMMED = 0.3; // of the light stays where there is none
const NIGHT = [11, 17, 32]; // what unlit parts fade to
const LIFT = 0.7; // power of weight / largest: small weights stay in sight
const DARK = 60; // a picture whose middle shade is darker is lifted, else no light is seen on it
const LIFTED = 46;
const PAPER = [216, 212, 203]; // of the ramp

/** Which region a pixel lies in. */
export const regionAt = ({rows, columns, h, w}, x, y) =>
  Math.floor((y * rows) / h) * columns + Math.floor((x * columns) / w);
/** The largest weight of a step on any region, or of all steps. */
export const largestWeight = (film, k, scale) =>
  scale === 'one'
    ? Math.max(...film.regions.map(row => Math.max(...row)))
    : Math.max(...film.regions[k]);
/** What a pixel gets of the light at a step, from 0 to 1: a function of x and y. */
export function lightOf(film, k, scale) {
  if (film.kind === 'glimpses') return (x, y) => film.light[k][y * film.w + x] / 255;
  if (film.kind === 'drawing') return inWindow(film, k);
  const top = largestWeight(film, k, scale) || 1;
  const lit = Array.from(film.regions[k], weight => (weight / top) ** LIFT);
  return (x, y) => lit[regionAt(film, x, y)];
}
// A canvas is in half light outside of the window.
function inWindow({windows}, k) {
  const [cx, cy, width, height] = windows[k];
  const share = (middle, size, at) =>
    Math.max(0, Math.min(middle + size / 2, at + 1) - Math.max(middle - size / 2, at));
  return (x, y) => 0.5 + 0.5 * Math.min(1, share(cx, width, x) * share(cy, height, y));
}
const GREY = {from: [66, 78, 102], times: [0.741, 0.694, 0.6]};
// A channel of a grey as it is painted: dark grey is blue, so that unlit black is not lit black.
const ink = (shade, c) => GREY.from[c] + GREY.times[c] * shade;
/** A colour in a light from 0 to 1. */
export const dimmed = (rgb, light) =>
  rgb.map((v, j) => NIGHT[j] + (v - NIGHT[j]) * (DIMMED + (1 - DIMMED) * light));
/** The colour of the light's scale at a share of the largest weight. */
export const rampColour = share =>
  dimmed(PAPER, share ** LIFT)
    .map(Math.round)
    .join();
const toned = new WeakMap(); // of shades that came: as they are painted in light, and plain
// Red, green and blue of each pixel; a dark picture that is to be lit is lifted.
function tonedShades(film, bytes, lit) {
  const known = toned.get(bytes) ?? {};
  toned.set(bytes, known);
  known[lit] ??= film.coloured
    ? lifted(bytes, lit && middleShade(bytes) < DARK ? LIFTED : 0)
    : Uint8ClampedArray.from({length: 3 * bytes.length}, (_, i) => ink(bytes[(i / 3) | 0], i % 3));
  return known[lit];
}
const lifted = (bytes, add) =>
  Uint8ClampedArray.from(bytes, shade => add + (1 - add / 255) * shade);
function middleShade(bytes) {
  const some = Array.from({length: 301}, (_, k) => bytes[Math.floor((k / 301) * bytes.length)]);
  return some.sort((a, b) => a - b)[150];
}
/**
 * The picture of a step, RGBA row by row, in a size; each pixel is the nearest one of the film.
 * @param {Object} film
 * @param {number} k the step
 * @param {'own' | 'one' | 'off'} scale
 * @param {[number, number]} [size] width and height
 */
export function paintedStep(film, k, scale, [width, height] = [film.w, film.h]) {
  const lit = scale !== 'off';
  const light = lit ? lightOf(film, k, scale) : () => 1;
  const shades = tonedShades(film, film.kind === 'drawing' ? film.canvases[k] : film.base, lit);
  const out = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let j = 0; j < height; j++) {
    const y = Math.floor((j * film.h) / height);
    for (let i = 0; i < width; i++) {
      const x = Math.floor((i * film.w) / width);
      const from = 3 * (y * film.w + x);
      const to = 4 * (j * width + i);
      const share = DIMMED + (1 - DIMMED) * light(x, y);
      for (let c = 0; c < 3; c++) out[to + c] = NIGHT[c] + (shades[from + c] - NIGHT[c]) * share;
    }
  }
  return out;
}
/** A canvas without light; values below none, where ink was taken, are darker than the ground. */
export function paintedShades(values) {
  const out = new Uint8ClampedArray(4 * values.length);
  values.forEach((v, i) => {
    const shade = Math.max(-80, Math.min(255, v));
    out.set([ink(shade, 0), ink(shade, 1), ink(shade, 2), 255], 4 * i);
  });
  return out;
}
