// Graphs that read ids: of a whole text, as seqviz/running/id_graphs.py does, or one after another.

import {run} from './running.js';
import {flat, vectorsOf, tensor} from './tensors.js';

/**
 * What a graph says of a text, V tokens of a vocabulary.
 * @param {Net} net
 * @param {Object} reads what Python tells of its inputs and its output
 * @param {number[]} ids (T)
 * @param {{keep?: string[], signal?: AbortSignal}} how see `run`
 * @returns {Promise<{logits: Float32Array[], kept: Object<string, Tensor>}>} (V) at each place
 */
export async function readIds(net, reads, ids, how) {
  const {model, longest, fills, output} = reads;
  const T = ids.length;
  if (longest !== null && T > longest) {
    const most = `expected at most ${longest} tokens, for which ${model} has positions`;
    throw new Error(`text: ${most}, came ${T}`);
  }
  const inputs = {[reads.ids]: tensor([1, T], ids)};
  for (const {name, value, kind} of fills) {
    inputs[name] = tensor([1, T], new Array(T).fill(value), kind);
  }
  const found = await run(net, inputs, how);
  return {logits: vectorsOf(found.output[output]), kept: found.kept};
}
/**
 * What a graph says behind one more token.
 * @param {Net} net
 * @param {number} id
 * @param {Tensor[]} state that the step before gave
 * @param {Object} how see `run`
 * @returns {Promise<{logits: Float32Array, state: Tensor[], kept: Object<string, Tensor>}>}
 */
export async function readNext(net, id, state, how) {
  const [first, ...others] = net.inputs;
  const inputs = Object.fromEntries(others.map((name, k) => [name, state[k]]));
  inputs[first] = tensor([1], [id]);
  const {output, kept} = await run(net, inputs, how);
  const [logits, ...next] = output;
  return {logits: flat(logits), state: next, kept};
}
