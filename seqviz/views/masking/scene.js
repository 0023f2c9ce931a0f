// What masked words show: chips, arcs and rows of guesses, as numbers and strings.

import {plainText} from '../shared/nodes.js';
import {bare, goesOn} from '../shared/pieces.js';
import {chance, many, readable, SIGNS} from '../shared/texts.js';
import {arcBetween, MASK} from './chips.js';

const ARC = 0.035; // the least weight with an arc
const NUMBER = 0.05; // and with its number
const FULL = 0.55; // the weight of the darkest shade
const GAINS = 5;
const WORD = 24; // letters of a guess
const ISOLATES = /[\u2066-\u2069]/g;
const HEADLINES = [1.75, 1.5, 1.28, 1.1]; // sizes of their type
const SLACK = 1.06; // tokens stand in wider letters

/** What is masked: `at` is what the guesses are for, `other` a second mask. */
export function focusOf({mask, second, over}) {
  const previewing = over !== null && over !== mask;
  return {at: previewing ? over : mask, other: previewing ? null : second, previewing};
}
/**
 * All that is to be seen of a sentence.
 * @param {Object} sentence as `sentenceOf` makes it
 * @param {{single: Answer, pair: Answer | null}} answers `pair` is needed with a second mask
 * @param {{mask, second, over, head, compare}} state positions from 0, null for none
 * @param {Object} layout of its chips
 * @param {{W: number, em: number, small: number, measure: Function}} size
 */
export function sceneOf({facts, sentence, answers, state, layout, size}) {
  const {at, other, previewing} = focusOf(state);
  const {single, pair} = answers;
  const answer = other === null ? single : pair;
  const k = other === null ? at : Number(at > other);
  const row = at === null ? null : answer.row(k);
  const unfair = at === null ? '' : unfairness(sentence, at, other);
  const all = row ? row.compared : sentence.compared && !sentence.written.length;
  const compared = state.compare && all && !unfair;
  const weights = at === null ? null : answer.weights(state.head, k);
  const scene = {
    facts,
    names: facts.names,
    head: state.head,
    sentence,
    at,
    other,
    written: sentence.written.includes(at),
    row,
    weights,
    compared,
    previewing,
    locked: state.mask,
    before: other === null ? 0 : single.row(at).truth.both,
    places: placesOf(sentence),
    gains: gainsOf(sentence, single),
    size,
    layout,
  };
  const wanted = state.compare && sentence.compared;
  return {
    ...scene,
    chips: chipsOf(scene, single),
    arcs: arcsOf(scene),
    title: row ? `What stands at ${MASK}?` : titleOfGains(compared),
    rows: row ? guessRows(scene) : gainRows(scene),
    note: noteOf(scene, wanted ? unfair : ''),
  };
}
// Why the left-to-right model cannot be compared there; empty if it can.
function unfairness({written}, at, other) {
  if (written.some(k => k < at)) return `would read the ${MASK} before it`;
  return other !== null && other < at ? 'would read the token masked before it' : '';
}
/** Positions that can be masked, those that are written as a mask among them. */
const placesOf = ({tokens, special}) => tokens.map((_, k) => k).filter(k => !special.includes(k));
/** Positions with a true token, those first where the second model lacks most. */
const gainsOf = (sentence, single) =>
  placesOf(sentence)
    .filter(k => !sentence.written.includes(k))
    .map(k => ({k, truth: single.row(k).truth}))
    .sort((a, b) => a.truth.left - a.truth.both - (b.truth.left - b.truth.both));

// ---- the sentence
function chipsOf({sentence, at, other, weights, compared, locked, previewing, layout}, single) {
  const free = at === null;
  return layout.chips.map((chip, k) => {
    const special = sentence.special.includes(k);
    const masked = k === at;
    const second = k === other || (sentence.written.includes(k) && !masked);
    return {
      ...chip,
      text: masked || second ? MASK : sentence.texts[k],
      fontSize: masked || second ? chip.mask : chip.size,
      starts: sentence.words[k][0] === k,
      ends: sentence.words[k].at(-1) === k,
      special,
      masked,
      second,
      previewed: masked && previewing,
      locked: k === locked && previewing,
      shade: weights && !masked ? Math.min(1, weights[k] / FULL) : 0,
      weight: weights && !masked && weights[k] >= NUMBER ? chance(weights[k]) : '',
      readBoth: !free && !masked && !second,
      readLeft: compared && !free && k < at,
      mini: free && !special && !sentence.written.includes(k) ? single.row(k).truth : null,
    };
  });
}
function arcsOf({at, weights, layout, size}) {
  if (!weights) return [];
  return layout.chips.flatMap((chip, k) =>
    k === at || weights[k] < ARC
      ? []
      : [arcBetween(layout.chips[at], chip, weights[k], layout, size.em)],
  );
}

// ---- the guesses
/**
 * A guess as it reads in its place: behind what it goes on from, before the pieces that stay.
 * @returns {{before: string, word: string, after: string}} a piece joins what it goes on from
 */
export function guessTexts(sentence, at, guess) {
  const {words, bare: pieces, letters, tokens, special, marks} = sentence;
  const cut = words[at].some(k => pieces[k] !== letters[k]); // a character: nobody knows which
  const follows = at > 0 && !special.includes(at - 1);
  const joins = follows && marks !== '' && goesOn(tokens[at - 1], guess, marks);
  const alone = marks === '##' && !joins; // a piece that can join nothing keeps its mark
  const joined = places => (cut ? '' : places.map(k => pieces[k]).join(''));
  const start = joins ? joined(words[at - 1].filter(k => k < at)) : '';
  const after = joined(words[at].filter(k => k > at));
  return asOneWord(start, alone ? guess : bare(guess, marks), after);
}
// Parts of a word, which runs as one: no sign of a vowel stands alone, its direction is the word's.
function asOneWord(before, word, after) {
  const part = (text, behind) => {
    const front = behind && text ? 'x' : '';
    return (
      text &&
      readable(front + text, WORD)
        .replace(ISOLATES, '')
        .slice(front.length)
    );
  };
  const shown = [part(before, ''), part(word, before) || '∅', part(after, word)];
  if (readable(before + word + after).startsWith('\u2068')) {
    shown[before ? 0 : 1] = '\u2068' + shown[before ? 0 : 1];
    shown[after ? 2 : 1] += '\u2069';
  }
  return {before: shown[0], word: shown[1], after: shown[2]};
}
function guessRows({sentence, at, written, row, compared, names}) {
  const {guesses, truth, best} = row;
  const own = sentence.tokens[at];
  const texts = guess => guessTexts(sentence, at, guess);
  const numbers = ({both, left}) => ({both, left: compared ? left : null});
  const known = written ? 0 : truth.rank;
  const rows = guesses.map((guess, n) => ({
    kind: known === n + 1 ? 'true' : '',
    rank: String(n + 1),
    ...texts(known === n + 1 ? own : guess.word),
    ...numbers(guess),
  }));
  if (known > rows.length) {
    rows.push({kind: 'true', rank: many(truth.rank), ...texts(own), ...numbers(truth)});
  }
  const rest = name => Math.max(0, 1 - rows.reduce((sum, one) => sum + one[name], 0));
  const others = {both: rest('both'), left: compared ? rest('left') : 0};
  rows.push({
    kind: 'rest',
    word: 'all others',
    before: '',
    after: '',
    rank: '',
    ...numbers(others),
  });
  if (compared) {
    const lead = readable(names[1]);
    rows.push({kind: 'best', rank: '', lead, ...texts(best.word), both: null, left: best.left});
  }
  return rows;
}
function gainRows({gains, sentence, compared}) {
  const most = compared ? gains.filter(({truth}) => truth.both > truth.left) : gains;
  return most.slice(0, GAINS).map(({k, truth}, n) => ({
    kind: 'gain',
    k,
    rank: String(n + 1),
    ...guessTexts(sentence, k, sentence.tokens[k]),
    both: truth.both,
    left: compared ? truth.left : null,
  }));
}
const titleOfGains = compared =>
  compared ? 'Where the right side helps most' : 'What is easiest to guess';
function noteOf({row, written, compared, facts, names}, unfair) {
  if (!row) {
    return 'Over each token: its probability when it alone is masked. Click one to mask it.';
  }
  const {rank, rankLeft} = row.truth;
  const [first, second] = names.map(name => readable(name));
  const own = written
    ? `No token is the true one: ${MASK} is written there`
    : `${SIGNS.right} true token: rank ${many(rank)} of ${many(facts.vocabulary)} from ${first}`;
  if (unfair) return `${own}. No comparison: “${second}” ${unfair}.`;
  return compared && !written ? `${own}, rank ${many(rankLeft)} from ${second}` : own;
}

// How many lines a text takes that is broken at its spaces; words are measured once, not prefixes.
function linesIn(text, W, measure) {
  let lines = 1;
  let x = 0;
  for (const word of text.split(' ')) {
    const wide = measure(word);
    if (x > 0 && x + wide > W) [x, lines] = [0, lines + 1];
    x += wide + measure(' ');
  }
  return lines;
}
/** The largest type in which a headline fits into its lines: what stands below must not move. */
export function headlineSize(pieces, {W, em, measure}, lines) {
  const text = plainText(pieces);
  const sizes = HEADLINES.map(scale => scale * em);
  const count = size => linesIn(text, W / SLACK, words => measure(words, `700 ${size}px`));
  return sizes.find(size => count(size) * size <= lines * sizes[0]) ?? sizes.at(-1);
}
/** A previewed token in words, for who hears it. */
export function readingOf({row, at, written, sentence, compared, names}) {
  if (!row) return '';
  const [first, second] = names;
  const [best] = row.guesses;
  const {both, left} = written ? best : row.truth;
  const from = compared ? `, ${chance(left)} from ${second}` : '';
  if (written) return `${MASK}, best guess ${best.word}: ${chance(both)} from ${first}${from}`;
  return `${readable(sentence.tokens[at])}, masked in preview: ${chance(both)} from ${first}${from}`;
}

// ---- what is saved as a table
const HEADER = ['pane', 'item', 'token', 'quantity', 'value'];
/** Rows of what is on screen. */
export function tableOf(scene, training) {
  const rows = scene.row ? guessTable(scene) : overviewTable(scene);
  return [HEADER, ...rows, ...(training ? training.table : [])];
}
// A row of each model.
function rowsOfModels(start, {both, left}, {compared, names: [first, second]}) {
  const rows = [[...start, first, both]];
  if (compared) rows.push([...start, second, left]);
  return rows;
}
function overviewTable(scene) {
  const token = k => ['overview', String(k + 1), scene.sentence.tokens[k]];
  const ordered = scene.gains.toSorted((a, b) => a.k - b.k);
  return ordered.flatMap(({k, truth}) => rowsOfModels(token(k), truth, scene));
}
function guessTable(scene) {
  const {row, at, written, sentence, weights, compared, names, head} = scene;
  const [first, second] = names;
  const {guesses, truth, best} = row;
  const own = sentence.tokens[at];
  const rows = guesses.flatMap((guess, n) =>
    rowsOfModels(['guess', String(n + 1), guess.word], guess, scene),
  );
  if (!written) rows.push(['true token', `rank ${truth.rank}`, own, first, truth.both]);
  if (compared && !written) {
    rows.push(['true token', `rank ${truth.rankLeft}`, own, second, truth.left]);
  }
  if (compared) {
    rows.push(['best of the second', 'rank 1', best.word, second, best.left]);
  }
  const attended = [...(weights ?? [])].map((weight, k) => [
    'attention',
    String(k + 1),
    sentence.tokens[k],
    head || 'weight',
    weight,
  ]);
  return [...rows, ...attended];
}
