// Where the chart stands, and the panels of the matrices; what lies under a point.

import {powers, powerText} from '../shared/axes.js';
import {lookOf} from '../shared/chart.js';
import {chartPlan, stepUnder} from '../shared/line_chart.js';
import {cut, figures} from '../shared/texts.js';

const BOLD = '700 12px';
const MONO = '12px mono';
const PANEL = {head: 22, gap: 48, bars: 78, foot: 10, apart: 28};

/**
 * Panels stand beside the chart where there is room, else below it.
 * @param {FlowScene & {labels: LabelEntry[]}} scene
 * @returns {{panels: Object, chart: Object}}
 */
export function plan(scene) {
  const {W, flows} = scene;
  const count = flows.filter(({sigma}) => sigma.length).length;
  const panels = panelPlan(W, count);
  const below = count && !panels.width; // they want what is high, too
  return {panels, chart: chartPlanOf(scene, W - panels.width, below ? null : scene.tall)};
}
// `width` is what the panels take from the chart; `place` is where one of them begins.
function panelPlan(W, count) {
  const beside = (count === 1 && W >= 700) || (count === 2 && W >= 900);
  const inARow = Math.min(count || 1, W < 600 ? 2 : 4);
  const below = Math.min(190, (W - 16) / inARow - PANEL.apart);
  const size = beside ? (count === 1 ? 190 : 164) : below;
  const pitch = size + PANEL.apart;
  const width = beside ? count * pitch + 8 : 0;
  const height = PANEL.head + size + PANEL.gap + PANEL.bars + PANEL.foot;
  const columns = Math.max(1, Math.floor((W - 8) / pitch));
  const row = n => Math.floor(n / columns) * (height + 20);
  const place = (n, chartHeight) =>
    beside
      ? {x: W - width + 20 + n * pitch, y: 8}
      : {x: 8 + (n % columns) * pitch, y: chartHeight + 16 + row(n)};
  return {size, width, height, place};
}
// Rows that the words of the fit take from a narrow plot.
const ownRow = width => (width < 380 ? 1 : 0);
function chartPlanOf(scene, W, tall) {
  const narrow = W < 520;
  const at = powers(...rangeOf(scene), narrow ? 5 : 7);
  const titles = width => ({
    x: narrow ? '← back through time' : '← the gradient flows back through time',
    y: 'norm of the gradient',
    rows: ownRow(width),
  });
  const values = {axis: 'right', at, text: powerText, low: at[0], high: at.at(-1)};
  const place = chartPlan({...scene, W, tall}, {...values, narrow, least: 230, titles});
  return {...place, fitLine: place.head + 17 * ownRow(place.plot.width)};
}
// The axis of all numbers of the settings at these words; see values.py.
function rangeOf({facts, at, point}) {
  const words = facts.choices.map(({name}) => at[name]).filter(value => typeof value === 'string');
  return facts.ranges[[point.T, ...words].join('\n')];
}
const bandsOf = ({x0, x1, X, pitch}, lost) =>
  lost.map(([first, last]) => ({
    from: Math.max(x0, X(first) - pitch / 2),
    to: Math.min(x1, X(last) + pitch / 2),
  }));
/**
 * Where no gradient arrives: bands of the model in focus, with words in those that have room for
 * them, and among several models a lane for each that loses it.
 * @param {FlowScene} scene
 * @param {Object} plot of chart.js
 * @returns {{bands: Object[], lanes: Object[], notes: Object[]}}
 */
export function lostPlan({flows, flow, measure}, plot) {
  const words = 'no gradient reaches here';
  const width = measure(words, BOLD) + 16;
  const bands = bandsOf(plot, flow.lost);
  const losing = flows.length > 1 ? flows.filter(({lost}) => lost.length) : [];
  const lanes = losing.map(({k, lost}, n) => ({
    k,
    y: plot.y1 - 6 - 9 * n,
    bands: bandsOf(plot, lost),
  }));
  const notes = bands
    .filter(({from, to}) => width < to - from)
    .map(({from, to}) => ({x: from + (to - from) / 2, words, width}));
  return {bands, lanes, notes};
}
/**
 * What a panel shows of a matrix, and where.
 * @param {Flow} flow
 * @param {{x: number, y: number}} corner
 * @param {{size: number, height: number}} panels of the plan
 * @param {FlowScene} scene
 * @returns {Flow & Object}
 */
export function panelOf(flow, {x, y}, {size, height}, {facts, model, tone, measure}) {
  const below = y + PANEL.head + size;
  const top = figures(flow.sigma[0]);
  const fits = name => measure(name) + measure(top, MONO) + 12 < size;
  const names = ['largest singular value', 'top singular value', 'singular value'];
  return {
    ...flow,
    x,
    y,
    size,
    height,
    focus: flow.name === model,
    look: lookOf(tone, flow.k),
    title: cut(flow.name, size - 20, text => measure(text, BOLD)),
    cx: x + size / 2,
    cy: y + PANEL.head + size / 2,
    unit: (size / 2 - 8) / (facts.radius * 1.04), // pixels of an eigenvalue of 1
    numbers: [
      {y: below + 12, name: 'spectral radius', text: figures(flow.radius)},
      {y: below + 29, name: names.find(fits) ?? names.at(-1), text: top},
    ],
    base: below + PANEL.gap + PANEL.bars,
    tall: (PANEL.bars - 6) / facts.top, // pixels of a singular value of 1
  };
}

// ---- what lies under a point
/**
 * The model whose panel lies under a point.
 * @param {Object[]} panels
 * @param {number} x
 * @param {number} y
 * @returns {{model: string} | undefined}
 */
export function panelUnder(panels, x, y) {
  const within = panel => x >= panel.x - 8 && x < panel.x + panel.size + 8;
  const found = panels.find(one => within(one) && y >= one.y && y < one.y + one.height);
  return found && {model: found.name};
}
/**
 * The step under a point, and the model if its line is near: that in focus if none is nearer.
 * @param {Object} chart of the plan
 * @param {FlowScene} scene
 * @param {number} x
 * @param {number} y
 * @returns {{step?: number, model?: string}}
 */
export function flowUnder(chart, {flows, flow}, x, y) {
  const {step} = stepUnder(chart, x, y);
  if (step === undefined) return {};
  const away = ({logs}) => Math.abs(chart.plot.Y(logs[step]) - y);
  const nearer = (best, other) => (away(other) < away(best) - 0.5 ? other : best);
  const nearest = flows.reduce(nearer, flow);
  return away(nearest) < 12 ? {step, model: nearest.name} : {step};
}
