// A chart of lines over steps: where its parts stand, and what all such charts draw around their
// lines.

import {tokenRoom, xAxis, yAxis} from './axes.js';
import {markRows, plotOf} from './chart.js';
import {directLabels, labelRows, labelWidth} from './line_labels.js';
import {textAt} from './marks.js';
import {settingsRow} from './settings.js';

/**
 * @typedef {Object} ChartKind
 * @property {'left' | 'right'} axis the side of the values; the labels stand on the other one
 * @property {number[]} at ticks of the values
 * @property {(value: number) => string} text of a tick
 * @property {number} low the value at the lower edge
 * @property {number} high
 * @property {boolean} narrow whether the labels stand over the plot
 * @property {number} least pixels that the plot is high in a window, on a narrow page
 * @property {(width: number) => {x: string, y: string, rows?: number}} titles as a plot of that
 * width has room for them, and how many rows of text it has over it beside those of the marks
 */

/**
 * Where everything stands around the plot.
 * @param {GridScene & {labels: LabelEntry[]}} scene
 * @param {ChartKind} kind
 * @returns {ChartKind & Object} also the plot, `side`, the pixels for labels beside it, `room` for
 * the tokens, the rows of the marks, the lines `head` and `foot` of the titles, pixels for settings
 */
export function chartPlan({W, tall, point, labels, measure}, kind) {
  const {axis, at, text, low, high, narrow} = kind;
  const ticked = 14 + Math.max(...at.map(v => measure(text(v), '12px mono')));
  const side = narrow ? 10 : labelWidth(labels, measure, 150);
  const width = W - ticked - side;
  const least = narrow ? kind.least : 300;
  const legend = narrow ? labelRows(null, labels, W, measure).height : 0;
  const room = tokenRoom(point.tokens, (width - 20) / Math.max(1, point.T - 1), measure);
  const x0 = axis === 'left' ? ticked : side;
  const plotOver = (y0, height) => plotOf({x0, y0, width, height, T: point.T, low, high});
  const marks = markRows(point.marks, plotOver(0, least), measure);
  const {x, y, rows = 0} = kind.titles(width);
  const over = legend + 28 + 17 * (Math.max(0, ...marks.map(({row}) => row + 1)) + rows);
  const plot = plotOver(over, tall ? Math.max(kind.least, tall - over - room.height - 44) : least);
  return {
    ...kind,
    W,
    plot,
    side,
    room,
    marks,
    head: legend + 12,
    foot: plot.y1 + room.height + 18,
    xTitle: x,
    yTitle: y,
    settings: width - measure(x) - 16, // pixels for their words beside the title
  };
}
/** Draws what lies under the lines: the title of the values and their axis. */
export function drawValues(root, {tone}, {plot, axis, at, text, head, yTitle}) {
  const [x, anchor] = axis === 'left' ? [plot.x0, 'start'] : [plot.x1, 'end'];
  textAt(root, x, head, yTitle, 'soft', anchor);
  yAxis(root, plot, at, text, tone, axis);
}
/**
 * Draws the axis of the steps, its title and the settings.
 * @returns {number} pixels down to the end of the drawing
 */
export function drawSteps(root, {facts, at, point, t, measure, tone}, place) {
  const {W, axis, narrow, plot, room, foot, xTitle, settings} = place;
  // tokens leave the labels of the lines their side
  const free = narrow ? [0, W] : axis === 'left' ? [0, plot.x1 + 30] : [plot.x0 - 30, W];
  xAxis(root, plot, {tokens: point.tokens, t, room, free, measure, tone});
  textAt(root, plot.x1, foot, xTitle, 'soft', 'end');
  return foot + 8 + settingsRow(root, {facts, at, W, measure}, plot.x0, foot, settings);
}
/**
 * The labels, each with the height at which its line meets their side, and whether it gets there.
 * @param {LabelEntry[]} labels
 * @param {ArrayLike<number>[]} lines
 * @param {Object} place the plan
 * @returns {(LabelEntry & {joined: boolean, y: number})[]}
 */
export function labelEnds(labels, lines, {axis, plot: {T, low, high, y1, Y}}) {
  return labels.map((label, k) => {
    const line = lines[k];
    const right = axis === 'left';
    const end = right ? line.findLastIndex(Number.isFinite) : line.findIndex(Number.isFinite);
    const y = end < 0 ? y1 : Y(Math.max(low, Math.min(high, line[end])));
    return {...label, joined: end === (right ? T - 1 : 0), y};
  });
}
/**
 * Draws the labels where their lines end, or over a narrow plot.
 * @returns {(x: number, y: number) => number | undefined} whose label lies under a point
 */
export function drawLabels(root, labels, lines, {measure, tone}, place) {
  if (place.narrow) return labelRows(root, labels, place.W, measure, tone).hit;
  const {plot, axis, side} = place;
  const ends = labelEnds(labels, lines, place);
  return directLabels(root, plot, ends, axis === 'left' ? 'right' : 'left', side, measure);
}
/**
 * The step under a point over the plot, its marks or its tokens.
 * @param {Object} place the plan
 * @param {number} x
 * @param {number} y
 * @returns {{step?: number}} from 0
 */
export function stepUnder({plot, room}, x, y) {
  const inside = x >= plot.x0 && x <= plot.x1 && y >= plot.y0 - 20 && y <= plot.y1 + room.height;
  return inside ? {step: plot.stepAt(x)} : {};
}
