// One matrix: its eigenvalues beside the unit circle, its singular values beside 1.

import {svg} from '../shared/base.js';
import {cut, figures, marker} from '../shared/chart.js';

export const radiusOf = ([, , real, imaginary]) =>
  real.reduce((most, v, k) => Math.max(most, Math.hypot(v, imaginary[k])), 0);
const SPECTRUM = {head: 22, gap: 48, bars: 78};
export const spectrumHeight = size => SPECTRUM.head + size + SPECTRUM.gap + SPECTRUM.bars + 10;

export function spectrum(
  root,
  {name, arrays, look, focus, radius, top, measure, tone},
  x,
  y,
  size,
) {
  const [, sigma, real, imaginary] = arrays;
  const middle = x + size / 2;
  const centre = y + SPECTRUM.head + size / 2;
  const unit = (size / 2 - 8) / (radius * 1.04);
  if (focus) {
    svg(root, 'rect', {
      x: x - 8,
      y: y - 6,
      width: size + 16,
      height: spectrumHeight(size) + 6,
      fill: tone.panel,
      stroke: tone.rule,
      rx: 6,
    });
  }
  svg(root, 'path', {d: marker(look.k, x + 6, y + 10), fill: look.colour});
  svg(
    root,
    'text',
    {x: x + 18, y: y + 14, class: focus ? 'strong' : ''},
    cut(name, size - 20, text => measure(text, '700 12px')),
  );
  svg(root, 'path', {
    d: `M${x} ${centre}h${size}M${middle} ${centre - size / 2}v${size}`,
    stroke: tone.rule,
    fill: 'none',
  });
  svg(root, 'circle', {
    cx: middle,
    cy: centre,
    r: unit,
    fill: 'none',
    stroke: tone.ink,
    'stroke-width': 1.5,
  });
  const own = radiusOf(arrays);
  svg(
    root,
    'text',
    {x: middle + unit * 0.72 + 4, y: centre - unit * 0.72 - 3, class: 'mono soft halo'},
    '1',
  );
  svg(root, 'circle', {
    cx: middle,
    cy: centre,
    r: own * unit,
    fill: 'none',
    stroke: look.colour,
    'stroke-width': 1.5,
    'stroke-dasharray': '4 3',
  });
  const dots = Array.from(
    real,
    (v, k) =>
      `M${(middle + v * unit).toFixed(1)} ${(centre - imaginary[k] * unit).toFixed(1)}h0.01`,
  ).join('');
  svg(root, 'path', {d: dots, stroke: tone.bg, 'stroke-width': 8, 'stroke-linecap': 'round'});
  svg(root, 'path', {d: dots, stroke: look.colour, 'stroke-width': 6, 'stroke-linecap': 'round'});
  const below = y + SPECTRUM.head + size;
  pair(root, x, below + 12, 'spectral radius', figures(own), size);
  const names = ['largest singular value', 'top singular value', 'singular value'];
  const top1 = figures(sigma[0]);
  pair(
    root,
    x,
    below + 29,
    names.find(text => measure(text) + measure(top1, '12px mono') + 12 < size) ?? names[2],
    top1,
    size,
  );
  const base = below + SPECTRUM.gap + SPECTRUM.bars;
  const tall = (SPECTRUM.bars - 6) / top;
  const wide = size / sigma.length;
  const gap = wide > 4 ? 1 : 0.3;
  svg(root, 'path', {
    d: Array.from(
      sigma,
      (v, k) =>
        `M${(x + k * wide).toFixed(1)} ${base}v${(-v * tall).toFixed(1)}h${(wide - gap).toFixed(1)}V${base}z`,
    ).join(''),
    fill: look.colour,
  });
  svg(root, 'line', {x1: x, x2: x + size, y1: base, y2: base, stroke: tone.soft});
  svg(root, 'line', {
    x1: x - 4,
    x2: x + size,
    y1: base - tall,
    y2: base - tall,
    stroke: tone.ink,
    'stroke-width': 1.5,
  });
  svg(
    root,
    'text',
    {x: x + size, y: base - tall - 4, class: 'mono halo', 'text-anchor': 'end'},
    '1',
  );
}
function pair(root, x, y, name, value, size) {
  svg(root, 'text', {x, y, class: 'soft'}, name);
  svg(root, 'text', {x: x + size, y, class: 'mono strong', 'text-anchor': 'end'}, value);
}
