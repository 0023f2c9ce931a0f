// Draws the curves, and those of the setting before as ghosts.

import {readable, svg} from '../shared/base.js';
import {
  cut,
  directLabels,
  drawCursor,
  drawLine,
  drawMarks,
  drawPath,
  labelRows,
  trail,
  xAxis,
  yAxis,
} from '../shared/chart.js';
import {settingsRow, settingsText} from '../shared/settings.js';
import {curveLabels, curvesOf, ghostsOf, labelEnds, plan, stepUnder} from './scene.js';

function drawGhosts(root, plot, ghosts, tone) {
  for (const ghost of ghosts) {
    drawPath(root, trail(plot, ghost), {
      stroke: tone.soft,
      'stroke-width': 1.25,
      'stroke-dasharray': '2 4',
    });
  }
}
// The ghosts and the setting they belong to.
function drawGhostNote(root, {facts, before, measure}, {plot, head}) {
  const room = plot.width - measure(readable(facts.y)) - 24;
  const note = cut(`dotted: before, ${settingsText(facts, before.at)}`, room, measure, 160);
  svg(root, 'text', {x: plot.x1, y: head, class: 'second', 'text-anchor': 'end'}, note);
}
// What the steps are called and which settings hold; returns where the drawing ends.
function drawFoot(root, scene, {plot, foot, xTitle, settings}) {
  svg(root, 'text', {x: plot.x1, y: foot, class: 'soft', 'text-anchor': 'end'}, xTitle);
  return foot + 8 + settingsRow(root, scene, plot.x0, foot, settings);
}
/**
 * The whole sheet.
 * @param {Element} stage
 * @param {GridScene} scene
 * @returns {(x: number, y: number) => {step?: number}} the step under a point, from 0
 */
export function drawCurves(stage, scene) {
  const {W, point, t, tone, measure} = scene;
  const curves = curvesOf(point);
  const ghosts = ghostsOf(scene);
  const labels = curveLabels(scene);
  const looks = labels.map(({look}) => look);
  const place = plan({...scene, labels});
  const {plot, room} = place;
  const root = svg(stage, 'svg', {'aria-hidden': true});
  svg(root, 'text', {x: plot.x0, y: place.head, class: 'soft'}, place.yTitle);
  yAxis(root, plot, place.ticksAt, place.tick, tone, 'left');
  drawMarks(root, plot, place.marks, tone);
  if (ghosts) drawGhosts(root, plot, ghosts, tone);
  curves.forEach((curve, k) => drawLine(root, plot, curve, looks[k], tone));
  drawCursor(root, plot, t, curves, looks, tone);
  xAxis(root, plot, {tokens: point.tokens, t, room, W, measure, tone});
  const height = drawFoot(root, scene, place);
  root.setAttribute('viewBox', `0 0 ${W} ${height}`);
  root.setAttribute('height', height);
  if (ghosts) drawGhostNote(root, scene, place);
  if (place.narrow) labelRows(root, labels, W, 0, measure, tone);
  else directLabels(root, plot, labelEnds(labels, curves, plot), 'right', place.right, measure);
  return (x, y) => stepUnder(place, x, y);
}
