// A view of lines over a grid of settings: its point, its controls, its cursor. What it draws is
// its own affair.

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
} from './base.js';
import {settingControls} from './controls.js';
import {exportButtons} from './export.js';
import {focusLock, followPointer} from './focus.js';
import {headOf} from './frame.js';
import {pointReader} from './grid_points.js';
import {numberIn, oneOf} from './link.js';
import {measuring} from './measuring.js';
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
 * @typedef {Object} GridKind what one view over a grid is
 * @property {string} name
 * @property {string} label
 * @property {Object<string, (scene: GridScene) => Reader>} controls its own traits, see link.js
 * @property {string} [chooses] what up and down turn, in a word: 'model' if it is not given
 * @property {boolean} [always] they turn it for one model, too
 * @property {(facts: GridFacts) => string} heading where the caller gave no title
 * @property {(scene: GridScene) => Array} sentence in pieces, for say()
 * @property {(scene: GridScene) => string} [reading]
 * @property {(scene: GridScene) => string} notes
 * @property {(scene: GridScene) => Array[]} rows of the table that is saved
 * @property {(stage: Element, scene: GridScene) => (x: number, y: number) => Object} draw returns
 * what lies under a point: {} or `step` and some of the controls
 * @property {string} [beneath] what stands under the picture, in its nodes of that class
 * @property {((scene: GridScene, by: number) => Object) | null} up what up (-1) and down (1) change
 */

/**
 * Shows a grid.
 * @param {{model: Object, el: Element}} context what anywidget hands to a view
 * @param {GridKind} kind
 * @returns {() => void} ends the view
 */
export function gridView({model, el}, kind) {
  const facts = model.get('facts');
  const {root, signal, end} = mount(el, kind.name, kind.label, model);
  const {stage, ...nodes} = gridNodes(root, facts, kind);
  const complain = text => {
    if (nodes.problem.textContent !== text) nodes.problem.textContent = text;
  };
  const view = new GridView({model, facts, kind, root, stage, nodes, signal, complain});
  const controls = () => view.controls();
  const row = nodes.heading.hidden ? nodes.bar : nodes.top;
  const {beneath} = kind;
  exportButtons(row, {root, model, signal, complain, controls, beneath}, () => view.table());
  view.listen();
  followTheme(root, () => view.draw(), signal);
  followSize(stage, () => view.draw(), signal);
  view.refresh();
  return end;
}
const choosesModels = (kind, facts) => kind.up && (kind.always || facts.models.length > 1);

function gridNodes(root, facts, kind) {
  const chooses = choosesModels(kind, facts) ? (kind.chooses ?? 'model') : null;
  const {top, heading, said, bar, problem} = headOf(root);
  heading.textContent = facts.title || kind.heading(facts);
  heading.hidden = !heading.textContent;
  const stage = html(root, 'div', {
    class: 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label': `${kind.label}: left and right arrows move the cursor, ${chooses ? `up and down choose a ${chooses}, ` : ''}Enter locks it, Escape frees it`,
  });
  const foot = html(root, 'p', {class: 'foot'});
  say(foot, [
    {kbd: '←'},
    ' ',
    {kbd: '→'},
    ' move, ',
    {kbd: 'Home'},
    ' ',
    {kbd: 'End'},
    ' first and last, ',
    ...(chooses ? [{kbd: '↑'}, ' ', {kbd: '↓'}, ` ${chooses}, `] : []),
    {kbd: 'Enter'},
    ' lock, ',
    {kbd: 'Esc'},
    ' free. ',
  ]);
  return {top, heading, said, bar, problem, stage, notes: html(foot, 'span')};
}

class GridView {
  constructor({model, facts, kind, root, stage, nodes, signal, complain}) {
    Object.assign(this, {model, facts, kind, root, stage, nodes, signal, complain});
    this.names = Object.keys(kind.controls); // of its own controls
    this.point = null;
    this.at = null;
    this.before = null; // the point of the setting before, which may stay as a ghost
    this.dragging = false;
    this.width = 0;
    this.hit = () => ({});
    this.focus = focusLock(() => this.draw());
    this.measure = measuring(root);
    this.pointAt = pointReader(facts, supply(model, signal, complain));
    this.dialogue = dialogue(model, signal, complain);
    this.showSettings = settingControls(nodes.bar, facts.choices, (...turned) =>
      this.turn(...turned),
    );
    const reading = {class: 'value', 'aria-live': 'off'};
    this.reading = html(kind.reading ? nodes.bar : null, 'output', reading);
  }

  // ---- the state
  get step() {
    return Math.min(this.model.get('step'), this.point.T) - 1;
  }
  /** Readers of all controls; those of the point once there is one. */
  controls() {
    const {facts, point, kind} = this;
    const scene = point && this.scene();
    const readers = Object.entries(kind.controls);
    const own = readers.map(([name, reader]) => [name, scene && reader(scene)]);
    return {
      at: Object.fromEntries(facts.choices.map(({name, values}) => [name, oneOf(values)])),
      step: point && numberIn(1, point.T),
      ...Object.fromEntries(own),
    };
  }
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.refresh();
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
  /** What is on screen; what the pointer previews comes first. */
  scene() {
    const over = this.focus.over ?? {};
    const controls = this.names.map(name => [name, over[name] ?? this.model.get(name)]);
    return {
      facts: this.facts,
      ...Object.fromEntries(controls),
      at: this.at,
      point: this.point,
      before: this.before,
      t: over.step ?? this.step,
      locked: this.focus.locked,
    };
  }
  table() {
    const [header, ...rows] = this.kind.rows(this.scene());
    const {choices} = this.facts;
    const settings = choices.map(({name, values, texts}) => texts[values.indexOf(this.at[name])]);
    return [
      [...header, ...choices.map(({name}) => name)],
      ...rows.map(row => [...row, ...settings]),
    ];
  }
  refresh() {
    const at = this.model.get('at');
    const point = this.pointAt(at);
    this.root.setAttribute('aria-busy', point instanceof Promise);
    this.showSettings(at);
    if (point instanceof Promise) {
      point.then(() => {
        if (this.signal.aborted) return;
        this.complain('');
        this.refresh();
      });
      return;
    }
    if (this.point?.T !== point.T) this.focus.over = null;
    this.followMark(point);
    Object.assign(this, {at, point});
    this.draw();
  }
  /** A cursor that stands on a mark goes where the mark goes. */
  followMark(point) {
    const now = this.model.get('step');
    const mark = this.point?.marks.find(([step]) => step === now)?.[1];
    const moved = point.marks.find(([, text]) => text === mark)?.[0];
    const step = moved ?? Math.min(now, point.T);
    if (step !== now) this.dialogue.write({step});
  }
  draw() {
    this.width = this.stage.clientWidth || this.width;
    if (!this.point || !this.width) return;
    const {kind, nodes, focus} = this;
    const scene = {
      ...this.scene(),
      W: this.width,
      tone: palette(this.root),
      measure: this.measure(),
    };
    say(nodes.said, kind.sentence(scene));
    this.reading.textContent = kind.reading?.(scene) ?? '';
    nodes.notes.textContent =
      (scene.locked ? 'Locked: pointing changes nothing. ' : '') + kind.notes(scene);
    holdHeights([nodes.said], this.width);
    this.stage.replaceChildren();
    this.hit = kind.draw(this.stage, {...scene, tall: heightLeft(this.stage)});
    nodes.said.setAttribute('aria-live', focus.over?.step === undefined ? 'polite' : 'off');
    Object.assign(this.root.dataset, {
      step: scene.t + 1,
      locked: focus.locked,
      settings: this.facts.choices.map(({name}) => this.at[name]).join(' '),
      ...Object.fromEntries(this.names.map(name => [name, scene[name]])),
      ready: 'true',
    });
  }

  // ---- pointer and keys
  listen() {
    const {stage, nodes, signal} = this;
    const pointer = {
      at: event => this.under(event),
      preview: place => this.point && this.focus.preview(place),
      click: place => this.click(place),
    };
    followPointer(stage, pointer, signal);
    const letGo = () => {
      this.dragging = false;
    };
    nodes.bar.addEventListener('pointerup', letGo, {signal});
    onKeys(stage, this.keys(), signal);
    this.dialogue.hear(['at'], () => {
      this.remember();
      this.refresh();
    });
    this.dialogue.hear(['step', ...this.names], () => this.refresh());
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
    const {kind, focus} = this;
    const choose = by => this.go(this.step, kind.up(this.scene(), by));
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
      ...(kind.up && {ArrowUp: () => choose(-1), ArrowDown: () => choose(1)}),
    };
  }
}
