// Draws the panel of a matrix: eigenvalues beside the unit circle, singular values beside 1.

import {marker} from '../shared/chart.js';
import {lineTo, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';

/** One panel of panelOf(). */
export function drawSpectrum(root, panel, tone) {
  drawTitle(root, panel, tone);
  drawCircles(root, panel, tone);
  drawEigenvalues(root, panel, tone);
  drawNumbers(root, panel);
  drawSingularValues(root, panel, tone);
}
function drawTitle(root, {x, y, size, height, focus, look, title}, tone) {
  const box = {x: x - 8, y: y - 6, width: size + 16, height: height + 6, rx: 6};
  if (focus) svg(root, 'rect', {...box, fill: tone.panel, stroke: tone.rule});
  svg(root, 'path', {d: marker(look.k, x + 6, y + 10), fill: look.colour});
  textAt(root, x + 18, y + 14, title, focus ? 'strong' : '');
}
function drawCircles(root, {x, size, cx, cy, unit, radius, look}, tone) {
  const axes = `M${x} ${cy}h${size}M${cx} ${cy - size / 2}v${size}`;
  svg(root, 'path', {d: axes, stroke: tone.rule, fill: 'none'});
  const circle = (r, stroke, more) =>
    svg(root, 'circle', {cx, cy, r, fill: 'none', stroke, 'stroke-width': 1.5, ...more});
  circle(unit, tone.ink);
  textAt(root, cx + unit * 0.72 + 4, cy - unit * 0.72 - 3, '1', 'mono soft halo');
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
    textAt(root, x, y, name, 'soft');
    textAt(root, x + size, y, text, 'mono strong', 'end');
  }
}
function drawSingularValues(root, {x, size, base, tall, sigma, look}, tone) {
  const wide = size / sigma.length;
  const width = (wide - (wide > 4 ? 1 : 0.3)).toFixed(1);
  const bar = (v, k) =>
    `M${(x + k * wide).toFixed(1)} ${base}v${(-v * tall).toFixed(1)}h${width}V${base}z`;
  svg(root, 'path', {d: Array.from(sigma, bar).join(''), fill: look.colour});
  lineTo(root, [x, base], [x + size, base], {stroke: tone.soft});
  const one = base - tall;
  lineTo(root, [x - 4, one], [x + size, one], {stroke: tone.ink, 'stroke-width': 1.5});
  textAt(root, x + size, one - 4, '1', 'mono halo', 'end');
}
