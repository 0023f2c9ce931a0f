// Masked words: the state, the pointer and the keys.

import {unpacked} from '../shared/codec.js';
import {choice, shortList, tick} from '../shared/controls.js';
import {runsLeft} from '../shared/direction.js';
import {Frame, framedView} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say, withKeys} from '../shared/nodes.js';
import {localPoint} from '../shared/scale.js';
import {readable} from '../shared/texts.js';
import {besideLine, chipAt, chipLayout, sentenceOf} from './chips.js';
import {KernelBox} from './kernel_box.js';
import {Answer} from './parts.js';
import {drawGuesses, drawSentence} from './picture.js';
import {Questions} from './questions.js';
import {headlineSize, readingOf, sceneOf, tableOf} from './scene.js';
import {headline} from './sentence.js';
import {TrainingPane} from './training_pane.js';

const ABOUT = {
  name: 'masking',
  label: 'masked words',
  stage: 'masked words',
  beneath: 'Ask the model',
  read: unpacked,
};
const STAGE =
  'left and right arrows preview a mask, up and down go to the next line, Enter masks, the same again or Escape frees';
const FOOT = [
  ...withKeys('[←] [→] preview, [Enter] or click mask, [Esc] frees.'),
  ' Arc, shade, number: to which tokens [MASK] attends, with which weight; not why.',
];
const HATCHED = ' Hatched below: read by ';
const MOST_LETTERS = 39; // of the names in a row of buttons
const WIDE = 1100;

class MaskedWords extends Frame {
  constructor(place, about) {
    super(place, about);
    this.known = new Map(); // sentences by their parts
    this.placed = {key: '', layout: null}; // the last layout, and for what
    this.moves = 0; // of masks and sentences: an answer to what was there before is dropped
    this.two = this.model.get('second') > 0;
    this.hits = () => null;
    this.questions = new Questions(this.model, this.signal, () => this.showBox());
  }

  // ---- what stands there
  addControls() {
    const {bar, facts} = this;
    const {heads, live, names, sentences} = facts;
    const pick = k => this.pick(Number(k) - 1);
    if (live) {
      const list = choice(bar, 'sentence', pick); // it grows
      this.showSentence = value => list.show(value, Object.fromEntries(this.titled));
    } else if (sentences.length > 1) {
      this.showSentence = shortList(bar, 'sentence', [this.titled], MOST_LETTERS, pick);
    }
    if (heads.length > 1) {
      const labels = heads.map(head => [head, head]);
      this.showHead = shortList(bar, 'attention', [labels], MOST_LETTERS, head => this.set({head}));
    }
    if (sentences.some(({compared}) => compared)) {
      const set = compare => this.set({compare});
      this.compare = tick(bar, `compare ${readable(names[1])}`, set);
    }
  }
  get titled() {
    return this.facts.sentences.map(({title}, k) => [k + 1, title]);
  }
  readers() {
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
      training: oneOf(training ? [true, false] : [false]),
      rate: oneOf(training?.rates ?? []),
      draw: numberIn(Math.min(1, draws), draws),
    };
  }
  addStage() {
    const {facts, signal} = this;
    this.sentence = html(this.stage, 'div', {class: 'sentence'});
    const panes = html(this.stage, 'div', {class: 'panes'});
    this.guesses = html(panes, 'div');
    if (facts.live) {
      const hands = {ask: text => this.askText(text), two: on => this.wantTwo(on)};
      this.box = new KernelBox(panes, this.questions, facts, hands, signal);
    }
    if (facts.training) {
      this.pane = new TrainingPane(this.stage, facts.training, {
        part: (name, make) => this.part(name, make),
        set: changes => this.set(changes),
        redraw: () => this.draw(),
        signal,
      });
    }
  }
  build() {
    super.build();
    const {facts} = this;
    const compared = facts.sentences.some(one => one.compared);
    const hatched = compared ? [`${HATCHED}${readable(facts.names[1])}, too.`] : [];
    say(this.foot, [...FOOT, ...hatched]);
    this.heading.textContent = facts.title || 'Masked words: hide one, see the guesses';
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
  /** Another mask, or none; no answer for the one before is taken. */
  move(changes) {
    this.moves += 1;
    this.focus.over = null;
    this.set({second: 0, ...changes});
  }
  pick(k) {
    this.move({sentence: k + 1, mask: this.facts.sentences[k].opening});
  }
  press(k) {
    const {mask, second} = this.state;
    if (k === second) return this.move({mask: k + 1, second: mask + 1}); // the other of both
    const hides = mask !== null && k !== mask && !this.here.written.includes(k);
    if (this.two && this.questions.able && hides) return this.askPair(k);
    return this.move({mask: k === mask ? 0 : k + 1});
  }
  free() {
    if (this.focus.over === null) return this.move({mask: 0});
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
  gather() {
    const {here, state} = this;
    const {mask, second} = state;
    const answer = name => this.part(name, made => new Answer(made, this.facts.heads));
    const single = answer(here.part);
    const pair = second === null ? null : answer(pairName(here.part, mask, second));
    return single && (pair || second === null) && {state, answers: {single, pair}};
  }
  layoutOf(sentence, size) {
    const {W, em, measure} = size;
    const key = [sentence.part, W, em, measure.families].join();
    if (this.placed.key !== key) this.placed = {key, layout: chipLayout(sentence, size)};
    return this.placed.layout;
  }
  paint({state, answers}) {
    const {root, facts, model, here: sentence} = this;
    const wide = root.clientWidth >= WIDE;
    root.classList.toggle('wide', wide);
    const size = this.size();
    size.small = Math.max(12, 0.858 * size.em);
    const {tone} = size;
    const layout = this.layoutOf(sentence, size);
    const scene = sceneOf({facts, sentence, answers, state, layout, size});
    this.scene = scene;
    this.label(`${sentence.texts.join(' ')}: ${STAGE}`);
    drawSentence(this.sentence, scene, tone);
    this.hits = drawGuesses(this.guesses, scene, tone, this.guesses.clientWidth);
    this.drawTraining(size, tone);
    const said = headline(scene);
    this.said.style.fontSize = `${headlineSize(said, size, wide ? 1 : 2)}px`;
    this.tell(said, scene.previewing);
    const names = ['sentence', 'mask', 'second', 'training', 'rate', 'draw'];
    this.mark({
      ...Object.fromEntries(names.map(name => [name, model.get(name)])),
      over: scene.previewing ? scene.at + 1 : 0,
    });
  }
  rows() {
    return tableOf(this.scene, this.trained);
  }
  stateText() {
    return this.trained?.lesson ?? '';
  }
  drawTraining(size, tone) {
    if (!this.pane) return;
    const [training, rate, draw] = ['training', 'rate', 'draw'].map(name => this.model.get(name));
    this.trained = this.pane.scene({training, rate, draw});
    this.pane.show(this.trained, size, tone);
  }
  showControls() {
    const {model} = this;
    this.showSentence?.(model.get('sentence'));
    this.showHead?.(model.get('head'));
    this.compare?.show(model.get('compare'));
    this.showBox();
  }
  showBox() {
    const {unread} = this.facts.sentences[this.model.get('sentence') - 1];
    this.box?.show({two: this.two, second: this.model.get('second') > 0, unread});
  }

  // ---- pointer and keys
  preview(place) {
    this.stage.classList.toggle('over', place !== null);
    this.focus.preview(place?.chip ? place.k : null); // a row would give way under the pointer
  }
  click({k}) {
    this.press(k);
  }
  heard() {
    this.moves += 1;
    this.two ||= this.model.get('second') > 0;
    this.draw();
  }
  listen() {
    super.listen();
    const {stage, signal, focus} = this;
    stage.addEventListener('blur', () => focus.preview(null), {signal});
    this.dialogue.hear(['facts'], () => this.draw());
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
  get isLocked() {
    return this.model.get('mask') > 0;
  }
  cursorText() {
    return this.scene?.previewing ? readingOf(this.scene) : '';
  }
  keys() {
    const able = () => this.scene.places;
    const at = () => this.scene.at;
    const step = by => () => {
      const places = able();
      const now = at() === null ? (by > 0 ? -1 : places.length) : places.indexOf(at());
      this.focus.preview(places[Math.max(0, Math.min(places.length - 1, now + by))]);
    };
    const beside = by => () => step(runsLeft(this.scene.sentence.tokens) ? -by : by)();
    const line = by => () => {
      const {layout, sentence} = this.scene;
      this.focus.preview(besideLine(layout.chips, sentence.special, at() ?? able()[0], by));
    };
    const mask = () => at() !== null && this.press(at());
    return {
      ArrowLeft: beside(-1),
      ArrowRight: beside(1),
      ArrowUp: line(-1),
      ArrowDown: line(1),
      Home: () => this.focus.preview(able()[0]),
      End: () => this.focus.preview(able().at(-1)),
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
export default framedView(MaskedWords, ABOUT);
