// The words of a step in the chain: what it reads, what it says, and whether that is right.

import {inkOn, ramp} from '../shared/colours.js';
import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {drawToken, ems, oneHotFill} from './marks.js';

export function drawInput(g, scene, {id, token}, x) {
  const {chain, facts, tone} = scene;
  const {inputY, inputHeight, oneHot, pitch} = chain;
  const middle = inputY + inputHeight / 2;
  if (!oneHot) {
    drawToken(g, token, {x, y: middle + 4, room: pitch - 44, size: 26, kind: 'bold'});
    textAt(g, x, middle + 21, `x[${id}] = 1`, 'mono soft', 'middle');
    return;
  }
  drawToken(g, token, {x: x - 20, y: middle + 8, room: 30, size: 26, kind: 'bold'});
  const step = inputHeight / facts.vocabulary.length;
  facts.shown.forEach((word, k) => {
    const top = inputY + k * step;
    const fill = oneHotFill(tone, k === id);
    svg(g, 'rect', {x: x - 4, y: top, width: 14, height: step - 1, fill, stroke: tone.rule});
    const kind = k === id ? 'bold' : 'soft';
    drawToken(g, word, {x: x + 20, y: top + step / 2 + 4, room: 20, size: 12, kind});
  });
}
/** Probabilities as bars. */
export function drawAnswers(g, {facts, chain, tone}, {answers}, x) {
  const labelWidth = facts.letters ? 18 : 66;
  const width = Math.min(chain.pitch - 8, facts.letters ? 134 : 170);
  const left = x - width / 2;
  const bar = {x: left + labelWidth + 2, width: width - labelWidth - 38};
  answers.forEach(({word, p, text, chosen}, k) => {
    const y = chain.outputY + k * chain.rowHeight;
    const baseline = y + chain.rowHeight / 2 + 4;
    const kind = chosen ? 'bold' : '';
    const room = labelWidth - 4;
    drawToken(g, word, {x: left + labelWidth / 2, y: baseline, room, size: 14, kind});
    const place = {...bar, y: y + 1, height: chain.rowHeight - 4};
    svg(g, 'rect', {...place, fill: tone.bg, stroke: tone.rule});
    const fill = ramp(tone.seq, chosen ? 0.75 : 0.4);
    svg(g, 'rect', {...place, width: Math.max(1, bar.width * p), fill});
    textAt(g, bar.x + bar.width + 5, baseline, text, `mono ${kind}`);
  });
}
/** What is chosen, above what should be. */
export function drawVerdict(g, {facts, chain, tone}, {chosen, target, right}, x) {
  const {chosenY, targetY, wordHeight: height, pitch} = chain;
  const middle = facts.letters ? x : x - 14;
  const room = facts.letters ? 28 : pitch - 60;
  const dark = ramp(tone.seq, 0.75);
  // A word in its box; returns where the box ends.
  const drawWord = (word, y, box, fill) => {
    const width = Math.max(28, Math.min(room, ems(readable(word)) * 20 + 10));
    svg(g, 'rect', {x: middle - width / 2, y, width, height, rx: 4, ...box});
    const baseline = y + height / 2 + 6;
    drawToken(g, word, {x: middle, y: baseline, room: width - 6, size: 20, kind: 'bold', fill});
    return middle + width / 2;
  };
  drawWord(chosen, chosenY, {fill: dark}, inkOn(dark));
  if (target === undefined) {
    textAt(g, x, targetY + height / 2 + 4, 'none', 'soft', 'middle');
    return;
  }
  const dashed = {fill: tone.bg, stroke: tone.soft, 'stroke-dasharray': '3 2'};
  const end = drawWord(target, targetY, dashed, tone.ink);
  drawSign(g, end + 20, targetY + height / 2, right, tone);
}
// Right: a ring with a tick; wrong: a filled diamond with a cross.
function drawSign(g, x, y, right, tone) {
  if (right) {
    const line = {fill: 'none', stroke: tone.ink};
    svg(g, 'circle', {cx: x, cy: y, r: 9, ...line, 'stroke-width': 2});
    svg(g, 'path', {d: `M${x - 4.5} ${y}l3.5 3.5l5.5 -7`, ...line, 'stroke-width': 2.5});
  } else {
    svg(g, 'path', {d: `M${x} ${y - 13}l13 13l-13 13l-13 -13z`, fill: tone.wrong});
    const d = `M${x - 4.5} ${y - 4.5}l9 9m0 -9l-9 9`;
    svg(g, 'path', {d, stroke: tone.bg, 'stroke-width': 2.5});
  }
}
