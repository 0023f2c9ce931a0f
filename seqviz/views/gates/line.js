// The open row of the unit in focus as a line, with the hold and before it.

import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {signed} from '../shared/texts.js';
import {GUTTER} from './plan.js';
import {seenCurves} from './scene.js';

const RIM = 6; // pixels over and under the values

/**
 * The line under the rows.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawLine(root, scene) {
  const {place, row, layer, after, hold, u, t, tone} = scene;
  const steps = Array.from({length: place.n}, (_, k) => place.from + k);
  const value = curves => k => curves[row][k * layer.H + u];
  const before = value(layer.curves);
  const now = value(seenCurves(scene));
  const shown = hold ? steps.flatMap(k => [before(k), value(after)(k)]) : steps.map(before);
  const top = Math.max(...shown, layer.kind.holds.includes(row) ? 1 : 0.2);
  const low = Math.min(...shown, 0);
  const axes = axesOf(place, top, low);
  const path = (of, list) =>
    list.map((k, at) => `${at ? 'L' : 'M'}${axes.x(k)} ${axes.y(of(k)).toFixed(1)}`).join('');
  const zero = {x1: GUTTER, x2: place.end, y1: axes.y(0), y2: axes.y(0)};
  svg(root, 'line', {...zero, stroke: tone.rule, 'stroke-width': 1.5});
  if (hold) drawBefore(root, {tone, steps, path, before, now: value(after)});
  const line = {d: path(now, steps), fill: 'none', 'stroke-linejoin': 'round'};
  svg(root, 'path', {...line, stroke: tone.bg, 'stroke-width': 6});
  svg(root, 'path', {...line, class: 'line', stroke: tone.focus, 'stroke-width': 2.8});
  const dot = {cx: axes.x(t), cy: axes.y(now(t)), r: 4.5, fill: tone.focus, stroke: tone.bg};
  svg(root, 'circle', {...dot, 'stroke-width': 2});
  drawLevels(root, scene, axes, {top, low});
  if (hold) nameLines(root, scene, axes, {before, now, steps});
}
function axesOf({line, lineHeight, x, cw}, top, low) {
  const room = lineHeight - 2 * RIM;
  return {
    x: t => x(t) + cw / 2,
    y: value => line + RIM + (room * (top - value)) / (top - low || 1),
  };
}
// What the hold takes away or adds, as an area between the two lines.
function drawBefore(root, {tone, steps, path, before, now}) {
  const back = path(now, [...steps].reverse()).replace('M', 'L');
  svg(root, 'path', {d: `${path(before, steps)}${back}Z`, fill: tone.second, opacity: 0.16});
  const dotted = {fill: 'none', stroke: tone.soft, 'stroke-width': 1.8, 'stroke-dasharray': '2 3'};
  svg(root, 'path', {d: path(before, steps), ...dotted});
}
function drawLevels(root, {place, row, tone}, {y}, {top, low}) {
  textAt(root, 0, Math.min(y(0) + 4, place.line + place.lineHeight - 2), row, 'bold halo');
  const level = (value, digits) => {
    textAt(root, GUTTER - 7, y(value) + 4, signed(value, digits), 'soft', 'end');
    svg(root, 'path', {d: `M${GUTTER - 4} ${y(value)}h4`, stroke: tone.rule});
  };
  level(0, 0);
  const apart = value => Math.abs(y(value) - y(0)) > 13;
  if (apart(top)) level(top, 1);
  if (apart(low)) level(low, 1);
}
// "before" and "after" where the lines are furthest apart, if they are.
function nameLines(root, {show}, {x, y}, {before, now, steps}) {
  if (show === 'before') return;
  const inner = steps.slice(1, -1);
  const gap = k => Math.abs(y(before(k)) - y(now(k)));
  const k = inner.reduce((best, step) => (gap(step) > gap(best) ? step : best), inner[0] ?? 0);
  if (!inner.length || gap(k) < 34) return;
  const higher = before(k) > now(k);
  const over = value => y(value) - 6;
  const under = value => y(value) + 15;
  textAt(root, x(k), (higher ? under : over)(before(k)), 'before', 'soft halo', 'middle');
  textAt(root, x(k), (higher ? over : under)(now(k)), 'held', 'hot halo', 'middle');
}
