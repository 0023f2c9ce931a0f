// Word vectors as a map: its state, what it asks for, and what is drawn of it.

import {ask, dialogue, html, listen, say, supply} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {showView} from '../shared/frame.js';
import {focusLock} from '../shared/focus.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {fitLine} from '../shared/one_line.js';
import {heightLeft} from '../shared/scale.js';
import {readPart} from '../shared/words_and_numbers.js';
import {Bar} from './bar.js';
import {between} from './camera.js';
import {readField} from './field.js';
import {followHands} from './hands.js';
import {Lexicon} from './lexicon.js';
import {listOf, listText} from './list.js';
import {drawList} from './list_picture.js';
import {Motion} from './motion.js';
import {drawMap} from './picture.js';
import {NARROW, WIDE, heightsOf} from './plan.js';
import {cameraOf, comparedWord, mapScene, mapTable, shownWord} from './scene.js';
import {Senses} from './senses.js';
import {drawSenses, drawSide} from './senses_picture.js';
import {sensesScene, sensesTable, sensesText} from './senses_scene.js';
import {mapDetail, mapHeadline, quoted, sensesDetail, sensesHeadline} from './sentence.js';

const CONTROLS = ['word', 'question', 'tab', 'sense_word', 'layer', 'sentence', 'zoom'];
const MAP_LABEL = 'map: arrows move, Enter locks, Escape frees';
const SENSES_LABEL =
  'sentences in a plane: left and right change the layer, up and down the sentence, Enter locks, Space plays, Escape frees';
const FOOT = {
  map: [{kbd: '←↑↓→'}, ' move, ', {kbd: 'Enter'}, ' or click locks, ', {kbd: 'Esc'}, ' frees'],
  senses: [{kbd: '←→'}, ' layer, ', {kbd: '↑↓'}, ' sentence, ', {kbd: 'Space'}, ' plays'],
};
const [TO_WORD, TO_LAYER, BEAT] = [600, 450, 1400]; // milliseconds

class EmbeddingMap {
  constructor({model, root, signal}) {
    Object.assign(this, {model, root, signal, facts: model.get('facts')});
    this.measure = measuring(root);
    this.focus = focusLock(() => this.draw()); // `over` is {pane, id} or {pane, sentence, layer}
    this.known = new Map(); // what was made of parts
    this.camera = null;
    this.at = null; // the layer that the points are at, on the way perhaps
    this.toWord = new Motion(signal);
    this.toLayer = new Motion(signal);
    this.held = null; // the word under the pointer, and the box in which it stays so
    this.questions = 0;
    this.written = false; // whether the field holds what was not asked yet
    this.playing = 0;
    const complain = text => this.complain(text);
    this.get = supply(model, signal, complain, readPart);
    this.dialogue = dialogue(model, signal, complain);
    this.lexicon = new Lexicon(this.facts, this.get('map'));
    this.addHead(complain);
    this.addStage();
    signal.addEventListener('abort', () => clearInterval(this.playing));
  }
  complain(text) {
    if (this.problem.textContent !== text) this.problem.textContent = text;
    this.root.classList.toggle('refused', text !== '');
  }

  // ---- what stands there
  addHead(complain) {
    const {root, model, signal, facts} = this;
    const top = html(root, 'div', {class: 'top'});
    html(top, 'h2', {}, facts.title || 'Word vectors: a map of two directions, a list of all');
    this.said = html(root, 'p', {class: 'say line', 'aria-live': 'polite'});
    this.problem = html(root, 'p', {class: 'problem', role: 'alert'});
    this.detail = html(root, 'p', {class: 'detail'});
    this.bar = new Bar(root, facts, this.hands(), signal);
    const pictured = take => this.pictured(take);
    const controls = () => this.controls();
    const view = {root, model, signal, complain, pictured, controls, beneath: 'The list'};
    exportButtons(
      top,
      view,
      () => this.table(),
      () => this.detail.textContent,
    );
  }
  hands() {
    return {
      tab: tab => {
        this.play(false);
        this.set({tab});
      },
      ask: text => this.askField(text),
      written: () => {
        this.written = true;
        this.complain('');
      },
      leave: () => {
        this.written = false;
        this.stage.focus();
        this.draw();
      },
      pick: question => this.set({word: '', question}),
      zoom: zoom => this.set({zoom}),
      sense: sense_word => this.set({sense_word, sentence: 0}),
      layer: layer => {
        this.play(false);
        this.setLayer(layer);
      },
      play: () => this.play(!this.playing),
    };
  }
  addStage() {
    const {root} = this;
    this.stage = html(root, 'div', {class: 'stage', tabindex: 0, role: 'group'});
    this.map = html(this.stage, 'div', {class: 'map'});
    this.side = html(this.stage, 'div', {class: 'side beneath', tabindex: 0, role: 'group'});
    const foot = html(root, 'p', {class: 'foot'});
    this.note = html(foot, 'span');
    this.hint = html(foot, 'span');
  }
  /** A reader of each control. */
  controls() {
    const {facts, model, lexicon} = this;
    const told = facts.senses[model.get('sense_word')];
    const known = word => (word === '' || lexicon.ten(lexicon.ids.get(word)) ? word : undefined);
    return {
      word: known,
      question: oneOf(['', ...facts.sums.map(({text}) => text)]),
      tab: oneOf(told ? ['map', 'senses'] : ['map']),
      sense_word: oneOf(Object.keys(facts.senses)),
      layer: numberIn(0, told ? told.layers - 1 : 0),
      sentence: numberIn(0, told ? told.sentences.length : 0),
      zoom: oneOf([true, false]),
    };
  }

  // ---- the state
  set(changes) {
    this.complain('');
    this.written = false;
    this.focus.over = null;
    this.held = null;
    this.dialogue.write(changes);
    this.draw();
  }
  /** Another layer; a sentence that is previewed stays so. */
  setLayer(layer) {
    this.complain('');
    this.dialogue.write({layer});
    this.draw();
  }
  get tab() {
    return this.model.get('tab');
  }
  /** What a part makes, null while it is under way. */
  partOf(name, make) {
    if (this.known.has(name)) return this.known.get(name);
    const part = this.get(name);
    if (part instanceof Promise) {
      part.then(() => this.signal.aborted || this.draw());
      return null;
    }
    this.known.set(name, make(part));
    return this.known.get(name);
  }
  get mapState() {
    const {model, lexicon, focus} = this;
    const locked = model.get('word') !== '';
    const focused = locked ? lexicon.ids.get(model.get('word')) : lexicon.opening;
    const over = focus.over?.id === undefined ? null : focus.over;
    return {focus: focused, locked, over, zoom: model.get('zoom')};
  }
  /** What the map needs is there: a word's neighbours, an answer, cosines of pairs. */
  mapReady() {
    const {model, facts, lexicon} = this;
    const word = model.get('word');
    if (word && !lexicon.ten(lexicon.ids.get(word))) {
      if (!this.partOf(`word ${word}`, part => lexicon.learn(part) ?? true)) return false;
    }
    const question = model.get('question');
    const told = facts.sums.find(({text}) => text === question);
    this.sum = told ? this.partOf(`sum ${question}`, part => lexicon.answer(part, told)) : null;
    if (told && !this.sum) return false;
    const state = this.mapState;
    const other = this.sum ? null : comparedWord(lexicon, state, null);
    const both = other !== null && lexicon.onMap(other);
    if (!both || !lexicon.onMap(shownWord(lexicon, state))) return true;
    return this.partOf('pairs', ({numbers}) => (lexicon.pairs = numbers)) !== null;
  }
  sensesOf(word) {
    const {facts} = this;
    const make = ({numbers}) => new Senses(facts.senses[word], numbers);
    return this.partOf(`senses ${word}`, make);
  }

  // ---- from the state to the picture
  size(rows) {
    const {root, stage, map, side} = this;
    const room = stage.clientWidth;
    root.classList.toggle('narrow', room < NARROW);
    root.classList.toggle('wide', room >= WIDE);
    const u = parseFloat(getComputedStyle(root).fontSize);
    const foot = root.classList.contains('folded') ? 0 : 2.4 * u;
    const left = heightLeft(stage);
    const free = left === null ? null : left - foot;
    const heights = heightsOf({room, free, rows, u});
    return {u, W: map.clientWidth, side: side.clientWidth, ...heights, measure: this.measure()};
  }
  draw() {
    if (!this.stage.clientWidth) return;
    this.showControls();
    const senses = this.tab === 'senses' ? this.sensesOf(this.model.get('sense_word')) : null;
    const ready = this.tab === 'senses' ? senses !== null : this.mapReady();
    this.root.setAttribute('aria-busy', !ready);
    if (!ready) return; // the last picture stays
    this.senses = senses;
    if (senses) this.aimAtLayer();
    else this.aimAtWord();
    this.paint();
  }
  aimAtWord() {
    const goal = cameraOf(this.lexicon, this.mapState, this.sum);
    if (this.goal && String(goal) === String(this.goal)) return;
    const from = this.camera ?? goal;
    const first = !this.camera;
    Object.assign(this, {goal, camera: from});
    if (first) return;
    this.toWord.start(TO_WORD, share => {
      this.camera = between(from, goal, share);
      this.paint();
    });
  }
  aimAtLayer() {
    const goal = this.focus.over?.layer ?? this.model.get('layer');
    const key = `${this.model.get('sense_word')} ${goal}`;
    if (this.layerGoal === key) return;
    const same = this.layerGoal?.startsWith(`${this.model.get('sense_word')} `);
    this.layerGoal = key;
    const from = same ? this.at : goal;
    this.at = from;
    if (from === goal) return;
    this.toLayer.start(TO_LAYER + 100 * Math.abs(goal - from), share => {
      this.at = from + (goal - from) * share;
      this.paint();
    });
  }
  paint() {
    const {model, root, focus} = this;
    const [headline, detail] = this.senses ? this.paintSenses() : this.paintMap();
    say(this.said, headline);
    this.said.setAttribute('aria-live', focus.over?.by === 'pointer' ? 'off' : 'polite');
    fitLine(this.said, this.measure());
    if (this.detail.textContent !== detail) this.detail.textContent = detail;
    this.note.textContent = this.scene.note;
    say(this.hint, FOOT[this.tab]);
    const label = this.senses ? SENSES_LABEL : MAP_LABEL;
    if (this.stage.getAttribute('aria-label') !== label) {
      this.stage.setAttribute('aria-label', label);
    }
    const {over} = focus;
    Object.assign(root.dataset, {
      ...Object.fromEntries(CONTROLS.map(name => [name.replace('_w', 'W'), model.get(name)])),
      over: over
        ? over.id === undefined
          ? JSON.stringify(over)
          : this.lexicon.words[over.id]
        : '',
      ready: 'true',
    });
  }
  paintMap() {
    const {facts, lexicon, sum, camera, toWord} = this;
    const given = {facts, lexicon, sum, state: this.mapState, size: this.size(0), camera};
    const scene = mapScene({...given, moving: toWord.moving});
    const kind = id => (lexicon.onMap(id) ? lexicon.groups[id] : 'guest');
    Object.assign(this, {scene, list: listOf(scene, kind)});
    drawMap(this.map, scene, facts);
    drawList(this.side, this.list, scene.accent, facts);
    this.side.setAttribute('aria-label', `${listText(this.list)}. Up and down compare.`);
    return [mapHeadline(scene), mapDetail(scene, facts)];
  }
  paintSenses() {
    const {model, senses, at, focus} = this;
    const word = model.get('sense_word');
    const state = {layer: model.get('layer'), sentence: model.get('sentence') - 1};
    const size = this.size(senses.count + senses.names.length + 0.2);
    const over = focus.over?.id === undefined ? focus.over : null;
    const scene = sensesScene({word, senses, at, size, state: {...state, over}});
    Object.assign(this, {scene, list: null});
    drawSenses(this.map, scene);
    drawSide(this.side, scene);
    this.side.setAttribute('aria-label', sensesText(scene));
    return [sensesHeadline(scene), sensesDetail(scene)];
  }
  table() {
    const {scene, lexicon, facts} = this;
    return this.senses ? sensesTable(scene) : mapTable(scene, lexicon, facts);
  }
  showControls() {
    const {model, facts} = this;
    const traits = Object.fromEntries(CONTROLS.map(name => [name, model.get(name)]));
    const {layers} = facts.senses[traits.sense_word] ?? {layers: 1};
    this.bar.show({...traits, layers, playing: this.playing, written: this.written});
  }
  /** The picture at rest. */
  pictured(take) {
    this.toWord.finish();
    this.toLayer.finish();
    return take();
  }

  // ---- what is asked for
  askField(text) {
    const {lexicon, facts} = this;
    const knows = word => Boolean(lexicon.ten(lexicon.ids.get(word)));
    if (!text.trim()) return this.set({word: '', question: ''});
    const found = readField(text, {knows, sums: facts.sums});
    if (found.missing) return this.askPython(found);
    return this.set({word: '', question: '', ...found});
  }
  askPython({missing, text}) {
    const {facts, model, signal} = this;
    if (model.kernel === false) return this.complain(needed(missing, text, facts));
    this.questions += 1;
    this.came?.();
    this.detail.textContent = 'Python is asked …';
    this.complain('');
    const failed = problem => this.complain(problem);
    this.came = ask(model, {ask: this.questions, text}, signal, failed);
    return undefined;
  }
  answered({asked, problem}) {
    if (asked !== this.questions) return;
    this.came();
    this.written = Boolean(problem);
    this.draw();
    this.complain(problem ?? '');
  }
  pickWord(id) {
    const {lexicon, model} = this;
    const text = lexicon.words[id];
    if (!lexicon.ten(id)) return this.askPython({missing: 'word', text});
    const again = text === model.get('word');
    return this.set({word: again ? '' : text, question: ''});
  }
  pickSentence(k) {
    this.set({sentence: this.model.get('sentence') === k + 1 ? 0 : k + 1});
  }
  play(on) {
    clearInterval(this.playing);
    this.playing = 0;
    if (!on) return this.showControls();
    const {model, facts} = this;
    const last = facts.senses[model.get('sense_word')].layers - 1;
    const step = () => {
      if (model.get('layer') < last) this.setLayer(model.get('layer') + 1);
      else this.play(false);
    };
    this.playing = setInterval(step, BEAT);
    return this.setLayer(model.get('layer') < last ? model.get('layer') + 1 : 0);
  }
  free() {
    const {model, focus} = this;
    this.play(false);
    if (this.problem.textContent || focus.over) {
      this.complain('');
      return focus.preview(null);
    }
    if (this.senses) return this.set({sentence: 0});
    return model.get('word') || model.get('question') ? this.set({word: '', question: ''}) : null;
  }

  // ---- from outside
  listen() {
    const {signal, model} = this;
    followHands(this);
    this.dialogue.hear(CONTROLS, () => {
      this.focus.over = null;
      this.held = null;
      this.written = false;
      if (this.tab !== 'senses') this.play(false);
      this.draw();
    });
    const described = () => {
      this.facts = model.get('facts');
    };
    listen(model, 'change:facts', described, signal);
    listen(model, 'msg:custom', message => message.asked && this.answered(message), signal);
  }
}
/** What is said where there is no kernel to count. */
function needed(missing, text, {walk, words, presets}) {
  const all = words.toLocaleString('en');
  if (missing === 'word') {
    const kept = `${walk.toLocaleString('en')} words whose neighbours are kept in this page`;
    return `${quoted(text)} is not among the ${kept}: it needs a running kernel, which has all ${all}.`;
  }
  const beside = presets.length
    ? ` The list beside the field has ${presets.length} that do not.`
    : '';
  return `This sum needs a running kernel.${beside}`;
}
const render = place => showView(place, EmbeddingMap, 'embedding', 'word vectors as a map');
export default {render};
