// A scene as it grows: heats, rectangles, lines, texts and hits, as numbers and strings.

import {cutTo} from '../texts.js';

/** The least size of a text. */
export const LEAST_TEXT = 12;
/** How steep slanted names stand, in degrees. */
export const STEEP = 50;
/** Down a slanted name, of its length. */
export const RISE = Math.sin((STEEP * Math.PI) / 180);

const FADED = 0.25; // a map of a head that is silenced
/** Whether a head of an attention is silenced. */
export const isSilent = ({silent}, part, head) =>
  silent.some(([attention, one]) => attention === part.attention && one === head);
/** The colour of a share on the sequential scale. */
export const toneOf = share => `tone ${Math.max(0, Math.min(1, share)).toFixed(3)}`;

const boxOf = ({x, y, width, height}) => ({x, y, w: width, h: height});
/** What is drawn at one depth; see `Scene` in drawing.js. */
export class Sketch {
  /**
   * @param {World} world
   */
  constructor(world) {
    this.world = world;
    this.measure = world.size.measure;
    this.scene = {heats: [], rects: [], lines: [], texts: [], marks: [], hits: []};
  }
  /** A rectangle, under the texts unless `layer` says 'over'. */
  rect(box, look) {
    this.scene.rects.push({...boxOf(box), layer: 'under', ...look});
  }
  /** A frame around a box, over all else. */
  frame({x, y, width, height}, stroke, look = {}) {
    const {out = 0, ...rest} = look;
    const box = {x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out};
    this.rect(box, {stroke, strokeWidth: 1.8, r: 3, layer: 'over', ...rest});
  }
  /** A dashed frame: what is previewed. */
  preview(box, look) {
    this.frame(box, 'second', {dash: '4 3', ...look});
  }
  line(d, look) {
    this.scene.lines.push({d, stroke: 'ink2', width: 1.4, layer: 'under', ...look});
  }
  /**
   * A text, cut to its room if it has one.
   * @param {number} x
   * @param {number} y of its baseline
   * @param {string | {text, fill, weight}[]} text or spans of one, of which the last is cut
   * @param {Object} [look]
   */
  text(x, y, text, {room = Infinity, ...look} = {}) {
    const whole = {x, y, size: LEAST_TEXT, anchor: 'start', fill: 'ink2', weight: 400, ...look};
    if (typeof text === 'string') whole.text = this.fitted(text, room, whole);
    else whole.spans = this.fittedSpans(text, room, whole);
    this.scene.texts.push(whole);
  }
  /** The first of texts that its room holds, else the last one, cut; returns how wide it is. */
  firstThatFits(x, y, texts, {room, size = LEAST_TEXT, ...look}) {
    const wide = ({text, weight = look.weight}) => this.width(text, size, weight);
    const widthOf = spans => spans.reduce((sum, span) => sum + wide(span), 0);
    const widths = texts.map(text => (typeof text === 'string' ? wide({text}) : widthOf(text)));
    const fits = widths.findIndex(width => width <= room);
    const chosen = fits < 0 ? texts.length - 1 : fits;
    this.text(x, y, texts[chosen], {room, size, ...look});
    return Math.min(room, widths[chosen]);
  }
  fitted(text, room, {weight, size}) {
    return cutTo(text, room, this.measure, `${weight} ${size}px`);
  }
  fittedSpans(spans, room, {weight, size}) {
    const looks = spans.map(span => ({weight, size, ...span}));
    const widths = looks.map(look => this.width(look.text, look.size, look.weight));
    const last = looks.length - 1;
    const left = room - widths.slice(0, last).reduce((sum, width) => sum + width, 0);
    return spans.map((span, k) =>
      k < last ? span : {...span, text: this.fitted(span.text, left, looks[k])},
    );
  }
  /** Pixels that a text is wide. */
  width(text, size = LEAST_TEXT, weight = 400) {
    return this.measure(text, `${weight} ${size}px`);
  }
  mark(is, more) {
    this.scene.marks.push({is, ...more});
  }
  /** Strikes out what belongs to a silenced head. */
  strike(part, head, box) {
    if (isSilent(this.world.facts, part, head)) this.mark('strike', boxOf(box));
  }
  /** Where a pointer finds something: see `Hit` in drawing.js. */
  hit(box, place, does, more) {
    this.scene.hits.push({...boxOf(box), place, ...(does && {does}), ...more});
  }
  /** Numbers of one node as colours: see `Heat` in heats.js. */
  heat(box, heat) {
    const {numbers} = this.world;
    numbers.value(heat.node); // asked for: without it nothing is drawn yet
    const weight = numbers.isWeight(heat.node);
    this.scene.heats.push({weight, ...boxOf(box), ...heat});
    return this.scene.heats.at(-1);
  }
  /** A vector as a patch: a row a head. */
  patch(place, token, rows, box, look) {
    const {numbers} = this.world;
    const cols = numbers.width(place) / rows;
    const base = numbers.at(place, token, 0);
    const rowStep = numbers.at(place, token, cols) - base;
    const colStep = numbers.at(place, token, 1) - base;
    const max = numbers.range(place);
    this.heat(box, {node: place.node, base, rows, cols, rowStep, colStep, max, ...look});
  }
  /**
   * The vectors of tokens in sight, one under the other; heads that lie apart are heats of
   * their own.
   */
  matrix(place, {from, count}, {x, y, width, height}, look) {
    const {numbers} = this.world;
    const {node} = place;
    const [pieces, cols] = ['head', 'number'].map(axis => numbers.length(place, axis));
    const [rowStep, colStep] = ['token', 'number'].map(axis => numbers.step(place, axis));
    const max = numbers.range(place);
    for (let piece = 0; piece < pieces; piece++) {
      const base = numbers.at(place, from, piece * cols);
      const box = {x: x + (width * piece) / pieces, y, width: width / pieces, height};
      this.heat(box, {node, base, rows: count, cols, rowStep, colStep, max, ...look});
    }
  }
  /** The weights of a head: a row a query in sight, a column a key. */
  map(part, head, {rows, keys}, box, look) {
    const {numbers, facts} = this.world;
    const at = (query, key) => numbers.atMap(part, part.weights, head, query, key);
    const base = at(rows.from, keys.from);
    return this.heat(box, {
      node: part.weights,
      base,
      rows: rows.count,
      cols: keys.count,
      rowStep: at(rows.from + 1, keys.from) - base,
      colStep: at(rows.from, keys.from + 1) - base,
      max: 1,
      sequential: true,
      alpha: isSilent(facts, part, head) ? FADED : 1,
      ...look,
    });
  }
}
