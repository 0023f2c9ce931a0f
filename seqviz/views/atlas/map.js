// The scatter of all heads by two scores.

import {ramp} from '../shared/colours.js';
import {placeLabels} from '../shared/place_labels.js';
import {scoreText} from './names.js';
import {box, dot, hit, rule, shown, word} from './strokes.js';

const [LEFT, TOP, BELOW, RADIUS] = [44, 24, 40, 5];
const [LINE, LEGEND] = [14, 13];
const EVENLY = 'weight spread evenly';

function axisRange(values) {
  const known = values.filter(value => !Number.isNaN(value));
  if (!known.length) return [0, 1];
  const [a, b] = [Math.min(...known), Math.max(...known)];
  const low = a < b * 0.35 ? 0 : a;
  const pad = (b - low) * 0.05 || 0.1;
  return [low === 0 ? -0.6 * pad : low - pad, b + pad];
}
function roundTicks(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(k => k * power).find(gap => gap >= rough * 0.999);
  const from = Math.ceil(low / step);
  const count = Math.floor(high / step) - from + 1;
  const places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return Array.from({length: count}, (_, k) => {
    const value = (from + k) * step;
    const text = value === 0 ? '0' : value.toFixed(places).replace(/^(-?)0\./, '$1.');
    return {value, text: text.replace('-', '−')};
  });
}
/**
 * Where the heads lie.
 * @param {Object} world `heads`, `x`, `y`, `plan`
 * @returns {Object} the plot, and `points` in the order of the heads, null of one without a score
 */
export function plotOf({heads, x, y, plan}) {
  const {w, h} = plan.main;
  const frame = {x0: LEFT, y0: TOP, x1: w - 8, y1: h - BELOW};
  const ends = score =>
    axisRange([...heads.list.map(({values}) => values[score]), heads.even[score]]);
  const [xs, ys] = [ends(x), ends(y)];
  const X = value => frame.x0 + ((value - xs[0]) / (xs[1] - xs[0])) * (frame.x1 - frame.x0);
  const Y = value => frame.y1 - ((value - ys[0]) / (ys[1] - ys[0])) * (frame.y1 - frame.y0);
  const points = heads.list.map(({i, values}) => {
    const at = {i, x: X(values[x]), y: Y(values[y])};
    return Number.isNaN(at.x + at.y) ? null : at;
  });
  return {...frame, xs, ys, X, Y, points};
}
function axesStrokes({heads, x, y, names, tone, measure}, plot) {
  const {x0, x1, y0, y1, xs, ys, X, Y} = plot;
  const line = {stroke: tone.rule};
  const title = (score, beside) =>
    measure(names.long(score), '700 12px') > x1 - beside ? names.short(score) : names.long(score);
  return [
    box(x0, y0, x1 - x0, y1 - y0, {fill: tone.panel, rx: 4}),
    ...roundTicks(...xs).flatMap(({value, text}) => [
      rule(X(value), y0, X(value), y1, line),
      word(X(value), y1 + 11, text, 'soft', 'middle'),
    ]),
    ...roundTicks(...ys).flatMap(({value, text}) => [
      rule(x0, Y(value), x1, Y(value), line),
      word(x0 - 6, Y(value), text, 'soft', 'end'),
    ]),
    word(0, 8, `↑ ${title(y, 170)}`, 'bold'),
    word(x1, y1 + 29, `${title(x, x0 + 120)} →`, 'bold', 'end'),
    ...evenStrokes(heads.even, {x, y, tone}, plot),
  ];
}
function evenStrokes(even, {x, y, tone}, {x0, x1, y0, y1, X, Y}) {
  const look = {stroke: tone.second, 'stroke-width': 1.4, 'stroke-dasharray': '4 3'};
  return [
    ...(Number.isNaN(even[x]) ? [] : [rule(X(even[x]), y0, X(even[x]), y1, look)]),
    ...(Number.isNaN(even[y]) ? [] : [rule(x0, Y(even[y]), x1, Y(even[y]), look)]),
  ];
}
// The name of the dashed lines, where it lies on no dot: at an end of one of them.
function evenLabel({heads, x, y, measure}, {x0, x1, y0, y1, X, Y}, taken) {
  const w = measure(EVENLY) + 4;
  const clear = ([a, b]) =>
    a > x0 && a + w < x1 && b > y0 && b + LINE < y1
      ? taken.every(([l, t, r, u]) => a + w < l || a > r || b + LINE < t || b > u)
      : false;
  const across = Y(heads.even[y]);
  const up = X(heads.even[x]);
  const places = [];
  for (let a = x1 - w - 4; a > x0; a -= 12) places.push([a, across - LINE - 1], [a, across + 2]);
  for (let b = y0 + 4; b < y1; b += 10) places.push([up + 3, b], [up - w - 3, b]);
  return places.find(clear) ?? null;
}
const labelled = new WeakMap(); // the names that stand on the map of some heads
function dotStrokes(world, plot) {
  const {heads, lit, tone, measure} = world;
  const places = plot.points.filter(Boolean);
  const taken = places.map(({x, y}) => [x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS, 1]);
  const at = evenLabel(world, plot, taken);
  const evenly = at ? [word(at[0] + 2, at[1] + LINE / 2, EVENLY, 'second')] : [];
  if (at) taken.push([at[0], at[1], at[0] + measure(EVENLY) + 4, at[1] + LINE, 1]);
  const free = ({x, y}) =>
    Math.min(...places.map(q => (q.x === x && q.y === y ? 1e9 : Math.hypot(q.x - x, q.y - y))));
  const wanted = places
    .filter(({i}) => !lit || lit.has(i))
    .map(point => ({...point, r: RADIUS, text: heads.list[point.i].name, font: '12px', height: 12}))
    .map(point => ({...point, free: free(point)}))
    .sort((a, b) => b.free - a.free);
  const frame = {left: plot.x0, right: plot.x1, top: plot.y0, bottom: plot.y1};
  const labels = placeLabels(wanted, taken, frame, measure);
  labelled.set(heads, new Set(labels.map(({text}) => text)));
  const {layers} = heads;
  const depth = layer => layers.indexOf(layer) / Math.max(1, layers.length - 1);
  const dots = [...places].sort((a, b) => Boolean(lit?.has(a.i)) - Boolean(lit?.has(b.i)));
  return {
    named: labels.length,
    strokes: [
      ...dots.map(({i, x, y}) =>
        dot(x, y, RADIUS, {
          fill: ramp(tone.seq, shown(depth(heads.list[i].layer))),
          stroke: tone.soft,
          opacity: !lit || lit.has(i) ? 1 : 0.22,
        }),
      ),
      ...evenly,
      ...labels.map(({text, box: [a, b]}) => word(a, b + 6, text, 'halo')),
    ],
  };
}
function legendStrokes({heads, tone}, {x1}, measure) {
  const {layers} = heads;
  const cell = Math.min(LEGEND, 100 / layers.length);
  const end = x1 - measure(String(layers.at(-1))) - 6;
  const from = end - cell * layers.length;
  return [
    word(from - 6, 8, `layer ${layers[0]}`, 'soft', 'end'),
    ...layers.map((_, k) =>
      box(from + k * cell, 3, cell - 1, 10, {
        fill: ramp(tone.seq, shown(k / Math.max(1, layers.length - 1))),
        stroke: tone.rule,
      }),
    ),
    word(end + 6, 8, layers.at(-1), 'soft'),
  ];
}
/**
 * The map as a pane.
 * @param {Object} world
 * @returns {{width: number, height: number, groups: Group[], plot: Object}}
 */
export function mapScene(world) {
  const {heads, over, tone, measure, plan, lit} = world;
  const plot = plotOf(world);
  const key = JSON.stringify([world.x, world.y, plan.main, tone.bg, lit && [...lit]]);
  const make = () => {
    const {named, strokes} = dotStrokes(world, plot);
    const said = `${named} of ${lit ? lit.size : heads.count} named`;
    return {
      strokes: [
        ...axesStrokes(world, plot),
        ...legendStrokes(world, plot, measure),
        ...strokes,
        word(plot.x0, plot.y1 + 29, said, 'soft'),
      ],
      hits: plot.points
        .filter(Boolean)
        .map(({i, x, y}) => hit(x - 8, y - 8, 16, 16, {head: heads.list[i].name})),
    };
  };
  const point = over?.head ? plot.points[heads.byName.get(over.head).i] : null;
  const focus = () => ({strokes: point ? focusStrokes(point, over.head, plot, world) : []});
  const groups = [
    {name: 'map', key, make},
    {name: 'focus', key: key + over?.head, make: focus},
  ];
  return {width: plan.main.w, height: plan.main.h, groups, plot};
}
function focusStrokes({x, y}, name, {x1}, {tone, measure, heads}) {
  const ring = dot(x, y, RADIUS + 3, {fill: 'none', stroke: tone.focus, 'stroke-width': 2.4});
  if (labelled.get(heads)?.has(name)) return [ring];
  const wide = measure(name, '700 12px');
  const left = x + 10 + wide > x1;
  return [ring, word(left ? x - 11 : x + 11, y, name, 'hot halo', left ? 'end' : 'start')];
}
/** The two scores of a head, for the line under the map. */
export const bothScores = ({values}, {x, y, names}) =>
  [x, y].map(score => `${names.long(score)} ${scoreText(values[score])}`).join(' · ');
