// Back through operations that only move numbers: where each of them lay before.

import {shapingOperations} from '../../shared/graph/shaping.js';
import {
  Tensor,
  joinedShape,
  realAxis,
  realPlace,
  sizeOf,
  stretchedStrides,
  stridesOf,
} from '../../shared/graph/tensors.js';

/** The places along each axis of the number at an index, in numbers that lie in order. */
export const placesAt = (shape, index) =>
  stridesOf(shape).map((stride, axis) => Math.floor(index / stride) % shape[axis]);
/** The index of the number at places along each axis. */
export const indexAt = (strides, places, offset = 0) =>
  strides.reduce((index, stride, axis) => index + stride * places[axis], offset);

// A tensor whose numbers nobody reads.
const unread = shape => new Tensor({length: sizeOf(shape)}, shape);
// Moves that are a view of what they read: `view(whole)` of a tensor of that shape.
function throughView(numbers, source, view) {
  const {shape, strides, offset} = view(unread(numbers.shape(source)));
  return index => [source, indexAt(strides, placesAt(shape, index), offset)];
}
const viewing =
  op =>
  (numbers, {args: [source, ...given]}) =>
    throughView(numbers, source.value, whole => shapingOperations[op](null, whole, ...given));
function ofSplit(numbers, {args: [list, k]}, nodes) {
  const split = nodes.get(list.value);
  if (split.op !== 'split_with_sizes') return null;
  const [source, ...given] = split.args;
  const cut = shapingOperations[split.op];
  return throughView(numbers, source.value, whole => cut(null, whole, ...given)[k]);
}
// Whole numbers and truth values lose what is behind the point.
const casting = (numbers, {kind, args: [source]}) =>
  kind === 'float' ? index => [source.value, index] : null;
function joining(numbers, {name, args: [parts, given = 0]}) {
  const shape = numbers.shape(name);
  const axis = realAxis(given, shape.length);
  const full = parts.filter(part => numbers.shape(part.value).length === shape.length);
  return index => {
    const places = placesAt(shape, index);
    const part = full.find(({value}) => {
      const length = numbers.shape(value)[axis];
      if (places[axis] < length) return true;
      places[axis] -= length;
      return false;
    });
    return [part.value, indexAt(stridesOf(numbers.shape(part.value)), places)];
  };
}
function repeating(numbers, {name, args: [source]}) {
  const own = numbers.shape(source.value);
  const shape = numbers.shape(name);
  const missing = shape.length - own.length;
  return index => {
    const places = placesAt(shape, index).slice(missing);
    return [
      source.value,
      indexAt(
        stridesOf(own),
        places.map((place, axis) => place % own[axis]),
      ),
    ];
  };
}
// What was padded lies nowhere: it is a number of the operation itself.
function padding(numbers, {name, args: [source, pads]}) {
  const own = numbers.shape(source.value);
  return index => {
    const places = placesAt(numbers.shape(name), index).map(
      (place, axis) => place - (pads[2 * (own.length - 1 - axis)] ?? 0),
    );
    const isInside = places.every((place, axis) => place >= 0 && place < own[axis]);
    return isInside ? [source.value, indexAt(stridesOf(own), places)] : null;
  };
}
// a[..., indices, ...]: places along axes that lie side by side are named by other tensors.
function indexing(numbers, {name, args: [source, indices]}) {
  const own = numbers.shape(source.value);
  const named = own.map((_, axis) => axis).filter(axis => indices[axis]);
  if (named.at(-1) - named[0] >= named.length) return null;
  const shapes = named.map(axis => numbers.shape(indices[axis].value));
  const joined = joinedShape(...shapes);
  const steps = shapes.map(shape => stretchedStrides(unread(shape), joined));
  return index => {
    const places = placesAt(numbers.shape(name), index);
    const within = places.splice(named[0], joined.length);
    const found = named.map((axis, k) => {
      const values = numbers.value(indices[axis].value);
      return values && realPlace(values[indexAt(steps[k], within)], own[axis]);
    });
    if (found.includes(null)) return null;
    return [source.value, indexAt(stridesOf(own), places.toSpliced(named[0], 0, ...found))];
  };
}
// Places along one axis are named by another tensor, of the result's shape.
function gathering(numbers, {name, args: [source, given, indices]}) {
  const own = numbers.shape(source.value);
  const axis = realAxis(given, own.length);
  return index => {
    const values = numbers.value(indices.value);
    const places = placesAt(numbers.shape(name), index);
    return values && [source.value, indexAt(stridesOf(own), places.with(axis, values[index]))];
  };
}
const VIEWS = [
  ...['view', '_unsafe_view', 'reshape', 'view_copy', 'permute', 'expand', 'unsqueeze'],
  ...['unsqueeze_copy', 'squeeze.dims', 'squeeze.dim', 'select.int', 'slice.Tensor', 'flip'],
  ...['diagonal', 'diagonal_copy', 'as_strided', 'unfold', 'unfold_copy'],
  ...['clone', 'alias', 'detach', 'lift_fresh_copy'],
];
// Each makes of a node what finds [source, index] of an index, null where it moves nothing.
const MOVES = {
  ...Object.fromEntries(VIEWS.map(op => [op, viewing(op)])),
  'sym.getitem': ofSplit,
  _to_copy: casting,
  cat: joining,
  repeat: repeating,
  constant_pad_nd: padding,
  'index.Tensor': indexing,
  gather: gathering,
};
const known = new WeakMap(); // of each run's facts the nodes by name, and how they move

/** The nodes of a graph by their names. */
export function nodesOf(graph) {
  if (!known.has(graph)) known.set(graph, new Map(graph.nodes.map(node => [node.name, node])));
  return known.get(graph);
}
function movesOf(numbers) {
  if (!known.has(numbers.facts)) known.set(numbers.facts, new Map());
  return known.get(numbers.facts);
}
/**
 * A number, followed back through moves to the operation, the input or the weight that gives it.
 * @param {Object} graph
 * @param {Numbers} numbers
 * @param {string} node
 * @param {number} index
 * @returns {[string, number]}
 */
export function originOf(graph, numbers, node, index) {
  const nodes = nodesOf(graph);
  const moves = movesOf(numbers);
  for (;;) {
    if (!moves.has(node)) {
      const made = nodes.get(node);
      moves.set(node, MOVES[made?.op]?.(numbers, made, nodes) ?? null);
    }
    const next = moves.get(node)?.(index);
    if (!next) return [node, index];
    [node, index] = next;
  }
}
