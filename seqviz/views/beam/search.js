// The numbers of a beam search: its tree, the ranking of what is finished, greedy's path.

/**
 * @typedef {Object} Tree nodes are numbers from 0; -1 is the prompt. The first seven fields are
 * Python's, with a number for each node
 * @property {Int32Array} step from 1
 * @property {Int32Array} parent
 * @property {Int32Array} token its place in the list of words
 * @property {Float32Array} log_probability natural, after those before it
 * @property {Float32Array} score their sum from the prompt on
 * @property {Uint8Array} kept 1 if it survived the pruning of its step, else 0
 * @property {Uint8Array} finished 1 if its token ends the sequence, else 0
 * @property {number} N nodes
 * @property {number} T steps
 * @property {Map<number, number[]>} children of each node, the highest score first
 * @property {number[][]} at the nodes of each step; none at step 0
 * @property {number[][]} stays those of them that are kept
 * @property {number[][]} lost those that are pruned
 * @property {number[]} greedy the path of the likeliest token each time, as far as the tree has it
 */

/**
 * A tree from what Python packs.
 * @param {Object<string, ArrayLike<number>>} fields a number for each node
 * @returns {Tree}
 */
export function beamTreeOf(fields) {
  const {step, parent, score, kept, log_probability} = fields;
  const nodes = [...step.keys()];
  const T = step.at(-1);
  const children = new Map([[-1, []], ...nodes.map(node => [node, []])]);
  const at = Array.from({length: T + 1}, () => []);
  for (const node of nodes) {
    children.get(parent[node]).push(node);
    at[step[node]].push(node);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => score[b] - score[a]);
  const stays = at.map(nodes => nodes.filter(node => kept[node]));
  const lost = at.map(nodes => nodes.filter(node => !kept[node]));
  const greedy = greedyPath(log_probability, children);
  return {...fields, N: nodes.length, T, children, at, stays, lost, greedy};
}
/**
 * The node with the highest score; of equals, the first.
 * @param {Tree} tree
 * @param {number[]} nodes at least one
 * @returns {number}
 */
export const highest = (tree, nodes) =>
  nodes.reduce((best, node) => (tree.score[node] > tree.score[best] ? node : best));
function greedyPath(log_probability, children) {
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
/** By how much a pruned node lost to the last one that was kept. */
export const shortOf = (tree, node) =>
  Math.min(...tree.stays[tree.step[node]].map(other => tree.score[other])) - tree.score[node];
/** What a hypothesis is ranked by: score / length^penalty. */
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
