// Word vectors as a map: its state, what it asks for, and what is drawn of it.

import {unpacked} from '../shared/codec.js';
import {Frame, framedView} from '../shared/frame.js';
import {ask, listen} from '../shared/kernel.js';
import {onKeys} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say, withKeys} from '../shared/nodes.js';
import {fitLine} from '../shared/one_line.js';
import {Player} from '../shared/player.js';
import {many} from '../shared/texts.js';
import {Bar} from './bar.js';
import {between} from './camera.js';
import {readField} from './field.js';
import {inList, keysOf, onMap, placeUnder} from './hands.js';
import {Lexicon} from './lexicon.js';
import {listOf, listText} from './list.js';
import {drawList} from './list_picture.js';
import {Motion} from './motion.js';
import {drawMap} from './picture.js';
import {heightsOf, NARROW, WIDE} from './plan.js';
import {cameraOf, comparedWord, mapScene, mapTable, shownWord} from './scene.js';
import {Senses} from './senses.js';
import {drawSenses, drawSide} from './senses_picture.js';
import {sensesScene, sensesTable, sensesText} from './senses_scene.js';
import {mapDetail, mapHeadline, quoted, sensesDetail, sensesHeadline} from './sentence.js';

const ABOUT = {
  name: 'embedding',
  label: 'word vectors as a map',
  beneath: 'The list',
  read: unpacked,
};
const MAP_LABEL = 'map: arrows move, Enter locks, Escape frees';
const SENSES_LABEL =
  'sentences in a plane: left and right change the layer, up and down the sentence, Enter locks, Space plays, Escape frees';
const FOOT = {
  map: withKeys('[←↑↓→] move, [Enter] or click locks, [Esc] frees'),
  senses: withKeys('[←→] layer, [↑↓] sentence, [Space] plays'),
};
const [TO_WORD, TO_LAYER, BEAT] = [600, 450, 1400]; // milliseconds

class EmbeddingMap extends Frame {
  constructor(place, about) {
    super(place, about); // `over` of the focus is {pane, id} or {pane, sentence, layer}
    const {signal} = this;
    this.camera = null;
    this.at = null; // the layer that the points are at, on the way perhaps
    this.toWord = new Motion(signal);
    this.toLayer = new Motion(signal);
    this.held = null; // the word under the pointer, and the box in which it stays so
    this.questions = 0;
    this.written = false; // whether the field holds what was not asked yet
    this.lexicon = new Lexicon(this.facts, this.get('map'));
    const film = {
      step: () => this.model.get('layer'),
      last: () => this.layers - 1,
      go: layer => this.setLayer(layer),
      changed: () => this.showControls(),
    };
    this.player = new Player(film, {pause: BEAT, first: 0}, signal);
  }
  complain(text) {
    super.complain(text);
    this.root.classList.toggle('refused', text !== '');
  }

  // ---- what stands there
  addControls() {
    this.said.classList.add('line');
    this.detail = html(null, 'p', {class: 'detail'});
    this.bar.before(this.problem, this.detail);
    this.controlled = new Bar(this.bar, this.facts, this.hands(), this.signal);
  }
  hands() {
    return {
      tab: tab => {
        this.player.stop();
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
        this.player.stop();
        this.setLayer(layer);
      },
      play: () => this.player.play(),
    };
  }
  addStage() {
    this.map = html(this.stage, 'div', {class: 'map'});
    this.side = html(this.stage, 'div', {class: 'side beneath', tabindex: 0, role: 'group'});
  }
  build() {
    super.build();
    this.heading.textContent =
      this.facts.title || 'Word vectors: a map of two directions, a list of all';
    this.note = html(this.foot, 'span');
    this.hint = html(this.foot, 'span');
  }
  readers() {
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
    };
  }

  // ---- the state
  set(changes) {
    this.rest();
    super.set(changes);
  }
  /** Nothing is pointed at any more, or half written. */
  rest() {
    this.written = false;
    this.focus.over = null;
    this.held = null;
  }
  /** Another layer; a sentence that is previewed stays so. */
  setLayer(layer) {
    super.set({layer});
  }
  get tab() {
    return this.model.get('tab');
  }
  get layers() {
    return this.facts.senses[this.model.get('sense_word')]?.layers ?? 1;
  }
  get isLocked() {
    return this.model.get(this.senses ? 'sentence' : 'word') > (this.senses ? 0 : '');
  }
  get mapState() {
    const {model, lexicon, focus} = this;
    const locked = model.get('word') !== '';
    const focused = locked ? lexicon.ids.get(model.get('word')) : lexicon.opening;
    const over = focus.over?.id === undefined ? null : focus.over;
    return {focus: focused, locked, over, zoom: model.get('zoom')};
  }
  /** The sum that is asked, or null; undefined while what the map needs is under way. */
  answer() {
    const {model, facts, lexicon} = this;
    const word = model.get('word');
    if (word && !lexicon.ten(lexicon.ids.get(word))) {
      if (!this.part(`word ${word}`, part => lexicon.learn(part) ?? true)) return undefined;
    }
    const question = model.get('question');
    const told = facts.sums.find(({text}) => text === question);
    if (told) return this.part(`sum ${question}`, part => lexicon.answer(part, told)) ?? undefined;
    const state = this.mapState;
    const other = comparedWord(lexicon, state, null);
    const both = other !== null && lexicon.onMap(other);
    if (both && lexicon.onMap(shownWord(lexicon, state))) {
      lexicon.pairs = this.part('pairs', ({cosines}) => cosines);
      if (!lexicon.pairs) return undefined;
    }
    return null;
  }
  // ---- from the state to the picture
  size(rows) {
    const {root, stage, map, side} = this;
    const room = stage.clientWidth;
    root.classList.toggle('narrow', room < NARROW);
    root.classList.toggle('wide', room >= WIDE);
    const {em: u, tall, measure} = super.size();
    const foot = root.classList.contains('folded') ? 0 : 2.4 * u;
    const free = tall === null ? null : tall - foot;
    const heights = heightsOf({room, free, rows, u});
    return {u, W: map.clientWidth, side: side.clientWidth, ...heights, measure};
  }
  gather() {
    const {facts, tab} = this;
    if (tab === 'senses') {
      const word = this.model.get('sense_word');
      const senses = this.part(`senses ${word}`, part => new Senses(facts.senses[word], part));
      return senses && {senses, sum: null};
    }
    const sum = this.answer();
    return sum === undefined ? null : {senses: null, sum};
  }
  paint({senses, sum}) {
    Object.assign(this, {senses, sum});
    if (senses) this.aimAtLayer();
    else this.aimAtWord();
    this.redraw();
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
      this.redraw();
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
      this.redraw();
    });
  }
  /** What was gathered last, on the way perhaps. */
  redraw() {
    const {focus, lexicon} = this;
    const [headline, detail] = this.senses ? this.paintSenses() : this.paintMap();
    const {over} = focus;
    this.tell(headline, over?.by === 'pointer');
    fitLine(this.said, this.measure());
    if (this.detail.textContent !== detail) this.detail.textContent = detail;
    this.note.textContent = this.scene.note;
    say(this.hint, FOOT[this.tab]);
    this.label(this.senses ? SENSES_LABEL : MAP_LABEL);
    const {sense_word: senseWord, ...controls} = this.traits;
    const pointed = over && (over.id === undefined ? JSON.stringify(over) : lexicon.words[over.id]);
    this.mark({...controls, senseWord, over: pointed ?? ''});
  }
  get traits() {
    const names = Object.keys(this.model.get('choices'));
    return Object.fromEntries(names.map(name => [name, this.model.get(name)]));
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
  rows() {
    const {scene, lexicon, facts} = this;
    return this.senses ? sensesTable(scene) : mapTable(scene, lexicon, facts);
  }
  showControls() {
    const {layers, written, player} = this;
    this.controlled.show({...this.traits, layers, written, playing: player.playing});
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
    if (model.kernel === false) return this.complain(needed(missing, text, facts, this.lexicon));
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
  free() {
    const {model, focus} = this;
    this.player.stop();
    this.showControls();
    if (this.problem.textContent || focus.over) {
      this.complain('');
      return focus.preview(null);
    }
    if (this.senses) return this.set({sentence: 0});
    return model.get('word') || model.get('question') ? this.set({word: '', question: ''}) : null;
  }

  // ---- pointer, keys, Python
  under(event) {
    return this.scene && placeUnder(this, event);
  }
  click({id, sentence, layer}) {
    if (id !== undefined) this.pickWord(id);
    else if (layer !== undefined) this.set({layer});
    else this.pickSentence(sentence);
  }
  keys() {
    return keysOf(this, onMap);
  }
  heard() {
    this.rest();
    if (this.tab !== 'senses') this.player.stop();
    this.draw();
  }
  listen() {
    super.listen();
    const {signal, model, stage, side, focus} = this;
    onKeys(side, keysOf(this, inList), signal);
    stage.addEventListener('focusout', () => focus.preview(null), {signal});
    listen(model, 'msg:custom', message => message.asked && this.answered(message), signal);
  }
}
/** What is said where there is no kernel to count. */
function needed(missing, text, {words, presets}, {walk}) {
  const all = many(words);
  if (missing === 'word') {
    const kept = `${many(walk)} words whose neighbours are kept in this page`;
    return `${quoted(text)} is not among the ${kept}: it needs a running kernel, which has all ${all}.`;
  }
  const beside = presets.length
    ? ` The list beside the field has ${presets.length} that do not.`
    : '';
  return `This sum needs a running kernel.${beside}`;
}
export default framedView(EmbeddingMap, ABOUT);
