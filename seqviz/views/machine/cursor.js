// The one cursor that runs through all depths, and what moves it: values in, changes of the state
// out.

import {answering, attentionIn, blockIn, isAttention, keysIn, tokensIn} from './standing.js';
import {productsOf} from './why_numbers.js';

/**
 * @typedef {Object} State
 * @property {0 | 1 | 2} depth the model, a block, why a weight
 * @property {number} stream
 * @property {number} block of the stream
 * @property {number} part of the block
 * @property {number} token of the stream, as which it asks
 * @property {number} head of the part
 * @property {number} key the token that answers
 * @property {string} stage an id of stages.js
 * @property {string} number whose equation is held, as 'NODE INDEX'; '' for none
 * @property {boolean} sort whether the products stand in their order
 * @property {[number, number][]} silent attention and head of each
 */

/**
 * @typedef {Object} Around what the moves know
 * @property {Facts} facts
 * @property {Stage[]} stages
 * @property {Numbers} numbers
 */

const bounded = (value, count) => Math.max(0, Math.min(count - 1, value));
const turned = (value, by, count) => (((value + by) % count) + count) % count;

/** The heads of the attentions of a block: [part, head] each. */
const headsIn = block =>
  block.parts.flatMap((part, k) =>
    isAttention(part) ? Array.from({length: part.heads}, (_, head) => [k, head]) : [],
  );
const largestOf = list => list.indexOf(Math.max(...list));
/**
 * The key to which the head in focus attends most.
 * @param {Around} around
 * @param {State} state
 * @returns {number}
 */
export function strongestKey({facts, numbers}, state) {
  const part = attentionIn(facts, state);
  const weights = part && numbers.attended(part, state.head, state.token);
  return weights ? largestOf(weights) : bounded(state.key, keysIn(facts, state).length);
}
/**
 * The head of a block that attends most to one other token.
 * @param {Around} around
 * @param {State} state
 * @returns {{part: number, head: number}}
 */
export function sharpestHead({facts, numbers}, state) {
  const block = blockIn(facts, state);
  let best = {part: Math.max(0, block.parts.findIndex(isAttention)), head: 0, weight: 0};
  for (const [part, head] of headsIn(block)) {
    const {cross} = block.parts[part];
    const weights = numbers.attended(block.parts[part], head, state.token) ?? [];
    const others = weights.filter((_, key) => cross || key !== state.token);
    const weight = Math.max(0, ...others);
    if (weight > best.weight) best = {part, head, weight};
  }
  return {part: best.part, head: best.head};
}

// ---- the state after a move
/** The key follows, unless it was chosen. */
const settled = (around, state) => ({...state, key: strongestKey(around, state)});
const stageNamed = (stages, id) => stages.find(stage => stage.id === id);
/** The stage at which a block opens, and to which it closes. */
function stageOf({stages}, {stream, block, part}, role) {
  const here = stages.filter(one => one.stream === stream && one.block === block);
  return (here.find(one => one.part === part && one.role === role) ?? here[0])?.id;
}
function opened(around, state, block) {
  const same = block === state.block && attentionIn(around.facts, state);
  const there = {...state, block, depth: 1, number: ''};
  const found = same ? there : settled(around, {...there, ...sharpestHead(around, there)});
  return {...found, stage: stageOf(around, found, 'query') ?? state.stage};
}
/**
 * Enter: a block of the model, then why its weight.
 * @param {Around} around
 * @param {State} state
 * @returns {State}
 */
export function entered(around, state) {
  const {facts, stages} = around;
  if (state.depth === 0) {
    const stage = stageNamed(stages, state.stage);
    const {blocks} = facts.anatomy.streams[state.stream];
    const behind = /\.(end|last)$/.test(state.stage) ? blocks.length - 1 : 0;
    return opened(around, state, stage?.block ?? behind);
  }
  const at = withHead(around, state);
  if (!attentionIn(facts, at)) return state;
  if (state.depth === 1) return {...at, depth: 2, number: ''};
  const products = productsIn(around, state);
  return products ? {...state, number: products.name(products.order[0])} : state;
}
// Of a part without heads the sharpest one of its block.
function withHead(around, state) {
  if (attentionIn(around.facts, state)) return state;
  return settled(around, {...state, ...sharpestHead(around, state)});
}
// The products of q and k, number by number: how they are named as held, the largest first.
function productsIn({facts, numbers}, state) {
  const found = productsOf(numbers, attentionIn(facts, state), state, state.key);
  if (!found) return null;
  const {query, products} = found;
  const order = products.map((_, n) => n).sort((a, b) => products[b] - products[a]);
  return {order, name: n => `${query.node} ${query.base + n * query.step}`};
}
// Another product, in the order in which they stand; null if none is held.
function besideProduct(around, state, across) {
  const products = state.number && productsIn(around, state);
  if (!products) return null;
  const {order, name} = products;
  const row = state.sort ? order : [...order].sort((a, b) => a - b);
  const now = row.findIndex(n => name(n) === state.number);
  return now < 0 ? null : {...state, number: name(row[turned(now, across, row.length)])};
}
/**
 * Escape: what is held is free, else one depth up; null if there is neither.
 * @param {Around} around
 * @param {State} state
 * @returns {State | null}
 */
export function left(around, state) {
  if (state.number) return {...state, number: ''};
  return state.depth ? toDepth(around, state, state.depth - 1) : null;
}
/**
 * Up to a depth, with the same cursor.
 * @param {Around} around
 * @param {State} state
 * @param {number} depth
 * @returns {State}
 */
export function toDepth(around, state, depth) {
  const up = {...state, depth, number: ''};
  const seen = depth > 0 || stageNamed(around.stages, state.stage)?.depth0;
  return seen ? up : {...up, stage: stageOf(around, state, 'update') ?? state.stage};
}
/**
 * An arrow key; what is held is free, but for products, of which the next one is.
 * @param {Around} around
 * @param {State} state
 * @param {number} across -1, 0 or 1
 * @param {number} down
 * @returns {State}
 */
export function moved(around, state, across, down) {
  const product = state.depth === 2 && across && besideProduct(around, state, across);
  return product || freeMove(around, {...state, number: ''}, across, down);
}
function freeMove(around, state, across, down) {
  const {facts} = around;
  const {depth, stream, token} = state;
  const count = tokensIn(facts, stream).length;
  if (depth === 0) {
    const at = {...state, token: turned(token, across, count)};
    return settled(around, down ? atStage(around, at, down) : at);
  }
  if (down) return stepped(around, {...state, token: turned(token, down, count)});
  if (depth === 2) return {...state, key: turned(state.key, across, keysIn(facts, state).length)};
  const heads = headsIn(blockIn(facts, state));
  if (!heads.length) return state;
  const now = heads.findIndex(([part, head]) => part === state.part && head === state.head);
  const [part, head] = heads[turned(now, across, heads.length)];
  return settled(around, {...state, part, head});
}
// Another token asks: at depth 2 the key stays, to be compared.
const stepped = (around, state) => (state.depth === 2 ? state : settled(around, state));
function atStage({facts, stages}, state, by) {
  const rows = stages.filter(({depth0}) => depth0);
  const now = rows.findIndex(({id}) => id === state.stage);
  return stood(facts, state, rows[bounded(now + by, rows.length)]);
}
/** The cursor at a stage: its stream, its block and part if it has them. */
function stood(facts, state, {id, stream, block, part}) {
  const token = bounded(state.token, tokensIn(facts, stream).length);
  const first = stream === state.stream ? state.block : 0;
  const at = {...state, stage: id, stream, token, block: block ?? first};
  return inBlock(facts, part === null ? at : {...at, part});
}
/** The part and the head that are there. */
function inBlock(facts, state) {
  const {parts = []} = blockIn(facts, state) ?? {};
  const part = bounded(state.part, Math.max(1, parts.length));
  const heads = isAttention(parts[part]) ? parts[part].heads : Infinity;
  return {...state, part, head: bounded(state.head, heads)};
}
/**
 * A click on what lies under the pointer: it goes there, and holds the number there; one that is
 * held already is free.
 * @param {Around} around
 * @param {State} state
 * @param {{place: Place, does: Object | null}} found
 * @returns {State}
 */
export function clicked(around, state, {place, does}) {
  const {facts, stages} = around;
  does ??= {};
  const number = does.number ?? (place.node === undefined ? '' : `${place.node} ${place.index}`);
  const held = does.depth === undefined && number !== state.number ? number : '';
  if (does.depth === 1 && does.head === undefined) {
    return opened(around, {...state, ...does, block: state.block}, does.block ?? state.block);
  }
  const stage = does.stage && stageNamed(stages, does.stage);
  const there = {...(stage ? stood(facts, state, stage) : state), ...does, number: held};
  const next = inBlock(facts, there);
  if (does.depth === 1) next.stage = stageOf(around, next, 'query') ?? next.stage;
  const asks = ['token', 'head', 'block', 'part', 'stream'].some(name => name in does);
  return asks && does.key === undefined && next.depth < 2 ? settled(around, next) : next;
}
/**
 * The silenced heads once the head in focus is another: silent or not.
 * @param {Facts} facts
 * @param {State} state
 * @param {[number, number][]} silent
 * @returns {[number, number][] | null} null where there is no head
 */
export function silenced(facts, state, silent) {
  const part = attentionIn(facts, state);
  if (!part) return null;
  const isHere = ([attention, head]) => attention === part.attention && head === state.head;
  const others = silent.filter(one => !isHere(one));
  return others.length < silent.length ? others : [...silent, [part.attention, state.head]];
}
/**
 * The state for another text: at the token that is hidden, else at the last one where the next one
 * is told, else at the same token, if it still stands there.
 * @param {Around} around of that text
 * @param {State} state
 * @param {Facts} before of the text before
 * @returns {State}
 */
export function readAnew(around, state, before) {
  const {facts} = around;
  const [tokens, were] = [facts, before].map(of => tokensIn(of, state.stream));
  const hidden = facts.mask ? tokens.indexOf(facts.mask) : -1;
  const goesOn = facts.kind === 'next' && state.stream === answering(facts.anatomy);
  const same = tokens[state.token] === were[state.token] ? state.token : 0;
  const token = hidden >= 0 ? hidden : goesOn ? tokens.length - 1 : same;
  return settled(around, {...state, token, number: ''});
}
/**
 * The state for another text: what is not there is not in focus.
 * @param {Around} around
 * @param {State} state
 * @returns {State}
 */
export function clampedState({facts, stages}, state) {
  const {streams} = facts.anatomy;
  const stream = bounded(state.stream, streams.length);
  const block = bounded(state.block, Math.max(1, streams[stream].blocks.length));
  const token = bounded(state.token, tokensIn(facts, stream).length);
  const there = inBlock(facts, {...state, stream, block, token});
  const depth = attentionIn(facts, there) ? there.depth : Math.min(1, there.depth);
  const key = bounded(there.key, keysIn(facts, there).length);
  const known = stageNamed(stages, there.stage);
  const stage = known ? there.stage : (stageOf({stages}, there, 'update') ?? stages[0].id);
  return {...there, depth, key, stage};
}
