// Why a weight is as it is, as floats: a page's model packs them as reasons.py does, and the view
// takes them apart.

import {flat} from '../shared/graph/tensors.js';

/**
 * @typedef {Object} Source of an attention in a graph: the names of its values, and its scale
 * @property {string} query '' where the scores are no products
 * @property {string} key
 * @property {string} scores
 * @property {string} masked
 * @property {string} weights
 * @property {string} value
 * @property {string} context
 * @property {number} scale
 */

/** The names of the values that are wanted of a source. */
export const namesOfSource = source => [
  ...new Set(Object.values(source).filter(name => typeof name === 'string' && name)),
];
/**
 * The numbers behind a row of a map: how many keys, numbers of q and of a value, the scale; q, k by
 * key, v by key, scores, what the softmax reads, weights, the sum.
 * @param {Object<string, Tensor>} values by name
 * @param {Source} source
 * @param {number} slice which head
 * @param {number} row
 * @returns {Float32Array}
 */
export function packedReason(values, source, slice, row) {
  const map = name => mapIn(values[source[name]], slice);
  const value = map('value');
  const query = source.query ? map('query').row(row) : [];
  const keys = source.query ? turnedOver(map('key')) : [];
  const rows = ['scores', 'masked', 'weights', 'context'].map(name => map(name).row(row));
  const sizes = [value.rows, query.length, value.columns, source.scale];
  return Float32Array.from([sizes, query, keys, value.numbers, ...rows].flatMap(one => [...one]));
}
// One head of a value (..., rows, numbers).
function mapIn(value, slice) {
  const [rows, columns] = value.shape.slice(-2);
  const size = rows * columns;
  const numbers = flat(value).subarray(slice * size, (slice + 1) * size);
  const row = at => numbers.subarray(at * columns, (at + 1) * columns);
  return {rows, columns, numbers, row};
}
const turnedOver = ({rows, columns, numbers}) =>
  Array.from({length: rows * columns}, (_, at) => {
    const [column, row] = [Math.floor(at / rows), at % rows];
    return numbers[row * columns + column];
  });

/** Names and places of the values of a row, as the anatomy of a graph has them. */
const PLACES = Object.fromEntries(
  ['query', 'key', 'value', 'context'].map(node => [node, {node, token: 0, head: null, number: 1}]),
);
const SAME = 1e-4; // of a score and of what the softmax reads
/**
 * What came, as the facts and parts of a graph with this one row.
 * @param {Float32Array} floats
 * @param {{cross: boolean, silent: boolean, head: number}} about
 * @returns {{facts: Object, parts: Object<string, Float32Array>}}
 */
export function reasonOf(floats, {cross, silent, head}) {
  const [keys, width, across, scale] = floats;
  const shapes = {
    query: [1, width],
    key: [keys, width],
    value: [keys, across],
    scores: [1, keys],
    masked: [1, keys],
    weights: [1, keys],
    context: [1, across],
  };
  const parts = {};
  let at = 4;
  for (const [name, [rows, columns]] of Object.entries(shapes)) {
    parts[`why ${name}`] = floats.subarray(at, (at += rows * columns));
  }
  const read = parts['why masked'];
  const changed = parts['why scores'].some(
    (score, key) => Math.abs(score / scale - read[key]) > SAME,
  );
  const part = {
    is: 'attention',
    cross,
    attention: 0,
    scores: 'scores',
    masked: 'masked',
    weights: 'weights',
    mask: changed ? 'masked' : '',
    maps: {head: null, query: 0, key: 1},
    scale,
    ...PLACES,
    ...(width ? {} : {query: null, key: null}),
  };
  const own = {tokens: cross ? 'target' : 'source', blocks: [{parts: [part]}]};
  const streams = cross ? [{tokens: 'source', blocks: []}, own] : [own];
  const graph = {weights: {}};
  const anatomy = {streams};
  return {facts: {run: 'why', graph, anatomy, shapes, silent: silent ? [[0, head]] : []}, parts};
}
