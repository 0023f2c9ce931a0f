// A second text under the map: the same head reads both, and their words are lined up.

import {inkOn, ramp} from '../shared/colours.js';
import {button} from '../shared/controls.js';
import {lackOf, needsKernel} from '../shared/kernel.js';
import {html, put, svg} from '../shared/nodes.js';
import {textField} from '../shared/runs.js';
import {wrapped} from '../shared/texts.js';
import {compared, focusOfBoth, lessonOfTwo} from './compared.js';
import {fitted, label, quote} from './labels.js';
import {blank, MIDDLE, write} from './panes.js';
import {silentText} from './silence.js';
import {weight} from './weights.js';

/**
 * @typedef {Object} TwoTexts the same map of both texts
 * @property {Sheet} here
 * @property {Sheet} there of the second text
 * @property {{rows: Column[], columns: Column[]}} lines how they are lined up
 */

/**
 * @typedef {Object} Word
 * @property {Unit} unit
 * @property {number | null} value its weight; null for none
 * @property {boolean} ringed whether it is in focus
 * @property {boolean} far whether it is at the other end of the cell in focus
 * @property {number} at its place in its text, from 0
 */

/** @typedef {{words: (Word | null)[], same: boolean}} Pair words of both texts, over each other */

const NUMBERED = 0.05; // the least weight that is written beside its word
const WORD_FONT = '14px';
const SIDE = 290; // pixels of two words with their weights, at least
const NUMBER = 36; // of a weight
const MARK = 18; // of what stands between two words
const LINE = {least: 22, most: 28, box: 4}; // pixels from pair to pair, over a box
const WIDEST = 150; // pixels of a word
const TEXT_NAMES = ['first', 'second'];

// ---- as numbers: what stands over each other
// Words of both texts, one over the other.
function pairsOf(scene) {
  const {two, A, kind} = scene;
  const {here, there, lines} = two;
  const {at: focus, far: cell, weights} = focusOfBoth(scene);
  const [own, other] = A.side === 'query' ? ['rows', 'columns'] : ['columns', 'rows'];
  const word = (units, k, at, more) =>
    at === null ? null : {unit: [here, there][k][units][at], at, ...more};
  const pair = words => ({words, same: sameWords(words)});
  const read = (at, k) =>
    word(other, k, at, {
      value: weights[k] && weights[k][at],
      ringed: kind.self && at === focus[k],
      far: at === cell[k],
    });
  const pairs = lines[other].map(column => pair(column.map(read)));
  if (kind.self) return pairs;
  const alone = (at, k) => word(own, k, at, {value: null, ringed: true, far: false});
  return [pair(focus.map(alone)), ...pairs];
}
const sameWords = ([one, other]) => Boolean(one && other) && one.unit.text === other.unit.text;
// Where pairs stand, one under another, in columns beside each other where there is room.
function spotsOf(pairs, {width, top, room}, measure) {
  const columns = Math.max(1, Math.floor(width / SIDE));
  const deep = Math.ceil(pairs.length / columns);
  const wide = width / columns;
  const pitch = Math.max(LINE.least, Math.min(LINE.most, Math.floor((room - top) / deep)));
  const names = pairs.flatMap(({words}) => words).filter(Boolean);
  const longest = Math.max(...names.map(({unit}) => measure(label(unit), `600 ${WORD_FONT}`)));
  const most = Math.min(WIDEST, (wide - 2 * NUMBER - MARK - 8) / 2);
  const spots = pairs.map((pair, k) => ({
    pair,
    x: 4 + Math.floor(k / deep) * wide,
    y: top + (k % deep) * pitch,
  }));
  const box = Math.ceil(Math.max(34, Math.min(most, longest + 14)));
  return {spots, box, pitch, wide, end: top + deep * pitch};
}

// ---- in words
// Which run of both texts it is, while heads are silenced.
function runText({show, facts}) {
  if (!show) return '';
  const without = `without ${silentText(facts)}`;
  return {
    before: 'Both texts with all heads. ',
    after: `Both texts ${without}. `,
    difference: `Both texts after, ${without}: the difference is in the map only. `,
  }[show];
}
const legendOf = most =>
  [
    `Shaded from 0 to ${weight(most)}, numbers from ${NUMBERED}.`,
    'Ring: in focus. ≠ another word, – none in its place.',
  ].join(' ');
function bothTexts(pairs) {
  const texts = TEXT_NAMES.map((name, k) => {
    const words = pairs.map(({words}) => words[k]).filter(word => word?.value >= NUMBERED);
    return `${name} text: ${words.map(({unit, value}) => `${quote(label(unit))} ${weight(value)}`).join(', ')}`;
  });
  const name = word => (word ? quote(label(word.unit)) : 'no word');
  const differ = pairs.filter(({same}) => !same).map(({words}) => words.map(name).join(' – '));
  return [...texts, ...(differ.length ? [`different: ${differ.join(', ')}`] : [])].join('; ');
}

// ---- drawn
function drawBoxedWord(node, {tone, measure}, word, {x, y, wide, high, most, line, same}) {
  const base = y + high / 2 + 5;
  const middle = {x: x + wide / 2, y: base, ...MIDDLE};
  if (!word) return write(node, '–', 'soft', {...middle, 'data-gap': line});
  const {unit, value, ringed, far, at} = word;
  const fill = value === null ? tone.bg : ramp(tone.seq, most ? value / most : 0);
  const box = {x, y, width: wide, height: high, rx: 4};
  svg(node, 'rect', {
    ...box,
    fill,
    stroke: same ? tone.rule : tone.soft,
    ...(same ? {} : {'stroke-dasharray': '3 2'}),
    'data-line': line,
    'data-at': at,
    ...(value === null ? {} : {'data-weight': value}),
  });
  if (ringed) {
    const around = {x: x - 2, y: y - 2, width: wide + 4, height: high + 4, rx: 6};
    const ring = {fill: 'none', stroke: tone.focus, 'stroke-width': 3, 'data-ring': line};
    svg(node, 'rect', {...around, ...ring});
  }
  const ink = value === null ? tone.ink : inkOn(fill);
  const look = `font-size:${WORD_FONT};fill:${ink};font-weight:${ringed || far ? 600 : 400}`;
  const name = fitted(unit, wide - 6, measure, `600 ${WORD_FONT}`);
  svg(node, 'text', {...middle, style: look, 'data-word': line}, name);
  if (value === null || value < NUMBERED) return undefined;
  const number = {x: x + wide + 5, y: base, 'data-number': line};
  return write(node, weight(value), far ? 'strong' : 'plain', number);
}
function drawPair(node, scene, {pair: {words, same}, x, y}, {box, pitch, most}) {
  const next = box + NUMBER + MARK;
  if (!same && words.every(Boolean)) {
    const place = {x: x + next - MARK / 2, y: y + pitch / 2 + 3, ...MIDDLE, 'data-differs': ''};
    write(node, '≠', 'mid strong', place);
  }
  const look = {wide: box, high: pitch - LINE.box, most, same};
  words.forEach((word, k) =>
    drawBoxedWord(node, scene, word, {x: x + k * next, y, ...look, line: TEXT_NAMES[k]}),
  );
}

// What the field of the second text, or of a picture's name, says.
const ofSecond = (what, model) => ({
  title: 'Compared with ',
  label: `second ${what}, which the same head reads`,
  act: 'Compare',
  hint: `a second ${what} ${lackOf(model)}`,
});

// How states of the second text are carried into the first, by Python.
function causesTold([{queries}], {kinds: [other]}) {
  const [own, its] = [queries.length, other.queries.length];
  const told = 'view.cause() carries states of this text into the first: what does it depend on?';
  const hint = ` Easier to read with as many tokens: here ${own} and ${its}.`;
  return told + (own === its ? '' : hint);
}
/** The pane: a field for the second text, and words of both beside each other. */
export class ComparePane {
  /**
   * @param {{compare: Element, compared: SVGElement}} nodes
   * @param {Facts} facts
   * @param {Object} model
   * @param {AbortSignal} signal
   * @param {Runs} runs
   */
  constructor({compare, compared: drawing}, facts, model, signal, runs) {
    const {second, reads, reasons, kinds} = facts;
    this.drawing = drawing;
    this.field = textField(
      'second',
      second?.text ?? '',
      model,
      signal,
      runs,
      ofSecond(reads, model),
    );
    compare.prepend(this.field.form);
    this.lines = {width: 0, count: 0};
    this.placed = null; // where words stand
    drawing.classList.toggle('needless', !second);
    if (!second || needsKernel(model)) return;
    const away = () => runs.start({second: ''});
    const look = {type: 'button', 'data-focus': 'away', title: 'show the first text alone'};
    const {form} = this.field;
    form.querySelector('.runs').before(button(form, 'Take away', look, away));
    if (reasons && model.kernel !== false) {
      html(compare, 'p', {class: 'told'}, causesTold(kinds, second));
    }
  }
  /**
   * The word of the first text at a point, or over it.
   * @param {Scene} scene `kind` and `A` are read
   * @param {number} x
   * @param {number} y
   * @returns {Cursor | null} none where queries attend to another text: its words are no queries
   */
  under({kind, A}, x, y) {
    if (!this.placed) return null;
    const {spots, pitch, wide} = this.placed;
    const inside = spot => x >= spot.x && x < spot.x + wide && y >= spot.y && y < spot.y + pitch;
    const word = spots.find(inside)?.pair.words[0];
    return kind.self && word ? {side: A.side, at: word.at, far: null} : null;
  }
  /** A sentence is not shorter than those before, so that nothing under it moves. */
  spared(count, width) {
    const before = this.lines.width === width ? this.lines.count : 0;
    this.lines = {width, count: Math.max(count, before)};
    return this.lines.count;
  }
  /**
   * Draws both texts; until their maps have come, those before stay.
   * @param {Scene} scene
   * @param {Plan} place
   */
  draw(scene, {words: width, up, deep}) {
    const {two, A, measure} = scene;
    const {drawing} = this;
    if (!two) return;
    if (A.at < 0) {
      blank(drawing, width, 8);
      return;
    }
    drawing.parentElement.classList.toggle('still', !scene.kind.self);
    const said = lessonOfTwo(compared(scene));
    const pairs = pairsOf(scene);
    const texts = wrapped(said, width, text => measure(text, '700 14px'));
    const most = Math.max(...pairs.flatMap(({words}) => words.map(word => word?.value ?? 0)));
    const notes = wrapped(runText(scene) + legendOf(most), width, text => measure(text));
    const top = 19 * this.spared(texts.length, width) + 22;
    const room = 28 + up + deep - 16 * notes.length;
    this.placed = spotsOf(pairs, {width, top, room}, measure);
    const {spots, end, box} = this.placed;
    blank(drawing, width, end + 16 * notes.length + 8);
    put(null, drawing, {'aria-label': `${said}. ${bothTexts(pairs)}`});
    texts.forEach((text, k) =>
      write(drawing, text, 'lead', {x: 0, y: 14 + 19 * k, 'data-said': ''}),
    );
    TEXT_NAMES.forEach((name, k) =>
      write(drawing, name, 'soft', {x: 4 + k * (box + NUMBER + MARK), y: top - 7}),
    );
    for (const spot of spots) drawPair(drawing, scene, spot, {...this.placed, most});
    notes.forEach((text, k) => write(drawing, text.trim(), 'soft', {x: 0, y: end + 14 + 16 * k}));
  }
}
