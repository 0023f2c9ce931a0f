// Depth 0, the model: where its tokens, rows, blocks and answers stand, from sizes alone.

import {RISE} from '../shared/scene/sketch.js';
import {isPartOf, sightOf, windowAround} from '../shared/scene/windows.js';

/**
 * @typedef {Object} Columns of a stream
 * @property {number} stream
 * @property {Window} tokens those in sight
 * @property {number} x pixels, where they begin
 * @property {number} pitch from a token to the next
 * @property {number} patch across a patch
 */
/**
 * @typedef {Object} Row down the picture
 * @property {'leaf' | 'x' | 'beads' | 'end' | 'last'} is
 * @property {number} y
 * @property {number} height
 * @property {number} [leaf] of the embeddings, counted back from x
 * @property {number} [block]
 * @property {string} [key] of `beads`: which part of a block, see `keyOf`; 'all' for one bead row
 */
/**
 * @typedef {Object} WholePlan
 * @property {number} gutter pixels for the names of rows
 * @property {{x: number, width: number}} right panel; 0 wide where there is no room
 * @property {Columns[]} columns of each stream
 * @property {number} labels the baseline of the tokens' names
 * @property {number} labelRoom pixels along a name
 * @property {Row[]} rows
 * @property {Window} blocks those in sight
 * @property {boolean} compact whether a block has one row of beads
 * @property {{block: number, y: number, height: number}[]} frames of blocks
 * @property {number} heading pixels over the names of two streams
 * @property {{y: number, room: number}} answers under the tokens
 * @property {number} bottom
 */

const GUTTER_ROOM = {wide: 142, narrow: 112};
const PANEL_ROOM = {wide: 180, narrow: 26}; // none in the narrow one, where names lean over it
const NARROW_STAGE = 560;
const TOKEN = {least: 20, most: 64, gap: 6};
const BETWEEN_STREAMS = 30;
const NAME_ROOM = {wide: 92, narrow: 64}; // along a slanted name
const FRAME = 8; // around a block
const BEAD = 19;
const PATCH = {full: 22, compact: 17, most: 30, gap: 6};
const SQUEEZE = 0.82; // under it a text does not fit its row
const LIKELY = 0.05; // that a span starts or ends at a token
const HEADING = 16; // over the tokens of two streams

/** What of a block stands in one row, through all streams: 'attention', 'attention cross', ... */
export function keyOf(parts, at) {
  const name = part => `${part.is}${part.cross ? ' cross' : ''}`;
  const own = name(parts[at]);
  const before = parts.slice(0, at).filter(part => name(part) === own).length;
  return before ? `${own} ${before}` : own;
}
/**
 * What stands under a token: its likeliest word and the probability; of a span whether it starts
 * or ends there.
 */
export function saidUnder({answers, spans, classes}, token) {
  const said = answers[token];
  if (!spans) return said[0] ?? null;
  const sides = classes.filter(side => said.some(([word, p]) => word === side && p >= LIKELY));
  return sides.length ? [sides.join(', '), Math.max(...said.map(([, p]) => p))] : null;
}
/** The one token whose vector alone makes the answer to a text, null if several do. */
export function rowRead({anatomy, tokens}) {
  const {row, streams} = anatomy;
  const count = tokens[streams.at(-1).tokens].length;
  return row === null || row === undefined ? null : (row + count) % count;
}

/**
 * @param {{width: number, height: number, measure: Measure}} size of the stage
 * @param {Object} facts
 * @param {Object} state `stream`, `token` and `block` are read
 * @param {{source: string[], target: string[]}} labels
 * @returns {WholePlan}
 */
export function wholePlan({width, height, measure}, facts, state, labels) {
  const {anatomy} = facts;
  const kind = width < NARROW_STAGE ? 'narrow' : 'wide';
  const gutter = GUTTER_ROOM[kind];
  const panel = PANEL_ROOM[kind];
  const columns = columnsOf(width - gutter - panel - 10, gutter, anatomy, state, labels);
  const room = NAME_ROOM[kind];
  const longest = (texts, font) =>
    Math.min(room, Math.max(0, ...texts.map(text => measure(text, font))));
  const sideOf = stream => labels[anatomy.streams[stream].tokens];
  const names = columns.flatMap(({stream, tokens}) =>
    sightOf(tokens).map(token => sideOf(stream)[token]),
  );
  const focus = [sideOf(state.stream)[state.token]];
  const heading = columns.length > 1 ? HEADING : 0;
  const notes = columns.filter(({tokens}) => isPartOf(tokens)).length;
  const high = Math.max(longest(names, '13px'), longest(focus, '700 15px'));
  const labelY = Math.max(heading + 12 + RISE * high, 14 * (notes + 1));
  const answers = answersRoom(facts, text => longest(text, '700 12px'));
  const free = height - labelY - 4 - answers;
  const stack = stackOf(free, anatomy, state.block);
  const {rows, frames, end} = placed(stack, labelY + 4);
  return {
    gutter,
    right: {x: width - panel, width: kind === 'narrow' ? 0 : panel},
    columns,
    labels: labelY,
    labelRoom: room,
    heading,
    rows,
    frames,
    blocks: stack.blocks,
    compact: stack.compact,
    answers: {y: end + 2, room},
    bottom: height,
  };
}
function answersRoom(facts, longest) {
  const {answers, anatomy} = facts;
  if (!answers) return 6;
  if (anatomy.probabilities === 'text') return 19 + 14 * Math.min(4, answers[0].length);
  const words = answers.map((_, token) => saidUnder(facts, token)?.[0] ?? '');
  return Math.max(facts.spans ? 63 : 0, 15 + RISE * longest(words));
}
// Both streams side by side, as in the drawing of the paper; of many tokens those around the focus.
function columnsOf(room, gutter, {streams}, state, labels) {
  const totals = streams.map(stream => labels[stream.tokens].length);
  const free = room - BETWEEN_STREAMS * (streams.length - 1);
  const most = Math.floor(free / TOKEN.least);
  const all = totals.reduce((sum, total) => sum + total, 0);
  const each = Math.floor(most / streams.length);
  const counts = totals.map(total =>
    all <= most ? total : Math.min(total, Math.max(each, most - (all - total))),
  );
  const shown = counts.reduce((sum, count) => sum + count, 0);
  const pitch = Math.min(TOKEN.most, free / shown);
  let x = gutter;
  return streams.map((_, stream) => {
    const at = stream === state.stream ? state.token : stream ? totals[stream] - 1 : state.key;
    const tokens = windowAround(totals[stream], at, counts[stream]);
    const own = {stream, tokens, x, pitch, patch: pitch - TOKEN.gap};
    x += pitch * tokens.count + BETWEEN_STREAMS;
    return own;
  });
}
// ---- rows: as tall as there is room for, else one row of beads a block, else a window of blocks
function stackOf(free, anatomy, block) {
  const {streams} = anatomy;
  const leaves = Math.max(...streams.map(leavesOf));
  const last = streams.some(stream => stream.last.node !== stream.end.node) ? 1 : 0;
  const total = Math.max(...streams.map(stream => stream.blocks.length));
  const fixed = leaves + 1 + last;
  const all = {from: 0, count: total, total};
  const beads = sightOf(all).map(number => keysOf(streams, number).length);
  const share = (blocks, beadRows, patch) =>
    (free - FRAME * blocks) / ((fixed + blocks) * patch + beadRows * BEAD);
  const common = {streams, leaves, last};
  const full = share(
    total,
    beads.reduce((sum, count) => sum + count, 0),
    PATCH.full,
  );
  if (full >= SQUEEZE) {
    return {...common, ...sizesOf(full, PATCH.full), blocks: all, compact: false};
  }
  let count = total;
  while (count > 1 && share(count, count, PATCH.compact) < SQUEEZE) count--;
  const sizes = sizesOf(share(count, count, PATCH.compact), PATCH.compact);
  return {...common, ...sizes, blocks: windowAround(total, block, count), compact: true};
}
const sizesOf = (share, patch) => ({
  bead: BEAD * Math.min(1, share),
  row: Math.min(PATCH.most, patch * share),
});
/** The embeddings of a stream that have a row of their own: a single one is x itself. */
export const leavesOf = ({embedded, start}) =>
  embedded.length === 1 && embedded[0].place.node === start.node ? 0 : embedded.length;
// The rows of a block's beads; the stream with the most parts says their order.
function keysOf(streams, number) {
  const lists = streams
    .map(({blocks}) => blocks[number]?.parts ?? [])
    .sort((a, b) => b.length - a.length)
    .map(parts => parts.map((_, at) => keyOf(parts, at)));
  return [...new Set(lists.flat())];
}
function placed({streams, leaves, last, blocks, compact, bead, row}, top) {
  const rows = [];
  const frames = [];
  let y = top;
  const add = (height, more) => {
    rows.push({y, height, ...more});
    y += height;
  };
  for (let leaf = leaves; leaf > 0; leaf--) add(row, {is: 'leaf', leaf});
  add(row, {is: 'x'});
  for (const block of sightOf(blocks)) {
    const start = y + 1;
    y += FRAME / 2;
    const keys = compact ? ['all'] : keysOf(streams, block);
    for (const key of keys) add(bead, {is: 'beads', block, key});
    add(row, {is: 'end', block});
    y += FRAME / 2;
    frames.push({block, y: start, height: y - start - 1});
  }
  if (last) add(row, {is: 'last'});
  return {rows, frames, end: y};
}
