// The pair's own panel: its hand at a position and k later, and what each pair's matrix misses.

import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {decimals} from '../shared/texts.js';
import {everyPosition, PANEL, shiftedPair} from './scene.js';

function drawPlane(root, {x, y}, {table, t, pair, shift, tone}) {
  const size = PANEL.plane;
  const cx = x + size / 2 + 18;
  const cy = y + PANEL.head + size / 2;
  const points = everyPosition(table, p => [table.at(p, 2 * pair), table.at(p, 2 * pair + 1)]);
  const given = shiftedPair(table, t, pair, shift);
  const later = points[t + shift];
  const most = Math.max(...points.map(([a, b]) => Math.hypot(a, b)), Math.hypot(...given)) || 1;
  const unit = (size / 2 - 8) / most;
  const axes = `M${cx - size / 2} ${cy}h${size}M${cx} ${cy - size / 2}v${size}`;
  svg(root, 'path', {d: axes, stroke: tone.rule, fill: 'none'});
  const dot = ([a, b]) => `M${(cx + a * unit).toFixed(1)} ${(cy - b * unit).toFixed(1)}h0.01`;
  const dots = {'stroke-width': 4, 'stroke-linecap': 'round', stroke: tone.soft, opacity: 0.55};
  svg(root, 'path', {d: points.map(dot).join(''), ...dots});
  const hand = ([a, b], look, end) => {
    const tip = {x: cx + a * unit, y: cy - b * unit};
    svg(root, 'line', {x1: cx, y1: cy, x2: tip.x, y2: tip.y, ...look});
    svg(root, 'circle', {cx: tip.x, cy: tip.y, ...end});
  };
  const {ink, focus, bg} = tone;
  hand(points[t], {stroke: focus, 'stroke-width': 2.5}, {r: 5, fill: focus, stroke: bg});
  if (later) {
    const ring = {r: 7, fill: 'none', stroke: ink, 'stroke-width': 2};
    hand(later, {stroke: ink, 'stroke-width': 1.5, 'stroke-dasharray': '4 3'}, ring);
  }
  const cross = `M${cx + given[0] * unit - 5} ${cy - given[1] * unit - 5}l10 10m0 -10l-10 10`;
  svg(root, 'path', {d: cross, stroke: tone.second, 'stroke-width': 2.5});
}
// What each sign stands for, under the plane.
function drawSigns(root, x, y, {t, shift, table, tone}) {
  const later = t + shift < table.n;
  const there = later ? `position ${t + shift}` : `no position ${t + shift} in the table`;
  const line = {fill: 'none', 'stroke-width': 2};
  const cross = {...line, stroke: tone.second, 'stroke-width': 2.5};
  const signs = [
    [`position ${t}`, {fill: tone.focus}, 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z'],
    [there, {...line, stroke: tone.ink}, 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z'],
    [`matrix × position ${t}`, cross, 'M-4 -4l8 8m0 -8l-8 8'],
  ];
  signs.forEach(([text, look, d], k) => {
    svg(root, 'path', {d, ...look, transform: `translate(${x + 8} ${y + 17 * k})`});
    textAt(root, x + 22, y + 4 + 17 * k, text);
  });
}
// A bar for each pair: the share that its matrix misses; returns the pair under a point.
function drawMisses(root, x, y, size, {table, pair, shift, tone}) {
  const wide = size / table.pairs;
  const base = y + PANEL.bars;
  const end = x + size;
  const high = error => Math.min(1, error) * (PANEL.bars - 18);
  const missed = decimals(100 * table.error(shift, pair), 0);
  textAt(root, x, y - 24, 'Missed by each pair’s matrix', 'strong');
  textAt(root, x, y - 8, `pair ${pair}: ${missed} %`, 'hot');
  const drawLevel = (level, stroke) =>
    svg(root, 'line', {x1: x, x2: end, y1: level, y2: level, stroke});
  drawLevel(base, tone.soft);
  drawLevel(base - high(1), tone.rule);
  textAt(root, end, base - high(1) - 4, '100 %', 'mono soft', 'end');
  for (let k = 0; k < table.pairs; k++) {
    const height = Math.max(1.5, high(table.error(shift, k)));
    const box = {x: x + k * wide, y: base - height, width: Math.max(0.5, wide - 0.8), height};
    svg(root, 'rect', {...box, fill: k === pair ? tone.focus : tone.soft});
  }
  textAt(root, x, base + 15, '0', 'mono soft');
  textAt(root, end, base + 15, `pair ${table.pairs - 1}`, 'mono soft', 'end');
  const inside = (px, py) => px >= x && px < end && py >= y && py < base + 4;
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
  textAt(root, x, y + 13, `Dimensions ${2 * pair} and ${2 * pair + 1} as a hand`, 'strong');
  drawPlane(root, {x, y}, scene);
  drawSigns(root, x, plane + 16, scene);
  return drawMisses(root, x, plane + 112, size, scene);
}
