// Depth 1: what of a block is drawn, in the order in which it is computed, a band a line.

import {blockIn} from './standing.js';

/**
 * @typedef {Object} Item a column: vectors of all tokens, the maps of all heads, or a box
 * @property {string} role of the part, as in stages.js; 'x' of what the block reads, 'maps'
 * @property {number | null} part
 * @property {Place} place
 * @property {string} stage its id
 * @property {boolean} wide whether it is of the wider vectors between two products
 * @property {boolean} tight whether it is made of the same vectors as the item before it
 * @property {boolean} crossed whether its rows are the other text's
 */

const ROLES_IN_ORDER = {
  attention: [
    'norm',
    'query',
    'key',
    'value',
    'maps',
    'context',
    'into',
    'update',
    'after',
    'post',
  ],
  feed: ['norm', 'up', 'gate', 'act', 'hidden', 'update', 'after', 'post'],
  box: ['norm', 'update', 'after', 'post'],
};
const WIDER = ['up', 'gate', 'act', 'hidden'];
const BESIDE = ['key', 'value', 'gate'];

/**
 * The bands of a block: one ends where the heads are joined.
 * @param {Facts} facts
 * @param {{stream: number, block: number}} state
 * @param {boolean} narrow whether maps, feed-forward and what follows gates begin their own bands
 * @returns {Item[][]}
 */
export function bandsOf(facts, state, narrow) {
  const bands = [[]];
  for (const item of itemsOf(facts, state)) {
    const {role, wide, tight} = item;
    const before = bands.at(-1).at(-1);
    const gated = role === 'update' && bands.at(-1).length > 3;
    const breaks = narrow && (role === 'maps' || gated || (wide && !tight && !before.wide));
    if (before?.role === 'context' || breaks) bands.push([]);
    bands.at(-1).push(item);
  }
  return bands;
}
function itemsOf(facts, {stream, block}) {
  const {parts, end, number} = blockIn(facts, {stream, block});
  const id = (part, role, node) =>
    node === end.node ? `${stream}.${number}.end` : `${stream}.${number}.${part}.${role}`;
  const before = number ? `${stream}.${number - 1}.end` : `${stream}.x`;
  const items = [{role: 'x', part: null, place: parts[0].before, stage: before}];
  parts.forEach((part, k) => {
    for (const role of ROLES_IN_ORDER[part.is]) {
      if (role === 'maps') {
        items.push({role, part: k, place: null, stage: null});
        continue;
      }
      const place = part[role];
      // two parts may read the same norm; the unit's result may be what the next product reads
      if (!place || items.some(item => item.place?.node === place.node)) continue;
      const isBox = part.is === 'box' && role === 'update';
      items.push({
        role: isBox ? 'box' : role,
        part: k,
        place,
        stage: id(k, role, place.node),
        wide: WIDER.includes(role),
        tight: BESIDE.includes(role),
        crossed: Boolean(part.cross) && (role === 'key' || role === 'value'),
      });
    }
  });
  return items;
}
