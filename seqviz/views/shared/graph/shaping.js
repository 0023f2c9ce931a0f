// Views, and what puts tensors together: the numbers stay as they are.

import {anyKind} from './lengths.js';
import {
  Tensor,
  realAxis,
  flat,
  mergedAxes,
  shapeText,
  sizeOf,
  stretchedStrides,
  walk,
  withAxes,
} from './tensors.js';

/** The same numbers in another shape; one length may be -1. They are copied only if they must. */
export function viewed(a, shape) {
  const size = sizeOf(a.shape);
  const known = sizeOf(shape.filter(length => length !== -1));
  const whole = shape.map(length => (length === -1 ? size / known : length));
  if (sizeOf(whole) !== size || !whole.every(Number.isInteger)) {
    throw new Error(`shape ${shapeText(a.shape)} does not become ${shapeText(shape)}`);
  }
  const strides = size && splitStrides(a, whole);
  return strides ? new Tensor(a.values, whole, strides, a.offset) : new Tensor(flat(a), whole);
}
// The strides of the lengths that each merged axis is split into; null where one lies across two.
function splitStrides(a, shape) {
  const [lengths, [steps]] = mergedAxes(a.shape, [a.strides]);
  const strides = new Array(shape.length);
  let within = lengths.length;
  let [left, step] = [1, 1];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (left === 1 && shape[axis] !== 1) {
      within--;
      [left, step] = [lengths[within], steps[within]];
    }
    if (left % shape[axis]) return null;
    strides[axis] = step;
    step *= shape[axis];
    left /= shape[axis];
  }
  return strides;
}
/** Stretched to a shape, where -1 keeps a length. */
export function expanded(a, shape) {
  const missing = shape.length - a.shape.length;
  const whole = shape.map((length, axis) => (length === -1 ? a.shape[axis - missing] : length));
  return new Tensor(a.values, whole, stretchedStrides(a, whole), a.offset);
}
/** With a new axis of length one. */
export function unsqueezed(a, axis) {
  axis = realAxis(axis, a.shape.length + 1);
  return new Tensor(
    a.values,
    a.shape.toSpliced(axis, 0, 1),
    a.strides.toSpliced(axis, 0, 0),
    a.offset,
  );
}
function squeezedAxes(a, axes) {
  const named = axes.map(axis => realAxis(axis, a.shape.length));
  const kept = a.shape.map((_, axis) => axis);
  return withAxes(
    a,
    kept.filter(axis => a.shape[axis] !== 1 || !named.includes(axis)),
  );
}
/** What stands at place `i` of an axis, which goes. */
export function selected(a, axis, i) {
  axis = realAxis(axis, a.shape.length);
  const length = a.shape[axis];
  if (i < -length || i >= length) throw new Error(`place ${i} is outside of length ${length}`);
  const offset = a.offset + (i < 0 ? i + length : i) * a.strides[axis];
  return new Tensor(a.values, a.shape.toSpliced(axis, 1), a.strides.toSpliced(axis, 1), offset);
}
/** From place `from` to before `to` of an axis, each `by`th. */
export function sliced(a, axis = 0, from = 0, to = null, by = 1) {
  axis = realAxis(axis, a.shape.length);
  const length = a.shape[axis];
  const inside = place => Math.max(0, Math.min(length, place < 0 ? place + length : place));
  const start = inside(from ?? 0);
  const count = Math.max(0, Math.ceil((inside(to ?? length) - start) / by));
  return new Tensor(
    a.values,
    a.shape.with(axis, count),
    a.strides.with(axis, a.strides[axis] * by),
    a.offset + (count && start * a.strides[axis]),
  );
}
function splitWithSizes(a, sizes, axis = 0) {
  let end = 0;
  return sizes.map(size => sliced(a, axis, end, (end += size)));
}
function diagonal(a, shift = 0, first = 0, second = 1) {
  first = realAxis(first, a.shape.length);
  second = realAxis(second, a.shape.length);
  const rows = sliced(a, first, Math.max(0, -shift));
  const both = sliced(rows, second, Math.max(0, shift));
  const others = a.shape.map((_, axis) => axis).filter(axis => axis !== first && axis !== second);
  const rest = withAxes(both, others);
  const count = Math.min(both.shape[first], both.shape[second]);
  const stride = a.strides[first] + a.strides[second];
  return new Tensor(a.values, [...rest.shape, count], [...rest.strides, stride], both.offset);
}
/**
 * Windows over some axes.
 * @param {Tensor} a
 * @param {{axis: number, length: number, step: number, spread: number}[]} along windows of
 * `length`, each `step` further, of numbers `spread` apart
 * @returns {Tensor} a view: the axes count windows, and behind them all stand the lengths
 */
export function windowed(a, along) {
  const shape = [...a.shape];
  const strides = [...a.strides];
  for (const {axis, length, step, spread} of along) {
    shape[axis] = Math.floor((a.shape[axis] - spread * (length - 1) - 1) / step) + 1;
    strides[axis] = a.strides[axis] * step;
    shape.push(length);
    strides.push(a.strides[axis] * spread);
  }
  return new Tensor(a.values, shape, strides, a.offset);
}
const unfolded = (a, axis, length, step) =>
  windowed(a, [{axis: realAxis(axis, a.shape.length), length, step, spread: 1}]);
function repeated(a, times) {
  const shape = [...Array(times.length - a.shape.length).fill(1), ...a.shape];
  const apart = viewed(
    a,
    shape.flatMap(length => [1, length]),
  );
  const whole = expanded(
    apart,
    shape.flatMap((length, axis) => [times[axis], length]),
  );
  return viewed(
    whole,
    shape.map((length, axis) => length * times[axis]),
  );
}
function flipped(a, axes) {
  const strides = [...a.strides];
  let {offset} = a;
  for (const one of axes) {
    const axis = realAxis(one, a.shape.length);
    offset += Math.max(0, a.shape[axis] - 1) * a.strides[axis];
    strides[axis] = -a.strides[axis];
  }
  return new Tensor(a.values, a.shape, strides, offset);
}
/** Tensors one after the other along an axis; an empty list of numbers fits anywhere. */
export function concatenated(Kind, all, axis = 0) {
  const isBlank = a => a.shape.length === 1 && a.shape[0] === 0;
  const parts = all.every(isBlank) ? all : all.filter(a => !isBlank(a));
  axis = realAxis(axis, parts[0].shape.length);
  const lengths = parts.map(a => a.shape[axis]);
  const shape = parts[0].shape.with(
    axis,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  const inner = sizeOf(shape.slice(axis + 1));
  const outer = sizeOf(shape.slice(0, axis));
  const numbers = parts.map(a => flat(expanded(a, shape.with(axis, -1))));
  const out = new Kind(sizeOf(shape));
  let at = 0;
  for (let i = 0; i < outer; i++) {
    numbers.forEach((part, k) => {
      const row = lengths[k] * inner;
      out.set(part.subarray(i * row, (i + 1) * row), at);
      at += row;
    });
  }
  return new Tensor(out, shape);
}
/** With `pads` numbers before and behind, of the last axis first; negative ones cut. */
export function padded(Kind, a, pads, value = 0) {
  const count = a.shape.length;
  const before = a.shape.map((_, axis) => pads[2 * (count - 1 - axis)] ?? 0);
  const behind = a.shape.map((_, axis) => pads[2 * (count - 1 - axis) + 1] ?? 0);
  let inside = a;
  a.shape.forEach((length, axis) => {
    const [start, end] = [Math.max(0, -before[axis]), length + Math.min(0, behind[axis])];
    inside = sliced(inside, axis, start, end);
  });
  const shape = a.shape.map((length, axis) => length + before[axis] + behind[axis]);
  const out = new Tensor(new Kind(sizeOf(shape)).fill(value), shape);
  const hole = out.strides.reduce((sum, step, axis) => sum + step * Math.max(0, before[axis]), 0);
  copyNumbers(inside, new Tensor(out.values, inside.shape, out.strides, hole));
  return out;
}
/** Writes numbers over those of a tensor of the same shape. */
export function copyNumbers({values, shape, strides, offset}, onto) {
  const out = onto.values;
  walk(shape, [strides, onto.strides], [offset, onto.offset], (count, [p, q], [from, to]) => {
    for (let i = 0; i < count; i++, p += from, q += to) out[q] = values[p];
  });
}
/** A tensor of its own, with numbers in order. */
export const copied = (Kind, a) => new Tensor(Kind.from(flat(a)), a.shape);

const same = a => a;
/** As another kind: floats lose what is behind the point, and what is not 0 is true. */
export function castTo(Kind, a) {
  if (a.values instanceof Kind) return a;
  const numbers = flat(a);
  const [isTruth, cuts] = [Kind === Uint8Array, numbers instanceof Float32Array];
  const convert = isTruth ? x => +(x !== 0) : cuts ? Math.trunc : x => x;
  return new Tensor(Kind.from(numbers, convert), a.shape);
}
/** Operations on shapes. */
export const shapingOperations = {
  ...anyKind({
    view: viewed,
    _unsafe_view: viewed,
    reshape: viewed,
    view_copy: viewed,
    permute: (a, order) =>
      withAxes(
        a,
        order.map(axis => realAxis(axis, order.length)),
      ),
    expand: expanded,
    unsqueeze: unsqueezed,
    unsqueeze_copy: unsqueezed,
    'squeeze.dims': squeezedAxes,
    'squeeze.dim': (a, axis) => squeezedAxes(a, [axis]),
    'select.int': selected,
    'slice.Tensor': sliced,
    split_with_sizes: splitWithSizes,
    diagonal,
    diagonal_copy: diagonal,
    as_strided: (a, shape, strides, offset) => new Tensor(flat(a), shape, strides, offset ?? 0),
    unfold: unfolded,
    unfold_copy: unfolded,
    repeat: repeated,
    flip: flipped,
    clone: same,
    alias: same,
    detach: same,
    lift_fresh_copy: same,
  }),
  _to_copy: castTo,
  copy: (Kind, a, from) => castTo(Kind, expanded(from, a.shape)),
  cat: concatenated,
  constant_pad_nd: padded,
};
