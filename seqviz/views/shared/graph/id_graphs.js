// A graph that reads the ids of one text; seqviz/running/id_graphs.py runs the same in Python.

import {run} from './running.js';
import {flat, tensor} from './tensors.js';

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
  const all = flat(found.output[output]);
  const V = all.length / T;
  return {logits: ids.map((_, k) => all.subarray(k * V, (k + 1) * V)), kept: found.kept};
}
