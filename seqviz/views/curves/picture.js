// Draws the curves, and those of the setting before as ghosts.

import {drawCursor, drawLine, drawMarks, trail} from '../shared/chart.js';
import {drawLabels, drawSteps, drawValues, stepUnder} from '../shared/line_chart.js';
import {drawPath, textAt} from '../shared/marks.js';
import {put, svg} from '../shared/nodes.js';
import {settingsText} from '../shared/settings.js';
import {cutTo, readable} from '../shared/texts.js';
import {curveLabels, curvePlan, curvesOf, ghostsOf} from './scene.js';

function drawGhosts(root, ghosts, {facts, before, tone, measure}, {plot, head}) {
  const dotted = {stroke: tone.soft, 'stroke-width': 1.25, 'stroke-dasharray': '2 4'};
  for (const ghost of ghosts) drawPath(root, trail(plot, ghost), dotted);
  if (!ghosts.length) return;
  const room = plot.width - measure(readable(facts.y)) - 24;
  const note = cutTo(`dotted: before, ${settingsText(facts, before.at)}`, room, measure);
  textAt(root, plot.x1, head, note, 'second', 'end');
}
/**
 * The whole sheet.
 * @param {Element} stage
 * @param {GridScene} scene
 * @returns {(x: number, y: number) => {step?: number}} the step under a point, from 0
 */
export function drawCurves(stage, scene) {
  const {W, t, tone} = scene;
  const curves = curvesOf(scene.point);
  const labels = curveLabels(scene);
  const looks = labels.map(({look}) => look);
  const place = curvePlan({...scene, labels});
  const {plot} = place;
  const root = svg(stage, 'svg', {'aria-hidden': true});
  drawValues(root, scene, place);
  drawMarks(root, plot, place.marks, tone);
  drawGhosts(root, ghostsOf(scene), scene, place);
  curves.forEach((curve, k) => drawLine(root, plot, curve, looks[k], tone));
  drawCursor(root, plot, t, curves, looks, tone);
  const height = drawSteps(root, scene, place);
  put(null, root, {viewBox: `0 0 ${W} ${height}`, height});
  drawLabels(root, labels, curves, scene, place);
  return (x, y) => stepUnder(place, x, y);
}
