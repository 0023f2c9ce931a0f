// The cell of one unit at one step: pipes coloured by what flows, valves turned by the gates, the
// equations in numbers.

import {put, signed, svg} from '../shared/base.js';
import {HUE, fedBack, signedRow} from './cells.js';
import {clipped} from './marks.js';
import {Pens} from './pens.js';

/** Pixels that the drawing needs. */
export const CELL = 300; // the width everything is placed in
/**
 * The cell, under it the equations of its step and what the colours stand for.
 * @param {Element} node
 * @param {Scene} scene
 */
export function drawCell(node, scene) {
  const {layer, u, t, show, hold, measure, facts, cellWidth: W} = scene;
  const {kind} = layer;
  const root = svg(null, 'svg', {'aria-hidden': true});
  const pens = new Pens(root, scene);
  const title = clipped(`unit ${u + 1} at ${t + 1}: ${facts.tokens[t]}`, CELL, measure, '700 14px');
  pens.write(0, 14, title, 'mid hot', 'start');
  const draw = kind.memory === 'c' ? lstmCell : kind.holds ? gruCell : rnnCell;
  const lines = draw(pens);
  if (scene.gate && layer.live) lines.push(...gateEquation(pens, scene.gate));
  let y = kind.holds ? 310 : 226;
  for (const [left, right] of lines) {
    pens.write(0, y, left, 'mid', 'start');
    if (right) pens.write(14, (y += 18), right, 'mono', 'start');
    y += 25;
  }
  y = legend(pens, y + 4, hold && show === 'change');
  put(null, root, {viewBox: `${(CELL - W) / 2} 0 ${W} ${y}`});
  node.replaceChildren(root);
}
// At most five signs below 100,000; a negative factor gets its brackets.
const plus = (v, w) => `${figure(v)} ${w < 0 ? '−' : '+'} ${figure(Math.abs(w))}`;
const figure = v => signed(v, Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0);
const times = (v, w) =>
  `${figure(v)}·${w < 0 && signed(w) !== '0.00' ? `(${figure(w)})` : figure(w)}`;
function lstmCell(pens) {
  const {tone, q, c0, most} = pens;
  const y = 78;
  const forget = 62;
  const add = 142;
  const out = 222;
  const flow = Math.tanh(q.c);
  pens.pipe(`${add},262 ${add},158`, q.g);
  pens.pipe(`${add},158 ${add},${y}`, q.i * q.g, most);
  pens.pipe(`${out},${y} ${out},186`, flow);
  pens.pipe(`${out},186 ${out},262`, q.h);
  pens.pipe(`6,${y} ${forget},${y}`, c0, most);
  pens.pipe(`${forget},${y} ${add},${y}`, q.f * c0, most);
  pens.pipe(`${add},${y} 290,${y}`, q.c, most);
  pens.valve(forget, y, 'f', q.f, false);
  pens.valve(add, 158, 'i', q.i, true);
  pens.valve(out, 186, 'o', q.o, true);
  pens.join(add, y);
  pens.box(out, y + 48, 'tanh');
  pens.box(add, 258, `g ${figure(q.g)}`, tone.cat[HUE.g]);
  pens.box(out + 4, 258, `h ${figure(q.h)}`, tone.cat[HUE.h]);
  pens.tag(forget, y + 42, 'f', 'middle');
  pens.tag(add - 26, 163, 'i', 'end');
  pens.tag(out + 24, 191, 'o', 'start');
  beforeAndNow(pens, 'c', c0, q.c);
  pens.write((forget + add) / 2 + 2, y - 26, figure(q.f * c0), 'mono soft');
  pens.write(add + 15, y + 40, figure(q.i * q.g), 'mono soft', 'start');
  return [
    ['c = f · c before + i · g', `= ${times(q.f, c0)} + ${times(q.i, q.g)} = ${figure(q.c)}`],
    ['h = o · tanh(c)', `= ${times(q.o, flow)} = ${figure(q.h)}`],
  ];
}
// One handle turns two valves: what z lets through of the old state, 1 − z lets through of the
// candidate.
const MIX = 100;
const ADD = 190;
const OLD = 24;
const PIPE = 78;
function gruCell(pens) {
  const {tone, q, h0} = pens;
  const {before} = pens.layer.kind;
  const fed = oldState(pens);
  const turned = before || fed === null ? fed : q.r * fed;
  gruPipes(pens, before ? [h0, turned] : [fed ?? 0, turned]);
  pens.write(MIX + 26, 168, 'one handle', 'soft');
  pens.valve(MIX, PIPE, 'z', q.z, false);
  pens.valve(ADD, 158, 'z', 1 - q.z, true);
  pens.box(OLD, before ? 218 : 126, 'W');
  pens.valve(OLD, before ? 146 : 184, 'r', q.r, true);
  pens.join(ADD, PIPE);
  pens.box(ADD, 258, `n ${figure(q.n)}`, tone.cat[HUE.n]);
  pens.tag(MIX, PIPE + 42, 'z', 'middle');
  const handle = pens.held('z') ? 'mid mono second' : 'mid mono bold';
  pens.write(ADD + 24, 163, `1−z ${figure(1 - q.z)}`, handle, 'start');
  pens.tag(OLD + 25, before ? 151 : 189, 'r', 'start');
  beforeAndNow(pens, 'h', h0, q.h);
  pens.write((MIX + ADD) / 2, PIPE - 26, signed(q.z * h0), 'mono soft');
  pens.write(ADD + 15, PIPE + 40, figure((1 - q.z) * q.n), 'mono soft', 'start');
  if (turned !== null) pens.write(OLD + 56, 246, signed(turned), 'mono soft', 'start');
  const mixed = `${times(1 - q.z, q.n)} + ${times(q.z, h0)}`;
  const state = ['h = (1 − z) · n + z · h before', `= ${mixed} = ${figure(q.h)}`];
  return fed === null ? [state] : [state, candidate(pens, fed)];
}
function gruPipes(pens, [first, turned]) {
  const {root, tone, q, h0} = pens;
  pens.pipe(`${OLD},${PIPE} ${OLD},180`, first);
  pens.pipe(`${OLD},180 ${OLD},258 ${ADD},258`, turned ?? 0);
  pens.pipe(`${ADD},258 ${ADD},158`, q.n);
  pens.pipe(`${ADD},158 ${ADD},${PIPE}`, (1 - q.z) * q.n);
  pens.pipe(`6,${PIPE} ${MIX},${PIPE}`, h0);
  pens.pipe(`${MIX},${PIPE} ${ADD},${PIPE}`, q.z * h0);
  pens.pipe(`${ADD},${PIPE} 290,${PIPE}`, q.h);
  svg(root, 'line', {
    x1: MIX,
    y1: PIPE,
    x2: ADD,
    y2: 158,
    stroke: tone.cat[HUE.z],
    'stroke-width': 3,
    'stroke-dasharray': '2 4',
    'stroke-linecap': 'round',
  });
}
// The equation of the candidate, with what W makes of the old state.
function candidate(pens, fed) {
  const {q, u, t, layer} = pens;
  const {before} = layer.kind;
  const equation = before
    ? 'n = tanh(from input + W (r · h before))'
    : 'n = tanh(from input + r · W h before)';
  if (pens.held('n')) return [equation, `n = ${figure(q.n)}, by hand`];
  const x = layer.from_input[t * layer.wide + 2 * layer.H + u];
  const sum = before ? plus(x, fed) : `${figure(x)} + ${times(q.r, fed)}`;
  return [equation, `= tanh(${sum}) = ${figure(q.n)}`];
}
// What W makes of the old state: of h, or of r h where the reset comes before; null if unknown.
function oldState({layer, h, u, t, curves}) {
  if (!layer.live) return null;
  const reset = (v, k) => curves.r[t * layer.H + k] * v;
  return fedBack(layer, 2 * layer.H + u, layer.kind.before ? h.map(reset) : h);
}
function rnnCell(pens) {
  const {q, h0, h, u, t, layer} = pens;
  const y = 78;
  const W = 70;
  const add = 150;
  const relu = layer.kind.relu;
  const fed = layer.live ? fedBack(layer, u, h) : 0;
  const x = layer.live ? layer.from_input[t * layer.H + u] : 0;
  pens.pipe(`${add},166 ${add},${y}`, x, layer.most);
  pens.pipe(`6,${y} ${W},${y}`, h0, layer.most);
  pens.pipe(`${W},${y} ${add},${y}`, fed, layer.most);
  pens.pipe(`${add},${y} 218,${y}`, x + fed, layer.most);
  pens.pipe(`218,${y} 290,${y}`, q.h, layer.most);
  pens.box(W, y, 'W');
  pens.join(add, y);
  pens.box(222, y, relu ? 'relu' : 'tanh');
  pens.box(add, 166, 'input');
  beforeAndNow(pens, 'h', h0, q.h);
  pens.write(150, 200, 'No valve: every step writes the state anew.', 'soft');
  if (!layer.live) return [];
  pens.write(add + 16, 130, signed(x), 'mono soft', 'start');
  pens.write((W + add) / 2 + 4, y - 26, signed(fed), 'mono soft');
  const f = relu ? 'relu' : 'tanh';
  return [[`h = ${f}(from input + W h before)`, `= ${f}(${plus(x, fed)}) = ${figure(q.h)}`]];
}
function beforeAndNow(pens, name, before, now) {
  pens.write(4, 37, 'before', 'soft', 'start');
  pens.write(292, 37, 'now', 'soft', 'end');
  pens.write(4, 53, `${name} ${figure(before)}`, 'mid mono', 'start');
  pens.write(292, 53, `${name} ${figure(now)}`, 'mid mono bold', 'end');
}
// Where the gate's own value comes from.
function gateEquation(pens, gate) {
  const {layer, u, t, h, q} = pens;
  if (gate === 'n') return [];
  if (pens.held(gate)) return [[`${gate} = ${figure(q[gate])}, by hand`]];
  const {H, kind} = layer;
  const row = kind.holds.indexOf(gate) * H + u;
  const f = gate === 'g' ? 'tanh' : 'σ';
  return [
    [
      `${gate} = ${f}(from input + W h before)`,
      `= ${f}(${plus(layer.from_input[t * layer.wide + row], fedBack(layer, row, h))}) = ${figure(q[gate])}`,
    ],
  ];
}
function legend(pens, y, change) {
  const {root, most} = pens;
  const {kind} = pens.layer;
  const {seq, div} = pens.scales;
  const bands = change
    ? [['change', -1, 1, div]]
    : [
        ...(kind.holds
          ? [[[...kind.holds].filter(row => !signedRow(row)).join(' '), 0, 1, seq]]
          : []),
      ];
  const two = [...kind.rows].filter(row => signedRow(row) && row !== kind.memory).join(' ');
  if (two && !change) bands.push([two, -1, 1, div]);
  bands.push([kind.memory, -most, most, div]);
  bands.forEach(([names, low, high, scale], k) => {
    const at = y + 20 * k;
    const number = v => (Number.isInteger(v) ? signed(v, 0) : (v < 0 ? '≤ ' : '≥ ') + signed(v, 1));
    pens.write(0, at + 11, names, 'bold', 'start');
    pens.write(78, at + 11, number(low), 'mono soft', 'end');
    svg(root, 'image', {
      href: scale.band,
      x: 84,
      y: at,
      width: 110,
      height: 13,
      preserveAspectRatio: 'none',
    });
    pens.write(202, at + 11, number(high), 'mono soft', 'start');
  });
  return y + 20 * bands.length;
}
