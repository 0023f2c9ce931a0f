// Operations that make tensors of nothing: filled, counted, drawn; and triangles.

import {filled} from './shaping.js';
import {Tensor, flat, sizeOf} from './tensors.js';

const empty = (Kind, shape) => filled(Kind, shape);
function arange(Kind, start, end, step = 1) {
  const length = Math.max(0, Math.ceil((end - start) / step));
  return new Tensor(
    Kind.from({length}, (_, i) => start + i * step),
    [length],
  );
}
// Normally distributed (Box and Muller 1958).
function randomNormal(Kind, shape) {
  const draw = () =>
    Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return new Tensor(Kind.from({length: sizeOf(shape)}, draw), shape);
}
// The numbers whose column, less their row, `keeps`; the others become zero.
function triangle(Kind, a, keeps) {
  const [rows, columns] = a.shape.slice(-2);
  const number = (x, i) => {
    const row = Math.floor(i / columns) % rows;
    return keeps((i % columns) - row) ? x : 0;
  };
  return new Tensor(Kind.from(flat(a), number), a.shape);
}
/** Operations that make tensors. */
export const makingOperations = {
  full: filled,
  full_like: (Kind, a, value) => filled(Kind, a.shape, value),
  new_full: (Kind, a, shape, value) => filled(Kind, shape, value),
  empty,
  'empty.memory_format': empty,
  empty_permuted: empty,
  empty_like: (Kind, a) => empty(Kind, a.shape),
  new_empty: (Kind, a, shape) => empty(Kind, shape),
  scalar_tensor: (Kind, value) => new Tensor(Kind.of(value), []),
  arange: (Kind, end) => arange(Kind, 0, end),
  'arange.start': arange,
  'arange.start_step': arange,
  randn: randomNormal,
  randn_like: (Kind, a) => randomNormal(Kind, a.shape),
  tril: (Kind, a, shift = 0) => triangle(Kind, a, over => over <= shift),
  triu: (Kind, a, shift = 0) => triangle(Kind, a, over => over >= shift),
};
