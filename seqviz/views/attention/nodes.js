// The panes of the explorer as nodes, in the order in which Tab goes through them.

import {html, svg} from '../shared/nodes.js';
import {momentPane} from './checkpoints.js';
import {layers} from './panes.js';

const GRID =
  'all heads: arrows preview a head, Enter opens it, Shift and Enter adds it to a mean, Escape goes back';
const MINI = 'the whole map in little: arrows move the part that is in sight';
const WHY = 'why this weight: q times k of the cell in focus (key w)';
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
 * The nodes of the stage by name, all but those of the controls.
 * @param {Element} stage
 * @param {Facts} facts `checkpoints`, `silence` and `text` are read
 * @param {boolean} single one head needs no grid
 * @returns {Object} nodes; `grid`, `heat` and `lines` are a Pane each, `moments` is what momentPane
 * returns, null without checkpoints
 */
export function explorerNodes(stage, facts, single) {
  const moments = facts.checkpoints.length ? momentPane(stage) : null;
  const body = html(stage, 'div', {class: 'body'});
  const panes = {...mainPanes(body, facts), ...textPane(body, facts), ...sidePanes(body)};
  const tabs = html(body, 'div', {class: 'tabs'});
  const why = group(stage, 'why', ''); // its pane says what it is
  const colour = html(stage, 'p', {class: 'colour'});
  const silence = facts.silence ? html(stage, 'div', {class: 'silence'}) : null;
  const look = {class: 'predictions needless', role: 'img', overflow: 'visible'};
  const predictions = svg(stage, 'svg', look);
  const compare = facts.text === undefined ? null : html(stage, 'div', {class: 'compare'});
  stage.classList.toggle('single', single);
  for (const node of [panes.gridTitle, panes.gridControls, panes.fall]) {
    node.classList.add(single ? 'needless' : 'beneath');
  }
  return {body, tabs, moments, ...panes, why, colour, silence, predictions, compare};
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
  const whyButton = html(under, 'button', {type: 'button', title: WHY}, 'Why?');
  const costs = html(under, 'span', {class: 'costs'});
  const reading = html(under, 'output', {class: 'reading', 'aria-live': 'off'});
  const scoreLine = html(main, 'output', {class: 'scores beneath', 'aria-live': 'off'});
  return {main, title, silencer, pair, heat, lines, zoom, whyButton, costs, reading, scoreLine};
}
