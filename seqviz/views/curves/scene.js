// The curves as numbers and strings: what the labels say, and where axes, marks and titles stand.

import {
  cut,
  labelRows,
  labelWidth,
  lookOf,
  markRows,
  plotOf,
  tickText,
  ticks,
  tokenRoom,
} from '../shared/chart.js';
import {valueText} from './sentence.js';

const NARROW = 600; // pixels below which the labels stand over the plot

/**
 * @typedef {Object} CurveLabel
 * @property {string} name
 * @property {{colour: string, dash: string, k: number}} look
 * @property {[string, string][]} more what stands below the name, each with its class
 */

/**
 * The curves of a point.
 * @param {GridPoint} point
 * @returns {Float32Array[]} NaN where there is no value
 */
export const curvesOf = point => point.models.map(([curve]) => curve);
/**
 * The curves of the setting before, which stay as ghosts if they are as long.
 * @param {GridScene} scene `point` and `before` are read
 * @returns {Float32Array[] | null}
 */
export const ghostsOf = ({point, before}) =>
  before && before.point.T === point.T ? curvesOf(before.point) : null;
/**
 * Each curve's label: its value at the cursor, and what it was before.
 * @param {GridScene} scene
 * @returns {CurveLabel[]}
 */
export function curveLabels({facts, point, before, t, tone}) {
  const ghosts = ghostsOf({point, before});
  return curvesOf(point).map((curve, k) => {
    const value = valueText(curve[t], facts.places);
    const was = ghosts ? valueText(ghosts[k][t], facts.places) : value;
    return {
      name: facts.models[k],
      look: lookOf(tone, k),
      more: [[value, 'hot'], ...(was === value ? [] : [[`was ${was}`, 'second']])],
    };
  });
}
/**
 * The plan: where everything stands around the plot.
 * @param {GridScene & {labels: CurveLabel[]}} scene
 * @returns {Object} the plot, its ticks and their texts, `right` and `room` for the labels and the
 * tokens, the rows of the marks, the lines `head` and `foot` of the titles, room for the settings
 */
export function plan({W, tall, facts, point, labels, measure}) {
  const narrow = W < NARROW;
  const {at: ticksAt, gap} = ticks(...facts.range, narrow ? 5 : 7);
  const [low, high] = facts.fixed ? facts.range : [ticksAt[0], ticksAt.at(-1)];
  const tick = v => tickText(v, gap);
  const left = 14 + Math.max(...ticksAt.map(v => measure(tick(v), '12px mono')));
  const right = narrow ? 10 : labelWidth(labels, measure, 150);
  const width = W - left - right;
  const legend = narrow ? labelRows(null, labels, W, 0, measure).height : 0;
  const room = tokenRoom(point.tokens, (width - 20) / Math.max(1, point.T - 1), measure);
  const least = narrow ? 220 : 300;
  const plotOver = (y0, height) => plotOf({x0: left, y0, width, height, T: point.T, low, high});
  const marks = markRows(point.marks, plotOver(0, least), measure);
  const over = legend + 28 + 17 * Math.max(0, ...marks.map(({row}) => row + 1));
  const plot = plotOver(over, tall ? Math.max(220, tall - over - room.height - 44) : least);
  const xTitle = cut(facts.x, width / 2, measure);
  return {
    narrow,
    plot,
    ticksAt,
    tick,
    right,
    room,
    marks,
    head: legend + 12,
    foot: plot.y1 + room.height + 18,
    xTitle,
    yTitle: cut(facts.y, width, measure),
    settings: width - measure(xTitle) - 16, // pixels for their words beside the title
  };
}
/**
 * Where each label's curve ends, and whether that is at the edge of the plot.
 * @param {CurveLabel[]} labels
 * @param {Float32Array[]} curves
 * @param {Object} plot of chart.js
 * @returns {(CurveLabel & {joined: boolean, y: number})[]}
 */
export function labelEnds(labels, curves, {T, low, high, y1, Y}) {
  return labels.map((label, k) => {
    const last = curves[k].findLastIndex(Number.isFinite);
    const y = last < 0 ? y1 : Y(Math.max(low, Math.min(high, curves[k][last])));
    return {...label, joined: last === T - 1, y};
  });
}
/**
 * The step under a point of the drawing.
 * @param {Object} place the plan
 * @param {number} x
 * @param {number} y
 * @returns {{step?: number}}
 */
export function stepUnder({plot, room}, x, y) {
  const inside = x >= plot.x0 && x <= plot.x1 && y >= plot.y0 - 20 && y <= plot.y1 + room.height;
  return inside ? {step: plot.stepAt(x)} : {};
}
