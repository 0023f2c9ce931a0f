// Where the parts of "why this weight" stand: rows of numbers, bars of products, keys, weights.

import {RISE, STEEP} from '../shared/scene/sketch.js';
import {attentionIn, sidesOf} from './standing.js';
import {isPartOf, sightOf, windowAround} from '../shared/scene/windows.js';

/**
 * @typedef {Object} WhyPlan pixels
 * @property {number} label where the rows begin: their names stand before
 * @property {number} cell across a number of q and k
 * @property {number} valueCell across a number of a value
 * @property {Window} keys those in sight
 * @property {number} pitch from a key to the next
 * @property {boolean} slanted whether the keys' names are
 * @property {Object<string, {y: number, height: number}>} rows by name, from the top: numbers,
 * query, key, other, bars, sum, or `without` q and k; names, score, mask, weights, note, caption,
 * value, context
 */

export const NAME_MOST = 84; // pixels of a key's name
const GUTTER = {least: 96, most: 142};
const CELL_MOST = 92;
const KEY_LEAST = 16; // slanted names do not touch
const OTHERS_ROOM = 78; // pixels for what the keys have that are not in sight
const ROW_LEAST = 16; // a text has room
const BARS = {least: 50, most: 170};
const WEIGHTS = {least: 34, most: 60, alone: 200};

/**
 * @param {{width: number, height: number, measure: Measure}} size of the stage
 * @param {Object} facts
 * @param {Object} state
 * @param {{source: string[], target: string[]}} labels
 * @returns {WhyPlan}
 */
export function whyPlan({width, height, measure}, facts, state, labels) {
  const part = attentionIn(facts, state);
  const gutter = gutterFor(width, facts, state, labels, measure);
  const room = width - gutter;
  const cellOf = ({node, number}) => Math.min(CELL_MOST, room / facts.shapes[node][number]);
  const {names, ...keys} = keysPlan(
    room,
    labels[sidesOf(facts, state).answering],
    state.key,
    measure,
  );
  return {
    label: gutter,
    cell: part.query ? cellOf(part.query) : 0,
    valueCell: cellOf(part.value),
    ...keys,
    rows: rowsPlan(height, part, names, isPartOf(keys.keys)),
  };
}
// Room for the names of long tokens, where it costs the numbers nothing.
function gutterFor(width, facts, state, labels, measure) {
  const {query, value} = attentionIn(facts, state);
  const {asking, answering} = sidesOf(facts, state);
  const most = Math.max(
    ...[query ?? value, value].map(({node, number}) => facts.shapes[node][number]),
  );
  const names = [...labels[asking], ...labels[answering]];
  const longest = Math.max(...names.map(name => measure(`q of ${name}`, '700 12px')));
  const free = Math.min(GUTTER.most, width - CELL_MOST * most);
  return Math.max(GUTTER.least, Math.min(free, longest + 12));
}
// All keys, or of too many those around the one in focus.
function keysPlan(room, labels, key, measure) {
  const total = labels.length;
  const named = (keys, free) => {
    const wide = sightOf(keys).map(of => Math.min(NAME_MOST, measure(labels[of], '700 12px')));
    return {keys, ...namesPlan(room, wide, Math.min(CELL_MOST, free / keys.count))};
  };
  const whole = named(windowAround(total, key, total), room);
  if (whole.pitch >= KEY_LEAST) return whole;
  const free = room - OTHERS_ROOM;
  return named(windowAround(total, key, free / KEY_LEAST), free);
}
// Names over their keys, slanted where they do not fit: none reaches over the edge.
function namesPlan(room, wide, pitch) {
  const longest = Math.max(...wide);
  if (longest + 2 <= pitch) return {pitch, slanted: false, names: 18};
  const lean = Math.cos((STEEP * Math.PI) / 180);
  const reaches = wide.map((long, at) => (room - lean * long - 12) / (at + 0.5));
  return {pitch: Math.min(pitch, ...reaches), slanted: true, names: 14 + RISE * longest};
}
// Rows as [height, gap under it]; bars and weights take what is left. A low stage has lower rows.
function rowsPlan(height, part, names, windowed) {
  const products = {numbers: [18], query: [26], key: [26], other: [24], bars: [0], sum: [26, 8]};
  const wanted = {
    ...(part.query ? products : {without: [26, 8]}),
    names: [names],
    score: [22],
    ...(part.mask && {mask: [20]}),
    weights: [0, windowed ? 2 : 10],
    ...(windowed && {note: [18, 6]}),
    caption: [18, 2],
    value: [26],
    context: [26, 2],
  };
  const bars = part.query ? BARS : {least: 0, most: 0};
  const least = bars.least + WEIGHTS.least;
  const list = Object.entries(wanted);
  const sum = of => list.reduce((all, [name, [high, gap = 0]]) => all + of(name, high, gap), 0);
  const texts = sum((name, high, gap) => (name === 'names' ? gap : high + gap));
  const share = Math.min(1, (height - names - least) / texts);
  const heightOf = (name, high) =>
    name === 'names' || !high ? high : Math.max(ROW_LEAST, share * high);
  const free = Math.max(
    least,
    height - sum((name, high, gap) => heightOf(name, high) + share * gap),
  );
  const most = part.query ? Math.min(WEIGHTS.most, 0.34 * free) : Math.min(WEIGHTS.alone, free);
  const weights = Math.max(WEIGHTS.least, most);
  const flexible = {weights, bars: Math.max(bars.least, Math.min(bars.most, free - weights))};
  let y = 0;
  const placed = list.map(([name, [high, gap = 0]]) => {
    const row = {y, height: flexible[name] ?? heightOf(name, high)};
    y += row.height + share * gap;
    return [name, row];
  });
  return Object.fromEntries(placed);
}
