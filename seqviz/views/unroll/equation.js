// The equation, filled with the numbers of the step in focus; under each term its share in the
// unit in focus. It draws an svg into the stage, with the trace beside or below, and returns what
// lies under a point.

import {lineTo, sheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {
  drawFrame,
  drawMatrix,
  drawRing,
  drawSymbol,
  drawVector,
  largest,
  oneHotFill,
  shortNumber,
} from './marks.js';
import {equationHeight} from './plan.js';
import {drawTrace} from './trace.js';

export function drawEquation(stage, scene) {
  const {W, H, t, u, now, net, equation, trace, sums, tone} = scene;
  const {y, end, sumY, unitHeight} = equation;
  const height = equationHeight(equation, trace);
  const root = sheet(stage, W, height);
  const terms = new Terms(root, scene);
  lineTo(root, [0, 2], [W, 2], {stroke: tone.rule});
  terms.vector('h', now.h, 'h', t + 1, {kind: 'hot'});
  terms.ring('h');
  terms.sum('h', 'h', sums.h, 'hot');
  terms.sign('tanh', '= tanh(');
  terms.weights('W_hh');
  terms.vector('before', now.before, 'h', t);
  terms.sum('W_hh', 'before', sums.recurrence);
  terms.sign('plus', '+');
  terms.weights('W_xh');
  terms.input(t + 1);
  terms.sum('W_xh', 'x', sums.input);
  terms.sign('bias', '+');
  terms.vector('b', net.b, 'b', '', {most: largest(net.b)});
  terms.ring('b');
  terms.sum('b', 'b', sums.b);
  terms.sign('close', ')');
  textAt(root, 4, sumY + 16, `unit ${u + 1}`, 'soft');
  const underTrace = drawTrace(root, scene);
  return (px, py) => {
    const unit = Math.floor((py - y) / unitHeight);
    return px < end && unit >= 0 && unit < H ? {unit} : underTrace(px, py);
  };
}

/** The terms of the equation, each in its block of the plan. */
class Terms {
  constructor(root, scene) {
    Object.assign(this, {root, scene, ...scene.equation});
  }
  vector(block, values, letter, index, {kind = '', most = 1} = {}) {
    const {root, scene, y, unitHeight, numbers, blocks} = this;
    const {x, width} = blocks[block];
    drawVector(root, values, scene.tone, {x, y, width, unitHeight, numbers, most});
    drawSymbol(root, letter, index, {x: x + width / 2, y: y - 12, kind});
  }
  weights(name) {
    const {root, scene, y, height, blocks} = this;
    const {x, width} = blocks[name];
    drawMatrix(root, name, scene, {x, y, width, height});
    drawSymbol(root, 'W', name.slice(2), {x: x + width / 2, y: y - 12});
    this.ring(name);
  }
  /** The one-hot vector; it takes a column of W_xh. */
  input(index) {
    const {root, scene, y, height, blocks} = this;
    const {V, now, tone} = scene;
    const pitch = blocks.W_xh.width / V;
    const taken = {x: blocks.W_xh.x + now.id * pitch - 1, width: Math.max(3, pitch) + 1};
    drawFrame(root, {...taken, y: y - 3, height: height + 6}, tone.ink, tone, 1.5);
    const {x, width} = blocks.x;
    const cell = (top, size, on, look) => {
      const fill = oneHotFill(tone, on);
      svg(root, 'rect', {x, y: top, width, height: size, fill, ...look});
    };
    const ruled = {stroke: tone.rule};
    if (V <= 6) {
      for (let k = 0; k < V; k++) cell(y + k * 14, 13, k === now.id, ruled);
    } else {
      cell(y, height, false, ruled);
      cell(y + now.id * (height / V), Math.max(2, height / V), true);
    }
    drawSymbol(root, 'x', index, {x: x + width / 2, y: y - 12});
  }
  /** The unit in focus in a block. */
  ring(block) {
    const {root, scene, y, unitHeight, blocks} = this;
    const {u, tone} = scene;
    const {x, width} = blocks[block];
    drawRing(root, {x, y: y + u * unitHeight, width, unitHeight}, tone);
  }
  /** The share of the unit in focus, under the blocks from the first to the last. */
  sum(first, last, value, kind = '') {
    const {root, sumY, blocks} = this;
    const x = (blocks[first].x + blocks[last].x + blocks[last].width) / 2;
    textAt(root, x, sumY, shortNumber(value), `mono mid bold ${kind}`, 'middle');
  }
  /** A sign between the blocks, and between their sums. */
  sign(block, text) {
    const {root, y, height, sumY, blocks} = this;
    const x = blocks[block].x + blocks[block].width / 2;
    textAt(root, x, y + height / 2 + 6, text, 'mid', 'middle');
    textAt(root, x, sumY, text, 'soft mid', 'middle');
  }
}
