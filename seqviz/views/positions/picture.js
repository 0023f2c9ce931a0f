// Draws the panes over the positions: the heat map, the curves of the pair, the similarity.

import {svg} from '../shared/base.js';
import {
  drawCursor,
  drawLine,
  drawPath,
  figures,
  lookOf,
  marker,
  tickText,
  ticks,
  trail,
  yAxis,
} from '../shared/chart.js';
import {painted, scaleOf} from '../shared/pixels.js';
import {drawnBeneath} from '../shared/beneath.js';
import {tablePlan} from './scene.js';
import {drawShift} from './shift.js';

// The image of a table, kept until table or theme change.
function tableImage(kept, table, tone) {
  const key = [table.label, ...tone.div].join();
  if (kept.key !== key) {
    kept.pen ??= document.createElement('canvas').getContext('2d');
    kept.scale = scaleOf(tone.div, kept.pen);
    const colours = new Uint32Array(table.n * table.d);
    for (let k = 0; k < table.d; k++) {
      for (let p = 0; p < table.n; p++) {
        const shade = Math.round(32 + (32 * table.at(p, k)) / table.most);
        colours[k * table.n + p] = kept.scale.pixels[shade];
      }
    }
    Object.assign(kept, {key, image: painted(kept.pen, colours, table.n)});
  }
  return kept;
}
function paneTitle(root, plot, pieces, measure) {
  let x = plot.x0;
  for (const [text, kind, look] of pieces) {
    if (look) {
      svg(root, 'path', {
        d: `M${x} ${plot.y0 - 11}h26`,
        stroke: look.colour,
        'stroke-width': 2.5,
        'stroke-dasharray': look.dash || 'none',
      });
      svg(root, 'path', {d: marker(look.k, x + 13, plot.y0 - 11), fill: look.colour});
      x += 32;
    }
    svg(root, 'text', {x, y: plot.y0 - 7, class: kind}, text);
    x += measure(text, kind === 'strong' ? '700 12px' : '12px') + (look ? 6 : 18);
  }
}
function drawScale(root, plot, band, most, measure) {
  const ends = [figures(-most), figures(most)];
  const wide = Math.min(72, plot.width / 7); // clear of the title
  const right = plot.x1 - measure(ends[1], '12px mono') - 6;
  const y = plot.y0 - 17;
  svg(
    root,
    'text',
    {x: right - wide - 6, y: y + 10, class: 'mono soft', 'text-anchor': 'end'},
    ends[0],
  );
  svg(root, 'image', {
    href: band,
    x: right - wide,
    y,
    width: wide,
    height: 11,
    preserveAspectRatio: 'none',
  });
  svg(root, 'text', {x: right + 6, y: y + 10, class: 'mono soft'}, ends[1]);
}
function drawHeat(root, plot, {table, t, pair, kept, tone, measure}) {
  const {image, scale} = tableImage(kept, table, tone);
  const left = plot.X(0) - plot.pitch / 2;
  const wide = plot.pitch * table.n;
  paneTitle(root, plot, [['A column for each position', 'strong']], measure);
  drawScale(root, plot, scale.band, table.most, measure);
  svg(root, 'image', {
    href: image,
    x: left,
    y: plot.y0,
    width: wide,
    height: plot.height,
    preserveAspectRatio: 'none',
    style: 'image-rendering: pixelated',
  });
  for (const v of ticks(0, table.d - 1, 4, 1).at.filter(v => v < table.d)) {
    svg(
      root,
      'text',
      {x: plot.x0 - 8, y: plot.Y(v + 0.5) + 4, class: 'mono soft', 'text-anchor': 'end'},
      String(v),
    );
  }
  svg(
    root,
    'text',
    {
      x: 12,
      y: plot.y0 + plot.height / 2,
      class: 'soft',
      'text-anchor': 'middle',
      transform: `rotate(-90 12 ${plot.y0 + plot.height / 2})`,
    },
    'dimension',
  );
  const y = plot.Y(2 * pair);
  const high = Math.max(3, plot.Y(2 * pair + 2) - y);
  const frames = [
    {x: left - 1, y, width: wide + 2, height: high},
    {x: plot.X(t) - plot.pitch / 2, y: plot.y0 - 1, width: plot.pitch, height: plot.height + 2},
  ];
  for (const frame of frames) {
    svg(root, 'rect', {...frame, fill: 'none', stroke: tone.bg, 'stroke-width': 4});
  }
  for (const frame of frames) {
    svg(root, 'rect', {...frame, fill: 'none', stroke: tone.focus, 'stroke-width': 2});
  }
}
function drawWaves(root, plot, curves, {t, pair, tone, measure}) {
  const looks = [lookOf(tone, 0), lookOf(tone, 1)];
  const name = k => [`dimension ${2 * pair + k}`, '', looks[k]];
  const value = k => [figures(curves[k][t]), 'strong'];
  paneTitle(root, plot, [name(0), value(0), name(1), value(1)], measure);
  const {at, gap} = ticks(plot.low, plot.high, 4);
  yAxis(root, plot, at, v => tickText(v, gap), tone);
  curves.forEach((curve, k) => drawLine(root, plot, curve, looks[k], tone, false));
  drawCursor(root, plot, t, curves, looks, tone);
}
function drawSimilarity(root, plot, similar, {t, tone, measure}) {
  const look = {colour: tone.ink, dash: '', k: 3};
  paneTitle(root, plot, [[`Similarity of position ${t} to each (cosine)`, 'strong']], measure);
  const {at, gap} = ticks(plot.low, 1, 3);
  yAxis(root, plot, at, v => tickText(v, gap), tone);
  drawPath(root, trail(plot, similar), {stroke: look.colour, 'stroke-width': 2});
  drawCursor(root, plot, t, [similar], [look], tone);
}
function positionAxis(root, plot, n, t) {
  const y = plot.y1 + 17;
  for (const v of ticks(0, n - 1, plot.width / 64, 1).at.filter(
    v => v < n && Math.abs(plot.X(v) - plot.X(t)) > 24,
  )) {
    svg(root, 'text', {x: plot.X(v), y, class: 'mono soft', 'text-anchor': 'middle'}, String(v));
  }
  svg(root, 'text', {x: plot.X(t), y, class: 'mono hot', 'text-anchor': 'middle'}, String(t));
  svg(root, 'text', {x: plot.x1, y: y + 15, class: 'soft', 'text-anchor': 'end'}, 'position');
}
/**
 * The heat map, the pair's curves and the similarity over the same positions, and the pair's panel.
 * @param {Element} stage
 * @param {TableScene} scene
 * @returns {(x: number, y: number) => {step?: number, pair?: number}} the position and the pair
 * under a point, from 0
 */
export function drawTable(stage, scene) {
  const {table, t, pair, W} = scene;
  const plan = tablePlan(table, t, pair, W);
  const {map, waves, alike} = plan;
  const root = svg(stage, 'svg', {
    'aria-hidden': true,
    viewBox: `0 0 ${W} ${plan.end}`,
    height: plan.end,
  });
  drawHeat(root, map, scene);
  drawWaves(root, waves, plan.curves, scene);
  drawSimilarity(root, alike, plan.similar, scene);
  positionAxis(root, alike, table.n, t);
  const below = plan.end < plan.total;
  const ground = below ? drawnBeneath(stage, W, plan.end, plan.total) : root;
  const bars = drawShift(ground, plan.panel, scene);
  return (x, y) => {
    const pairUnder = bars(x, y);
    if (pairUnder !== undefined) return {pair: pairUnder};
    if (x < map.x0 || x > map.x1 || y < map.y0 || y > alike.y1 + 20) return {};
    const step = map.stepAt(x);
    if (y > map.y1) return {step};
    return {
      step,
      pair: Math.min(table.pairs - 1, Math.floor(((y - map.y0) / map.height) * table.pairs)),
    };
  };
}
