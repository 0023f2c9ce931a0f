// The chain: the same cell at every step in sight. It draws an svg into the stage, and returns
// what lies under a point.

import {svg} from '../shared/nodes.js';
import {signed} from '../shared/texts.js';
import {drawComparison} from './comparison.js';
import {
  drawArrow,
  drawMatrix,
  drawRing,
  drawSymbol,
  drawVector,
  weightColour,
  write,
} from './marks.js';
import {STATE_WIDTH} from './plan.js';
import {drawStrip, underStrip} from './strip.js';
import {drawAnswers, drawInput, drawVerdict} from './words.js';

export function drawChain(stage, scene) {
  const {W, chain, comparison, strip} = scene;
  const {height} = chain;
  const root = svg(stage, 'svg', {viewBox: `0 0 ${W} ${height}`, height, 'aria-hidden': true});
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
    write(root, 0, y, text, 'mid');
    write(root, 0, y + 15, more, 'soft');
  };
  name(inputY + inputHeight / 2 - 2, 'input', 'one-hot x');
  name(stateY - 21, 'state', `${H} unit${H > 1 ? 's' : ''}`);
  name(outputY + (rows * rowHeight) / 2 - 2, 'output', 'softmax p');
  name(chosenY + wordHeight / 2 + 5, 'chosen', '');
  name(targetY + wordHeight / 2 + 5, 'target', '');
  const y = readY + 10;
  tone.div.forEach((fill, k) => svg(root, 'rect', {x: k * 7, y, width: 7, height: 7, fill}));
  write(root, 0, y + 19, '−1', 'soft');
  write(root, 49, y + 19, '1', 'soft', 'end');
  drawUnitName(root, scene);
}
// The unit in focus before its row, and its value where no value is written.
function drawUnitName(root, {H, u, now, chain}) {
  const {stateY, unitHeight, numbers} = chain;
  const y = stateY + (u + 0.5) * unitHeight + 4;
  write(root, 0, y, `unit ${u + 1}`, 'hot');
  if (!numbers) write(root, 0, u < H / 2 ? y + 15 : y - 15, signed(now.h[u]), 'mono bold');
}
// The state before the first step in sight, and the band of the unit in focus through all.
function drawStart(root, scene) {
  const {n, u, from, chain, states, tone, X} = scene;
  const {stateY, unitHeight, numbers, startX} = chain;
  const x = startX - STATE_WIDTH / 2;
  svg(root, 'rect', {
    x: x - 4,
    y: stateY + u * unitHeight - 2.5,
    width: X(from + n - 1) - startX + STATE_WIDTH + 8,
    height: unitHeight + 4,
    fill: tone.focus,
    opacity: 0.2,
    rx: 4,
  });
  drawVector(root, states[0], tone, {x, y: stateY, width: STATE_WIDTH, unitHeight, numbers});
  drawSymbol(root, 'h', from, {x: startX, y: stateY - 13});
}
function drawStep(root, scene, column) {
  const {t, u, fresh, chain, tone, X} = scene;
  const {inputY, stateY, unitHeight, numbers, feedWidth} = chain;
  const {k} = column;
  const x = X(k);
  const g = svg(root, 'g', {
    opacity: k > t ? 0.25 : 1,
    class: fresh && k === t ? 'enter' : '',
  });
  write(g, x, inputY - 8, `t = ${k + 1}`, k === t ? 'mid hot' : 'soft', 'middle');
  drawInput(g, scene, column, x);
  drawFeed(g, scene, x);
  if (column.recurrence) drawRecurrence(g, scene, k);
  drawReadOut(g, scene, x);
  const left = x - STATE_WIDTH / 2;
  drawVector(g, column.h, tone, {x: left, y: stateY, width: STATE_WIDTH, unitHeight, numbers});
  drawSymbol(g, 'h', k + 1, {x: x - feedWidth / 2 - 4, y: stateY - 13, anchor: 'end'});
  drawAnswers(g, scene, column, x);
  drawVerdict(g, scene, column, x);
  const y = stateY + u * unitHeight;
  drawRing(g, {x: left, y, width: STATE_WIDTH, unitHeight}, tone);
}
function drawFeed(g, scene, x) {
  const {chain, tone} = scene;
  const {feedY, stateY, feedWidth: width} = chain;
  drawArrow(g, [x, feedY], [x, stateY - 4], weightColour(tone, 'W_xh'), 4);
  const height = stateY - feedY - 24;
  drawMatrix(g, 'W_xh', scene, {x: x - width / 2, y: feedY + 6, width, height});
  const place = {x: x + width / 2 + 6, y: feedY + 9 + height / 2, anchor: 'start', kind: 'small'};
  drawSymbol(g, 'W', 'xh', place);
}
function drawReadOut(g, scene, x) {
  const {chain, tone} = scene;
  const {readY, outputY, readWidth: width} = chain;
  drawArrow(g, [x, readY], [x, outputY - 3], weightColour(tone, 'W_hy'), 4);
  const height = outputY - readY - 20;
  drawMatrix(g, 'W_hy', scene, {x: x - width / 2, y: readY + 5, width, height});
  const place = {x: x + width / 2 + 6, y: readY + 8 + height / 2, anchor: 'start', kind: 'small'};
  drawSymbol(g, 'W', 'hy', place);
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
    write(g, x, y + size / 2 + 18, text, 'soft halo', 'middle');
  }
}
