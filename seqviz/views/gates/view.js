// The gates: the state, what is run again, and what is drawn then.

import {unpacked} from '../shared/codec.js';
import {choice, segments} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say, withKeys} from '../shared/nodes.js';
import {fitLine} from '../shared/one_line.js';
import {Images} from '../shared/pixels.js';
import {localBox} from '../shared/scale.js';
import {tableOf} from './cells.js';
import {Hand, keysOf} from './hands.js';
import {HoldPanel} from './hold_panel.js';
import {drawMap} from './map.js';
import {modelsOf, runAgain} from './models.js';
import {orderOf, ORDERS} from './order.js';
import {drawPanel} from './panel.js';
import {columns, plan} from './plan.js';
import {firstInSight, handOver, headingOf, holdOf, lowest, readingOf} from './scene.js';
import {headline} from './sentence.js';
import {gateTables} from './told.js';
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
 * @property {Images} images of heat maps
 * @property {Measure} measure
 */

/** @typedef {Model & OnScreen} Scene a model as it is on screen */

const ABOUT = {
  name: 'gates',
  label: 'gates of a recurrent layer',
  stage:
    'gates over the tokens: left and right arrows move the cursor, up and down choose a unit, ' +
    'Enter locks, Escape frees, Space holds the gate or lets it go, N and P open the next row',
  beneath: 'One unit',
  read: unpacked,
};
const KEYS = withKeys('[←→↑↓] move [N] row [Space] hold [H] from here [D] change');
const named = texts => Object.fromEntries(texts.map(text => [text, text]));

const HELD = ['hold', 'gate', 'value', 'units', 'since'];
const TALL = 640; // pixels of the view, where it does not fill the screen
const FOOT = 38; // of those, what stands under the stage

/** The view of one or two layers, of which one is in focus. */
class Gates extends Frame {
  T = this.facts.tokens.length;
  models = modelsOf(this.facts, this.get);
  ran = null; // the hold that was run
  from = 0; // the first step in sight
  images = new Images();
  orders = new Map();

  // ---- what stands there
  addControls() {
    const {top, bar, said, model, facts} = this;
    said.classList.add('line');
    const labels = named(facts.models.map(({label}) => label));
    const focusOn = label => this.focusOn(label);
    this.focusShown = facts.models.length > 1 ? segments(top, 'model', labels, focusOn) : null;
    this.holder = new HoldPanel(bar, model, facts, changes => this.set(changes));
  }
  addStage() {
    this.plot = html(this.stage, 'div', {class: 'plot'});
    this.map = html(this.plot, 'div', {class: 'map'});
    this.caption = html(this.plot, 'div', {class: 'bar caption'});
    this.order = choice(this.caption, 'order of the units', order => this.set({order}));
    this.order.box.firstChild.textContent = ''; // the list says what it is to who does not see it
    const {show: shows} = this.model.get('choices');
    this.shows = segments(this.caption, 'show', named(shows), show => this.set({show}));
    this.cell = html(this.stage, 'div', {class: 'cell beneath'});
  }
  build() {
    super.build();
    this.value = html(this.foot, 'output', {'aria-live': 'off'});
    say(html(this.foot, 'span', {class: 'keys'}), KEYS);
  }
  readers() {
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
      since: numberIn(1, T),
      row: oneOf([...kind.rows]),
    };
  }
  showControls({hold}) {
    const {model, facts, focused, shows} = this;
    this.heading.textContent = facts.title || headingOf(this.models, this.T);
    this.focusShown?.show(model.get('model'));
    this.holder.show(focused.layer, this.unitOf(focused));
    this.order.show(model.get('order'), ORDERS);
    shows.group.disabled = !hold;
    shows.group.hidden = !this.canHold;
    shows.show(hold ? model.get('show') : 'after');
    this.root.dataset.hold = Boolean(hold);
  }
  rows() {
    const {models, facts, model} = this;
    return tableOf({models, facts, show: model.get('hold') ? model.get('show') : 'after'});
  }
  tables() {
    return gateTables(this.scene);
  }
  cursorText() {
    return this.value.textContent;
  }
  /** What is saved has the sizes that are on screen. */
  pictured(take) {
    return take();
  }

  // ---- the state
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
    this.images.clear();
    runAgain(this.models, this.number, hold);
  }

  // ---- from the state to the picture
  gather() {
    const {hold} = this;
    this.rerun(hold);
    return {hold};
  }
  tones({tone, measure}) {
    const {images} = this;
    const scales = {seq: images.scale(tone.seq), div: images.scale(tone.div)};
    return {tone, scales, images, measure};
  }
  /** Where all stands in the room that there is. */
  placeOf(layer, {tall, measure}) {
    const {stage, root, facts, T, focus, step: t} = this;
    const across = columns(stage.clientWidth, T);
    const {n, cw} = across;
    const inSight = t >= this.from && t < this.from + n;
    if (focus.over === null || !inSight) this.from = firstInSight(this.from, t, n, T);
    const top = localBox(stage).y - localBox(root).y + root.scrollTop;
    return plan(across, {
      height: tall ?? TALL - FOOT - top,
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
    const size = this.size();
    const tones = this.tones(size);
    const place = this.placeOf(this.focused.layer, size);
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
  paint({hold}) {
    const {stage, plot, caption, said, focus, facts, number, step: t, model} = this;
    const scenes = this.scenes(hold);
    const scene = scenes[number];
    const {place, u, measure} = scene;
    this.scene = scene;
    stage.classList.toggle('stacked', place.stacked);
    plot.style.width = `${place.W}px`;
    caption.style.top = `${place.controls}px`;
    caption.style.right = `${place.W - place.end}px`;
    drawMap(this.map, scene);
    drawPanel(this.cell, scene);
    say(said, headline({models: scenes, focus: number, hold, t, facts}));
    fitLine(said, measure);
    said.setAttribute('aria-live', focus.over === null ? 'polite' : 'off');
    const {locked} = focus;
    this.value.textContent = readingOf(scene, locked);
    const {from, n: count} = place;
    this.mark({step: t + 1, unit: u + 1, model: model.get('model'), locked, from: from + 1, count});
  }

  // ---- pointer and keys
  under(event) {
    return this.hand.at(event);
  }
  preview(place) {
    this.hand.preview(place);
  }
  click(place) {
    this.hand.click(place);
  }
  keys() {
    return keysOf(this);
  }
  listen() {
    this.hand = new Hand(this);
    super.listen();
  }
}
export default framedView(Gates, ABOUT);
