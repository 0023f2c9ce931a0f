// A piano roll: its controls, what a click and a key mean, the sound.

import {shortList} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {onKeys} from '../shared/keys.js';
import {numberIn} from '../shared/link.js';
import {say, svg, withKeys} from '../shared/nodes.js';
import {localPoint} from '../shared/scale.js';
import {readable, SIGNS} from '../shared/texts.js';
import {pieceOf, rowsOf} from './parts.js';
import {drawPlayhead, drawRoll} from './picture.js';
import {Playback} from './playback.js';
import {besideNote, focusOf, noteNear, sceneOf, soundingAt} from './scene.js';
import {headline} from './sentence.js';
import {tableRows} from './table.js';

const ABOUT = {
  name: 'piano_roll',
  label: 'a piano roll',
  stage:
    'piano roll: left and right arrows walk over the notes, up and down change the head, Enter locks a note, Escape frees it, Space plays the sound',
  read: bytes => bytes,
};
const FOOT = withKeys('[←] [→] notes, ');
const HEADS = withKeys('[↑] [↓] heads, ');
const LOCK = withKeys('[Enter] or click locks, [Esc] frees');
const SOUND = withKeys(', [Space] plays');
const SAID = ` ${SIGNS.wrong} wrong, dashed: what the model said.`;
const [ATTENDING, PLAIN] = ['Notes, and what they attend to', 'Notes over time'];
const MOST_LETTERS = 24; // of names in a row of buttons
const WIDE = 940; // of the stage, from which on the sentence is one line
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

class PianoRoll extends Frame {
  constructor(place, about) {
    super(place, about);
    this.sounding = null; // the note that sounds
  }

  // ---- what stands there
  addControls() {
    const {bar, facts, complain} = this;
    const named = facts.pieces.map(({name}, k) => [k + 1, readable(name, 24)]);
    const pick = k => this.open(Number(k));
    this.showPiece = shortList(bar, 'piece', [named], MOST_LETTERS, pick);
    const heads = facts.pieces.map(piece =>
      piece.heads.map((name, h) => [h + 1, readable(name, 16)]),
    );
    this.showHead = shortList(bar, 'head', heads, MOST_LETTERS, h => this.toHead(Number(h)));
    const piece = {
      load: async () => this.get(`sound ${this.model.get('piece')}`),
      from: () => this.begins(),
      moved: () => this.moved(),
      complain,
    };
    this.playback = new Playback(bar, piece, this.signal);
  }
  addStage() {
    this.roll = svg(this.stage, 'svg', {'aria-hidden': true});
    this.playhead = svg(this.stage, 'svg', {class: 'playhead', 'aria-hidden': true});
  }
  readers() {
    const {facts, here} = this;
    return {
      piece: numberIn(1, facts.pieces.length),
      note: numberIn(0, here.notes),
      head: numberIn(1, Math.max(1, here.heads.length)),
    };
  }
  showControls() {
    const {model, state, playback} = this;
    this.showPiece(model.get('piece'), 0);
    this.showHead(state.head + 1, model.get('piece') - 1);
    playback.box.hidden = !this.here.sound;
  }

  // ---- the state: notes and heads count from 0 here, null for none
  get here() {
    return this.facts.pieces[this.model.get('piece') - 1];
  }
  get state() {
    const {model, here, focus, sounding} = this;
    // Python writes a piece, its note and its head one after another
    const note = Math.min(model.get('note'), here.notes) - 1;
    const head = Math.min(model.get('head'), Math.max(1, here.heads.length)) - 1;
    const {over} = focus;
    return {note: note < 0 ? null : note, head, locked: model.get('locked'), over, sounding};
  }
  open(piece) {
    const {heads, opening} = this.facts.pieces[piece - 1];
    const head = this.model.get('head') <= heads.length ? this.model.get('head') : 1;
    this.silence();
    this.focus.over = null;
    this.set({piece, note: opening, locked: false, head});
  }
  walk(by) {
    const note = besideNote(this.here.notes, focusOf(this.state).note, by);
    this.playback.audio.pause();
    this.focus.over = null;
    this.sounding = null;
    this.set({note: note + 1});
  }
  free() {
    this.focus.over = null;
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
    const {playback, scene, sounding} = this;
    const {piece} = scene;
    playback.show(piece.span);
    const still = STILL.matches && sounding !== null; // from note to note, without a glide
    const tick = still ? piece.notes[sounding].start : playback.tick;
    const begun = playback.playing || (playback.tick > 0 && !playback.audio.ended);
    drawPlayhead(this.playhead, scene, begun ? tick : null, scene.tone);
  }

  // ---- from the state to the picture
  gather() {
    const {here, state} = this;
    const name = `piece ${this.model.get('piece')}`;
    const piece = this.part(name, view => pieceOf(here, view));
    const head = `${name} head ${state.head + 1}`;
    const rows = here.heads.length ? this.part(head, rowsOf) : () => null;
    return piece && rows && {piece, rows};
  }
  paint({piece, rows}) {
    const {state} = this;
    const focus = focusOf(state);
    const row = focus.note === null ? null : rows(focus.note);
    this.showText(piece, {...focus, head: state.head, row});
    const size = this.size();
    this.scene = {...sceneOf({piece, row, focus, size}), tone: size.tone};
    drawRoll(this.roll, this.scene, size.tone, size.measure);
    this.showTime();
    this.mark({
      piece: this.model.get('piece'),
      note: focus.note === null ? 0 : focus.note + 1,
      head: state.head + 1,
      locked: focus.locked,
    });
  }
  /** What stands in text only: before the sizes are taken, as its lines take height. */
  showText(piece, focus) {
    const {root, stage, facts, here} = this;
    root.classList.toggle('wide', stage.clientWidth >= WIDE);
    this.heading.textContent = facts.title || (here.heads.length ? ATTENDING : PLAIN);
    const heads = here.heads.length > 1 ? HEADS : [];
    const told = piece.notes.some(({said}) => said >= 0) ? SAID : '';
    say(this.foot, [...FOOT, ...heads, ...LOCK, ...(here.sound ? SOUND : []), '.', told]);
    this.tell(headline(piece, focus), focus.previewing);
  }
  rows() {
    const {piece, focus, row} = this.scene;
    return tableRows(piece, focus.note, row);
  }
  tables() {
    return [{caption: 'the notes', rows: this.rows(), at: [this.scene.focus.note ?? 0, 0]}];
  }
  stateText() {
    const {pieces} = this.facts;
    return pieces.length > 1 ? `Piece ${readable(this.here.name, 24)}.` : '';
  }

  // ---- pointer and keys
  under(event) {
    return this.scene ? noteNear(this.scene, localPoint(this.stage, event)) : null;
  }
  preview(over) {
    if (this.sounding === null) this.focus.preview(over);
  }
  click(note) {
    const {locked, note: now} = this.state;
    this.focus.over = null;
    this.set({note: note + 1, locked: !(locked && note === now)});
  }
  keys() {
    const lock = () => {
      const {note} = focusOf(this.state);
      if (note !== null) this.click(note);
    };
    return {
      ArrowLeft: () => this.walk(-1),
      ArrowRight: () => this.walk(1),
      ArrowUp: () => this.toHead(this.state.head),
      ArrowDown: () => this.toHead(this.state.head + 2),
      Home: () => this.walk(-Infinity),
      End: () => this.walk(Infinity),
      Enter: lock,
      Escape: () => this.free(),
      ' ': () => this.here.sound && this.playback.toggle(),
    };
  }
  listen() {
    const {root, model, signal} = this;
    const anywhere = {
      PageUp: () => this.walk(-1),
      PageDown: () => this.walk(1),
    };
    onKeys(root, anywhere, signal);
    root.addEventListener('reset', () => this.silence(), {signal});
    this.dialogue.hear(['piece'], () => this.silence());
    super.listen();
    // a link names a piece only; with a kernel Python opens it
    if (model.kernel === false) this.dialogue.hear(['piece'], () => this.open(model.get('piece')));
  }
}
export default framedView(PianoRoll, ABOUT);
