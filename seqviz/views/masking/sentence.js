// The sentences over masked words, made from the numbers on screen.

import {phrase} from '../shared/nodes.js';
import {bare} from '../shared/pieces.js';
import {chance, many, readable, SIGNS} from '../shared/texts.js';

const LETTERS = 24;
const SURE = 0.6;
const MISLED = 0.5;
const OPEN = 0.4;
const TOLD = 0.55;
const LOST = 0.2;
const WON = -0.05;
const FEW = 20;

export const percent = share => `${(100 * share).toFixed(1)} %`;

// ---- in pieces: {i: a token}, {b: from both sides}, {em: from the left}, {u: what is wrong}
const inQuotes = text => phrase`“${{i: readable(text, LETTERS)}}”`;
// The token at a position, or another in its place; what goes on keeps its mark where nothing is.
// A piece of a character is said without a word that is no more than it, or nobody knows.
function quoted({bare: texts, letters, words, marks}, k, token) {
  const word = words[k];
  const other = token !== undefined;
  const own = other ? bare(token, marks) : texts[k];
  if (word.length === 1) return inQuotes(other && marks === '##' ? token : own);
  const cut = word.some(j => texts[j] !== letters[j]);
  const whole = word.map(j => (other && j === k ? own : letters[j])).join('');
  if (cut && (other || own.endsWith(` of ${readable(whole, LETTERS)}`))) return inQuotes(own);
  return phrase`${inQuotes(own)} of ${inQuotes(whole)}`;
}
function fromBoth([first, second], truth) {
  const [both, left] = [{b: chance(truth.both)}, {em: chance(truth.left)}];
  return phrase`${left} from ${readable(second)}, ${both} from ${readable(first)}`;
}
export function headline(scene) {
  const {sentence, at, other, row, written, compared, names} = scene;
  if (at === null) return overviewPieces(scene);
  if (written) return writtenPieces(scene);
  const word = quoted(sentence, at);
  const {truth, guesses} = row;
  if (other !== null) return pairPieces(word, quoted(sentence, other), scene.before, truth.both);
  if (truth.rank > 1) {
    const [{word: token, both}] = guesses;
    const best = phrase`${quoted(sentence, at, token)} with ${{b: chance(both)}}`;
    return notFirstPieces(word, truth, best, both >= MISLED);
  }
  if (!compared) {
    const gives = truth.both >= SURE ? phrase`give ${word} away` : phrase`favour ${word}`;
    return phrase`The words around it ${gives}: ${{b: chance(truth.both)}}.`;
  }
  return phrase`${comparison(word, truth)}: ${fromBoth(names, truth)}.`;
}
function comparison(word, {both, left}) {
  if (both < OPEN) return phrase`Both sides leave ${word} open`;
  if (left > TOLD * both) return phrase`The left side already tells ${word}`;
  return both < SURE
    ? phrase`The right side helps ${word}`
    : phrase`The right side gives ${word} away`;
}
// There no token is the true one.
function writtenPieces({sentence, at, other, row, compared, names}) {
  const [best] = row.guesses;
  const too = other === null ? [] : phrase`With ${quoted(sentence, other)} masked, too, `;
  const share = compared ? fromBoth(names, best) : [{b: chance(best.both)}];
  return phrase`${too}${quoted(sentence, at, best.word)} fits best: ${share}.`;
}
function overviewPieces({sentence, gains, compared, names}) {
  const start = sentence.written.length ? 'No other word is masked.' : 'Nothing is masked.';
  if (!gains.length) return [start];
  const [{k, truth}] = gains;
  const word = quoted(sentence, k);
  if (!compared) return phrase`${start} Easiest to guess is ${word}: ${{b: chance(truth.both)}}.`;
  if (truth.both <= truth.left) return [`${start} No token gains from the right side.`];
  return phrase`${start} The right side helps ${word} most: ${fromBoth(names, truth)}.`;
}
function pairPieces(word, other, before, now) {
  const from = chance(before);
  const to = {b: chance(now)};
  const start = phrase`Masking ${other} too`;
  if (before - now > LOST) {
    return phrase`${start} hides evidence: ${word} falls from ${from} to ${to}.`;
  }
  if (before - now < WON) return phrase`${start} helps: ${word} rises from ${from} to ${to}.`;
  return phrase`${start} changes little: ${word} had ${from}, now ${to}.`;
}
function notFirstPieces(word, truth, best, wrong) {
  const p = {b: chance(truth.both)};
  const own = phrase`the true ${word} has rank ${many(truth.rank)} with ${p}`;
  return wrong
    ? phrase`${{u: `${SIGNS.wrong} Wrong:`}} the best guess is ${best}; ${own}.`
    : phrase`Many tokens fit: ${own}, the best guess is ${best}.`;
}

// ---- the second pane
/** What became of the chosen tokens, and how many are guessed right at this rate. */
export function lesson({counts, hump, here}) {
  const clauses = counts ? [drawnClause(counts)] : [];
  if (hump) clauses.push(rateClause(hump, here));
  return clauses.join(' ').replaceAll(' %', '\u00a0%');
}
function drawnClause(counts) {
  const n = counts.reduce((a, b) => a + b);
  if (n === 0) return 'No token is chosen yet.';
  const [masked, replaced, kept] = counts.map(k => (n < FEW ? String(k) : percent(k / n)));
  const chosen = `${many(n)} chosen token${n > 1 ? 's' : ''}`;
  return `Of ${chosen} ${masked} become [MASK], ${replaced} another token, ${kept} stay.`;
}
function rateClause(hump, here) {
  const {rate, accuracy, error} = hump[here];
  const best = hump.reduce((most, one) => (one.accuracy > most.accuracy ? one : most));
  const right = `With ${percent(rate)} chosen ${percent(accuracy)} are guessed right`;
  if (rate === best.rate) return `${right}, the most of all.`;
  const apart = best.accuracy - accuracy > 2 * Math.hypot(error, best.error);
  const beside = `${percent(best.accuracy)} with ${percent(best.rate)}`;
  return apart
    ? `${right}; the most are ${beside}.`
    : `${right}; the most, ${beside}, lie within the error.`;
}
