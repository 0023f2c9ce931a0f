// Bars, curve, cut and strip, drawn.

import {svg} from '../shared/nodes.js';
import {chance, cut, many} from '../shared/texts.js';
import {box, freshSheet, hot, hotKind, path, write} from './marks.js';

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
function drawHead(root, {bars, place}, {em, small}, tone) {
  const {W, x, top, legend} = bars;
  const y = 1 * em;
  write(root, 0, y, 'Next token', {size: em, kind: 'bold'});
  const key = 6.6 * em;
  drawOutline(root, [key, y - 0.7 * em, 1.5 * em, 0.7 * em], tone);
  write(root, key + 2 * em, y, 'model', {size: small, kind: 'quiet'});
  box(root, key + 5.4 * em, y - 0.7 * em, 1.5 * em, 0.7 * em, {rx: 2, fill: tone.blue});
  write(root, key + 7.4 * em, y, legend, {size: small, kind: 'quiet'});
  write(root, W, y, 'cumulated', {size: small, kind: 'quiet', anchor: 'end'});
  const under = top - 0.35 * em;
  write(root, 0, under, `${place.doubt.toFixed(1)} bits of doubt`, {size: small, kind: 'quiet'});
  for (const [text, at] of [
    ['model', x.model],
    ['after', x.after],
  ]) {
    write(root, at, under, text, {size: small, kind: 'quiet', anchor: 'end'});
  }
}
/** What the model says, before decoding. */
function drawOutline(root, place, tone, dash = 'none') {
  const look = {rx: 2, fill: 'none', stroke: tone.soft, 'stroke-width': 1.3};
  box(root, ...place, {...look, 'stroke-dasharray': dash});
}
function drawRow(root, row, scene, {em, small, measure}, tone) {
  const {bars} = scene;
  const {x, pitch, span, scale, W} = bars;
  const {y, p, q, kept, at} = row;
  const middle = y + 0.74 * pitch;
  const h = 0.72 * pitch;
  const high = y + 0.14 * pitch;
  const wide = value => Math.max(0.8, (span * value) / scale);
  const colour = at ? hot(scene, tone) : tone.blue;
  if (at) box(root, 0, y, W, pitch, {rx: 4, fill: colour, opacity: 0.14});
  write(root, 1.4 * em, middle, row.r + 1, {size: small, kind: 'quiet', anchor: 'end'});
  const kind = at ? hotKind(scene) : kept ? '' : 'quiet';
  const room = x.bar - x.word - (row.leads ? 1.1 : 0.4) * em;
  const font = `${at ? '700 ' : ''}${em}px`;
  const word = cut(row.word, room, text => measure(text, font), 40);
  write(root, x.word, middle, word, {size: em, kind});
  if (row.leads) {
    write(root, x.bar - 0.45 * em, middle, '›', {size: em, kind: 'quiet', anchor: 'end'});
  }
  if (kept) box(root, x.bar, high + 0.14 * h, wide(q), 0.72 * h, {rx: 2, fill: colour});
  const dash = wide(p) < 9 ? '2 2' : '3 3';
  drawOutline(root, [x.bar, high, wide(p), h], tone, kept ? 'none' : dash);
  write(root, x.model, middle, chance(p), {size: em, kind: 'quiet', anchor: 'end'});
  const after = {
    size: em,
    kind: kept ? `bold ${at ? hotKind(scene) : ''}` : 'quiet',
    anchor: 'end',
  };
  write(root, x.after, middle, kept ? chance(q) : '–', after);
}
function drawOthers(root, scene, {em, small}, tone) {
  const {W, x, tail, others, span, scale} = scene.bars;
  const y = tail.y + 1.02 * em;
  const wide = q => span * Math.min(1, q / scale);
  const at = scene.at >= scene.bars.rows.length;
  if (at) {
    const look = {rx: 4, fill: hot(scene, tone), opacity: 0.14};
    box(root, 0, tail.y, x.curve - 0.4 * em, 1.35 * em, look);
  }
  path(root, `M0 ${tail.y}H${W}`, {stroke: tone.rule});
  const end = {kind: 'quiet', anchor: 'end'};
  write(root, x.bar - 0.6 * em, y, `${many(others.n)} others`, {size: small, ...end});
  if (others.kept) {
    const look = {rx: 2, fill: tone.blue, opacity: 0.55};
    box(root, x.bar, tail.y + 0.34 * em, wide(others.q), 0.64 * em, look);
  }
  const place = [x.bar, tail.y + 0.2 * em, wide(others.p), 0.92 * em];
  drawOutline(root, place, tone, others.kept ? 'none' : '3 3');
  if (Math.max(others.p, others.q) > 1.001 * scale) {
    write(root, x.bar + span - 0.3 * em, y, '»', {size: em, kind: 'bold halo', anchor: 'end'});
  }
  write(root, x.model, y, chance(others.p), {size: em, ...end});
  const after = {size: em, anchor: 'end', kind: others.kept ? 'bold' : 'quiet'};
  write(root, x.after, y, others.kept ? chance(others.q) : '–', after);
  path(root, `M${x.model - 2.6 * em} ${tail.y + 1.42 * em}H${x.after}`, {stroke: tone.rule});
  write(root, x.bar - 0.6 * em, tail.y + 2.45 * em, 'together', {size: small, ...end});
  write(root, x.model, tail.y + 2.45 * em, '1.00', {size: em, ...end});
  write(root, x.after, tail.y + 2.45 * em, '1.00', {size: em, kind: 'bold', anchor: 'end'});
}
function drawTicks(root, bars, {em, small}) {
  const {cut: line, top, xOf, yOf, others, V} = bars;
  const mark = line && (line.asks === 'p' ? line.knob : line.mass);
  for (const q of [0, 0.5, 1]) {
    if (line && Math.abs(q - mark) < 0.27) continue;
    const anchor = q === 1 ? 'end' : 'middle';
    write(root, xOf(q), top - 0.35 * em, String(q), {size: small, kind: 'quiet', anchor});
  }
  if (!others) return;
  for (const rank of [100, V]) {
    const last = rank === V;
    const y = yOf(rank) - (last ? 0.15 : -0.3) * em;
    const near = line && Math.abs(yOf(rank) - line.y) < 1.3 * em;
    if (near || (!last && yOf(V) - yOf(rank) < 1.3 * em) || rank > V) continue;
    write(root, xOf(0) + 0.25 * em, y, many(rank), {size: small, kind: 'quiet halo'});
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
  if (left) {
    const place = [left + 0.5 * em, line.y - 0.35 * em];
    write(root, ...place, many(line.n), {size: small, kind: 'bold halo'});
  }
  const text = byMass ? `p ${line.knob.toFixed(2)}` : chance(line.mass);
  const half = measure(text, `700 ${small}px`) / 2;
  const at = Math.max(x.curve, Math.min(W - half, byMass ? line.p : line.x));
  const look = {size: small, kind: 'bold halo', anchor: 'middle'};
  write(root, at, top - 0.45 * em, text, look);
}

// ---- the strip
/** Draws what is kept as a strip from 0 to 1, and the number that falls on it. */
export function drawStrip(node, scene, {em, small, dist: W}, tone) {
  const H = 2.65 * em;
  const y = 1.1 * em;
  const h = 1.5 * em;
  const root = freshSheet(node, W, H);
  scene.strip.forEach((segment, k) => {
    const {x, w, word, tail} = segment;
    box(root, x, y, w, h, {fill: k % 2 ? tone.paper : tone.shade});
    if (tail) drawHatch(root, x, y, w, h, tone);
    const look = {size: small, anchor: 'middle', kind: segment.at ? 'bold' : tail ? 'halo' : ''};
    if (word) write(root, x + w / 2, y + 0.66 * h, word, look);
  });
  box(root, 0.5, y, W - 1, h, {rx: 3, fill: 'none', stroke: tone.soft});
  const at = scene.strip.find(segment => segment.at);
  if (at) {
    const look = {fill: 'none', stroke: hot(scene, tone), 'stroke-width': 2.2, rx: 2};
    box(root, at.x + 1, y + 1, Math.max(3, at.w - 2), h - 2, look);
  }
  return scene.state.roll ? drawBall(root, scene.state.roll.u, {em, small, W, y, h}, tone) : null;
}
function drawHatch(root, x, y, w, h, tone) {
  let d = '';
  for (let at = x + 2; at < x + w - 1; at += 4) d += `M${at.toFixed(1)} ${y + 1}v${h - 2}`;
  path(root, d, {stroke: tone.edge, 'stroke-width': 1, opacity: 0.55});
}
function drawBall(root, u, {em, small, W, y, h}, tone) {
  const ball = svg(root, 'g', {class: 'ball'});
  const x = u * W;
  path(ball, `M${x} ${y - 2}V${y + h + 3}`, {stroke: tone.focus, 'stroke-width': 2});
  const width = 3.2 * em;
  const left = Math.max(0, Math.min(W - width, x - width / 2));
  box(ball, left, 0, width, 1.15 * em, {rx: 0.55 * em, fill: tone.focus});
  const look = {size: small, anchor: 'middle', kind: 'bold', fill: tone.bg};
  write(ball, left + width / 2, 0.92 * em, u.toFixed(3), look);
  return ball;
}
