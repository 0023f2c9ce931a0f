// Under the heat maps, on the same axis: one unit as lines, and what the model answers at each
// step.

import {share, signed, svg} from '../shared/base.js';
import {HUE, signedRow} from './cells.js';
import {GUTTER, clipped, ringed} from './marks.js';

/** Pixels down the chart of the memory. */
export const MEMORY = 86;
/** Pixels down the chart of the gates. */
export const GATES = 74; // heights of the two charts
/**
 * The chosen unit's memory, before and with a hold, and below it its gates.
 * @param {Element} root
 * @param {Scene} scene
 * @param {Plan} place
 */
export function drawLines(root, scene, place) {
  const {
    layer: {kind, H, curves},
    after,
    hold,
    u,
    from,
    n,
    show,
  } = scene;
  const {memory} = kind;
  const now = hold && show === 'before' ? curves : after;
  const states = memory === 'c' ? ['c', 'h'] : ['h'];
  const inSight = Array.from({length: n}, (_, k) => (from + k) * H + u);
  const high = inSight.reduce(
    (high, i) => Math.max(high, Math.abs(now[memory][i]), Math.abs(curves[memory][i])),
    1,
  );
  svg(root, 'text', {x: 0, y: place.lines - 8, class: 'mid hot'}, `unit ${u + 1}`);
  const words = `${memory === 'c' ? 'c thick, h thin' : 'state h'}${hold ? ', dashed: before the hold' : ''}`;
  chart(root, scene, place, {
    y0: place.lines,
    height: MEMORY,
    low: -high,
    high,
    rows: states,
    now,
    words,
  });
  if (kind.holds) {
    chart(root, scene, place, {
      y0: place.lines + MEMORY + 34,
      height: GATES,
      low: [...kind.holds].some(signedRow) ? -1 : 0,
      high: 1,
      rows: [...kind.holds],
      now,
      words: 'gates',
    });
  }
}
function chart(root, scene, {cw, x, end}, {y0, height, low, high, rows, now, words}) {
  const {layer, hold, u, from, n} = scene;
  const y = v => y0 + (height * (high - v)) / (high - low);
  const axes = {cw, end, mid: k => x(k) + cw / 2, y, at: (values, k) => y(values[k * layer.H + u])};
  const path = values =>
    Array.from({length: n}, (_, k) => {
      const point = `${axes.mid(from + k).toFixed(1)} ${axes.at(values, from + k).toFixed(1)}`;
      return `${k ? 'L' : 'M'}${point}`;
    }).join('');
  svg(root, 'text', {x: GUTTER, y: y0 - 8, class: 'soft halo'}, words);
  for (const v of [low, 0, high]) drawLevel(root, scene, axes, v);
  const before = hold && rows.includes(layer.kind.memory);
  if (before) drawBefore(root, scene, path(layer.curves[layer.kind.memory]));
  const last = [...rows].sort((a, b) => lineWidth(scene, a) - lineWidth(scene, b));
  for (const row of last) drawRow(root, scene, axes, row, now[row], path(now[row]));
  drawLetters(root, scene, axes, rows, now, y0 + height + 4);
}
function lineWidth({layer, hold}, row) {
  if (row === layer.kind.memory) return 4.5;
  return hold?.gate === row ? 3.5 : 2;
}
function drawLevel(root, {tone}, {y, end}, v) {
  const line = {x1: GUTTER, x2: end, y1: y(v), y2: y(v)};
  svg(root, 'line', {...line, stroke: tone.rule, 'stroke-width': v ? 1 : 2});
  const place = {x: GUTTER - 14, y: y(v) + 4, 'text-anchor': 'end', class: 'soft mono'};
  svg(root, 'text', place, signed(v, Number.isInteger(v) ? 0 : 1));
}
const stroked = (root, d, stroke, width, more = {}) =>
  svg(root, 'path', {
    d,
    fill: 'none',
    stroke,
    'stroke-width': width,
    'stroke-linejoin': 'round',
    ...more,
  });
function drawBefore(root, {layer, tone}, d) {
  stroked(root, d, tone.cat[HUE[layer.kind.memory]], 3, {'stroke-dasharray': '5 4'});
}
// One row as a line, with a dot at the cursor.
function drawRow(root, scene, axes, row, values, d) {
  const {layer, tone, t} = scene;
  const memory = row === layer.kind.memory;
  if (memory) stroked(root, d, tone.bg, 8);
  stroked(root, d, tone.cat[HUE[row]], lineWidth(scene, row));
  svg(root, 'circle', {
    cx: axes.mid(t),
    cy: axes.at(values, t),
    r: memory ? 6 : 4,
    fill: tone.cat[HUE[row]],
    stroke: tone.bg,
    'stroke-width': 1.5,
  });
}
// A letter at the end of each line, pushed apart.
function drawLetters(root, scene, {at, end}, rows, now, lowest) {
  const last = scene.from + scene.n - 1;
  const labels = rows.map(row => ({row, y: at(now[row], last)})).sort((a, b) => a.y - b.y);
  labels.forEach((label, k) => {
    if (k) label.y = Math.max(label.y, labels[k - 1].y + 15);
  });
  const over = Math.max(0, labels.at(-1).y - lowest);
  for (const label of labels) {
    const y = label.y - over;
    svg(root, 'line', {
      x1: end + 3,
      x2: end + 13,
      y1: y,
      y2: y,
      stroke: scene.tone.cat[HUE[label.row]],
      'stroke-width': lineWidth(scene, label.row),
    });
    svg(root, 'text', {x: end + 17, y: y + 5, class: 'mid bold'}, label.row);
  }
}

// ---- the answers: a row for each label, its probability as colour; right or wrong below
/**
 * Six labels at most: those that reach the highest probability at any step, in their own order.
 * @param {Model} model
 * @returns {number[]} which labels, from 0
 */
export function likeliest({answers, answersAfter, labels}) {
  const best = k => Math.max(...answers.map(({p}) => p[k]), ...answersAfter.map(({p}) => p[k]));
  return labels
    .map((_, k) => k)
    .sort((a, b) => best(b) - best(a))
    .slice(0, 6)
    .sort((a, b) => a - b);
}
/**
 * A row of probabilities for each label, and under them whether the answer is right.
 * @param {Element} root
 * @param {Scene} scene
 * @param {Plan} place
 * @param {number[]} rows which labels, from 0
 */
export function drawAnswers(root, scene, place, rows) {
  const {answers, answersAfter, labels, facts, hold, show, from, n, tone} = scene;
  const {cw, x, answers: y0} = place;
  const now = hold && show !== 'before' ? answersAfter : answers;
  const some = rows.length < labels.length ? `, ${rows.length} of ${labels.length}` : '';
  const note = {x: GUTTER, y: y0 - 8, class: 'soft halo'};
  svg(root, 'text', {x: 0, y: y0 - 8, class: 'mid bold'}, 'answer');
  svg(root, 'text', note, `probability of each label${some}`);
  rows.forEach((label, k) => drawAnswer(root, scene, place, {label, now, y: y0 + k * 17}));
  const y = y0 + rows.length * 17 + 14;
  facts.targets.forEach((target, k) => {
    if (target === null || k < from || k >= from + n) return;
    judged(root, x(k) + cw / 2, y, Math.min(8, cw / 2 - 1.5), labels[now[k].best] === target, tone);
  });
  if (facts.targets.some(target => target !== null)) {
    svg(root, 'text', {x: GUTTER - 14, y: y + 4, 'text-anchor': 'end', class: 'soft'}, 'right?');
  }
}
// One label at every step; a ring where the hold changes the answer to it.
function drawAnswer(root, scene, {cw, x}, {label, now, y}) {
  const {answers, answersAfter, labels, hold, from, n, tone, measure, t} = scene;
  const {seq} = scene.scales;
  const on = now[t].best === label;
  const place = {x: GUTTER - 14, y: y + 12, 'text-anchor': 'end', class: on ? 'hot' : ''};
  const font = on ? '700 12px' : '12px';
  svg(root, 'text', place, clipped(labels[label], GUTTER - 16, measure, font));
  for (let k = from; k < from + n; k++) {
    const p = now[k].p[label];
    const shade = Math.round(58 * p);
    svg(root, 'rect', {
      x: x(k) + 0.7,
      y: y + 0.7,
      width: cw - 1.4,
      height: 15,
      rx: 2,
      fill: seq.shades[shade],
      stroke: tone.rule,
      'stroke-width': 0.5,
    });
    if (measure(share(p), '12px mono') < cw - 4) {
      const middle = {x: x(k) + cw / 2, y: y + 12.5, class: `value ${seq.inks[shade]}`};
      svg(root, 'text', middle, share(p));
    }
    const changed = hold && answers[k].best !== answersAfter[k].best;
    if (changed && now[k].best === label) {
      ringed(root, x(k) + 1, y + 1, cw - 2, 14.5, tone.second, tone, 3);
    }
  }
}
// Right: a ring with a tick. Wrong: a filled diamond with a cross.
function judged(root, x, y, r, right, tone) {
  if (right) {
    svg(root, 'circle', {cx: x, cy: y, r, fill: 'none', stroke: tone.ink, 'stroke-width': 1.5});
  } else {
    svg(root, 'path', {
      d: `M${x} ${y - r * 1.4}l${r * 1.4} ${r * 1.4}l${-r * 1.4} ${r * 1.4}l${-r * 1.4} ${-r * 1.4}z`,
      fill: tone.wrong,
    });
  }
  const s = r / 2;
  svg(
    root,
    'path',
    right
      ? {
          d: `M${x - s} ${y}l${s * 0.8} ${s * 0.8}l${s * 1.2} ${-s * 1.6}`,
          fill: 'none',
          stroke: tone.ink,
          'stroke-width': 2,
        }
      : {
          d: `M${x - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}`,
          stroke: tone.bg,
          'stroke-width': 2,
        },
  );
}
