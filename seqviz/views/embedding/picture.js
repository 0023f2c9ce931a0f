// Draws the map of words.

import {freshSheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {drawArrow, drawMark, drawRing} from './marks.js';
import {shortened} from './scene.js';

export function drawMap(node, scene, {groups}) {
  const {size, frame, marks, rays, square, rings, labels, legend, axes, view} = scene;
  const {u, W, H} = size;
  const root = freshSheet(node, W, H);
  const count = groups.length;
  drawFrame(root, frame, view);
  for (const {x, kind, text} of legend) {
    drawMark(root, kind, x, 0.75 * u, u, {groups: count});
    textAt(root, x + 0.55 * u, 1.05 * u, text, 'small soft');
  }
  textAt(root, W - 6, H - 0.35 * u, `${axes[0]} →`, 'small soft', 'end');
  textAt(root, 6, H - 0.35 * u, `↑ ${axes[1]}`, 'small soft');
  const draw = ({kind, x, y, large, star}, quiet) =>
    drawMark(root, kind, x, y, u, {groups: count, star: star || large, quiet});
  marks.filter(({star}) => !star).forEach(mark => draw(mark, true));
  if (square) drawSquare(root, square, u);
  rays.forEach(ray => drawRay(root, ray, u));
  marks.filter(({star}) => star).forEach(mark => draw(mark, false));
  rings.forEach(ring => drawRing(root, ring, u));
  labels.forEach(label => drawLabel(root, label));
}
function drawFrame(root, {left, right, top, bottom}, view) {
  const [x, y] = view.at([0, 0]);
  const rule = {class: 'rule', fill: 'none'};
  if (view.sees([left + 9, y])) svg(root, 'path', {d: `M${left + 1} ${y}H${right - 1}`, ...rule});
  if (view.sees([x, top + 9])) svg(root, 'path', {d: `M${x} ${top}V${bottom}`, ...rule});
  const box = {x: left + 0.5, y: top, width: right - left - 1, height: bottom - top, rx: 4};
  svg(root, 'rect', {...box, ...rule});
}
function drawRay(root, {x1, y1, x2, y2, width, far, tone}, u) {
  const dash = far ? `${0.45 * u} ${0.3 * u}` : 'none';
  const look = {class: `line ${tone}`, 'stroke-width': width, 'stroke-dasharray': dash};
  svg(root, 'line', {x1, y1, x2, y2, ...look});
}
function drawSquare(root, {plus, minus, added, corner, goals}, u) {
  const area = `M${plus}L${minus}L${added}L${corner}Z`;
  svg(root, 'path', {d: area, class: 'area'});
  const side = {class: 'line soft', 'stroke-width': 1.2, 'stroke-dasharray': '5.6 3.5'};
  svg(root, 'path', {d: `M${minus}L${added}`, ...side});
  svg(root, 'path', {d: `M${plus}L${corner}`, ...side});
  const arrow = {width: 0.2 * u, tone: 'b'};
  drawArrow(root, shortened(plus, minus, 0.8 * u), shortened(minus, plus, 0.8 * u), arrow);
  drawArrow(root, shortened(corner, added, 0.8 * u), shortened(added, corner, 0.7 * u), arrow);
  for (const {to, tone} of goals) {
    const dots = {'stroke-width': 0.17 * u, 'stroke-dasharray': `0 ${0.4 * u}`};
    const look = {class: `line ${tone}`, 'stroke-linecap': 'round', ...dots};
    svg(root, 'path', {d: `M${corner}L${to}`, ...look});
  }
  const [x, y] = corner;
  const s = 0.42 * u;
  const cross = `M${x - s} ${y - s}l${2 * s} ${2 * s}M${x - s} ${y + s}l${2 * s} ${-2 * s}`;
  svg(root, 'path', {d: cross, class: 'line b cross', 'stroke-width': 0.24 * u});
}
/** A name with its leader. */
export function drawLabel(root, {x, y, box, text, font, height, tone, leader}) {
  if (leader) {
    const [x2, y2] = leader;
    svg(root, 'line', {x1: x, y1: y, x2, y2, class: `line ${tone}`, 'stroke-width': 1});
  }
  const weight = font.startsWith('700') ? 700 : 400;
  const name = textAt(root, box[0], box[1] + 0.8 * height, text, `halo ${tone}`);
  name.style.cssText = `font-size:${font.replace(/^700 /, '')};font-weight:${weight}`;
}
