// Causes: two texts, what is carried from one into the other, and what is run then.

import {segments} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {onTyping} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say} from '../shared/nodes.js';
import {fitLine} from '../shared/one_line.js';
import {Runs} from '../shared/runs.js';
import {localBox, localPoint, sharpness} from '../shared/scale.js';
import {showHints} from '../shared/hints.js';
import {Drawing} from '../shared/scene/drawing.js';
import {labelsOf} from '../shared/scene/names.js';
import {Sketch} from '../shared/scene/sketch.js';
import {drawAnswers} from './answer_panel.js';
import {Asking, partsOf} from './asking.js';
import {drawControl} from './control_strip.js';
import {lastStream, moved, placed, sideOf, stagesOf, tellsWords, withCarried} from './cursor.js';
import {drawGrids} from './grid.js';
import {Jobs} from './jobs.js';
import {causePlan, NARROW, narrowHeight} from './plan.js';
import {noteOf, sentenceOf} from './sentence.js';
import {rowsOf, spotText} from './table.js';
import {TwoTexts} from './two_texts.js';
import {drawWrote} from './wrote_panel.js';

const ABOUT = {
  name: 'cause',
  label: 'states carried from one text into another',
  beneath: 'What it depends on',
  numbers: 'what both texts say, who wrote the answer, and the controls',
  stage:
    'two texts as grids, a row after each block: arrows move, C copies a state of the other text, ' +
    'V puts it, Enter carries it to the same place, U takes it back, R draws controls',
  read: bytes => JSON.parse(new TextDecoder().decode(bytes)),
};
const HINTS = [
  ['C', 'copy'],
  ['V', 'put'],
  ['U', 'undo'],
  ['B', 'before'],
  ['M', 'carries'],
  ['R', 'control'],
  ['F', 'full'],
];
const STATE = ['carried', 'token', 'weighed', 'tone', 'shown', 'stream', 'seed'];
const HIGH = {view: 640, full: 566, foot: 30, least: 420};

/** The view of two texts. */
class Cause extends Frame {
  constructor(place, about) {
    super(place, about);
    Object.assign(this, {held: null, keyed: false, picked: null, lead: '', at: null, drag: null});
    const changed = problem => {
      this.complain(problem);
      this.draw();
    };
    this.runs = new Runs(this.model, (...done) => this.answered(...done), changed);
    this.signal.addEventListener('abort', () => this.runs.end());
    this.jobs = new Jobs(this.model, this.get, this.signal, () => this.came(), this.complain);
    this.begin();
  }
  /** Those of the texts that are on screen. */
  get facts() {
    return this.told ?? this.model.get('facts');
  }
  /** The most parts that a block has, of which it is told what they write. */
  get parts() {
    const {facts} = this;
    if (!facts.says) return 0;
    const counts = new Map();
    for (const {block} of partsOf(facts)) counts.set(block, (counts.get(block) ?? 0) + 1);
    return Math.max(...counts.values());
  }
  /** What belongs to two texts. */
  begin() {
    const facts = this.model.get('facts');
    this.told = facts;
    this.allLabels = facts.tokens.map(labelsOf);
    this.jobs.begin(facts.run);
    Object.assign(this, {held: null, picked: null, lead: '', at: null});
  }

  // ---- what stands there
  addControls() {
    const {bar, said, model, signal, runs, facts} = this;
    said.classList.add('line');
    this.texts = new TwoTexts(bar, facts.texts, model, signal, runs);
    const [first, second] = this.texts.rows;
    const shows = {before: 'Before', after: 'After'};
    this.showing = segments(first, 'this text', shows, value => this.set({shown: value}));
    const tones = {says: 'Says', carries: 'Carries'};
    if (facts.says === 'tokens') {
      this.toning = segments(second, 'other text', tones, value => this.set({tone: value}));
    }
    if (facts.streams.length > 1) {
      const sides = Object.fromEntries(facts.streams.map(({side}, k) => [k, side]));
      this.streams = segments(second, 'states', sides, value => this.set({stream: Number(value)}));
    }
    onTyping(this.root, this.letters(), signal);
  }
  addStage() {
    this.drawing = new Drawing(this.stage);
  }
  build() {
    super.build();
    this.heading.textContent = this.facts.title || 'Cause';
    this.note = html(this.foot, 'span', {class: 'note'});
    this.hints = html(this.foot, 'span', {class: 'keys'});
    this.stage.shown = () => this.scene; // for whoever checks the picture
  }
  showControls() {
    const {state} = this;
    this.texts.show(this.facts.texts);
    this.showing.show(state.shown);
    this.toning?.show(state.tone);
    if (this.toning) this.toning.group.hidden = !tellsWords({facts: this.facts, state});
    this.streams?.show(state.stream);
  }

  // ---- the state
  get state() {
    const given = Object.fromEntries(STATE.map(name => [name, this.model.get(name)]));
    const {stream} = given;
    const asked = sideOf(this.facts, 1, stream);
    const at = this.at ?? {text: 1, stage: Math.min(1, stagesOf(this.facts, stream) - 1), token: 0};
    const token = Math.min(at.token, asked.length - 1);
    const tells = tellsWords({facts: this.facts, state: given});
    return {
      ...given,
      tone: tells ? given.tone : 'carries', // there are no words that it could say
      at: {...at, stage: Math.min(at.stage, stagesOf(this.facts, stream) - 1), token},
    };
  }
  readers() {
    const {facts} = this;
    return {
      carried: () => undefined, // no link says it
      token: numberIn(-1, sideOf(facts, 0, lastStream(facts)).length - 1),
      weighed: numberIn(0, 2),
      stream: oneOf(facts.streams.map((_, k) => k)),
      seed: numberIn(0, 10000),
    };
  }
  /** What is shown as carried: with what is previewed, without all where it is shown as it was. */
  carriedNow() {
    const {state, held, focus} = this;
    const over = this.keyed ? state.at : focus.over;
    const previews = held && over?.text === 0 && over.stage !== undefined;
    if (previews) {
      const one = placed(state.stream, held, over);
      return {carried: withCarried(state.carried, one), previewed: one};
    }
    return {carried: state.shown === 'before' ? [] : state.carried, previewed: null};
  }

  // ---- from the state to the picture
  came() {
    this.queued ??= requestAnimationFrame(() => {
      this.queued = null;
      if (!this.signal.aborted) this.draw();
    });
  }
  size() {
    const {stage, root} = this;
    const {W, tall, tone, measure} = super.size();
    const full = tall !== null;
    const top = localBox(stage).y - localBox(root).y + root.scrollTop;
    const stages = stagesOf(this.facts, this.model.get('stream'));
    const least = W < NARROW ? narrowHeight(stages, this.parts) : HIGH.least;
    const all = full ? Math.max(tall, HIGH.full - top) : HIGH.view - top;
    const height = Math.max(least, Math.floor(all - HIGH.foot));
    return {width: W, height, full, tone, measure};
  }
  gather() {
    const {facts, state, jobs, focus, root, said} = this;
    said.classList.toggle('line', root.clientWidth >= NARROW);
    const {carried, previewed} = this.carriedNow();
    const asking = new Asking(jobs, facts, state, carried, Boolean(previewed));
    const now = asking.now();
    const other = asking.other();
    if (now && other) {
      return {...this.around(asking, {carried, previewed, now, other}), over: focus.over};
    }
    return this.scene ? null : this.asTheyAre();
  }
  /** Both texts without what is carried: the first picture, and all there is without a model. */
  asTheyAre() {
    const {facts, jobs} = this;
    const state = {...this.state, stream: lastStream(facts)};
    const asking = new Asking(jobs, facts, state, [], false);
    const [now, other] = facts.grids;
    const told = {carried: [], previewed: null, now, other};
    return {...this.around(asking, told, state), over: null};
  }
  around(asking, {carried, previewed, now, other}, state = this.state) {
    const {facts, allLabels} = this;
    const {tokens: side} = facts.streams[state.stream];
    const last = facts.streams[lastStream(facts)].tokens;
    const labels = [...allLabels.map(sides => sides[side]), allLabels[0][last]];
    const size = this.size();
    const widest = Math.max(
      ...labels
        .slice(0, 2)
        .flat()
        .map(text => size.measure(text, '700 12px')),
    );
    const tokens = [0, 1].map(text => sideOf(facts, text, state.stream));
    const told = {
      tokens: tokens.map(all => all.length),
      stages: stagesOf(facts, state.stream),
      widest,
      parts: this.parts,
      at: state.at,
      before: this.shown?.plan,
    };
    const own = state.stream === lastStream(facts);
    const grids = {0: now, 1: other, now: facts.says ? (asking.grid ?? facts.grids[0]) : now};
    return {
      facts,
      state,
      allLabels,
      labels,
      tokens,
      carried,
      previewed,
      size,
      plan: causePlan(size, told),
      grids,
      before: own ? facts.grids[0] : now,
      asked: own && facts.says !== 'text' ? asking.tokens : [-1, -1],
      answering: asking.tokens,
      ...this.asked(asking, state),
    };
  }
  /** All that is asked of the model beside the grids; what has not come is null. */
  asked(asking, {tone}) {
    const {jobs, held, keyed, picked: bar, lead, facts} = this;
    const far = asking.far();
    const says = facts.says ? asking.rowOf(asking.grid ?? facts.grids[0])[0][0] : null;
    return {
      far,
      says,
      pair: asking.pair,
      words: asking.words,
      choices: asking.choices,
      chances: asking.chances(),
      wrote: asking.wrote(),
      costs: asking.costs(),
      controls: far && asking.controls(),
      effects: tone === 'carries' ? asking.effects() : null,
      come: asking.come,
      dead: jobs.dead,
      held,
      keyed,
      bar,
      lead,
    };
  }
  paint(world) {
    const sketch = new Sketch(world);
    drawGrids(sketch, world);
    drawAnswers(sketch, world);
    drawWrote(sketch, world);
    drawControl(sketch, world);
    Object.assign(this, {scene: sketch.scene, shown: world});
    const {size, facts, over, state, carried} = world;
    const {width, height, tone, measure} = size;
    this.stage.style.height = `${height}px`;
    const look = {width, height, tone, measure, valuesOf: () => null, ratio: sharpness(this.root)};
    this.drawing.draw(this.scene, [], {...look, run: facts.run});
    this.tellAll(world);
    this.mark({
      carried: carried.length,
      shown: state.shown,
      tone: state.tone,
      weighed: state.weighed,
      preview: Boolean(world.previewed),
      held: Boolean(world.held),
      controls: world.controls?.length ?? 0,
      pending: this.jobs.underWay && !over,
    });
  }
  tellAll(world) {
    const {said, note, hints} = this;
    say(said, sentenceOf(world));
    said.setAttribute('aria-live', world.over ? 'off' : 'polite');
    if (said.classList.contains('line')) fitLine(said, world.size.measure);
    say(note, noteOf(world));
    showHints(hints, HINTS);
  }
  tables() {
    return [{caption: 'What both texts say', rows: this.rows()}];
  }
  cursorText() {
    return this.shown ? spotText(this.shown) : '';
  }
  rows() {
    return this.shown ? rowsOf(this.shown) : [];
  }
  stateText() {
    return this.shown ? this.note.textContent : '';
  }

  // ---- the model runs again
  answered(_, problem) {
    if (this.model.get('facts') !== this.told) this.renew();
    this.texts.ended(problem);
    this.complain(problem);
    this.draw();
  }
  renew() {
    this.focus.free();
    this.begin();
    this.draw();
  }

  // ---- pointer, keys, Python
  under(event) {
    const {scene, drawing} = this;
    if (!scene) return null;
    const [x, y] = localPoint(drawing.over, event);
    return (
      scene.hits.findLast(
        one => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h,
      ) ?? null
    );
  }
  preview(found) {
    this.stage.style.cursor =
      found && (found.does || found.place.stage !== undefined) ? 'pointer' : '';
    if (found) this.keyed = false;
    this.focus.preview(found?.place ?? null);
  }
  click(found) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const {place, does} = found;
    if (does) this.do(does);
    else if (place.stage !== undefined) this.chosen(place);
  }
  /** A cell is clicked: of the other text it is held, of this one it takes what is held. */
  chosen(place) {
    this.at = place;
    const {held} = this;
    if (place.text === 1) {
      const same = held?.stage === place.stage && held?.token === place.token;
      this.held = same ? null : this.taken(place);
    } else if (held) {
      return this.put(place);
    } else if (this.told.says !== 'text' && this.state.stream === lastStream(this.facts)) {
      return this.set({token: place.token});
    }
    return this.draw();
  }
  /** A state of the other text, or what the head whose bar is held gives there. */
  taken({stage, token}) {
    const part = partsOf(this.facts).find(one => one.id === this.picked);
    const own = this.state.stream === lastStream(this.facts);
    if (!part || part.head === null || !own) return {stage, token, head: null};
    return {stage: part.block + 1, token, head: part.silent};
  }
  put(to) {
    const {state, held} = this;
    if (!held) return; // other texts came while it was drawn
    const carried = withCarried(state.carried, placed(state.stream, held, to));
    Object.assign(this, {held: null, picked: null, lead: ''});
    this.focus.free();
    this.set({carried, shown: 'after'});
  }
  /** What a chip, a bar or a track does. */
  do(does) {
    const {carried, seed} = this.state;
    if ('answer' in does) this.set({token: does.answer});
    else if ('undo' in does) this.set({carried: carried.slice(0, -1)});
    else if ('remove' in does) this.set({carried: carried.filter((_, k) => k !== does.remove)});
    else if ('weighed' in does) this.set({weighed: does.weighed});
    else if ('control' in does) this.control(seed);
    else {
      if ('bar' in does) this.picked = this.picked === does.bar ? null : does.bar;
      if ('at' in does) this.at = does.at;
      this.draw();
    }
  }
  control(seed) {
    if (!this.state.carried.length || this.jobs.dead) return;
    this.lead = 'control';
    this.set({seed: seed + 1});
  }
  letters() {
    return {
      c: () => {
        const {at} = this.state;
        if (at.text !== 1) return;
        this.held = this.taken(at);
        this.draw();
      },
      v: () => this.held && this.state.at.text === 0 && this.put(this.state.at),
      u: () => this.set({carried: this.state.carried.slice(0, -1)}),
      b: () => this.set({shown: this.state.shown === 'after' ? 'before' : 'after'}),
      m: () => {
        if (!tellsWords(this)) return;
        this.set({tone: this.state.tone === 'says' ? 'carries' : 'says'});
      },
      r: () => this.control(this.state.seed),
      1: () => this.set({weighed: 0}),
      2: () => this.set({weighed: 1}),
      3: () => this.set({weighed: 2}),
    };
  }
  keys() {
    const arrow = (across, up) => () => {
      const {stream, at} = this.state;
      this.at = moved(this.facts, stream, at, across, up);
      this.keyed = true;
      this.draw();
    };
    const same = at => at.token < sideOf(this.facts, 0, this.state.stream).length;
    return {
      ArrowLeft: arrow(-1, 0),
      ArrowRight: arrow(1, 0),
      ArrowUp: arrow(0, 1),
      ArrowDown: arrow(0, -1),
      Enter: () => {
        const {at} = this.state;
        if (at.text === 1 && same(at)) {
          this.held = this.taken(at);
          this.put(at);
        } else if (at.text === 0) {
          this.chosen(at);
        }
      },
      Backspace: () => this.set({carried: this.state.carried.slice(0, -1)}),
      Escape: () => this.free(),
    };
  }
  /** Lets go of what is held, then of a bar, of the control's sentence, of the answer. */
  free() {
    if (this.held) this.held = null;
    else if (this.picked) this.picked = null;
    else if (this.lead) this.lead = '';
    else if (this.state.token >= 0) return this.set({token: -1});
    this.keyed = false;
    return this.draw();
  }
  listen() {
    super.listen();
    this.dialogue.hear(['facts'], () => this.runs.underway || this.renew());
    const forget = () => {
      Object.assign(this, {held: null, picked: null, lead: '', at: null, keyed: false});
      this.focus.free();
    };
    this.root.addEventListener('reset', forget, {signal: this.signal});
    this.followDrag();
  }
  // A cell of the other text may be drawn onto one of this.
  followDrag() {
    const {stage, signal} = this;
    const down = event => {
      const found = this.under(event);
      this.dragged = false;
      if (found?.place.text !== 1 || found.place.stage === undefined || found.does) return;
      this.drag = {place: found.place, from: [event.clientX, event.clientY]};
    };
    const move = event => {
      const {drag} = this;
      if (!drag || this.dragged) return;
      const [x, y] = drag.from;
      if (Math.hypot(event.clientX - x, event.clientY - y) < 5) return;
      this.dragged = true;
      this.held = this.taken(drag.place);
    };
    const up = event => {
      const {drag} = this;
      this.drag = null;
      if (!drag || !this.dragged) return;
      const found = this.under(event);
      if (found?.place.text === 0 && found.place.stage !== undefined) this.put(found.place);
      else this.held = null;
      this.draw();
    };
    stage.addEventListener('pointerdown', down, {signal});
    stage.addEventListener('pointermove', move, {signal, capture: true});
    stage.addEventListener('pointerup', up, {signal});
    const twice = event => {
      const found = this.under(event);
      if (found?.place.text !== 1 || found.place.stage === undefined) return;
      this.held = this.taken(found.place);
      this.put(found.place);
    };
    stage.addEventListener('dblclick', twice, {signal});
  }
}
export default framedView(Cause, ABOUT);
