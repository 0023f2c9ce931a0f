// Which number's equation stands under the picture: the one under the pointer, the one that is
// held, else the one that matters most at this depth.

import {answeredToken, answering, attentionIn} from './standing.js';
import {equationOf} from './equation.js';
import {inMarks, shown} from '../shared/scene/names.js';
import {pythonOf} from './saying.js';
import {productEquation} from './why.js';

/**
 * @typedef {Object} Focused
 * @property {string} title
 * @property {[string, string][]} pieces
 * @property {string} hint what stands behind the title
 * @property {Object[]} inputs to be outlined
 * @property {{node: string, index: number} | null} self
 */

const POINT = 'Point at any number to see how it is made.';
const HELD = 'held, Esc frees';
const parsedNumber = text => {
  const [node, index] = text.split(' ');
  return {node, index: Number(index)};
};
/**
 * @param {World} world
 * @returns {Focused | null} null while parts of it are under way
 */
export function focusedNumber(world) {
  const {state, over, facts} = world;
  if (state.number) return held(world, parsedNumber(state.number));
  if (over?.dim !== undefined && over.node === scoresOf(world)) {
    return productFor(world, over.dim, '');
  }
  if (over?.node !== undefined) return equationFor(world, over, '', true);
  if (facts.silent.length) return inPython(facts);
  const usual = usualNumber(world);
  const found = usual && equationFor(world, usual, POINT, false);
  return found && usual.title ? {...found, title: usual.title} : found;
}
function equationFor(world, number, hint, outlined) {
  const {facts, stages, numbers, labels} = world;
  const found = equationOf({facts, stages, numbers, labels}, number.node, number.index);
  if (!found) return null;
  const {title, pieces, inputs} = found;
  return outlined
    ? {title, pieces, hint, inputs, self: number}
    : {title, pieces, hint, inputs: [], self: null};
}
const scoresOf = ({facts, state}) => state.depth === 2 && attentionIn(facts, state)?.scores;
function productFor(world, dim, hint) {
  const found = productEquation(world, dim);
  return found && {...found, hint, self: null};
}
// At depth 2 a number of q is held together with that of k.
function held(world, number) {
  const {facts, state, numbers} = world;
  const part = state.depth === 2 ? attentionIn(facts, state) : null;
  if (part?.query?.node === number.node) {
    const {k} = numbers.placed(part.query, number.index);
    return productFor(world, k % numbers.length(part.query, 'number'), HELD);
  }
  return equationFor(world, number, HELD, true);
}
function inPython(facts) {
  const pieces = [[pythonOf(facts), '']];
  return {title: 'The same in Python', pieces, hint: '', inputs: [], self: null};
}
// The best answer; the weight of the head in focus; its score.
function usualNumber(world) {
  const {facts, numbers, state} = world;
  const part = attentionIn(facts, state);
  if (state.depth === 0 || !part) return bestAnswer(world);
  const node = state.depth === 1 ? part.weights : part.masked;
  return {node, index: numbers.atMap(part, node, state.head, state.token, state.key)};
}
function bestAnswer({facts, numbers, state, labels}) {
  const {logits, streams} = facts.anatomy;
  if (!logits) return null;
  const length = logits.token === null ? 1 : numbers.length(logits, 'token');
  const token = Math.min(answeredToken(facts, state), length - 1);
  const row = numbers.row(logits, token);
  if (!row) return null;
  const best = row.indexOf(Math.max(...row));
  const word = facts.classes?.[best] ?? facts.answers?.[token]?.[0]?.[0];
  const where = length > 1 ? ` at ${labels[streams[answering(facts.anatomy)].tokens][token]}` : '';
  const title = word === undefined ? '' : `score of ${inMarks(shown(word))}${where}`;
  const index = numbers.at(logits, token, best);
  return {node: logits.node, index, title};
}
