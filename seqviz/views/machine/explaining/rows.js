// What is made of a whole row: norms, softmax; and rows of tables.

import {realAxis, sizeOf, stridesOf} from '../../shared/graph/tensors.js';
import {placesAt} from './moves.js';
import {made} from './reader.js';

const sumOver = (row, f) => row.reduce((sum, {value}) => sum + f(value), 0);
// Scaled to a mean of 0 and a deviation of 1; of a root mean square norm the mean stays.
function norm({row, at, mean, eps, gain, shift}) {
  const variance = sumOver(row, value => (value - mean) ** 2) / row.length;
  const deviation = Math.sqrt(variance + eps);
  const inputs = made([...row, gain, shift].filter(Boolean));
  return {kind: 'norm', row, at, mean, eps, deviation, gain, shift, inputs};
}
function layerNorm(reader, {args: [source, lengths, gain, shift, eps]}) {
  const length = sizeOf(lengths);
  const at = reader.index % length;
  const row = Array.from({length}, (_, k) => reader.input(source, reader.index - at + k));
  const mean = sumOver(row, value => value) / length;
  const own = weight => weight && reader.input(weight, at);
  return norm({row, at, mean, eps, gain: own(gain), shift: own(shift)});
}
const RESULTS = {native_layer_norm: layerNorm};
// The first result of an operation that has several.
function firstResult(reader) {
  const [list, k] = reader.args;
  const node = reader.nodes.get(list.value);
  return k === 0 ? RESULTS[node.op]?.(reader, node) : undefined;
}

// ---- a root mean square norm is written out: x * rsqrt(mean(x^2) + eps), times a gain
const PRODUCTS_OF_TWO = ['mul.Tensor', 'mul.Scalar'];
const isValue = arg => typeof arg === 'object' && arg !== null && 'value' in arg;
function nodeBehind(reader, arg) {
  return isValue(arg) ? reader.nodes.get(reader.behind(arg)) : undefined;
}
const eachOrder = ([a, b]) => [
  [a, b],
  [b, a],
];
// Of what number and with which eps a node is the rate, 1 / sqrt(mean(x^2) + eps).
function rateOf(reader, arg) {
  const root = nodeBehind(reader, arg);
  if (root?.op !== 'rsqrt') return null;
  const sum = nodeBehind(reader, root.args[0]);
  if (!sum?.op.startsWith('add.')) return null;
  const [mean, eps] = [nodeBehind(reader, sum.args[0]), sum.args[1]];
  if (mean?.op !== 'mean.dim' || typeof eps !== 'number') return null;
  const {length} = reader.shapeOf(mean.args[0]);
  if ([mean.args[1]].flat().some(axis => realAxis(axis, length) !== length - 1)) return null;
  const square = nodeBehind(reader, mean.args[0]);
  const isSquare =
    (square?.op === 'pow.Tensor_Scalar' && square.args[1] === 2) ||
    (PRODUCTS_OF_TWO.includes(square?.op) && square.args[0].value === square.args[1].value);
  return isSquare ? {source: square.args[0], eps} : null;
}
// The value and its rate that a product of two is of.
function scaledByRate(reader, node) {
  if (!PRODUCTS_OF_TWO.includes(node?.op)) return null;
  for (const [value, rate] of eachOrder(node.args)) {
    const found = isValue(value) && rateOf(reader, rate);
    if (found && reader.areSame(found.source, value)) return {value, ...found};
  }
  return null;
}
/** Of a product of two whether it is a norm by the root mean square, with its gain or without. */
export function rootNorm(reader) {
  const whole = scaledByRate(reader, reader.node);
  if (whole) return ofRoot(reader, whole, null);
  for (const [gain, inner] of eachOrder(reader.args)) {
    const found = scaledByRate(reader, nodeBehind(reader, inner));
    if (found) return ofRoot(reader, found, reader.stretched(gain));
  }
  return null;
}
function ofRoot(reader, {value, eps}, gain) {
  const length = reader.shape.at(-1);
  if (reader.shapeOf(value).at(-1) !== length) return null;
  const at = reader.places.at(-1);
  const row = Array.from({length}, (_, k) =>
    reader.stretched(value, reader.shape, reader.places.with(-1, k)),
  );
  return {...norm({row, at, mean: 0, eps, gain, shift: null}), root: true};
}

// ---- softmax
const softmax = log => reader => {
  const [source, given] = reader.args;
  const axis = realAxis(given, reader.shape.length);
  const step = stridesOf(reader.shape)[axis] ?? 1;
  const at = reader.places[axis] ?? 0;
  const row = Array.from({length: reader.shape[axis] ?? 1}, (_, k) =>
    reader.input(source, reader.index + (k - at) * step),
  );
  const most = Math.max(...row.map(({value}) => value));
  const sum = sumOver(row, value => Math.exp(value - most));
  return {kind: 'softmax', row, at, most, sum, log, inputs: made(row)};
};

// ---- tables
/** A number of a weight: which row of which table it stands in. */
export function ofTable(numbers, table, index) {
  const shape = numbers.shape(table);
  const number = shape.length ? placesAt(shape, index).at(-1) : 0;
  const row = shape.length > 1 ? Math.floor(index / shape.at(-1)) : null;
  const learned = table.startsWith('p_'); // so torch.export names parameters
  return {kind: 'row', table, row, number, learned, inputs: []};
}
// The table itself is not read: it may be very large.
function embedding(reader) {
  const [table, ids] = reader.args;
  const width = reader.shape.at(-1);
  const {value: id} = reader.input(ids, Math.floor(reader.index / width));
  if (reader.waits) return null;
  const [node, at] = reader.resolved(table, id * width + (reader.index % width));
  return reader.numbers.isWeight(node) ? ofTable(reader.numbers, node, at) : null;
}
/** What explains rows, by operation. */
export const rowExplanations = {
  'sym.getitem': firstResult,
  _softmax: softmax(false),
  _log_softmax: softmax(true),
  embedding,
};
