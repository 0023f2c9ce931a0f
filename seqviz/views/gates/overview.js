// A text longer than the window: all its steps in one strip, the open row of the unit, wrong
// answers, and which part is in sight.

import {ringed, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {GUTTER} from './plan.js';
import {seenAnswers} from './scene.js';
import {seenRow, shader} from './shades.js';

const STRIPE = 9;
const WRONG = 5;

/**
 * The strip under the line.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawOverview(root, scene) {
  const {place, layer, u, t, tone, row, facts} = scene;
  const {T, from, n, end, overview: y} = place;
  const pitch = (end - GUTTER) / T;
  const {fill} = shader(scene, row);
  const value = seenRow(scene, row);
  const track = scene.tracks.find(({focused}) => focused);
  textAt(root, 0, y + 10, `all ${T}`, 'soft');
  for (let k = 0; k < T; k++) {
    const x = GUTTER + k * pitch;
    const cell = {x, y, width: pitch + 0.3, height: STRIPE};
    svg(root, 'rect', {...cell, fill: fill(value(k * layer.H + u))});
    const target = facts.targets[k];
    const asked = track && target !== null;
    if (asked && track.labels[seenAnswers(track)[k].best] !== target) {
      const mark = {x, y: y + STRIPE + 1, width: Math.max(2, pitch), height: WRONG};
      svg(root, 'rect', {...mark, fill: tone.wrong});
    }
  }
  const box = {x: GUTTER + from * pitch, y: y - 1, width: n * pitch, rx: 1.5};
  ringed(root, {...box, height: STRIPE + WRONG + 3}, tone.ink, tone);
  const cursor = {x: GUTTER + (t + 0.5) * pitch - 1.25, y: y - 4, width: 2.5, height: 22};
  svg(root, 'rect', {...cursor, fill: tone.focus});
}
