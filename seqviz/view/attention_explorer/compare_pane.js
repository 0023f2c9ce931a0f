// A second text under the map: the same head reads both, and their words are lined up.

import {inkOn, put, ramp, svg, wrapped} from '../shared/base.js';
import {button} from '../shared/controls.js';
import {opposite} from './aligned.js';
import {compared, lessonOfTwo} from './compared.js';
import {fitted, label, quote} from './labels.js';
import {blank} from './panes.js';
import {silentText} from './silence.js';
import {textField} from './text_field.js';
import {series, weight, writtenOf} from './weights.js';

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

const NUMBERED = 0.05; // the least weight that is written under its word
const WORD_FONT = '14px';
const NAMES_WIDE = 62; // names of the texts
const LINE_TOPS = [20, 68]; // where the boxes of both texts begin
const BOX_HIGH = 24;
const BLOCK_HIGH = 118;
const WIDEST = 150; // pixels of a word
const TEXT_NAMES = ['first', 'second'];

// ---- as numbers: what stands over each other
/**
 * Words of both texts, one over the other.
 * @param {Scene} scene `two`, `A`, `kind` and `steps` are read
 * @returns {Pair[]} where a query attends to another text, it stands before the others
 */
export function pairsOf({two: {here, there, lines}, A, kind, steps}) {
  const query = A.side === 'query';
  const [near, far] = query ? [lines.rows, lines.columns] : [lines.columns, lines.rows];
  const focus = [A.at, opposite(near, A.at)];
  const cell = [A.far, opposite(far, A.far)];
  const weights = [here, there].map((sheet, k) =>
    focus[k] === null ? null : series(sheet, {...A, at: focus[k]}, writtenOf(sheet, steps)),
  );
  const unit = (name, k, at) => [here, there][k][name][at];
  const word = (at, k) =>
    at === null
      ? null
      : {
          unit: unit(query ? 'columns' : 'rows', k, at),
          at,
          value: weights[k] && weights[k][at],
          ringed: kind.self && at === focus[k],
          far: at === cell[k],
        };
  const pair = words => ({words, same: sameWords(words)});
  const pairs = far.map(column => pair(column.map(word)));
  if (kind.self) return pairs;
  const alone = (at, k) =>
    at === null
      ? null
      : {unit: unit(query ? 'rows' : 'columns', k, at), at, value: null, ringed: true, far: false};
  return [pair(focus.map(alone)), ...pairs];
}
const sameWords = ([one, other]) => Boolean(one && other) && one.unit.text === other.unit.text;
/**
 * Lines of pairs that fit, with the width of each pair.
 * @param {Pair[]} pairs
 * @param {number} room pixels
 * @param {Measure} measure
 * @returns {{pair: Pair, x: number, wide: number}[][]}
 */
export function blocksOf(pairs, room, measure) {
  const blocks = [];
  let end = Infinity;
  for (const pair of pairs) {
    const names = pair.words.filter(Boolean).map(({unit}) => wordName(unit, measure));
    const longest = Math.max(...names.map(name => measure(name, `600 ${WORD_FONT}`)));
    const wide = Math.ceil(Math.max(34, longest + 14));
    if (end + wide > room) {
      blocks.push([]);
      end = 0;
    }
    blocks.at(-1).push({pair, x: end, wide});
    end += wide + 6;
  }
  return blocks;
}
const wordName = (unit, measure) => fitted(unit, WIDEST, measure, `600 ${WORD_FONT}`);

// ---- in words
// Which run of both texts it is, while heads are silenced.
function runText({show, facts}) {
  if (!show) return '';
  const without = `without ${silentText(facts.silence.heads, facts.kinds.length > 1)}`;
  return {
    before: 'Both texts with all heads. ',
    after: `Both texts ${without}. `,
    difference: `Both texts after, ${without}: the difference is in the map only. `,
  }[show];
}
const legendOf = most =>
  [
    `Shaded by weight, from 0 to ${weight(most)} in both; numbers from ${NUMBERED}.`,
    'Ring: the word in focus. ≠ another word, – no word in its place.',
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
function drawBoxedWord(node, {tone, measure}, word, {x, y, wide, most, line, same}) {
  if (!word) {
    const place = {
      x: x + wide / 2,
      y: y + 17,
      'text-anchor': 'middle',
      class: 'soft',
      'data-gap': line,
    };
    return svg(node, 'text', place, '–');
  }
  const {unit, value, ringed, far, at} = word;
  const fill = value === null ? tone.bg : ramp(tone.seq, most ? value / most : 0);
  const box = {x, y, width: wide, height: BOX_HIGH, rx: 4};
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
    const around = {x: x - 2, y: y - 2, width: wide + 4, height: BOX_HIGH + 4, rx: 6};
    const ring = {fill: 'none', stroke: tone.focus, 'stroke-width': 3, 'data-ring': line};
    svg(node, 'rect', {...around, ...ring});
  }
  const ink = value === null ? tone.ink : inkOn(fill);
  const middle = {x: x + wide / 2, 'text-anchor': 'middle'};
  const look = `font-size:${WORD_FONT};fill:${ink};font-weight:${ringed || far ? 600 : 400}`;
  svg(
    node,
    'text',
    {...middle, y: y + 17, style: look, 'data-word': line},
    wordName(unit, measure),
  );
  if (value === null || value < NUMBERED) return undefined;
  const number = {
    ...middle,
    y: y + BOX_HIGH + 14,
    class: far ? 'strong' : 'plain',
    'data-number': line,
  };
  return svg(node, 'text', number, weight(value));
}
function drawWordBlock(node, scene, block, top, most) {
  TEXT_NAMES.forEach((name, k) =>
    svg(node, 'text', {x: 0, y: top + LINE_TOPS[k] + 17, class: 'soft'}, name),
  );
  for (const {pair, x, wide} of block) {
    const left = NAMES_WIDE + x;
    const {words, same} = pair;
    if (!same && words.every(Boolean)) {
      const place = {x: left + wide / 2, y: top + 14, 'text-anchor': 'middle', class: 'mid strong'};
      svg(node, 'text', {...place, 'data-differs': ''}, '≠');
    }
    words.forEach((word, k) =>
      drawBoxedWord(node, scene, word, {
        x: left,
        y: top + LINE_TOPS[k],
        wide,
        most,
        line: TEXT_NAMES[k],
        same,
      }),
    );
  }
}

/** The pane: a field for the second text, and the two lines of words. */
export class ComparePane {
  /**
   * @param {{compare: Element, compared: SVGElement}} nodes
   * @param {Facts} facts
   * @param {Object} model
   * @param {AbortSignal} signal
   * @param {Runs} runs
   */
  constructor({compare, compared: drawing}, {second}, model, signal, runs) {
    this.drawing = drawing;
    this.field = textField('second', second?.text ?? '', model, signal, runs);
    compare.prepend(this.field.form);
    this.lines = {width: 0, count: 0};
    this.blocks = [];
    this.top = 0; // where the blocks begin
    drawing.classList.toggle('needless', !second);
    if (!second || model.kernel === false) return;
    const away = () => runs.start({second: ''});
    const look = {type: 'button', 'data-focus': 'away', title: 'show the first text alone'};
    const {form} = this.field;
    form.querySelector('.runs').before(button(form, 'Take away', look, away));
  }
  /**
   * The word of the first text at a point, or over it.
   * @param {Scene} scene `kind` and `A` are read
   * @param {number} x
   * @param {number} y
   * @returns {Cursor | null} none where queries attend to another text: its words are no queries
   */
  under({kind, A}, x, y) {
    const block = this.blocks[Math.floor((y - this.top) / BLOCK_HIGH)];
    const left = x - NAMES_WIDE;
    const spot = block?.find(one => left >= one.x && left < one.x + one.wide);
    const word = spot?.pair.words[0];
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
   * @param {number} width pixels
   */
  draw(scene, width) {
    const {two, A, measure} = scene;
    if (!two) return;
    if (A.at < 0) {
      blank(this.drawing, width, 8);
      return;
    }
    this.drawing.parentElement.classList.toggle('still', !scene.kind.self);
    const {here, there, lines} = two;
    const said = lessonOfTwo(compared(here, there, lines, A, scene.steps));
    const pairs = pairsOf(scene);
    const blocks = blocksOf(pairs, width - NAMES_WIDE - 4, measure);
    const texts = wrapped(said, width, text => measure(text, '700 15px'));
    const most = Math.max(...pairs.flatMap(({words}) => words.map(word => word?.value ?? 0)));
    const notes = wrapped(runText(scene) + legendOf(most), width, text => measure(text));
    const top = 20 * this.spared(texts.length, width) + 4;
    const end = top + blocks.length * BLOCK_HIGH;
    blank(this.drawing, width, end + 16 * notes.length + 4);
    put(null, this.drawing, {'aria-label': `${said}. ${bothTexts(pairs)}`});
    texts.forEach((text, k) =>
      svg(
        this.drawing,
        'text',
        {x: 0, y: 15 + 20 * k, class: 'large strong', 'data-said': ''},
        text,
      ),
    );
    Object.assign(this, {blocks, top});
    blocks.forEach((block, k) =>
      drawWordBlock(this.drawing, scene, block, top + k * BLOCK_HIGH, most),
    );
    notes.forEach((text, k) =>
      svg(this.drawing, 'text', {x: 0, y: end + 12 + 16 * k, class: 'soft'}, text.trim()),
    );
  }
}
