// A graph run on inputs: one operation after the other, with a rest for the messages that wait.

import {namesIn} from './loading.js';
import {operations} from './operations.js';
import {HOLDERS, Tensor, flat, shapeText} from './tensors.js';

const AT_A_TIME = 20; // milliseconds without a rest
let rested = performance.now(); // of one run behind another, too

/**
 * Runs a graph.
 * @param {Net} net
 * @param {Object<string, Tensor>} inputs by name
 * @param {Object} [options]
 * @param {string[]} [options.keep] names of values that are wanted beside the output
 * @param {Object<string, (a: Tensor) => Tensor>} [options.changes] of values, by name
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<{output: any, kept: Object<string, Tensor>}>}
 */
export async function run(net, inputs, {keep = [], changes = {}, signal} = {}) {
  checkLengths(net, inputs);
  const values = await valuesOf(net, inputs, {keep, changes, signal});
  const output = meant(net.output, values);
  if (holdsNaN(output)) throw new Error(await originOfNaN(net, inputs, {changes, signal}));
  return {output, kept: Object.fromEntries(keep.map(name => [name, values.get(name)]))};
}
function checkLengths({lengths, limits}, inputs) {
  for (const [name, length] of Object.entries(lengths)) {
    if (!inputs[name].shape.includes(length)) tellLength(name, length, inputs[name].shape.at(-1));
  }
  for (const [name, [axis, least, most]] of Object.entries(limits)) {
    const came = inputs[name].shape[axis];
    const wanted = most === null ? `${least} or more` : `${least} to ${most}`;
    if (came < least || came > (most ?? Infinity)) tellLength(name, wanted, came);
  }
}
function tellLength(name, wanted, came) {
  throw new Error(`${name}: the model reads ${wanted} tokens here, ${came} came`);
}
// What the graph's names stand for after a run, as far as it is still needed; `see` hears of each
// node and its value.
async function valuesOf(net, inputs, {keep = [], changes, signal, see}) {
  const values = new Map([...net.weights, ...Object.entries(inputs)]);
  signal?.throwIfAborted();
  for (const [i, node] of net.nodes.entries()) {
    if (performance.now() - rested > AT_A_TIME) {
      await othersHeard();
      signal?.throwIfAborted();
      rested = performance.now();
    }
    const made = valueOf(net, node, inputs, values);
    const value = changes[node.name]?.(made) ?? made;
    values.set(node.name, value);
    see?.(node, value);
    for (const name of net.done[i]) if (!keep.includes(name)) values.delete(name);
  }
  return values;
}
// Lets the messages that wait be heard.
function othersHeard() {
  const {port1, port2} = new MessageChannel();
  port2.postMessage(null);
  return new Promise(resolve => (port1.onmessage = resolve)).then(() => port1.close());
}
// An argument with values in place of their names.
function meant(arg, values) {
  if (Array.isArray(arg)) return arg.map(one => meant(one, values));
  if (arg === null || typeof arg !== 'object') return arg;
  return 'value' in arg ? values.get(arg.value) : Number(arg.number.replace('inf', 'Infinity'));
}
const called = ({op, module}) => `operation ${op} of ${module ? `module ${module}` : 'the model'}`;
function valueOf(net, node, inputs, values) {
  const operation = operations[node.op];
  if (!operation) throw new Error(`${called(node)} is not known here; write the model without it`);
  try {
    return operation(HOLDERS[node.kind], ...meant(node.args, values));
  } catch (cause) {
    const came = net.inputs.map(name => `${name} ${shapeText(inputs[name].shape)}`).join(', ');
    const why = `${called(node)} stopped: ${cause.message}; give what the model takes`;
    throw new Error(`${came}: ${why}`, {cause});
  }
}
function holdsNaN(value) {
  if (Array.isArray(value)) return value.some(holdsNaN);
  const numbers = value instanceof Tensor ? flat(value) : [];
  for (let i = 0; i < numbers.length; i++) if (Number.isNaN(numbers[i])) return true;
  return false;
}
// Where the NaN of the output come from: of the values that hold one and lead there, the first
// that is made of none.
async function originOfNaN(net, inputs, {changes, signal}) {
  const given = [...net.weights, ...Object.entries(inputs)];
  const wrong = new Set(given.filter(([, value]) => holdsNaN(value)).map(([name]) => name));
  const see = ({name}, value) => holdsNaN(value) && wrong.add(name);
  await valuesOf(net, inputs, {changes, signal, see});
  const leading = new Set(namesIn(net.output));
  let first = null;
  for (const node of net.nodes.toReversed()) {
    if (!leading.has(node.name) || !wrong.has(node.name)) continue;
    first = node;
    namesIn(node.args).forEach(name => leading.add(name));
  }
  const source = (first ? namesIn(first.args) : namesIn(net.output)).find(name => wrong.has(name));
  if (!source) return `output: it holds NaN, of which ${called(first)} made the first`;
  const kind = net.inputs.includes(source) ? 'input' : 'weight';
  return `${source}: this ${kind} holds NaN, and so does the output; give numbers`;
}
