// Which maps there are: heads, and what opens like a head: means, maxima, rollout. Layers go by the
// model's own numbers.

export const brief = (layer, head) => `${layer}.${head}`;
export function named(layer, head) {
  if (typeof layer === 'string') {
    if (layer !== head) return `Head ${head} · ${layer} over layers`;
    return layer === 'max' ? 'Maximum of all heads' : 'Mean of all heads';
  }
  if (head === 'rollout') return `Rollout to layer ${layer}`;
  return typeof head === 'string'
    ? `Layer ${layer} · ${head} over heads`
    : `Layer ${layer} · head ${head}`;
}
export const isHead = (layer, head) => typeof layer === 'number' && typeof head === 'number';
export const isMax = (layer, head) => layer === 'max' || head === 'max';

// Where a layer stands in lists of layers.
export const placeOfLayer = ({numbers}, layer) => numbers.indexOf(layer);
export const nearestLayer = ({numbers}, layer) =>
  numbers.reduce((best, one) => (Math.abs(one - layer) < Math.abs(best - layer) ? one : best));

export const count = n => Array.from({length: n}, (_, i) => i);
// Layer and head of every head that a mean or maximum is of.
export const members = ({numbers, heads}, layer, head) =>
  (typeof layer === 'string' ? numbers : [layer]).flatMap(l =>
    (typeof head === 'string' ? count(heads) : [head]).map(h => [l, h]),
  );
export const everyHead = kind => members(kind, 'all', 'all');
// Layer and head of what stands beside and under the heads.
export function rolledUp({numbers, heads, self}, rollup) {
  const layers = numbers.map(layer => [layer, rollup]);
  if (rollup === 'rollout') return self ? layers : [];
  return [...layers, ...count(heads).map(head => [rollup, head]), [rollup, rollup]];
}
