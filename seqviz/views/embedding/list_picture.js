// Draws the list of what is nearest.

import {freshSheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {drawMark} from './marks.js';

export function drawList(node, list, accent, {groups}) {
  const {heads, rows, columns, u, H} = list;
  const {W} = columns;
  const root = freshSheet(node, W, H);
  textAt(root, 0, 1.05 * u, heads.title, 'name strong');
  textAt(root, 0, 2.5 * u, heads.left, 'small soft');
  textAt(root, W, 2.5 * u, heads.right, 'small soft', 'end');
  rows.forEach(row => drawRow(root, row, {accent, columns, u, groups: groups.length}));
}
function drawRow(root, row, {accent, columns, u, groups}) {
  const {y, mid, gap, rank, text, input, mine, right, wrong, value, width} = row;
  const line = new Row(root, {y: y + 1, tall: gap - 2, base: mid + 0.36 * u});
  if (mine) line.band(-4, columns.W + 8, {class: 'em', opacity: 0.14});
  line.end(columns.rank, rank ?? '–', 'text soft');
  drawMark(root, row.kind, columns.mark, mid, u, {groups});
  const loud = right || wrong || mine ? ' strong' : '';
  const word = line.text(columns.word, text, input ? 'name soft' : `name${loud}`);
  if (input) word.setAttribute('text-decoration', 'line-through');
  line.axis(columns.bar, 2, {class: 'rule'});
  const left = {fill: 'none', class: 'line soft', 'stroke-width': 1, 'stroke-dasharray': '3 2'};
  const look = input ? left : {class: mine ? 'em' : wrong ? 'u' : accent};
  line.bar(columns.bar, width, u, {rx: 2, ...look});
  line.end(columns.cos, value, 'name');
  drawNote(root, row, mine ? 'em' : accent, columns, u);
}
function drawNote(root, {note, loud, far, wrong, noteWidth, mid}, tone, {W}, u) {
  const ink = wrong ? 'u' : loud ? 'strong' : 'soft';
  textAt(root, W, mid + 0.34 * u, note, `small ${ink}`, 'end');
  if (!far) return;
  const dashed = {'stroke-width': 0.14 * u, 'stroke-dasharray': `${0.45 * u} ${0.3 * u}`};
  svg(root, 'path', {
    d: `M${W - noteWidth} ${mid + 0.66 * u}H${W}`,
    class: `line ${tone}`,
    ...dashed,
  });
}
