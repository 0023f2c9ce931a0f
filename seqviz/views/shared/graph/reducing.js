// Operations that make one number of each row: over some axes, or over all.

import {momentsOf} from './rows.js';
import {filled} from './shaping.js';
import {Tensor, realAxis, flat, sizeOf, inOrder} from './tensors.js';

/**
 * f(numbers, start, end) of the numbers along some axes, or along all if none are named; with
 * `keep` these axes stay, of length one.
 */
export function reduced(Kind, a, axes, keep, f) {
  const all = a.shape.map((_, axis) => axis);
  const given = [axes ?? []].flat();
  const gone = given.length ? given.map(axis => realAxis(axis, all.length)) : all;
  const rest = all.filter(axis => !gone.includes(axis));
  const numbers = flat(inOrder(a, [...rest, ...all.filter(axis => gone.includes(axis))]));
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
// Where the first number stands that beats all others, or the first NaN.
const firstPlace = beats => (x, start, end) => {
  let best = start;
  for (let i = start; i < end && x[best] === x[best]; i++) {
    if (beats(x[i], x[best]) || x[i] !== x[i]) best = i;
  }
  return best - start;
};
const placeOfMost = firstPlace((a, b) => a > b);
const placeOfLeast = firstPlace((a, b) => a < b);
const withPlaces = (f, place) => (Kind, a, axis, keep) => [
  reduced(Kind, a, axis, keep, f),
  reduced(Float64Array, a, axis, keep, place),
];
function variance(Kind, a, axes, correction, keep) {
  return reduced(Kind, a, axes, keep, (x, start, end) => {
    const [, squares] = momentsOf(x, start, end);
    return squares / Math.max(0, end - start - (correction ?? 1));
  });
}
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
// How many numbers lie in each of `bins` equal parts of low to high, which by default is all.
function histogram(Kind, a, bins = 100, low = 0, high = 0) {
  const x = flat(a);
  const [from, to] = low < high ? [low, high] : [leastIn(x, 0, x.length), mostIn(x, 0, x.length)];
  const [least, most] = from < to ? [from, to] : [from - 1, to + 1];
  const out = filled(Kind, [bins]);
  for (const one of x) {
    const bin = Math.floor(((one - least) / (most - least)) * bins);
    if (one >= least && one <= most) out.values[Math.min(bin, bins - 1)]++;
  }
  return out;
}
/** Operations that make one number of many. */
export const reducingOperations = {
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
  'var.correction': variance,
  linalg_vector_norm: vectorNorm,
  histc: histogram,
};
