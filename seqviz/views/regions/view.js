// Pictures and words: the state, the pointer and the keys.

import {
  dialogue,
  holdHeights,
  html,
  onKeys,
  palette,
  readable,
  say,
  supply,
  svg,
} from '../shared/base.js';
import {choice, segments} from '../shared/controls.js';
import {lowWindow} from '../shared/beneath.js';
import {exportButtons} from '../shared/export.js';
import {followPointer} from '../shared/focus.js';
import {headOf, pictured, showView} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {heightLeft, localPoint} from '../shared/scale.js';
import {filmOf, readFilm} from './parts.js';
import {drawHead, drawLegend, drawPicture} from './picture.js';
import {Player} from './player.js';
import {drawReadout} from './readout.js';
import {
  KIND_NAMES,
  besideRegion,
  besideStep,
  kindOf,
  middleRegion,
  regionUnder,
  sceneOf,
} from './scene.js';
import {headline} from './sentence.js';
import {cellAt, drawStrip} from './strip.js';
import {placeName, tableRows} from './table.js';

const CONTROLS = ['film', 'step', 'locked', 'compare', 'region', 'light'];
const STAGE =
  'left and right arrows step, up and down go to the next row, Enter locks a step and arrows then compare another with it, Escape frees, Space plays';
const PICTURE =
  'picture: arrows move over its regions, Enter locks one, Escape frees; bars in the strip then tell what each step has to do with it';
const FOOT = [
  {kbd: '←'},
  ' ',
  {kbd: '→'},
  ' step, ',
  {kbd: 'Enter'},
  ' or click locks, ',
  {kbd: 'Esc'},
  ' frees, ',
  {kbd: 'Space'},
  ' plays. ',
];
const MOST_LETTERS = 26; // of names in a row of buttons
const FRESH = {compare: 0, region: 0, locked: false};

class ImageRegions {
  constructor({model, root, signal}) {
    Object.assign(this, {model, root, signal, facts: model.get('facts')});
    this.films = new Map(); // by their parts
    this.over = null; // the step and the region that are previewed
    this.spot = null;
    this.scene = null;
    this.measure = measuring(root);
    const complain = text => this.complain(text);
    this.get = supply(model, signal, complain, readFilm);
    this.dialogue = dialogue(model, signal, complain);
    this.addHead(complain);
    this.addStage();
    this.player = new Player(this.body, {
      step: () => this.state.step,
      last: () => this.told.steps - 1,
      go: k => this.go(k),
    });
    signal.addEventListener('abort', () => this.player.stop());
  }
  complain(text) {
    if (this.problem.textContent !== text) this.problem.textContent = text;
  }

  // ---- what stands there
  addHead(complain) {
    const {root, model, signal} = this;
    const {top, ...head} = headOf(root);
    Object.assign(this, head);
    this.addControls();
    const view = {root, model, signal, complain, controls: () => this.controls()};
    view.pictured = take => pictured(this, take);
    exportButtons(
      top,
      view,
      () => tableRows(this.scene.film, this.scene.focus),
      () => this.words,
    );
  }
  addControls() {
    const {bar, facts} = this;
    const groups = Map.groupBy(facts.films.keys(), k => facts.films[k].kind);
    this.kinds = [...groups.keys()];
    const names = Object.fromEntries(this.kinds.map(kind => [kind, KIND_NAMES[kind]]));
    if (groups.size > 1) {
      this.kind = segments(bar, 'kind', names, kind => this.open(groups.get(kind)[0]));
    }
    this.lists = [...groups].map(([kind, films]) => {
      const show = films.length > 1 ? this.listOf(films) : () => {};
      return [kind, show];
    });
    this.lights = this.kinds.map(kind => {
      const lit = segments(bar, 'light', kindOf({kind}).lights, light => this.set({light}));
      lit.group.classList.add('lights');
      return [kind, lit];
    });
  }
  /** Buttons for a few short names, else a list; returns what shows it, or hides it. */
  listOf(films) {
    const names = films.map(k => readable(this.facts.films[k].title, 24));
    const entries = Object.fromEntries(films.map((k, i) => [k, names[i]]));
    const pick = k => this.open(Number(k));
    if (names.join('').length <= MOST_LETTERS) {
      const row = segments(this.bar, 'film', entries, pick);
      return (film, on) => {
        row.group.hidden = !on;
        row.show(film);
      };
    }
    const list = choice(this.bar, 'film', pick);
    return (film, on) => {
      list.box.hidden = !on;
      list.show(film, entries);
    };
  }
  addStage() {
    const {root} = this;
    this.body = html(root, 'div', {class: 'body'});
    this.stage = html(this.body, 'div', {class: 'stage', tabindex: 0, role: 'group'});
    const left = html(this.stage, 'div', {class: 'left'});
    this.head = svg(left, 'svg', {'aria-hidden': true});
    this.strip = html(left, 'div', {
      class: 'strip',
      id: `steps-${Math.random().toString(36).slice(2)}`,
    });
    this.hole = html(left, 'div', {class: 'hole'});
    this.readout = html(left, 'div', {class: 'readout'});
    const right = html(this.stage, 'div', {class: 'right'});
    this.legend = svg(right, 'svg', {'aria-hidden': true});
    const box = html(right, 'div', {class: 'picture', tabindex: 0, role: 'application'});
    this.picture = {
      box,
      canvas: html(box, 'canvas', {class: 'painted'}),
      framed: svg(box, 'svg', {class: 'framed', 'aria-hidden': true}),
      marks: svg(box, 'svg', {'aria-hidden': true}),
    };
    box.setAttribute('aria-label', PICTURE);
    this.foot = html(root, 'p', {class: 'foot'});
  }
  /** A reader of each control. */
  controls() {
    const {films} = this.facts;
    const {steps, grid} = this.told;
    return {
      film: numberIn(1, films.length),
      step: numberIn(1, steps),
      locked: oneOf([true, false]),
      compare: numberIn(0, steps),
      region: numberIn(0, grid[0] * grid[1]),
      light: oneOf(['own', 'one', 'off']),
    };
  }

  // ---- the state: steps and regions count from 0 here, null for none
  get told() {
    return this.facts.films[this.model.get('film') - 1];
  }
  get state() {
    const {model, told, over, spot} = this;
    const most = told.grid[0] * told.grid[1];
    // Python writes a film and its step one after another
    const within = (name, end) => {
      const k = model.get(name) - 1;
      return k < 0 ? null : Math.min(k, end - 1);
    };
    return {
      step: within('step', told.steps),
      compare: within('compare', told.steps),
      region: within('region', most),
      locked: model.get('locked'),
      over,
      spot,
    };
  }
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.draw();
  }
  open(k) {
    this.player.stop();
    Object.assign(this, {over: null, spot: null});
    this.set({film: k + 1, step: this.facts.films[k].opening + 1, ...FRESH});
  }
  opened() {
    this.set({step: this.told.opening + 1, ...FRESH});
  }
  go(k) {
    this.over = null;
    const step = Math.max(0, Math.min(this.told.steps - 1, k));
    this.set({step: step + 1, locked: false, compare: 0});
  }
  /** Free, the arrows step; locked, they choose what is compared. */
  move(by) {
    const {state} = this;
    this.player.stop();
    const next = besideStep({T: this.told.steps}, state.compare ?? state.step, by);
    if (!state.locked) return this.go(besideStep({T: this.told.steps}, state.step, by));
    this.over = null;
    return this.set({compare: next === state.step ? 0 : next + 1});
  }
  press(k) {
    const {step, locked} = this.state;
    this.player.stop();
    this.over = null;
    this.set({step: k + 1, compare: 0, locked: !(locked && k === step)});
  }
  pin(r) {
    this.spot = null;
    this.set({region: this.state.region === r ? 0 : r + 1});
  }
  free() {
    const {region, compare, spot} = this.state;
    Object.assign(this, {over: null, spot: null});
    if (region !== null) return this.set({region: 0});
    if (spot !== null) return this.draw();
    return this.set(compare === null ? {locked: false} : {compare: 0});
  }
  preview(changes) {
    if (Object.entries(changes).every(([name, value]) => this[name] === value)) return;
    Object.assign(this, changes);
    this.draw();
  }

  // ---- from the state to the picture
  filmHere() {
    const {told} = this;
    const part = `film ${this.model.get('film')}`;
    if (this.films.has(part)) return this.films.get(part);
    const values = this.get(part);
    if (values instanceof Promise) {
      values.then(() => this.signal.aborted || this.draw());
      return null;
    }
    this.films.set(part, {...filmOf(told, values), part});
    return this.films.get(part);
  }
  draw() {
    const {root, stage, model, facts} = this;
    if (!stage.clientWidth) return;
    const film = this.filmHere();
    root.setAttribute('aria-busy', !film);
    this.showControls();
    if (!film) return; // the last picture stays
    this.showText(film);
    const tall = heightLeft(stage);
    const pictured = root.classList.contains('pictured');
    const size = {W: stage.clientWidth, tall, low: lowWindow().matches, pictured};
    const scene = sceneOf({film, state: this.state, light: model.get('light'), size});
    this.scene = scene;
    this.heading.textContent = facts.title || HEADINGS[film.kind];
    this.drawScene(scene);
    const {focus} = scene;
    say(this.said, headline(film, focus));
    this.said.setAttribute('aria-live', focus.previewing || this.player.timer ? 'off' : 'polite');
    holdHeights([this.said, this.bar], stage.clientWidth);
    Object.assign(root.dataset, {
      film: model.get('film'),
      step: focus.at + 1,
      compare: focus.other === null ? 0 : focus.other + 1,
      region: focus.region === null ? 0 : focus.region + 1,
      locked: focus.locked,
      light: model.get('light'),
      ready: 'true',
    });
  }
  drawScene(scene) {
    const {root, stage, strip, body} = this;
    const tone = palette(root);
    const measure = this.measure();
    const {layout, focus} = scene;
    body.classList.toggle('narrow', layout.narrow);
    root.classList.toggle('wide', layout.wide);
    root.classList.toggle('previewing', focus.at !== this.state.step);
    body.style.setProperty('--left', `${layout.left}px`);
    drawHead(this.head, scene, measure);
    drawStrip(strip, scene, tone, measure);
    strip.firstChild.setAttribute('aria-label', scene.title);
    stage.setAttribute('aria-label', `${scene.title}: ${STAGE}`);
    stage.setAttribute('aria-activedescendant', `${strip.id}-${focus.at}`);
    this.hole.style.height = `${layout.player}px`;
    drawReadout(this.readout, scene, tone, measure);
    drawLegend(this.legend, scene, measure, tone);
    drawPicture(this.picture, scene, measure);
    const {hole, player} = this;
    Object.assign(player.box.style, {
      top: `${hole.offsetTop + 4}px`,
      left: `${hole.offsetLeft}px`,
      width: `${layout.left}px`,
    });
  }
  /** What stands in text only: before the sizes are taken, as its lines take height. */
  showText(film) {
    say(this.foot, [...FOOT, kindOf(film).key(film)]);
    this.words = `${KIND_NAMES[film.kind]} ${this.told.title}, step ${this.state.step + 1} of ${film.T}.`;
  }
  showControls() {
    const {model, told} = this;
    const film = model.get('film') - 1;
    this.kind?.show(told.kind);
    for (const [kind, show] of this.lists) show(film, kind === told.kind);
    for (const [kind, lights] of this.lights) {
      const known = model.get('light') in kindOf({kind}).lights;
      lights.group.hidden = kind !== told.kind;
      lights.show(known ? model.get('light') : 'own');
    }
    this.player.show(kindOf(told).noun);
  }

  // ---- pointer and keys
  listen() {
    const {root, model, stage, strip, picture, signal} = this;
    const step = {
      at: cellAt,
      preview: over => this.player.timer || this.preview({over}),
      click: k => this.press(k),
    };
    followPointer(strip, step, signal);
    const region = {
      at: event =>
        this.scene
          ? regionUnder(this.scene.film, this.scene.layout.picture, localPoint(picture.box, event))
          : null,
      preview: spot => model.get('region') || this.preview({spot}),
      click: r => this.pin(r),
    };
    followPointer(picture.box, region, signal);
    onKeys(picture.box, this.regionKeys(), signal);
    onKeys(stage, this.stepKeys(), signal);
    const turn = by => () => {
      this.player.stop();
      this.go(this.state.step + by);
    };
    const keys = {PageUp: turn(-1), PageDown: turn(1), Escape: () => this.free()};
    onKeys(root, keys, signal);
    picture.box.addEventListener('blur', () => this.preview({spot: null}), {signal});
    this.dialogue.hear(CONTROLS, () => this.draw());
    // a link names a film only; with a kernel Python opens it
    if (model.kernel === false) this.dialogue.hear(['film'], () => this.opened());
  }
  stepKeys() {
    const row = by => () => this.move(by * this.scene.layout.strip.columns);
    return {
      ArrowLeft: () => this.move(-1),
      ArrowRight: () => this.move(1),
      ArrowUp: row(-1),
      ArrowDown: row(1),
      Home: () => this.move(-Infinity),
      End: () => this.move(Infinity),
      Enter: () => this.press(this.state.step),
      ' ': () => this.player.play(),
    };
  }
  regionKeys() {
    const move = by => () => {
      const {film, focus} = this.scene;
      const from = focus.region;
      const next = from === null ? middleRegion(film) : besideRegion(film, from, by);
      if (this.state.region === null) this.preview({spot: next});
      else this.set({region: next + 1});
      this.picture.box.setAttribute('aria-label', `${placeName(film, next)}; ${PICTURE}`);
    };
    return {
      ArrowLeft: move([-1, 0]),
      ArrowRight: move([1, 0]),
      ArrowUp: move([0, -1]),
      ArrowDown: move([0, 1]),
      Enter: () => this.pin(this.scene.focus.region ?? middleRegion(this.scene.film)),
    };
  }
}
const HEADINGS = {
  caption: 'A caption: where each word attends',
  question: 'An answer: where each word attends',
  glimpses: 'Glimpses: what has been seen, and what is said',
  drawing: 'A drawing, window by window',
};
const render = place => showView(place, ImageRegions, 'regions', 'pictures and words');
export default {render};
