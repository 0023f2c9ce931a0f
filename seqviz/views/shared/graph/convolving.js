// Convolutions and pools: windows over a padded tensor, multiplied with kernels or reduced.

import {zipped} from './elementwise.js';
import {batchProducts} from './products.js';
import {mostIn, reduced, sumOf} from './reducing.js';
import {expanded, padded, viewed, windowed} from './shaping.js';
import {Tensor, sizeOf, withAxes} from './tensors.js';

const upTo = count => Array.from({length: count}, (_, i) => i);
// Settings for each of the last axes; a single one counts for all.
const forEachAxis = (setting, count, otherwise) =>
  upTo(count).map(i => setting?.[i] ?? setting?.[0] ?? otherwise);
const onBothSides = padding => padding.toReversed().flatMap(pad => [pad, pad]);
// (..., places, kernel): a view.
function windowsOver(a, kernel, stride, dilation) {
  const first = a.shape.length - kernel.length;
  return windowed(
    a,
    kernel.map((length, i) => ({axis: first + i, length, step: stride[i], spread: dilation[i]})),
  );
}
/**
 * The sum of each window times each kernel: a product of matrices.
 * @param {Function} Kind
 * @param {Tensor} a (batch, channel, places ...)
 * @param {Tensor} weight (output channel, channel of a group, kernel ...)
 * @param {Tensor | null} bias (output channel)
 * @returns {Tensor} (batch, output channel, places ...)
 */
function convolution(
  Kind,
  a,
  weight,
  bias,
  stride,
  padding,
  dilation,
  transposed,
  outputPadding,
  groups,
) {
  if (transposed) throw new Error('transposed convolutions are not known here');
  const [batch] = a.shape;
  const [outputs, channels, ...kernel] = weight.shape;
  const along = kernel.length;
  const whole = padded(Kind, a, onBothSides(forEachAxis(padding, along, 0)));
  const windows = windowsOver(
    whole,
    kernel,
    forEachAxis(stride, along, 1),
    forEachAxis(dilation, along, 1),
  );
  const places = windows.shape.slice(2, 2 + along);
  const depth = channels * sizeOf(kernel);
  const order = [0, ...upTo(along).map(i => 2 + i), 1, ...upTo(along).map(i => 2 + along + i)];
  // (batch, place, group, depth), then (batch * group, depth, place)
  const patches = viewed(withAxes(windows, order), [batch, sizeOf(places), groups, depth]);
  const columns = viewed(withAxes(patches, [0, 2, 3, 1]), [batch * groups, depth, -1]);
  const kernels = viewed(weight, [1, groups, outputs / groups, depth]);
  const rows = viewed(expanded(kernels, [batch, -1, -1, -1]), [batch * groups, -1, depth]);
  const sums = viewed(batchProducts(Kind, rows, columns), [batch, outputs, ...places]);
  if (!bias) return sums;
  return zipped(Kind, sums, viewed(bias, [outputs, ...places.map(() => 1)]), (x, y) => x + y);
}

/**
 * The windows of a pool over the last two axes.
 * @param {Function} Kind
 * @param {Tensor} a (..., height, width)
 * @param {Object} pool its settings, as torch gives them
 * @param {number} around what stands in the padding
 * @param {number} beyond what stands behind that, where a last window lies half outside (`ceil`)
 * @returns {Tensor} (..., height, width, kernel height, kernel width)
 */
function poolWindows(Kind, a, pool, around, beyond) {
  const sizes = forEachAxis(pool.kernel, 2);
  const steps = forEachAxis(pool.stride?.length ? pool.stride : sizes, 2);
  const pads = forEachAxis(pool.padding, 2, 0);
  const spreads = forEachAxis(pool.dilation, 2, 1);
  const more = sizes.map((size, i) => {
    const length = a.shape.at(i - 2);
    const room = length + 2 * pads[i] - spreads[i] * (size - 1) - 1;
    const lastStart = Math.ceil(room / steps[i]) * steps[i];
    return pool.ceil && lastStart < length + pads[i] ? lastStart - room : 0;
  });
  const inner = padded(Kind, a, onBothSides(pads), around);
  return windowsOver(padded(Kind, inner, [0, more[1], 0, more[0]], beyond), sizes, steps, spreads);
}
const overWindows = (Kind, windows, f) => reduced(Kind, windows, [-2, -1], false, f);
function maxPool(Kind, a, kernel, stride, padding, dilation, ceil) {
  const pool = {kernel, stride, padding, dilation, ceil};
  return [overWindows(Kind, poolWindows(Kind, a, pool, -Infinity, -Infinity), mostIn)];
}
function averagePool(Kind, a, kernel, stride, padding, ceil, countsPadding = true, divisor = null) {
  const pool = {kernel, stride, padding, ceil};
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
