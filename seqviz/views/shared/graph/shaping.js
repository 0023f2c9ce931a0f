// Views, and what puts tensors together: the numbers stay as they are.

import {mapped} from './elementwise.js';
import {anyKind} from './lengths.js';
import {
  Tensor,
  along,
  axisPairs,
  copyNumbers,
  flat,
  inOrder,
  mergedAxes,
  realAxis,
  realPlace,
  shapeText,
  sizeOf,
  stretchedStrides,
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
  let [left, step] = [1, 1];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (left === 1 && shape[axis] !== 1) [left, step] = [lengths.pop(), steps.pop()];
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
export const unsqueezed = (a, axis) =>
  along(a, axisPairs(a).toSpliced(realAxis(axis, a.shape.length + 1), 0, [1, 0]));
function squeezedAxes(a, axes) {
  const named = axes.map(axis => realAxis(axis, a.shape.length));
  const stays = ([length], axis) => length !== 1 || !named.includes(axis);
  return along(a, axisPairs(a).filter(stays));
}
/** What stands at a place of an axis, which goes. */
export function selected(a, axis, place) {
  axis = realAxis(axis, a.shape.length);
  const offset = a.offset + realPlace(place, a.shape[axis]) * a.strides[axis];
  return along(a, axisPairs(a).toSpliced(axis, 1), offset);
}
/** From place `from` to before `to` of an axis, each `by`th. */
export function sliced(a, axis = 0, from = 0, to = null, by = 1) {
  axis = realAxis(axis, a.shape.length);
  const [length, stride] = axisPairs(a)[axis];
  const inside = place => Math.max(0, Math.min(length, place < 0 ? place + length : place));
  const start = inside(from ?? 0);
  const count = Math.max(0, Math.ceil((inside(to ?? length) - start) / by));
  return along(a, axisPairs(a).with(axis, [count, stride * by]), a.offset + start * stride);
}
function split(a, sizes, axis = 0) {
  let end = 0;
  return sizes.map(size => sliced(a, axis, end, (end += size)));
}
function diagonal(a, shift = 0, first = 0, second = 1) {
  const [row, column] = [first, second].map(axis => realAxis(axis, a.shape.length));
  const from = sliced(sliced(a, row, Math.max(0, -shift)), column, Math.max(0, shift));
  const length = Math.min(from.shape[row], from.shape[column]);
  const others = axisPairs(from).filter((_, axis) => axis !== row && axis !== column);
  return along(from, [...others, [length, a.strides[row] + a.strides[column]]]);
}
/**
 * Windows over some axes: a view in which these count windows, and behind all axes stand theirs.
 * @param {Tensor} a
 * @param {{axis: number, length: number, step: number, spread: number}[]} windows of `length`
 * numbers `spread` apart, each `step` further
 * @returns {Tensor}
 */
export function windowed(a, windows) {
  const axes = axisPairs(a);
  for (const {axis, length, step, spread} of windows) {
    const [whole, stride] = axes[axis];
    axes[axis] = [Math.floor((whole - spread * (length - 1) - 1) / step) + 1, stride * step];
    axes.push([length, stride * spread]);
  }
  return along(a, axes);
}
const unfolded = (a, axis, length, step) =>
  windowed(a, [{axis: realAxis(axis, a.shape.length), length, step, spread: 1}]);
function repeated(a, times) {
  const missing = Array(times.length - a.shape.length).fill([1, 0]);
  const axes = [...missing, ...axisPairs(a)].flatMap((axis, i) => [[times[i], 0], axis]);
  const shape = times.map((count, i) => count * axes[2 * i + 1][0]);
  return viewed(along(a, axes), shape);
}
function flipped(a, axes) {
  return axes.reduce((so, one) => {
    const axis = realAxis(one, a.shape.length);
    const [length, stride] = axisPairs(so)[axis];
    const end = so.offset + Math.max(0, length - 1) * stride;
    return along(so, axisPairs(so).with(axis, [length, -stride]), end);
  }, a);
}
/** Tensors one after the other along an axis; an empty list of numbers fits anywhere. */
export function concatenated(Kind, all, axis = 0) {
  const isBlank = a => a.shape.length === 1 && a.shape[0] === 0;
  const parts = all.every(isBlank) ? all : all.filter(a => !isBlank(a));
  const [{shape}] = parts;
  axis = realAxis(axis, shape.length);
  const length = parts.reduce((sum, a) => sum + a.shape[axis], 0);
  const out = filled(Kind, shape.with(axis, length));
  let start = 0;
  for (const part of parts) {
    const end = start + part.shape[axis];
    copyNumbers(expanded(part, shape.with(axis, -1)), sliced(out, axis, start, end));
    start = end;
  }
  return out;
}
/** With `pads` numbers before and behind, of the last axis first; negative ones cut. */
export function padded(Kind, a, pads, value = 0) {
  const count = a.shape.length;
  const around = a.shape.map((_, axis) => pads.slice(2 * (count - 1 - axis), 2 * (count - axis)));
  const lengths = a.shape.map((length, axis) => around[axis].reduce((x, y) => x + y, length));
  const out = filled(Kind, lengths, value);
  let [inner, hole] = [a, out];
  around.forEach(([before = 0, behind = 0], axis) => {
    inner = sliced(inner, axis, Math.max(0, -before), a.shape[axis] + Math.min(0, behind));
    hole = sliced(hole, axis, Math.max(0, before), lengths[axis] - Math.max(0, behind));
  });
  copyNumbers(inner, hole);
  return out;
}
/** A new tensor, all of one number. */
export const filled = (Kind, shape, value = 0) =>
  new Tensor(new Kind(sizeOf(shape)).fill(value), shape);
/** A tensor of its own, with numbers in order. */
export function copied(Kind, a) {
  const out = filled(Kind, a.shape);
  copyNumbers(a, out);
  return out;
}
// As another kind: whole numbers lose what is behind the point, and what is not 0 is true.
function cast(Kind, a) {
  if (a.values instanceof Kind) return a;
  if (Kind === Float32Array) return copied(Kind, a);
  return mapped(Kind, a, Kind === Uint8Array ? x => +(x !== 0) : Math.trunc);
}
const same = a => a;
/** Operations on shapes. */
export const shapingOperations = {
  ...anyKind({
    view: viewed,
    view_copy: viewed,
    permute: inOrder,
    expand: expanded,
    unsqueeze: unsqueezed,
    'squeeze.dims': squeezedAxes,
    'select.int': selected,
    'slice.Tensor': sliced,
    split_with_sizes: split,
    diagonal,
    as_strided: (a, shape, strides, offset) => new Tensor(flat(a), shape, strides, offset ?? 0),
    unfold: unfolded,
    repeat: repeated,
    flip: flipped,
    clone: same,
    alias: same,
    lift_fresh_copy: same,
  }),
  _to_copy: cast,
  copy: (Kind, a, from) => cast(Kind, expanded(from, a.shape)),
  cat: concatenated,
  constant_pad_nd: padded,
};
