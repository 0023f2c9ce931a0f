// The cell of one unit at one step: pipes coloured by what flows, valves turned by the gates, the
// equations in numbers.

import {put, signed, svg} from '../shared/base.js';
import {HUE, fedBack, signedRow, stateBefore} from './cells.js';
import {clipped} from './marks.js';

export const CELL = 300; // the width everything is placed in
export function drawCell(node, scene) {
  const {layer, u, t, after, show, hold, tone, measure, facts, cellWidth: W} = scene;
  const {kind, H} = layer;
  const curves = hold && show === 'before' ? layer.curves : after;
  const q = Object.fromEntries([...kind.rows].map(row => [row, curves[row][t * H + u]]));
  const {h, c} = stateBefore(layer, curves, t);
  const root = svg(null, 'svg', {'aria-hidden': true});
  const held = row =>
    hold &&
    show !== 'before' &&
    hold.gate === row &&
    (hold.unit === null || hold.unit === u) &&
    layer.order.indexOf(t) >= layer.order.indexOf(hold.since);
  const write = (x, y, text, kind = 'mid', anchor = 'middle') =>
    svg(root, 'text', {x, y, class: kind, 'text-anchor': anchor}, text);
  const colour = (v, most = 1) =>
    scene.scales.div.shades[Math.max(0, Math.min(64, Math.round(32 * (1 + v / most))))];
  const pens = {
    root,
    tone,
    scales: scene.scales,
    write,
    q,
    held,
    colour,
    most: layer.most,
    h0: h[u],
    c0: c[u],
    u,
    t,
    layer,
    h,
    curves,
    pipe(points, v, most) {
      for (const [stroke, width] of [
        [tone.soft, 20],
        [colour(v, most), 16],
      ]) {
        svg(root, 'polyline', {
          points,
          fill: 'none',
          stroke,
          'stroke-width': width,
          'stroke-linejoin': 'round',
        });
      }
    },
    // A disc in the pipe: along it is open, across it is shut.
    valve(x, y, row, open, upright) {
      const turn = (upright ? Math.PI / 2 : 0) + ((1 - open) * Math.PI) / 2;
      const dx = 15 * Math.cos(turn);
      const dy = 15 * Math.sin(turn);
      const stroke = tone.cat[HUE[row]];
      svg(root, 'circle', {
        cx: x,
        cy: y,
        r: 19,
        fill: tone.bg,
        stroke,
        'stroke-width': held(row) ? 6 : 4,
      });
      svg(root, 'line', {
        x1: x - dx,
        y1: y - dy,
        x2: x + dx,
        y2: y + dy,
        stroke,
        'stroke-width': 7,
        'stroke-linecap': 'round',
      });
    },
    join(x, y) {
      svg(root, 'circle', {
        cx: x,
        cy: y,
        r: 15,
        fill: tone.bg,
        stroke: tone.ink,
        'stroke-width': 2,
      });
      svg(root, 'path', {d: `M${x - 8} ${y}h16m-8 -8v16`, stroke: tone.ink, 'stroke-width': 3});
    },
    box(x, y, text, stroke = tone.soft, width = Math.max(36, measure(text, '14px mono') + 14)) {
      svg(root, 'rect', {
        x: x - width / 2,
        y: y - 14,
        width,
        height: 28,
        rx: 4,
        fill: tone.bg,
        stroke,
        'stroke-width': stroke === tone.soft ? 1.5 : 4,
      });
      write(x, y + 5, text, 'mid mono');
    },
    tag(x, y, row, anchor, text = `${row} ${signed(q[row])}`) {
      write(x, y, text, held(row) ? 'mid mono second' : 'mid mono bold', anchor);
      if (held(row)) write(x, y + 16, 'by hand', 'second', anchor);
    },
  };
  write(
    0,
    14,
    clipped(`unit ${u + 1} at ${t + 1}: ${facts.tokens[t]}`, CELL, measure, '700 14px'),
    'mid hot',
    'start',
  );
  const lines = kind.memory === 'c' ? lstmCell(pens) : kind.holds ? gruCell(pens) : rnnCell(pens);
  if (scene.gate && layer.live) lines.push(...gateEquation(pens, scene.gate));
  let y = kind.holds ? 310 : 226;
  for (const [left, right] of lines) {
    write(0, y, left, 'mid', 'start');
    if (right) write(14, (y += 18), right, 'mono', 'start');
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
function lstmCell({tone, write, pipe, valve, join, box, tag, q, c0, most}) {
  const y = 78;
  const forget = 62;
  const add = 142;
  const out = 222;
  const flow = Math.tanh(q.c);
  pipe(`${add},262 ${add},158`, q.g);
  pipe(`${add},158 ${add},${y}`, q.i * q.g, most);
  pipe(`${out},${y} ${out},186`, flow);
  pipe(`${out},186 ${out},262`, q.h);
  pipe(`6,${y} ${forget},${y}`, c0, most);
  pipe(`${forget},${y} ${add},${y}`, q.f * c0, most);
  pipe(`${add},${y} 290,${y}`, q.c, most);
  valve(forget, y, 'f', q.f, false);
  valve(add, 158, 'i', q.i, true);
  valve(out, 186, 'o', q.o, true);
  join(add, y);
  box(out, y + 48, 'tanh');
  box(add, 258, `g ${figure(q.g)}`, tone.cat[HUE.g]);
  box(out + 4, 258, `h ${figure(q.h)}`, tone.cat[HUE.h]);
  tag(forget, y + 42, 'f', 'middle');
  tag(add - 26, 163, 'i', 'end');
  tag(out + 24, 191, 'o', 'start');
  beforeAndNow(write, 'c', c0, q.c);
  write((forget + add) / 2 + 2, y - 26, figure(q.f * c0), 'mono soft');
  write(add + 15, y + 40, figure(q.i * q.g), 'mono soft', 'start');
  return [
    ['c = f · c before + i · g', `= ${times(q.f, c0)} + ${times(q.i, q.g)} = ${figure(q.c)}`],
    ['h = o · tanh(c)', `= ${times(q.o, flow)} = ${figure(q.h)}`],
  ];
}
// One handle turns two valves: what z lets through of the old state, 1 − z lets through of the
// candidate.
function gruCell({
  root,
  tone,
  write,
  pipe,
  valve,
  join,
  box,
  tag,
  q,
  h0,
  u,
  t,
  h,
  layer,
  held,
  curves,
}) {
  const y = 78;
  const mix = 100;
  const add = 190;
  const old = 24;
  const {before} = layer.kind;
  const fed = layer.live ? oldState(layer, h, u, k => curves.r[t * layer.H + k]) : null;
  const turned = before ? fed : fed && q.r * fed;
  const first = before ? q.r * h0 : (fed ?? 0);
  pipe(`${old},${y} ${old},180`, before ? h0 : first);
  pipe(`${old},180 ${old},258 ${add},258`, turned ?? 0);
  pipe(`${add},258 ${add},158`, q.n);
  pipe(`${add},158 ${add},${y}`, (1 - q.z) * q.n);
  pipe(`6,${y} ${mix},${y}`, h0);
  pipe(`${mix},${y} ${add},${y}`, q.z * h0);
  pipe(`${add},${y} 290,${y}`, q.h);
  svg(root, 'line', {
    x1: mix,
    y1: y,
    x2: add,
    y2: 158,
    stroke: tone.cat[HUE.z],
    'stroke-width': 3,
    'stroke-dasharray': '2 4',
    'stroke-linecap': 'round',
  });
  write(mix + 26, 168, 'one handle', 'soft');
  valve(mix, y, 'z', q.z, false);
  valve(add, 158, 'z', 1 - q.z, true);
  box(old, before ? 218 : 126, 'W');
  valve(old, before ? 146 : 184, 'r', q.r, true);
  join(add, y);
  box(add, 258, `n ${figure(q.n)}`, tone.cat[HUE.n]);
  tag(mix, y + 42, 'z', 'middle');
  write(
    add + 24,
    163,
    `1−z ${figure(1 - q.z)}`,
    held('z') ? 'mid mono second' : 'mid mono bold',
    'start',
  );
  tag(old + 25, before ? 151 : 189, 'r', 'start');
  beforeAndNow(write, 'h', h0, q.h);
  write((mix + add) / 2, y - 26, signed(q.z * h0), 'mono soft');
  write(add + 15, y + 40, figure((1 - q.z) * q.n), 'mono soft', 'start');
  if (turned !== null) write(old + 56, 246, signed(turned), 'mono soft', 'start');
  const state = [
    'h = (1 − z) · n + z · h before',
    `= ${times(1 - q.z, q.n)} + ${times(q.z, h0)} = ${figure(q.h)}`,
  ];
  if (fed === null) return [state];
  const x = layer.from_input[t * layer.wide + 2 * layer.H + u];
  const end = held('n')
    ? `n = ${figure(q.n)}, by hand`
    : before
      ? `= tanh(${plus(x, fed)}) = ${figure(q.n)}`
      : `= tanh(${figure(x)} + ${times(q.r, fed)}) = ${figure(q.n)}`;
  return [
    state,
    [
      before ? 'n = tanh(from input + W (r · h before))' : 'n = tanh(from input + r · W h before)',
      end,
    ],
  ];
}
// What W makes of the old state for unit u: of h, or of r h where the reset comes before.
function oldState(layer, h, u, reset) {
  return fedBack(layer, 2 * layer.H + u, layer.kind.before ? h.map((v, k) => reset(k) * v) : h);
}
function rnnCell({write, pipe, join, box, q, h0, h, u, t, layer}) {
  const y = 78;
  const W = 70;
  const add = 150;
  const relu = layer.kind.relu;
  const fed = layer.live ? fedBack(layer, u, h) : 0;
  const x = layer.live ? layer.from_input[t * layer.H + u] : 0;
  pipe(`${add},166 ${add},${y}`, x, layer.most);
  pipe(`6,${y} ${W},${y}`, h0, layer.most);
  pipe(`${W},${y} ${add},${y}`, fed, layer.most);
  pipe(`${add},${y} 218,${y}`, x + fed, layer.most);
  pipe(`218,${y} 290,${y}`, q.h, layer.most);
  box(W, y, 'W');
  join(add, y);
  box(222, y, relu ? 'relu' : 'tanh');
  box(add, 166, 'input');
  beforeAndNow(write, 'h', h0, q.h);
  write(150, 200, 'No valve: every step writes the state anew.', 'soft');
  if (!layer.live) return [];
  write(add + 16, 130, signed(x), 'mono soft', 'start');
  write((W + add) / 2 + 4, y - 26, signed(fed), 'mono soft');
  const f = relu ? 'relu' : 'tanh';
  return [[`h = ${f}(from input + W h before)`, `= ${f}(${plus(x, fed)}) = ${figure(q.h)}`]];
}
function beforeAndNow(write, name, before, now) {
  write(4, 37, 'before', 'soft', 'start');
  write(292, 37, 'now', 'soft', 'end');
  write(4, 53, `${name} ${figure(before)}`, 'mid mono', 'start');
  write(292, 53, `${name} ${figure(now)}`, 'mid mono bold', 'end');
}
// Where the gate's own value comes from.
function gateEquation({layer, u, t, h, q, held}, gate) {
  if (gate === 'n') return [];
  if (held(gate)) return [[`${gate} = ${figure(q[gate])}, by hand`]];
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
function legend({root, write, scales: {seq, div}, layer: {kind, most}}, y, change) {
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
    write(0, at + 11, names, 'bold', 'start');
    write(78, at + 11, number(low), 'mono soft', 'end');
    svg(root, 'image', {
      href: scale.band,
      x: 84,
      y: at,
      width: 110,
      height: 13,
      preserveAspectRatio: 'none',
    });
    write(202, at + 11, number(high), 'mono soft', 'start');
  });
  return y + 20 * bands.length;
}
