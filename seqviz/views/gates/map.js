// The stage: words and answers on top, which are the effect, under them the gates, which are the
// cause; one cursor through all.

import {freshSheet, ringed} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {drawBlock} from './block.js';
import {drawHeld, holdEdge} from './held.js';
import {drawLine} from './line.js';
import {drawOverview} from './overview.js';
import {GUTTER, ROW} from './plan.js';
import {drawRows} from './rows.js';
import {drawAnswers, drawWords, slanted, standUpright} from './words.js';

/**
 * The stage of the model in focus.
 * @param {Element} node
 * @param {Scene} scene
 */
export function drawMap(node, scene) {
  const {place, t, tone, layer} = scene;
  const {W, height, cw, block, pitch, rows, line, lineHeight} = place;
  const root = freshSheet(node, W, height);
  const x = place.x(t);
  const y = place.answers - 4;
  const column = {x, y, width: cw, height: line + lineHeight - y};
  svg(root, 'rect', {...column, fill: tone.focus, opacity: 0.15});
  drawWords(root, scene);
  drawAnswers(root, scene);
  drawBlock(root, scene);
  drawRows(root, scene);
  const ring = {x, width: cw - 1, rx: 1.5};
  ringed(root, {...ring, y: block, height: pitch * layer.H - 1}, tone.focus, tone);
  const tall = layer.kind.rows.length * ROW - 2;
  ringed(root, {...ring, y: rows, height: tall}, tone.focus, tone);
  drawLine(root, scene);
  if (scene.hold) drawHeld(root, scene);
  if (place.n < place.T) drawOverview(root, scene);
}
/**
 * What lies under a point of the stage.
 * @param {Scene} scene
 * @param {number} px pixels
 * @param {number} py
 * @returns {{t?: number, u?: number, row?: string, edge?: boolean, share?: number}} a step and in
 * the block a unit, both from 0; a row by its name; the handle of the hold; in the strip of all
 * steps, where
 */
export function under(scene, px, py) {
  const {place, units, layer, hold, facts, measure} = scene;
  const {n, T, from, cw, end, answers, block, pitch, rows, overview} = place;
  if (n < T && py > overview - 5) {
    return {share: Math.max(0, Math.min(1, (px - GUTTER) / (end - GUTTER)))};
  }
  const onHandle = Math.abs(py - answers + 3) < 11;
  if (hold && onHandle && Math.abs(px - holdEdge(scene)) < 11) return {edge: true, ...step(px)};
  const k = Math.floor((py - rows) / ROW);
  if (px < GUTTER) return k >= 0 && k < layer.kind.rows.length ? {row: layer.kind.rows[k]} : {};
  const flat = standUpright(facts.tokens, cw, measure);
  const at = py < answers && !flat ? px - slanted(answers - py) : px;
  const u = units[Math.floor((py - block) / pitch)];
  const found = step(at);
  return u === undefined || py < block ? found : {...found, u};

  function step(x) {
    const t = from + Math.floor((x - GUTTER) / cw);
    return t >= from && t < from + n ? {t} : {};
  }
}
