// Which maps there are: heads, and what opens like a head: means, maxima, rollout. Layers go by the
// model's own numbers.

/** @typedef {number | 'mean' | 'max'} Layer as the model numbers it, or a roll-up over layers */

/**
 * @typedef {number | 'mean' | 'max' | 'rollout' | [number, number][]} Head from 0, or a roll-up
 * over heads; a list of chosen ones, layer and head each, whose mean or maximum the layer names
 */

/** The short name of a head or roll-up, `layer.head`. */
export const brief = (layer, head) => `${layer}.${head}`;
/** Whether these are heads that were chosen, at least two. */
export const isChosen = head => Array.isArray(head);
/** A head, or chosen ones, for a table. */
export const listed = head =>
  isChosen(head) ? head.map(place => brief(...place)).join(' ') : String(head);
/** A head or roll-up in words. */
export function named(layer, head) {
  if (isChosen(head)) return `${layer === 'max' ? 'Maximum' : 'Mean'} of ${head.length} heads`;
  if (typeof layer === 'string') {
    if (layer !== head) return `Head ${head} · ${layer} over layers`;
    return layer === 'max' ? 'Maximum of all heads' : 'Mean of all heads';
  }
  if (head === 'rollout') return `Rollout to layer ${layer}`;
  return typeof head === 'string'
    ? `Layer ${layer} · ${head} over heads`
    : `Layer ${layer} · head ${head}`;
}
/** Whether this is a head of the model, and no roll-up. */
export const isHead = (layer, head) => typeof layer === 'number' && typeof head === 'number';
/** Whether this is a maximum, over layers or heads. */
export const isMax = (layer, head) => layer === 'max' || head === 'max';

/** Where a layer stands in lists of layers, from 0. */
export const placeOfLayer = ({numbers}, layer) => numbers.indexOf(layer);
/** The layer that a kind has whose number is nearest. */
export const nearestLayer = ({numbers}, layer) =>
  numbers.reduce((best, one) => (Math.abs(one - layer) < Math.abs(best - layer) ? one : best));

/** The numbers from 0 to n - 1. */
export const count = n => Array.from({length: n}, (_, i) => i);
/**
 * Layer and head of every head that a mean or maximum is of.
 * @param {Kind} kind
 * @param {number | string} layer any word for all layers
 * @param {number | string} head any word for all heads
 * @returns {[number, number][]}
 */
export function members({numbers, heads}, layer, head) {
  if (isChosen(head)) return head;
  return (typeof layer === 'string' ? numbers : [layer]).flatMap(l =>
    (typeof head === 'string' ? count(heads) : [head]).map(h => [l, h]),
  );
}
/**
 * The chosen heads when one is added, or taken away if it is among them.
 * @param {{layer: Layer, head: Head}} open the map that is open
 * @param {{layer: number, head: number}} place
 * @param {'mean' | 'max'} rollup
 * @returns {{layer: Layer, head: Head}} what is open then
 */
export function chosenWith(open, place, rollup) {
  const one = isHead(open.layer, open.head) ? [[open.layer, open.head]] : [];
  const before = isChosen(open.head) ? open.head : one;
  const same = ([layer, head]) => layer === place.layer && head === place.head;
  const kept = before.filter(other => !same(other));
  const added = kept.length < before.length ? kept : [...kept, [place.layer, place.head]];
  if (!added.length) return open;
  if (added.length === 1) return {layer: added[0][0], head: added[0][1]};
  const layer = isChosen(open.head) ? open.layer : rollup;
  return {layer, head: added.sort(([a, b], [c, d]) => a - c || b - d)};
}
/**
 * Of chosen heads those that a kind has; of fewer than two the nearest to the first.
 * @param {Kind} kind
 * @param {[number, number][]} chosen
 * @param {'mean' | 'max'} layer
 * @returns {{layer: Layer, head: Head}}
 */
export function chosenIn(kind, chosen, layer) {
  const there = chosen.filter(([l, h]) => kind.numbers.includes(l) && h < kind.heads);
  if (there.length > 1) return {layer, head: there};
  const [l, h] = there[0] ?? chosen[0];
  return {layer: nearestLayer(kind, l), head: Math.min(kind.heads - 1, h)};
}
/** Layer and head of all heads, layer by layer. */
export const everyHead = kind => members(kind, 'all', 'all');
/**
 * Layer and head of what stands beside and under the heads.
 * @param {Kind} kind
 * @param {'mean' | 'max' | 'rollout'} rollup
 * @returns {[Layer, Head][]} of layers, of heads, of all; a rollout of layers only, where
 * the attention is self-attention
 */
export function rolledUp({numbers, heads, self}, rollup) {
  const layers = numbers.map(layer => [layer, rollup]);
  if (rollup === 'rollout') return self ? layers : [];
  return [...layers, ...count(heads).map(head => [rollup, head]), [rollup, rollup]];
}
