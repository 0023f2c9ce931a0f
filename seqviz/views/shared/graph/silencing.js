// Heads silenced: their slices of what they give become zero.

import {realAxis, flat, shapeText, sizeOf, Tensor} from './tensors.js';

/**
 * What silences heads, as one of the `changes` of a run.
 * @param {{axis: number, heads: number[]}} which slices of which axis, both from 0
 * @returns {(a: Tensor) => Tensor}
 */
export function silenced({axis, heads}) {
  return a => {
    const along = realAxis(axis, a.shape.length);
    const count = a.shape[along];
    const wrong = heads.find(head => !(head >= 0 && head < count));
    if (wrong !== undefined) {
      const came = `axis ${axis} of shape ${shapeText(a.shape)} has ${count}`;
      throw new Error(`heads: expected numbers from 0, ${came}; came ${wrong}`);
    }
    const numbers = flat(a).slice();
    const inner = sizeOf(a.shape.slice(along + 1));
    for (let start = 0; start < numbers.length; start += count * inner) {
      for (const head of heads) {
        numbers.fill(0, start + head * inner, start + (head + 1) * inner);
      }
    }
    return new Tensor(numbers, a.shape);
  };
}
