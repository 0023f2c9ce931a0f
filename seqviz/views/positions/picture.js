// Draws the panes over the positions: the heat map, the curves of the pair, the similarity.

import {drawnBeneath} from '../shared/beneath.js';
import {ticks, tickText, yAxis} from '../shared/axes.js';
import {drawCursor, drawLine, lookOf, marker, trail} from '../shared/chart.js';
import {SHARP, drawImage, drawPath, sheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {figures} from '../shared/texts.js';
import {tablePlan} from './scene.js';
import {drawShift} from './shift.js';

const NARROW = 330; // pixels of a plot with no room for long names

function tableImage(images, table, tone) {
  const {n, d, most} = table;
  const shade = (p, k) => Math.round(32 + (32 * table.at(p, k)) / most);
  const coloured = pixels =>
    Uint32Array.from({length: n * d}, (_, at) => pixels[shade(at % n, Math.floor(at / n))]);
  return images.of(table.label, tone.div, n, coloured);
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
    textAt(root, x, plot.y0 - 7, text, kind);
    x += measure(text, kind === 'strong' ? '700 12px' : '12px') + (look ? 6 : 18);
  }
}
function drawScale(root, plot, band, most, measure) {
  const ends = [figures(-most), figures(most)];
  const width = Math.min(72, plot.width / 7); // clear of the title
  const right = plot.x1 - measure(ends[1], '12px mono') - 6;
  const x = right - width;
  const y = plot.y0 - 17;
  textAt(root, x - 6, y + 10, ends[0], 'mono soft', 'end');
  drawImage(root, band, {x, y, width, height: 11});
  textAt(root, right + 6, y + 10, ends[1], 'mono soft');
}
function drawHeat(root, plot, {table, t, pair, images, tone, measure}) {
  const {x0, y0, pitch, height, X, Y} = plot;
  const x = X(0) - pitch / 2;
  const width = pitch * table.n;
  const title = plot.width < NARROW ? 'By position' : 'A column for each position';
  paneTitle(root, plot, [[title, 'strong']], measure);
  drawScale(root, plot, images.scale(tone.div).band, table.most, measure);
  drawImage(root, tableImage(images, table, tone), {x, y: y0, width, height, ...SHARP});
  for (const v of ticks(0, table.d - 1, 4, 1).at.filter(v => v < table.d)) {
    textAt(root, x0 - 8, Y(v + 0.5) + 4, String(v), 'mono soft', 'end');
  }
  const middle = y0 + height / 2;
  const name = textAt(root, 12, middle, 'dimension', 'soft', 'middle');
  name.setAttribute('transform', `rotate(-90 12 ${middle})`);
  const y = Y(2 * pair);
  const frames = [
    {x: x - 1, y, width: width + 2, height: Math.max(3, Y(2 * pair + 2) - y)},
    {x: X(t) - pitch / 2, y: y0 - 1, width: pitch, height: height + 2},
  ];
  const drawFrames = look =>
    frames.forEach(frame => svg(root, 'rect', {...frame, fill: 'none', ...look}));
  drawFrames({stroke: tone.bg, 'stroke-width': 4});
  drawFrames({stroke: tone.focus, 'stroke-width': 2});
}
function drawWaves(root, plot, curves, {t, pair, tone, measure}) {
  const looks = [lookOf(tone, 0), lookOf(tone, 1)];
  const called = plot.width < NARROW ? 'dim' : 'dimension';
  const name = k => [`${called} ${2 * pair + k}`, '', looks[k]];
  const value = k => [figures(curves[k][t]), 'strong'];
  paneTitle(root, plot, [name(0), value(0), name(1), value(1)], measure);
  const {at, gap} = ticks(plot.low, plot.high, 4);
  yAxis(root, plot, at, v => tickText(v, gap), tone);
  curves.forEach((curve, k) => drawLine(root, plot, curve, looks[k], tone, false));
  drawCursor(root, plot, t, curves, looks, tone);
}
function drawSimilarity(root, plot, similar, {t, tone, measure}) {
  const look = {colour: tone.ink, dash: '', k: 3};
  const long = `Similarity of position ${t} to each (cosine)`;
  const title = plot.width < NARROW ? `Cosine with position ${t}` : long;
  paneTitle(root, plot, [[title, 'strong']], measure);
  const {at, gap} = ticks(plot.low, 1, 3);
  yAxis(root, plot, at, v => tickText(v, gap), tone);
  drawPath(root, trail(plot, similar), {stroke: look.colour, 'stroke-width': 2});
  drawCursor(root, plot, t, [similar], [look], tone);
}
function positionAxis(root, plot, n, t) {
  const y = plot.y1 + 17;
  const {X, x1} = plot;
  const clear = v => v < n && Math.abs(X(v) - X(t)) > 24;
  for (const v of ticks(0, n - 1, plot.width / 64, 1).at.filter(clear)) {
    textAt(root, X(v), y, String(v), 'mono soft', 'middle');
  }
  textAt(root, X(t), y, String(t), 'mono hot', 'middle');
  textAt(root, x1, y + 15, 'position', 'soft', 'end');
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
  const {map, waves, alike, end} = plan;
  const root = sheet(stage, W, end);
  drawHeat(root, map, scene);
  drawWaves(root, waves, plan.curves, scene);
  drawSimilarity(root, alike, plan.similar, scene);
  positionAxis(root, alike, table.n, t);
  const ground = end < plan.total ? drawnBeneath(stage, W, end, plan.total) : root;
  const bars = drawShift(ground, plan.panel, scene);
  return (x, y) => {
    const pairUnder = bars(x, y);
    if (pairUnder !== undefined) return {pair: pairUnder};
    if (x < map.x0 || x > map.x1 || y < map.y0 || y > alike.y1 + 20) return {};
    const step = map.stepAt(x);
    const row = Math.floor(((y - map.y0) / map.height) * table.pairs);
    return y > map.y1 ? {step} : {step, pair: Math.min(table.pairs - 1, row)};
  };
}
