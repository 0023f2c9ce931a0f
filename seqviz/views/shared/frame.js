// The frame on which every view stands: heading, sentence, controls and problems above the stage;
// the state in the model's controls; parts that come later; what is heard, and what then is drawn.
// A view extends `Frame` and says what is its own: its controls, its scene, its picture, and what
// a click and a key mean.

import {palette} from './colours.js';
import {exportButtons} from './export.js';
import {focusLock, followPointer} from './focus.js';
import {dialogue, supply} from './kernel.js';
import {onKeys} from './keys.js';
import {sayLacking} from './lacking.js';
import {followSight, followSize, followTheme, mount} from './life.js';
import {oneOf} from './link.js';
import {measuring} from './measuring.js';
import {holdHeights, html, say, setText} from './nodes.js';
import {heightLeft} from './scale.js';
import {Spoken, spokenTables} from './spoken.js';

/**
 * @typedef {Object} About what a view is
 * @property {string} name what `data-view` says
 * @property {string} label what a screen reader says of the view
 * @property {string} stage and of its stage, with the keys
 * @property {Array} [foot] pieces under the picture, for say()
 * @property {string} [beneath] what stands under the picture, in its nodes of that class
 * @property {string} [numbers] which ones the CSV of the Save menu has
 * @property {(bytes: DataView) => any} [read] makes values of a part's bytes, float32 without it
 */

/** What views share. The life of one: `build`, `listen`, then `draw` whenever something changed. */
export class Frame {
  /**
   * @param {{model: Object, root: Element, signal: AbortSignal}} place
   * @param {About} about
   */
  constructor({model, root, signal}, about) {
    Object.assign(this, {model, root, signal, about});
    this.scene = null; // what was drawn last
    this.made = new Map(); // what was made of parts
    this.focus = focusLock(() => this.draw()); // `over` is what the pointer previews
    this.measure = measuring(root);
    this.complain = this.complain.bind(this);
    this.get = supply(model, signal, this.complain, about.read);
    this.dialogue = dialogue(model, signal, this.complain);
  }
  /** What Python told of the view; it may tell more. */
  get facts() {
    return this.model.get('facts');
  }
  complain(text) {
    setText(this.problem, text);
  }

  // ---- what a view says of itself
  /** Its nodes in `bar`. */
  addControls() {}
  /** Shows in them where they stand. */
  showControls() {}
  /** Its nodes in `stage`. */
  addStage() {}
  /** Readers of the controls whose values depend on more than Python could say, see link.js. */
  readers() {
    return {};
  }
  /** All that the picture needs; null while some of it is under way, the last picture stays. */
  gather() {
    return {};
  }
  /** Draws what was gathered. */
  paint() {}
  /** Rows of the CSV of what is on screen. */
  rows() {
    return [];
  }
  /** What the picture shows as tables and texts, for who does not see it: see spoken.js. */
  tables() {
    return spokenTables(this.about.label, this.rows());
  }
  /** What is under the cursor in words, for who hears it after a key. */
  cursorText() {
    return '';
  }
  /** The controls in words, for a saved picture. */
  stateText() {
    return '';
  }
  /** What lies under the pointer, null if nothing does. */
  under() {
    return null;
  }
  preview(place) {
    this.focus.preview(place);
  }
  /** A click on what lies under the pointer. */
  click() {}
  /** What keys of the stage do, by their names. */
  keys() {
    return {};
  }
  /** A part has come. */
  came() {
    this.draw();
  }
  /** Python, or a link, has moved controls. */
  heard() {
    this.draw();
  }
  /** Around the taking of a picture: without what is only for the hand. */
  pictured(take) {
    this.root.classList.add('pictured');
    this.draw();
    try {
      return take();
    } finally {
      this.root.classList.remove('pictured');
      this.draw();
    }
  }

  // ---- what stands there, from the top down
  build() {
    const {root, about} = this;
    this.top = html(root, 'div', {class: 'top'});
    this.heading = html(this.top, 'h2');
    this.said = html(root, 'p', {class: 'say', 'aria-live': 'polite', 'aria-atomic': true});
    this.bar = html(root, 'div', {class: 'bar'});
    this.problem = html(root, 'p', {class: 'problem', role: 'alert'});
    this.addControls();
    this.addExports();
    const stage = {class: 'stage', tabindex: 0, role: 'application'};
    this.stage = html(root, 'div', {...stage, 'aria-label': about.stage});
    this.addStage();
    this.spoken = new Spoken(root, this.signal);
    this.spoken.follow(this.stage, this.said, this);
    this.foot = html(root, 'p', {class: 'foot'});
    if (about.foot) say(this.foot, about.foot);
  }
  addExports() {
    const {root, model, signal, complain, about} = this;
    const controls = () => this.controls();
    const pictured = take => this.pictured(take);
    const {beneath, numbers} = about;
    exportButtons(
      this.heading.hidden ? this.bar : this.top,
      {root, model, signal, complain, controls, pictured, beneath, numbers},
      () => this.rows(),
      () => this.stateText(),
    );
  }

  // ---- the state
  /** A reader of each control. */
  controls() {
    const choices = Object.entries(this.model.get('choices'));
    const known = choices.map(([name, values]) => [name, values && oneOf(values)]);
    return {...Object.fromEntries(known), ...this.readers()};
  }
  /** Writes controls, and draws. */
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.draw();
  }

  // ---- from the state to the picture
  /**
   * What `make` gives for a part; null while that is under way, then the view is drawn again.
   * @template Made
   * @param {string} name
   * @param {(values: any) => Made} make
   * @returns {Made | null}
   */
  part(name, make) {
    if (this.made.has(name)) return this.made.get(name);
    const values = this.get(name);
    if (values instanceof Promise) {
      values.then(() => this.signal.aborted || this.came());
      return null;
    }
    this.made.set(name, make(values));
    return this.made.get(name);
  }
  draw() {
    if (!this.stage.clientWidth) return; // a hidden view is drawn when it is shown
    const gathered = this.gather();
    this.root.setAttribute('aria-busy', !gathered);
    this.showControls(gathered);
    if (!gathered) return;
    this.paint(gathered);
    this.spoken.rest(() => this.atRest());
  }
  // What is said of a drawing that rests.
  atRest() {
    sayLacking(this.root);
    this.spoken.locked = this.isLocked; // before the next key
    return [this.isLocked ? 'Locked.' : '', ...this.tables()];
  }
  /** Whether something is locked, so that it stays in focus. */
  get isLocked() {
    return this.root.dataset.locked === 'true';
  }
  /** What a drawing needs to know of its place. */
  size() {
    const {stage, root} = this;
    return {
      W: stage.clientWidth,
      tall: heightLeft(stage),
      em: parseFloat(getComputedStyle(root).fontSize),
      tone: palette(root),
      measure: this.measure(),
    };
  }
  /** Says the sentence over the picture; one that is only previewed is not read out. */
  tell(pieces, previewing = false) {
    const {said, bar, stage} = this;
    say(said, pieces);
    said.setAttribute('aria-live', previewing ? 'off' : 'polite');
    holdHeights([said, bar], stage.clientWidth);
  }
  /** Says what the stage is, where that changes. */
  label(text) {
    if (this.stage.getAttribute('aria-label') !== text) this.stage.setAttribute('aria-label', text);
  }
  /** Marks at the root what is on screen. */
  mark(state) {
    Object.assign(this.root.dataset, {...state, ready: 'true'});
  }

  // ---- pointer, keys, Python
  listen() {
    const {stage, signal, model} = this;
    const pointer = {
      at: event => this.under(event),
      preview: place => this.preview(place),
      click: place => this.click(place),
    };
    followPointer(stage, pointer, signal);
    onKeys(stage, this.keys(), signal);
    this.dialogue.hear(Object.keys(model.get('choices')), () => this.heard());
  }
}
/**
 * Opens a view in its place: it is drawn again with the theme and the size.
 * @param {typeof Frame} View
 * @param {About} about
 * @param {{model: Object, el: Element}} context
 * @param {...any} more what else the view is made of
 * @returns {{view: Frame, end: () => void}}
 */
export function openView(View, about, {model, el}, ...more) {
  const {root, signal, end} = mount(el, about.name, about.label, model);
  const view = new View({model, root, signal}, about, ...more);
  view.build();
  view.listen();
  followTheme(root, () => view.draw(), signal);
  followSize(view.stage, () => view.draw(), signal);
  followSight(root, () => view.draw(), signal);
  view.draw();
  return {view, end};
}
/**
 * What a view's file exports: shows it until its end.
 * @param {typeof Frame} View
 * @param {About} about
 * @returns {{render: (context: {model: Object, el: Element}) => () => void}}
 */
export const framedView = (View, about) => ({
  render: context => openView(View, about, context).end,
});
