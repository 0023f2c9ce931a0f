// What the model says at the query in focus: its likeliest guesses; while heads are silenced those
// with all heads and those without, side by side, or how far the state of each token turned.

import {put, svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {cutTo, portion, readable} from '../shared/texts.js';
import {cellAt} from './cursor.js';
import {quote} from './labels.js';
import {blank, END, MIDDLE, write} from './panes.js';
import {silentText} from './silence.js';
import {weight} from './weights.js';

const GUESS_HIGH = 24;
const GUESSES_FROM = 50;
// pixels; `least` and `most` of a guess, across
const ALONE = {top: 16, under: 40, row: 34, gap: 24, least: 110, most: 180};
const SHIFT = {top: 40, high: 64, names: 74};

/**
 * The token that the model speaks at: the last one of a word; null if none is in focus.
 * @param {Scene} scene
 * @returns {number | null}
 */
function spokenAt({facts: {silence}, kind, sheet, A}) {
  const {row} = cellAt(A);
  const known = silence?.tokens && (silence.guesses || silence.shifts);
  return known && row >= 0 && silence.predicts.includes(kind.name) ? sheet.rows[row].to - 1 : null;
}

// ---- in words
// What silencing changed at a token.
function lessonOfSilence({silence, kinds}, kind, token) {
  if (token === null || !silence.predicts.includes(kind)) return null;
  const {guesses, shifts, tokens} = silence;
  const without = silentText({silence, kinds});
  const name = {b: quote(readable(tokens[token]))};
  if (guesses) {
    const [[was, before], [says, after]] = ['before', 'after'].map(when => guesses[when][token][0]);
    const other = was === says ? '' : `${quote(readable(was))} with `;
    const word = {strong: quote(readable(says))};
    const numbers = ` with ${portion(after)}, before ${other}${portion(before)}`;
    return [`Without ${without}, `, name, ' says ', word, numbers];
  }
  if (!shifts) return null;
  return [`Without ${without}, the state of `, name, ` shifts by ${weight(shifts[token])}`];
}
/** The same of what is in focus. */
export const lessonHere = scene =>
  scene.show ? lessonOfSilence(scene.facts, scene.kind.name, spokenAt(scene)) : null;

// ---- the guesses
// The guesses of one run, each with how its rank differs from that in the other run.
function ranksOf(own, other, after) {
  return own.map(([token, chance], rank) => {
    const place = other.findIndex(([one]) => one === token);
    const up = place - rank;
    if (place < 0) {
      return {token, chance, mark: after ? 'new' : 'out', words: after ? 'new' : 'not after'};
    }
    if (!after || !up) return {token, chance, mark: '', words: ''};
    const mark = `${up > 0 ? '▲' : '▼'}${Math.abs(up)}`;
    return {token, chance, mark, words: `${up > 0 ? 'up' : 'down'} ${Math.abs(up)}`};
  });
}
const guessesHigh = (was, says) =>
  GUESSES_FROM + GUESS_HIGH * Math.max(was.length, says.length) + 4;
function drawGuesses(node, scene, token, width) {
  const {before, after} = scene.facts.silence.guesses;
  const [was, says] = [before[token], after[token]];
  const lists = [
    {title: 'with all heads', rows: ranksOf(was, says, false)},
    {title: `without ${silentText(scene.facts)}`, rows: ranksOf(says, was, true)},
  ];
  const most = Math.max(...lists.flatMap(({rows}) => rows.map(one => one.chance))) || 1;
  const gap = 20;
  const wide = (width - gap) / 2;
  const names = lists.flatMap(({rows}) => rows.map(({token}) => readable(token, 24)));
  const longest = Math.max(...names.map(name => scene.measure(name, '700 14px')));
  const room = Math.min(wide * 0.42, Math.max(30, longest + 2));
  blank(node, width, guessesHigh(was, says));
  drawSaysTitle(node, scene, saysTitle(scene, token), width);
  lists.forEach(({title, rows}, i) => {
    const x = i * (wide + gap);
    const kind = i ? 'hot' : 'strong';
    write(node, cutTo(title, wide, scene.measure, '700 13px'), `mid ${kind}`, {x, y: 40});
    rows.forEach((row, k) => {
      const y = GUESSES_FROM + k * GUESS_HIGH;
      const line = new Row(node, {y, tall: GUESS_HIGH, base: y + GUESS_HIGH / 2 + 5});
      drawGuess(line, scene, row, {x, wide, room, most, i});
    });
  });
  return lists
    .map(({title, rows}) => {
      const said = rows.map(({token, chance: p, words}) =>
        [quote(readable(token)), portion(p), words].filter(Boolean).join(' '),
      );
      return `${title}: ${said.join(', ')}`;
    })
    .join('; ');
}
// Where the guesses of one run stand: in a row beside their title, or under it where that is wide.
function aloneIn(scene, token, width) {
  const said = scene.facts.silence.guesses.before[token];
  const title = saysTitle(scene, token);
  const left = Math.ceil(scene.measure(title, '700 15px')) + ALONE.gap;
  const beside = width - left >= ALONE.least * said.length;
  const room = beside ? width - left : width;
  const across = Math.max(1, Math.min(said.length, Math.floor(room / ALONE.least)));
  const wide = Math.min(ALONE.most, room / across);
  const rows = Math.ceil(said.length / across);
  const at = k => ({
    x: (beside ? left : 0) + (k % across) * wide,
    y: (beside ? ALONE.top : ALONE.under) + ALONE.row * Math.floor(k / across),
  });
  return {said, title, wide, at, high: at(0).y + 19 + ALONE.row * (rows - 1)};
}
// Each guess over its bar, so that all stand under the map on one screen.
function drawGuessesAlone(node, scene, token, width) {
  const {measure, tone} = scene;
  const {said, title, wide, at, high} = aloneIn(scene, token, width);
  const most = said[0][1] || 1;
  blank(node, width, high);
  drawSaysTitle(node, scene, title, width);
  said.forEach(([guess, p], k) => {
    const {x, y} = at(k);
    const bar = y + 7;
    const end = x + wide - 16;
    const room = wide - 24 - measure(portion(p), '13px');
    const text = cutTo(readable(guess, 24), room, measure, '700 14px');
    write(node, text, `guess ${k ? 'plain' : 'strong'}`, {x, y});
    write(node, portion(p), 'mid plain', {x: end, y, ...END});
    svg(node, 'line', {x1: x, x2: end, y1: bar + 6, y2: bar + 6, stroke: tone.rule});
    const long = Math.max(1, ((wide - 16) * p) / most);
    svg(node, 'rect', {x, y: bar, width: long, height: 6, rx: 2, fill: tone.focus});
  });
  return said.map(([guess, p]) => `${quote(readable(guess))} ${portion(p)}`).join(', ');
}
function drawGuess(line, {measure, tone}, {token, chance: p, mark}, {x, wide, room, most, i}) {
  const bar = x + room + 6;
  const marks = 38;
  const long = Math.max(8, wide - room - 6 - 42 - marks);
  const text = cutTo(readable(token, 24), room, measure, '700 14px');
  line.text(x, text, `guess ${mark ? 'strong' : 'plain'}`);
  line.axis(bar, 2, {stroke: tone.rule});
  line.bar(bar, (long * p) / most, GUESS_HIGH - 10, {rx: 2, fill: i ? tone.focus : tone.soft});
  line.end(x + wide - marks, portion(p), 'mid plain');
  if (mark) line.end(x + wide, mark, 'mid second');
}

// ---- the shifts
function drawShifts(node, scene, token, width) {
  const {tokens, shifts} = scene.facts.silence;
  const {top, high} = SHIFT;
  const step = Math.min(34, width / shifts.length);
  const names = step >= 12 ? SHIFT.names : 20;
  blank(node, width, top + high + names);
  const title = `Shift of ${spokenName(scene, token)}: ${weight(shifts[token])}`;
  drawSaysTitle(node, scene, title, width, '1 − cosine of the states, before and after');
  drawShiftBars(node, scene, token, step);
  if (step >= 12) drawShiftNames(node, scene, token, step);
  const said = tokens.map((text, k) => `${quote(readable(text))} ${weight(shifts[k])}`);
  return `shift of each token's state, 1 minus cosine: ${said.join(', ')}`;
}
function drawShiftBars(node, {facts, tone, accent}, token, step) {
  const {shifts} = facts.silence;
  const {top, high} = SHIFT;
  const base = top + high;
  const most = Math.max(...shifts) || 1;
  const middle = k => (k + 0.5) * step;
  const tall = k => Math.max(shifts[k] > 0 ? 1 : 0, (high * shifts[k]) / most);
  const axis = {x1: 0, x2: step * shifts.length, y1: base, y2: base};
  svg(node, 'line', {...axis, stroke: tone.soft});
  shifts.forEach((_, k) => {
    const fill = k === token ? accent : tone.soft;
    const box = {x: (k + 0.15) * step, y: base - tall(k), width: step * 0.7, height: tall(k)};
    svg(node, 'rect', {...box, fill, 'data-shift': k});
  });
  const largest = shifts.indexOf(Math.max(...shifts));
  const numbers = Math.abs(largest - token) * step > 30 ? [token, largest] : [token];
  for (const k of numbers) {
    const place = {x: Math.max(14, middle(k)), y: base - tall(k) - 4, ...MIDDLE};
    write(node, weight(shifts[k]), k === token ? 'hot' : 'soft', place);
  }
  svg(node, 'path', {d: `M${middle(token)} ${base + 2}l5 8h-10z`, fill: accent});
}
function drawShiftNames(node, {facts, measure}, token, step) {
  const {top, high, names} = SHIFT;
  facts.silence.tokens.forEach((text, k) => {
    const short = cutTo(readable(text, 16), names - 14, measure, '700 12px');
    const transform = `translate(${(k + 0.5) * step + 4},${top + high + 16}) rotate(-60)`;
    write(node, short, k === token ? 'hot' : 'soft', {transform, ...END});
  });
}

// ---- the pane
const EDGE = 21; // pixels over the pane, with its rule
/**
 * Pixels that the pane takes.
 * @param {Scene} scene
 * @param {number} width pixels
 * @returns {number} 0 where nothing is known
 */
export function predictionsHigh(scene, width) {
  const {silence} = scene.facts;
  if (!silence?.tokens || !(silence.guesses || silence.shifts)) return 0;
  const token = spokenAt(scene);
  if (token === null) return EDGE + 24;
  if (silence.shifts) return EDGE + SHIFT.top + SHIFT.high + SHIFT.names;
  const {before, after} = silence.guesses;
  const high = after ? guessesHigh(before[token], after[token]) : aloneIn(scene, token, width).high;
  return EDGE + high;
}
const spokenName = ({facts}, token) => quote(readable(facts.silence.tokens[token], 16));
const saysTitle = (scene, token) => `What the model says at ${spokenName(scene, token)}`;
function drawSaysTitle(node, {measure}, title, width, more = '') {
  const text = cutTo(title, width, measure, '700 15px');
  write(node, text, 'large strong', {x: 0, y: 16});
  const room = width - measure(text, '700 15px') - 16;
  if (room < 60 || !more) return;
  write(node, cutTo(more, room, measure, '12px'), 'soft', {x: width, y: 16, ...END});
}
/**
 * Draws the pane; it is empty where nothing is known.
 * @param {SVGElement} node
 * @param {Scene} scene
 * @param {number} width pixels
 */
export function drawPredictions(node, scene, width) {
  const {silence} = scene.facts;
  const known = silence?.tokens && (silence.guesses || silence.shifts);
  node.classList.toggle('needless', !known);
  if (!known) return node.replaceChildren();
  const token = spokenAt(scene);
  if (token === null) {
    const kinds = silence.predicts.map(name => readable(name)).join(' or ');
    const text = `What the model says stands at its own tokens: choose ${kinds}.`;
    blank(node, width, 24);
    write(node, cutTo(text, width, scene.measure, '13px'), 'mid soft', {x: 0, y: 16});
    return put(null, node, {'aria-label': text});
  }
  const alone = !silence.guesses?.after && drawGuessesAlone;
  const draw = silence.shifts ? drawShifts : alone || drawGuesses;
  return put(null, node, {'aria-label': draw(node, scene, token, width)});
}
