// Draws the panel of a matrix: eigenvalues beside the unit circle, singular values beside 1.

import {marker} from '../shared/chart.js';
import {svg} from '../shared/nodes.js';

/**
 * One panel.
 * @param {Element} root
 * @param {Object} panel of panelOf()
 * @param {Object} tone the palette
 */
export function drawSpectrum(root, panel, tone) {
  drawTitle(root, panel, tone);
  drawCircles(root, panel, tone);
  drawEigenvalues(root, panel, tone);
  drawNumbers(root, panel);
  drawSingularValues(root, panel, tone);
}
function drawTitle(root, {x, y, size, height, focus, look, title}, tone) {
  if (focus) {
    svg(root, 'rect', {
      x: x - 8,
      y: y - 6,
      width: size + 16,
      height: height + 6,
      fill: tone.panel,
      stroke: tone.rule,
      rx: 6,
    });
  }
  svg(root, 'path', {d: marker(look.k, x + 6, y + 10), fill: look.colour});
  svg(root, 'text', {x: x + 18, y: y + 14, class: focus ? 'strong' : ''}, title);
}
function drawCircles(root, {x, size, cx, cy, unit, radius, look}, tone) {
  const axes = `M${x} ${cy}h${size}M${cx} ${cy - size / 2}v${size}`;
  svg(root, 'path', {d: axes, stroke: tone.rule, fill: 'none'});
  const circle = (r, stroke, more) =>
    svg(root, 'circle', {cx, cy, r, fill: 'none', stroke, 'stroke-width': 1.5, ...more});
  circle(unit, tone.ink);
  const place = {x: cx + unit * 0.72 + 4, y: cy - unit * 0.72 - 3, class: 'mono soft halo'};
  svg(root, 'text', place, '1');
  circle(radius * unit, look.colour, {'stroke-dasharray': '4 3'});
}
function drawEigenvalues(root, {cx, cy, unit, real, imaginary, look}, tone) {
  const dot = (v, k) =>
    `M${(cx + v * unit).toFixed(1)} ${(cy - imaginary[k] * unit).toFixed(1)}h0.01`;
  const d = Array.from(real, dot).join('');
  svg(root, 'path', {d, stroke: tone.bg, 'stroke-width': 8, 'stroke-linecap': 'round'});
  svg(root, 'path', {d, stroke: look.colour, 'stroke-width': 6, 'stroke-linecap': 'round'});
}
function drawNumbers(root, {x, size, numbers}) {
  for (const {y, name, text} of numbers) {
    svg(root, 'text', {x, y, class: 'soft'}, name);
    svg(root, 'text', {x: x + size, y, class: 'mono strong', 'text-anchor': 'end'}, text);
  }
}
function drawSingularValues(root, {x, size, base, tall, sigma, look}, tone) {
  const wide = size / sigma.length;
  const width = (wide - (wide > 4 ? 1 : 0.3)).toFixed(1);
  const bar = (v, k) =>
    `M${(x + k * wide).toFixed(1)} ${base}v${(-v * tall).toFixed(1)}h${width}V${base}z`;
  svg(root, 'path', {d: Array.from(sigma, bar).join(''), fill: look.colour});
  svg(root, 'line', {x1: x, x2: x + size, y1: base, y2: base, stroke: tone.soft});
  const one = base - tall;
  const line = {x1: x - 4, x2: x + size, y1: one, y2: one};
  svg(root, 'line', {...line, stroke: tone.ink, 'stroke-width': 1.5});
  svg(root, 'text', {x: x + size, y: one - 4, class: 'mono halo', 'text-anchor': 'end'}, '1');
}
