// Who wrote an answer: a logit as the sum of what a model's parts added to its stream.
// seqviz/graphs/writing.py says the same in Python. Behind the last update all is linear but norms
// and activations; they are held at what they did in the run. Each part alone then gives its share.

import {rowsOf} from '../../shared/graph/by_token.js';
import {madeOf} from '../../shared/graph/within.js';
import {namesIn} from '../../shared/graph/loading.js';
import {run} from '../../shared/graph/running.js';
import {flat, stridesOf, Tensor} from '../../shared/graph/tensors.js';
import {heldNet} from './held.js';

/**
 * @param {MachineModel} model
 * @param {Map<string, any>} values of all nodes and inputs of a run
 * @param {{token: number, plus: number, less: number | null}} weigh
 * @param {Map<string, number[]>} carried tokens whose state was put in the model's place, by node
 * @param {AbortSignal} signal
 * @returns {Promise<Object[]>} kind, name, block, part, head and value of each
 */
export async function writtenBy({net, anatomy}, values, weigh, carried, signal) {
  const {logits} = anatomy;
  const stream = anatomy.streams.at(-1);
  const leaves = leavesOf(stream);
  const names = new Set(leaves.map(({place}) => place.node));
  const path = pathOf(net, stream, logits.node, names);
  const held = heldNet(net, path, values, carriedPlaces(stream, carried));
  const answer = async given => {
    const weights = new Map([...held.weights, ...held.nothing, ...given]);
    const {kept} = await run({...held, weights}, {}, {keep: [logits.node], signal});
    return difference(logits, kept[logits.node], weigh);
  };
  const linear = held.live.has(logits.node); // else no part is told of it
  const bias = linear ? await answer([]) : 0;
  const found = [];
  const reaches = ({place}) => linear && path.leaves.has(place.node);
  for (const {place, told} of leaves.filter(reaches)) {
    for (const [who, mask] of told(values.get(place.node))) {
      const alone = masked(values.get(place.node), mask);
      found.push({...who, value: (await answer([[place.node, alone]])) - bias});
    }
  }
  const carriedShare = linear && held.states.length ? (await answer(held.states)) - bias : 0;
  if (carriedShare) found.push({...NOBODY, kind: 'carried', value: carriedShare});
  found.push({...NOBODY, kind: 'bias', value: bias});
  const real = difference(logits, values.get(logits.node), weigh);
  const rest = real - found.reduce((sum, {value}) => sum + value, 0);
  return [...found, {...NOBODY, kind: 'rest', value: rest}];
}
const NOBODY = {kind: '', name: '', block: null, part: null, head: null};
function difference(place, value, {token, plus, less}) {
  const row = rowsOf(place, value)[place.token === null ? 0 : token];
  return less === null ? row[plus] : row[plus] - row[less];
}
function masked(value, mask) {
  if (!mask) return value;
  return new Tensor(
    flat(value).map((v, k) => (mask(k) ? v : 0)),
    value.shape,
  );
}
// What is added to the stream: its place, and who of it is told with which of its numbers.
function leavesOf({embedded, blocks}) {
  const inputs = embedded.map(({name, place}) => ({
    place,
    told: () => [[{...NOBODY, kind: 'input', name}, null]],
  }));
  const parts = blocks.flatMap(({number: block, parts: all}) =>
    all.map((one, part) => leafOf(one, {...NOBODY, block, part})),
  );
  return [...inputs, ...parts];
}
function leafOf(one, where) {
  if (one.is !== 'attention') {
    return {place: one.update, told: () => [[{...where, kind: 'part'}, null]]};
  }
  const {context: place, heads} = one;
  const told = ({shape}) =>
    Array.from({length: heads}, (_, head) => [
      {...where, kind: 'head', head},
      place.head === null ? null : ofHead(shape, place.head, head),
    ]);
  return {place, told};
}
function ofHead(shape, axis, head) {
  const stride = stridesOf(shape)[axis];
  return k => Math.floor(k / stride) % shape[axis] === head;
}
// Of the states that were put in the model's place: where, and which rows.
function carriedPlaces({start, blocks}, carried) {
  const places = [start, ...blocks.map(({end}) => end)];
  return places
    .filter(({node}) => carried.has(node))
    .map(place => ({place, tokens: carried.get(place.node)}));
}
/**
 * The nodes between what is added to the stream and the logits; inside an attention only those
 * that are made of what its heads give.
 */
function pathOf(net, {blocks}, logits, ends) {
  const nodes = new Map(net.nodes.map(node => [node.name, node]));
  const attentions = blocks.flatMap(({parts}) => parts).filter(({is}) => is === 'attention');
  const heads = new Map(attentions.map(({update, context}) => [update.node, context.node]));
  const behind = new Map([...heads.values()].map(name => [name, madeOf(net, [name])]));
  const path = {leaves: new Set(), nodes: new Set()};
  const todo = [[logits, '']];
  while (todo.length) {
    const [name, around] = todo.pop();
    if (ends.has(name)) {
      path.leaves.add(name);
    } else if (nodes.has(name) && !path.nodes.has(name)) {
      path.nodes.add(name);
      const inside = heads.get(name) ?? around;
      const goes = one => !inside || behind.get(inside).has(one);
      todo.push(
        ...namesIn(nodes.get(name).args)
          .filter(goes)
          .map(one => [one, inside]),
      );
    }
  }
  return path;
}
