// The gates over time: a heat map for each row, the chosen unit's row enlarged, one cursor through
// all.

import {readable, signed, svg} from '../shared/base.js';
import {painted} from '../shared/pixels.js';
import {CALLED, HUE, signedRow} from './cells.js';
import {GATES, MEMORY, drawAnswers, drawLines, likeliest} from './lines.js';
import {END, GUTTER, clipped, ringed} from './marks.js';

/**
 * @typedef {Object} Plan one model's column in pixels, from its top and left
 * @property {number} cw across a step
 * @property {boolean} flat whether tokens fit without a slant
 * @property {number} strip the strip of all steps, 0 if all are in sight
 * @property {number} head the model's name, 0 if it is the only one
 * @property {number} top where the heat maps begin
 * @property {number} tall one of them, without the chosen unit's row; 0 of a single unit
 * @property {number} pitch from one to the next
 * @property {number} lines where the charts begin
 * @property {number} answers where the answers begin
 * @property {number} height of it all
 * @property {(t: number) => number} x where a step begins, from 0
 * @property {number} end where the last in sight ends
 */

const STRIP = 17;
const SLOPE = (55 * Math.PI) / 180;

// ---- colour: 0 to 1 on the sequential scale, signed values and changes on the diverging one
function shader({scales, show, hold, layer}, row) {
  const two = signedRow(row) || (show === 'change' && hold);
  const most = row === layer.kind.memory ? layer.most : 1;
  const {shades, inks, pixels} = two ? scales.div : scales.seq;
  const index = value =>
    Math.max(0, Math.min(64, Math.round(64 * (two ? (value / most + 1) / 2 : value))));
  return {
    pixel: value => pixels[index(value)],
    fill: value => shades[index(value)],
    ink: value => inks[index(value)],
  };
}
// What a row shows: recorded, with the hold, or the difference.
function seenRow({show, hold, layer, after}, row) {
  const before = layer.curves[row];
  const now = after[row];
  if (!hold || show === 'after') return i => now[i];
  return show === 'before' ? i => before[i] : i => now[i] - before[i];
}
// Steps from..from + n of all units, a pixel for each value; kept until something in it changes.
function heat(scene, row) {
  const {
    cache,
    pen,
    from,
    n,
    show,
    layer: {H},
    model,
  } = scene;
  const key = [model, row, from, n, show].join();
  if (!cache.has(key)) {
    const {pixel} = scene.shades[row];
    const value = seenRow(scene, row);
    const colours = new Uint32Array(n * H);
    for (let u = 0, at = 0; u < H; u++) {
      for (let k = 0; k < n; k++) colours[at++] = pixel(value((from + k) * H + u));
    }
    cache.set(key, painted(pen, colours, n));
  }
  return cache.get(key);
}

// ---- where everything stands; beside a cell with more rows, the last rows, lines and answers stay
// level
const tallOf = H => (H === 1 ? 0 : Math.max(32, Math.min(96, 4 * H)));
const pitchOf = H => Math.max(42, tallOf(H) + STRIP + 14);
/**
 * Pixels of a layer's heat maps, one below another.
 * @param {Layer} layer
 * @returns {number}
 */
export const heatHeight = ({kind, H}) => kind.rows.length * pitchOf(H);
/**
 * The plan of one model's column.
 * @param {Scene} scene
 * @param {number} answers how many labels have a row
 * @returns {Plan}
 */
export function plan(scene, answers) {
  const {W, n, layer, facts, measure, named, T, lower, from} = scene;
  const {H, kind} = layer;
  const cw = Math.min(96, (W - GUTTER - END) / n);
  const flat = facts.tokens.every(token => measure(readable(token), '700 14px') < cw - 4);
  const strip = n < T ? 34 : 0;
  const head = named ? 26 : 0;
  const pitch = pitchOf(H);
  const top = head + strip + (flat ? 30 : 74) + lower;
  const lines = top + kind.rows.length * pitch + 26;
  const charts = lines + MEMORY + (kind.holds ? 34 + GATES : 0) + 12;
  return {
    cw,
    flat,
    strip,
    head,
    tall: tallOf(H),
    top,
    pitch,
    lines,
    answers: charts + 30,
    height: answers ? charts + 30 + answers * 17 + 34 : charts,
    x: k => GUTTER + (k - from) * cw,
    end: GUTTER + n * cw,
  };
}
// ---- the whole column of one model; returns what lies under a point
/**
 * The whole column of one model: heat maps, lines and answers.
 * @param {Element} node
 * @param {Scene} given
 * @returns {(x: number, y: number) => {t?: number, u?: number}} the step under a point, and in the
 * heat maps the unit, both from 0
 */
export function drawMap(node, given) {
  const answers = given.labels.length ? likeliest(given) : [];
  const place = plan(given, answers.length);
  const rows = [...given.layer.kind.rows];
  const shades = Object.fromEntries(rows.map(row => [row, shader(given, row)]));
  const scene = {...given, place, shades};
  const {t, tone, W} = scene;
  const {cw, top, pitch, x, height} = place;
  const root = svg(null, 'svg', {viewBox: `0 0 ${W} ${height}`, 'aria-hidden': true});
  const y = place.head + place.strip + scene.lower;
  const column = {x: x(t), y, width: cw, height: height - y};
  svg(root, 'rect', {...column, fill: tone.focus, opacity: 0.13});
  drawNames(root, scene, place);
  if (place.strip) overview(root, scene, place);
  wordLabels(root, scene, place);
  rows.forEach((row, k) => heatRow(root, scene, row, top + k * pitch));
  ringed(root, x(t), top - 3, cw, rows.length * pitch - 8, tone.focus, tone);
  if (scene.hold) heldFrom(root, scene, place);
  drawLines(root, scene, place);
  if (answers.length) drawAnswers(root, scene, place, answers);
  node.replaceChildren(root);
  return (px, py) => underMap(scene, place, px, py);
}
// The model's name; where another has more rows, why this one has none there.
function drawNames(root, scene, {head, strip}) {
  const {named, focused, label, layer, W, measure, lower} = scene;
  if (named) {
    const name = clipped(`${label}: ${layer.H} units`, W - 10, measure, '700 14px');
    svg(root, 'text', {x: 0, y: 15, class: focused ? 'mid hot' : 'mid bold'}, name);
  }
  if (lower <= 60) return;
  const why = layer.kind.holds
    ? 'No cell of its own: the state is carried on.'
    : 'No gates: the state is written anew at every step.';
  svg(root, 'text', {x: 0, y: head + strip + lower / 2, class: 'soft'}, why);
}
// A step, and in the heat maps a unit; {} where neither lies.
function underMap({T, from, n, layer}, place, px, py) {
  const {cw, flat, strip, head, tall, top, pitch, end} = place;
  if (strip && py > head && py < head + 24) {
    const share = (px - GUTTER) / (end - GUTTER);
    return share < 0 || share > 1 ? {} : {t: Math.min(T - 1, Math.floor(share * T))};
  }
  if (px < 0 || px > end || py < head) return {};
  const slanted = py < top && !flat ? (py - top + 15) / Math.tan(SLOPE) : 0;
  const at = Math.floor((px + slanted - GUTTER) / cw);
  if (at < 0 || at >= n) return {};
  const row = Math.floor((py - top) / pitch);
  const inside = py - top - row * pitch;
  const u = tall ? Math.floor((inside / tall) * layer.H) : 0;
  const onUnit = row >= 0 && row < layer.kind.rows.length && u >= 0 && inside < tall;
  return onUnit ? {t: from + at, u} : {t: from + at};
}
function wordLabels(root, {facts, t, from, n, W, layer, measure, tone}, {top, cw, flat, x, end}) {
  const y = top - 15;
  for (let k = from; k < from + n; k++) {
    const at = x(k) + cw / 2;
    const on = k === t;
    const font = on ? '700 14px' : '400 12px';
    const attributes = {y, class: on ? 'mid hot' : '', style: 'unicode-bidi:isolate'};
    if (flat) {
      svg(root, 'text', {...attributes, x: at, 'text-anchor': 'middle'}, readable(facts.tokens[k]));
    } else {
      svg(
        root,
        'text',
        {...attributes, x: at + 4, transform: `rotate(-55 ${at + 4} ${y})`},
        clipped(facts.tokens[k], Math.min(70, (W - at - 8) / Math.cos(SLOPE)), measure, font),
      );
    }
  }
  svg(root, 'text', {x: 0, y: y + 1, class: 'soft'}, layer.reverse ? '← reads' : 'reads →');
  const [tail, tip] = layer.reverse ? [end, GUTTER] : [GUTTER, end];
  const way = Math.sign(tip - tail);
  svg(root, 'line', {
    x1: tail,
    x2: tip - 6 * way,
    y1: top - 6,
    y2: top - 6,
    stroke: tone.rule,
    'stroke-width': 2,
  });
  svg(root, 'path', {d: `M${tip} ${top - 6}l${-8 * way} -4v8z`, fill: tone.soft});
}
function heatRow(root, scene, row, y) {
  const {
    layer: {H},
    u,
    from,
    n,
    tone,
    measure,
  } = scene;
  const {cw, tall, x, end} = scene.place;
  const strip = y + tall + 3;
  const value = seenRow(scene, row);
  const {fill, ink} = scene.shades[row];
  svg(root, 'rect', {
    x: GUTTER - 10,
    y,
    width: 6,
    height: tall + 3 + STRIP,
    fill: tone.cat[HUE[row]],
  });
  svg(root, 'text', {x: 0, y: y + 16, class: 'letter'}, row);
  svg(root, 'text', {x: 0, y: y + 31, class: 'soft tiny'}, CALLED[row]);
  if (tall) {
    svg(root, 'image', {
      href: heat(scene, row),
      x: GUTTER,
      y,
      width: end - GUTTER,
      height: tall,
      preserveAspectRatio: 'none',
      style: tall >= H ? 'image-rendering: pixelated' : '',
    });
    const mark = y + ((u + 0.5) * tall) / H;
    svg(root, 'path', {d: `M${end + 3} ${mark}l9 -6v12z`, fill: tone.focus});
    svg(root, 'path', {
      d: `M${end + 10} ${mark}h6V${strip + STRIP / 2}H${end + 3}`,
      fill: 'none',
      stroke: tone.focus,
      'stroke-width': 1.5,
    });
    svg(root, 'text', {x: 0, y: strip + 13, class: 'hot tiny'}, `unit ${u + 1}`);
  }
  for (let k = from; k < from + n; k++) {
    const v = value(k * H + u);
    const text = signed(v).replace(/^(−?)0\./, '$1.');
    svg(root, 'rect', {x: x(k), y: strip, width: cw - 0.4, height: STRIP, fill: fill(v)});
    if (measure(text, '12px mono') < cw - 2) {
      svg(root, 'text', {x: x(k) + cw / 2, y: strip + 13, class: `value ${ink(v)}`}, text);
    }
  }
  ringed(root, GUTTER - 1, strip, end - GUTTER + 2, STRIP, tone.focus, tone, 2);
}
// All steps in one strip: the memory of the chosen unit, and which part is in sight.
function overview(root, scene, {head, end}) {
  const {T, t, from, n, tone, layer, u} = scene;
  const room = end - GUTTER;
  const {fill} = scene.shades[layer.kind.memory];
  const value = seenRow(scene, layer.kind.memory);
  svg(root, 'text', {x: 0, y: head + 16, class: 'soft'}, `${T} steps`);
  for (let k = 0; k < T; k++) {
    svg(root, 'rect', {
      x: GUTTER + (k / T) * room,
      y: head + 4,
      width: room / T + 0.3,
      height: 16,
      fill: fill(value(k * layer.H + u)),
    });
  }
  ringed(root, GUTTER + (from / T) * room, head + 2, (n / T) * room, 20, tone.ink, tone, 1.5);
  svg(root, 'rect', {
    x: GUTTER + ((t + 0.5) / T) * room - 1.5,
    y: head,
    width: 3,
    height: 24,
    fill: tone.focus,
  });
}
// Where the hold begins, and what it holds.
function heldFrom(root, scene, place) {
  const {hold, layer, from, n, tone} = scene;
  const {top, x, end, height} = place;
  const edge = Math.max(from, Math.min(from + n, hold.since + (layer.reverse ? 1 : 0)));
  const [x1, x2] = layer.reverse ? [GUTTER, x(edge)] : [x(edge), end];
  if (x2 - x1 > 1) {
    frameHeld(root, scene, place, x1, x2);
    nameHeld(root, scene, place, x1, x2);
  }
  if (hold.since < from || hold.since >= from + n) return;
  svg(root, 'line', {
    x1: x(edge),
    x2: x(edge),
    y1: top - 4,
    y2: height,
    stroke: tone.second,
    'stroke-width': 2.5,
    'stroke-dasharray': '6 3',
  });
}
const heldTop = ({hold, layer}, {top, pitch}) => top + layer.kind.rows.indexOf(hold.gate) * pitch;
// Around the gate of all units, or that of one.
function frameHeld(root, scene, place, x, end) {
  const {hold, layer, tone, u} = scene;
  const {tall} = place;
  const y = heldTop(scene, place);
  const one = hold.unit !== null;
  const frame = (y, height, width) =>
    svg(root, 'rect', {
      x,
      y,
      width: end - x,
      height,
      fill: 'none',
      stroke: tone.second,
      'stroke-width': width,
    });
  if (!one) frame(y - 1, tall + 4 + STRIP, 3);
  else if (hold.unit === u) frame(y + tall + 3, STRIP, 3);
  if (one && tall) frame(y + (hold.unit * tall) / layer.H - 1, tall / layer.H + 2, 2);
}
function nameHeld(root, scene, place, x, end) {
  const {hold, layer, tone, measure} = scene;
  const text = `${hold.gate} = ${signed(hold.value)} by hand`;
  const width = measure(text, '600 14px') + 14;
  const beside = layer.reverse ? end + 6 : x - width - 6;
  const at = end - x > width + 10 ? x + 7 : Math.max(GUTTER, beside);
  const y = heldTop(scene, place) + Math.max(0, place.tall / 2 - 12);
  const box = {x: at, y, width, height: 23, rx: 4};
  svg(root, 'rect', {...box, fill: tone.bg, stroke: tone.second});
  svg(root, 'text', {x: at + 7, y: y + 16, class: 'mid second'}, text);
}
