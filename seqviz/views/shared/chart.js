// Lines over steps: the plot, which knows where a step and a value stand, its lines, its marks and
// its cursor.

import {drawPath, lineTo, textAt} from './marks.js';
import {svg} from './nodes.js';
import {cut} from './texts.js';

const DASHES = ['', '9 4', '11 3 2 3', '5 3', '16 4', '6 2'];
/**
 * How line k looks: colour, dash and marker say the same.
 * @param {Object} tone the palette
 * @param {number} k
 * @returns {{colour: string, dash: string, k: number}}
 */
export const lookOf = (tone, k) => ({colour: tone.cat[[0, 2, 3, 4, 6, 5][k]], dash: DASHES[k], k});
/**
 * The path of marker k around a point.
 * @returns {string}
 */
export function marker(k, x, y, r = 4.5) {
  const a = r * 0.9;
  const b = r * 1.2;
  return [
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    `M${x - a} ${y - a}h${2 * a}v${2 * a}h${-2 * a}z`,
    `M${x} ${y - b}L${x + b} ${y + a}L${x - b} ${y + a}z`,
    `M${x} ${y - b}L${x + b} ${y}L${x} ${y + b}L${x - b} ${y}z`,
    `M${x} ${y + b}L${x + b} ${y - a}L${x - b} ${y - a}z`,
    `M${x - b} ${y - 2}h${b - 2}v${2 - b}h4v${b - 2}h${b - 2}v4h${2 - b}v${b - 2}h-4v${2 - b}h${2 - b}z`,
  ][k];
}
/**
 * A plot, which knows where a step and a value stand.
 * @param {Object} box `x0`, `y0`, `width`, `height` in pixels, `T` steps, `low` and `high` the
 * values at its edges
 * @returns {Object} also `X` of a step, `Y` of a value, `stepAt` an x
 */
export function plotOf(box) {
  const {x0, y0, width, height, T, low, high} = box;
  const inset = T > 1 ? Math.min(10, width / 10) : width / 2;
  const pitch = T > 1 ? (width - 2 * inset) / (T - 1) : width;
  return {
    ...box,
    x1: x0 + width,
    y1: y0 + height,
    pitch,
    X: t => x0 + inset + t * pitch,
    Y: v => y0 + (height * (high - v)) / (high - low),
    stepAt: x => Math.max(0, Math.min(T - 1, Math.round((x - x0 - inset) / pitch))),
  };
}
/**
 * A path through the finite values; what leaves the plot is cut at its edge.
 * @param {Object} plot
 * @param {ArrayLike<number>} values
 * @returns {string}
 */
export function trail(plot, values) {
  const {X, Y, low, high} = plot;
  const pieces = [];
  const tenth = v => Math.round(10 * v) / 10;
  const point = (t, v) => `${tenth(X(t))} ${tenth(Y(v))}`;
  const inside = v => v >= low && v <= high;
  // Where a line from a to b leaves the plot on its way to a value beyond.
  const edge = (t, a, b, beyond) => {
    const end = beyond > high ? high : low;
    return point(t + (end - a) / (b - a), end);
  };
  for (let t = 0; t < values.length; t++) {
    const v = values[t];
    const before = values[t - 1];
    const crossed = Number.isFinite(v) && Number.isFinite(before);
    if (crossed && (inside(before) || inside(v) || before < low !== v < low)) {
      if (!inside(before)) pieces.push('M' + edge(t - 1, before, v, before));
      pieces.push('L' + (inside(v) ? point(t, v) : edge(t - 1, before, v, v)));
    } else if (inside(v)) pieces.push(`M${point(t, v)}h0.1`);
  }
  return pieces.join('');
}
/**
 * A line with its markers; a strong one has a halo of its colour.
 * @param {Element} root
 * @param {Object} plot
 * @param {ArrayLike<number>} values
 * @param {Object} look
 * @param {Object} tone
 * @param {boolean} strong
 */
export function drawLine(root, plot, values, look, tone, strong) {
  const d = trail(plot, values);
  const stroke = look.colour;
  const halo = {stroke, 'stroke-width': 12, opacity: 0.2};
  drawPath(root, d, strong ? halo : {stroke: tone.bg, 'stroke-width': 4});
  const dashes = {'stroke-dasharray': look.dash || 'none'};
  drawPath(root, d, {stroke, 'stroke-width': strong ? 3 : 2, ...dashes});
  const every = plot.T <= 24 ? 1 : Math.ceil(plot.T / 9);
  const first = Math.floor((every * look.k) / 6);
  const seen = [];
  const alone = t => !Number.isFinite(values[t - 1]) && !Number.isFinite(values[t + 1]);
  for (let t = 0; t < plot.T; t++) {
    const inside = values[t] >= plot.low && values[t] <= plot.high;
    if (inside && (t % every === first || alone(t))) {
      seen.push(marker(look.k, plot.X(t), plot.Y(values[t]), strong ? 5 : 4));
    }
  }
  svg(root, 'path', {d: seen.join(''), fill: stroke, stroke: tone.bg, 'stroke-width': 1});
}
/**
 * Where marks stand: a dashed line each, its text above it in as many rows as they need.
 * @param {[number, string][]} marks step from 1, and text
 * @returns {{x: number, from: number, label: string, row: number}[]}
 */
export function markRows(marks, plot, measure) {
  const ends = [];
  return marks.map(([step, text]) => {
    const bold = text => measure(text, '700 12px');
    const label = cut(text, plot.width, bold, 120);
    const width = bold(label);
    const x = plot.X(step - 1);
    const from = Math.max(plot.x0, Math.min(plot.x1 - width, x - width / 2));
    const free = ends.findIndex(end => end + 10 < from);
    const row = free < 0 ? ends.length : free;
    ends[row] = from + width;
    return {x, from, label, row};
  });
}
/** Draws what `markRows` placed. */
export function drawMarks(root, plot, rows, tone) {
  const above = row => plot.y0 - 10 - 17 * row;
  const dashed = {stroke: tone.ink, 'stroke-width': 1.5, 'stroke-dasharray': '5 4'};
  for (const {x, row} of rows) lineTo(root, [x, above(row) + 4], [x, plot.y1], dashed);
  for (const {from, label, row} of rows) textAt(root, from, above(row), label, 'strong halo');
}
/** A line through the plot and a dot on every curve. */
export function drawCursor(root, plot, t, lines, looks, tone) {
  const x = plot.X(t);
  const stroke = tone.focus;
  lineTo(root, [x, plot.y0], [x, plot.y1 + 5], {stroke, 'stroke-width': 2});
  lines.forEach((values, k) => {
    if (!(values[t] >= plot.low && values[t] <= plot.high)) return;
    const d = marker(looks[k].k, x, plot.Y(values[t]), 6.5);
    svg(root, 'path', {d, fill: looks[k].colour, stroke, 'stroke-width': 2.5});
  });
}
