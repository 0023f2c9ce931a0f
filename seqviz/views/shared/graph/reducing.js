// Operations that make one number of each row: over some axes, or over all.

import {momentsOf} from './rows.js';
import {Tensor, realAxis, flat, sizeOf, withAxes} from './tensors.js';

/**
 * f of the numbers along some axes.
 * @param {Function} Kind the typed array of the result
 * @param {Tensor} a
 * @param {number | number[] | null} axes none: all
 * @param {boolean} keep whether these axes stay, of length one
 * @param {(numbers: ArrayLike<number>, start: number, end: number) => number} f
 * @returns {Tensor}
 */
export function reduced(Kind, a, axes, keep, f) {
  const all = a.shape.map((_, axis) => axis);
  const given = axes === null || axes === undefined ? [] : [axes].flat();
  const gone = given.length ? given.map(axis => realAxis(axis, all.length)) : all;
  const rest = all.filter(axis => !gone.includes(axis));
  const numbers = flat(withAxes(a, [...rest, ...all.filter(axis => gone.includes(axis))]));
  const shape = rest.map(axis => a.shape[axis]);
  const out = new Kind(sizeOf(shape));
  const length = numbers.length / out.length;
  for (let i = 0; i < out.length; i++) out[i] = f(numbers, i * length, (i + 1) * length);
  const kept = a.shape.map((own, axis) => (gone.includes(axis) ? 1 : own));
  return new Tensor(out, keep ? kept : shape);
}
const over = f => (Kind, a, axes, keep) => reduced(Kind, a, axes, keep, f);
const overAll = f => (Kind, a) => reduced(Kind, a, null, false, f);

function gathered(first, step) {
  return (x, start, end) => {
    let so = first;
    for (let i = start; i < end; i++) so = step(so, x[i]);
    return so;
  };
}
/** The sum of a row. */
export const sumOf = gathered(0, (so, x) => so + x);
const productOf = gathered(1, (so, x) => so * x);
/** The largest number of a row: NaN, if there is one. */
export const mostIn = gathered(-Infinity, Math.max);
const leastIn = gathered(Infinity, Math.min);
const averageOf = (x, start, end) => sumOf(x, start, end) / (end - start);
const anyOf = gathered(0, (so, x) => (so || x !== 0 ? 1 : 0));
// Where the first of the largest stands, or the first NaN.
function placeOfMost(x, start, end) {
  let best = start;
  for (let i = start; i < end && x[best] === x[best]; i++) {
    if (x[i] > x[best] || x[i] !== x[i]) best = i;
  }
  return best - start;
}
const placeOfLeast = (x, start, end) =>
  placeOfMost(
    x.slice(start, end).map(v => -v),
    0,
    end - start,
  );
const withPlaces = (f, place) => (Kind, a, axis, keep) => [
  reduced(Kind, a, axis, keep, f),
  reduced(Float64Array, a, axis, keep, place),
];
const variance = root => (Kind, a, axes, correction, keep) =>
  reduced(Kind, a, axes, keep, (x, start, end) => {
    const [, squares] = momentsOf(x, start, end);
    return root(squares / Math.max(0, end - start - (correction ?? 1)));
  });
// (sum of |x|^p)^(1/p), and its limits.
function vectorNorm(Kind, a, p = 2, axes, keep) {
  const of = {
    [Infinity]: gathered(0, (so, x) => Math.max(so, Math.abs(x))),
    [-Infinity]: gathered(Infinity, (so, x) => Math.min(so, Math.abs(x))),
    0: gathered(0, (so, x) => so + (x !== 0)),
  };
  const powers = gathered(0, (so, x) => so + Math.abs(x) ** p);
  return reduced(Kind, a, axes, keep, of[p] ?? ((...row) => powers(...row) ** (1 / p)));
}
// How many numbers fall into each of `bins` equal parts of low to high, which count both.
function histogram(Kind, a, bins = 100, low = 0, high = 0) {
  const x = flat(a);
  const [from, to] = low === high ? [mostOrNone(x, -1), mostOrNone(x, 1)] : [low, high];
  const [least, most] = from === to ? [from - 1, to + 1] : [from, to];
  const out = new Kind(bins);
  for (const one of x) {
    const bin = Math.floor(((one - least) / (most - least)) * bins);
    if (one >= least && one <= most) out[Math.min(bin, bins - 1)]++;
  }
  return new Tensor(out, [bins]);
}
const mostOrNone = (x, sign) =>
  x.length ? sign * x.reduce((so, v) => Math.max(so, sign * v), -Infinity) : 0;
/** Operations that make one number of many. */
export const reducingOperations = {
  sum: overAll(sumOf),
  'sum.dim_IntList': over(sumOf),
  mean: overAll(averageOf),
  'mean.dim': over(averageOf),
  prod: overAll(productOf),
  'prod.dim_int': over(productOf),
  max: overAll(mostIn),
  amax: over(mostIn),
  min: overAll(leastIn),
  amin: over(leastIn),
  'max.dim': withPlaces(mostIn, placeOfMost),
  'min.dim': withPlaces(leastIn, placeOfLeast),
  argmax: over(placeOfMost),
  argmin: over(placeOfLeast),
  any: overAll(anyOf),
  'any.dim': over(anyOf),
  'any.dims': over(anyOf),
  'var.correction': variance(x => x),
  'std.correction': variance(Math.sqrt),
  linalg_vector_norm: vectorNorm,
  histc: histogram,
};
