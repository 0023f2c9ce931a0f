// Operations that read and write at places which other tensors name.

import {copied, expanded, filled, selected, sliced, viewed} from './shaping.js';
import {
  Tensor,
  asTensor,
  copyNumbers,
  flat,
  inOrder,
  joinedShape,
  orderBack,
  realAxis,
  realPlace,
  sizeOf,
  stridesOf,
  walk,
} from './tensors.js';

// The places of what is true: a tensor for each axis.
function placesOfTrue(a) {
  const found = [];
  flat(a).forEach((value, i) => value !== 0 && found.push(i));
  return stridesOf(a.shape).map((stride, axis) => {
    const places = found.map(i => Math.floor(i / stride) % a.shape[axis]);
    return new Tensor(Float64Array.from(places), [found.length]);
  });
}
function nonzero(Kind, a) {
  const places = placesOfTrue(a);
  const out = filled(Kind, [places[0].shape[0], places.length]);
  places.forEach((one, axis) => copyNumbers(one, selected(out, 1, axis)));
  return out;
}
// What a[..., indices, ...] reads: rows of `size` numbers from `starts` on, in the numbers of a
// with its axes in `order`, and the shape of them all. Given are places along each axis, or truth
// values over some, or null for all. The places broadcast; the axes that they make stand where the
// first stood, or in front of all if others lie between them, as in NumPy.
function indexed(a, given) {
  const isMask = index => index?.values instanceof Uint8Array;
  const indices = given.flatMap(index => (isMask(index) ? placesOfTrue(index) : [index]));
  const axes = a.shape.map((_, axis) => axis);
  const named = axes.filter(axis => indices[axis]);
  const together = named.at(-1) - named[0] === named.length - 1;
  const front = axes.filter(axis => together && axis < named[0]);
  const back = axes.filter(axis => !named.includes(axis) && !front.includes(axis));
  const [outer, within, inner] = [front, named, back].map(of => of.map(axis => a.shape[axis]));
  const shape = joinedShape(...named.map(axis => indices[axis].shape));
  const rows = new Array(sizeOf(shape)).fill(0);
  stridesOf(within).forEach((stride, k) => {
    flat(expanded(indices[named[k]], shape)).forEach((index, i) => {
      rows[i] += realPlace(index, within[k]) * stride;
    });
  });
  const size = sizeOf(inner);
  const starts = Array.from({length: sizeOf(outer)}, (_, o) =>
    rows.map(row => (o * sizeOf(within) + row) * size),
  ).flat();
  const order = [...front, ...named, ...back];
  return {order, starts, size, shape: [...outer, ...shape, ...inner]};
}
function index(Kind, a, indices) {
  const {order, starts, size, shape} = indexed(a, indices);
  const numbers = flat(inOrder(a, order));
  const out = filled(Kind, shape);
  starts.forEach((start, k) => out.values.set(numbers.subarray(start, start + size), k * size));
  return out;
}
function indexPut(Kind, a, indices, from, adds = false) {
  const {order, starts, size, shape} = indexed(a, indices);
  const out = copied(Kind, inOrder(a, order));
  const numbers = flat(expanded(from, shape));
  numbers.forEach((value, i) => {
    const place = starts[Math.floor(i / size)] + (i % size);
    out.values[place] = adds ? out.values[place] + value : value;
  });
  return inOrder(out, orderBack(order));
}
const indexSelect = (Kind, a, axis, places) =>
  index(Kind, a, [...Array(realAxis(axis, a.shape.length)).fill(null), viewed(places, [-1])]);

const without = (strides, axis) => strides.map((step, i) => (i === axis ? 0 : step));
// out[i, j] = a[i, places[i, j]] along an axis
function gather(Kind, a, axis, places) {
  axis = realAxis(axis, a.shape.length);
  const [length, step] = [a.shape[axis], a.strides[axis]];
  const out = new Kind(sizeOf(places.shape));
  const strides = [without(a.strides, axis), places.strides];
  let at = 0;
  walk(places.shape, strides, [a.offset, places.offset], (count, [p, q], [stepA, stepB]) => {
    for (let i = 0; i < count; i++, p += stepA, q += stepB) {
      out[at++] = a.values[p + realPlace(places.values[q], length) * step];
    }
  });
  return new Tensor(out, places.shape);
}
// out[i, places[i, j]] = put(what is there, from[i, j]) along an axis
const scatter = put => (Kind, a, axis, places, from) => {
  const out = copied(Kind, a);
  axis = realAxis(axis, a.shape.length);
  const [length, step] = [a.shape[axis], out.strides[axis]];
  const source = from instanceof Tensor ? from : expanded(asTensor(from), places.shape);
  const strides = [without(out.strides, axis), places.strides, source.strides];
  const offsets = [0, places.offset, source.offset];
  walk(places.shape, strides, offsets, (count, [p, q, r], [stepA, stepB, stepC]) => {
    for (let i = 0; i < count; i++, p += stepA, q += stepB, r += stepC) {
      const place = p + realPlace(places.values[q], length) * step;
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
  embedding: (Kind, table, ids) => index(Kind, table, [ids]),
  nonzero,
  'index.Tensor': index,
  index_put: indexPut,
  index_select: indexSelect,
  gather,
  'scatter.src': scatter(replace),
  'scatter.value': scatter(replace),
  scatter_add: scatter((old, value) => old + value),
  slice_scatter: sliceScatter,
  masked_scatter: maskedScatter,
};
