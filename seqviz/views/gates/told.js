// What the gates show as tables, for who does not see them: the unit over the tokens, all units of
// the row that is open, what flows in the cell in focus.

import {readable, share} from '../shared/texts.js';
import {CALLED} from './cells.js';
import {flowOf} from './flow.js';
import {likeliest} from './panel.js';
import {seenAnswers} from './scene.js';
import {seenRow} from './shades.js';

const HOW = {
  after: 'with the hold',
  before: 'before the hold',
  change: 'by how much the hold moves',
};
const long = row => `${row}, ${CALLED[row]}`;
/**
 * @param {Scene} scene of the model in focus
 * @returns {Told[]}
 */
export function gateTables(scene) {
  const {facts, layer, u, t, row, units, hold, show} = scene;
  const {H, kind} = layer;
  const rows = [...kind.rows];
  const tokens = facts.tokens.map((token, k) => `${k + 1} ${readable(token)}`);
  const seen = Object.fromEntries(rows.map(row => [row, seenRow(scene, row)]));
  const value = (row, t, u) => seen[row](t * H + u);
  const how = hold ? `; ${HOW[show]}` : '';
  const unit = tokens.map((token, k) => [
    token,
    ...rows.map(row => value(row, k, u)),
    ...scene.tracks.flatMap(track => answersAt(track, facts, k)),
  ]);
  const all = units.map(u => [`unit ${u + 1}`, ...tokens.map((_, k) => value(row, k, u))]);
  const flow = flowOf(scene).map(({label, value, held}) => [label, value, held ? 'held' : '']);
  const mine = scene.tracks.find(({focused}) => focused);
  const shares = mine ? sharesAt(mine, scene) : [];
  const titles = scene.tracks.flatMap(({label}) => [`${label} answers`.trim(), 'right answer has']);
  return [
    {
      caption: `Unit ${u + 1} over the tokens${how}`,
      rows: [['token', ...rows.map(long), ...titles], ...unit],
      at: [t, 0],
    },
    {
      caption: `${long(row)}: all units over the tokens${how}`,
      rows: [['unit', ...tokens], ...all],
      at: [units.indexOf(u), t],
    },
    {
      caption: `Unit ${u + 1} at ${tokens[t]}`,
      rows: [['what flows', 'value', 'note'], ...flow, ...shares],
    },
  ];
}
// The answers at the step in focus, the right one marked.
function sharesAt({labels, ...track}, {facts: {targets}, t}) {
  const {p} = seenAnswers(track)[t];
  const right = k => (labels[k] === targets[t] ? 'right' : '');
  const shown = likeliest({labels, ...track}, targets[t]);
  return shown.map(k => [`answer ${labels[k]}`, share(p[k]), right(k)]);
}
// What a model answers at a step, and how likely the right answer is.
function answersAt(track, {targets}, t) {
  const {p, best} = seenAnswers(track)[t];
  const right = track.labels.indexOf(targets[t]);
  return [track.labels[best], right < 0 ? '' : share(p[right])];
}
