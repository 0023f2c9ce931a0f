// Convolutions and pools: windows over a padded tensor, multiplied with kernels or reduced.

import {zipped} from './elementwise.js';
import {batchProducts} from './products.js';
import {mostIn, reduced, sumOf} from './reducing.js';
import {expanded, padded, viewed, windowed} from './shaping.js';
import {Tensor, inOrder, sizeOf} from './tensors.js';

const onBothSides = padding => padding.toReversed().flatMap(pad => [pad, pad]);
// Windows over the last axes, (..., place, kernel): a view.
function windowsOver(a, kernel, steps, spreads) {
  const first = a.shape.length - kernel.length;
  const window = (length, i) => ({axis: first + i, length, step: steps[i], spread: spreads[i]});
  return windowed(a, kernel.map(window));
}
// The sum of each window times each kernel, as a product of matrices: (batch, channel, place ...)
// and (output channel, channel of a group, kernel ...) to (batch, output channel, place ...).
function convolution(Kind, a, weight, bias, ...settings) {
  const [stride, padding, dilation, transposed, , groups] = settings;
  if (transposed) throw new Error('transposed convolutions are not known here');
  const [batch, outputs, depth] = [a.shape[0], weight.shape[0], sizeOf(weight.shape.slice(1))];
  const kernel = weight.shape.slice(2);
  const perAxis = setting => kernel.map((_, i) => setting[i] ?? setting[0]);
  const inner = padded(Kind, a, onBothSides(perAxis(padding)));
  const windows = windowsOver(inner, kernel, perAxis(stride), perAxis(dilation));
  // (batch, channel, place ..., kernel ...) to (batch * group, depth, place)
  const axes = windows.shape.map((_, axis) => axis);
  const places = axes.slice(2, 2 + kernel.length);
  const order = [0, ...places, 1, ...axes.slice(2 + kernel.length)];
  const patches = viewed(inOrder(windows, order), [batch, -1, groups, depth]);
  const columns = viewed(inOrder(patches, [0, 2, 3, 1]), [batch * groups, depth, -1]);
  const kernels = viewed(weight, [1, groups, outputs / groups, depth]);
  const rows = viewed(expanded(kernels, [batch, -1, -1, -1]), [batch * groups, -1, depth]);
  const lengths = places.map(axis => windows.shape[axis]);
  const sums = viewed(batchProducts(Kind, rows, columns), [batch, outputs, ...lengths]);
  if (!bias) return sums;
  return zipped(Kind, sums, viewed(bias, [outputs, ...lengths.map(() => 1)]), (x, y) => x + y);
}
// The windows of a pool, (..., height, width, kernel height, kernel width): `around` stands in the
// padding, `beyond` it what a last window reads that lies half outside (`ceil`).
function poolWindows(Kind, a, {kernel, stride, padding, dilation, ceil}, around, beyond) {
  const steps = stride.length ? stride : kernel;
  const more = kernel.map((size, i) => {
    const length = a.shape.at(i - 2);
    const room = length + 2 * padding[i] - dilation[i] * (size - 1) - 1;
    const lastStart = Math.ceil(room / steps[i]) * steps[i];
    return ceil && lastStart < length + padding[i] ? lastStart - room : 0;
  });
  const inner = padded(Kind, a, onBothSides(padding), around);
  const whole = padded(Kind, inner, [0, more[1], 0, more[0]], beyond);
  return windowsOver(whole, kernel, steps, dilation);
}
const overWindows = (Kind, windows, f) => reduced(Kind, windows, [-2, -1], false, f);
function maxPool(Kind, a, kernel, stride, padding, dilation, ceil) {
  const pool = {kernel, stride, padding, dilation, ceil};
  return [overWindows(Kind, poolWindows(Kind, a, pool, -Infinity, -Infinity), mostIn)];
}
function averagePool(Kind, a, kernel, stride, padding, ceil, countsPadding, divisor) {
  const pool = {kernel, stride, padding, dilation: [1, 1], ceil};
  const sums = overWindows(Kind, poolWindows(Kind, a, pool, 0, 0), sumOf);
  if (divisor) return zipped(Kind, sums, divisor, (sum, count) => sum / count);
  const ones = expanded(new Tensor(Kind.of(1), [1, 1]), a.shape.slice(-2));
  const counted = poolWindows(Kind, ones, pool, countsPadding ? 1 : 0, 0);
  return zipped(Kind, sums, overWindows(Kind, counted, sumOf), (sum, count) => sum / count);
}
/** Convolutions and pools. */
export const convolvingOperations = {
  convolution,
  max_pool2d_with_indices: maxPool,
  avg_pool2d: averagePool,
};
