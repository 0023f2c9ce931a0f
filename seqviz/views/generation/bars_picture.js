// Bars, curve, cut and strip, drawn.

import {freshSheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {chance, cutTo, many} from '../shared/texts.js';
import {box, hot, hotKind, path} from './marks.js';

const THINNEST = 0.8; // pixels of a bar

/** Draws the next token: outline the model, filled what decoding makes of it. */
export function drawBars(node, scene, size, tone) {
  const {bars} = scene;
  const {W, H, top} = bars;
  const root = freshSheet(node, W, H);
  if (bars.cut) box(root, 0, top, W, bars.cut.y - top, {fill: tone.paper});
  for (const q of [0, 0.5, 1]) {
    path(root, `M${bars.xOf(q)} ${top}V${H}`, {stroke: tone.rule});
  }
  drawHead(root, scene, size, tone);
  for (const row of bars.rows) drawRow(root, row, scene, size, tone);
  if (bars.others) drawOthers(root, scene, size, tone);
  drawTicks(root, bars, size);
  for (const {kind, d} of bars.curves) drawCurve(root, kind, d, tone);
  if (bars.cut) drawCut(root, bars, size, tone);
}
function drawHead(root, {bars, place}, {em, measure, small}, tone) {
  const {W, x, top, legend} = bars;
  const key = 6.6 * em;
  const high = 0.3 * em;
  textAt(root, 0, em, 'Next token', 'text bold');
  box(root, key, high, 1.5 * em, 0.7 * em, outline(tone));
  textAt(root, key + 2 * em, em, 'model', 'soft');
  box(root, key + 5.4 * em, high, 1.5 * em, 0.7 * em, {rx: 2, fill: tone.blue});
  textAt(root, key + 7.4 * em, em, legend, 'soft');
  const wide = text => measure(text, `${small}px`);
  if (key + 8 * em + wide(legend) + wide('cumulated') < W) {
    textAt(root, W, em, 'cumulated', 'soft', 'end');
  }
  const under = top - 0.35 * em;
  textAt(root, 0, under, `${place.doubt.toFixed(1)} bits of doubt`, 'soft');
  textAt(root, x.model, under, 'model', 'soft', 'end');
  textAt(root, x.after, under, 'after', 'soft', 'end');
}
/** What the model says, before decoding. */
const outline = (tone, dash = 'none') => ({
  rx: 2,
  fill: 'none',
  stroke: tone.soft,
  'stroke-width': 1.3,
  'stroke-dasharray': dash,
});
function drawRow(root, one, scene, {em, measure}, tone) {
  const {x, pitch, span, scale, W} = scene.bars;
  const {y, p, q, kept, at, leads} = one;
  const row = new Row(root, {y, tall: pitch, base: y + 0.74 * pitch});
  const wide = value => (span * value) / scale;
  const colour = at ? hot(scene, tone) : tone.blue;
  if (at) row.band(0, W, {fill: colour, opacity: 0.14});
  row.end(1.4 * em, one.r + 1, 'soft');
  const kind = at ? hotKind(scene) : kept ? '' : 'soft';
  const room = x.bar - x.word - (leads ? 1.1 : 0.4) * em;
  const font = `${at ? '700 ' : ''}${em}px`;
  const word = cutTo(one.word, room, measure, font);
  row.text(x.word, word, `text ${kind}`);
  if (leads) row.end(x.bar - 0.45 * em, '›', 'text soft');
  if (kept) row.bar(x.bar, wide(q), 0.72 * 0.72 * pitch, {rx: 2, fill: colour}, {least: THINNEST});
  const dash = kept ? 'none' : wide(p) < 9 ? '2 2' : '3 3';
  row.bar(x.bar, wide(p), 0.72 * pitch, outline(tone, dash), {least: THINNEST});
  row.end(x.model, chance(p), 'text soft');
  const loud = at ? hotKind(scene) : 'bold';
  row.end(x.after, kept ? chance(q) : '–', `text ${kept ? loud : 'soft'}`);
}
function drawOthers(root, scene, {em}, tone) {
  const {W, x, tail, others, span, scale} = scene.bars;
  const row = new Row(root, {y: tail.y, tall: 1.32 * em, base: tail.y + 1.02 * em});
  const wide = q => span * Math.min(1, q / scale);
  if (scene.at >= scene.bars.rows.length) {
    const look = {rx: 4, fill: hot(scene, tone), opacity: 0.14};
    box(root, 0, tail.y, x.curve - 0.4 * em, 1.35 * em, look);
  }
  path(root, `M0 ${tail.y}H${W}`, {stroke: tone.rule});
  row.end(x.bar - 0.6 * em, `${many(others.n)} others`, 'soft');
  const part = {rx: 2, fill: tone.blue, opacity: 0.55};
  const least = {least: 0.5};
  if (others.kept) row.bar(x.bar, wide(others.q), 0.64 * em, part, least);
  row.bar(x.bar, wide(others.p), 0.92 * em, outline(tone, others.kept ? 'none' : '3 3'), least);
  if (Math.max(others.p, others.q) > 1.001 * scale) {
    row.end(x.bar + span - 0.3 * em, '»', 'text bold halo');
  }
  row.end(x.model, chance(others.p), 'text soft');
  row.end(x.after, others.kept ? chance(others.q) : '–', `text ${others.kept ? 'bold' : 'soft'}`);
  path(root, `M${x.model - 2.6 * em} ${tail.y + 1.42 * em}H${x.after}`, {stroke: tone.rule});
  const sum = new Row(root, {y: tail.y, tall: 0, base: tail.y + 2.45 * em});
  sum.end(x.bar - 0.6 * em, 'together', 'soft');
  sum.end(x.model, '1.00', 'text soft');
  sum.end(x.after, '1.00', 'text bold');
}
function drawTicks(root, bars, {em}) {
  const {cut: line, top, xOf, yOf, others, V} = bars;
  const mark = line && (line.asks === 'p' ? line.knob : line.mass);
  const near = xOf(1) - xOf(0) < 7 * em ? 0.45 : 0.27; // its own number stands there
  for (const q of [0, 0.5, 1]) {
    if (line && Math.abs(q - mark) < near) continue;
    const anchor = q === 1 ? 'end' : 'middle';
    textAt(root, xOf(q), top - 0.35 * em, q, 'soft', anchor);
  }
  if (!others) return;
  for (const rank of [100, V]) {
    const last = rank === V;
    const y = yOf(rank) - (last ? 0.15 : -0.3) * em;
    const near = line && Math.abs(yOf(rank) - line.y) < 1.3 * em;
    if (near || (!last && yOf(V) - yOf(rank) < 1.3 * em) || rank > V) continue;
    textAt(root, xOf(0) + 0.25 * em, y, many(rank), 'soft halo');
  }
}
function drawCurve(root, kind, d, tone) {
  if (!d) return;
  const looks = {
    kept: {stroke: tone.blue, 'stroke-width': 2.5},
    before: {stroke: tone.soft, 'stroke-width': 1.3},
    out: {stroke: tone.soft, 'stroke-width': 1.3, 'stroke-dasharray': '2 4'},
  };
  path(root, d, {'stroke-linejoin': 'round', ...looks[kind]});
}
// One curve, two questions: k asks at a rank for the probability, p at a probability for the rank.
function drawCut(root, bars, {em, small, measure}, tone) {
  const {cut: line, top, x, tail, W} = bars;
  const byMass = line.asks === 'p';
  const left = line.y > tail.y + 1 ? x.curve : 0; // in the tail the line would cross the words
  const knobX = byMass ? line.p : left;
  const d = byMass ? `M${line.p} ${top}V${line.y}H${left}` : `M${left} ${line.y}H${line.x}V${top}`;
  path(root, d, {stroke: tone.ink, 'stroke-width': 2});
  const dot = {r: 0.36 * em, fill: tone.ink, stroke: tone.bg, 'stroke-width': 1.5};
  svg(root, 'circle', {cx: knobX, cy: byMass ? top : line.y, ...dot});
  const meet = {r: 0.3 * em, fill: tone.bg, stroke: tone.ink, 'stroke-width': 2};
  svg(root, 'circle', {cx: line.x, cy: line.y, ...meet});
  if (left) textAt(root, left + 0.5 * em, line.y - 0.35 * em, many(line.n), 'bold halo');
  const text = byMass ? `p ${line.knob.toFixed(2)}` : chance(line.mass);
  const half = measure(text, `700 ${small}px`) / 2;
  const at = Math.max(x.curve, Math.min(W - half, byMass ? line.p : line.x));
  textAt(root, at, top - 0.45 * em, text, 'bold halo', 'middle');
}

// ---- the strip
/** Draws what is kept as a strip from 0 to 1, and the number that falls on it. */
export function drawStrip(node, scene, {em, dist: W}, tone) {
  const H = 2.65 * em;
  const y = 1.1 * em;
  const h = 1.5 * em;
  const root = freshSheet(node, W, H);
  scene.strip.forEach((segment, k) => {
    const {x, w, word, tail} = segment;
    box(root, x, y, w, h, {fill: k % 2 ? tone.paper : tone.shade});
    if (tail) drawHatch(root, x, y, w, h, tone);
    const kind = segment.at ? 'bold' : tail ? 'halo' : '';
    if (word) textAt(root, x + w / 2, y + 0.66 * h, word, kind, 'middle');
  });
  box(root, 0.5, y, W - 1, h, {rx: 3, fill: 'none', stroke: tone.soft});
  const at = scene.strip.find(segment => segment.at);
  if (at) {
    const look = {fill: 'none', stroke: hot(scene, tone), 'stroke-width': 2.2, rx: 2};
    box(root, at.x + 1, y + 1, Math.max(3, at.w - 2), h - 2, look);
  }
  return scene.state.roll ? drawBall(root, scene.state.roll.u, {em, W, y, h}, tone) : null;
}
function drawHatch(root, x, y, w, h, tone) {
  let d = '';
  for (let at = x + 2; at < x + w - 1; at += 4) d += `M${at.toFixed(1)} ${y + 1}v${h - 2}`;
  path(root, d, {stroke: tone.edge, 'stroke-width': 1, opacity: 0.55});
}
function drawBall(root, u, {em, W, y, h}, tone) {
  const ball = svg(root, 'g', {class: 'ball'});
  const x = u * W;
  path(ball, `M${x} ${y - 2}V${y + h + 3}`, {stroke: tone.focus, 'stroke-width': 2});
  const width = 3.2 * em;
  const left = Math.max(0, Math.min(W - width, x - width / 2));
  box(ball, left, 0, width, 1.15 * em, {rx: 0.55 * em, fill: tone.focus});
  textAt(ball, left + width / 2, 0.92 * em, u.toFixed(3), 'bold paper', 'middle');
  return ball;
}
