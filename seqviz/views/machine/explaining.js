// How one number was made: from which other numbers, and how. What it says follows from the
// operation, never from the place.

import {explainFunction, sigmoidLinear} from './explaining/functions.js';
import {nodesOf, originOf} from './explaining/moves.js';
import {productExplanations, productOfTwo} from './explaining/products.js';
import {Reader} from './explaining/reader.js';
import {ofTable, rootNorm, rowExplanations} from './explaining/rows.js';
import {sumExplanations} from './explaining/sums.js';

/**
 * Where a number was made: back through operations that only move numbers.
 * @param {Object} graph
 * @param {Numbers} numbers
 * @param {string} node
 * @param {number} index
 * @returns {[string, number]} node and index
 */
export const resolve = (graph, numbers, node, index) => originOf(graph, numbers, node, index);

const multiplied = reader => rootNorm(reader) ?? sigmoidLinear(reader) ?? productOfTwo(reader);
const fixed = () => ({kind: 'fixed', inputs: []});
const FIXED = [
  ...['full', 'full_like', 'new_full', 'scalar_tensor', 'arange', 'arange.start'],
  ...['arange.start_step', 'empty_like', 'constant_pad_nd'],
];
const EXPLANATIONS = {
  ...Object.fromEntries(FIXED.map(op => [op, fixed])),
  ...productExplanations,
  ...sumExplanations,
  ...rowExplanations,
  'mul.Tensor': multiplied,
  'mul.Scalar': multiplied,
};

/**
 * @typedef {Object} Explanation
 * @property {string} node that made the number: what only moves numbers is gone through
 * @property {number} index
 * @property {number} value
 * @property {'product' | 'sum' | 'norm' | 'softmax' | 'row' | 'function' | 'fixed' | 'input' |
 * 'other'} kind product: times * (the sum of `pairs`) + biasTimes * bias; sum: the sum of times *
 * value over its `terms`, divided by `over`; norm: (row[at] - mean) / deviation * gain + shift;
 * softmax: of row[at] in a `row`; row: of a `table`; function: `name` `of` numbers
 * @property {Input[]} inputs
 */
/**
 * Explains a number.
 * @param {Object} graph
 * @param {Numbers} numbers
 * @param {string} node
 * @param {number} index
 * @returns {Explanation | null} null while parts that it needs are under way
 */
export function explain(graph, numbers, node, index) {
  const [origin, at] = resolve(graph, numbers, node, index);
  const value = numbers.value(node)?.[index];
  if (value === undefined) return null;
  const explained = {node: origin, index: at, value};
  if (numbers.isWeight(origin)) return {...explained, ...ofTable(numbers, origin, at)};
  if (!nodesOf(graph).has(origin)) return {...explained, kind: 'input', inputs: []};
  const reader = new Reader(graph, numbers, origin, at);
  if (reader.node.op === 'where.self') return chosen(graph, numbers, reader, explained);
  const found = EXPLANATIONS[reader.node.op]?.(reader) ?? explainFunction(reader) ?? other(reader);
  return reader.waits ? null : {...explained, ...found};
}
// One of two numbers, as a condition is true or not: the number is explained where it was made.
function chosen(graph, numbers, reader, explained) {
  const [condition, yes, no] = reader.args;
  const {value: isTrue} = reader.stretched(condition);
  if (reader.waits) return null;
  const {node, index} = reader.stretched(isTrue ? yes : no);
  if (node === null) return {...explained, ...fixed()};
  return explain(graph, numbers, node, index);
}
// Operations of which only the shapes are told.
function other({node, nodes, numbers}) {
  const [list] = node.args;
  const source = node.op === 'sym.getitem' ? nodes.get(list.value) : node;
  const names = source.args.flat(2).flatMap(arg => arg?.value ?? []);
  const shapes = names.map(name => numbers.shape(name)).filter(Boolean);
  const name = source.op === 'seqviz.recurrent' ? source.args[3] : source.op;
  return {kind: 'other', name, shapes, inputs: []};
}
