// The chart of the unit under the text: height and the strip of colour say the same, so the axis is
// the legend.

import {textAt} from '../shared/marks.js';
import {put, svg} from '../shared/nodes.js';
import {readable, signed} from '../shared/texts.js';
import {limited} from './scene.js';
import {number, unitLabel} from './sentence.js';

const HEIGHT = 132;
const PLOT = {left: 70, top: 24, foot: 104};
const BANDS = 40;

/** What the chart shows of the tokens in sight, and where. */
export function chartOf({reading, values, unit, scale, t}, [from, to], width) {
  const {low, limit} = scale;
  const {left, top, foot} = PLOT;
  const y = value => foot - ((value - low) / (limit - low)) * (foot - top);
  const pitch = (width - left - 8) / (to - from);
  const x = k => left + (k - from + 0.5) * pitch;
  const all = to - from === reading.T;
  const ends = scale.signed ? [-limit, 0, limit] : [0, limit];
  const tickText = value => (Math.abs(value) <= 1 ? signed(value, 0) : number(value));
  const line = Array.from(
    values.slice(from, to),
    (value, k) => `${x(from + k).toFixed(1)} ${y(value).toFixed(1)}`,
  );
  const token = t >= from && t < to ? readable(reading.tokens[t], 5) : null;
  return {
    width,
    title: unitLabel(reading, unit, 18),
    note: `${reading.kind}s ${from + 1} to ${to}${all ? '' : ` of ${reading.T}`}`,
    ticks: ends.map(value => ({y: y(value), text: tickText(value)})),
    line: `M${line.join('L')}`,
    weight: pitch > 4 ? 1.8 : 1.2,
    cursor: token === null ? null : {x: x(t), y: y(values[t]), token},
    /** The token at a place along the chart, null left of it. */
    tokenAt: place =>
      place < left - 8 ? null : limited(from + Math.floor((place - left) / pitch), from, to - 1),
  };
}
export function drawChart(node, chart, {scale, fill, tone}) {
  const {width, title, note, ticks, line, weight, cursor} = chart;
  node.replaceChildren();
  put(null, node, {height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`});
  const heading = textAt(node, 0, 12, title, 'text strong');
  svg(heading, 'tspan', {class: 'soft', 'font-weight': 400}, `  ${note}`);
  drawStrip(node, scale, fill);
  for (const {y, text} of ticks) {
    svg(node, 'line', {x1: PLOT.left, x2: width, y1: y, y2: y, stroke: tone.rule});
    textAt(node, PLOT.left - 19, y + 4, text, 'mono soft', 'end');
  }
  const pen = {fill: 'none', stroke: tone.soft, 'stroke-width': weight};
  svg(node, 'path', {d: line, ...pen, 'stroke-linejoin': 'round'});
  if (cursor) drawCursor(node, cursor, width, tone);
}
function drawStrip(node, {low, limit}, fill) {
  const tall = (PLOT.foot - PLOT.top) / BANDS;
  for (let k = 0; k < BANDS; k++) {
    const box = {x: PLOT.left - 14, y: PLOT.foot - (k + 1) * tall, width: 10, height: tall + 0.5};
    svg(node, 'rect', {...box, fill: fill(low + ((k + 0.5) / BANDS) * (limit - low))});
  }
}
function drawCursor(node, {x, y, token}, width, {focus, bg}) {
  const dashes = {'stroke-width': 1.5, 'stroke-dasharray': '4 3'};
  svg(node, 'line', {x1: x, x2: x, y1: PLOT.top - 4, y2: PLOT.foot + 4, stroke: focus, ...dashes});
  svg(node, 'circle', {cx: x, cy: y, r: 5, fill: focus, stroke: bg, 'stroke-width': 2});
  textAt(node, Math.min(width - 24, x), PLOT.foot + 22, token, 'token focus', 'middle');
}
