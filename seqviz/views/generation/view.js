// How a language model writes: the state, the pointer and the keys.

import {Frame, framedView} from '../shared/frame.js';
import {onTyping} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say, withKeys} from '../shared/nodes.js';
import {Runs, textField} from '../shared/runs.js';
import {localPoint} from '../shared/scale.js';
import {drawAbsent} from './absent.js';
import {rowAt, stripAt} from './bars.js';
import {drawBars, drawStrip} from './bars_picture.js';
import {Cards} from './cards.js';
import {KNOBS} from './decoding.js';
import {hues} from './marks.js';
import {placeName, runName} from './names.js';
import {Panes} from './panes.js';
import {drawBeside, drawText, drawTree} from './picture.js';
import {Roulette} from './roulette.js';
import {columnsIn, knobIn, readingOf, sceneOf, stateText, tableOf} from './scene.js';
import {headline, ROWS} from './sentence.js';
import {Store} from './store.js';
import {tokenAt} from './text_line.js';
import {keyOf, nodeAt, Visits} from './tree.js';

const ABOUT = {
  name: 'generation',
  label: 'how a language model writes',
  stage:
    'next token: up and down choose, Enter takes, S samples, Backspace or left takes back, right goes where you were or takes, Escape returns to the first',
  beneath: 'What comes after',
  read: bytes => bytes, // the store reads them
};
const FOOT = withKeys('[↑] [↓] choose, [⏎] or click take, [S] sample, [⌫] back, [Esc] first.');
const LEADS = ' ›: computed here.';
const FIELD = {
  title: 'Write on from ',
  label: 'text that the model writes on from',
  act: 'Write',
  hint: 'another text needs a running kernel',
};
const KNOB_NAMES = Object.values(KNOBS);

class NextWords extends Frame {
  constructor(place, about) {
    super(place, about); // `over` of the focus is a rank {r}, a token {k} or a branch {path}
    this.field = null; // where the reader writes a text, if a model reads one
    this.begin();
    this.signal.addEventListener('abort', () => this.life.abort());
  }
  /** Behind another prompt; what is written in the field but not run yet stays there. */
  beginAnew() {
    this.begin();
    const {field, facts} = this;
    if (!field) return;
    if (field.input.value === field.value) field.input.value = facts.text;
    field.value = facts.text;
  }
  /** All that is known is of one prompt. */
  begin() {
    this.life?.abort();
    this.life = new AbortController();
    this.visits = new Visits();
    this.visits.visit(this.path);
    const {model, complain} = this;
    const {signal} = this.life;
    this.store = new Store(model, signal, complain, () => this.draw());
    this.roulette = new Roulette(this.store, signal, {
      changed: () => this.draw(),
      take: drawn => this.takeDrawn(drawn),
      again: ({written}) => written.join() === this.path.join() && this.sample(),
    });
  }

  // ---- what stands there
  addControls() {
    this.cards = new Cards(this.root, this.facts, changes => this.set(changes));
    this.bar.replaceWith(this.cards.row);
    this.bar = this.cards.row;
    if (this.facts.text !== null) this.addField();
  }
  addField() {
    const {model, signal, facts} = this;
    const answered = (_, problem) => {
      this.complain(problem);
      this.field.input.setAttribute('aria-invalid', Boolean(problem));
      this.draw();
    };
    const runs = new Runs(model, answered, problem => {
      this.complain(problem);
      this.field.show();
    });
    signal.addEventListener('abort', () => runs.end());
    this.field = textField('text', facts.text, model, signal, runs, FIELD);
    this.problem.before(this.field.form);
  }
  addStage() {
    this.panes = new Panes(this.stage, {
      take: () => this.takeRank(this.scene.at),
      sample: () => this.sample(),
      back: () => this.back(),
      compare: on => this.set({compare: on}),
      again: () => this.set({luck: (this.model.get('luck') + 1) % this.facts.lucks}),
      go: path => this.go(path),
      retry: () => this.store.again(this.path),
      live: this.store.live,
    });
  }
  build() {
    super.build();
    this.heading.textContent = this.facts.title || 'How a language model writes';
    this.note = html(this.foot, 'span', {class: 'note'});
    say(html(this.foot, 'span'), this.store.live ? FOOT : [...FOOT, LEADS]);
  }
  readers() {
    const {facts, store} = this;
    const able = text => {
      const ids = text === '' ? [] : text.split(',').map(Number);
      const way = ids.map((_, k) => placeName(ids.slice(0, k + 1)));
      return way.every(name => store.can(name)) ? ids : undefined;
    };
    return {
      k: numberIn(1, facts.keep),
      p: oneOf(facts.nucleus),
      temperature: oneOf(facts.temperatures),
      written: able,
      focus: numberIn(1, Math.min(ROWS, facts.vocabulary)),
      luck: numberIn(0, facts.lucks - 1),
    };
  }

  // ---- the state: ranks count from 0 here
  get path() {
    return this.model.get('written');
  }
  get state() {
    const {model, focus, roulette} = this;
    const names = ['method', ...KNOB_NAMES, 'written', 'compare', 'luck'];
    const traits = Object.fromEntries(names.map(name => [name, model.get(name)]));
    return {...traits, focus: model.get('focus') - 1, over: focus.over, roll: roulette.roll};
  }
  go(path) {
    this.roulette.stop();
    this.focus.over = null;
    this.visits.visit(path);
    this.set({written: path, focus: 1});
  }
  take(id) {
    this.go([...this.path, id]);
  }
  takeDrawn({id, rank: r, word, p}) {
    this.visits.drawn.set(keyOf([...this.path, id]), {r, word, p});
    this.take(id);
  }
  takeRank(r) {
    const {place} = this.scene;
    if (!place || this.roulette.roll) return;
    this.roulette.fell = null;
    this.take(place.ids[r]);
  }
  back() {
    if (this.roulette.roll) {
      this.roulette.land();
      return;
    }
    this.roulette.fell = null;
    if (this.path.length) this.go(this.path.slice(0, -1));
  }
  /** To where one was, else on with the token in focus. */
  forward() {
    const next = this.visits.lasts.get(this.path.join(' '));
    if (this.roulette.roll || !this.scene) return;
    if (next === undefined) this.takeRank(this.scene.at);
    else this.take(next);
  }
  sample() {
    if (!this.scene?.place) return;
    this.focus.over = null;
    this.roulette.spin(this.scene);
  }
  choose(r) {
    if (this.roulette.roll || !this.scene?.place) return;
    this.focus.over = null;
    const last = Math.min(ROWS, this.facts.vocabulary) - 1;
    this.set({focus: 1 + Math.max(0, Math.min(last, r))});
  }
  free() {
    this.roulette.stop();
    this.focus.over = null;
    this.set({focus: 1});
  }

  // ---- from the state to the picture
  gather() {
    const {facts, path} = this;
    if (facts.ids.join() !== this.store.facts.ids.join()) this.beginAnew();
    const {store, state} = this;
    const back = store.prompt?.back;
    const start = method => ({method, knob: facts.knobs[method], seed: facts.seed});
    const greedy = store.run(start('greedy'), []);
    const places = Array.from({length: path.length + 1}, (_, k) => store.place(path.slice(0, k)));
    const place = places.at(-1);
    const absent = !place && !store.can(placeName(path));
    const all = back && greedy && places.slice(0, -1).every(Boolean) && (place || absent);
    if (!all) return null;
    const problem = store.problem(path);
    const known = absent ? places.slice(0, -1) : places;
    const open = id => !store.live && store.can(placeName([...path, id]));
    const {visits} = this;
    const ways = path =>
      store.made.has(placeName(path)) || (!store.live && store.can(placeName(path)));
    const made = path => store.made.get(placeName(path)) ?? null;
    const seen = {visits, open, known: ways, made};
    const given = {facts, back, greedy, places: known, place, problem, state, ...seen};
    return {
      ...given,
      live: store.live,
      following: this.followingOf(place, state),
      beside: this.besideOf(state, start),
    };
  }
  followingOf(place, {roll, over, focus, written}) {
    const id = roll?.rests ? roll.id : place?.ids[over?.r ?? focus];
    return id === undefined ? null : this.store.placeLater([...written, id]);
  }
  /** What each method writes from here; without a kernel what it wrote at the start. */
  besideOf(state, start) {
    const {store, facts} = this;
    if (!state.compare) return [];
    return facts.methods.map(method => {
      const wanted = {method, knob: knobIn(method, state), seed: state.luck};
      if (store.can(runName(wanted, state.written, facts.steps))) {
        return {...wanted, run: store.runLater(wanted, state.written), own: true};
      }
      return {...start(method), run: store.run(start(method), []), own: false};
    });
  }
  showControls(gathered) {
    this.field?.show();
    if (!gathered) this.store.rest(); // the last picture stays
  }
  size() {
    const {root, panes, facts} = this;
    const size = super.size();
    const {W, em} = size;
    const compare = this.model.get('compare');
    const columns = columnsIn(W, em, compare);
    root.dataset.columns = columns;
    panes.show(columns, compare);
    return {
      ...size,
      columns,
      small: Math.max(12, 0.858 * em),
      dist: panes.dist.clientWidth,
      side: panes.tree.clientWidth,
      lines: panes.lines.clientWidth,
      bits: Math.log2(Math.max(2, facts.vocabulary)),
    };
  }
  paint(gathered) {
    const {root, panes} = this;
    const size = this.size();
    const scene = sceneOf(gathered, size);
    const tone = hues(size.tone);
    this.scene = scene;
    root.classList.toggle('previewing', scene.previewing);
    this.cards.show(scene.cards);
    drawText(panes.text, scene, size, tone);
    if (scene.place) drawBars(panes.dist, scene, size, tone);
    else drawAbsent(panes.dist, scene, size);
    this.drawStrip(size, tone);
    for (const [node, shown, draw] of [
      [panes.tree, scene.tree, drawTree],
      [panes.lines, scene.lines, drawBeside],
    ]) {
      if (shown) draw(node, scene, size, tone);
      else node.replaceChildren();
    }
    panes.tell(scene, this.roulette);
    this.tell(headline(scene), scene.previewing);
    this.note.textContent = scene.note;
    this.store.settle();
    const {state, at, kept, place} = scene;
    this.mark({
      method: state.method,
      written: state.written.join(' '),
      focus: state.focus + 1,
      at: at + 1,
      kept: kept?.n ?? 0,
      rolls: Boolean(state.roll),
      place: place ? 'here' : 'absent',
    });
  }
  rows() {
    return tableOf(this.scene);
  }
  cursorText() {
    return this.scene ? readingOf(this.scene) : '';
  }
  stateText() {
    return stateText(this.scene);
  }
  /** A strip on which a number runs stays as it is. */
  drawStrip(size, tone) {
    const {scene, panes, roulette} = this;
    if (!scene.place) {
      panes.strip.replaceChildren();
      return;
    }
    const key = `${size.dist} ${size.em} ${tone.bg}`;
    if (roulette.roll && !roulette.roll.rests && roulette.drawn === key) return;
    roulette.drawn = key;
    const ball = drawStrip(panes.strip, scene, size, tone);
    if (ball) roulette.run(ball, size.dist);
    else roulette.drawn = '';
  }

  // ---- pointer and keys
  heard() {
    this.focus.over = null;
    this.roulette.stop();
    this.visits.visit(this.path);
    this.draw();
  }
  listen() {
    super.listen();
    const {signal, root} = this;
    onTyping(root, {s: () => this.sample()}, signal);
    const forget = () => {
      this.roulette.forget();
      this.draw();
    };
    root.addEventListener('reset', forget, {signal});
    this.dialogue.hear(['facts'], () => this.draw());
  }
  /** What lies under the pointer: a rank {r}, a token {k}, a branch {path}; null if nothing. */
  under(event) {
    const {scene, panes} = this;
    if (!scene || event.target.closest('button, label, input')) return null;
    const k = tokenAt(scene.line, ...localPoint(panes.text, event));
    if (k !== null) return {k};
    if (scene.place) {
      const [x, y] = localPoint(panes.dist, event);
      const r = x >= 0 && x <= panes.dist.clientWidth ? rowAt(scene.bars, y) : null;
      const fallen = stripAt(scene.strip, ...localPoint(panes.strip, event));
      if (r !== null || fallen !== null) return {r: r ?? fallen};
    }
    const node = scene.tree && nodeAt(scene.tree, ...localPoint(panes.tree, event));
    if (!node) return null;
    const next = node.step === scene.written.length && node.named;
    return next ? {r: node.r, path: node.path} : {path: node.path};
  }
  preview(place) {
    if (this.roulette.roll) return;
    this.stage.classList.toggle('over', place !== null);
    this.focus.preview(place);
  }
  click({r, k, path}) {
    if (this.roulette.roll) return;
    this.roulette.fell = null;
    if (k !== undefined) {
      const given = this.facts.prompt.length;
      this.go(this.path.slice(0, Math.max(0, k + 1 - given)));
    } else if (path) {
      const taken = this.path.slice(0, path.length).join() === path.join();
      this.go(taken ? path : this.visits.end(path)); // a branch opens where it was left
    } else this.takeRank(r);
  }
  keys() {
    const at = () => this.scene?.at ?? 0;
    return {
      ArrowUp: () => this.choose(at() - 1),
      ArrowDown: () => this.choose(at() + 1),
      Home: () => this.choose(0),
      End: () => this.choose(ROWS),
      ArrowLeft: () => (this.scene?.line.left ? this.forward() : this.back()),
      ArrowRight: () => (this.scene?.line.left ? this.back() : this.forward()),
      Backspace: () => this.back(),
      Enter: () => this.scene && this.takeRank(at()),
      Escape: () => this.free(),
    };
  }
}
export default framedView(NextWords, ABOUT);
