// The hypotheses that are finished, ranked: drawn into the stage; returns what lies under a point.

import {svg} from '../shared/nodes.js';
import {cut, signed} from '../shared/texts.js';
import {drawMark} from './picture.js';
import {normalised, pathTo, rankedNodes} from './search.js';
import {pathText} from './sentence.js';

/**
 * @typedef {Object} RankingLine a hypothesis
 * @property {number} node its last
 * @property {number} rank from 0
 * @property {boolean} focus whether it is the path in focus
 * @property {boolean} onPath whether it lies on that path
 * @property {boolean} greedy
 * @property {number} moved places that the penalty moved it up; down if below 0
 * @property {string} length tokens
 * @property {string} score
 * @property {string} value what it is ranked by
 */

const TOP = 54;
const LINE = 26;
const MOST_LINES = 6;
const BOLD = '700 14px';

/**
 * The list as numbers and strings: its title, its columns and a line for each hypothesis.
 * @param {Scene} scene
 * @returns {{title: string, done: boolean, most: number, more: number, columns: string[],
 * lines: RankingLine[]}} `done` if these are finished; room for `most` lines, `more` have none
 */
export function rankingOf({W, tree, step, penalty, ranked, path, greedy}) {
  const done = Boolean(ranked.length && tree.finished[ranked[0]]);
  const formula = penalty ? `score / length^${signed(penalty)}` : 'score';
  const nothing =
    step < tree.T
      ? 'Nothing is finished yet'
      : `Nothing is finished; what stays, ranked by ${formula}`;
  const most = Math.min(MOST_LINES, rankedNodes(tree, tree.T, 0).length);
  const plain = rankedNodes(tree, step, 0);
  const lines = ranked.slice(0, most).map((node, rank) => ({
    node,
    rank,
    focus: node === path.end,
    onPath: path.nodes.has(node),
    greedy: greedy.has(node),
    moved: plain.indexOf(node) - rank,
    length: String(tree.step[node]),
    score: signed(tree.score[node]),
    value: signed(normalised(tree, node, penalty)),
  }));
  return {
    title: done ? `Finished, ranked by ${formula}` : nothing,
    done,
    most,
    more: ranked.length - lines.length,
    columns: W < 420 ? ['value'] : ['length', 'score', 'value'],
    lines,
  };
}
/**
 * The list, as high as it will be at the last step.
 * @param {Element} stage
 * @param {Scene} scene
 * @returns {(x: number, y: number) => {node?: number}} what lies under a point
 */
export function drawRanking(stage, scene) {
  const {W, tone, measure} = scene;
  const {title, most, more, columns, lines, done} = rankingOf(scene);
  const height = TOP + LINE * most + 20;
  const root = svg(stage, 'svg', {viewBox: `0 0 ${W} ${height}`, height, 'aria-hidden': true});
  const right = {length: W - 194, score: W - 128, value: W - 48, moved: W - 6};
  const heading = cut(title, W, text => measure(text, BOLD), 80);
  svg(root, 'line', {x1: 0, x2: W, y1: 1, y2: 1, stroke: tone.rule});
  svg(root, 'text', {x: 0, y: 24, class: 'token bold'}, heading);
  if (!lines.length) return () => ({});
  for (const name of columns) {
    const place = {x: right[name], y: 46, 'text-anchor': 'end', class: 'soft'};
    svg(root, 'text', place, name === 'value' ? 'ranked by' : name);
  }
  for (const line of lines) drawHypothesis(root, scene, {line, right, columns, done});
  if (more > 0) {
    const y = TOP + LINE * most + 15;
    svg(root, 'text', {x: 32, y, class: 'soft'}, `and ${more} more`);
  }
  return (x, y) => {
    const line = lines[Math.floor((y - TOP) / LINE)];
    return line ? {node: line.node} : {};
  };
}
function drawHypothesis(root, scene, {line, right, columns, done}) {
  const {W, tone, tree, measure} = scene;
  const y = TOP + LINE * line.rank;
  const base = y + 18;
  const tagged = line.greedy && W > 600;
  const room = right[columns[0]] - 84 - (tagged ? 60 : 0);
  if (line.focus) {
    const band = {x: 0, y, width: W, height: LINE, rx: 4};
    svg(root, 'rect', {...band, fill: tone.focus, opacity: 0.13});
  }
  if (done) {
    const {rank, onPath: path, greedy} = line;
    drawMark(root, 14, y + LINE / 2, {kept: true, ended: true, rank, path, greedy, tone});
  } else {
    const place = {x: 14, y: base, 'text-anchor': 'middle', class: 'mono'};
    svg(root, 'text', place, String(line.rank + 1));
  }
  const wide = text => measure(text, BOLD);
  const fits = text => wide(`… ${text}`) <= room;
  const words = cut(pathText(scene, pathTo(tree, line.node), fits), room, wide, 200);
  svg(root, 'text', {x: 32, y: base, class: line.rank ? 'token' : 'token bold'}, words);
  const end = (x, text, kind) =>
    svg(root, 'text', {x, y: base, 'text-anchor': 'end', class: kind}, text);
  if (tagged) end(32 + room + 60, 'greedy', 'second');
  for (const name of columns) {
    end(right[name], line[name], name === 'value' ? 'mono bold' : 'mono soft');
  }
  const {moved} = line;
  if (moved) end(right.moved, `${moved > 0 ? '▲' : '▼'}${Math.abs(moved)}`, 'mono second');
}
