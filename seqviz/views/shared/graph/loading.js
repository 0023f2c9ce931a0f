// A graph out of what travels: its JSON and the bytes of its weights.

import {halfFloats} from '../half_floats.js';
import {Tensor, sizeOf} from './tensors.js';

/**
 * @typedef {Object} Net a graph that can run
 * @property {string[]} inputs
 * @property {Object<string, number>} lengths of inputs that have one length only
 * @property {Object<string, [number, number, number | null]>} limits of the others: axis, least and
 * largest length
 * @property {any} output values by their names, in lists
 * @property {Map<string, Tensor>} weights
 * @property {{name: string, op: string, args: any[], kind: string, module: string}[]} nodes
 * @property {string[][]} done the values that no node after this one needs
 */
const NEWEST = 1;
/**
 * A graph that can run; its weights become floats once.
 * @param {Object} told as Python's seqviz.graphs packs it
 * @param {ArrayBuffer} buffer
 * @returns {Net}
 */
export function load(told, buffer) {
  if (told.version > NEWEST) {
    const came = `this page reads graphs of version ${NEWEST}, version ${told.version} came`;
    throw new Error(`told: ${came}; write the page again, with the seqviz that wrote the graph`);
  }
  const known = new Map(); // a tied weight is one
  const weights = told.weights.map(weight => {
    const {name, shape, start, form} = weight;
    const size = sizeOf(shape);
    const key = `${start} ${form} ${size}`;
    if (!known.has(key)) known.set(key, READERS[form](buffer, weight, size));
    return [name, new Tensor(known.get(key), shape)];
  });
  const {inputs, output, nodes, lengths = {}, limits = {}} = told;
  const done = lastUses(nodes, output);
  return {inputs, lengths, limits, output, nodes, weights: new Map(weights), done};
}
const READERS = {
  float32: (buffer, {start}, size) => new Float32Array(buffer, start, size),
  float64: (buffer, {start}, size) => new Float64Array(buffer, start, size),
  uint8: (buffer, {start}, size) => new Uint8Array(buffer, start, size),
  float16(buffer, {start}, size) {
    const halves = halfFloats();
    const bits = new Uint16Array(buffer, start, size);
    const out = new Float32Array(size);
    for (let i = 0; i < size; i++) out[i] = halves[bits[i]];
    return out;
  },
  int8(buffer, {start, scales, shape}, size) {
    const length = shape.at(-1);
    const rates = new Float32Array(buffer, scales, length);
    const steps = new Int8Array(buffer, start, size);
    const out = new Float32Array(size);
    for (let i = 0; i < size; i++) out[i] = steps[i] * rates[i % length];
    return out;
  },
};
/** The names of the values that an argument reads. */
export function namesIn(arg) {
  if (Array.isArray(arg)) return arg.flatMap(namesIn);
  return arg?.value === undefined ? [] : [arg.value];
}
// For each node the values that it is the last one to read, and its own if nobody does.
function lastUses(nodes, output) {
  const seen = new Set(namesIn(output));
  const done = nodes.map(() => []);
  for (let i = nodes.length - 1; i >= 0; i--) {
    for (const name of [nodes[i].name, ...namesIn(nodes[i].args)]) {
      if (!seen.has(name)) done[i].push(name);
      seen.add(name);
    }
  }
  return done;
}
