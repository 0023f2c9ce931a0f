// A piano roll: the state, the pointer, the keys, the sound.

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
import {exportButtons} from '../shared/export.js';
import {followPointer} from '../shared/focus.js';
import {headOf, pictured, showView} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {heightLeft, localPoint} from '../shared/scale.js';
import {pieceOf, rowsOf} from './parts.js';
import {drawPlayhead, drawRoll} from './picture.js';
import {Playback} from './playback.js';
import {besideNote, focusOf, noteNear, sceneOf, soundingAt} from './scene.js';
import {headline} from './sentence.js';
import {fillTable, tableRows} from './table.js';

const CONTROLS = ['piece', 'note', 'locked', 'head'];
const STAGE =
  'piano roll: left and right arrows walk over the notes, up and down change the head, Enter locks a note, Escape frees it, Space plays the sound';
const FOOT = [{kbd: '←'}, ' ', {kbd: '→'}, ' notes, '];
const HEADS = [{kbd: '↑'}, ' ', {kbd: '↓'}, ' heads, '];
const LOCK = [{kbd: 'Enter'}, ' or click locks, ', {kbd: 'Esc'}, ' frees'];
const SOUND = [', ', {kbd: 'Space'}, ' plays'];
const SAID = ' ✗ wrong, dashed: what the model said.';
const MOST_LETTERS = 30; // of names in a row of buttons
const WIDE = 940; // of the stage, from which on the sentence is one line
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

class PianoRoll {
  constructor({model, root, signal}) {
    Object.assign(this, {model, root, signal, facts: model.get('facts')});
    Object.assign(this, {over: null, sounding: null, scene: null, tone: null});
    this.known = new Map(); // pieces and heads by their parts
    this.measure = measuring(root);
    const complain = text => this.complain(text);
    this.get = supply(model, signal, complain, view => view);
    this.dialogue = dialogue(model, signal, complain);
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
    this.addControls(complain);
    const view = {root, model, signal, complain, controls: () => this.controls()};
    view.pictured = take => pictured(this, take);
    const {pieces} = this.facts;
    const which = () => (pieces.length > 1 ? `Piece ${readable(this.here.name, 24)}.` : '');
    exportButtons(top, view, () => this.rows(), which);
    root.addEventListener('reset', () => this.silence(), {signal});
  }
  addControls(complain) {
    const {bar, facts} = this;
    const named = facts.pieces.map(({name}, k) => [k + 1, readable(name, 24)]);
    const pick = k => this.open(Number(k));
    this.showPiece = named.length > 1 ? listOf(bar, 'piece', [named], pick) : () => {};
    const heads = facts.pieces.map(piece =>
      piece.heads.map((name, h) => [h + 1, readable(name, 16)]),
    );
    this.showHead = listOf(bar, 'head', heads, h => this.toHead(Number(h)));
    const piece = {
      load: async () => this.get(`sound ${this.model.get('piece')}`),
      from: () => this.begins(),
      moved: () => this.moved(),
      complain,
    };
    this.playback = new Playback(bar, piece, this.signal);
  }
  addStage() {
    const {root} = this;
    const about = {class: 'stage', tabindex: 0, role: 'application', 'aria-label': STAGE};
    this.stage = html(root, 'div', about);
    this.roll = svg(this.stage, 'svg', {'aria-hidden': true});
    this.playhead = svg(this.stage, 'svg', {class: 'playhead', 'aria-hidden': true});
    const heard = html(root, 'div', {class: 'heard'});
    this.table = html(heard, 'table', {'aria-label': 'the notes'});
    this.foot = html(root, 'p', {class: 'foot'});
  }
  /** A reader of each control. */
  controls() {
    const {facts, here} = this;
    return {
      piece: numberIn(1, facts.pieces.length),
      note: numberIn(0, here.notes),
      locked: oneOf([true, false]),
      head: numberIn(1, Math.max(1, here.heads.length)),
    };
  }

  // ---- the state: notes and heads count from 0 here, null for none
  get here() {
    return this.facts.pieces[this.model.get('piece') - 1];
  }
  get state() {
    const {model, here, over, sounding} = this;
    // Python writes a piece, its note and its head one after another
    const note = Math.min(model.get('note'), here.notes) - 1;
    const head = Math.min(model.get('head'), Math.max(1, here.heads.length)) - 1;
    return {note: note < 0 ? null : note, head, locked: model.get('locked'), over, sounding};
  }
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.draw();
  }
  open(piece) {
    const {heads, opening} = this.facts.pieces[piece - 1];
    const head = this.model.get('head') <= heads.length ? this.model.get('head') : 1;
    this.silence();
    this.over = null;
    this.set({piece, note: opening, locked: false, head});
  }
  go(note) {
    this.over = null;
    this.sounding = null;
    this.set({note: note + 1});
  }
  walk(by) {
    const {note} = focusOf(this.state);
    this.playback.audio.pause();
    this.go(besideNote(this.here.notes, note, by));
  }
  press(note) {
    const {locked, note: now} = this.state;
    this.over = null;
    this.set({note: note + 1, locked: !(locked && note === now)});
  }
  free() {
    this.over = null;
    if (this.model.get('locked')) this.set({locked: false});
    else this.set({note: 0});
  }
  toHead(head) {
    const count = this.here.heads.length;
    if (count) this.set({head: Math.max(1, Math.min(count, head))});
  }

  // ---- the sound
  begins() {
    const {note, locked} = this.state;
    return locked && note !== null && this.scene ? this.scene.piece.notes[note].start : null;
  }
  /** The time of the sound, or whether it plays, has changed. */
  moved() {
    const {playback, scene} = this;
    if (!scene) return;
    const {piece} = scene;
    const now = playback.playing ? soundingAt(piece, playback.tick) : null;
    const stopped = this.root.dataset.playing === 'true' && !playback.playing;
    this.root.dataset.playing = playback.playing;
    const kept = stopped && !playback.audio.ended && !this.model.get('locked');
    const last = this.sounding;
    if (now !== last || stopped) {
      this.sounding = now;
      if (kept && last !== null) this.set({note: last + 1});
      else this.draw();
    }
    this.showTime();
  }
  silence() {
    this.playback.stop();
    this.sounding = null;
    this.root.dataset.playing = false;
  }
  showTime() {
    const {playback, scene, sounding, tone} = this;
    const {piece} = scene;
    playback.show(piece.span);
    const still = STILL.matches && sounding !== null; // from note to note, without a glide
    const tick = still ? piece.notes[sounding].start : playback.tick;
    const begun = playback.playing || (playback.tick > 0 && !playback.audio.ended);
    drawPlayhead(this.playhead, scene, begun ? tick : null, tone);
  }

  // ---- from the state to the picture
  /** What a part holds, null until it has come. */
  part(name, read) {
    if (this.known.has(name)) return this.known.get(name);
    const view = this.get(name);
    if (view instanceof Promise) {
      view.then(() => this.signal.aborted || this.draw());
      return null;
    }
    this.known.set(name, read(view));
    return this.known.get(name);
  }
  draw() {
    const {root, stage, model, here} = this;
    if (!stage.clientWidth) return;
    const {state} = this;
    const name = `piece ${model.get('piece')}`;
    const piece = this.part(name, view => pieceOf(here, view));
    const head = `${name} head ${state.head + 1}`;
    const rows = here.heads.length ? this.part(head, rowsOf) : () => null;
    root.setAttribute('aria-busy', !(piece && rows));
    this.showControls(state);
    if (!piece || !rows) return; // the last picture stays
    const focus = focusOf(state);
    const row = focus.note === null ? null : rows(focus.note);
    this.showText(piece, {...focus, head: state.head, row});
    const size = {W: stage.clientWidth, tall: heightLeft(stage)};
    this.scene = sceneOf({piece, row, focus, size});
    this.tone = palette(root);
    drawRoll(this.roll, this.scene, this.tone, this.measure());
    if (!focus.previewing) fillTable(this.table, this.rows());
    this.showTime();
    Object.assign(root.dataset, {
      piece: model.get('piece'),
      note: focus.note === null ? 0 : focus.note + 1,
      head: state.head + 1,
      locked: focus.locked,
      ready: 'true',
    });
  }
  rows() {
    const {piece, focus, row} = this.scene;
    return tableRows(piece, focus.note, row);
  }
  /** What stands in text only: before the sizes are taken, as its lines take height. */
  showText(piece, focus) {
    const {root, stage, said, facts, here} = this;
    root.classList.toggle('wide', stage.clientWidth >= WIDE);
    this.heading.textContent = facts.title || (here.heads.length ? ATTENDING : PLAIN);
    say(said, headline(piece, focus));
    said.setAttribute('aria-live', focus.previewing ? 'off' : 'polite');
    const heads = here.heads.length > 1 ? HEADS : [];
    const told = piece.notes.some(({said}) => said >= 0) ? SAID : '';
    say(this.foot, [...FOOT, ...heads, ...LOCK, ...(here.sound ? SOUND : []), '.', told]);
    holdHeights([said, this.bar], stage.clientWidth);
  }
  showControls({head}) {
    const {model, here, playback} = this;
    this.showPiece(model.get('piece'), 0);
    this.showHead(head + 1, model.get('piece') - 1);
    playback.box.hidden = !here.sound;
  }

  // ---- pointer and keys
  preview(over) {
    if (over === this.over || this.sounding !== null) return;
    this.over = over;
    if (!this.state.locked) this.draw();
  }
  listen() {
    const {root, model, stage, signal} = this;
    const pointer = {
      at: event => (this.scene ? noteNear(this.scene, localPoint(stage, event)) : null),
      preview: over => this.preview(over),
      click: note => this.press(note),
    };
    followPointer(stage, pointer, signal);
    const lock = () => {
      const {note} = focusOf(this.state);
      if (note !== null) this.press(note);
    };
    const keys = {
      ArrowLeft: () => this.walk(-1),
      ArrowRight: () => this.walk(1),
      ArrowUp: () => this.toHead(this.state.head),
      ArrowDown: () => this.toHead(this.state.head + 2),
      Home: () => this.walk(-Infinity),
      End: () => this.walk(Infinity),
      Enter: lock,
      ' ': () => this.here.sound && this.playback.toggle(),
    };
    onKeys(stage, keys, signal);
    const anywhere = {
      PageUp: () => this.walk(-1),
      PageDown: () => this.walk(1),
      Escape: () => this.free(),
    };
    onKeys(root, anywhere, signal);
    this.dialogue.hear(['piece'], () => this.silence());
    this.dialogue.hear(CONTROLS, () => this.draw());
    // a link names a piece only; with a kernel Python opens it
    if (model.kernel === false) this.dialogue.hear(['piece'], () => this.open(model.get('piece')));
  }
}
const ATTENDING = 'Notes, and what they attend to';
const PLAIN = 'Notes over time';

/**
 * Buttons for a few short names, else a list; of the entries of the one that is shown.
 * @param {Element} bar
 * @param {string} what is chosen
 * @param {[number, string][][]} lists
 * @param {(value: string) => void} pick
 * @returns {(value: number, which: number) => void} shows a value and which list it is from
 */
function listOf(bar, what, lists, pick) {
  const [first = [], ...others] = lists.filter(list => list.length > 1);
  const same = others.every(list => JSON.stringify(list) === JSON.stringify(first));
  const letters = first.map(([, name]) => name).join('').length;
  if (same && letters + 3 * first.length <= MOST_LETTERS) {
    const row = segments(bar, what, Object.fromEntries(first), pick);
    return (value, which) => {
      row.group.hidden = lists[which].length < 2;
      row.show(value);
    };
  }
  const list = choice(bar, what, pick);
  return (value, which) => {
    list.box.hidden = lists[which].length < 2;
    list.show(value, Object.fromEntries(lists[which]));
  };
}
const render = place => showView(place, PianoRoll, 'piano_roll', 'a piano roll');
export default {render};
