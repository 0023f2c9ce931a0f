// Draws the scene of a race. What is computed is filled; what the chosen output reads has thick
// lines.

import {xAxis} from '../shared/axes.js';
import {sheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {cut} from '../shared/texts.js';
import {raceScene} from './scene.js';

const raceLine = ({from, to}) =>
  `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;

function drawRaceEdges(root, edges, tone) {
  const draw = (reached, look) => {
    const drawn = edges.filter(edge => edge.reached === reached);
    svg(root, 'path', {d: drawn.map(raceLine).join(''), fill: 'none', ...look});
  };
  draw(false, {stroke: tone.soft, 'stroke-width': 1, opacity: edges.length > 150 ? 0.22 : 0.4});
  draw(true, {stroke: tone.focus, 'stroke-width': 1.75});
}
function drawRaceNodes(root, {nodes, radius}, tone) {
  const fills = {input: tone.soft, done: tone.cat[0], now: tone.cat[0], waiting: tone.bg};
  for (const {x: cx, y: cy, state, reached, chosen} of nodes) {
    const stroke = reached ? tone.focus : tone.soft;
    const line = {stroke, 'stroke-width': reached ? 2 : 1};
    svg(root, 'circle', {cx, cy, r: radius, fill: fills[state], ...line});
    if (state === 'now') {
      const ring = {fill: 'none', stroke: tone.ink, 'stroke-width': 1.5};
      svg(root, 'circle', {cx, cy, r: radius + 2.5, ...ring});
    }
    if (chosen) {
      const r = radius + 5;
      const box = {x: cx - r, y: cy - r, width: 2 * r, height: 2 * r};
      svg(root, 'rect', {...box, fill: 'none', stroke: tone.focus, 'stroke-width': 2});
    }
  }
}
function drawRaceText(root, {x, y, name, notes}, width, measure) {
  const bold = text => measure(text, '700 12px');
  textAt(root, x, y, cut(name, width, bold), 'strong');
  notes.forEach((note, k) =>
    textAt(root, x, y + 16 * (k + 1), cut(note, width, measure), k ? 'soft' : ''),
  );
}
/**
 * All lanes under each other, and an axis of positions.
 * @param {Element} stage
 * @param {RaceScene} scene
 * @returns {(x: number, y: number) => {step?: number}} the position under a point, from 0
 */
export function drawRace(stage, {t, tick, W, tone, measure, lanes}) {
  const scene = raceScene({lanes, t, tick, W});
  const {plot} = scene;
  const root = sheet(stage, W, scene.total);
  for (const lane of scene.lanes) {
    drawRaceEdges(root, lane.edges, tone);
    drawRaceNodes(root, lane, tone);
    drawRaceText(root, lane.text, scene.width, measure);
  }
  xAxis(
    root,
    {...plot, y1: plot.y1 + 8},
    {tokens: null, t, room: {height: 20}, free: [0, W], measure, tone},
  );
  const inside = (x, y) => x >= plot.x0 - 4 && x <= plot.x1 && y < scene.total;
  return (x, y) => (inside(x, y) ? {step: plot.stepAt(x)} : {});
}
