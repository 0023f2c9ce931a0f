// The slider through the checkpoints of one model, and under it the weight in focus at each.

import {html, svg} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {label} from './labels.js';
import {blank, END, MIDDLE, write} from './panes.js';
import {weight} from './weights.js';

const MOMENT = {left: 132, right: 96, thumb: 8, top: 8, high: 44, axis: 18};

const momentText = label => (typeof label === 'number' ? `step ${label}` : readable(label));
/**
 * A checkpoint inside a sentence: `step 100`, `checkpoint final`.
 * @param {number | string} label
 * @returns {string}
 */
export const momentName = label =>
  typeof label === 'number' ? momentText(label) : `checkpoint ${readable(label)}`;

// ---- the scene: a point stands under the thumb of the slider, as high as its weight
function momentScene({labels, moment, courses, width, measure}) {
  const {left, right, thumb, top, high} = MOMENT;
  const from = left + thumb;
  const to = width - right - thumb;
  const x = at => from + ((to - from) * at) / Math.max(1, labels.length - 1);
  const lines = (courses ?? []).map(({weights, query, key}) => ({
    name: `${label(query, 7)} → ${label(key, 7)}`,
    value: weight(weights[moment]),
    points: weights.map((v, at) => ({x: x(at), y: top + high * (1 - v), here: at === moment})),
  }));
  const note = courses?.length === 0 ? 'A curve is of one cell of one head.' : '';
  const ticks = momentTicks(labels, moment, x, measure);
  return {width, from, to, here: x(moment), lines, note, ticks};
}
// The labels that there is room for: the one in focus, the ends, then from the first on.
function momentTicks(labels, moment, x, measure) {
  const order = new Set([moment, 0, labels.length - 1, ...labels.keys()]);
  const placed = [];
  for (const at of order) {
    const text = readable(String(labels[at]), 10);
    const half = measure(text, '700 12px') / 2 + 4;
    const clear = placed.every(one => Math.abs(one.x - x(at)) >= half + one.half);
    if (clear) placed.push({x: x(at), text, half, here: at === moment});
  }
  return placed;
}

// ---- the picture
function drawMoments(node, {width, from, to, here, lines, note, ticks}, colours, tone) {
  const {left, top, high, axis} = MOMENT;
  const bottom = top + high;
  blank(node, width, bottom + axis);
  for (const [y, text] of [
    [top, '1'],
    [bottom, '0'],
  ]) {
    svg(node, 'line', {x1: from - 8, x2: to + 8, y1: y, y2: y, stroke: tone.rule});
    write(node, text, 'soft', {x: left - 6, y: y + 4, ...END});
  }
  svg(node, 'line', {x1: here, x2: here, y1: 0, y2: bottom + 3, stroke: tone.soft});
  for (const tick of ticks) {
    write(node, tick.text, tick.here ? 'strong' : 'soft', {x: tick.x, y: bottom + 15, ...MIDDLE});
  }
  if (note) write(node, note, 'soft', {x: left + 8, y: top + high / 2 + 4});
  if (lines.length === 1) write(node, 'weight', 'soft', {x: 0, y: top + 30});
  lines.forEach((line, k) => {
    drawCourse(node, line.points, colours[k], tone);
    const y = top + 12 + 20 * k;
    const own = k ? 'second' : 'plain';
    write(node, line.name, `mid ${own}`, {x: 0, y});
    write(node, line.value, `large ${own}`, {x: width, y, ...END});
  });
}
function drawCourse(node, points, stroke, tone) {
  const path = points.map(({x, y}) => `${x} ${y}`).join('L');
  svg(node, 'path', {d: `M${path}`, fill: 'none', stroke, 'stroke-width': 2});
  for (const {x, y, here} of points) {
    const look = {fill: stroke, stroke: tone.bg, 'stroke-width': 1.5};
    svg(node, 'circle', {cx: x, cy: y, r: here ? 5 : 2.5, ...look});
  }
}

// ---- the pane: a row with the slider, which no saved picture has, and the curve
/**
 * Makes room for the slider and the curve.
 * @param {Element} stage
 * @returns {{row: Element, curve: SVGElement}}
 */
export function momentPane(stage) {
  const node = html(stage, 'div', {class: 'moments'});
  const columns = `grid-template-columns: ${MOMENT.left}px minmax(0, 1fr) ${MOMENT.right}px`;
  const row = html(node, 'div', {class: 'bar', style: columns});
  return {row, curve: svg(node, 'svg', {'aria-hidden': true})};
}
/**
 * Puts the slider into its row; one place for each checkpoint.
 * @param {{row: Element, curve: SVGElement}} pane
 * @param {Facts} facts
 * @param {(changes: {checkpoint: number | string}) => void} set
 * @returns {(scene: Scene, width: number) => void} shows where it stands, and draws the `courses`
 */
export function momentSlider({row, curve}, {checkpoints: labels}, set) {
  html(row, 'span', {'aria-hidden': true}, 'Checkpoint');
  const slider = html(row, 'input', {
    type: 'range',
    min: 0,
    max: labels.length - 1,
    step: 1,
    'aria-label': 'Checkpoint',
  });
  const output = html(row, 'output', {'aria-live': 'off'});
  slider.addEventListener('input', () => set({checkpoint: labels[slider.value]}));
  return ({moment, courses, measure, tone, accent}, width) => {
    const scene = momentScene({labels, moment, courses, width, measure});
    const text = momentText(labels[moment]);
    slider.value = moment;
    slider.setAttribute(
      'aria-valuetext',
      [text, ...scene.lines.map(({value}) => `weight ${value}`)].join(', '),
    );
    output.textContent = text;
    drawMoments(curve, scene, [accent, tone.second], tone);
  };
}
