// Why a weight is what it is, in words: which numbers of q and k give its score.

import {phrase} from '../shared/nodes.js';
import {hiddenScore, inMarks, percents, probable, written} from '../shared/scene/names.js';
import {cappedScore, isHidden, productsOf, totalOf} from './why_numbers.js';

const HALF = 0.58; // what is said to be half
const LITTLE = 0.01; // of a token's attention
const ALL = 0.9995; // of it
const ALIKE = 0.005; // scores that read the same

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
  const reads = numbers.mapLine(part, part.masked, state.head, state.token)?.values;
  const products = productsWith(seen, key);
  if (!weights || !products || !reads) return [];
  const hidden = reads.map(read => isHidden(part, read));
  if (hidden[key]) return hiddenPieces(seen, {weight: weights[key], read: reads[key]});
  const own = `${inMarks(keys[key])} ${probable(weights[key])}`;
  const mine = {products, score: scoreOf(part, products), read: reads[key]};
  if (compared !== null && compared !== key && !hidden[compared]) {
    const other = `${inMarks(keys[compared])} ${probable(weights[compared])}`;
    const others = productsWith(seen, compared);
    if (!others) return [];
    const theirs = {products: others, score: scoreOf(part, others), read: reads[compared]};
    return comparedPieces([own, other], [mine, theirs], part);
  }
  const attends = weights[key] < LITTLE ? 'hardly attends to' : 'attends to';
  const alone = weights[key] > ALL && hidden.filter(Boolean).length === keys.length - 1;
  const reason = alone && keys.length > 1 ? 'the mask hides all others' : whyScored(mine, part);
  return phrase`${token} ${attends} ${{strong: own}}: ${reason}`;
}
const productsWith = ({numbers, part, state}, key) =>
  productsOf(numbers, part, state, key)?.products;
const scoreOf = (part, products) => cappedScore(part, totalOf(products));
// A key that a mask hides; of a row where it hides all, the softmax makes equal weights, or NaN.
function hiddenPieces({token, keys, state}, {weight, read}) {
  const name = {strong: inMarks(keys[state.key])};
  if (!(weight < LITTLE)) {
    return phrase`The mask hides all from ${token}: ${name} has ${{strong: probable(weight)}} all the same`;
  }
  const puts = `the mask makes its score ${hiddenScore(read)}`;
  return phrase`${token} must not see ${name}: ${puts}`;
}
// What makes q · k, which is the score where nothing is added to it and nothing caps it.
function whyScored({products, score, read}, {mask, cap, scale}) {
  const added = mask ? read - score : 0;
  const adds = Math.abs(added) >= ALIKE;
  const name = adds || cap ? 'q · k' : 'the score';
  const more = adds ? `; ${written(added)} is added` : cap ? `; capped, ${written(score)}` : '';
  return `${madeOf(products, name, scale)}${more}`;
}
function madeOf(products, name, scale) {
  const sum = totalOf(products);
  if (!Number.isFinite(sum)) return `${name} is no number`;
  if (sum <= 0) return `q and k point apart, ${name} is ${written(sum / scale)}`;
  const sorted = [...products].sort((a, b) => b - a);
  const [most] = sorted;
  const number = `number ${products.indexOf(most)}`;
  if (most > sum * 1.005) {
    return `${number} gives ${written(most)}, the others ${written(sum - most)}`;
  }
  if (most >= sum / 2) {
    const share = most < HALF * sum ? 'half' : percents(most / sum);
    return `${number} alone gives ${most >= 0.995 * sum ? name.replace('the ', 'the whole ') : `${share} of ${name}`}`;
  }
  let given = 0;
  const count = sorted.findIndex(value => (given += value) >= sum / 2) + 1;
  const share = given < HALF * sum ? 'half' : percents(given / sum);
  return `${count} of ${products.length} numbers give ${share} of ${name}`;
}
function comparedPieces([own, other], [mine, theirs], {cap, scale}) {
  const lead = mine.read - theirs.read;
  const size = Math.abs(lead);
  const verb = lead >= 0 ? 'beats' : 'loses to';
  const start = phrase`${{strong: own}} ${verb} ${{em: other}} by ${written(size)}`;
  const ofProducts = mine.score - theirs.score;
  if (Math.abs(lead - ofProducts) >= ALIKE) {
    const added = `what is added ${written(lead - ofProducts)}`;
    return phrase`${start}: q · k gives ${written(ofProducts)}, ${added}`;
  }
  if (!size || cap) return start;
  const gains = mine.products.map((value, k) => (value - theirs.products[k]) * Math.sign(lead));
  const most = Math.max(...gains);
  const gives = most / (size * scale);
  const all = gives > 1.005 ? 'all of it, and more' : 'all of it';
  return phrase`${start}: number ${gains.indexOf(most)} gives ${gives < 0.995 ? percents(gives) : all}`;
}
