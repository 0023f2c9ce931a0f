// Pictures and words: the state, the pointer and the keys.

import {lowWindow} from '../shared/beneath.js';
import {unpacked} from '../shared/codec.js';
import {segments, shortList, slider} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {onKeys} from '../shared/keys.js';
import {numberIn} from '../shared/link.js';
import {html, say, svg, withKeys} from '../shared/nodes.js';
import {Player, stepButtons} from '../shared/player.js';
import {localPoint} from '../shared/scale.js';
import {chance, readable} from '../shared/texts.js';
import {filmOf, placeName} from './film.js';
import {drawHead, drawLegend, drawPicture} from './picture.js';
import {drawReadout} from './readout.js';
import {
  besideRegion,
  kindOf,
  middleRegion,
  regionUnder,
  sceneOf,
  sentenceOf,
  spotOf,
  tableRows,
} from './scene.js';
import {cellAt, drawStrip} from './strip.js';

const ABOUT = {
  name: 'regions',
  label: 'pictures and words',
  stage: '',
  read: unpacked,
};
const STAGE =
  'left and right arrows step, up and down go to the next row, Enter locks a step and arrows then compare another with it, Escape frees, Space plays';
const PICTURE =
  'picture: arrows move over its regions, Enter locks one, Escape frees; bars in the strip then tell what each step has to do with it';
const FOOT = withKeys('[←] [→] step, [Enter] or click locks, [Esc] frees, [Space] plays. ');
const OF_KIND = {
  caption: ['Caption', 'A caption: where each word attends'],
  question: ['Question', 'An answer: where each word attends'],
  glimpses: ['Glimpses', 'Glimpses: what has been seen, and what is said'],
  drawing: ['Drawing', 'A drawing, window by window'],
  attention: ['Heads', 'Heads of a vision transformer: where they attend'],
};
const MOST_LETTERS = 26; // of names in a row of buttons
const MOST_ASKERS = 40; // the same, of tokens that attend
const PACE = {pause: 1200, first: 700}; // milliseconds
const atStart = ({opening, asks}) => ({
  step: opening + 1,
  compare: 0,
  region: asks ?? 0,
  locked: false,
});

const regionsOf = ({grid: [rows, columns]}) => rows * columns;
const placesOf = told => regionsOf(told) + (told.special?.length ?? 0);
/** Who can attend, as a list names it; patches are one entry. */
const askersOf = told =>
  (told.special ?? []).reduce(
    (list, name, s) => [...list, [regionsOf(told) + 1 + s, readable(name, 24)]],
    told.special
      ? [
          [0, 'all patches'],
          ['', 'one patch'],
        ]
      : [],
  );
/** Whether two films are layers of one model: what is in focus stays there. */
const goesOn = (a, b) =>
  Boolean(a.special && b.special) &&
  ['grid', 'steps', 'special'].every(name => String(a[name]) === String(b[name]));

class ImageRegions extends Frame {
  over = null; // the step that is previewed
  spot = null; // the region
  film = {
    step: () => this.state.step,
    last: () => this.told.steps - 1,
    go: k => this.go(k),
    changed: () => this.go(this.state.step),
  };
  player = new Player(this.film, PACE, this.signal);

  // ---- what stands there
  addControls() {
    const {bar, facts} = this;
    const groups = Map.groupBy(facts.films.keys(), k => facts.films[k].kind);
    const kinds = [...groups.keys()];
    if (groups.size > 1) {
      const names = Object.fromEntries(kinds.map(kind => [kind, OF_KIND[kind][0]]));
      this.kind = segments(bar, 'kind', names, kind => this.open(groups.get(kind)[0]));
    }
    const pick = k => this.open(Number(k));
    this.lists = [...groups].map(([kind, films]) => {
      const named = films.map(k => [k, readable(facts.films[k].title, 24)]);
      const show = shortList(bar, kindOf({kind}).film ?? 'film', [named, []], MOST_LETTERS, pick);
      bar.lastElementChild.classList.toggle('named', kind === 'attention');
      return [kind, show];
    });
    const ask = place => {
      const [rows, columns] = this.told.grid;
      const patch = middleRegion({rows, columns}) + 1;
      this.spot = null;
      this.set({region: place === '' ? patch : Number(place)});
    };
    this.asker = shortList(bar, 'from', facts.films.map(askersOf), MOST_ASKERS, ask);
    bar.lastElementChild.classList.add('named');
    this.lights = kinds.map(kind => {
      const lit = segments(bar, 'light', kindOf({kind}).lights, light => this.set({light}));
      lit.group.classList.add('lights');
      return [kind, lit];
    });
  }
  showControls() {
    const {model, told, state} = this;
    this.kind?.show(told.kind);
    for (const [kind, show] of this.lists) show(model.get('film') - 1, kind === told.kind ? 0 : 1);
    for (const [kind, lights] of this.lights) {
      const known = model.get('light') in kindOf({kind}).lights;
      lights.group.hidden = kind !== told.kind;
      lights.show(known ? model.get('light') : 'own');
    }
    this.asker(this.pinned ? '' : model.get('region'), model.get('film') - 1);
    const text = kindOf(told).place?.(state.step) ?? `${state.step + 1} of ${told.steps}`;
    this.slider.show(state.step + 1, text, {max: told.steps});
    this.slider.input.setAttribute('aria-valuetext', `${kindOf(told).noun} ${text}`);
    this.showPlaying();
  }
  addStage() {
    const {root, stage} = this;
    this.body = html(root, 'div', {class: 'body'});
    this.body.append(stage);
    const left = html(stage, 'div', {class: 'left'});
    this.head = svg(left, 'svg', {'aria-hidden': true});
    const id = `steps-${Math.random().toString(36).slice(2)}`;
    this.strip = html(left, 'div', {class: 'strip', id});
    this.hole = html(left, 'div', {class: 'hole'});
    this.readout = html(left, 'div', {class: 'readout'});
    const right = html(stage, 'div', {class: 'right'});
    this.legend = svg(right, 'svg', {'aria-hidden': true});
    const about = {
      class: 'picture',
      tabindex: 0,
      role: 'application',
      'aria-label': this.aboutPicture,
    };
    const box = html(right, 'div', about);
    this.picture = {
      box,
      canvas: html(box, 'canvas', {class: 'painted'}),
      framed: svg(box, 'svg', {class: 'framed', 'aria-hidden': true}),
      marks: svg(box, 'svg', {'aria-hidden': true}),
    };
    this.addPlayer();
  }
  addPlayer() {
    const about = {class: 'player', role: 'group', 'aria-label': 'player'};
    this.playerBox = html(this.body, 'div', about);
    this.showPlaying = stepButtons(this.playerBox, this.player);
    const slide = k => {
      this.player.stop();
      this.go(k - 1);
    };
    this.slider = slider(this.playerBox, 'step', slide, {min: 1, step: 1});
  }
  readers() {
    const {steps} = this.told;
    return {
      film: numberIn(1, this.facts.films.length),
      step: numberIn(1, steps),
      compare: numberIn(0, steps),
      region: numberIn(0, placesOf(this.told)),
    };
  }

  // ---- the state: steps and regions count from 0 here, null for none
  get told() {
    return this.facts.films[this.model.get('film') - 1];
  }
  get state() {
    const {model, told, over, spot} = this;
    const {steps} = told;
    // Python writes a film and its step one after another
    const within = (name, end) => (model.get(name) ? Math.min(model.get(name), end) - 1 : null);
    return {
      step: within('step', steps),
      compare: within('compare', steps),
      region: within('region', placesOf(told)),
      locked: model.get('locked'),
      over,
      spot,
    };
  }
  /** Whether a region of the picture stays in focus, whatever the pointer previews. */
  get pinned() {
    const {region} = this.state;
    return region !== null && region < regionsOf(this.told);
  }
  open(k) {
    this.player.stop();
    Object.assign(this, {over: null, spot: null});
    const next = this.facts.films[k];
    this.set({film: k + 1, ...(!goesOn(this.told, next) && atStart(next))});
  }
  go(k) {
    this.over = null;
    const step = Math.max(0, Math.min(this.told.steps - 1, k));
    this.set({step: step + 1, locked: false, compare: 0});
  }
  /** Free, the arrows step; locked, they choose what is compared. */
  move(by) {
    const {step, compare, locked} = this.state;
    this.player.stop();
    if (!locked) return this.go(step + by);
    const next = Math.max(0, Math.min(this.told.steps - 1, (compare ?? step) + by));
    this.over = null;
    return this.set({compare: next === step ? 0 : next + 1});
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

  // ---- from the state to the picture
  gather() {
    const part = `film ${this.model.get('film')}`;
    return this.part(part, values => ({...filmOf(this.told, values), part}));
  }
  paint(film) {
    const {root, model} = this;
    say(this.foot, [...FOOT, kindOf(film).key(film)]);
    const pictured = root.classList.contains('pictured');
    const size = {...this.size(), low: lowWindow().matches, pictured};
    this.scene = sceneOf({film, state: this.state, light: model.get('light'), size});
    this.heading.textContent = this.facts.title || OF_KIND[film.kind][1];
    this.drawScene(this.scene, size);
    const {focus} = this.scene;
    this.tell(sentenceOf(this.scene.film, focus), focus.previewing || this.player.playing);
    this.mark({
      film: model.get('film'),
      step: focus.at + 1,
      compare: focus.other === null ? 0 : focus.other + 1,
      region: (spotOf(focus) ?? -1) + 1,
      locked: focus.locked,
      light: model.get('light'),
    });
  }
  drawScene(scene, {tone, measure}) {
    const {root, stage, strip, body, hole} = this;
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
    hole.style.height = `${layout.player}px`;
    drawReadout(this.readout, scene, tone, measure);
    drawLegend(this.legend, scene, measure, tone);
    drawPicture(this.picture, scene, measure);
    const {style} = this.playerBox;
    style.inset = `${hole.offsetTop + 4}px auto auto ${hole.offsetLeft}px`;
    style.width = `${layout.left}px`;
  }
  rows() {
    return tableRows(this.scene.film, this.scene.focus);
  }
  /** And the picture's regions where they stand, with their share at the step in focus. */
  tables() {
    const {film, focus} = this.scene;
    const {rows, columns, regions} = film;
    const row = k => [...regions[focus.at].slice(k * columns, (k + 1) * columns)];
    const names = Array.from({length: columns}, (_, k) => `column ${k + 1}`);
    const picture = Array.from({length: rows}, (_, k) => [`row ${k + 1}`, ...row(k)]);
    const step = kindOf(film).place?.(focus.at) ?? `step ${focus.at + 1}`;
    const caption = `The picture, region by region: ${step}`;
    const spot = focus.region ?? 0;
    const at = [Math.floor(spot / columns), spot % columns];
    return [...super.tables(), {caption, rows: [['region', ...names], ...picture], at}];
  }
  cursorText() {
    const {film, focus} = this.scene;
    const {at, region} = focus;
    const share = film.regions[at][region]; // of a token there is none
    return share === undefined ? '' : `${placeName(film, region)}: ${chance(share)}`;
  }
  stateText() {
    const {told, state} = this;
    return `${OF_KIND[told.kind][0]} ${told.title}, step ${state.step + 1} of ${told.steps}.`;
  }

  // ---- pointer and keys
  under(event) {
    if (!this.scene) return null;
    const step = cellAt(event);
    if (step !== null) return {step};
    const {film, layout} = this.scene;
    const {box} = this.picture;
    if (!box.contains(event.target)) return null;
    return {region: regionUnder(film, layout.picture, localPoint(box, event))};
  }
  preview(place) {
    this.show({
      over: this.player.playing ? null : (place?.step ?? null),
      spot: this.pinned ? null : (place?.region ?? null),
    });
  }
  /** Previews a step or a region. */
  show(previewed) {
    if (Object.entries(previewed).every(([name, value]) => this[name] === value)) return;
    Object.assign(this, previewed);
    this.draw();
  }
  click({step, region}) {
    if (step === undefined) this.pin(region);
    else this.press(step);
  }
  keys() {
    const row = by => () => this.move(by * this.scene.layout.strip.columns);
    return {
      ArrowLeft: () => this.move(-1),
      ArrowRight: () => this.move(1),
      ArrowUp: row(-1),
      ArrowDown: row(1),
      Home: () => this.move(-Infinity),
      End: () => this.move(Infinity),
      Enter: () => this.press(this.state.step),
      Escape: () => this.free(),
      ' ': () => this.player.play(),
    };
  }
  get aboutPicture() {
    return kindOf(this.told).picture ?? PICTURE;
  }
  regionKeys() {
    const move = by => () => {
      const {film, focus} = this.scene;
      const from = spotOf(focus);
      const next =
        from === null || from >= film.R ? middleRegion(film) : besideRegion(film, from, by);
      if (!this.pinned) this.show({spot: next});
      else this.set({region: next + 1});
      this.picture.box.setAttribute('aria-label', `${placeName(film, next)}; ${this.aboutPicture}`);
    };
    return {
      ArrowLeft: move([-1, 0]),
      ArrowRight: move([1, 0]),
      ArrowUp: move([0, -1]),
      ArrowDown: move([0, 1]),
      Enter: () =>
        this.pin(this.spot ?? (this.pinned ? this.state.region : middleRegion(this.scene.film))),
    };
  }
  listen() {
    const {root, model, picture, signal} = this;
    onKeys(picture.box, this.regionKeys(), signal);
    const turn = by => () => {
      this.player.stop();
      this.go(this.state.step + by);
    };
    const keys = {PageUp: turn(-1), PageDown: turn(1)};
    onKeys(root, keys, signal);
    picture.box.addEventListener('blur', () => this.show({spot: null}), {signal});
    super.listen();
    // a link names a film only; with a kernel Python opens it
    const opened = () => this.told.special || this.set(atStart(this.told));
    if (model.kernel === false) this.dialogue.hear(['film'], opened);
  }
}
export default framedView(ImageRegions, ABOUT);
