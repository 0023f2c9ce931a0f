// The numbers of a beam search: its tree, the ranking of what is finished, greedy's path; values.py
// says the same.

export const BEAM_FIELDS = [
  'step',
  'parent',
  'token',
  'log_probability',
  'score',
  'kept',
  'finished',
];
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
export function pathTo({parent}, node) {
  const path = [];
  for (; node >= 0; node = parent[node]) path.unshift(node);
  return path;
}
// By how much a pruned node lost to the last one that was kept.
export const shortOf = (tree, node) =>
  Math.min(...tree.stays[tree.step[node]].map(other => tree.score[other])) - tree.score[node];
export const normalised = ({score, step}, node, penalty) => score[node] / step[node] ** penalty;
export function rankedNodes(tree, step, penalty) {
  const done = tree.stays
    .slice(0, step + 1)
    .flat()
    .filter(node => tree.finished[node]);
  const ends = step === tree.T && !done.length ? tree.stays[step] : done;
  return ends.toSorted((a, b) => normalised(tree, b, penalty) - normalised(tree, a, penalty));
}
