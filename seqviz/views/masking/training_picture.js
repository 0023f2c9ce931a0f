// The second pane drawn: the corrupted text, the shares beside their targets, the hump.

import {ticks, tickText} from '../shared/axes.js';
import {freshSheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {cutTo} from '../shared/texts.js';
import {MASK} from './chips.js';
import {percent} from './sentence.js';

const SIDE = 23; // em, of the shares and the hump where they stand beside the text
const BESIDE = 48; // em of width from which they do
const SLOT = 2; // em a line of the text

/** Draws the scene of training.js; `size` as of the sentence. */
export function drawTraining(node, scene, size, tone) {
  const {W, em} = size;
  const beside = W >= BESIDE * em;
  const right = beside && scene.tokens ? W - SIDE * em : 0;
  const slots = scene.tokens ? slotsOf(scene.tokens, right ? right - 1.5 * em : W, size) : null;
  const top = right || !slots ? 0 : slots.height + em;
  const height = top + (scene.shares ? 10.8 * em : 0) + (scene.hump ? 10.4 * em : 0);
  const root = freshSheet(node, W, Math.max(height, slots?.height ?? 0));
  const pen = {root, tone, em, small: size.small, measure: size.measure, x: right, W};
  slots?.boxes.forEach(box => drawSlot(pen, box));
  if (scene.shares) drawShares(pen, scene, top);
  if (scene.hump) drawHump(pen, scene, top + (scene.shares ? 10.8 * em : 0));
}

// ---- the text: slots that stand still while marks come and go
function slotsOf(tokens, W, {em, measure}) {
  const font = 1.1 * em;
  const wide = text => measure(text, `700 ${font}px`);
  const least = wide(MASK) + 0.5 * em;
  let x = 0;
  let y = 0;
  const boxes = tokens.map(({own, fate, text, joins}) => {
    const w = Math.min(W, Math.max(least, wide(`= ${own}`) + 0.5 * em));
    const gap = x === 0 ? 0 : (joins ? 0.1 : 0.4) * em;
    if (x + gap + w > W) [x, y] = [0, y + SLOT * em];
    else x += gap;
    const box = {x, y, w, h: 1.62 * em, fate, text: cutTo(text, w - 0.3 * em, wide), font};
    x += w;
    return box;
  });
  return {boxes, height: y + SLOT * em};
}
// A filled block, a dashed box, a double line under the word.
function drawFate({root, tone}, {x, y, w, h, fate}) {
  const box = {x: x + 1, y: y + 1, width: w - 2, height: h - 2};
  if (fate === 'masked') svg(root, 'rect', {...box, rx: 4, fill: tone.cat[0]});
  if (fate === 'replaced') {
    const dashed = {'stroke-width': 2, 'stroke-dasharray': '5 3'};
    svg(root, 'rect', {...box, fill: 'none', stroke: tone.cat[1], ...dashed});
  }
  if (fate === 'kept') {
    const d = `M${x} ${y + h - 1}h${w}M${x} ${y + h - 5}h${w}`;
    svg(root, 'path', {d, stroke: tone.cat[2], 'stroke-width': 2});
  }
}
function drawSlot(pen, {x, y, w, h, fate, text, font}) {
  const {root, tone} = pen;
  drawFate(pen, {x, y, w, h, fate});
  const fill = fate === 'masked' ? `;fill:${tone.bg};font-weight:700` : '';
  const slant = fate === 'replaced' ? ';font-style:italic' : '';
  const word = textAt(root, x + w / 2, y + 0.72 * h, text, '', 'middle');
  word.style.cssText = `font-size:${font}px${fill}${slant}`;
}

// ---- the shares: how far each lies from its target, with a standard error
const NAMES = {'': 'chosen', masked: MASK, replaced: '≠ other', kept: '= stays'};
function drawShares(pen, {shares, total}, top) {
  const {root, tone, em, small, x, W} = pen;
  textAt(root, x, top + 1.1 * em, 'Shares so far', 'title');
  textAt(root, W, top + 1.1 * em, total, 'soft', 'end');
  const left = x + 6 * em;
  const right = W - 10.4 * em;
  const place = v => (left + right) / 2 + (v * (right - left)) / 2;
  shares.forEach((share, n) => {
    const y = top + (1.7 + 1.85 * n) * em;
    const {fate} = share;
    drawSlot(pen, {x, y, w: 5.2 * em, h: 1.62 * em, fate, text: NAMES[fate], font: em});
    drawShare(pen, share, {y, place, left, right});
  });
  const y = top + 9.4 * em + small * 0.5;
  textAt(root, left, y, '−12', 'soft', 'middle');
  textAt(root, place(0), y, 'target', 'soft', 'middle');
  textAt(root, right, y, '+12', 'soft', 'middle');
  textAt(root, W, y, '± standard error', 'soft', 'end');
  const target = `M${place(0)} ${top + 1.8 * em}v${6.8 * em}`;
  svg(root, 'path', {d: target, stroke: tone.soft, 'stroke-width': 2});
}
function drawShare({root, tone, em, W, small, measure}, share, {y, place, left, right}) {
  const {from, to, at, outside, value, beside} = share;
  const middle = y + 0.82 * em;
  const row = new Row(root, {y: middle, tall: 0, base: middle + 0.35 * em});
  svg(root, 'path', {d: `M${left} ${y + 1.62 * em}H${right}`, stroke: tone.rule});
  row.bar(place(from), place(to) - place(from), 4, {fill: tone.cat[5]});
  const dot = {cx: place(at), cy: middle, r: 0.35 * em, 'stroke-width': 2};
  const look = outside ? {fill: tone.bg, stroke: tone.ink} : {fill: tone.ink, stroke: tone.bg};
  svg(root, 'circle', {...dot, ...look});
  row.end(W, beside, 'soft');
  row.end(W - measure(beside, `${small}px`) - 0.4 * em, value, 'big');
}

// ---- the hump: how many are guessed right at each rate
export function humpAxes(hump) {
  const low = Math.min(...hump.map(({accuracy, error}) => accuracy - error));
  const high = Math.max(...hump.map(({accuracy, error}) => accuracy + error));
  const {at, gap} = ticks(100 * Math.max(0, low), 100 * Math.min(1, high), 4);
  return {at, gap, low: at[0] / 100, high: at.at(-1) / 100};
}
function drawHump(pen, {hump, here}, top) {
  const {root, tone, em, small, x, W} = pen;
  textAt(root, x, top + 1.1 * em, 'Right guesses', 'title');
  textAt(root, W, top + 1.1 * em, '%, by share of tokens chosen', 'soft', 'end');
  const {at, gap, low, high} = humpAxes(hump);
  const left = x + 3 * em;
  const right = Math.min(W - em, left + 26 * em);
  const [y0, y1] = [top + 3.2 * em, top + 8.2 * em];
  const most = hump.at(-1).rate;
  const X = rate => left + ((right - left) * rate) / (most || 1);
  const Y = v => y1 - ((y1 - y0) * (v - low)) / (high - low);
  for (const v of at) {
    const y = Y(v / 100);
    svg(root, 'path', {d: `M${left} ${y}H${right}`, stroke: tone.rule});
    textAt(root, left - 0.5 * em, y + 0.3 * small, tickText(v, gap), 'soft', 'end');
  }
  for (const rate of rates(hump, X, small)) {
    textAt(root, X(rate), y1 + small + 0.4 * em, Math.round(100 * rate), 'soft', 'middle');
  }
  drawHumpLine(pen, hump, {X, Y, low, high});
  const falls = hump[here].accuracy >= (hump[here + 1]?.accuracy ?? Infinity);
  drawHere(pen, hump[here], {X, Y, y1, right, left, falls});
}
// The rates whose numbers do not touch.
function rates(hump, X, small) {
  const kept = [];
  for (const {rate} of hump) {
    if (!kept.length || X(rate) - X(kept.at(-1)) > 2 * small) kept.push(rate);
  }
  return kept;
}
function drawHumpLine({root, tone}, hump, {X, Y, low, high}) {
  const line = hump.map(({rate, accuracy}, k) => `${k ? 'L' : 'M'}${X(rate)} ${Y(accuracy)}`);
  const whiskers = hump.map(
    ({rate, accuracy, error}) =>
      `M${X(rate)} ${Y(Math.max(low, accuracy - error))}V${Y(Math.min(high, accuracy + error))}`,
  );
  const look = {fill: 'none', stroke: tone.cat[5], 'stroke-linejoin': 'round'};
  svg(root, 'path', {d: line.join(''), ...look, 'stroke-width': 2.5});
  svg(root, 'path', {d: whiskers.join(''), ...look, 'stroke-width': 1.5});
}
function drawHere({root, tone, em, measure}, {rate, accuracy}, {X, Y, y1, right, left, falls}) {
  const [x, y] = [X(rate), Y(accuracy)];
  const dashed = {stroke: tone.focus, 'stroke-width': 2, 'stroke-dasharray': '4 3'};
  svg(root, 'path', {d: `M${x} ${y}V${y1}`, ...dashed});
  const dot = {cx: x, cy: y, r: 0.4 * em, fill: tone.focus, stroke: tone.bg, 'stroke-width': 2};
  svg(root, 'circle', dot);
  const text = `${percent(accuracy)} right`;
  const wide = measure(text, `700 ${1.08 * em}px`);
  const from = falls ? x + 0.3 * em : x - 0.3 * em - wide; // on the side where the line is lower
  const start = Math.max(left, Math.min(right - wide, from));
  textAt(root, start, y - 0.7 * em, text, 'hot halo big');
}
