// Draws the scene of a race. What is computed is filled; what the chosen output reads has thick
// lines.

import {svg} from '../shared/base.js';
import {cut, xAxis} from '../shared/chart.js';
import {raceScene} from './scene.js';

const raceLine = ({from, to}) =>
  `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;

function drawRaceEdges(root, edges, tone) {
  const draw = (reached, look) => {
    const d = edges
      .filter(edge => edge.reached === reached)
      .map(raceLine)
      .join('');
    svg(root, 'path', {d, fill: 'none', ...look});
  };
  draw(false, {stroke: tone.soft, 'stroke-width': 1, opacity: edges.length > 150 ? 0.22 : 0.4});
  draw(true, {stroke: tone.focus, 'stroke-width': 1.75});
}
function drawRaceNodes(root, {nodes, radius}, tone) {
  for (const {x, y, state, reached, chosen} of nodes) {
    const filled = {input: tone.soft, done: tone.cat[0], now: tone.cat[0], waiting: tone.bg}[state];
    svg(root, 'circle', {
      cx: x,
      cy: y,
      r: radius,
      fill: filled,
      stroke: reached ? tone.focus : tone.soft,
      'stroke-width': reached ? 2 : 1,
    });
    if (state === 'now') {
      svg(root, 'circle', {
        cx: x,
        cy: y,
        r: radius + 2.5,
        fill: 'none',
        stroke: tone.ink,
        'stroke-width': 1.5,
      });
    }
    if (chosen) {
      const r = radius + 5;
      svg(root, 'rect', {
        x: x - r,
        y: y - r,
        width: 2 * r,
        height: 2 * r,
        fill: 'none',
        stroke: tone.focus,
        'stroke-width': 2,
      });
    }
  }
}
function drawRaceText(root, {x, y, name, notes}, width, measure) {
  svg(
    root,
    'text',
    {x, y, class: 'strong'},
    cut(name, width, text => measure(text, '700 12px')),
  );
  notes.forEach((note, k) => {
    svg(root, 'text', {x, y: y + 16 * (k + 1), class: k ? 'soft' : ''}, cut(note, width, measure));
  });
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
  const root = svg(stage, 'svg', {'aria-hidden': true});
  for (const lane of scene.lanes) {
    drawRaceEdges(root, lane.edges, tone);
    drawRaceNodes(root, lane, tone);
    drawRaceText(root, lane.text, scene.width, measure);
  }
  const below = {...plot, y1: plot.y1 + 8};
  xAxis(root, below, {tokens: null, t, room: {height: 20}, W, measure, tone});
  root.setAttribute('viewBox', `0 0 ${W} ${scene.total}`);
  root.setAttribute('height', scene.total);
  const inside = (x, y) => x >= plot.x0 - 4 && x <= plot.x1 && y < scene.total;
  return (x, y) => (inside(x, y) ? {step: plot.stepAt(x)} : {});
}
