// Draws one word in several sentences.

import {freshSheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {SIGNS} from '../shared/texts.js';
import {drawArrow, drawRing} from './marks.js';
import {drawLabel} from './picture.js';
import {TONES} from './senses_scene.js';

const BOXES = [
  r => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  r => `M${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  r => `M${-1.15 * r} 0L${-0.6 * r} ${-r}H${0.6 * r}L${1.15 * r} 0L${0.6 * r} ${r}H${-0.6 * r}z`,
];
// A number in the shape of its sense.
function drawNumber(root, k, sense, x, y, r, size) {
  const place = {transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`};
  const paper = {stroke: 'var(--sv-bg)', 'stroke-width': 1.5};
  svg(root, 'path', {d: BOXES[sense](r), class: TONES[sense], ...place, ...paper});
  textAt(root, x, y + 0.36 * size, k + 1, `${size > 12 ? 'text' : 'small'} on`, 'middle');
}
export function drawSenses(node, scene) {
  const {size, frame, marks, hulls, arrows, trail, rings, names, scale, kept} = scene;
  const {u, W, H} = size;
  const root = freshSheet(node, W, H);
  const {left, right, top, bottom} = frame;
  const box = {x: left + 0.5, y: top, width: right - left - 1, height: bottom - top, rx: 4};
  svg(root, 'rect', {...box, class: 'rule', fill: 'none'});
  drawKey(root, u, size.measure);
  hulls.forEach((corners, s) => {
    const d = `M${corners.map(point => point.map(v => v.toFixed(1))).join('L')}Z`;
    const look = {class: `line filled ${TONES[s]}`, 'stroke-width': 2.2 * u};
    svg(root, 'path', {d, ...look, 'stroke-linejoin': 'round', opacity: 0.13});
  });
  arrows.forEach(arrow => drawNearest(root, arrow, u));
  drawTrail(root, trail, u);
  marks.forEach(({x, y, k, sense}) => drawNumber(root, k, sense, x, y, 0.78 * u, u));
  rings.forEach(ring => drawRing(root, ring, u, 0.2));
  names.forEach(name => drawLabel(root, name));
  if (scale) {
    const {x, y, length, text} = scale;
    svg(root, 'path', {d: `M${x} ${y}h${length}`, class: 'line soft', 'stroke-width': 1.5});
    textAt(root, x + length + 6, y + 0.3 * u, text, 'small soft halo');
  }
  textAt(root, 6, H - 0.35 * u, kept, 'small soft');
}
function drawNearest(root, {from, to, right, touching = false}, u) {
  const [width, tone, dash] = right ? [0.1, 'soft'] : [0.16, 'u', `${0.4 * u} ${0.25 * u}`];
  if (!touching) return drawArrow(root, from, to, {width: width * u, tone, dash});
  const look = {class: `line ${tone}`, 'stroke-width': 2 * width * u};
  return svg(root, 'path', {d: `M${from}L${to}`, ...look});
}
function drawKey(root, u, measure) {
  const same = 'its nearest: same sense';
  const second = 4.5 * u + measure(same, '12px');
  const y = 0.75 * u;
  drawNearest(root, {from: [4, y], to: [2 * u, y], right: true}, u);
  textAt(root, 2.5 * u, 1.05 * u, same, 'small soft');
  drawNearest(root, {from: [second, y], to: [second + 2 * u, y], right: false}, u);
  const other = `its nearest: ${SIGNS.wrong} another`;
  textAt(root, second + 2.5 * u, 1.05 * u, other, 'small soft');
}
function drawTrail(root, {points, labels}, u) {
  if (!points.length) return;
  const d = `M${points.map(({x, y}) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
  svg(root, 'path', {d, class: 'line b', 'stroke-width': 0.14 * u, opacity: 0.7});
  for (const {x, y, here} of points) {
    if (!here) svg(root, 'circle', {cx: x, cy: y, r: 0.2 * u, class: 'b'});
  }
  labels.forEach(label => drawLabel(root, label));
}

// ---- beside it: the chart and the list
export function drawSide(node, {chart, list, size}) {
  const root = freshSheet(node, size.side, size.sideHeight);
  drawChart(root, chart, size.u);
  const {heads, rows, font, right, top} = list;
  textAt(root, size.side, heads[0].y, right, 'small soft', 'end');
  for (const {text, tone, y} of heads) textAt(root, 0, y, text, `text strong ${tone}`);
  rows.forEach(row => drawSentence(root, row, font, size));
  return top;
}
function drawSentence(root, {k, sense, y, gap, pieces, note, wrong, tone}, font, {u, side: W}) {
  const mid = y + gap / 2;
  const size = parseFloat(font);
  const row = new Row(root, {y, tall: gap - 1, base: mid + 0.34 * u});
  if (tone) row.band(-4, W + 8, {class: tone, opacity: 0.16});
  drawNumber(root, k, sense, 0.8 * u, mid, Math.min(0.68 * u, 0.45 * gap), 12);
  const line = textAt(root, 1.9 * u, mid + 0.36 * size, '');
  line.style.fontSize = font;
  const [before, word, after] = pieces;
  svg(line, 'tspan', {}, before);
  svg(line, 'tspan', {'font-weight': 700}, word);
  svg(line, 'tspan', {}, after);
  row.end(W, note, wrong ? 'text u' : 'text soft');
}
function drawChart(root, chart, u) {
  const {title, ticks, left, end, low, chance, points, accent, value, below, W} = chart;
  textAt(root, 0, 1.05 * u, title, 'name strong');
  for (const {text, y} of ticks) {
    textAt(root, 1.2 * u, y + 0.3 * u, text, 'small soft', 'end');
    svg(root, 'path', {d: `M${left} ${y}H${end}`, class: 'rule'});
  }
  const here = points.find(point => point.here);
  const band = {x: here.x - 0.95 * u, y: 1.6 * u, width: 1.9 * u, height: chart.H - 1.7 * u};
  svg(root, 'rect', {...band, rx: 4, class: accent, opacity: 0.14});
  const dots = {class: 'line soft', 'stroke-width': 1, 'stroke-dasharray': '2 3'};
  svg(root, 'path', {d: `M${left} ${chance.y}H${end}`, ...dots});
  textAt(root, end, chance.y + 1.1 * u, chance.text, 'small soft', 'end');
  const d = `M${points.map(({x, y}) => `${x} ${y}`).join('L')}`;
  svg(root, 'path', {d, class: 'line one', 'stroke-width': 0.2 * u});
  for (const point of points) drawPoint(root, point, accent, low, u);
  textAt(root, W, low + 1.3 * u, 'layers', 'small soft', 'end');
  const y = here.y + (below ? 1.6 : -0.8) * u;
  textAt(root, here.x, y, value, 'name strong halo', 'middle');
}
function drawPoint(root, {x, y, text, here}, accent, low, u) {
  const look = {stroke: 'var(--sv-bg)', 'stroke-width': 1.5, class: here ? accent : 'one'};
  svg(root, 'circle', {cx: x, cy: y, r: (here ? 0.5 : 0.3) * u, ...look});
  const tick = here ? `text strong ${accent}` : 'text soft';
  textAt(root, x, low + 1.3 * u, text, tick, 'middle');
}
