// The panes of the explorer as nodes, in the order in which Tab goes through them.

import {html, svg} from '../shared/base.js';
import {momentPane} from './checkpoints.js';
import {layers} from './panes.js';

const STAGE =
  'heatmap of the head: arrows move over queries and keys, Enter locks, Escape frees, plus and minus zoom, 0 shows all, Shift and arrows pan';
const GRID =
  'all heads: arrows preview a head, Enter opens it, Shift and Enter adds it to a mean, Escape goes back';
const MINI = 'the whole map in little: arrows move the part that is in sight';
const LINES =
  'lines of the head: up and down move, right follows the strongest line to its key, left to its query, Enter locks, Escape frees';

const group = (parent, kind, label) =>
  html(parent, 'div', {
    class: kind,
    tabindex: 0,
    role: 'group',
    'aria-label': label,
    'data-focus': kind,
  });

/**
 * The nodes of the view by name, all but those of the controls.
 * @param {Element} root
 * @param {Facts} facts `checkpoints`, `silence` and `text` are read
 * @param {boolean} single one head needs no grid
 * @returns {Object} nodes; `grid`, `heat` and `lines` are a Pane each, `moments` is what momentPane
 * returns, null without checkpoints
 */
export function explorerNodes(root, facts, single) {
  const top = html(root, 'div', {class: 'top'});
  const heading = html(top, 'h2');
  const aside = html(top, 'span', {class: 'aside'}); // its room, whatever stands in it
  const state = html(aside, 'span', {class: 'state', 'aria-live': 'polite'});
  const said = html(root, 'p', {class: 'say line', 'aria-live': 'polite'});
  const bar = html(root, 'div', {class: 'bar'});
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const stage = group(root, 'stage', STAGE);
  const moments = facts.checkpoints.length ? momentPane(stage) : null;
  const body = html(stage, 'div', {class: 'body'});
  const panes = {...mainPanes(body, facts), ...textPane(body, facts), ...sidePanes(body)};
  const tabs = html(body, 'div', {class: 'tabs'});
  const silence = facts.silence ? html(stage, 'div', {class: 'silence'}) : null;
  const predictions = predictionPane(stage);
  const compare = facts.text === undefined ? null : html(stage, 'div', {class: 'compare'});
  const foot = html(root, 'p', {class: 'foot'});
  stage.classList.toggle('single', single);
  for (const node of [panes.gridTitle, panes.gridControls, panes.fall]) {
    node.classList.add(single ? 'needless' : 'beneath');
  }
  const heads = {top, heading, state, said, bar, problem, stage, body, tabs, moments};
  return {...heads, ...panes, silence, predictions, compare, foot};
}
function predictionPane(stage) {
  const look = {class: 'predictions needless', role: 'img', overflow: 'visible'};
  return svg(stage, 'svg', look);
}
function textPane(body, {text}) {
  if (text === undefined) return {};
  const texts = html(body, 'div', {class: 'texts'});
  const compared = svg(texts, 'svg', {class: 'compared', role: 'img', overflow: 'visible'});
  return {texts, compared};
}
function sidePanes(stage) {
  const side = html(stage, 'div', {class: 'side'});
  const gridTitle = svg(side, 'svg', {'aria-hidden': true});
  const gridControls = html(side, 'div', {class: 'bar small'});
  const fall = group(side, 'fall grid', GRID);
  fall.dataset.shiftEnter = '';
  const list = svg(side, 'svg', {class: 'list', 'aria-hidden': true});
  const grid = layers(html(fall, 'div', {class: 'layers'}));
  const mini = group(side, 'mini', MINI);
  const small = html(mini, 'canvas', {class: 'painted', 'aria-hidden': true});
  return {side, gridTitle, gridControls, fall, grid, list, mini, small};
}
function mainPanes(stage, {silence: can}) {
  const main = html(stage, 'div', {class: 'main'});
  const title = svg(main, 'svg', {'aria-hidden': true});
  const silencer = can ? html(main, 'div', {class: 'silencer'}) : null;
  const pair = html(main, 'div', {class: 'pair'});
  const heat = layers(html(pair, 'div', {class: 'heat'}));
  const lines = layers(group(pair, 'lines', LINES));
  const under = html(main, 'div', {class: 'under'});
  const zoom = html(under, 'span', {class: 'zoom'});
  const reading = html(under, 'output', {class: 'reading', 'aria-live': 'off'});
  const scoreLine = html(main, 'output', {class: 'scores beneath', 'aria-live': 'off'});
  return {main, title, silencer, pair, heat, lines, zoom, reading, scoreLine};
}
