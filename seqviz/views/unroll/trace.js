// Every unit through the steps in sight, one of them in focus. It draws into the equation's svg,
// and returns what lies under a point.

import {drawPath, lineTo, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {signed} from '../shared/texts.js';
import {drawToken, largest} from './marks.js';

const NEAR = 10; // pixels from a line

export function drawTrace(root, scene) {
  const {H, n, u, tone, states, trace} = scene;
  const {x, y, width, height} = trace;
  const most = Math.max(1, largest(states[0])); // a learned start may lie beyond 1
  const axes = {
    X: i => x + (width * i) / n, // of the state before the first step at 0
    Y: value => y + (height / 2) * (1 - value / most),
  };
  const pathOf = k =>
    states
      .map((h, i) => `${i ? 'L' : 'M'}${axes.X(i).toFixed(1)} ${axes.Y(h[k]).toFixed(1)}`)
      .join('');
  textAt(root, x, y - 12, `unit ${u + 1} through time`, 'mid hot');
  drawGrid(root, scene, axes);
  const others = {fill: 'none', stroke: tone.soft, opacity: H > 16 ? 0.2 : 0.4};
  for (let k = 0; k < H; k++) {
    if (k !== u) svg(root, 'path', {d: pathOf(k), ...others, 'stroke-width': 1.5});
  }
  drawPath(root, pathOf(u), {stroke: tone.focus, 'stroke-width': 4});
  drawSteps(root, scene, axes);
  fadeAhead(root, scene, axes);
  return (px, py) => underTrace(scene, axes, px, py);
}
// Lines at 1, 0 and −1, and the step in focus.
function drawGrid(root, {t, from, trace, tone}, {X, Y}) {
  const {x, y, width, height} = trace;
  for (const value of [1, 0, -1]) {
    const y1 = Y(value);
    lineTo(root, [x, y1], [x + width, y1], {stroke: tone.rule});
    textAt(root, x - 8, y1 + 4, signed(value, 0), 'soft mono', 'end');
  }
  const x1 = X(t - from + 1);
  const dashed = {stroke: tone.focus, 'stroke-width': 1.5, 'stroke-dasharray': '4 3'};
  lineTo(root, [x1, y - 4], [x1, y + height + 4], dashed);
}
// A dot and a token for each step; those that are compared stand out.
function drawSteps(root, scene, {X, Y}) {
  const {W, u, from, n, columns, trace, tone} = scene;
  const {x: left, y: top, width, height} = trace;
  const room = width / n - 2;
  const y = top + height + 20;
  const before = from ? `t = ${from}` : 'start';
  textAt(root, left, y, room < 28 ? '' : before, 'soft', 'middle');
  columns.forEach(({h, token, compared}, i) => {
    const x = X(i + 1);
    svg(root, 'circle', {
      cx: x,
      cy: Y(h[u]),
      r: compared ? 6 : 4,
      fill: compared ? tone.second : tone.focus,
      stroke: tone.bg,
      'stroke-width': 2,
    });
    const kind = compared ? 'second' : '';
    const free = Math.min(room, 2 * (W - x)); // the last one stands near the edge
    drawToken(root, token, {x, y, room: Math.max(14, free), size: 14, kind});
  });
}
function fadeAhead(root, {t, from, n, trace, tone}, {X}) {
  if (t === from + n - 1) return;
  const {x: left, y, width, height} = trace;
  const x = X(t - from + 1);
  const box = {x: x + 8, y: y - 8, width: left + width - x, height: height + 34};
  svg(root, 'rect', {...box, fill: tone.bg, opacity: 0.7});
}
/** A step below the plot; in it the unit whose line is near, that in focus before others. */
function underTrace({u, n, from, steps, states, trace}, {Y}, px, py) {
  const {x, y, width, height} = trace;
  const place = ((px - x) / width) * n;
  if (place < 0 || place > n || py < y - 8 || py > y + height + 28) return {};
  if (py > y + height + 6) {
    if (place < 0.5) return {};
    return {step: Math.min(steps - 1, from + Math.round(place) - 1)};
  }
  const i = Math.min(n - 1, Math.floor(place));
  const offBy = k => {
    const value = states[i][k] + (states[i + 1][k] - states[i][k]) * (place - i);
    return Math.abs(Y(value) - py);
  };
  const units = [...states[0].keys()];
  const nearest = units.reduce((best, k) => (offBy(k) < offBy(best) - 0.5 ? k : best), u);
  return offBy(nearest) < NEAR ? {unit: nearest} : {};
}
