// What the tree shows now: which node leads, which path is in focus, which steps are in sight.

import {framed, placed} from './layout.js';
import {highest, pathTo, rankedNodes} from './search.js';

/**
 * @typedef {{from: number, at: number}} Backtrack the node that it set out from, and where it is
 */

/**
 * The node that is chosen, else what leads; -1 before the first step.
 * @param {Tree} tree
 * @param {{step: number, node: number, penalty: number}} controls
 * @returns {number}
 */
export function leadingNode(tree, {step, node, penalty}) {
  if (node >= 0 || step === 0) return node;
  return step === tree.T ? rankedNodes(tree, step, penalty)[0] : highest(tree, tree.stays[step]);
}
/**
 * The path on show; while backtracking, the part that is found.
 * @param {Tree} tree
 * @param {number} end its last node
 * @param {Backtrack | null} back
 * @returns {{nodes: Set<number>, end: number, done: boolean}} `done` if it reaches the
 * prompt, as it does unless backtracking
 */
export function pathInFocus(tree, end, back) {
  const nodes = pathTo(tree, back ? back.from : end);
  return {
    nodes: new Set(nodes.filter(node => !back || node >= back.at)),
    end: back ? back.from : end,
    done: !back,
  };
}
/**
 * A chosen node that is pruned opens the siblings that are folded beside it.
 * @param {Tree} tree
 * @param {number} node -1 for none
 * @returns {number | null} whose children are open, -1 for the prompt's
 */
export const openedBy = (tree, node) => (node >= 0 && !tree.kept[node] ? tree.parent[node] : null);

/** The layouts of trees, each made once for what is open; measured again at a new width or font. */
export class Layouts {
  made = new Map();
  /**
   * @param {Tree} tree
   * @param {number} width of the beam, one for each tree
   * @param {number | null} open the node whose pruned children are not folded
   * @returns {Layout}
   */
  of(tree, width, open) {
    const key = `${width} ${open}`;
    if (!this.made.has(key)) this.made.set(key, placed(tree, open));
    return this.made.get(key);
  }
  /**
   * @param {Layout} layout
   * @param {Scene} scene
   * @returns {Frame}
   */
  frame(layout, scene) {
    const key = `${scene.W} ${scene.measure.families}`;
    if (layout.key !== key) Object.assign(layout, {key, frame: framed(layout.columns, scene)});
    return layout.frame;
  }
}
/**
 * The first step in sight of `count`: as few steps as can be are moved to have the one in focus,
 * and where there is room one beside it.
 * @param {number} from the first before
 * @param {number} step in focus
 * @param {number} count
 * @param {number} total steps, with the prompt
 * @param {boolean} moved whether the focus has moved
 * @returns {number}
 */
export function firstInSight(from, step, count, total, moved) {
  const near = step <= from ? step - count + 2 : Math.max(from, step - count + 1);
  return Math.max(0, Math.min(moved ? near : from, total - count));
}
const COLUMNS = [
  'step',
  'node',
  'parent',
  'token',
  'log_probability',
  'score',
  'kept',
  'finished',
  'width',
];
/**
 * What is saved as a table: every node so far.
 * @param {{facts: Facts, tree: Tree, step: number, width: number}} now
 * @returns {(string | number)[][]}
 */
export function treeTable({facts, tree, step, width}) {
  const truth = flag => (flag ? 'yes' : 'no');
  const nodes = tree.at.slice(0, step + 1).flat();
  const rowOf = node => [
    String(tree.step[node]),
    String(node),
    tree.parent[node] < 0 ? '' : String(tree.parent[node]),
    facts.words[tree.token[node]],
    tree.log_probability[node],
    tree.score[node],
    truth(tree.kept[node]),
    truth(tree.finished[node]),
    String(width),
  ];
  return [COLUMNS, ...nodes.map(rowOf)];
}
