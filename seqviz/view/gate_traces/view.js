// Gate traces: the state, pointer and keys. What is held is chosen in hold_panel.js.

import {
  dialogue,
  followSize,
  followTheme,
  holdHeights,
  html,
  mount,
  onKeys,
  palette,
  say,
  supply,
} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {focusLock, followPointer} from '../shared/focus.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {localBox, localPoint} from '../shared/scale.js';
import {scaleOf} from '../shared/pixels.js';
import {answersOf, layerOf, rerun, tableOf} from './cells.js';
import {HoldPanel} from './hold_panel.js';
import {drawMap} from './map.js';
import {
  firstInSight,
  handOver,
  headingOf,
  holdOf,
  lowered,
  lowest,
  readingOf,
  stepsThatFit,
} from './scene.js';
import {headline} from './sentence.js';
import {CELL, drawCell} from './valves.js';

/**
 * @typedef {Object} ModelFacts
 * @property {string} label empty if the caller gave none
 * @property {string} cell the name of its kind
 * @property {number} units
 * @property {boolean} reverse whether it reads from the right
 * @property {boolean} live whether it can run again
 * @property {string[]} answers the labels it chooses from; none without a read-out
 */

/**
 * @typedef {Object} Facts what the page knows from the start
 * @property {string[]} tokens
 * @property {(string | null)[]} targets the right label at each step
 * @property {ModelFacts[]} models one or two
 * @property {string} title empty if the caller gave none
 */

/**
 * @typedef {Object} Model
 * @property {string} label
 * @property {string[]} labels that it chooses from; none without a read-out
 * @property {Layer} layer
 * @property {(curves: Curves) => Answer[]} answer
 * @property {Answer[]} answers as recorded
 * @property {Curves} after with the hold, else as recorded
 * @property {Answer[]} answersAfter
 * @property {string} unitTrait which control has its unit
 * @property {Element} map where its column goes
 * @property {Element} cell where its valves go
 * @property {string} seen what both were drawn from
 */

/**
 * @typedef {Object} OnScreen
 * @property {Facts} facts
 * @property {number} model its place, 0 or 1
 * @property {boolean} named whether there are two
 * @property {boolean} focused
 * @property {number} T steps
 * @property {number} t the one in focus, from 0
 * @property {number} u the unit in focus, from 0
 * @property {number} from the first step in sight
 * @property {number} n steps in sight
 * @property {Hold | null} hold of this model
 * @property {'after' | 'before' | 'change'} show of the hold
 * @property {string} gate whose equation is shown, empty for none
 * @property {number} W pixels of the column
 * @property {number} cellWidth pixels of the valves
 * @property {number} lower pixels by which the column begins lower
 * @property {Object} tone the palette
 * @property {{seq: Object, div: Object}} scales what scaleOf() returns of both scales of colours
 * @property {Map<string, string>} cache pictures of heat maps
 * @property {CanvasRenderingContext2D} pen
 * @property {Measure} measure
 * @property {Plan} [place] from drawMap
 * @property {Object} [shades] from drawMap: by row, its colours of a value
 */

/** @typedef {Model & OnScreen} Scene a model as it is on screen */

const STAGE =
  'gates over the tokens: left and right arrows move the cursor, up and down choose a unit, Enter locks, Escape frees';
const FOOT = [
  {kbd: '←'},
  ' ',
  {kbd: '→'},
  ' token, ',
  {kbd: '↑'},
  ' ',
  {kbd: '↓'},
  ' unit, ',
  {kbd: 'Enter'},
  ' lock, ',
  {kbd: 'Esc'},
  ' free. Point to preview a step and a unit, click to lock them. A valve is open when its disc lies along the pipe. Orange is where you are, teal what you hold.',
];
const HELD = ['hold', 'gate', 'value', 'units', 'since'];
const CONTROLS = ['step', 'unit', 'second_unit', 'model', ...HELD, 'show'];
const MOST_KEPT = 400; // heat maps
const NARROWEST = 300; // pixels of a map

class GateTraces {
  constructor({model, root, signal}) {
    const facts = model.get('facts');
    Object.assign(this, {model, root, signal, facts, T: facts.tokens.length});
    const top = html(root, 'div', {class: 'top'});
    this.heading = html(top, 'h2');
    this.said = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
    this.bar = html(root, 'div', {class: 'bar'});
    this.problem = html(root, 'p', {class: 'problem', role: 'alert'});
    const set = changes => this.set(changes);
    this.panel = new HoldPanel(root, model, facts, set, label => this.focusOn(label));
    this.stage = html(root, 'div', {
      class: facts.models.length > 1 ? 'stage pair' : 'stage',
      tabindex: 0,
      role: 'group',
      'aria-label': STAGE,
    });
    say(html(root, 'p', {class: 'foot'}), FOOT);
    const complain = text => this.complain(text);
    this.dialogue = dialogue(model, signal, complain);
    const get = supply(model, signal, complain);
    this.models = facts.models.map((given, k) => this.modelOf(given, k, get));
    this.focus = focusLock(() => this.draw()); // `over` is a step and perhaps a unit of a model
    this.measure = measuring(root);
    this.ran = null; // the hold that was run
    this.from = 0; // the first step in sight
    this.hits = [];
    this.theme = '';
    this.scales = null;
    this.cache = new Map();
    this.pen = html(null, 'canvas').getContext('2d');
    this.reading = html(this.bar, 'output', {'aria-live': 'off'});
    const controls = () => this.controls();
    exportButtons(top, {root, model, signal, complain, controls}, () =>
      tableOf({
        models: this.models,
        facts,
        show: model.get('hold') ? model.get('show') : 'after',
      }),
    );
  }
  /** A reader of each control. */
  controls() {
    const {models, focused, T} = this;
    const {kind, live} = focused.layer;
    return {
      step: numberIn(1, T),
      unit: numberIn(1, models[0].layer.H),
      second_unit: numberIn(1, models.at(-1).layer.H),
      model: oneOf(models.map(({label}) => label)),
      gate: oneOf([...kind.holds]),
      hold: oneOf(live && kind.holds ? [true, false] : [false]),
      value: numberIn(lowest(this.model.get('gate')), 1, false),
      units: oneOf(['all units', 'this unit']),
      since: numberIn(1, T),
      show: oneOf(['after', 'before', 'change']),
    };
  }
  modelOf(given, k, get) {
    const layer = layerOf(get(`layer ${k}`), given, this.T);
    const readOut = given.answers.length ? get(`answers ${k}`) : null;
    const answer = curves => (readOut ? answersOf(readOut, given.answers, layer, curves.h) : []);
    const answers = answer(layer.curves);
    return {
      label: given.label,
      labels: given.answers,
      layer,
      answer,
      answers,
      after: layer.curves,
      answersAfter: answers,
      unitTrait: k ? 'second_unit' : 'unit',
      map: html(this.stage, 'div', {class: 'map'}),
      cell: html(this.stage, 'div', {class: 'cell'}),
      seen: '',
    };
  }
  complain(text) {
    this.problem.textContent = text;
  }

  // ---- the state
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.draw();
  }
  get number() {
    const label = this.model.get('model');
    return Math.max(
      0,
      this.models.findIndex(one => one.label === label),
    );
  }
  /** The model in focus, which is the one that is held. */
  get focused() {
    return this.models[this.number];
  }
  unitOf(one) {
    return this.model.get(one.unitTrait) - 1;
  }
  get step() {
    return this.focus.over?.t ?? this.model.get('step') - 1;
  }
  get hold() {
    const controls = Object.fromEntries(HELD.map(name => [name, this.model.get(name)]));
    return holdOf(controls, this.unitOf(this.focused));
  }
  focusOn(label) {
    this.set(this.handOver(this.models.find(one => one.label === label)));
  }
  handOver(one) {
    const controls = ['gate', 'value', 'hold'].map(name => [name, this.model.get(name)]);
    return handOver(one, Object.fromEntries(controls));
  }
  /** Runs the model in focus again, if another hold is wanted. */
  rerun(hold) {
    const wanted = hold && JSON.stringify([this.number, hold]);
    if (wanted === this.ran) return;
    this.ran = wanted;
    this.cache.clear();
    this.models.forEach((one, k) => {
      const held = hold && k === this.number;
      one.after = held ? rerun(one.layer, hold) : one.layer.curves;
      one.answersAfter = held ? one.answer(one.after) : one.answers;
    });
  }

  // ---- from the state to the picture
  /** Colours; all is drawn anew when the theme changed, also while this was hidden. */
  tones() {
    const tone = palette(this.root);
    if (this.theme !== this.root.dataset.theme) {
      this.theme = this.root.dataset.theme;
      this.cache.clear();
      this.scales = {seq: scaleOf(tone.seq, this.pen), div: scaleOf(tone.div, this.pen)};
      for (const one of this.models) one.seen = '';
    }
    if (this.cache.size > MOST_KEPT) this.cache.clear();
    const {scales, cache, pen} = this;
    return {tone, scales, cache, pen, measure: this.measure()};
  }
  scenes(hold) {
    const {models, focus, facts, T, step: t, number, model} = this;
    const widths = models.map(({map}) => Math.max(NARROWEST, map.clientWidth));
    const cellWidths = models.map(({cell}) => Math.max(CELL, cell.clientWidth));
    const n = stepsThatFit(T, widths);
    const inSight = t >= this.from && t < this.from + n;
    if (focus.over === null || !inSight) this.from = firstInSight(this.from, t, n, T);
    const lower = lowered(
      models.map(({layer}) => layer),
      this.stage.clientWidth,
    );
    const shared = {facts, T, t, n, from: this.from, show: model.get('show'), ...this.tones()};
    return models.map((one, k) => {
      const unit = this.unitOf(one);
      const {holds, keeps} = one.layer.kind;
      return {
        ...one,
        ...shared,
        model: k,
        u: focus.over?.model === k ? (focus.over.u ?? unit) : unit,
        hold: k === number ? hold : null,
        lower: lower[k],
        W: widths[k],
        cellWidth: cellWidths[k],
        named: models.length > 1,
        focused: k === number,
        gate: holds && (k === number ? model.get('gate') : keeps),
      };
    });
  }
  /** Draws a model, unless all that it shows stands there: a hold leaves the other as it is. */
  drawModel(scene, k) {
    const {t, u, n, from, lower, W, cellWidth, focused, gate, hold, show} = scene;
    const place = [t, u, n, from, lower, W, cellWidth, focused, gate];
    const seen = JSON.stringify([...place, hold && [hold, show]]);
    const one = this.models[k];
    if (one.seen === seen) return this.hits[k];
    one.seen = seen;
    drawCell(scene.cell, scene);
    return drawMap(scene.map, scene);
  }
  draw() {
    const {stage, said, root, focus, facts, number, step: t} = this;
    if (!stage.clientWidth) return;
    const {hold} = this;
    this.rerun(hold);
    const scenes = this.scenes(hold);
    const scene = scenes[number];
    this.hits = scenes.map((one, k) => this.drawModel(one, k));
    say(said, headline({models: scenes, focus: number, hold, t, facts}));
    this.heading.textContent = facts.title || headingOf(this.models, this.T);
    this.panel.show(scene.layer, this.unitOf(this.focused));
    this.reading.textContent = readingOf(scene, focus.locked);
    said.setAttribute('aria-live', focus.over === null ? 'polite' : 'off');
    holdHeights([said, this.bar], stage.clientWidth);
    Object.assign(root.dataset, {
      step: t + 1,
      unit: scene.u + 1,
      model: this.model.get('model'),
      hold: Boolean(hold),
      locked: focus.locked,
      from: scene.from + 1,
      count: scene.n,
      ready: 'true',
    });
  }

  // ---- pointer and keys
  listen() {
    const {stage, signal, focus} = this;
    const pointer = {
      at: event => this.under(event),
      preview: place => focus.preview(place),
      click: place => this.click(place),
    };
    followPointer(stage, pointer, signal);
    onKeys(stage, this.keys(), signal);
    this.dialogue.hear(CONTROLS, () => this.draw());
  }
  /** A step of a model, and perhaps a unit; null if there is none under the pointer. */
  under(event) {
    for (const [k, one] of this.models.entries()) {
      const box = localBox(one.map);
      const scale = Math.max(NARROWEST, box.width) / box.width;
      const [x, y] = localPoint(one.map, event);
      if (x >= 0 && y >= 0 && x < box.width && y < box.height) {
        const place = this.hits[k](x * scale, y * scale);
        return place.t === undefined ? null : {model: k, ...place};
      }
    }
    return null;
  }
  click({model: k, t, u}) {
    const one = this.models[k];
    const sameUnit = u === undefined || (k === this.number && u === this.unitOf(one));
    this.focus.click(sameUnit && t === this.model.get('step') - 1);
    this.set({
      ...(k === this.number ? {} : this.handOver(one)),
      step: t + 1,
      ...(u === undefined ? {} : {[one.unitTrait]: u + 1}),
    });
  }
  go(t) {
    this.focus.over = null;
    this.set({step: Math.max(1, Math.min(this.T, t + 1))});
  }
  chooseUnit(by) {
    const one = this.focused;
    const {H} = one.layer;
    this.focus.over = null;
    this.set({[one.unitTrait]: ((this.unitOf(one) + by + H) % H) + 1});
  }
  keys() {
    return {
      ArrowLeft: () => this.go(this.step - 1),
      ArrowRight: () => this.go(this.step + 1),
      Home: () => this.go(0),
      End: () => this.go(this.T - 1),
      ArrowUp: () => this.chooseUnit(-1),
      ArrowDown: () => this.chooseUnit(1),
      Enter: () => {
        const t = this.step;
        this.focus.lock();
        this.go(t);
      },
      Escape: () => {
        this.focus.free();
        this.draw();
      },
    };
  }
}
function render({model, el}) {
  const {root, signal, end} = mount(el, 'gates', 'gates of a recurrent layer');
  const view = new GateTraces({model, root, signal});
  root.run = () => view.models.map(({after}) => after); // for whoever checks the arithmetic
  view.listen();
  followTheme(root, () => view.draw(), signal);
  followSize(view.stage, () => view.draw(), signal);
  view.draw();
  return end;
}
export default {render};
