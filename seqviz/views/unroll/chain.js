// The chain: the same cell at every step in sight. It draws an svg into the stage, and returns
// what lies under a point.

import {sheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {signed} from '../shared/texts.js';
import {drawComparison} from './comparison.js';
import {drawArrow, drawMatrix, drawRing, drawSymbol, drawVector, weightColour} from './marks.js';
import {STATE_WIDTH} from './plan.js';
import {drawStrip, underStrip} from './strip.js';
import {drawAnswers, drawInput, drawVerdict} from './words.js';

export function drawChain(stage, scene) {
  const {W, chain, comparison, strip} = scene;
  const {height} = chain;
  const root = sheet(stage, W, height);
  drawFocus(root, scene);
  drawRowNames(root, scene);
  drawStart(root, scene);
  for (const column of scene.columns) drawStep(root, scene, column);
  if (comparison) drawComparison(root, scene);
  if (strip) drawStrip(root, scene);
  return (x, y) => (strip && y < 44 ? underStrip(scene, x) : underChain(scene, x, y));
}
function underChain({H, n, from, chain, X}, x, y) {
  const {left, pitch, stateY, unitHeight} = chain;
  const i = Math.floor((x - left) / pitch);
  const unit = Math.floor((y - stateY) / unitHeight);
  const inStates = x > X(from - 1) - STATE_WIDTH;
  return {
    ...(i >= 0 && i < n && {step: from + i}),
    ...(unit >= 0 && unit < H && inStates && {unit}),
  };
}
// A panel behind the step in focus.
function drawFocus(root, {chain, tone, t, X}) {
  const {pitch: width, top, height} = chain;
  const place = {x: X(t) - width / 2, y: top, width};
  svg(root, 'rect', {...place, height: height - top, fill: tone.panel, stroke: tone.rule, rx: 6});
  svg(root, 'rect', {...place, height: 4, fill: tone.focus, rx: 2});
}
function drawRowNames(root, scene) {
  const {H, chain, tone} = scene;
  const {inputY, inputHeight, stateY, readY, outputY, chosenY, targetY} = chain;
  const {rows, rowHeight, wordHeight} = chain;
  const name = (y, text, more) => {
    textAt(root, 0, y, text, 'mid');
    textAt(root, 0, y + 15, more, 'soft');
  };
  name(inputY + inputHeight / 2 - 2, 'input', 'one-hot x');
  name(stateY - 21, 'state', `${H} unit${H > 1 ? 's' : ''}`);
  name(outputY + (rows * rowHeight) / 2 - 2, 'output', 'softmax p');
  name(chosenY + wordHeight / 2 + 5, 'chosen', '');
  name(targetY + wordHeight / 2 + 5, 'target', '');
  const y = readY + 10;
  tone.div.forEach((fill, k) => svg(root, 'rect', {x: k * 7, y, width: 7, height: 7, fill}));
  textAt(root, 0, y + 19, '−1', 'soft');
  textAt(root, 49, y + 19, '1', 'soft', 'end');
  drawUnitName(root, scene);
}
// The unit in focus before its row, and its value where no value is written.
function drawUnitName(root, {H, u, now, chain}) {
  const {stateY, unitHeight, numbers} = chain;
  const y = stateY + (u + 0.5) * unitHeight + 4;
  textAt(root, 0, y, `unit ${u + 1}`, 'hot');
  if (!numbers) textAt(root, 0, u < H / 2 ? y + 15 : y - 15, signed(now.h[u]), 'mono bold');
}
// The state before the first step in sight, and the band of the unit in focus through all.
function drawStart(root, scene) {
  const {n, u, from, chain, states, tone, X} = scene;
  const {stateY, unitHeight, numbers, startX} = chain;
  const x = startX - STATE_WIDTH / 2;
  const width = X(from + n - 1) - startX + STATE_WIDTH + 8;
  const band = {x: x - 4, y: stateY + u * unitHeight - 2.5, width, height: unitHeight + 4, rx: 4};
  svg(root, 'rect', {...band, fill: tone.focus, opacity: 0.2});
  drawVector(root, states[0], tone, {x, y: stateY, width: STATE_WIDTH, unitHeight, numbers});
  drawSymbol(root, 'h', from, {x: startX, y: stateY - 13});
}
function drawStep(root, scene, column) {
  const {t, u, fresh, chain, tone, X} = scene;
  const {inputY, feedY, stateY, readY, outputY, unitHeight, numbers, feedWidth, readWidth} = chain;
  const {k} = column;
  const x = X(k);
  const g = svg(root, 'g', {opacity: k > t ? 0.25 : 1, class: fresh && k === t ? 'enter' : ''});
  textAt(g, x, inputY - 8, `t = ${k + 1}`, k === t ? 'mid hot' : 'soft', 'middle');
  drawInput(g, scene, column, x);
  const input = {from: feedY, to: stateY - 4, width: feedWidth, over: 6, under: 14};
  drawDown(g, scene, 'W_xh', x, input);
  if (column.recurrence) drawRecurrence(g, scene, k);
  const output = {from: readY, to: outputY - 3, width: readWidth, over: 5, under: 12};
  drawDown(g, scene, 'W_hy', x, output);
  const left = x - STATE_WIDTH / 2;
  drawVector(g, column.h, tone, {x: left, y: stateY, width: STATE_WIDTH, unitHeight, numbers});
  drawSymbol(g, 'h', k + 1, {x: x - feedWidth / 2 - 4, y: stateY - 13, anchor: 'end'});
  drawAnswers(g, scene, column, x);
  drawVerdict(g, scene, column, x);
  const y = stateY + u * unitHeight;
  drawRing(g, {x: left, y, width: STATE_WIDTH, unitHeight}, tone);
}
// Weights between a vector and the one below: an arrow, the matrix over it, its name beside it.
function drawDown(g, scene, name, x, {from, to, width, over, under}) {
  const box = {x: x - width / 2, y: from + over, width, height: to - from - over - under};
  drawArrow(g, [x, from], [x, to], weightColour(scene.tone, name), 4);
  drawMatrix(g, name, scene, box);
  const place = {x: x + width / 2 + 6, y: box.y + 3 + box.height / 2};
  drawSymbol(g, 'W', name.slice(2), {...place, anchor: 'start', kind: 'small'});
}
// From the state before into that of step k.
function drawRecurrence(g, scene, k) {
  const {chain, tone, X} = scene;
  const {middleY: y, tight} = chain;
  const start = X(k - 1) + STATE_WIDTH / 2 + 4;
  const end = X(k) - STATE_WIDTH / 2 - 5;
  const size = tight ? 32 : 48;
  const x = (start + end) / 2 - 3;
  drawArrow(g, [start, y], [end, y], weightColour(tone, 'W_hh'), 6);
  drawMatrix(g, 'W_hh', scene, {x: x - size / 2, y: y - size / 2, width: size, height: size});
  drawSymbol(g, 'W', 'hh', {x, y: y - size / 2 - 10, kind: 'halo'});
  if (!tight && end - start > 84) {
    const text = k ? 'same weights' : 'the weights';
    textAt(g, x, y + size / 2 + 18, text, 'soft halo', 'middle');
  }
}
