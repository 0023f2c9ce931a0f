// The gates: the state, what is run again, and what is drawn then.

import {dialogue, palette, say, supply} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {focusLock} from '../shared/focus.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {fitLine} from '../shared/one_line.js';
import {scaleOf} from '../shared/pixels.js';
import {heightLeft, localBox} from '../shared/scale.js';
import {tableOf} from './cells.js';
import {drawMap} from './map.js';
import {modelsOf, runAgain} from './models.js';
import {gateNodes} from './nodes.js';
import {ORDERS, orderOf} from './order.js';
import {drawPanel} from './panel.js';
import {columns, plan} from './plan.js';
import {firstInSight, handOver, headingOf, holdOf, lowest, readingOf} from './scene.js';
import {headline} from './sentence.js';
import {wordsHeight} from './words.js';

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
 * @typedef {Object} OnScreen
 * @property {Facts} facts
 * @property {number} model its place, 0 or 1
 * @property {boolean} focused
 * @property {Scene[]} tracks the models that answer
 * @property {number} t the step in focus, from 0
 * @property {number} u the unit in focus, from 0
 * @property {Hold | null} hold of this model
 * @property {'after' | 'before' | 'change'} show of the hold
 * @property {string} row that is open
 * @property {string} order
 * @property {number[]} units in their order, from 0
 * @property {number} split before which place a line stands, 0 for none
 * @property {Plan & Columns} place
 * @property {Object} tone the palette
 * @property {{seq: Object, div: Object}} scales what scaleOf() returns of both scales of colours
 * @property {Map<string, string>} cache pictures of heat maps
 * @property {CanvasRenderingContext2D} pen
 * @property {Measure} measure
 */

/** @typedef {Model & OnScreen} Scene a model as it is on screen */

const HELD = ['hold', 'gate', 'value', 'units', 'since'];
export const CONTROLS = ['step', 'unit', 'second_unit', 'model', ...HELD, 'show', 'row', 'order'];
const MOST_KEPT = 400; // heat maps
const TALL = 640; // pixels of the view, where it does not fill the screen
const FOOT = 38; // of those, what stands under the stage

/** The view of one or two layers, of which one is in focus. */
export class Gates {
  constructor({model, root, signal}) {
    const facts = model.get('facts');
    Object.assign(this, {model, root, signal, facts, T: facts.tokens.length});
    const set = changes => this.set(changes);
    this.nodes = gateNodes(root, model, facts, set, label => this.focusOn(label));
    const complain = text => this.complain(text);
    this.dialogue = dialogue(model, signal, complain);
    const get = supply(model, signal, complain);
    this.models = modelsOf(facts, get);
    this.focus = focusLock(() => this.draw()); // `over` is a step and perhaps a unit
    this.measure = measuring(root);
    this.ran = null; // the hold that was run
    this.from = 0; // the first step in sight
    this.theme = '';
    this.scales = null;
    this.cache = new Map();
    this.orders = new Map();
    this.pen = document.createElement('canvas').getContext('2d');
    const controls = () => this.controls();
    exportButtons(
      this.nodes.top,
      {root, model, signal, complain, controls, beneath: 'One unit'},
      () => this.table(),
    );
  }
  table() {
    const {models, facts, model} = this;
    const show = model.get('hold') ? model.get('show') : 'after';
    return tableOf({models, facts, show});
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
      row: oneOf([...kind.rows]),
      order: oneOf(Object.keys(ORDERS)),
    };
  }
  complain(text) {
    this.nodes.problem.textContent = text;
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
  get canHold() {
    const {kind, live} = this.focused.layer;
    return Boolean(live && kind.holds);
  }
  focusOn(label) {
    const one = this.models.find(model => model.label === label);
    const controls = ['gate', 'value', 'hold', 'row'].map(name => [name, this.model.get(name)]);
    this.focus.free();
    this.set(handOver(one, Object.fromEntries(controls)));
  }
  /** Runs the model in focus again, if another hold is wanted. */
  rerun(hold) {
    const wanted = hold && JSON.stringify([this.number, hold]);
    if (wanted === this.ran) return;
    this.ran = wanted;
    this.cache.clear();
    runAgain(this.models, this.number, hold);
  }

  // ---- from the state to the picture
  /** Colours; pictures are made anew when the theme changed, also while this was hidden. */
  tones() {
    const tone = palette(this.root);
    if (this.theme !== this.root.dataset.theme) {
      this.theme = this.root.dataset.theme;
      this.cache.clear();
      this.scales = {seq: scaleOf(tone.seq, this.pen), div: scaleOf(tone.div, this.pen)};
    }
    if (this.cache.size > MOST_KEPT) this.cache.clear();
    const {scales, cache, pen} = this;
    return {tone, scales, cache, pen, measure: this.measure()};
  }
  /** Where all stands in the room that there is. */
  placeOf(layer, measure) {
    const {nodes, root, facts, T, focus, step: t} = this;
    const {stage} = nodes;
    const across = columns(stage.clientWidth, T);
    const {n, cw} = across;
    const inSight = t >= this.from && t < this.from + n;
    if (focus.over === null || !inSight) this.from = firstInSight(this.from, t, n, T);
    const top = localBox(stage).y - localBox(root).y + root.scrollTop;
    return plan(across, {
      height: heightLeft(stage) ?? TALL - FOOT - top,
      words: wordsHeight(facts.tokens, cw, measure),
      answering: this.models.filter(({labels}) => labels.length).length,
      units: layer.H,
      rows: layer.kind.rows.length,
      holds: this.canHold,
      T,
      from: this.from,
    });
  }
  /** The units in an order, sorted once. */
  orderOf(order) {
    const key = `${this.number} ${order}`;
    if (!this.orders.has(key)) this.orders.set(key, orderOf(this.focused.layer, order));
    return this.orders.get(key);
  }
  scenes(hold) {
    const {models, focus, facts, T, step: t, number, model} = this;
    const tones = this.tones();
    const place = this.placeOf(this.focused.layer, tones.measure);
    const [show, order] = ['show', 'order'].map(name => model.get(name));
    const scenes = models.map((one, k) => {
      const focused = k === number;
      const unit = this.unitOf(one);
      return {
        ...one,
        ...tones,
        facts,
        T,
        t,
        show,
        order,
        place,
        model: k,
        focused,
        u: focused ? (focus.over?.u ?? unit) : unit,
        hold: focused ? hold : null,
        row: one.layer.kind.rows.includes(model.get('row'))
          ? model.get('row')
          : one.layer.kind.memory,
      };
    });
    const tracks = scenes.filter(({labels}) => labels.length);
    const {units, split} = this.orderOf(order);
    return scenes.map(scene => ({...scene, tracks, units, split}));
  }
  draw() {
    const {nodes, focus, facts, number, step: t} = this;
    const {stage, plot, said} = nodes;
    if (!stage.clientWidth) return;
    const {hold} = this;
    this.rerun(hold);
    this.showControls(hold);
    const scenes = this.scenes(hold);
    const scene = scenes[number];
    this.scene = scene;
    stage.classList.toggle('stacked', scene.place.stacked);
    plot.style.width = `${scene.place.W}px`;
    nodes.caption.style.top = `${scene.place.caption}px`;
    nodes.caption.style.right = `${scene.place.W - scene.place.end}px`;
    drawMap(nodes.map, scene);
    drawPanel(nodes.cell, scene);
    say(said, headline({models: scenes, focus: number, hold, t, facts}));
    fitLine(said, scene.measure);
    said.setAttribute('aria-live', focus.over === null ? 'polite' : 'off');
    nodes.reading.textContent = readingOf(scene, focus.locked);
    this.tell(scene);
  }
  showControls(hold) {
    const {nodes, model, facts, focused} = this;
    nodes.heading.textContent = facts.title || headingOf(this.models, this.T);
    nodes.models?.show(model.get('model'));
    nodes.hold.show(focused.layer, this.unitOf(focused));
    nodes.order.show(model.get('order'), ORDERS);
    nodes.shows.group.disabled = !hold;
    nodes.shows.group.hidden = !this.canHold;
    nodes.shows.show(hold ? model.get('show') : 'after');
    this.root.dataset.hold = Boolean(hold);
  }
  /** What is on screen, for whoever looks from outside. */
  tell({t, u, place}) {
    Object.assign(this.root.dataset, {
      step: t + 1,
      unit: u + 1,
      model: this.model.get('model'),
      locked: this.focus.locked,
      from: place.from + 1,
      count: place.n,
      ready: 'true',
    });
  }
}
