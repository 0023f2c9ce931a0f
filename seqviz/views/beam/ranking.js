// The hypotheses that are finished, ranked: drawn into the stage; returns what lies under a point.

import {lineTo, sheet, textAt} from '../shared/marks.js';
import {Row} from '../shared/rows.js';
import {cutTo, signed} from '../shared/texts.js';
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
  const root = sheet(stage, W, height);
  const right = {length: W - 194, score: W - 128, value: W - 48, moved: W - 6};
  const heading = cutTo(title, W, measure, BOLD);
  lineTo(root, [0, 1], [W, 1], {stroke: tone.rule});
  textAt(root, 0, 24, heading, 'token bold');
  if (!lines.length) return () => ({});
  for (const name of columns) {
    textAt(root, right[name], 46, name === 'value' ? 'ranked by' : name, 'soft', 'end');
  }
  for (const line of lines) drawHypothesis(root, scene, {line, right, columns, done});
  if (more > 0) textAt(root, 32, TOP + LINE * most + 15, `and ${more} more`, 'soft');
  return (x, y) => {
    const line = lines[Math.floor((y - TOP) / LINE)];
    return line ? {node: line.node} : {};
  };
}
function drawHypothesis(root, scene, {line, right, columns, done}) {
  const {W, tone, tree, measure} = scene;
  const y = TOP + LINE * line.rank;
  const row = new Row(root, {y, tall: LINE, base: y + 18});
  const tagged = line.greedy && W > 600;
  const room = right[columns[0]] - 84 - (tagged ? 60 : 0);
  if (line.focus) row.band(0, W, {fill: tone.focus, opacity: 0.13});
  if (done) {
    const {rank, onPath: path, greedy} = line;
    drawMark(root, 14, y + LINE / 2, {kept: true, ended: true, rank, path, greedy, tone});
  } else {
    textAt(root, 14, row.base, line.rank + 1, 'mono', 'middle');
  }
  const wide = text => measure(text, BOLD);
  const fits = text => wide(`… ${text}`) <= room;
  const words = cutTo(pathText(scene, pathTo(tree, line.node), fits), room, wide);
  row.text(32, words, line.rank ? 'token' : 'token bold');
  if (tagged) row.end(32 + room + 60, 'greedy', 'second');
  for (const name of columns) {
    row.end(right[name], line[name], name === 'value' ? 'mono bold' : 'mono soft');
  }
  const {moved} = line;
  if (moved) row.end(right.moved, `${moved > 0 ? '▲' : '▼'}${Math.abs(moved)}`, 'mono second');
}
