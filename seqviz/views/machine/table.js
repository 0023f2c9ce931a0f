// What a depth shows as a table: for a screen reader, and as the CSV of the Save menu.

import {saidOf} from '../shared/scene/names.js';
import {attentionIn, keysIn, sidesOf, streamIn, tokensIn} from './standing.js';
import {isHidden, productsOf, totalOf} from './why_numbers.js';

/**
 * Rows of a table, the names of its columns first.
 * @param {World} world
 * @returns {(string | number)[][]}
 */
export function rowsOf(world) {
  const {facts, state} = world;
  if (state.depth === 0 || !attentionIn(facts, state)) return wholeRows(world);
  return state.depth === 1 ? blockRows(world) : whyRows(world);
}
/** What the table is of, in words. */
export function captionOf({facts, state, labels}) {
  const {tokens, side} = streamIn(facts, state);
  const part = attentionIn(facts, state);
  const token = labels[tokens][state.token];
  if (state.depth === 0 || !part) {
    return 'What is added to each token, and what it says';
  }
  const where = `${side && `${side} `}block ${state.block}${part.cross ? ', cross-attention' : ''}`;
  if (state.depth === 1) return `Weights of ${token} in ${where}, by key and head`;
  const key = labels[sidesOf(facts, state).answering][state.key];
  return `Why head ${state.head} of ${where} gives ${token} its weights; q of ${token}, k of ${key}`;
}
// The length of each update over that of what it is added to; the answer at the end.
function wholeRows({facts, stages, numbers, state}) {
  const {stream} = state;
  const added = stages.filter(one => one.stream === stream && one.depth0 && one.role === 'update');
  const {blocks} = streamIn(facts, state);
  const answered = stream === facts.anatomy.streams.length - 1 && facts.answers;
  const byToken = answered && answered.length > 1;
  const {spans, classes} = facts;
  const guess = token => {
    if (spans) return classes.map(side => saidOf(facts, answered[token], side)?.[1] ?? '');
    const [word = '', p = ''] = answered[byToken ? token : 0]?.[0] ?? [];
    return [word, p];
  };
  const guesses = spans ? classes : ['answer', 'probability'];
  return [
    ['token', ...added.map(({name}) => name), ...(answered ? guesses : [])],
    ...tokensIn(facts, stream).map((name, token) => [
      name,
      ...added.map(({block, part}) => numbers.size(blocks[block].parts[part], token) ?? ''),
      ...(answered ? guess(token) : []),
    ]),
  ];
}
function blockRows({facts, numbers, state}) {
  const part = attentionIn(facts, state);
  const heads = Array.from({length: part.heads}, (_, head) => head);
  return [
    ['key', ...heads.map(head => `head ${head}`)],
    ...keysIn(facts, state).map((name, key) => [
      name,
      ...heads.map(head => numbers.inMap(part, part.weights, head, state.token, key) ?? ''),
    ]),
  ];
}
// Number by number q, k and their product; then key by key the score and the weight.
function whyRows({facts, numbers, state, labels}) {
  const part = attentionIn(facts, state);
  const {head, token, key} = state;
  const names = labels[sidesOf(facts, state).answering];
  const ofKey = (node, place) => numbers.inMap(part, node, head, token, place) ?? '';
  const {query, keys, products = []} = productsOf(numbers, part, state, key) ?? {};
  const [q, k] = [query?.values, keys?.values];
  return [
    ['number or key', 'q', 'k', 'q times k', 'score', 'weight'],
    ...products.map((product, n) => [`number ${n}`, q[n], k[n], product, '', '']),
    ...(products.length ? [['their sum', '', '', totalOf(products), '', '']] : []),
    ...names.map((name, place) => {
      const score = ofKey(part.masked, place);
      const weight = ofKey(part.weights, place);
      return [name, '', '', '', isHidden(part, score) ? 'masked' : score, weight];
    }),
  ];
}
