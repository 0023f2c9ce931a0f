// The text, the tree and what is side by side, drawn.

import {freshSheet, squeezed, textAt} from '../shared/marks.js';
import {chance, cutTo, SIGNS} from '../shared/texts.js';
import {box, hot, hotKind, path} from './marks.js';
import {bitsText} from './sentence.js';
import {rankText} from './text_line.js';

// ---- the text
export function drawText(node, scene, size, tone) {
  const {line} = scene;
  const {em, W} = size;
  const root = freshSheet(node, W, line.H);
  const rows = {token: 1.75 * em, cell: 2.35 * em, h: 2.1 * em, rank: 5.5 * em};
  const names = [
    ['text', rows.token],
    ['doubt, bits', rows.cell + 0.62 * rows.h],
    ['its rank', rows.rank],
  ];
  for (const [name, y] of names) textAt(root, 0, y, name, 'soft');
  if (line.hidden) {
    const at = line.left ? W - 2.4 * em : line.start;
    textAt(root, at, rows.token, `…${line.hidden}`, 'soft');
  }
  for (const column of line.columns) drawToken(root, column, rows, scene, size, tone);
  drawGhost(root, rows, scene, size, tone);
}
function drawToken(root, column, rows, {line, state}, {small, measure, bits}, tone) {
  const {x, w, word, given, doubt, rank, k} = column;
  const middle = x + (w - 2) / 2;
  const over = state.over?.k === k;
  const kind = over ? 'teal' : given ? 'soft' : '';
  const token = textAt(root, middle, rows.token, word, `token ${kind}`, 'middle');
  squeezed(token, w - 4, measure, `${over ? '700 ' : ''}${line.size}px`);
  drawDoubt(root, {x, w: w - 2, doubt, bits}, rows, small, tone);
  const text = rank === null ? 'start' : rankText(rank);
  const under = textAt(root, middle, rows.rank, text, rank === null ? 'soft' : '', 'middle');
  squeezed(under, w, measure, `${small}px`);
}
function drawDoubt(root, {x, w, doubt, bits}, {cell, h}, small, tone) {
  box(root, x, cell, w, h, {fill: tone.paper});
  if (doubt !== null) {
    const full = Math.min(1, doubt / bits) * h;
    box(root, x, cell + h - full, w, full, {fill: tone.edge});
    const text = bitsText(doubt);
    const wide = text.length * 0.56 * small + 6;
    const paper = {rx: 3, fill: tone.bg, opacity: 0.86};
    const [middle, high] = [x + w / 2, cell + h / 2];
    box(root, middle - wide / 2, high - 0.62 * small, wide, 1.24 * small, paper);
    textAt(root, middle, high + 0.36 * small, text, '', 'middle');
  }
  path(root, `M${x} ${cell + h}H${x + w}`, {stroke: tone.soft});
}
function drawGhost(root, rows, scene, {em, small, measure, bits}, tone) {
  const {line, previewing} = scene;
  const {x, w, word, doubt, rank} = line.ghost;
  const colour = hot(scene, tone);
  const frame = {rx: 6, fill: 'none', stroke: colour, 'stroke-width': 2};
  const dash = previewing || rank === null ? '5 3' : 'none';
  box(root, x + 1, 0.25 * em, w - 4, 1.98 * em, {...frame, 'stroke-dasharray': dash});
  const middle = x + (w - 2) / 2;
  const token = textAt(root, middle, rows.token, word, `token ${hotKind(scene)}`, 'middle');
  squeezed(token, w - 0.8 * em, measure, `700 ${line.size}px`);
  drawDoubt(root, {x, w: w - 2, doubt, bits}, rows, small, tone);
  if (rank !== null) textAt(root, middle, rows.rank, rankText(rank), hotKind(scene), 'middle');
}

// ---- the tree
export function drawTree(node, scene, size, tone) {
  const {tree, previewing} = scene;
  const root = freshSheet(node, tree.W, tree.H);
  const colour = hot(scene, tone);
  for (const edge of tree.edges) {
    const {x1, y1, x2, y2, width, taken, at, ahead} = edge;
    const bend = (x1 + x2) / 2;
    path(root, `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`, {
      stroke: taken ? tone.focus : at ? colour : tone.edge,
      opacity: taken || at ? 1 : ahead ? 0.45 : 0.7,
      'stroke-width': width.toFixed(1),
      'stroke-dasharray': at ? '6 4' : 'none',
    });
  }
  for (const one of tree.nodes) drawNode(root, one, scene, size, tone, previewing);
}
function nodeLook({taken, at, deeper}, colour, over, previewing, tone) {
  if (over) return {fill: tone.bg, stroke: tone.second, 'stroke-dasharray': '4 3'};
  if (at && previewing) return {fill: tone.bg, stroke: colour, 'stroke-dasharray': '4 3'};
  if (at) return {fill: colour, stroke: colour};
  if (taken) return {fill: tone.bg, stroke: tone.focus};
  return {fill: tone.bg, stroke: deeper ? tone.soft : 'none'};
}
function drawNode(root, one, scene, {em, small, measure}, tone, previewing) {
  const {x, y, w, h, word, p, r, taken, at, deeper, ahead} = one;
  const over = scene.state.over?.path?.join() === one.path.join();
  const look = nodeLook(one, hot(scene, tone), over, previewing, tone);
  box(root, x, y, w, h, {rx: 4, 'stroke-width': 1.3, ...look});
  const filled = at && !previewing && !over;
  const plain = ahead ? 'soft' : '';
  const kind = taken ? 'hot' : at ? (previewing ? 'teal' : 'bold') : over ? 'teal' : plain;
  const paper = filled ? ' paper' : '';
  const font = `${kind && kind !== 'soft' ? '700 ' : ''}${Math.max(12, 0.93 * em)}px`;
  const short = cutTo(word, w - 0.5 * em, measure, font);
  textAt(root, x + 0.25 * em, y + 1.12 * em, short, `name ${kind}${paper}`);
  const rank = r === Infinity ? '' : r >= 7 ? rankText(r + 1) : chance(p);
  const under = deeper ? `${chance(p)} +${deeper}` : rank;
  const number = textAt(root, x + 0.25 * em, y + 2.28 * em, under, filled ? 'bold paper' : 'soft');
  squeezed(number, w - 0.4 * em, measure, `${filled ? '700 ' : ''}${small}px`);
}

// ---- side by side
const METER = 5.5; // width, in em
const METERS = [12.4, 5.5]; // from the right end

export function drawBeside(node, scene, size, tone) {
  const {lines} = scene;
  const {W, H, em, names} = lines;
  const root = freshSheet(node, W, H);
  names.forEach((name, k) =>
    textAt(root, W - (METERS[k] - METER) * em, 0.85 * em, name, 'soft', 'end'),
  );
  for (const one of lines.boxes) drawBox(root, one, lines, size, tone);
}
function drawBox(root, one, lines, {em, small, measure}, tone) {
  const {W, most} = lines;
  const {y, on, title, waiting, run} = one;
  box(root, 0, y, 3, 4.2 * em, {fill: on ? tone.ink : tone.rule});
  const left = 0.75 * em;
  const room = W - METERS[0] * em - left - 0.4 * em;
  squeezed(textAt(root, left, y + em, title, 'text bold'), room, measure, `700 ${em}px`);
  if (waiting) {
    textAt(root, left, y + 2.4 * em, 'the model writes …', 'soft');
    return;
  }
  if (run.ids.length) {
    drawMeter(root, W - METERS[0] * em, y, one.surprise / most, one.surprise.toFixed(1), em, tone);
    drawMeter(root, W - METERS[1] * em, y, one.distinct, one.distinct.toFixed(2), em, tone);
  }
  drawPieces(root, one, lines, {em, left, blank: measure(' ', `${em}px`)}, tone);
  if (run.problem) drawStop(root, one, lines, {small, em, measure}, left);
}
function drawMeter(root, x, y, share, text, em, tone) {
  const high = {y: y + 0.12 * em, height: 1.05 * em};
  box(root, x, high.y, METER * em, high.height, {fill: tone.paper});
  box(root, x, high.y, METER * em * Math.min(1, share), high.height, {fill: tone.edge});
  box(root, x + (METER - 2.3) * em, high.y, 2.3 * em, high.height, {fill: tone.bg, opacity: 0.86});
  textAt(root, x + (METER - 0.15) * em, y + 0.97 * em, text, 'bold', 'end');
}
// A saved drawing loses blanks at the start of a text: they are a distance here.
function drawPieces(root, {y, pieces}, {line}, {em, left, blank}, tone) {
  pieces.forEach(({text, mark, x, w, line: k}, n) => {
    const base = y + 2.3 * em + k * line;
    const bare = text.replace(/^ +/, '');
    const skip = blank * (text.length - bare.length);
    textAt(root, left + x + skip, base, bare, `text ${mark ? 'soft' : ''}`);
    if (!mark) return;
    const from = pieces[n - 1]?.mark ? 0 : skip;
    const dashed = {stroke: tone.soft, 'stroke-width': 1.3, 'stroke-dasharray': '4 2.5'};
    path(root, `M${left + x + from} ${base + 0.24 * em}h${w - from}`, dashed);
  });
}
function drawStop(root, {y, run}, {W}, {small, em, measure}, left) {
  const text = `${SIGNS.wrong} stops after ${run.ids.length}: ${run.problem}`;
  const short = cutTo(text, W - left - 2, measure, `700 ${small}px`);
  textAt(root, left, y + 4.2 * em, short, 'wrong');
}
