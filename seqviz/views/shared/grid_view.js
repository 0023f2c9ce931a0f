// The frame of a view of lines over a grid of settings: its point, its settings, its cursor. What
// it draws is its own affair.

import {settingControls} from './controls.js';
import {Frame} from './frame.js';
import {pointReader} from './grid_points.js';
import {numberIn, oneOf} from './link.js';
import {html, say, withKeys} from './nodes.js';
import {heightLeft, localPoint} from './scale.js';

/**
 * @typedef {Object} GridScene what is on screen, with the value of each of the view's own controls
 * @property {GridFacts} facts
 * @property {Object<string, number | string>} at the value of each setting
 * @property {GridPoint} point
 * @property {{point: GridPoint, at: Object} | null} before what stood there before a setting turned
 * @property {number} t the step under the cursor, from 0
 * @property {boolean} locked
 * @property {number} [W] pixels of the stage, while it is drawn
 * @property {number | null} [tall] pixels that the stage may be high, while it is drawn, null for
 * any
 * @property {Object} [tone] the palette, while it is drawn
 * @property {Measure} [measure] while it is drawn
 */

/**
 * @typedef {About} GridAbout
 * @property {string} [title] where the caller gave none
 */

const keysOf = chooses =>
  withKeys(
    `[←] [→] move, [Home] [End] first and last, ${chooses && `[↑] [↓] ${chooses}, `}[Enter] lock, [Esc] free. `,
  );

/**
 * Each has `sentence(scene)` in pieces for say(), `rowsOf(now)` without the settings, and
 * `picture(stage, scene)`, which draws and returns what lies under a point (x, y): {}, or `step`
 * and some of its own controls.
 */
export class GridFrame extends Frame {
  own = Object.keys(this.model.get('choices')).filter(name => !['at', 'step'].includes(name));
  point = null;
  at = null;
  before = null; // the point of the setting before, which may stay as a ghost
  awaited = null; // the block that is to come
  dragging = false;
  hit = () => ({});
  pointAt = pointReader(this.facts, b => this.block(b));

  // ---- what a view over a grid says of itself
  /** What up and down turn, in a word; empty if they turn nothing. */
  get chooses() {
    return '';
  }
  /** What they change, by -1 and 1. */
  turned() {
    return {};
  }
  /** Readers of its own controls, see link.js. */
  ownReaders() {
    return {};
  }
  /** What is on screen, with what follows from it. */
  complete(now) {
    return now;
  }
  notes() {
    return '';
  }
  /** Shows in its own controls where they stand. */
  showOwn() {}

  // ---- what stands there
  addControls() {
    const {heading, facts, about, bar} = this;
    heading.textContent = facts.title || about.title || '';
    heading.hidden = !heading.textContent;
    this.showSettings = settingControls(bar, facts.choices, (...turned) => this.turn(...turned));
  }
  addStage() {
    const {label} = this.about;
    const choose = this.chooses ? `up and down choose a ${this.chooses}, ` : '';
    const keys = `left and right arrows move the cursor, ${choose}Enter locks it, Escape frees it`;
    this.stage.setAttribute('aria-label', `${label}: ${keys}`);
  }
  build() {
    super.build();
    say(this.foot, keysOf(this.chooses));
    this.noted = html(this.foot, 'span');
  }
  showControls(scene) {
    this.showSettings(this.model.get('at'));
    if (scene) this.showOwn(scene);
  }
  /** Those of the point once there is one. */
  readers() {
    const {facts, point} = this;
    const at = Object.fromEntries(facts.choices.map(({name, values}) => [name, oneOf(values)]));
    return point ? {at, step: numberIn(1, point.T), ...this.ownReaders(this.now())} : {at};
  }

  // ---- the state
  get step() {
    return Math.min(this.model.get('step'), this.point.T) - 1;
  }
  remember() {
    this.before = this.point && {point: this.point, at: this.at};
  }
  turn(name, value, dragging) {
    const at = this.model.get('at');
    if (at[name] !== value) {
      if (!this.dragging) this.remember();
      this.set({at: {...at, [name]: value}});
    }
    this.dragging = dragging;
  }
  go(t, more = {}) {
    this.focus.over = null;
    this.set({step: Math.max(0, Math.min(this.point.T - 1, t)) + 1, ...more});
  }

  // ---- from the state to the picture
  /** A block of points; when one had to come, its neighbours are likely to be next. */
  block(b) {
    const {starts} = this.facts;
    const values = this.part(`block ${b}`, numbers => numbers);
    if (!values) this.awaited = b;
    else if (this.awaited === b) {
      this.awaited = null;
      for (const n of [b - 1, b + 1]) if (n in starts) this.get(`block ${n}`);
    }
    return values;
  }
  /** What is on screen; what the pointer previews comes first. */
  now() {
    const over = this.focus.over ?? {};
    const controls = this.own.map(name => [name, over[name] ?? this.model.get(name)]);
    return this.complete({
      facts: this.facts,
      ...Object.fromEntries(controls),
      at: this.at,
      point: this.point,
      before: this.before,
      t: over.step ?? this.step,
      locked: this.focus.locked,
    });
  }
  gather() {
    const at = this.model.get('at');
    const point = this.pointAt(at);
    if (!point) return null;
    if (this.point?.T !== point.T) this.focus.over = null;
    this.followMark(point);
    Object.assign(this, {at, point});
    return this.now();
  }
  /** A cursor that stands on a mark goes where the mark goes. */
  followMark(point) {
    const now = this.model.get('step');
    const mark = this.point?.marks.find(([step]) => step === now)?.[1];
    const moved = point.marks.find(([, text]) => text === mark)?.[0];
    const step = moved ?? Math.min(now, point.T);
    if (step !== now) this.dialogue.write({step});
  }
  paint(now) {
    const {stage, focus} = this;
    const scene = {...now, ...this.size()};
    this.noted.textContent =
      (scene.locked ? 'Locked: pointing changes nothing. ' : '') + this.notes(scene);
    this.tell(this.sentence(scene), focus.over?.step !== undefined);
    stage.replaceChildren();
    this.hit = this.picture(stage, {...scene, tall: heightLeft(stage)});
    this.mark({
      step: scene.t + 1,
      locked: focus.locked,
      settings: this.facts.choices.map(({name}) => this.at[name]).join(' '),
      ...Object.fromEntries(this.own.map(name => [name, scene[name]])),
    });
  }
  rows() {
    const [header, ...rows] = this.rowsOf(this.now());
    const {choices} = this.facts;
    const settings = choices.map(({name, values, texts}) => texts[values.indexOf(this.at[name])]);
    return [
      [...header, ...choices.map(({name}) => name)],
      ...rows.map(row => [...row, ...settings]),
    ];
  }

  tables() {
    const [told] = super.tables();
    return [{...told, at: [this.step, 0]}];
  }

  // ---- pointer and keys
  listen() {
    const {bar, signal} = this;
    const letGo = () => {
      this.dragging = false;
    };
    bar.addEventListener('pointerup', letGo, {signal});
    this.dialogue.hear(['at'], () => this.remember());
    super.listen();
  }
  under(event) {
    const place = this.hit(...localPoint(this.stage, event));
    return Object.keys(place).length ? place : null;
  }
  click({step = this.step, ...more}) {
    const chosen = Object.entries(more).every(([name, value]) => this.model.get(name) === value);
    this.focus.click(chosen && step === this.step);
    this.go(step, more);
  }
  keys() {
    const {focus} = this;
    const choose = by => this.go(this.step, this.turned(this.now(), by));
    return {
      ArrowLeft: () => this.go(this.step - 1),
      ArrowRight: () => this.go(this.step + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      Enter: () => {
        const {step = this.step, ...more} = focus.over ?? {};
        focus.lock();
        this.go(step, more);
      },
      Escape: () => {
        focus.free();
        this.before = null;
        this.draw();
      },
      ...(this.chooses && {ArrowUp: () => choose(-1), ArrowDown: () => choose(1)}),
    };
  }
}
