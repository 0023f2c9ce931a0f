// Why a weight is what it is, in words: which numbers of q and k give its score.

import {phrase} from '../shared/nodes.js';
import {inMarks, percents, probable, written} from './names.js';

const HALF = 0.58; // what is said to be half
const LITTLE = 0.01; // of a token's attention
const NEVER = -1e4; // scores below are masked

/**
 * Why a weight is what it is, in words; none while parts are under way.
 * @param {{numbers: Numbers, part: Object, state: State, token: {b: string}, keys: string[]}} seen
 * `token` asks, `keys` are what all keys are called; `state.compared` is held against the one in
 * focus
 * @returns {(string | Object)[]} pieces for say()
 */
export function lessonOfWeight(seen) {
  const {numbers, part, state, token, keys} = seen;
  const {key, compared = null} = state;
  const weights = numbers.attended(part, state.head, state.token);
  const products = productsWith(seen, key);
  const hides = isMasked(seen, key);
  if (!weights || !products || hides === null) return [];
  const own = `${inMarks(keys[key])} ${probable(weights[key])}`;
  if (hides) {
    const name = {strong: inMarks(keys[key])};
    return phrase`${token} must not see ${name}: the mask puts −∞ in place of the score`;
  }
  if (compared !== null && compared !== key && isMasked(seen, compared) === false) {
    const other = `${inMarks(keys[compared])} ${probable(weights[compared])}`;
    return comparedPieces(part, [own, other], [products, productsWith(seen, compared)]);
  }
  const attends = weights[key] < LITTLE ? 'hardly attends to' : 'attends to';
  const reason = reasonPieces(products, part.scale);
  return phrase`${token} ${attends} ${{strong: own}}: ${reason}`;
}
// q times k, number by number of the head; null while they are under way.
function productsWith({numbers, part, state: {head, token}}, key) {
  const [query, keys] = [part.query, part.key].map(({node}) => numbers.value(node));
  if (!query || !keys) return null;
  const each = numbers.length(part.query, 'number');
  const sharedHead = numbers.length(part.key, 'head') === 1 ? 0 : head;
  return Array.from({length: each}, (_, k) => {
    const q = query[numbers.at(part.query, token, head * each + k)];
    return q * keys[numbers.at(part.key, key, sharedHead * each + k)];
  });
}
function isMasked({numbers, part, state}, key) {
  if (!part.mask) return false;
  const score = numbers.inMap(part, part.masked, state.head, state.token, key);
  return score === null ? null : score < NEVER;
}
const sumOfAll = values => values.reduce((sum, value) => sum + value, 0);
function reasonPieces(products, scale) {
  const score = sumOfAll(products);
  if (score <= 0) return [`q and k point apart, the score is ${written(score / scale)}`];
  const sorted = [...products].sort((a, b) => b - a);
  const [most] = sorted;
  if (most < score / 2) {
    let sum = 0;
    const count = sorted.findIndex(value => (sum += value) >= score / 2) + 1;
    return [`${count} of ${products.length} numbers give half of the score`];
  }
  const share = most < HALF * score ? 'half' : percents(most / score);
  const gives = most >= score ? 'the whole score' : `${share} of the score`;
  return [`number ${products.indexOf(most)} alone gives ${gives}`];
}
function comparedPieces({scale}, [own, other], [mine, theirs]) {
  const gains = mine.map((value, k) => value - theirs[k]);
  const lead = sumOfAll(gains);
  const toLead = gains.map(gain => gain * Math.sign(lead));
  const most = Math.max(...toLead);
  const size = Math.abs(lead);
  const gives = percents(most / size);
  const all = most > 1.005 * size ? 'all of it, and more' : 'all of it';
  const verb = lead >= 0 ? 'beats' : 'loses to';
  const start = phrase`${{strong: own}} ${verb} ${{em: other}} by ${written(size / scale)}`;
  if (!size) return start;
  return phrase`${start}: number ${toLead.indexOf(most)} gives ${most < 0.995 * size ? gives : all}`;
}
