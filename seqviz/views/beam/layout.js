// Where the nodes of a beam search stand: a column for each step, a row for each token; pruned ones
// are folded where they are many.

import {cut, signed} from '../shared/texts.js';
import {highest, shortOf} from './search.js';

/**
 * @typedef {Object} Row a node in its column, or pruned siblings that are folded
 * @property {number} node -1 for the prompt; the first of those that are folded
 * @property {number[]} rest all that are folded here; none if nothing is
 * @property {Row | null} parent
 * @property {Row[]} children
 * @property {number} y pixels from the highest row
 * @property {{name: string, number: string, lost: string}} label from framed(), as `wide`, the
 * pixels of name and number, and `full`, those with what a pruned one lost
 * @property {number} wide
 * @property {number} full
 */

/**
 * @typedef {Object} Layout
 * @property {Row[][]} columns one for each step, from 0: the prompt
 * @property {number} room pixels from the highest to the lowest row
 * @property {string} [key] from Layouts: what the frame was made for
 * @property {Frame} [frame] from Layouts
 */

/**
 * @typedef {Object} Frame what fits in the width
 * @property {number} n columns in sight
 * @property {number[]} starts where each of these n begins, and where the last ends
 * @property {number[]} wide pixels of the widest label of every column
 * @property {boolean} strip whether a strip shows the others
 */

/** Pixels from row to row, at least. */
export const PITCH = 37;
/** Pixels from a node to its label. */
export const MARK = 16;
const EDGES = 40;
const FEW = 12;
const ROOMY = 8;

// ---- rows: {node, parent, rest}; rest holds what is folded behind the node, itself included. The
// prompt is node -1.
function columnsOf(tree, open) {
  const fold = tree.at.some(nodes => nodes.length > FEW);
  const columns = [[{node: -1, parent: null, rest: [], children: []}]];
  const childrenOf = parent => {
    const nodes = parent.rest.length ? [] : tree.children.get(parent.node);
    const rows = rowsOf(tree, nodes, fold && parent.node !== open);
    parent.children = rows.map(row => ({...row, parent, children: []}));
    return parent.children;
  };
  for (let t = 1; t <= tree.T; t++) columns.push(columns[t - 1].flatMap(childrenOf));
  return columns;
}
// Siblings, best first. Folded: all pruned but the one that just missed its step and greedy's
// choice.
function rowsOf(tree, nodes, fold) {
  const named = node =>
    tree.kept[node] ||
    tree.greedy.includes(node) ||
    node === highest(tree, tree.lost[tree.step[node]]);
  const rest = fold ? nodes.filter(node => !named(node)) : [];
  if (rest.length < 2) return nodes.map(node => ({node, rest: []}));
  return [...nodes.filter(named).map(node => ({node, rest: []})), {node: rest[0], rest}];
}

// ---- heights: children beside their parent, a parent in the middle of its children, never
// closer than the pitch
/**
 * A layout of the whole tree.
 * @param {Tree} tree
 * @param {number | null} open the node whose pruned children are not folded
 * @returns {Layout}
 */
export function placed(tree, open) {
  const columns = columnsOf(tree, open);
  const leaves = columns.flat().filter(row => !row.children.length).length;
  const rows = Math.max(Math.min(leaves, ROOMY), ...columns.map(column => column.length));
  const room = (rows - 1) * PITCH;
  const settle = (column, wanted) =>
    spread(column.map(wanted), room).forEach((y, i) => {
      column[i].y = y;
    });
  const besideParent = ({node, parent: {y, children}}) =>
    y + (children.findIndex(child => child.node === node) - (children.length - 1) / 2) * PITCH;
  const amidChildren = ({y, children}) =>
    children.length ? children.reduce((sum, child) => sum + child.y, 0) / children.length : y;
  columns[0][0].y = room / 2;
  for (let round = 0; round < 3; round++) {
    for (const column of columns.slice(1)) settle(column, besideParent);
    for (const column of columns.toReversed()) settle(column, amidChildren);
  }
  const low = Math.min(...columns.flat().map(row => row.y));
  const high = Math.max(...columns.flat().map(row => row.y));
  for (const row of columns.flat()) row.y -= low;
  return {columns, room: high - low};
}
// The nearest heights to the wanted ones that keep order, distance and room: rows that would
// overlap share their mean.
function spread(wanted, room) {
  const pools = [];
  wanted.forEach((y, i) => {
    const pool = {mean: y - i * PITCH, size: 1};
    while (pools.length && pools.at(-1).mean > pool.mean) {
      const {mean, size} = pools.pop();
      pool.mean = (mean * size + pool.mean * pool.size) / (size + pool.size);
      pool.size += size;
    }
    pools.push(pool);
  });
  const most = room - (wanted.length - 1) * PITCH;
  return pools
    .flatMap(({mean, size}) => Array(size).fill(Math.max(0, Math.min(most, mean))))
    .map((y, i) => y + i * PITCH);
}

// ---- labels and widths
function labelOf({node, rest}, {tree, facts, measure, W}) {
  const bold = text => measure(text, '700 14px');
  const most = W < 600 ? 72 : 110;
  if (node < 0) return {name: cut(facts.prompt, most, bold), number: '', lost: ''};
  if (rest.length) {
    return {name: `+${rest.length} pruned`, number: `≤ ${signed(tree.score[node])}`, lost: ''};
  }
  const gap = tree.kept[node] ? 0 : shortOf(tree, node);
  return {
    name: cut(facts.words[tree.token[node]], most, bold),
    number: signed(tree.score[node]),
    lost: gap > 0 ? `↓${signed(gap)}` : '',
  };
}
/**
 * Where columns begin: all of them if they fit, else as many as do, behind a strip that shows the
 * whole tree. The rows get their labels.
 * @param {Row[][]} columns
 * @param {Scene} scene `W`, `measure`, `tree` and `facts` are read
 * @returns {Frame}
 */
export function framed(columns, scene) {
  const wide = [];
  const needs = [];
  const {W, measure, tree} = scene;
  const most = numbers => Math.max(...numbers);
  columns.forEach((column, t) => {
    for (const row of column) {
      const {name, number, lost} = (row.label = labelOf(row, scene));
      row.wide = most([measure(name, '700 14px'), measure(number, '12px mono')]);
      // what a pruned one lost stands where no line starts
      row.full = most([row.wide, measure(number + lost, '12px mono') + 6]);
    }
    wide.push(most(column.map(row => row.wide)));
    const full = most(column.map(row => row.full)) + 18;
    const counted = t ? measure(countText(tree, t)) : 0;
    needs.push(MARK + most([wide[t] + EDGES, full, counted]));
  });
  const total = needs.reduce((a, b) => a + b);
  const count = columns.length;
  if (total <= W - MARK) {
    const more = Math.min(80, (W - MARK - total) / count);
    const starts = [MARK];
    for (const need of needs) starts.push(starts.at(-1) + need + more);
    return {wide, starts, n: count, strip: false};
  }
  const n = Math.max(2, Math.min(count, Math.floor((W - MARK) / most(needs.slice(1)))));
  const starts = Array.from({length: n + 1}, (_, k) => MARK + (k * (W - MARK)) / n);
  return {wide, starts, n, strip: true};
}
/**
 * How many nodes of a step stay, in words.
 * @param {Tree} tree
 * @param {number} t the step, from 1
 * @returns {string}
 */
export const countText = ({stays, at}, t) => `${stays[t].length} of ${at[t].length} stay`;
