// One number of an operation, and the numbers that the operation read for it.

import {stretchedStrides, Tensor} from '../../shared/graph/tensors.js';
import {indexAt, nodesOf, originOf, placesAt} from './moves.js';

/**
 * @typedef {Object} Input a number that an operation read
 * @property {string | null} node where it was made; null for a number of the operation itself
 * @property {number} index
 * @property {number} value
 */

/** Reads what made a number: of parts that are under way it takes note. */
export class Reader {
  waits = false;

  constructor(graph, numbers, node, index) {
    this.graph = graph;
    this.numbers = numbers;
    this.nodes = nodesOf(graph);
    this.node = this.nodes.get(node);
    this.index = index;
    this.args = this.node.args;
    this.shape = numbers.shape(node);
    this.places = placesAt(this.shape, index);
  }
  /** The shape of an argument; none for a number. */
  shapeOf(arg) {
    return isNumber(arg) ? [] : this.numbers.shape(arg.value);
  }
  /** The node that gives an argument, through views of it. */
  behind(arg) {
    return isNumber(arg) ? null : this.resolved(arg, 0)[0];
  }
  /** Where the number at an index of an argument was made. */
  resolved(arg, index) {
    return originOf(this.graph, this.numbers, arg.value, index);
  }
  /** Whether two arguments are the same numbers, moved or not. */
  areSame(a, b) {
    const [first, second] = [a, b].map(arg => this.resolved(arg, 0).join(' '));
    return first === second && this.shapeOf(a).join() === this.shapeOf(b).join();
  }
  /** The number at an index of an argument. */
  input(arg, index) {
    if (isNumber(arg)) return {node: null, index: 0, value: numberOf(arg)};
    const [node, at] = this.resolved(arg, index);
    const values = this.numbers.value(node);
    this.waits ||= !values;
    return {node, index: at, value: values ? values[at] : NaN};
  }
  /** The number of an argument that is stretched to a shape, the operation's own as a rule. */
  stretched(arg, shape = this.shape, places = this.places) {
    const own = new Tensor(null, this.shapeOf(arg));
    return this.input(arg, indexAt(stretchedStrides(own, shape), places));
  }
}
const isNumber = arg => arg === null || typeof arg !== 'object' || 'number' in arg;
const numberOf = arg =>
  typeof arg === 'object' ? Number(arg?.number.replace('inf', 'Infinity')) : Number(arg);
/** Of what an operation read those that were made somewhere. */
export const made = inputs => inputs.filter(input => input.node !== null);
