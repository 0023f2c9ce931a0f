// A scene drawn: under and over the matrices SVG, between them two canvases. No decision in it.

import {inkOn, ramp} from '../colours.js';
import {slantedLines} from '../marks.js';
import {html, put, svg} from '../nodes.js';
import {cutTo} from '../texts.js';
import {paintHeats, shadesOf} from './heats.js';

/**
 * @typedef {Object} Size of the picture, without the strip, in local pixels
 * @property {number} width
 * @property {number} height
 * @property {boolean} full whether the view fills the screen
 * @property {Measure} measure
 */

/**
 * @typedef {Object} Place what is previewed; all are optional
 * @property {number} [stream]
 * @property {number} [token]
 * @property {number} [block]
 * @property {number} [part]
 * @property {number} [head]
 * @property {number} [key]
 * @property {string} [stage] an id of stages.js
 * @property {string} [node] with `index` the number under the pointer: the equation is of it. A hit
 * need not say it over a heat, whose cell is found
 * @property {number} [index]
 */

/**
 * @typedef {Object} Hit what lies under the pointer; later ones lie on top
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} [foot] where slanted names stand, which lean to the right over it
 * @property {Place} place
 * @property {Object} [does] changes of the state at a click: `depth`, `stream`, `token` ...
 * @property {[string, number, number]} [down] of a hit of many rows: what a row is ('token'), the
 * first one, how many; place and `does` get it
 * @property {[string, number, number]} [across] the same of its columns, such as 'key'
 */

/**
 * @typedef {Object} Scene
 * @property {Heat[]} heats
 * @property {{x: number, y: number, w: number, h: number, r?: number, fill?: string,
 * stroke?: string, strokeWidth?: number, dash?: string, alpha?: number,
 * layer?: 'under' | 'over'}[]} rects `alpha` is of the filling; they lie over if nothing is said
 * @property {{d: string, stroke: string, width?: number, alpha?: number, fill?: string,
 * dash?: string, layer?: 'under' | 'over'}[]} lines they lie under if nothing is said
 * @property {{x: number, y: number, text?: string, spans?: {text: string, fill?: string,
 * weight?: number}[], size?: number, anchor?: string, fill?: string, weight?: number,
 * rotate?: number, max?: number, alpha?: number, halo?: boolean, onHeat?: [number, number],
 * onTone?: number}[]} texts `max`: pixels at which it is cut; `onHeat`: value and max of the signed
 * cell on which it stands, `onTone`: the share of the sequential scale
 * @property {({is: 'plus', x: number, y: number, r: number} |
 * {is: 'stairs', x: number, y: number, w: number, h: number, rows: number, cols: number} |
 * {is: 'strike', x: number, y: number, w: number, h: number})[]} marks
 * @property {Hit[]} hits
 *
 * Colours are names: focus, second, ink, ink2, rule, panel, bg, mark, spine, focusbg, secondbg,
 * 'cat 2' of the categories, 'tone 0.4' of the sequential scale.
 */

const USUAL = 12; // pixels of a text
const HATCH = 6; // pixels between the lines of what is masked

function inkNamed(role, tone) {
  const [, scale, place] = /^(cat|tone) ?([\d.]+)$/.exec(role) ?? [];
  if (scale === 'tone') return ramp(tone.seq, Number(place));
  if (scale === 'cat') return tone.cat[Number(place) % tone.cat.length];
  const others = {
    ink2: tone.soft,
    mark: tone.seq[3],
    for: tone.div[5],
    against: tone.div[1],
    spine: tone.seq[1],
    focusbg: `${tone.focus}2b`,
    secondbg: `${tone.second}40`,
  };
  return others[role] ?? tone[role];
}
/** What is there, without what is not. */
const given = attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null));

// ---- what is drawn, one by one
function rectOf({x, y, w, h, r, fill, stroke, strokeWidth, dash, alpha}, {tone}) {
  const box = {x, y, width: Math.max(0, w), height: Math.max(0, h), rx: r};
  const look = {
    fill: fill ? inkNamed(fill, tone) : 'none',
    'fill-opacity': fill ? alpha : null,
    stroke: stroke ? inkNamed(stroke, tone) : null,
    'stroke-width': strokeWidth,
    'stroke-dasharray': dash,
  };
  return svg(null, 'rect', given({...box, ...look}));
}
function lineOf({d, stroke, width = 1, alpha, fill, dash}, {tone}) {
  const look = {
    fill: fill ? inkNamed(fill, tone) : 'none',
    stroke: inkNamed(stroke, tone),
    'stroke-width': width,
    'stroke-linejoin': 'round',
    'stroke-dasharray': dash,
    opacity: alpha,
  };
  return svg(null, 'path', given({d, ...look}));
}
// A text that does not fit is cut; on a coloured cell it is black or white.
function textOf(text, {tone, measure}) {
  const {x, y, spans, size = USUAL, weight = 400, anchor, rotate, max, alpha, halo} = text;
  const look = {
    'font-size': `${size}px`,
    'font-weight': weight,
    fill: inkOf(text, tone),
    opacity: alpha,
    ...(halo ? {stroke: tone.bg, 'stroke-width': '4px', 'paint-order': 'stroke'} : {}),
  };
  const style = Object.entries(given(look)).map(rule => rule.join(':'));
  const turn = rotate ? `rotate(${rotate} ${x} ${y})` : null;
  const anchored = anchor === 'start' ? null : anchor;
  const place = given({x, y, 'text-anchor': anchored, transform: turn, style: style.join(';')});
  const fitted = words => (max ? cutTo(words, max, measure, `${weight} ${size}px`) : words);
  if (!spans) return svg(null, 'text', place, fitted(String(text.text)));
  const node = svg(null, 'text', place);
  for (const span of spans) {
    const own = [
      span.fill && `fill:${inkNamed(span.fill, tone)}`,
      span.weight && `font-weight:${span.weight}`,
    ].filter(Boolean);
    svg(node, 'tspan', {style: own.join(';')}, span.text);
  }
  return node;
}
function inkOf({fill = 'ink2', onHeat, onTone}, tone) {
  if (onHeat) return inkOn(ramp(tone.div, 0.5 + (0.5 * onHeat[0]) / onHeat[1] || 0.5)); // NaN: 0
  if (onTone != null) return inkOn(ramp(tone.seq, onTone));
  return inkNamed(fill, tone);
}
const MARKS = {
  plus({x, y, r}, {tone}) {
    const mark = svg(null, 'g', {fill: 'none', stroke: tone.focus, 'stroke-width': 2});
    const arm = 0.55 * r;
    svg(mark, 'circle', {cx: x, cy: y, r, fill: tone.bg});
    svg(mark, 'path', {d: `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`});
    return mark;
  },
  strike({x, y, w, h}, {tone}) {
    const d = `M${x} ${y}l${w} ${h}M${x + w} ${y}l${-w} ${h}`;
    return svg(null, 'path', {d, fill: 'none', stroke: tone.soft, 'stroke-width': 1.6});
  },
  /** What lies right of the diagonal, hatched; `from`: its cell in the first row. */
  stairs({x, y, w, h, rows, cols, from = 0}, {tone}) {
    const [wide, high] = [w / cols, h / rows];
    const starts = Array.from({length: rows}, (_, row) => Math.max(0, from + row + 1));
    const hidden = starts
      .map((start, row) => ({x: x + wide * start, y: y + high * row, height: high}))
      .filter((_, row) => starts[row] < cols)
      .map(box => ({...box, width: x + w - box.x}));
    if (!hidden.length) return svg(null, 'g');
    const edge = hidden.map(box => `H${box.x}V${box.y + high}`).join('');
    const shape = `M${x + w} ${hidden[0].y}${edge}H${x + w}Z`;
    const mark = svg(null, 'g', {fill: 'none', stroke: tone.rule, 'stroke-width': 2});
    svg(mark, 'path', {d: shape, fill: tone.panel, stroke: tone.soft, 'stroke-width': 1});
    const phase = box => HATCH - ((((box.x + box.y) % HATCH) + HATCH) % HATCH);
    svg(mark, 'path', {d: hidden.map(box => slantedLines(box, HATCH, phase(box))).join('')});
    return mark;
  },
};
const markOf = (mark, look) => MARKS[mark.is](mark, look);
// A frame around what a number was made of, with the value of a single one where there is room.
function outlineOf({x, y, w, h, self, value}, look) {
  const {tone} = look;
  const mark = svg(null, 'g', {fill: 'none', stroke: self ? tone.ink : tone.second});
  const dash = self ? {'stroke-width': 2} : {'stroke-width': 1.6, 'stroke-dasharray': '3 2'};
  svg(mark, 'rect', {x: x - 1, y: y - 1, width: w + 2, height: h + 2, rx: 2, ...dash});
  if (value === undefined) return mark;
  const label = {x: x + w / 2, y: y - 4, text: value, anchor: 'middle', fill: 'second'};
  mark.append(textOf({...label, weight: 700, halo: true}, look));
  return mark;
}

/** Things of one kind; of those that stay as they are, so do the nodes. */
class Layer {
  keys = [];
  constructor(parent, draw) {
    this.group = svg(parent, 'g');
    this.draw = draw;
  }
  clear() {
    this.keys = [];
    this.group.replaceChildren();
  }
  show(things, look) {
    const {group, keys} = this;
    const before = [...group.childNodes];
    things.forEach((thing, place) => {
      const key = JSON.stringify(thing);
      if (keys[place] === key) return;
      keys[place] = key;
      const node = this.draw(thing, look);
      if (before[place]) before[place].replaceWith(node);
      else group.append(node);
    });
    for (const node of before.slice(things.length)) node.remove();
    keys.length = things.length;
  }
}
/** The nodes of a picture; what did not change is not drawn again. */
export class Drawing {
  /** @param {Element} stage */
  constructor(stage) {
    const sheet = () => svg(stage, 'svg', {'aria-hidden': true});
    const canvas = () => html(stage, 'canvas', {class: 'painted', 'aria-hidden': true});
    [this.under, this.still, this.live, this.over] = [sheet(), canvas(), canvas(), sheet()];
    const layer = (parent, draw) => new Layer(parent, draw);
    this.layers = {
      underRects: layer(this.under, rectOf),
      underLines: layer(this.under, lineOf),
      rects: layer(this.over, rectOf),
      lines: layer(this.over, lineOf),
      marks: layer(this.over, markOf),
      texts: layer(this.over, textOf),
      outlines: layer(this.over, outlineOf),
    };
    this.painted = new Map(); // what a canvas shows
    this.theme = '';
  }
  /**
   * @param {Scene} scene
   * @param {Outline[]} outlines
   * @param {{width: number, height: number, ratio: number, tone: Object, measure: Measure,
   * run: string, valuesOf: (heat: Heat) => Float32Array}} look `ratio`: pixels of the device in one
   */
  draw(scene, outlines, look) {
    this.dress(look);
    const {width, height} = look;
    for (const node of [this.under, this.over]) {
      put(null, node, {viewBox: `0 0 ${width} ${height}`, height});
    }
    const lies = (things, layer, usual) => things.filter(thing => (thing.layer ?? usual) === layer);
    const shown = {
      underRects: lies(scene.rects, 'under', 'over'),
      underLines: lies(scene.lines, 'under', 'under'),
      rects: lies(scene.rects, 'over', 'over'),
      lines: lies(scene.lines, 'over', 'under'),
      marks: scene.marks,
      texts: scene.texts,
      outlines,
    };
    for (const [name, things] of Object.entries(shown)) this.layers[name].show(things, look);
    this.paint(
      this.still,
      scene.heats.filter(heat => !heat.live),
      look,
    );
    this.paint(
      this.live,
      scene.heats.filter(heat => heat.live),
      look,
    );
  }
  /** Another theme: everything is drawn again. */
  dress({tone, measure}) {
    const theme = JSON.stringify([tone, measure.families]);
    if (theme === this.theme) return;
    this.theme = theme;
    this.shades = shadesOf(tone);
    this.painted.clear();
    for (const layer of Object.values(this.layers)) layer.clear();
  }
  paint(canvas, heats, look) {
    const {width, height, ratio, run} = look;
    const key = JSON.stringify([run, width, height, ratio, heats]);
    if (this.painted.get(canvas) === key) return;
    this.painted.set(canvas, key);
    paintHeats(canvas, heats, {...look, shades: this.shades});
    canvas.style.cssText = `width:${width}px;height:${height}px`;
  }
}
