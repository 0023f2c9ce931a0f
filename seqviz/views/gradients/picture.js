// Draws the gradients: the chart, and a panel for each matrix beside or below it.

import {drawnBeneath} from '../shared/beneath.js';
import {drawCursor, drawLine, drawMarks, lookOf, trail} from '../shared/chart.js';
import {drawLabels, drawSteps, drawValues} from '../shared/line_chart.js';
import {drawPath, slantedLines, textAt} from '../shared/marks.js';
import {put, svg} from '../shared/nodes.js';
import {flowUnder, lostPlan, panelOf, panelUnder, plan} from './plan.js';
import {gradientLabels, referenceOf} from './scene.js';
import {fitText} from './sentence.js';
import {drawSpectrum} from './spectrum.js';

/**
 * The chart and the panels.
 * @param {Element} stage
 * @param {FlowScene} scene
 * @returns {(x: number, y: number) => {step?: number, model?: string}} what lies under a point
 */
export function drawGradients(stage, scene) {
  const {W, flows, tone} = scene;
  const labels = gradientLabels(scene);
  const {chart, panels} = plan({...scene, labels});
  const root = svg(stage, 'svg', {'aria-hidden': true});
  const {height, under} = drawChart(root, {...scene, labels}, chart);
  const drawn = flows
    .filter(({sigma}) => sigma.length)
    .map((flow, n) => panelOf(flow, panels.place(n, height), panels, scene));
  const total = Math.max(height, ...drawn.map(panel => panel.y + panel.height + 4));
  const end = panels.width ? total : height;
  put(null, root, {viewBox: `0 0 ${W} ${end}`, height: end});
  const ground = end < total ? drawnBeneath(stage, W, end, total) : root;
  for (const panel of drawn) drawSpectrum(ground, panel, tone);
  return (x, y) => panelUnder(drawn, x, y) ?? under(x, y);
}
function drawChart(root, scene, place) {
  const {flows, flow, t, tone, labels} = scene;
  const {plot} = place;
  const {bands, lanes, notes} = lostPlan(scene, plot);
  if (flow.fit) drawFit(root, plot, flow.fit, place.fitLine, tone);
  drawValues(root, scene, place);
  for (const {from, to} of bands) {
    const d = slantedLines({x: from, y: plot.y0, width: to - from, height: plot.height}, 9);
    svg(root, 'path', {d, fill: 'none', stroke: tone.soft, opacity: 0.45});
  }
  for (const lane of lanes) drawLane(root, lane, tone);
  drawMarks(root, plot, place.marks, tone);
  drawLines(root, plot, scene);
  const looks = labels.map(({look}) => look);
  const lines = flows.map(({logs}) => logs);
  drawCursor(root, plot, t, lines, looks, tone);
  for (const note of notes) drawNote(root, plot, note, tone);
  const height = drawSteps(root, scene, place);
  const labelUnder = drawLabels(root, labels, lines, scene, place);
  const under = (x, y) => {
    const k = labelUnder(x, y);
    return k === undefined ? flowUnder(place, scene, x, y) : {model: flows[k].name};
  };
  return {height, under};
}
// The steps that the factor is fitted to.
function drawFit(root, {x0, y0, X}, fit, y, tone) {
  textAt(root, x0, y, fitText(fit), 'soft');
  const d = `M${X(fit.start)} ${y0 + 8}v-6H${X(fit.end)}v6`;
  drawPath(root, d, {stroke: tone.soft, 'stroke-width': 1.5, 'stroke-linejoin': 'miter'});
}
function drawLane(root, {k, y, bands}, tone) {
  const look = {stroke: lookOf(tone, k).colour, 'stroke-width': 6, 'stroke-dasharray': '2 3'};
  for (const {from, to} of bands) drawPath(root, `M${from} ${y}H${to}`, look);
}
// The wide line of the model in focus lies below: lines that agree are both seen.
function drawLines(root, plot, {flows, flow, labels, tone}) {
  const ordered = [flow, ...flows.filter(other => other !== flow)];
  for (const {k, logs} of ordered) {
    const {look, strong} = labels[k];
    drawLine(root, plot, logs, look, tone, strong);
  }
  const dots = {'stroke-width': 2, 'stroke-dasharray': '0.1 8', 'stroke-linecap': 'round'};
  for (const other of flows.length < 3 ? ordered : [flow]) {
    const values = referenceOf(other);
    const stroke = other === flow ? tone.ink : tone.soft;
    if (values) drawPath(root, trail(plot, values), {...dots, stroke});
  }
}
function drawNote(root, plot, {x, words, width}, tone) {
  const y = plot.y0 + plot.height / 2;
  const box = {x: x - width / 2, y: y - 12, width, height: 24};
  svg(root, 'rect', {...box, fill: tone.bg, rx: 4});
  textAt(root, x, y + 4, words, 'strong', 'middle');
}
