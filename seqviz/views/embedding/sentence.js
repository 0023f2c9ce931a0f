// The sentences over the map and over the senses, in pieces: {b} in focus, {em} compared, {u}
// wrong, {strong} the point.

import {phrase} from '../shared/nodes.js';
import {readable, signed, SIGNS} from '../shared/texts.js';

export const LETTERS = 20; // of a word
const NUMBERS = 'one two three four five six seven eight nine ten'.split(' ');

export const quoted = word => `“${readable(word, LETTERS)}”`;
/** 1st, 2nd, 3rd, 11th. */
export function nth(n) {
  const ending = {1: 'st', 2: 'nd', 3: 'rd'}[n % 10];
  const teen = [11, 12, 13].includes(n % 100);
  return n.toLocaleString('en') + (teen || !ending ? 'th' : ending);
}
/** A number of sentences; those that share a tie make one with a decimal. */
export const counted = n =>
  Math.abs(n - Math.round(n)) < 1e-9 ? String(Math.round(n)) : n.toFixed(1);
export const percent = share => `${Math.round(100 * share)}\u00a0%`;

// ---- the map
const lieNearer = n => (n === 1 ? '1 word lies nearer' : `${n} words lie nearer`);
/** @param {Object} scene what `mapScene` returns */
export function mapHeadline(scene) {
  if (scene.sum && scene.other === null) return sumHeadline(scene);
  if (scene.other !== null) return pairHeadline(scene);
  const {word, rows, accent} = scene;
  const me = {[accent]: quoted(word)};
  const worst = rows.find(row => row.far);
  if (!worst) {
    const all = `its ${NUMBERS[rows.length - 1]} nearest words lie close on the map too`;
    return phrase`${me}: ${{strong: all}}.`;
  }
  const order = worst.rank === 1 ? 'nearest' : `${nth(worst.rank)} nearest`;
  const point = {strong: lieNearer(worst.nearer)};
  return phrase`${{strong: quoted(worst.text)}} is ${order} to ${me}; on the map ${point}.`;
}
function sumHeadline({rows, sum, texts}) {
  const [plus, minus, added] = texts.map(word => ({b: quoted(word)}));
  const total = phrase`${plus} − ${minus} + ${added}`;
  const first = rows.find(row => row.rank === 1);
  if (sum.rank === null || sum.rank === 1) {
    return phrase`${total} lands nearest to ${{strong: quoted(first.text)}}.`;
  }
  const {text} = rows.find(row => row.id === sum.expected);
  const wrong = {u: `${SIGNS.wrong} ${quoted(first.text)}`};
  return phrase`${total} gives ${wrong}; ${{strong: quoted(text)}} is ${nth(sum.rank)}.`;
}
function pairHeadline({sum, word, other}) {
  const both = phrase`${sum ? 'The sum' : {b: quoted(word)}} and ${{em: quoted(other.word)}}`;
  if (sum) {
    return phrase`${both}: cosine ${other.cos === null ? 'not known here' : signed(other.cos)}.`;
  }
  if (other.cos === null) return phrase`${both}: only a running kernel can say how near they are.`;
  const told = other.looksNear
    ? other.isNear
      ? ' are near on the map and in all directions'
      : ' only look near: they are not'
    : other.isNear
      ? ' only look far: they are near'
      : ' are far on the map and in all directions';
  return phrase`${both}${{strong: told}}.`;
}
/** The line under it. */
export function mapDetail(scene, {directions, shares}) {
  const {sum, rows, other, word} = scene;
  if (other !== null && !sum) {
    const cosine =
      other.cos === null ? '' : `Cosine ${signed(other.cos)} in all ${directions} directions; `;
    const lie = `on the map ${lieNearer(other.nearer)} to ${quoted(word)}.`;
    return cosine + (cosine ? lie : lie[0].toUpperCase() + lie.slice(1));
  }
  if (sum) {
    const [top] = rows;
    const why = top.input
      ? `or ${quoted(top.text)} itself would come first (${signed(top.cos)})`
      : 'and here the answer would come first even with them';
    return `The three input words are left out, ${why}.`;
  }
  const far = rows.filter(row => row.far).length;
  const count = `${far} of the ${NUMBERS[rows.length - 1]} ${far === 1 ? 'looks' : 'look'} far. `;
  const kept = `The map keeps 2 of ${directions} directions, ${percent(shares[0] + shares[1])} of the variance`;
  return `${far ? count : ''}${kept}; the list uses all.`;
}

// ---- the senses
/** @param {Object} scene what `sensesScene` returns */
export function sensesHeadline({word, senses, layer, chosen}) {
  if (chosen !== null) return sentenceHeadline(senses, layer, chosen);
  const {right, count, chance} = senses;
  const here = {strong: `${counted(right[layer])} of ${count}`};
  const me = {b: quoted(word)};
  const last = right.length - 1;
  const sure = right.findLastIndex(n => n <= count - 1e-9) + 1;
  if (layer >= sure && sure < last) {
    return phrase`${after(sure)} and later the nearest ${me} has the same sense: ${here}.`;
  }
  if (right[layer] <= chance + 1e-9) {
    return phrase`${after(layer)} the senses of ${me} are not apart: ${here}.`;
  }
  return phrase`${after(layer)} the nearest ${me} has the same sense in ${here}.`;
}
/** Where in the net: the embeddings, then the states after one layer and more. */
const after = layer =>
  layer ? `After ${layer} layer${layer > 1 ? 's' : ''}` : 'In the embeddings';
function sentenceHeadline(senses, layer, k) {
  const near = senses.nearest(layer, k);
  const share = senses.shareRight(layer, k);
  const where = phrase`${after(layer)} sentence ${{b: String(k + 1)}}`;
  if (near.length > 1) {
    const same = {strong: `${Math.round(share * near.length)} with the same sense`};
    return phrase`${where} has ${near.length} that are equally near: ${same}.`;
  }
  const sense = share ? {strong: 'the same sense'} : {u: `${SIGNS.wrong} another sense`};
  return phrase`${where} is nearest to ${near[0] + 1}: ${sense}.`;
}
/** The line under it. */
export function sensesDetail({senses, layer, chosen}) {
  if (chosen !== null) {
    const [first] = senses.nearest(layer, chosen);
    const text = k => `“${senses.text(k)}”`;
    const cosine = signed(senses.cosine(layer, chosen, first));
    return `Cosine ${cosine}: ${text(chosen)} and ${text(first)}.`;
  }
  const tied = senses.sentences.filter((_, k) => senses.nearest(layer, k).length > 1).length;
  const ties = tied ? ` ${tied} have several equally near, which share.` : '';
  const {same, other} = senses.means(layer);
  const mean = `Mean cosine: same sense ${signed(same)}, another ${signed(other)}.`;
  return `By chance ${counted(senses.chance)}. ${mean}${ties}`;
}
