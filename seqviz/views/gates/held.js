// Where a hold begins, and the cells that it rules.

import {svg} from '../shared/nodes.js';
import {unitTop} from './block.js';
import {GUTTER, ROW} from './plan.js';

/**
 * Where the hold begins: the side of its first step from which it is read.
 * @param {Scene} scene
 * @returns {number} pixels
 */
export const holdEdge = ({hold, layer, place}) => place.x(hold.since + (layer.reverse ? 1 : 0));
/**
 * Frames around what is held, a line down from a handle at its first word.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawHeld(root, scene) {
  const {hold, layer, place, tone, row} = scene;
  const {from, n, end, block, pitch, rows} = place;
  const edge = Math.max(GUTTER, Math.min(end, holdEdge(scene)));
  const [x1, x2] = layer.reverse ? [GUTTER, edge] : [edge, end];
  const dashed = {fill: 'none', stroke: tone.second, 'stroke-width': 2, 'stroke-dasharray': '5 3'};
  const one = hold.unit !== null;
  if (x2 - x1 > 1 && (!one || hold.unit === scene.u)) {
    const y = rows + layer.kind.rows.indexOf(hold.gate) * ROW - 1.5;
    svg(root, 'rect', {...dashed, x: x1 + 1, y, width: x2 - x1 - 2, height: ROW + 1});
  }
  if (x2 - x1 > 1 && row === hold.gate) {
    const y = one ? unitTop(scene, hold.unit) : block;
    const height = one ? Math.max(2, pitch) : pitch * layer.H;
    svg(root, 'rect', {...dashed, x: x1 + 1, y: y - 1, width: x2 - x1 - 2, height: height + 1});
  }
  if (hold.since >= from && hold.since < from + n) drawEdge(root, scene, edge, dashed);
}
function drawEdge(root, {place, tone}, x, dashed) {
  const line = {x1: x, x2: x, y1: place.answers - 4, y2: place.line + place.lineHeight};
  svg(root, 'line', {...line, stroke: tone.bg, 'stroke-width': 5, opacity: 0.8});
  svg(root, 'line', {...line, ...dashed});
  const d = `M${x - 7} ${place.answers - 9}h14l-7 9z`;
  svg(root, 'path', {d, class: 'handle', fill: tone.second, stroke: tone.bg, 'stroke-width': 1.5});
}
