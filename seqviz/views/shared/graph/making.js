// Operations that make tensors of nothing: filled, counted, drawn.

import {filled} from './shaping.js';
import {Tensor, sizeOf} from './tensors.js';

const empty = (Kind, shape) => filled(Kind, shape);
function arange(Kind, start, end, step) {
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
/** Operations that make tensors. */
export const makingOperations = {
  full: filled,
  full_like: (Kind, a, value) => filled(Kind, a.shape, value),
  'empty.memory_format': empty,
  empty_permuted: empty,
  scalar_tensor: (Kind, value) => new Tensor(Kind.of(value), []),
  'arange.start_step': arange,
  randn: randomNormal,
  randn_like: (Kind, a) => randomNormal(Kind, a.shape),
};
