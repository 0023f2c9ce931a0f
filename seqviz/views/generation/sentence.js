// The sentence over the view, made from the numbers on screen.

import {phrase} from '../shared/nodes.js';
import {chance, many, readable} from '../shared/texts.js';
import {keptAt, periodOf} from './decoding.js';

const LETTERS = 20;
export const ROWS = 12; // tokens that stand by name
const ALIKE = 1.5;
const HOT = 1.5;
const COLD = 0.5;
const SPREAD = 0.5;

export const bitsText = doubt => doubt.toFixed(1);
const tokensText = n => `${many(n)} token${n === 1 ? '' : 's'}`;

/** A token as the views of a generation name it. */
export const tokenText = (token, most = LETTERS) => readable(token, most);
const quoted = word => ({em: `“${tokenText(word)}”`});
/** What the first tokens leave to the others. */
export const tailOf = ({cumulated}) => Math.max(0, 1 - cumulated[ROWS - 1]);

// ---- in pieces: {b: a number that counts}, {em: a token}
/** @param {Object} scene `place`, `at` in focus, `following`, `method`, `knob`, `kept`, `greedy` */
export function headline(scene) {
  const {place, method, problem} = scene;
  if (!place) return problem ? ['Here the model stops: ', {b: problem}] : absentPieces(scene);
  if (method === 'greedy') return greedyPieces(scene);
  if (method === 'sample') return samplePieces(scene);
  if (method === 'temperature') return temperaturePieces(scene);
  return method === 'top-k' ? topPieces(scene) : nucleusPieces(scene);
}
function absentPieces({text}) {
  const start = phrase`What comes after ${quoted(text.at(-1).word)} is ${{b: 'not in this page'}}`;
  return phrase`${start}: to go on anywhere, run the model in a notebook.`;
}
function greedyPieces({place, greedy}) {
  const first = quoted(place.words[0]);
  const start = phrase`Greedy takes ${first} (${chance(place.p[0])}) and always the first: `;
  const found = greedy && periodOf(greedy.ids);
  if (!found) return phrase`${start}${{b: 'no luck'}}, so every run is the same.`;
  const same = found.size === 1 ? 'the same token' : `the same ${found.size} tokens`;
  const from = {b: `from token ${found.start + 1} on`};
  return phrase`${start}from the prompt it repeats ${same} ${from}.`;
}
function samplePieces({place, facts: {vocabulary: V}}) {
  if (V <= ROWS) {
    const doubt = {b: `${bitsText(place.doubt)} bits of doubt`};
    return phrase`Plain sampling draws from all ${tokensText(V)}, as the model says: ${doubt}.`;
  }
  const rest = {b: `${chance(tailOf(place))} together`};
  const named = place.p.length > ROWS; // one of them
  const end = named ? `, the likeliest of them ${chance(place.p[ROWS])}.` : '.';
  const others = `the ${tokensText(V - ROWS)} below rank ${ROWS}`;
  return phrase`Plain sampling cuts nothing: ${others} have ${rest}${end}`;
}
function temperaturePieces({place, kept, knob, facts: {vocabulary: V}}) {
  if (knob === 1) {
    const doubt = {b: `${bitsText(place.doubt)} bits of doubt`};
    return phrase`Temperature 1 leaves the model as it is: ${doubt}, no cut.`;
  }
  const start = `Temperature ${knob.toFixed(1)}`;
  const change = {b: `from ${chance(place.p[0])} to ${chance(kept.after[0])}`};
  if (knob < 1) {
    const end = knob < COLD ? ', nearly greedy.' : ', and thins out the tail.';
    return phrase`${start} feeds the first: ${quoted(place.words[0])} ${change}${end}`;
  }
  if (V <= ROWS) return phrase`${start} flattens: the first goes ${change}.`;
  const rest = othersAfter(kept);
  const spread = {b: `from ${chance(tailOf(place))} to ${chance(rest)}`};
  const end = knob > HOT && rest > SPREAD ? ', so it babbles.' : '.';
  return phrase`${start} feeds the tail: the tokens below rank ${ROWS} go ${spread}${end}`;
}
/** What the tokens below the rows have after decoding. */
export function othersAfter({after}) {
  let sum = 0;
  for (const q of after.subarray(0, ROWS)) sum += q;
  return Math.max(0, 1 - sum);
}
function topPieces({kept, knob, facts, word, following}) {
  const {vocabulary: V} = facts;
  const start = `k = ${knob} keeps`;
  if (knob === V) return [`${start} all ${tokensText(V)}: nothing is cut, this is plain sampling.`];
  const after = following && keptAt(following, 'top-k', knob, facts);
  const then = after ? phrase`, ${{b: chance(after.mass)}} after ${quoted(word)}` : '';
  const here = phrase`${{b: `${chance(kept.mass)} of the probability`}} here`;
  return phrase`${start} ${here}${then}: top-k cuts by rank, whatever the doubt.`;
}
function nucleusPieces({kept, knob, facts, word, following}) {
  const {vocabulary: V} = facts;
  const p = `p = ${knob.toFixed(2)} keeps`;
  if (kept.n === V) {
    const all = {b: `all ${tokensText(V)}`};
    return phrase`${p} ${all}: nothing is cut, this is plain sampling.`;
  }
  const start = phrase`${p} ${{b: `${many(kept.n)} of ${tokensText(V)}`}} here`;
  if (!following) return phrase`${start}: the fewest that have p together, so the doubt decides.`;
  const {n} = keptAt(following, 'nucleus', knob, facts);
  const alike = Math.max(n, kept.n) < ALIKE * Math.min(n, kept.n);
  const end = alike
    ? 'about the same doubt, about as many tokens'
    : 'nucleus follows the model’s doubt, top-k does not';
  return phrase`${start}, ${{b: many(n)}} after ${quoted(word)}: ${end}.`;
}
