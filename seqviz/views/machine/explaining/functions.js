// Functions of one number or of a few: what they are called, and how they are written.

import {rowOver} from './sums.js';
import {made} from './reader.js';

const inParens = text => (text.startsWith('−') ? `(${text})` : text);
const between = sign => (a, b) => `${a} ${sign} ${inParens(b)}`;
const ifTrue = sign => (a, b) => `1 if ${a} ${sign} ${b}`;
const POWERS = {2: '²', 3: '³'};
const powered = (a, b) => inParens(a) + (POWERS[Number(b)] ?? ` to the power ${b}`);
// How functions are written that have a sign of their own; all others by their name.
const WRITTEN = {
  div: between('÷'),
  pow: powered,
  neg: a => `−${inParens(a)}`,
  rsqrt: a => `1 ÷ √${a}`,
  sqrt: a => `√${a}`,
  reciprocal: a => `1 ÷ ${inParens(a)}`,
  eq: ifTrue('='),
  ne: ifTrue('≠'),
  lt: ifTrue('<'),
  le: ifTrue('≤'),
  gt: ifTrue('>'),
  ge: ifTrue('≥'),
  logical_not: a => `not ${a}`,
  logical_and: between('and'),
  logical_or: between('or'),
  bitwise_and: between('and'),
  bitwise_or: between('or'),
  _to_copy: a => `whole part of ${a}`,
};
const FUNCTION_NAMES = {
  gelu: 'GELU',
  gelu_tanh: 'GELU',
  relu: 'ReLU',
  silu: 'SiLU',
  elu: 'ELU',
  leaky_relu: 'leaky ReLU',
  maximum: 'max',
  minimum: 'min',
  amax: 'max',
  amin: 'min',
};
const BY_NAME = [
  ...['exp', 'log', 'sin', 'cos', 'tan', 'tanh', 'erf', 'sigmoid', 'abs', 'sign', 'floor', 'ceil'],
  ...['round', 'trunc', 'clamp', 'softplus', 'hardtanh', 'expm1', 'log1p', 'log2', 'atan2'],
  ...['remainder', 'fmod', 'isnan', 'isinf', 'isfinite', ...Object.keys(FUNCTION_NAMES)],
];
const OVER_ROWS = ['amax', 'amin', 'any'];
// A GELU is also worked out by a tanh near it.
const nameOfOperation = ({op, args}) =>
  op === 'gelu' && args[1] === 'tanh' ? 'gelu_tanh' : op.split('.')[0];

/**
 * A function of numbers as it is written.
 * @param {string} name of the operation
 * @param {string[]} of the numbers, as they are written
 * @returns {string}
 */
export function functionText(name, of) {
  if (WRITTEN[name]) return WRITTEN[name](...of);
  if (OVER_ROWS.includes(name)) return `${FUNCTION_NAMES[name] ?? name} of ${of.length} numbers`;
  return `${FUNCTION_NAMES[name] ?? name}(${of.join(', ')})`;
}
const explainedFunction = (name, of) => ({kind: 'function', name, of, inputs: made(of)});
const isGiven = arg => arg !== null && typeof arg !== 'string' && typeof arg !== 'boolean';
/**
 * What explains a function of numbers; undefined if the operation is none.
 * @param {Reader} reader
 */
export function explainFunction(reader) {
  const name = nameOfOperation(reader.node);
  const [arg, axes, keeps] = reader.args;
  if (OVER_ROWS.includes(name)) return explainedFunction(name, rowOver(reader, arg, axes, keeps));
  if (!(name in WRITTEN) && !BY_NAME.includes(name)) return undefined;
  const given = name === '_to_copy' ? [arg] : reader.args.filter(isGiven);
  return explainedFunction(
    name,
    given.map(one => reader.stretched(one)),
  );
}
/** Of a product of two whether it is x times its sigmoid. */
export function sigmoidLinear(reader) {
  const [a, b] = reader.args;
  const gates = [
    [a, b],
    [b, a],
  ];
  const isGated = ([x, gate]) => {
    const node = reader.nodes.get(reader.behind(gate));
    return node?.op === 'sigmoid' && reader.areSame(node.args[0], x);
  };
  const found = gates.find(isGated);
  return found ? explainedFunction('silu', [reader.stretched(found[0])]) : null;
}
