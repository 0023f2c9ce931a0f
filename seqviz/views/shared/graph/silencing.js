// Heads silenced: what they give becomes zero.

import {flat, sizeOf, Tensor} from './tensors.js';

/**
 * What silences heads, as one of the `changes` of a run.
 * @param {number[]} heads from 0, counted along all axes in front of the last two
 * @returns {(a: Tensor) => Tensor} takes (..., query, unit)
 */
export const silenced = heads => a => {
  const size = sizeOf(a.shape.slice(-2));
  const numbers = flat(a).slice();
  for (const head of heads) numbers.fill(0, head * size, (head + 1) * size);
  return new Tensor(numbers, a.shape);
};
