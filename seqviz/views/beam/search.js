// The numbers of a beam search: its tree, the ranking of what is finished, greedy's path.

/**
 * @typedef {Object} Tree nodes are numbers from 0; -1 is the prompt. The first seven fields have a
 * number for each node
 * @property {Float32Array} step from 1
 * @property {Float32Array} parent
 * @property {Float32Array} token its place in the list of words
 * @property {Float32Array} log_probability natural, after those before it
 * @property {Float32Array} score their sum from the prompt on
 * @property {Float32Array} kept 1 if it survived the pruning of its step, else 0
 * @property {Float32Array} finished 1 if its token ends the sequence, else 0
 * @property {number} N nodes
 * @property {number} T steps
 * @property {Map<number, number[]>} children of each node, the highest score first
 * @property {number[][]} at the nodes of each step; none at step 0
 * @property {number[][]} stays those of them that are kept
 * @property {number[][]} lost those that are pruned
 * @property {number[]} greedy the path of the likeliest token each time, as far as the tree has it
 */

/** What Python packs of each node, in this order. */
export const BEAM_FIELDS = [
  'step',
  'parent',
  'token',
  'log_probability',
  'score',
  'kept',
  'finished',
];
/**
 * A tree from what Python packs.
 * @param {Float32Array} values one field of all nodes after the other
 * @returns {Tree}
 */
export function beamTreeOf(values) {
  const N = values.length / BEAM_FIELDS.length;
  const fields = BEAM_FIELDS.map((name, k) => [name, values.subarray(k * N, (k + 1) * N)]);
  const tree = {N, ...Object.fromEntries(fields)};
  const nodes = Array.from({length: N}, (_, node) => node);
  const T = tree.step[N - 1];
  const children = new Map([[-1, []], ...nodes.map(node => [node, []])]);
  const at = Array.from({length: T + 1}, () => []);
  for (const node of nodes) {
    children.get(tree.parent[node]).push(node);
    at[tree.step[node]].push(node);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => tree.score[b] - tree.score[a]);
  const stays = at.map(nodes => nodes.filter(node => tree.kept[node]));
  const lost = at.map(nodes => nodes.filter(node => !tree.kept[node]));
  return {...tree, T, children, at, stays, lost, greedy: greedyPath(tree, children)};
}
/**
 * The node with the highest score; of equals, the first.
 * @param {Tree} tree
 * @param {number[]} nodes at least one
 * @returns {number}
 */
export const highest = (tree, nodes) =>
  nodes.reduce((best, node) => (tree.score[node] > tree.score[best] ? node : best));
function greedyPath({log_probability}, children) {
  const path = [];
  const likeliest = (best, node) =>
    log_probability[node] > log_probability[best] ||
    (log_probability[node] === log_probability[best] && node < best)
      ? node
      : best;
  for (let next = children.get(-1); next.length; next = children.get(path.at(-1))) {
    path.push(next.reduce(likeliest));
  }
  return path;
}
/**
 * Nodes from the first token to this one.
 * @param {Tree} tree
 * @param {number} node
 * @returns {number[]} none for the prompt
 */
export function pathTo({parent}, node) {
  const path = [];
  for (; node >= 0; node = parent[node]) path.unshift(node);
  return path;
}
/**
 * By how much a pruned node lost to the last one that was kept.
 * @param {Tree} tree
 * @param {number} node
 * @returns {number}
 */
export const shortOf = (tree, node) =>
  Math.min(...tree.stays[tree.step[node]].map(other => tree.score[other])) - tree.score[node];
/**
 * What a hypothesis is ranked by: score / length^penalty.
 * @param {Tree} tree
 * @param {number} node
 * @param {number} penalty
 * @returns {number}
 */
export const normalised = ({score, step}, node, penalty) => score[node] / step[node] ** penalty;
/**
 * Nodes of the finished hypotheses up to a step, best first; at the last step, if none is finished,
 * those that stay there.
 * @param {Tree} tree
 * @param {number} step
 * @param {number} penalty
 * @returns {number[]}
 */
export function rankedNodes(tree, step, penalty) {
  const done = tree.stays
    .slice(0, step + 1)
    .flat()
    .filter(node => tree.finished[node]);
  const ends = step === tree.T && !done.length ? tree.stays[step] : done;
  return ends.toSorted((a, b) => normalised(tree, b, penalty) - normalised(tree, a, penalty));
}
