// Masked words: the state, the pointer and the keys.

import {
  dialogue,
  holdHeights,
  html,
  listen,
  onKeys,
  palette,
  readable,
  say,
  supply,
} from '../shared/base.js';
import {runsLeft} from '../shared/direction.js';
import {choice, segments, tick} from '../shared/controls.js';
import {exportButtons} from '../shared/export.js';
import {focusLock, followPointer} from '../shared/focus.js';
import {headOf, pictured, showView} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {localPoint} from '../shared/scale.js';
import {readPart} from '../shared/words_and_numbers.js';
import {besideLine, chipAt, chipLayout, sentenceOf} from './chips.js';
import {KernelBox} from './kernel_box.js';
import {Answer} from './parts.js';
import {drawGuesses, drawSentence} from './picture.js';
import {Questions} from './questions.js';
import {headlineSize, readingOf, sceneOf, tableOf} from './scene.js';
import {headline} from './sentence.js';
import {TrainingPane} from './training_pane.js';

const STAGE =
  'left and right arrows preview a mask, up and down go to the next line, Enter masks, the same again or Escape frees';
const FOOT = [
  {kbd: '←'},
  ' ',
  {kbd: '→'},
  ' preview, ',
  {kbd: 'Enter'},
  ' or click mask, ',
  {kbd: 'Esc'},
  ' frees. Arc, shade, number: to which tokens [MASK] attends, with which weight; not why.',
];
const HATCHED = ' Hatched below: read by ';
const CONTROLS = ['sentence', 'mask', 'second', 'head', 'compare', 'training', 'rate', 'draw'];
const MOST_NAMES = 40; // letters of the names in a row of buttons
const WIDE = 1100;

class MaskedWords {
  constructor({model, root, signal}) {
    Object.assign(this, {model, root, signal, facts: model.get('facts')});
    this.made = new Map(); // what was made of parts
    this.known = new Map(); // sentences by their parts
    this.placed = {key: '', layout: null}; // the last layout, and for what
    this.moves = 0; // of masks and sentences: an answer to what was there before is dropped
    this.two = model.get('second') > 0;
    this.scene = null;
    this.hits = () => null;
    this.measure = measuring(root);
    this.focus = focusLock(() => this.draw()); // `over` is a position
    const complain = text => this.complain(text);
    this.get = supply(model, signal, complain, readPart);
    this.dialogue = dialogue(model, signal, complain);
    this.questions = new Questions(model, signal, () => this.showBox());
    this.addHead(complain);
    this.addStage();
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
    view.beneath = 'Ask the model';
    const state = () => this.trained?.lesson ?? '';
    exportButtons(top, view, () => tableOf(this.scene, this.trained), state);
  }
  addControls() {
    const {bar, facts} = this;
    const {sentences, heads, live} = facts;
    const pick = k => this.pick(Number(k));
    const look = k => this.set({head: heads[k]});
    if (live || sentences.length > 1) {
      const titles = sentences.map(({title}) => title);
      this.sentences = listOf(bar, 'sentence', live ? null : titles, pick); // it grows
    }
    if (heads.length > 1) this.heads = listOf(bar, 'attention', heads, look);
    if (sentences.some(({compared}) => compared)) {
      this.compare = tick(bar, `compare ${readable(facts.names[1])}`, on =>
        this.set({compare: on}),
      );
    }
  }
  /** A reader of each control. */
  controls() {
    const {facts, here} = this;
    const {sentences, heads, training} = facts;
    const draws = training?.draws?.counts[training.rates.indexOf(this.model.get('rate'))] ?? 0;
    const able = text => {
      const mask = numberIn(0, here.tokens.length)(text);
      return here.special.includes(mask - 1) ? undefined : mask;
    };
    return {
      sentence: numberIn(1, sentences.length),
      mask: able,
      second: able,
      head: oneOf(heads),
      compare: oneOf([true, false]),
      training: oneOf(training ? [true, false] : [false]),
      rate: oneOf(training?.rates ?? []),
      draw: numberIn(Math.min(1, draws), draws),
    };
  }
  addStage() {
    const {root, facts, signal} = this;
    this.stage = html(root, 'div', {class: 'stage', tabindex: 0, role: 'group'});
    this.sentence = html(this.stage, 'div', {class: 'sentence'});
    const panes = html(this.stage, 'div', {class: 'panes'});
    this.guesses = html(panes, 'div');
    if (facts.live) {
      const hands = {ask: text => this.askText(text), two: on => this.wantTwo(on)};
      this.box = new KernelBox(panes, this.questions, facts.text, hands, signal);
    }
    if (facts.training) {
      this.pane = new TrainingPane(this.stage, facts.training, {
        part: (name, make) => this.partOf(name, make),
        set: changes => this.set(changes),
        redraw: () => this.draw(),
        signal,
      });
    }
    const compared = facts.sentences.some(one => one.compared);
    const hatched = compared ? [`${HATCHED}${readable(facts.names[1])}, too.`] : [];
    say(html(root, 'p', {class: 'foot'}), [...FOOT, ...hatched]);
    this.spoken = html(root, 'output', {class: 'spoken', 'aria-live': 'polite'});
  }

  // ---- the state: positions count from 0 here, null for none
  get state() {
    const {model, focus, here} = this;
    // Python writes a sentence and its masks one after another
    const place = name => {
      const k = model.get(name) - 1;
      return k < 0 || k >= here.tokens.length || here.special.includes(k) ? null : k;
    };
    const mask = place('mask');
    const second = place('second');
    const known = this.facts.pairs.includes(pairName(here.part, mask, second));
    return {
      mask,
      second: known ? second : null,
      over: focus.over,
      head: model.get('head'),
      compare: model.get('compare'),
    };
  }
  get here() {
    const given = this.facts.sentences[this.model.get('sentence') - 1];
    if (!this.known.has(given.part)) this.known.set(given.part, sentenceOf(given));
    return this.known.get(given.part);
  }
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.draw();
  }
  /** Another mask, or none; no answer for the one before is taken. */
  move(changes) {
    this.moves += 1;
    this.focus.over = null;
    this.spoken.textContent = '';
    this.set({second: 0, ...changes});
  }
  pick(k) {
    this.move({sentence: k + 1, mask: this.facts.sentences[k].opening});
  }
  press(k) {
    const {mask, second} = this.state;
    if (k === second) return this.move({mask: k + 1, second: mask + 1}); // the other of both
    if (this.two && this.questions.able && mask !== null && k !== mask) return this.askPair(k);
    return this.move({mask: k === mask ? 0 : k + 1});
  }
  free() {
    if (this.focus.over === null) return this.move({mask: 0});
    this.spoken.textContent = '';
    return this.focus.preview(null);
  }

  // ---- the model in Python
  wantTwo(on) {
    this.two = on;
    if (!on && this.state.second !== null) this.move({});
    else this.showBox();
  }
  askPair(k) {
    const {mask} = this.state;
    const masks = [mask + 1, k + 1];
    const {moves} = this;
    this.focus.over = null;
    this.questions.ask({sentence: this.model.get('sentence'), masks}, () => {
      if (moves !== this.moves) return 'The mask moved on, so the answer was dropped.';
      this.set({second: k + 1});
      return '';
    });
    this.draw();
  }
  askText(text) {
    const {moves} = this;
    this.questions.ask({text}, ({sentence}) => {
      if (moves !== this.moves) return 'Your sentence is in the list; the mask had moved on.';
      this.pick(sentence - 1);
      return '';
    });
  }

  // ---- from the state to the picture
  /** What `make` gives for a part, null while it is under way. */
  partOf(name, make) {
    if (this.made.has(name)) return this.made.get(name);
    const values = this.get(name);
    if (values instanceof Promise) {
      values.then(() => this.signal.aborted || this.draw());
      return null;
    }
    this.made.set(name, make(values));
    return this.made.get(name);
  }
  answers({second, mask}) {
    const {part, tokens} = this.here;
    const {heads, vocabulary} = this.facts;
    const shape = {tokens: tokens.length, guesses: Math.min(5, vocabulary), heads};
    const answer = (name, rows) =>
      this.partOf(name, values => new Answer(values, {...shape, rows}));
    const single = answer(part, tokens.length);
    if (second === null) return {single, pair: null, here: single !== null};
    const pair = answer(pairName(part, mask, second), 2);
    return {single, pair, here: single !== null && pair !== null};
  }
  layoutOf(sentence, size) {
    const {W, em, measure} = size;
    const key = [sentence.part, W, em, measure.families].join();
    if (this.placed.key !== key) this.placed = {key, layout: chipLayout(sentence, size)};
    return this.placed.layout;
  }
  size() {
    const em = parseFloat(getComputedStyle(this.root).fontSize);
    const small = Math.max(12, 0.858 * em);
    return {W: this.stage.clientWidth, em, small, measure: this.measure()};
  }
  draw() {
    const {root, stage, facts, model} = this;
    if (!stage.clientWidth) return;
    const state = this.state;
    const answers = this.answers(state);
    root.setAttribute('aria-busy', !answers.here);
    this.showControls();
    if (!answers.here) return; // the last picture stays
    const wide = root.clientWidth >= WIDE;
    root.classList.toggle('wide', wide);
    const size = this.size();
    const tone = palette(root);
    const sentence = this.here;
    const layout = this.layoutOf(sentence, size);
    const scene = sceneOf({facts, sentence, answers, state, layout, size});
    this.scene = scene;
    const label = `${scene.sentence.texts.join(' ')}: ${STAGE}`;
    if (stage.getAttribute('aria-label') !== label) stage.setAttribute('aria-label', label);
    drawSentence(this.sentence, scene, tone);
    this.hits = drawGuesses(this.guesses, scene, tone, this.guesses.clientWidth);
    this.drawTraining(size, tone);
    this.heading.textContent = facts.title || 'Masked words: hide one, see the guesses';
    this.sayIt(headline(scene), size, wide ? 1 : 2);
    this.said.setAttribute('aria-live', scene.previewing ? 'off' : 'polite');
    holdHeights([this.said, this.bar], stage.clientWidth);
    Object.assign(root.dataset, {
      sentence: model.get('sentence'),
      mask: model.get('mask'),
      second: model.get('second'),
      over: scene.previewing ? scene.at + 1 : 0,
      training: model.get('training'),
      rate: model.get('rate'),
      draw: model.get('draw'),
      ready: 'true',
    });
  }
  sayIt(pieces, size, lines) {
    say(this.said, pieces);
    const height = headlineSize(this.said.textContent, size, lines);
    this.said.style.fontSize = `${height}px`;
  }
  drawTraining(size, tone) {
    if (!this.pane) return;
    const [training, rate, draw] = ['training', 'rate', 'draw'].map(name => this.model.get(name));
    this.trained = this.pane.scene({training, rate, draw});
    this.pane.show(this.trained, size, tone);
  }
  showControls() {
    const {facts, model} = this;
    const titles = facts.sentences.map(({title}) => title);
    this.sentences?.(model.get('sentence') - 1, titles);
    this.heads?.(facts.heads.indexOf(model.get('head')), facts.heads);
    this.compare?.show(model.get('compare'));
    this.showBox();
  }
  showBox() {
    const {unread} = this.facts.sentences[this.model.get('sentence') - 1];
    this.box?.show({two: this.two, second: this.model.get('second') > 0, unread});
  }

  // ---- pointer and keys
  listen() {
    const {stage, signal, focus, model} = this;
    const pointer = {
      at: event => this.under(event),
      preview: place => {
        stage.classList.toggle('over', place !== null);
        focus.preview(place?.chip ? place.k : null); // a row would give way under the pointer
      },
      click: place => this.press(place.k),
    };
    followPointer(stage, pointer, signal);
    onKeys(stage, this.keys(), signal);
    const leave = () => {
      this.spoken.textContent = '';
      focus.preview(null);
    };
    stage.addEventListener('blur', leave, {signal});
    this.dialogue.hear(CONTROLS, () => {
      this.moves += 1;
      this.two ||= model.get('second') > 0;
      this.draw();
    });
    const described = () => {
      this.facts = model.get('facts');
      this.draw();
    };
    listen(model, 'change:facts', described, signal);
  }
  /** The chip or the row under the pointer, of a position that can be masked; null if neither. */
  under(event) {
    const {scene, sentence, guesses} = this;
    if (!scene) return null;
    const chip = chipAt(scene.layout, ...localPoint(sentence, event));
    const k = chip ?? this.hits(...localPoint(guesses, event));
    const fixed = k === null || scene.sentence.special.includes(k);
    return fixed ? null : {k, chip: chip !== null};
  }
  /** Previews a position and says it, as no pointer does. */
  preview(k) {
    this.focus.preview(k);
    this.spoken.textContent = readingOf(this.scene);
  }
  keys() {
    const able = () => this.scene.gains.map(({k}) => k).toSorted((a, b) => a - b);
    const at = () => this.scene.at;
    const step = by => () => {
      const places = able();
      const now = at() === null ? (by > 0 ? -1 : places.length) : places.indexOf(at());
      this.preview(places[Math.max(0, Math.min(places.length - 1, now + by))]);
    };
    const beside = by => () => step(runsLeft(this.scene.sentence.tokens) ? -by : by)();
    const line = by => () => {
      const {layout, sentence} = this.scene;
      this.preview(besideLine(layout.chips, sentence.special, at() ?? able()[0], by));
    };
    const mask = () => at() !== null && this.press(at());
    return {
      ArrowLeft: beside(-1),
      ArrowRight: beside(1),
      ArrowUp: line(-1),
      ArrowDown: line(1),
      Home: () => this.preview(able()[0]),
      End: () => this.preview(able().at(-1)),
      Enter: mask,
      ' ': mask,
      Escape: () => this.free(),
      Backspace: () => this.free(),
    };
  }
}
/** The part with the answer to two masks of a sentence. */
const pairName = (part, mask, second) =>
  `${part}: ${Math.min(mask, second) + 1} ${Math.max(mask, second) + 1}`;
/** Buttons in a row for a few short names that stay, else a list; returns what shows one. */
function listOf(bar, text, names, changed) {
  const few = Array.isArray(names) && names.join('').length < MOST_NAMES;
  if (few) {
    const row = segments(bar, text, {...names}, changed);
    return value => row.show(value);
  }
  const list = choice(bar, text, changed);
  return (value, all) => list.show(value, {...all});
}
const render = place => showView(place, MaskedWords, 'masking', 'masked words');
export default {render};
