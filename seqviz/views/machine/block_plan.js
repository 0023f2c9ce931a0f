// Depth 1, a block: where its bands, columns and maps stand, from sizes alone.

import {bandsOf} from './block_items.js';
import {blockIn} from './standing.js';
import {windowAround} from '../shared/scene/windows.js';

/**
 * @typedef {Item & {band: number, x: number, y: number, width: number, height: number,
 * rows: Window}} Column an item with its box; `rows`: the tokens in sight
 */
/**
 * @typedef {Object} BlockPlan
 * @property {number} label pixels for the names of tokens
 * @property {number} cap pixels of a caption
 * @property {Window} rows of the stream
 * @property {number} pitch from a token to the next
 * @property {{y: number, height: number}[]} bands
 * @property {Column[]} columns
 * @property {Object<number, Maps>} maps by part: `heads` in sight, pixels of the `focus` one and of
 * each `other`
 * @property {number} sources pixels for the names of the other text's tokens
 */

const NARROW_BLOCK = 560;
const LABEL = {wide: 66, narrow: 60};
const CAP = {two: 32, one: 18}; // with so many lines
const BETWEEN = 21; // bands
const BENEATH = 11; // the last band
const ROW = {least: 6, most: 20};
const LOWEST = 110; // a band of few tokens
const GAPS = {tight: 6, least: 14, most: 46};
const EDGE = 3; // pixels right of the last column, for its frame
const WIDER_BY = 1.55; // the vectors between two products
const LONE = 50; // a column beside nothing but maps
const SOURCES = 60;
const MAP = {least: 10, gap: 6, focus: 1.15, other: 0.45};

/**
 * @param {{width: number, height: number}} size of the stage
 * @param {Facts} facts
 * @param {State} state
 * @param {{source: string[], target: string[]}} labels
 * @returns {BlockPlan}
 */
export function blockPlan({width, height}, facts, state, labels) {
  const narrow = width < NARROW_BLOCK;
  const label = narrow ? LABEL.narrow : LABEL.wide;
  const lists = bandsOf(facts, state, narrow);
  const cap = lists.length > 2 ? CAP.one : CAP.two;
  const count = lists.length;
  const room = (height - BENEATH - count * cap - (count - 1) * BETWEEN) / count;
  const tokens = labels[facts.anatomy.streams[state.stream].tokens].length;
  const rows = windowAround(tokens, state.token, room / ROW.least);
  const pitch = Math.min(Math.max(ROW.most, LOWEST / rows.count), room / rows.count);
  const high = pitch * rows.count;
  const sources = windowAround(labels.source.length, state.key, high / ROW.least);
  const bands = lists.map((_, k) => ({y: cap + k * (high + BETWEEN + cap), height: high}));
  const maps = {};
  const columns = lists.flatMap((items, k) => {
    const own = widthsOf(items, {width: width - label - EDGE, high, facts, state});
    const {part} = items.find(({role}) => role === 'maps') ?? {};
    if (part !== undefined) maps[part] = own.maps;
    let x = label;
    return items.map((item, n) => {
      x += own.gaps[n];
      const box = {x, ...bands[k], width: own.widths[n]};
      x += own.widths[n];
      return {...item, ...box, band: k, rows: item.crossed ? sources : rows};
    });
  });
  return {label, cap, rows, pitch, bands, columns, maps, sources: SOURCES};
}
// The widths of a band's items and the gaps before them.
function widthsOf(items, {width, high, facts, state}) {
  const least = items.map((item, n) => {
    if (!n) return 0;
    if (item.crossed && !items[n - 1].crossed) return SOURCES;
    return item.tight ? GAPS.tight : GAPS.least;
  });
  const free = width - least.reduce((sum, gap) => sum + gap, 0);
  const weights = items.map(({role, wide}) =>
    role === 'maps' ? 0 : wide || role === 'box' ? WIDER_BY : 1,
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const widest = Math.min(0.13 * width, Math.max(56, 2 * facts.sizes.width));
  const at = items.findIndex(({role}) => role === 'maps');
  const part = at < 0 ? null : blockIn(facts, state).parts[items[at].part];
  const wanted = part
    ? high * (MAP.focus + (part.heads - 1) * MAP.other) + MAP.gap * (part.heads - 1)
    : 0;
  const lowest = all === 1 ? LONE : (all > 6 ? 0.055 : 0.075) * width;
  const vector = Math.min(free / all, Math.max(lowest, Math.min(widest, (free - wanted) / all)));
  const widths = weights.map(weight => weight * vector);
  const maps = part && mapsOf(part, state, items[at].part, free - all * vector, high);
  if (maps) widths[at] = maps.width;
  const spare = free - widths.reduce((sum, one) => sum + one, 0);
  const arrows = least.filter(gap => gap === GAPS.least).length;
  const more = Math.min(GAPS.most - GAPS.least, spare / Math.max(1, arrows));
  return {widths, maps, gaps: least.map(gap => (gap === GAPS.least ? gap + more : gap))};
}
// The map of the head in focus is the largest; of many heads those around it.
function mapsOf({heads}, state, part, room, high) {
  const share = heads === 1 ? 1 : heads > 6 ? 0.34 : 0.42;
  const focus = Math.min(high * MAP.focus, room * share);
  const at = part === state.part ? state.head : Math.min(state.head, heads - 1);
  const sight = windowAround(heads, at, 1 + (room - focus) / (MAP.least + MAP.gap));
  const others = sight.count - 1;
  const other = Math.min(focus, (room - focus) / Math.max(1, others) - MAP.gap);
  return {heads: sight, at, focus, other, gap: MAP.gap, width: focus + others * (other + MAP.gap)};
}
/** The box of one row of a column. */
export function rowBox({x, y, width, height, rows}, at) {
  const pitch = height / rows.count;
  return {x, y: y + (at - rows.from) * pitch, width, height: pitch};
}
