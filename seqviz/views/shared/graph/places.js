// Operations that read and write at places which other tensors name.

import {copied, copyNumbers, expanded, selected, sliced, viewed} from './shaping.js';
import {
  Tensor,
  asTensor,
  realAxis,
  flat,
  joinedShape,
  offsetsOf,
  sizeOf,
  stridesOf,
  walk,
  withAxes,
} from './tensors.js';

// A place of an axis, also counted from the end.
function realPlace(length, i) {
  if (i >= -length && i < length) return i < 0 ? i + length : i;
  throw new Error(`place ${i} is outside of length ${length}`);
}
function embedding(Kind, table, ids) {
  const [length, width] = table.shape;
  const numbers = flat(table);
  const rows = flat(ids);
  const out = new Kind(rows.length * width);
  rows.forEach((id, i) => {
    const start = realPlace(length, id) * width;
    out.set(numbers.subarray(start, start + width), i * width);
  });
  return new Tensor(out, [...ids.shape, width]);
}
// The places of what is true: a tensor for each axis.
function placesOfTrue(a) {
  const found = [];
  flat(a).forEach((value, i) => value !== 0 && found.push(i));
  return stridesOf(a.shape).map((step, axis) => {
    const along = found.map(i => Math.floor(i / step) % a.shape[axis]);
    return new Tensor(Float64Array.from(along), [found.length]);
  });
}
function nonzero(_, a) {
  const places = placesOfTrue(a);
  const count = places[0]?.shape[0] ?? 0;
  const out = new Tensor(new Float64Array(count * places.length), [count, places.length]);
  places.forEach((along, axis) => copyNumbers(along, selected(out, 1, axis)));
  return out;
}
/**
 * Where a[..., indices, ...] lies: the tensors of places broadcast; the axes that they make stand
 * where the first stood, or in front of all if others lie between them, as in NumPy.
 * @param {Tensor} a
 * @param {(Tensor | null)[]} given places along each axis, or truth values over some; null: all
 * @returns {[number[], Int32Array]} the shape, and the offset of each number
 */
function indexed(a, given) {
  const isMask = index => index?.values instanceof Uint8Array;
  const indices = given.flatMap(index => (isMask(index) ? placesOfTrue(index) : [index]));
  const axes = a.shape.map((_, axis) => axis);
  const named = axes.filter(axis => indices[axis]);
  const others = withAxes(
    a,
    axes.filter(axis => !indices[axis]),
  );
  const together = named.at(-1) - named[0] === named.length - 1;
  const before = together ? named[0] : 0;
  const shape = joinedShape(...named.map(axis => indices[axis].shape));
  const found = new Int32Array(sizeOf(shape)).fill(a.offset);
  for (const axis of named) {
    flat(expanded(indices[axis], shape)).forEach((index, i) => {
      found[i] += realPlace(a.shape[axis], index) * a.strides[axis];
    });
  }
  const outer = offsetsOf(others.shape.slice(0, before), others.strides.slice(0, before));
  const inner = offsetsOf(others.shape.slice(before), others.strides.slice(before));
  const all = new Int32Array(outer.length * found.length * inner.length);
  let at = 0;
  for (const o of outer) for (const f of found) for (const i of inner) all[at++] = o + f + i;
  return [[...others.shape.slice(0, before), ...shape, ...others.shape.slice(before)], all];
}
function index(Kind, a, indices) {
  const [shape, places] = indexed(a, indices);
  return new Tensor(
    Kind.from(places, place => a.values[place]),
    shape,
  );
}
function indexPut(Kind, a, indices, from, adds = false) {
  const out = copied(Kind, a);
  const [shape, places] = indexed(out, indices);
  flat(expanded(from, shape)).forEach((value, i) => {
    out.values[places[i]] = adds ? out.values[places[i]] + value : value;
  });
  return out;
}
const indexSelect = (Kind, a, axis, places) =>
  index(Kind, a, [...Array(realAxis(axis, a.shape.length)).fill(null), viewed(places, [-1])]);

const without = (strides, axis) => strides.map((step, i) => (i === axis ? 0 : step));
// out[i, j] = a[i, places[i, j]] along an axis
function gather(Kind, a, axis, places) {
  if (!a.shape.length) return copied(Kind, expanded(a, places.shape));
  axis = realAxis(axis, a.shape.length);
  const [length, step] = [a.shape[axis], a.strides[axis]];
  const out = new Kind(sizeOf(places.shape));
  const strides = [without(a.strides, axis), places.strides];
  let at = 0;
  walk(places.shape, strides, [a.offset, places.offset], (count, [p, q], [stepA, stepB]) => {
    for (let i = 0; i < count; i++, p += stepA, q += stepB) {
      out[at++] = a.values[p + realPlace(length, places.values[q]) * step];
    }
  });
  return new Tensor(out, places.shape);
}
// out[i, places[i, j]] = put(what is there, from[i, j]) along an axis
const scatter = put => (Kind, a, axis, places, from) => {
  const out = copied(Kind, a);
  axis = realAxis(axis, a.shape.length);
  const [length, step] = [a.shape[axis] ?? 1, out.strides[axis] ?? 1];
  const source = from instanceof Tensor ? from : expanded(asTensor(from), places.shape);
  const strides = [without(out.strides, axis), places.strides, source.strides];
  const offsets = [0, places.offset, source.offset];
  walk(places.shape, strides, offsets, (count, [p, q, r], [stepA, stepB, stepC]) => {
    for (let i = 0; i < count; i++, p += stepA, q += stepB, r += stepC) {
      const place = p + realPlace(length, places.values[q]) * step;
      out.values[place] = put(out.values[place], source.values[r]);
    }
  });
  return out;
};
const replace = (_, value) => value;
function sliceScatter(Kind, a, from, axis = 0, start = 0, end = null, by = 1) {
  const out = copied(Kind, a);
  const hole = sliced(out, axis, start, end, by);
  copyNumbers(expanded(from, hole.shape), hole);
  return out;
}
function selectScatter(Kind, a, from, axis, i) {
  const out = copied(Kind, a);
  copyNumbers(from, selected(out, axis, i));
  return out;
}
// Where the mask is true stand the next numbers of `from`.
function maskedScatter(Kind, a, mask, from) {
  const out = copied(Kind, a);
  const numbers = flat(from);
  let at = 0;
  flat(expanded(mask, a.shape)).forEach((isSet, i) => {
    if (isSet) out.values[i] = numbers[at++];
  });
  return out;
}
/** Operations with places. */
export const placeOperations = {
  embedding,
  nonzero,
  'index.Tensor': index,
  index_put: indexPut,
  index_select: indexSelect,
  gather,
  'scatter.src': scatter(replace),
  'scatter.value': scatter(replace),
  scatter_add: scatter((old, value) => old + value),
  slice_scatter: sliceScatter,
  select_scatter: selectScatter,
  masked_scatter: maskedScatter,
};
