// Parts of a graph as graphs of their own: all else stays as it was in a run.

import {namesIn} from './loading.js';

/** A graph whose output may hold NaN: only what is kept is wanted. */
export const silently = net => ({...net, output: []});
/** Values, and all that is made of them. */
export function madeOf({nodes}, names) {
  const made = new Set(names);
  for (const {name, args} of nodes) if (namesIn(args).some(one => made.has(one))) made.add(name);
  return made;
}
/** Some nodes as a graph of their own: what they read is as it was in a run. */
export const netOf = (net, nodes, values) => ({
  ...silently(net),
  inputs: [],
  lengths: {},
  limits: {},
  nodes,
  weights: new Map([...net.weights, ...values]),
  done: nodes.map(() => []),
});
/**
 * What leads from one value to another, with the first one as its input.
 * @param {Net} net
 * @param {Map<string, any> | [string, any][]} values of a run
 * @param {string} from
 * @param {string} wanted
 * @returns {Net}
 */
export function between(net, values, from, wanted) {
  const made = madeOf(net, [from]);
  const leading = new Set([wanted]);
  for (const {name, args} of net.nodes.toReversed()) {
    if (leading.has(name) && name !== from) namesIn(args).forEach(n => leading.add(n));
  }
  const inside = ({name}) => name !== from && made.has(name) && leading.has(name);
  return {...netOf(net, net.nodes.filter(inside), values), inputs: [from]};
}
