// What is on screen as a table: for a screen reader, and as the CSV of the Save menu.

import {partId} from './asking.js';
import {sideOf, stageName, tellsWords} from './cursor.js';
import {partTold} from './wrote_panel.js';

/**
 * Rows of a table, the names of its columns first.
 * @param {Object} world
 * @returns {(string | number)[][]}
 */
export function rowsOf(world) {
  const {facts, state, grids, wrote, costs, controls} = world;
  const rows = [['what', 'stage', 'token', 'says', 'value']];
  for (const text of [0, 1]) {
    const name = text ? 'other text' : 'this text';
    const tokens = sideOf(facts, text, state.stream);
    const stages = facts.streams[state.stream].blocks.length + 1;
    for (let stage = 0; stage < stages; stage++) {
      tokens.forEach((token, k) => {
        const [word, p] = tellsWords(world)
          ? grids[text].words[stage][k]
          : ['', grids[text].moved?.[stage][k] ?? ''];
        rows.push([name, stageName(world, stage), token, word, p]);
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
