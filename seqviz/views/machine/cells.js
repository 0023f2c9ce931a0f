// The numbers of a run: by the names of nodes, and at a stage by token, head and number.

import {stridesOf} from '../shared/graph/tensors.js';
import {placesAt} from './explaining/moves.js';

/**
 * @typedef {Object} Line numbers that stand beside each other in a picture
 * @property {string} node in whose value they lie
 * @property {number} base where the first one lies
 * @property {number} step from one to the next
 * @property {number[]} values
 */

const COLOURED = 0.98; // of all numbers, whose largest ends the scale of colours
const ENOUGH = 20000; // numbers that tell it

/**
 * The numbers of one run, as far as they are there.
 *
 * Of a place, number k of a token counts through all heads: head after head.
 */
export class Numbers {
  #missing = new Set();
  #ranges = new Map();

  /**
   * @param {Object} facts
   * @param {(name: string) => Float32Array | null} get asks for a part that is not there
   */
  constructor(facts, get) {
    this.facts = facts;
    this.ask = get;
  }
  /** A part, null while it is under way. */
  get(name) {
    const found = this.ask(name) ?? null;
    if (found) this.#missing.delete(name);
    else this.#missing.add(name);
    return found;
  }
  /** The names of parts that were asked for and are not there. */
  get missing() {
    return [...this.#missing];
  }
  isWeight(node) {
    return Object.hasOwn(this.facts.graph.weights, node);
  }
  /** The numbers of a node, an input or a weight, in the order of its shape. */
  value(node) {
    return this.isWeight(node) ? this.weight(node) : this.get(`${this.facts.run} ${node}`);
  }
  weight(node) {
    return this.get(`w ${node}`);
  }
  shape(node) {
    return this.isWeight(node) ? this.facts.graph.weights[node] : this.facts.shapes[node];
  }
  /** How long a place's axis is: 'token', 'head' or 'number'. */
  length({node, ...axes}, axis) {
    return axes[axis] === null ? 1 : this.shape(node)[axes[axis]];
  }
  /** How many numbers a token has at a place, all heads together. */
  width(place) {
    return this.length(place, 'head') * this.length(place, 'number');
  }
  /** How far apart the numbers of a place lie along its axis; 0 where one serves all. */
  step(place, axis) {
    if (this.length(place, axis) === 1) return 0;
    return stridesOf(this.shape(place.node))[place[axis]];
  }
  /** Where a token's number k lies in a place's node. */
  at(place, token, k) {
    const each = this.length(place, 'number');
    return (
      token * this.step(place, 'token') +
      Math.floor(k / each) * this.step(place, 'head') +
      (k % each) * this.step(place, 'number')
    );
  }
  /** Which token and number k of a place lie at an index of its node. */
  placed(place, index) {
    const shape = this.shape(place.node);
    const places = placesAt(shape, index);
    const along = axis => (place[axis] === null ? 0 : places[place[axis]]);
    return {
      token: along('token'),
      k: along('head') * this.length(place, 'number') + along('number'),
    };
  }
  /** All numbers of a token, head after head; null while they are under way. */
  row(place, token) {
    const values = this.value(place.node);
    if (!values) return null;
    const each = this.length(place, 'number');
    const start = this.at(place, token, 0);
    const [byHead, byNumber] = ['head', 'number'].map(axis => this.step(place, axis));
    const row = new Float32Array(this.width(place));
    for (let k = 0; k < row.length; k++) {
      row[k] = values[start + Math.floor(k / each) * byHead + (k % each) * byNumber];
    }
    return row;
  }
  /** Where a head's number of a query and a key lies in a map: scores, masked, softmax, weights. */
  atMap(part, node, head, query, key) {
    const shape = this.shape(node);
    const strides = stridesOf(shape);
    const missing = this.shape(part.weights).length - shape.length;
    const along = (axis, place) =>
      shape[axis - missing] > 1 ? place * strides[axis - missing] : 0;
    const {maps} = part;
    const ofHead = maps.head === null ? 0 : along(maps.head, head);
    return ofHead + along(maps.query, query) + along(maps.key, key);
  }
  /** Which head, query and key an index of a map is of. */
  mapped({maps, weights}, node, index) {
    const shape = this.shape(node);
    const places = placesAt(shape, index);
    const along = axis => places[axis - this.shape(weights).length + shape.length] ?? 0;
    const head = maps.head === null ? 0 : along(maps.head);
    return {head, query: along(maps.query), key: along(maps.key)};
  }
  /** A head's number of a map, for a query and a key; null while it is under way. */
  inMap(part, node, head, query, key) {
    return this.value(node)?.[this.atMap(part, node, head, query, key)] ?? null;
  }
  /** What a token attends to: a head's weights; null while they are under way. */
  attended(part, head, query) {
    return this.mapLine(part, part.weights, head, query)?.values ?? null;
  }
  /** A head's numbers of a map for a query, by key; null while they are under way. */
  mapLine(part, node, head, query) {
    const at = key => this.atMap(part, node, head, query, key);
    const count = this.shape(part.weights)[part.maps.key];
    return this.line(node, at(0), count > 1 ? at(1) - at(0) : 1, count);
  }
  /** What a token has of a place in one head, or in that which all share; null while under way. */
  headLine(place, token, head) {
    const count = this.length(place, 'number');
    const base = this.at(place, token, head * count);
    return this.line(place.node, base, this.step(place, 'number') || 1, count);
  }
  line(node, base, step, count) {
    const all = this.value(node);
    const values = all && Array.from({length: count}, (_, k) => all[base + k * step]);
    return values && {node, base, step, values};
  }
  /** The end of a place's colours: 98 of 100 numbers are smaller; 1 where nothing is known. */
  range({node}) {
    const values = this.value(node);
    if (!values) return 1;
    if (!this.#ranges.has(node)) this.#ranges.set(node, largestOfMost(values));
    return this.#ranges.get(node);
  }
  /** The length of an update over that of what it is added to; null while they are under way. */
  size(part, token) {
    const [update, before] = [part.update, part.before].map(place => this.row(place, token));
    return update && before && lengthOf(update) / lengthOf(before);
  }
}
const lengthOf = row => Math.hypot(...row);
function largestOfMost(values) {
  const step = Math.ceil(values.length / ENOUGH);
  const sizes = values
    .filter((value, i) => i % step === 0 && Number.isFinite(value))
    .map(Math.abs)
    .sort();
  return sizes[Math.floor(sizes.length * COLOURED)] || 1;
}
