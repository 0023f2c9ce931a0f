// Operations that turn each row of numbers along an axis into a row: softmax, sums, orders, norms.

import {zipped} from './elementwise.js';
import {filled, viewed} from './shaping.js';
import {Tensor, flat, inOrder, orderBack, realAxis, sizeOf} from './tensors.js';

// The tensor with the axis last, and what puts a result's axes back.
function axisLast(a, axis) {
  const order = a.shape.map((_, i) => i);
  order.push(...order.splice(realAxis(axis, order.length), 1));
  return [inOrder(a, order), b => inOrder(b, orderBack(order))];
}
// A tensor of the same shape: f(numbers, start, end, out) writes a row of the axis from `start` on.
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

// Below 0 if x comes before y: NaN is the largest.
const rising = (x, y) => x - y || Number.isNaN(x) - Number.isNaN(y);
// The places of a row's numbers in order; equal ones stay in theirs.
function orderOfRow(row, descending) {
  const compare = descending ? (i, j) => rising(row[j], row[i]) : (i, j) => rising(row[i], row[j]);
  return Array.from(row, (_, i) => i).sort(compare);
}
// The first `most` numbers of each row in order, and where they stood.
function sorted(Kind, a, axis = -1, descending = false, most = null) {
  const [rows, back] = axisLast(a, axis);
  const numbers = flat(rows);
  const length = rows.shape.at(-1) ?? 1;
  const shape = rows.shape.length ? rows.shape.with(-1, most ?? length) : [];
  const [values, places] = [filled(Kind, shape), filled(Float64Array, shape)];
  let at = 0;
  for (let start = 0; start < numbers.length; start += length) {
    const row = numbers.subarray(start, start + length);
    for (const place of orderOfRow(row, descending).slice(0, most ?? length)) {
      values.values[at] = row[place];
      places.values[at++] = place;
    }
  }
  return [back(values), back(places)];
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
// Times a weight, plus a bias, where there are such.
function affine(Kind, a, weight, bias) {
  const times = weight ? zipped(Kind, a, weight, (x, w) => x * w) : a;
  return bias ? zipped(Kind, times, bias, (x, b) => x + b) : times;
}
// (x - mean) / sqrt(variance + eps) of each row of so many numbers
function normalized(Kind, a, length, eps) {
  const rows = viewed(a, [-1, length]);
  const normal = byRow(Kind, rows, 1, (x, start, end, out) => {
    const [mean, squares] = momentsOf(x, start, end);
    const rate = 1 / Math.sqrt(squares / length + eps);
    for (let i = start; i < end; i++) out[i] = (x[i] - mean) * rate;
  });
  return viewed(normal, a.shape);
}
const layerNorm = (Kind, a, shape, weight, bias, eps) => [
  affine(Kind, normalized(Kind, a, sizeOf(shape), eps), weight, bias),
];
// (channel) as (channel, 1, ...): one number for all places of a channel
const forChannels = (values, a) => values && viewed(values, [-1, ...a.shape.slice(2).map(() => 1)]);
function groupNorm(Kind, a, weight, bias, batch, channels, room, groups, eps) {
  const normal = normalized(Kind, a, (channels / groups) * room, eps);
  return [affine(Kind, normal, forChannels(weight, a), forChannels(bias, a))];
}
function batchNorm(Kind, a, weight, bias, mean, variance, momentum, eps) {
  const centred = zipped(Kind, a, forChannels(mean, a), (x, m) => x - m);
  const normal = zipped(Kind, centred, forChannels(variance, a), (x, v) => x / Math.sqrt(v + eps));
  return [affine(Kind, normal, forChannels(weight, a), forChannels(bias, a))];
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
