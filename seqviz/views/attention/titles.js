// What stands over the grid and the heatmap: titles, the scale of colours, the map in little.

import {ramp} from '../shared/colours.js';
import {svg} from '../shared/nodes.js';
import {cutTo} from '../shared/texts.js';
import {limitText, SCORES} from './controls.js';
import {lowIsBest} from './grid_plan.js';
import {paintHeat} from './heatmap.js';
import {blank, END, write} from './panes.js';
import {isHead, named, placeOfLayer} from './places.js';
import {includes, silentOf} from './silence.js';
import {change, weight} from './weights.js';
import {wholeView} from './zoom.js';

/**
 * What the grid shows, and in which order.
 * @param {SVGElement} node
 * @param {Scene} scene `sort` and `ranking` are read
 * @param {number} width pixels
 */
export function drawGridTitle(node, {sort, ranking, measure}, width) {
  const end = lowIsBest(sort) ? 'lowest' : 'highest';
  const best = `${end} ${SCORES[sort]} first`;
  blank(node, width, 28);
  write(node, 'All heads', 'large strong', {x: 0, y: 16});
  const start = measure('All heads', '700 15px') + 12;
  const room = width - start - 8;
  const fits = measure(best) <= room;
  const note = !ranking ? 'a row is a layer' : fits ? best : `${end} first`;
  if (room > 50 && measure(note) <= room) write(node, note, 'soft', {x: start, y: 16});
}
function errorText({kind, scores}, {layer, head}) {
  if (!kind.gold || !scores?.error || !isHead(layer, head)) return '';
  return `error rate ${scores.error[placeOfLayer(kind, layer)][head].toFixed(2)}`;
}
/**
 * The name of the map, and what its colours stand for.
 * @param {SVGElement} node
 * @param {Scene} scene
 * @param {number} width pixels
 */
export function drawMapTitle(node, scene, width) {
  const {layer, head, pre, scale, sheet, measure, tone} = scene;
  const place = pre ?? {layer, head};
  const [low, high] = endsOf(sheet, scale);
  blank(node, width, sheet.signed ? 42 : 28);
  const room = width - measure(low) - measure(high) - 48;
  const name = headName(scene, place, room);
  const error = errorText(scene, place);
  const start = name ? measure(name, '700 15px') + 12 : 0;
  const what = sheet.written ? 'length' : 'weight';
  const from = width > 520 && !error && !sheet.signed ? `${what} ${low}` : low;
  const end = width - measure(high) - 6;
  const free = end - start - measure(error) - measure(from) - 24;
  const broad = Math.max(24, Math.min(96, free));
  const x = end - broad;
  if (name) write(node, name, `large ${pre ? 'second' : 'strong'}`, {x: 0, y: 16});
  if (error && start + measure(error) + measure(from) + 18 < x) {
    write(node, error, 'mid soft', {x: start, y: 16});
  }
  write(node, from, 'soft', {x: x - 6, y: 16, ...END});
  for (let i = 0; i < 32; i++) {
    const box = {x: x + (i * broad) / 32, y: 7, width: broad / 32 + 0.4, height: 10};
    svg(node, 'rect', {...box, fill: ramp(sheet.signed ? tone.div : tone.seq, i / 31)});
  }
  write(node, high, 'soft', {x: width, y: 16, ...END});
  const legend = 'after minus before: − less, + more';
  if (sheet.signed) write(node, legend, 'soft', {x: width, y: 33, ...END});
}
// The name of a map; a silenced head still has weights, which nothing reads.
function headName({kind, facts, measure, single}, {layer, head}, room) {
  if (single) return '';
  const silent = includes(silentOf(facts), [kind.name, layer, head]);
  const name = named(layer, head);
  const whole = `${name}, silenced`;
  const fits = measure(whole, '700 15px') <= room - 24;
  return silent && fits ? whole : cutTo(name, room, measure, '700 15px');
}
// What stands at both ends of the scale of colours.
function endsOf({most, signed, written}, scale) {
  const unit = written ? most : 1;
  const low = {linear: '0', log: limitText(unit / 10000), row: '0'}[scale];
  const high = {linear: weight(most), log: written ? weight(most) : '1', row: 'row max'}[scale];
  if (!signed) return [low, high];
  return scale === 'linear' ? [change(-most), change(most)] : [`−${high}`, `+${high}`];
}
/**
 * All of the map in little, while a part of it is in sight: the part framed, the row or column in
 * focus as a line.
 * @param {HTMLCanvasElement} canvas
 * @param {Scene} scene
 * @param {number} most pixels of its longer side
 */
export function drawOverview(canvas, scene, most) {
  const {sheet, view, theme, scale, ratio, written, tone, A, accent} = scene;
  const key = [sheet.key, theme, scale, ratio, written, JSON.stringify([view, A, most])].join();
  if (canvas.dataset.key === key) return;
  canvas.dataset.key = key;
  const high = Math.max(14, Math.min(most, (most * sheet.n) / sheet.m));
  const wide = Math.max(14, Math.min(most, (most * sheet.m) / sheet.n));
  paintHeat(canvas, sheet, wholeView(sheet), scene, wide, high);
  const drawing = canvas.getContext('2d');
  Object.assign(drawing, {fillStyle: tone.bg, globalAlpha: 0.92});
  drawing.fillRect(0, (written / sheet.n) * high, wide, high);
  Object.assign(drawing, {fillStyle: accent, globalAlpha: 0.55});
  const [ph, pw] = [high / sheet.n, wide / sheet.m];
  if (A.side === 'query') drawing.fillRect(0, A.at * ph, wide, Math.max(2, ph));
  else drawing.fillRect(A.at * pw, 0, Math.max(2, pw), high);
  const box = [view.k0 * pw + 1, view.q0 * ph + 1, view.kn * pw - 2, view.qn * ph - 2];
  drawing.globalAlpha = 1;
  for (const [strokeStyle, lineWidth] of [
    [tone.bg, 5],
    [tone.focus, 2],
  ]) {
    Object.assign(drawing, {strokeStyle, lineWidth});
    drawing.strokeRect(...box.map((side, i) => (i < 2 ? side : Math.max(3, side))));
  }
}
