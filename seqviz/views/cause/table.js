// What is on screen as a table: for a screen reader, and as the CSV of the Save menu.

import {inMarks} from '../shared/scene/names.js';
import {chance} from '../shared/texts.js';
import {partId} from './asking.js';
import {sideOf, stageName, tellsWords} from './cursor.js';
import {partTold} from './wrote_panel.js';

// The word of a cell and its probability; without words how far its state has moved.
const saidAt = ({facts, state, grids}, {text, stage, token}) =>
  tellsWords({facts, state})
    ? grids[text].words[stage][token]
    : ['', grids[text].moved?.[stage][token] ?? ''];
/** The cell under the cursor in words. */
export function spotText(world) {
  const {at, stream} = world.state;
  const [word, value] = saidAt(world, at);
  const token = inMarks(sideOf(world.facts, at.text, stream)[at.token]);
  const where = `${at.text ? 'other text' : 'this text'}, ${token}, ${stageName(world, at.stage)}`;
  return `${where}: ${word && `${inMarks(word)} `}${value === '' ? '' : chance(value)}`;
}
/**
 * Rows of a table, the names of its columns first.
 * @param {Object} world
 * @returns {(string | number)[][]}
 */
export function rowsOf(world) {
  const {facts, state, wrote, costs, controls} = world;
  const rows = [['what', 'stage', 'token', 'says', 'value']];
  for (const text of [0, 1]) {
    const name = text ? 'other text' : 'this text';
    const tokens = sideOf(facts, text, state.stream);
    const stages = facts.streams[state.stream].blocks.length + 1;
    for (let stage = 0; stage < stages; stage++) {
      tokens.forEach((token, k) => {
        const said = saidAt(world, {text, stage, token: k});
        rows.push([name, stageName(world, stage), token, ...said]);
      });
    }
  }
  for (const one of wrote?.parts ?? []) {
    const id = partId(one);
    rows.push(['wrote', partTold(world, id), '', '', one.value]);
    if (costs?.has(id)) rows.push(['silencing costs', partTold(world, id), '', '', costs.get(id)]);
  }
  for (const {kind, difference, says} of controls ?? []) {
    rows.push([
      'control',
      kind === 'place' ? 'other place' : 'shuffled',
      '',
      says?.[1] ?? '',
      difference,
    ]);
  }
  return rows;
}
