// The pair's own panel: its hand at a position and k later, and what each pair's matrix misses.

import {svg} from '../shared/base.js';
import {decimals} from '../shared/chart.js';
import {PANEL, everyPosition, shiftedPair} from './scene.js';

function drawHand(root, x, y, [a, b], unit, look) {
  const tip = {x: x + a * unit, y: y - b * unit};
  svg(root, 'line', {x1: x, y1: y, x2: tip.x, y2: tip.y, ...look});
  return tip;
}
function drawPlane(root, {x, y}, {table, t, pair, shift, tone}) {
  const size = PANEL.plane;
  const cx = x + size / 2 + 18;
  const cy = y + PANEL.head + size / 2;
  const points = everyPosition(table, p => [table.at(p, 2 * pair), table.at(p, 2 * pair + 1)]);
  const given = shiftedPair(table, t, pair, shift);
  const later = points[t + shift];
  const most = Math.max(...points.map(([a, b]) => Math.hypot(a, b)), Math.hypot(...given)) || 1;
  const unit = (size / 2 - 8) / most;
  svg(root, 'path', {
    d: `M${cx - size / 2} ${cy}h${size}M${cx} ${cy - size / 2}v${size}`,
    stroke: tone.rule,
    fill: 'none',
  });
  const dots = points
    .map(([a, b]) => `M${(cx + a * unit).toFixed(1)} ${(cy - b * unit).toFixed(1)}h0.01`)
    .join('');
  svg(root, 'path', {
    d: dots,
    stroke: tone.soft,
    opacity: 0.55,
    'stroke-width': 4,
    'stroke-linecap': 'round',
  });
  const at = drawHand(root, cx, cy, points[t], unit, {stroke: tone.focus, 'stroke-width': 2.5});
  svg(root, 'circle', {cx: at.x, cy: at.y, r: 5, fill: tone.focus, stroke: tone.bg});
  if (later) {
    const tip = drawHand(root, cx, cy, later, unit, {
      stroke: tone.ink,
      'stroke-width': 1.5,
      'stroke-dasharray': '4 3',
    });
    svg(root, 'circle', {
      cx: tip.x,
      cy: tip.y,
      r: 7,
      fill: 'none',
      stroke: tone.ink,
      'stroke-width': 2,
    });
  }
  const [gx, gy] = [cx + given[0] * unit, cy - given[1] * unit];
  svg(root, 'path', {
    d: `M${gx - 5} ${gy - 5}l10 10m0 -10l-10 10`,
    stroke: tone.second,
    'stroke-width': 2.5,
  });
}
// What each sign stands for, under the plane.
function drawSigns(root, x, y, {t, shift, table, tone}) {
  const later = t + shift < table.n;
  const signs = [
    [`position ${t}`, {fill: tone.focus}, 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z'],
    [
      later ? `position ${t + shift}` : `no position ${t + shift} in the table`,
      {fill: 'none', stroke: tone.ink, 'stroke-width': 2},
      'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z',
    ],
    [
      `matrix × position ${t}`,
      {fill: 'none', stroke: tone.second, 'stroke-width': 2.5},
      'M-4 -4l8 8m0 -8l-8 8',
    ],
  ];
  signs.forEach(([text, look, d], k) => {
    svg(root, 'path', {d, ...look, transform: `translate(${x + 8} ${y + 17 * k})`});
    svg(root, 'text', {x: x + 22, y: y + 4 + 17 * k}, text);
  });
}
// A bar for each pair: the share that its matrix misses; returns the pair under a point.
function drawMisses(root, x, y, size, {table, pair, shift, tone}) {
  const wide = size / table.pairs;
  const base = y + PANEL.bars;
  const high = error => Math.min(1, error) * (PANEL.bars - 18);
  svg(root, 'text', {x, y: y - 24, class: 'strong'}, 'Missed by each pair’s matrix');
  svg(
    root,
    'text',
    {x, y: y - 8, class: 'hot'},
    `pair ${pair}: ${decimals(100 * table.error(shift, pair), 0)} %`,
  );
  for (const share of [0, 1]) {
    svg(root, 'line', {
      x1: x,
      x2: x + size,
      y1: base - high(share),
      y2: base - high(share),
      stroke: share ? tone.rule : tone.soft,
    });
  }
  svg(
    root,
    'text',
    {x: x + size, y: base - high(1) - 4, class: 'mono soft', 'text-anchor': 'end'},
    '100 %',
  );
  for (let k = 0; k < table.pairs; k++) {
    const tall = Math.max(1.5, high(table.error(shift, k)));
    svg(root, 'rect', {
      x: x + k * wide,
      y: base - tall,
      width: Math.max(0.5, wide - 0.8),
      height: tall,
      fill: k === pair ? tone.focus : tone.soft,
    });
  }
  svg(root, 'text', {x, y: base + 15, class: 'mono soft'}, '0');
  svg(
    root,
    'text',
    {x: x + size, y: base + 15, class: 'mono soft', 'text-anchor': 'end'},
    `pair ${table.pairs - 1}`,
  );
  const inside = (px, py) => px >= x && px < x + size && py >= y && py < base + 4;
  return (px, py) => (inside(px, py) ? Math.floor((px - x) / wide) : undefined);
}
/**
 * The pair as a hand at a position and so many later, and a bar for what each pair's matrix misses.
 * @param {Element} root
 * @param {{x: number, y: number, size: number}} panel
 * @param {TableScene} scene
 * @returns {(x: number, y: number) => number | undefined} the pair whose bar lies under a point
 */
export function drawShift(root, {x, y, size}, scene) {
  const {pair} = scene;
  const plane = y + PANEL.head + PANEL.plane;
  svg(
    root,
    'text',
    {x, y: y + 13, class: 'strong'},
    `Dimensions ${2 * pair} and ${2 * pair + 1} as a hand`,
  );
  drawPlane(root, {x, y}, scene);
  drawSigns(root, x, plane + 16, scene);
  return drawMisses(root, x, plane + 112, size, scene);
}
