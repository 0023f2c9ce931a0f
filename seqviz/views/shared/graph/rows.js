// Operations that turn each row of numbers along an axis into a row: softmax, sums, orders, norms.

import {Tensor, realAxis, flat, sizeOf, withAxes} from './tensors.js';

// The tensor with the axis last, and what puts a result's axes back.
function axisLast(a, axis) {
  const axes = a.shape.map((_, i) => i);
  if (!axes.length) return [a, b => b];
  const [moved] = axes.splice(realAxis(axis, axes.length), 1);
  axes.push(moved);
  const back = axes.map((_, i) => axes.indexOf(i));
  return [withAxes(a, axes), b => withAxes(b, back)];
}
/**
 * Gives f each row of an axis, and where its result is to stand.
 * @param {Function} Kind the typed array of the result
 * @param {Tensor} a
 * @param {number} axis
 * @param {(numbers: ArrayLike<number>, start: number, end: number, out: ArrayLike<number>) => void}
 * f writes out[start] to before out[end]
 * @returns {Tensor} of the same shape
 */
function byRow(Kind, a, axis, f) {
  const [rows, back] = axisLast(a, axis);
  const numbers = flat(rows);
  const out = new Kind(numbers.length);
  const length = rows.shape.at(-1) ?? 1;
  for (let start = 0; start < out.length; start += length) f(numbers, start, start + length, out);
  return back(new Tensor(out, rows.shape));
}
function largestOf(x, start, end) {
  let most = -Infinity;
  for (let i = start; i < end; i++) if (x[i] > most) most = x[i];
  return most;
}
// exp(x_i) / sum_j exp(x_j); less the largest, so that no exp is infinite.
function softmaxRow(x, start, end, out) {
  const most = largestOf(x, start, end);
  let sum = 0;
  for (let i = start; i < end; i++) sum += out[i] = Math.exp(x[i] - most);
  for (let i = start; i < end; i++) out[i] /= sum;
}
function logSoftmaxRow(x, start, end, out) {
  const most = largestOf(x, start, end);
  let sum = 0;
  for (let i = start; i < end; i++) sum += Math.exp(x[i] - most);
  const shift = most + Math.log(sum);
  for (let i = start; i < end; i++) out[i] = x[i] - shift;
}
const running = step => (Kind, a, axis) =>
  byRow(Kind, a, axis, (x, start, end, out) => {
    let so = x[start];
    out[start] = so;
    for (let i = start + 1; i < end; i++) out[i] = so = step(so, x[i]);
  });

// The places of a row's first `count` numbers in order; NaN is the largest, equal ones stay so.
function orderOfRow(x, start, end, descending, count) {
  const compare = (a, b) => (a < b || (b !== b && a === a) ? -1 : a > b || a !== a ? 1 : 0);
  const places = Array.from({length: end - start}, (_, i) => i);
  const rising = (i, j) =>
    x[start + i] === x[start + j] ? 0 : compare(x[start + i], x[start + j]);
  places.sort((i, j) => (descending ? rising(j, i) : rising(i, j)));
  return places.slice(0, count);
}
/**
 * The first `most` numbers of each row in order, and where they stood.
 * @returns {[Tensor, Tensor]} values and places
 */
function sorted(Kind, a, axis = -1, descending = false, most = null) {
  const [rows, back] = axisLast(a, axis);
  const numbers = flat(rows);
  const length = rows.shape.at(-1) ?? 1;
  const count = most ?? length;
  const shape = rows.shape.length ? rows.shape.with(-1, count) : [];
  const values = new Kind(sizeOf(shape));
  const places = new Float64Array(sizeOf(shape));
  let at = 0;
  for (let start = 0; start < numbers.length; start += length) {
    for (const place of orderOfRow(numbers, start, start + length, descending, count)) {
      values[at] = numbers[start + place];
      places[at++] = place;
    }
  }
  return [back(new Tensor(values, shape)), back(new Tensor(places, shape))];
}

/** The mean of a row, and the sum of squares around it. */
export function momentsOf(x, start, end) {
  let sum = 0;
  for (let i = start; i < end; i++) sum += x[i];
  const mean = sum / (end - start);
  let squares = 0;
  for (let i = start; i < end; i++) squares += (x[i] - mean) ** 2;
  return [mean, squares];
}
// (x - mean) / sqrt(variance + eps) of each row of `length` numbers; times a weight, and a bias,
// of which number i takes that at `channel(i)`.
function normalized(a, length, eps, weight, bias, channel) {
  const x = flat(a);
  const out = new Float32Array(x.length);
  const gains = weight && flat(weight);
  const shifts = bias && flat(bias);
  for (let start = 0; start < x.length; start += length) {
    const [mean, squares] = momentsOf(x, start, start + length);
    const rate = 1 / Math.sqrt(squares / length + eps);
    for (let i = start; i < start + length; i++) {
      const c = channel(i);
      out[i] = (x[i] - mean) * rate * (gains ? gains[c] : 1) + (shifts ? shifts[c] : 0);
    }
  }
  return [new Tensor(out, a.shape)];
}
function layerNorm(_, a, shape, weight, bias, eps) {
  const length = sizeOf(shape);
  return normalized(a, length, eps, weight, bias, i => i % length);
}
function groupNorm(_, a, weight, bias, batch, channels, room, groups, eps) {
  const channel = i => Math.floor(i / room) % channels;
  return normalized(a, (channels / groups) * room, eps, weight, bias, channel);
}
function batchNorm(_, a, weight, bias, mean, variance, momentum, eps) {
  const x = flat(a);
  const [gains, shifts] = [weight && flat(weight), bias && flat(bias)];
  const [means, variances] = [flat(mean), flat(variance)];
  const room = sizeOf(a.shape.slice(2));
  const out = new Float32Array(x.length);
  for (let i = 0; i < out.length; i++) {
    const c = Math.floor(i / room) % a.shape[1];
    const rate = (gains ? gains[c] : 1) / Math.sqrt(variances[c] + eps);
    out[i] = (x[i] - means[c]) * rate + (shifts ? shifts[c] : 0);
  }
  return [new Tensor(out, a.shape)];
}
/** Operations on rows. */
export const rowOperations = {
  _softmax: (Kind, a, axis) => byRow(Kind, a, axis, softmaxRow),
  _log_softmax: (Kind, a, axis) => byRow(Kind, a, axis, logSoftmaxRow),
  cumsum: running((so, x) => so + x),
  cumprod: running((so, x) => so * x),
  sort: sorted,
  'sort.stable': (Kind, a, stable, axis, descending) => sorted(Kind, a, axis, descending),
  topk: (Kind, a, count, axis = -1, largest = true) => sorted(Kind, a, axis, largest, count),
  native_layer_norm: layerNorm,
  native_group_norm: groupNorm,
  _native_batch_norm_legit_no_training: batchNorm,
};
