// The open row of the unit in focus as a line, with the hold and before it.

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
  svg(root, 'path', {
    d: path(before, steps),
    fill: 'none',
    stroke: tone.soft,
    'stroke-width': 1.8,
    'stroke-dasharray': '2 3',
  });
}
function drawLevels(root, {place, row, tone}, {y}, {top, low}) {
  const name = {x: 0, y: Math.min(y(0) + 4, place.line + place.lineHeight - 2)};
  svg(root, 'text', {...name, class: 'bold halo'}, row);
  const level = (value, digits) => {
    const at = {x: GUTTER - 7, y: y(value) + 4, 'text-anchor': 'end', class: 'soft'};
    svg(root, 'text', at, signed(value, digits));
    const tick = {x1: GUTTER - 4, x2: GUTTER, y1: y(value), y2: y(value)};
    svg(root, 'line', {...tick, stroke: tone.rule});
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
  const at = {x: x(k), 'text-anchor': 'middle'};
  const over = value => y(value) - 6;
  const under = value => y(value) + 15;
  svg(root, 'text', {...at, y: (higher ? under : over)(before(k)), class: 'soft halo'}, 'before');
  svg(root, 'text', {...at, y: (higher ? over : under)(now(k)), class: 'hot halo'}, 'held');
}
