// The tree of a beam search in a window of steps. It takes the scene, draws an svg into the stage,
// and returns what lies under a point.

import {inkOn, ramp} from '../shared/colours.js';
import {sheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {countText, MARK, PITCH} from './layout.js';

/**
 * The tree up to the step on show, in the columns in sight.
 * @param {Element} stage
 * @param {Scene} scene
 * @returns {(x: number, y: number) => {node?: number, column?: number}} what lies under a point: a
 * node, in the strip a column, or neither
 */
export function drawTree(stage, scene) {
  const {W, columns, room, from, n, step, strip} = scene;
  const top = (strip ? 52 : 0) + 66;
  const height = top + room + 28;
  const root = sheet(stage, W, height);
  const X = t => scene.starts[t - from];
  const Y = row => top + row.y;
  const shown = columns.slice(from, Math.min(from + n, step + 1));
  Object.assign(scene, {X, Y});
  for (let t = from; t < from + n; t++) drawHeader(root, scene, t, height);
  const edges = svg(root, 'g');
  const labels = svg(root, 'g');
  for (const [k, column] of shown.entries()) {
    const fresh = scene.fresh && from + k === step ? 'enter' : '';
    const lines = svg(edges, 'g', {class: fresh});
    const names = svg(labels, 'g', {class: fresh});
    // what matters lies on top
    const order = ({node}) =>
      onPath(scene, node) ? 2 : node >= 0 && scene.tree.kept[node] ? 1 : 0;
    const ordered = column.toSorted((a, b) => order(a) - order(b));
    for (const row of ordered) drawEdge(lines, scene, row, from + k);
    for (const row of column) drawNode(names, scene, row, from + k);
  }
  if (strip) drawStrip(root, scene);
  return (x, y) => {
    if (strip && y < 44) return {column: Math.floor(((x - 14) / (W - 28)) * columns.length)};
    const t = from + scene.starts.findLastIndex(start => start - MARK <= x);
    const row =
      t > 0 &&
      t <= step &&
      t < from + n &&
      columns[t].find(row => Math.abs(Y(row) - y) <= PITCH / 2);
    return row ? {node: row.node} : {};
  };
}
const onPath = ({path}, node) => (node < 0 ? path.done : path.nodes.has(node));
function drawHeader(root, {X, tree, step, tone, strip}, t, height) {
  const y = strip ? 52 : 0;
  const x = X(t) - 6;
  if (t === step) {
    const column = {x: X(t) - MARK + 2, y, width: X(t + 1) - X(t) - 4};
    const panel = {...column, height: height - y, rx: 6};
    svg(root, 'rect', {...panel, fill: tone.panel, stroke: tone.rule});
    svg(root, 'rect', {...column, height: 4, fill: tone.focus, rx: 2});
  }
  const name = t ? `step ${t}` : 'prompt';
  textAt(root, x, y + 22, name, t === step ? 'hot' : 'soft');
  if (t && t <= step) textAt(root, x, y + 38, countText(tree, t), 'soft');
}
function drawEdge(root, scene, row, t) {
  const {X, Y, from, n, tree, tone, wide, step} = scene;
  const {node, parent} = row;
  const p = node < 0 ? 0 : Math.exp(tree.log_probability[node]);
  const line = ramp(tone.seq, 0.5);
  const out = row.children.length && t === from + n - 1 && t < step; // goes on beyond the window
  if (out) {
    const d = `M${X(t) + MARK + row.wide + 4} ${Y(row)}h14`;
    svg(root, 'path', {d, class: 'edge', stroke: line, 'stroke-width': 3});
  }
  if (!parent) return;
  const y1 = Y(parent);
  const y2 = Y(row);
  const x2 = X(t) - 5;
  const start = X(t - 1) + MARK + parent.wide + 4;
  const bend = X(t - 1) + MARK + wide[t - 1] + 4;
  const d =
    t === from
      ? `M0 ${y2}H${x2}`
      : `M${start} ${y1}H${bend}C${(bend + x2) / 2} ${y1} ${(bend + x2) / 2} ${y2} ${x2} ${y2}`;
  const path = onPath(scene, node) && !row.rest.length;
  const kept = tree.kept[node];
  const look = path
    ? {stroke: tone.focus, 'stroke-width': Math.max(2.5, 1 + 7 * p)}
    : kept
      ? {stroke: line, 'stroke-width': 1 + 7 * p}
      : {stroke: tone.soft, 'stroke-width': 1.2};
  svg(root, 'path', {d, class: 'edge', ...look, ...(!kept && {'stroke-dasharray': '4 3'})});
}
function drawNode(parent, scene, row, t) {
  const {X, Y, tree, tone, node: focus, ranked} = scene;
  const {node, label, rest} = row;
  const {name, number, lost} = label;
  const [x, y] = [X(t), Y(row)];
  const kept = node < 0 || tree.kept[node];
  const folded = rest.length > 0;
  const path = onPath(scene, node) && !folded;
  if (focus >= 0 && (folded ? rest.includes(focus) : node === focus)) {
    const box = {x: x - 11, y: y - PITCH / 2 + 1, width: MARK + 14 + row.full, height: PITCH - 2};
    const look = {rx: 5, fill: tone.bg, stroke: tone.focus, 'stroke-width': 2};
    svg(parent, 'rect', {...box, ...look});
  }
  const ended = node >= 0 && tree.finished[node];
  const greedy = scene.greedy.has(node);
  drawMark(parent, x, y, {kept, folded, path, rank: ranked.indexOf(node), ended, greedy, tone});
  const kind = path ? 'token hot' : kept ? 'token bold' : 'token soft';
  textAt(parent, x + MARK, number ? y - 2 : y + 5, name, kind);
  if (number) textAt(parent, x + MARK, y + 13, number, `mono ${kept ? '' : 'soft'}`);
  if (!lost) return;
  const after = x + MARK + scene.measure(number, '12px mono') + 5;
  textAt(parent, after, y + 13, lost, `mono second ${t < scene.step ? 'halo' : ''}`);
}
/**
 * Kept: a dot. Pruned: an empty ring. Finished: a square with its rank. Greedy's: a second ring.
 * @param {Element} parent
 * @param {number} x of its middle, in pixels
 * @param {number} y of its middle
 * @param {{kept: boolean, folded?: boolean, path: boolean, rank: number, ended: boolean,
 * greedy: boolean, tone: Object}} look whether it is several that are folded, lies on the path in
 * focus, is finished; its rank from 0
 */
export function drawMark(parent, x, y, {kept, folded, path, rank, ended, greedy, tone}) {
  const fill = path ? tone.focus : ramp(tone.seq, 0.7);
  const r = kept && ended ? 11 : 8;
  const at = {cx: x, cy: y};
  if (greedy) {
    const box = {x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: kept && ended ? 5 : r};
    svg(parent, 'rect', {...box, fill: tone.bg, stroke: tone.second, 'stroke-width': 2});
  }
  if (folded) {
    for (const dy of [-5, 0, 5]) {
      svg(parent, 'circle', {cx: x + 1, cy: y + dy, r: 1.6, fill: tone.soft});
    }
  } else if (!kept) {
    const ring = {fill: tone.bg, stroke: tone.soft, 'stroke-width': 1.4, 'stroke-dasharray': '2 2'};
    svg(parent, 'circle', {...at, r: 4, ...ring});
  } else if (!ended) {
    svg(parent, 'circle', {...at, r: 5, fill, stroke: tone.bg, 'stroke-width': 1.5});
  } else {
    const box = {x: x - 8, y: y - 8, width: 16, height: 16, rx: 3};
    svg(parent, 'rect', {...box, fill, stroke: tone.bg, 'stroke-width': 1.5});
    const number = textAt(parent, x, y + 4, String(rank + 1), 'mono bold', 'middle');
    number.style.fill = inkOn(fill);
  }
}
// The whole tree in a strip, and which part of it is in sight.
function drawStrip(root, {W, columns, room, from, n, step, tone, tree, path}) {
  const gap = (W - 28) / columns.length;
  const x = t => (14 + (t + 0.5) * gap).toFixed(1);
  const y = row => (6 + 32 * (room ? row.y / room : 0.5)).toFixed(1);
  const lines = {lost: '', kept: '', path: ''};
  columns.slice(1, step + 1).forEach((column, k) => {
    for (const row of column) {
      const kind = path.nodes.has(row.node) ? 'path' : tree.kept[row.node] ? 'kept' : 'lost';
      lines[kind] += `M${x(k)} ${y(row.parent)}L${x(k + 1)} ${y(row)}`;
    }
  });
  const panel = {x: 14, y: 2, width: W - 28, height: 40, rx: 4};
  svg(root, 'rect', {...panel, fill: tone.panel, stroke: tone.rule});
  for (const [kind, stroke, weight] of [
    ['lost', tone.soft, 0.5],
    ['kept', ramp(tone.seq, 0.6), 1.2],
    ['path', tone.focus, 2],
  ]) {
    svg(root, 'path', {d: lines[kind], fill: 'none', stroke, 'stroke-width': weight});
  }
  const seen = {x: 14 + from * gap, y: 1, width: n * gap, height: 42, fill: 'none', rx: 4};
  svg(root, 'rect', {...seen, stroke: tone.bg, 'stroke-width': 4});
  svg(root, 'rect', {...seen, stroke: tone.ink, 'stroke-width': 1.5});
}
