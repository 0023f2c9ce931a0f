// The curves as numbers and strings: what is said of them, and where everything stands.

import {ticks, tickText} from '../shared/axes.js';
import {lookOf} from '../shared/chart.js';
import {chartPlan} from '../shared/line_chart.js';
import {phrase} from '../shared/nodes.js';
import {cut, decimals, figures, readable} from '../shared/texts.js';

const NARROW = 600; // pixels below which the labels stand over the plot

/** Decimals that tell a thousandth of the axis; null if only powers of ten are short. */
function placesOf([low, high]) {
  const span = high - low;
  return span >= 1e-3 && span <= 1e4 ? Math.max(0, 3 - Math.ceil(Math.log10(span))) : null;
}
/**
 * A value with as many places as the axis needs: 0.001 beside 0.224.
 * @param {number} value NaN for none
 * @param {[number, number]} range
 * @returns {string}
 */
export function valueText(value, range) {
  if (Number.isNaN(value)) return 'no value';
  const places = placesOf(range);
  return places === null ? figures(value) : decimals(value, places);
}
/**
 * The curves of a point.
 * @param {GridPoint} point
 * @returns {Float32Array[]} NaN where there is no value
 */
export const curvesOf = point => point.models.map(([curve]) => curve);
/**
 * The curves of the setting before, which stay as ghosts if they are as long.
 * @param {GridScene} scene `point` and `before` are read
 * @returns {Float32Array[]} none if nothing stays
 */
export const ghostsOf = ({point, before}) =>
  before?.point.T === point.T ? curvesOf(before.point) : [];
/**
 * The value of each curve at the cursor.
 * @param {GridScene} scene
 * @returns {(string | Object)[]} pieces for say()
 */
export function curveSentence({facts, point, t}) {
  const token = point.tokens ? phrase`, ${{i: readable(point.tokens[t])}}` : '';
  const value = curve => ({b: valueText(curve[t], facts.range)});
  const named = (curve, k) => phrase`${k ? ', ' : ''}${readable(facts.models[k])} ${value(curve)}`;
  return phrase`At ${readable(facts.x)} ${t + 1}${token}: ${curvesOf(point).flatMap(named)}.`;
}
/** Each curve's label: its value at the cursor, and what it was before. */
export function curveLabels(scene) {
  const {facts, point, t, tone} = scene;
  const ghosts = ghostsOf(scene);
  return curvesOf(point).map((curve, k) => {
    const value = valueText(curve[t], facts.range);
    const was = ghosts.length ? valueText(ghosts[k][t], facts.range) : value;
    return {
      name: facts.models[k],
      look: lookOf(tone, k),
      more: [[value, 'hot'], ...(was === value ? [] : [[`was ${was}`, 'second']])],
    };
  });
}
/**
 * Where everything stands; the axis ends at round numbers or at the caller's bounds.
 * @param {GridScene & {labels: LabelEntry[]}} scene
 * @returns {Object} of chartPlan()
 */
export function curvePlan(scene) {
  const {W, facts, measure} = scene;
  const narrow = W < NARROW;
  const {at, gap} = ticks(...facts.range, narrow ? 5 : 7);
  const [low, high] = facts.fixed ? facts.range : [at[0], at.at(-1)];
  const text = v => tickText(v, gap);
  const titles = width => ({x: cut(facts.x, width / 2, measure), y: cut(facts.y, width, measure)});
  return chartPlan(scene, {axis: 'left', at, text, low, high, narrow, least: 220, titles});
}
