// Draws the list of what is nearest.

import {svg} from '../shared/nodes.js';
import {drawMark, sheet} from './marks.js';

export function drawList(node, list, accent, {groups}) {
  const {heads, rows, columns, u, H} = list;
  const {W} = columns;
  const root = sheet(node, W, H);
  svg(root, 'text', {x: 0, y: 1.05 * u, class: 'name strong'}, heads.title);
  svg(root, 'text', {x: 0, y: 2.5 * u, class: 'small soft'}, heads.left);
  const right = {x: W, y: 2.5 * u, class: 'small soft', 'text-anchor': 'end'};
  svg(root, 'text', right, heads.right);
  rows.forEach(row => drawRow(root, row, {accent, columns, u, groups: groups.length}));
}
function drawRow(root, row, {accent, columns, u, groups}) {
  const {y, mid, gap, rank, text, input, mine, right, wrong, value, kind} = row;
  const base = mid + 0.36 * u;
  if (mine) {
    const box = {x: -4, y: y + 1, width: columns.W + 8, height: gap - 2, rx: 4};
    svg(root, 'rect', {...box, class: 'em', opacity: 0.14});
  }
  const end = {'text-anchor': 'end'};
  svg(root, 'text', {x: columns.rank, y: base, class: 'text soft', ...end}, rank ?? '–');
  drawMark(root, kind, columns.mark, mid, u, {groups});
  const loud = right || wrong || mine ? ' strong' : '';
  const struck = input
    ? {class: 'name soft', 'text-decoration': 'line-through'}
    : {class: `name${loud}`};
  svg(root, 'text', {x: columns.word, y: base, ...struck}, text);
  drawBar(root, row, mine ? 'em' : wrong ? 'u' : accent, columns, u);
  svg(root, 'text', {x: columns.cos, y: base, class: 'name', ...end}, value);
  drawNote(root, row, mine ? 'em' : accent, columns, u);
}
function drawBar(root, {y, mid, gap, width, input}, tone, {bar}, u) {
  svg(root, 'path', {d: `M${bar} ${y + 3}V${y + gap - 3}`, class: 'rule'});
  const box = {x: bar, y: mid - 0.5 * u, width, height: u, rx: 2};
  const look = input
    ? {fill: 'none', class: 'line soft', 'stroke-width': 1, 'stroke-dasharray': '3 2'}
    : {class: tone};
  svg(root, 'rect', {...box, ...look});
}
function drawNote(root, {note, loud, far, wrong, noteWidth, mid}, tone, {W}, u) {
  const ink = wrong ? 'u' : loud ? 'strong' : 'soft';
  const place = {x: W, y: mid + 0.34 * u, 'text-anchor': 'end', class: `small ${ink}`};
  svg(root, 'text', place, note);
  if (!far) return;
  svg(root, 'line', {
    x1: W - noteWidth,
    y1: mid + 0.66 * u,
    x2: W,
    y2: mid + 0.66 * u,
    class: `line ${tone}`,
    'stroke-width': 0.14 * u,
    'stroke-dasharray': `${0.45 * u} ${0.3 * u}`,
  });
}
