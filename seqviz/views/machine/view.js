// The machine: the state, what is run again, and what is drawn then.

import {Frame, framedView} from '../shared/frame.js';
import {lackOf, needsKernel, supply} from '../shared/kernel.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say} from '../shared/nodes.js';
import {fitLine} from '../shared/one_line.js';
import {Runs} from '../shared/runs.js';
import {localBox, localPoint, sharpness} from '../shared/scale.js';
import {Crumbs} from './crumbs.js';
import {showHints} from '../shared/hints.js';
import {blockScene} from './block.js';
import {blockPlan} from './block_plan.js';
import {Numbers} from './cells.js';
import {clampedState, clicked, left, readAnew, silenced, toDepth} from './cursor.js';
import {Drawing} from '../shared/scene/drawing.js';
import {EquationBox} from './equation_box.js';
import {focusedNumber} from './focused_number.js';
import {letterKeys, stageKeys} from './hands.js';
import {foundAt} from './hits.js';
import {lessonOf} from './lesson.js';
import {labelsOf} from '../shared/scene/names.js';
import {Origins, outlinesOf} from './outlines.js';
import {OwnText} from './own_text.js';
import {answerOf, crumbsOf, keyHints, standsAt, sizesText, stateTextOf} from './saying.js';
import {stagesOf} from './stages.js';
import {attentionIn, keysIn, tokensIn} from './standing.js';
import {STRIP, stripScene} from './strip.js';
import {captionOf, rowsOf} from './table.js';
import {wholeScene} from './whole.js';
import {wholePlan} from './whole_plan.js';
import {whyScene} from './why.js';
import {whyPlan} from './why_plan.js';
import {Withouts} from './without.js';

const ABOUT = {
  name: 'machine',
  label: 'a model as it computes',
  beneath: 'How it is made',
  stage:
    'the model: left and right arrows move over tokens, heads or keys, up and down over stages or ' +
    'tokens, Enter opens, Escape frees and goes up, S silences the head, O sorts the products',
};
const DEPTHS = [
  [wholePlan, wholeScene],
  [blockPlan, blockScene],
  [whyPlan, whyScene],
];
const STATE = 'depth stream block part token head key stage number sort'.split(' ');
// Local pixels; `narrow` is the least height of each depth there.
const HIGH = {view: 640, full: 566, beneath: 92, least: 300, narrow: [420, 740, 540]};
const NARROW = 640; // of the view, under which the sentence breaks and the picture folds

const together = (scene, other) =>
  Object.fromEntries(
    Object.entries(scene).map(([kind, things]) => [kind, [...things, ...other[kind]]]),
  );

/** The view of a model. */
class Machine extends Frame {
  constructor(place, about) {
    super(place, about);
    this.queued = null;
    const changed = problem => {
      this.complain(problem);
      this.draw();
    };
    this.runs = new Runs(this.model, (...done) => this.answered(...done), changed);
    this.signal.addEventListener('abort', () => this.runs.end());
    this.withouts = new Withouts(this.model, this.signal, () => this.came());
    this.begin();
  }
  /** Those of the run that is on screen. */
  get facts() {
    return this.told ?? this.model.get('facts');
  }
  /** What belongs to one run: its stages, labels and numbers. */
  begin() {
    const facts = this.model.get('facts');
    this.told = facts;
    this.stages = stagesOf(facts.anatomy);
    this.labels = labelsOf(facts.tokens);
    this.lacks = false; // whether a part was asked for that is not there
    this.numbers = new Numbers(facts, name => {
      const found = this.part(name, values => values);
      this.lacks ||= !found;
      return found;
    });
    this.around = {facts, stages: this.stages, numbers: this.numbers};
    this.origins = new Origins(facts.graph, this.numbers);
  }
  /** Another run: its parts are others, weights are the same. */
  renew() {
    const before = this.told;
    const weights = [...this.made].filter(([name]) => name.startsWith('w '));
    this.made = new Map(weights);
    this.renewed?.abort();
    this.renewed = new AbortController();
    const signal = AbortSignal.any([this.signal, this.renewed.signal]);
    this.get = supply(this.model, signal, this.complain);
    this.focus.over = null;
    this.begin();
    if (before.text === this.told.text) this.draw();
    else this.go(readAnew(this.around, this.state, before));
  }

  // ---- what stands there
  addControls() {
    const {top, said, bar, facts, model, signal, runs} = this;
    said.classList.add('line');
    this.crumbs = new Crumbs(top, depth => this.go(toDepth(this.around, this.state, depth)));
    this.ownText = new OwnText(bar, facts, model, signal, runs);
    letterKeys(this);
  }
  addStage() {
    const {root, stage} = this;
    this.drawing = new Drawing(stage);
    this.box = new EquationBox(root);
  }
  build() {
    super.build();
    this.heading.textContent = this.facts.title || 'The machine';
    this.answer = html(this.foot, 'span', {class: 'answer'});
    this.hints = html(this.foot, 'span', {class: 'keys'});
    this.stage.shown = () => this.scene; // for whoever checks the picture
    this.root.toStep = depth => this.go(toDepth(this.around, this.state, depth)); // of a slide
  }
  showControls() {
    this.ownText.show(this.facts.text);
  }

  // ---- the state
  get state() {
    const given = Object.fromEntries(STATE.map(name => [name, this.model.get(name)]));
    return clampedState(this.around, given);
  }
  /** Takes the next state. */
  go(next) {
    this.focus.free();
    this.set(Object.fromEntries(STATE.map(name => [name, next[name]])));
  }
  /** One step up; whether there was one. */
  goUp() {
    const above = left(this.around, this.state);
    if (above) this.go(above);
    return Boolean(above);
  }
  readers() {
    const {facts, stages} = this;
    const {streams} = facts.anatomy;
    const stream = () => streams[this.state.stream];
    const place = count => text => numberIn(0, Math.max(0, count() - 1))(text);
    return {
      stream: place(() => streams.length),
      block: place(() => stream().blocks.length),
      part: place(() => stream().blocks[this.state.block].parts.length),
      token: place(() => tokensIn(facts, this.state.stream).length),
      head: place(() => attentionIn(facts, this.state)?.heads ?? 1),
      key: place(() => keysIn(facts, this.state).length),
      stage: oneOf(stages.map(({id}) => id)),
      number: text =>
        /^\S+ \d+$/.test(text) && facts.shapes[text.split(' ')[0]] ? text : undefined,
      depth: place(() => 3),
    };
  }
  /** What the model runs for is no control of a page. */
  controls() {
    const known = {...super.controls()};
    delete known.silent;
    const {depth, number, ...others} = known;
    return {...others, depth, number};
  }

  // ---- the model runs again
  silence() {
    const {facts, model} = this;
    if (needsKernel(model)) return this.complain(`Silencing a head ${lackOf(model)}.`);
    const silent = silenced(facts, this.state, this.wantedSilent);
    return silent && this.runs.start({silent});
  }
  /** The heads that were asked for last, or that are silent. */
  get wantedSilent() {
    return (this.runs.underway && this.runs.wish.silent) || this.facts.silent;
  }
  /** The last wish is answered. */
  answered(wish, problem) {
    if (this.model.get('facts') !== this.told) this.renew();
    this.complain(this.ownText.ended(wish, problem) ? '' : problem);
    this.draw();
  }

  // ---- from the state to the picture
  /** Of many parts the last one to come in a frame draws. */
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
    const all = full ? Math.max(tall, HIGH.full - top) : HIGH.view - top;
    const least = W < NARROW ? HIGH.narrow[this.state.depth] : HIGH.least;
    const height = Math.max(least, Math.floor(all - HIGH.beneath));
    return {width: W, height, full, tone, measure};
  }
  world() {
    const {facts, stages, numbers, labels, state, focus} = this;
    const room = this.size();
    const height = room.height - (state.depth < 2 ? STRIP : 0);
    const size = {...room, height};
    const [plan] = DEPTHS[state.depth];
    const over = focus.over;
    const world = {facts, stages, numbers, labels, state, over, size, room};
    return {...world, plan: plan(size, facts, state, labels)};
  }
  gather() {
    const {root, said} = this;
    said.classList.toggle('line', root.clientWidth >= NARROW);
    const world = this.world();
    this.lacks = false;
    const [, sceneOf] = DEPTHS[world.state.depth];
    const scene = sceneOf(world);
    const strip = world.state.depth < 2 ? stripScene(world, world.size.height) : null;
    if (this.lacks) return null;
    return {world, scene: strip ? together(scene, strip) : scene};
  }
  paint({world, scene}) {
    const {state, over, room} = world;
    const focused = focusedNumber(world) ?? this.focused; // the last one while parts are under way
    Object.assign(this, {scene, shown: world, focused});
    this.show(scene, focused, room);
    this.say(world, focused);
    const places = STATE.filter(name => name !== 'number');
    const silent = this.facts.silent.map(one => one.join('.')).join(' ');
    const marked = Object.fromEntries(places.map(name => [name, state[name]]));
    const pending = this.lacks; // parts of the equation
    this.mark({...marked, locked: Boolean(state.number), preview: Boolean(over), silent, pending});
  }
  show(scene, focused, {width, height, tone, measure}) {
    const {root, stage, drawing, numbers, origins, facts} = this;
    stage.style.height = `${height}px`;
    const outlines = focused?.inputs.length
      ? outlinesOf(scene, focused.inputs, focused.self ?? {}, origins)
      : [];
    const valuesOf = ({node}) => numbers.value(node);
    const look = {width, height, tone, measure, valuesOf, ratio: sharpness(root), run: facts.run};
    drawing.draw(scene, outlines, look);
  }
  say(world, focused) {
    const {facts, said, box, answer, hints, crumbs, withouts} = this;
    const {state, over, room} = world;
    const part = state.depth === 1 ? attentionIn(facts, state) : null;
    const head = part && [part.attention, state.head];
    const speaks = head && !facts.silent.some(one => String(one) === String(head));
    const without = speaks ? withouts.of(facts.run, head) : null;
    const compared = over?.key === state.key ? undefined : over?.key;
    const pieces = lessonOf({...world, state: {...state, compared}, without});
    if (pieces.length) say(said, pieces);
    said.setAttribute('aria-live', over ? 'off' : 'polite');
    if (said.classList.contains('line')) fitLine(said, room.measure);
    if (focused) box.show(focused, focused.hint, room.measure, Boolean(state.number));
    crumbs.show(crumbsOf(world), sizesText(world));
    say(answer, answerOf(world));
    showHints(hints, keyHints(world));
  }
  tables() {
    return [{caption: captionOf(this.shown), rows: this.rows()}];
  }
  cursorText() {
    return this.shown ? standsAt(this.shown) : '';
  }
  rows() {
    return this.shown ? rowsOf(this.shown) : [];
  }
  stateText() {
    return this.shown ? `${stateTextOf(this.shown)}. ${this.box.text}` : '';
  }

  // ---- pointer, keys, Python
  under(event) {
    const {scene, drawing} = this;
    return scene && foundAt(scene, localPoint(drawing.over, event));
  }
  preview(found) {
    this.stage.style.cursor = found?.does ? 'pointer' : '';
    if (!this.state.number) this.focus.preview(found?.place ?? null);
  }
  click(found) {
    this.go(clicked(this.around, this.state, found));
  }
  keys() {
    return stageKeys(this);
  }
  listen() {
    super.listen();
    this.dialogue.hear(['facts'], () => this.runs.underway || this.renew());
    this.root.addEventListener('reset', () => this.focus.free(), {signal: this.signal});
  }
}
export default framedView(Machine, ABOUT);
