// Tensors: numbers in one typed array and the strides over them, so that a view copies nothing.

/** What holds the numbers of each kind. */
export const HOLDERS = {float: Float32Array, whole: Float64Array, truth: Uint8Array};

/** Numbers of a shape: that of places (i, j, ...) lies at offset + i * strides[0] + j * ... */
export class Tensor {
  constructor(values, shape, strides = stridesOf(shape), offset = 0) {
    this.values = values;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
  }
}
/**
 * A tensor of numbers that lie in order.
 * @param {number[]} shape
 * @param {ArrayLike<number>} values
 * @param {'float' | 'whole' | 'truth'} [kind]
 * @returns {Tensor}
 */
export function tensor(shape, values, kind = 'whole') {
  return new Tensor(HOLDERS[kind].from(values), shape);
}
/** How many numbers a shape holds. */
export const sizeOf = shape => shape.reduce((size, length) => size * length, 1);
/** A shape as it is said: (2, 3). */
export const shapeText = shape => `(${shape.join(', ')})`;
/** The strides of numbers in order. */
export function stridesOf(shape) {
  const strides = new Array(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}
/** A place of an axis, also counted from its end. */
export function realPlace(place, length) {
  if (place >= -length && place < length) return place < 0 ? place + length : place;
  throw new Error(`place ${place} is outside of length ${length}`);
}
/** An axis of so many, also counted from the last. A single number takes 0 and -1. */
export function realAxis(axis, count) {
  const most = Math.max(count, 1);
  if (axis >= -most && axis < most) return axis < 0 ? axis + most : axis;
  throw new Error(`axis ${axis} is outside of the ${count} axes that are there`);
}
/** The axes of a tensor: length and stride of each. */
export const axisPairs = a => a.shape.map((length, axis) => [length, a.strides[axis]]);
/** A view: the same numbers along other axes. */
export function along(a, axes, offset = a.offset) {
  const [shape, strides] = [0, 1].map(part => axes.map(axis => axis[part]));
  return new Tensor(a.values, shape, strides, offset);
}
/** The axes of a tensor in another order, or only some of them. */
export function inOrder(a, order) {
  const axes = axisPairs(a);
  const moved = order.map(axis => axes.at(axis));
  return along(a, moved);
}
/** The order that takes axes back from where another one has put them. */
export const orderBack = order => order.map((_, axis) => order.indexOf(axis));
/** A number as a tensor without axes: beside floats it is a float, as in torch. */
export function asTensor(value, beside) {
  if (value instanceof Tensor) return value;
  const Kind = beside?.values instanceof Float32Array ? Float32Array : Float64Array;
  return new Tensor(Kind.of(value), []);
}
/** The numbers in order, a typed array; where they lie so they are not copied. */
export function flat(a) {
  const size = sizeOf(a.shape);
  if (liesInOrder(a)) {
    const all = a.offset === 0 && a.values.length === size;
    return all ? a.values : a.values.subarray(a.offset, a.offset + size);
  }
  const out = new Tensor(new a.values.constructor(size), a.shape);
  copyNumbers(a, out);
  return out.values;
}
/** The rows of numbers along the last axis, one behind the other. */
export function vectorsOf(a) {
  const numbers = flat(a);
  const width = a.shape.at(-1);
  return Array.from({length: numbers.length / width}, (_, r) =>
    numbers.subarray(r * width, (r + 1) * width),
  );
}
function liesInOrder({shape, strides}) {
  const dense = stridesOf(shape);
  return shape.every((length, axis) => length === 1 || strides[axis] === dense[axis]);
}
/** Writes numbers over those of a tensor of the same shape. */
export function copyNumbers({values, shape, strides, offset}, onto) {
  const out = onto.values;
  walk(shape, [strides, onto.strides], [offset, onto.offset], (count, [p, q], [from, to]) => {
    for (let i = 0; i < count; i++, p += from, q += to) out[q] = values[p];
  });
}
/** The shape that shapes broadcast to. */
export function joinedShape(...shapes) {
  const count = Math.max(...shapes.map(shape => shape.length));
  return Array.from({length: count}, (_, axis) => {
    const lengths = shapes.map(shape => shape[shape.length - count + axis] ?? 1);
    const length = lengths.find(one => one !== 1) ?? 1;
    if (lengths.every(one => one === 1 || one === length)) return length;
    throw new Error(`shapes ${shapes.map(shapeText).join(' and ')} do not broadcast`);
  });
}
/** The strides of a tensor stretched to a shape: 0 along what repeats. */
export function stretchedStrides(a, shape) {
  const missing = shape.length - a.shape.length;
  return shape.map((length, axis) => {
    const own = a.shape[axis - missing] ?? 1;
    if (own !== 1 && own !== length) {
      throw new Error(`shape ${shapeText(a.shape)} does not stretch to ${shapeText(shape)}`);
    }
    return own === 1 ? 0 : a.strides[axis - missing];
  });
}
/**
 * The fewest axes that walk the same numbers, lengths and strides of each tensor: neighbours that
 * are one step apart become one.
 */
export function mergedAxes(shape, strides) {
  const lengths = [];
  const steps = strides.map(() => []);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = shape[axis];
    if (length === 1) continue;
    if (lengths.length && strides.every((own, k) => own[axis] === steps[k][0] * lengths[0])) {
      lengths[0] *= length;
    } else {
      lengths.unshift(length);
      strides.forEach((own, k) => steps[k].unshift(own[axis]));
    }
  }
  return [lengths, steps];
}
/**
 * Walks tensors of one shape together, row by row.
 * @param {number[]} shape
 * @param {number[][]} strides of each tensor
 * @param {number[]} offsets
 * @param {(count: number, starts: number[], steps: number[]) => void} row hears of `count` places
 * in a line: where each tensor's first one lies, and how far apart they are
 */
export function walk(shape, strides, offsets, row) {
  if (sizeOf(shape) === 0) return;
  const [lengths, steps] = mergedAxes(shape, strides);
  const inner = lengths.length - 1;
  const count = lengths[inner] ?? 1;
  const along = steps.map(own => own[inner] ?? 0);
  const from = (axis, starts) => {
    if (axis >= inner) {
      row(count, starts, along);
      return;
    }
    for (let i = 0; i < lengths[axis]; i++) {
      const next = starts.map((start, k) => start + i * steps[k][axis]);
      from(axis + 1, next);
    }
  };
  from(0, offsets);
}
