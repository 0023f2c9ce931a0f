// Why a weight is what it is, in words: which numbers of q and k give its score.

import {phrase} from '../shared/nodes.js';
import {inMarks, percents, probable, written} from './names.js';
import {isHidden, productsOf, totalOf} from './why_numbers.js';

const HALF = 0.58; // what is said to be half
const LITTLE = 0.01; // of a token's attention

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
const productsWith = ({numbers, part, state}, key) =>
  productsOf(numbers, part, state, key)?.products;
function isMasked({numbers, part, state}, key) {
  if (!part.mask) return false;
  const score = numbers.inMap(part, part.masked, state.head, state.token, key);
  return score === null ? null : isHidden(score);
}
function reasonPieces(products, scale) {
  const score = totalOf(products);
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
  const lead = totalOf(gains);
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
