// The unrolled net: its state, controls, pointer and keys.

import {
  dialogue,
  followSize,
  followTheme,
  html,
  mount,
  onKeys,
  palette,
  say,
  supply,
} from '../shared/base.js';
import {button, segments, tick} from '../shared/controls.js';
import {exportButtons} from '../shared/export.js';
import {focusLock, followPointer} from '../shared/focus.js';
import {headOf} from '../shared/frame.js';
import {onTyping} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {fitView, heightLeft, localBox, localPoint} from '../shared/scale.js';
import {drawChain} from './chain.js';
import {drawEquation} from './equation.js';
import {fitHeadline} from './headline.js';
import {Lexicon} from './lexicon.js';
import {MatrixImages} from './marks.js';
import {forward, unpack} from './net.js';
import {headingOf, needsLanes, readingOf, sceneOf, tableOf} from './scene.js';
import {sentence} from './sentence.js';

const STAGE =
  'unrolled net: left and right arrows step, up and down choose a unit, Enter locks it, Escape frees it, Space plays, E opens the equation';
const FOOT = [
  {kbd: '←'},
  ' ',
  {kbd: '→'},
  ' step, ',
  {kbd: '↑'},
  ' ',
  {kbd: '↓'},
  ' unit, ',
  {kbd: 'Enter'},
  ' lock, ',
  {kbd: 'Esc'},
  ' free, ',
  {kbd: 'Space'},
  ' play, ',
  {kbd: 'E'},
  ' equation. Point at a unit to preview it, click to lock it. ',
  'Violet is negative, rust positive, the fainter the nearer to 0: states from −1 to 1, weights up to the largest of their block. A unit differs when it moved by more than 0.5.',
];
const CONTROLS = ['step', 'unit', 'stage', 'text', 'learned_start', 'equation'];
const STEP_MS = 1400;
const FOOT_GAP = 8; // pixels above the foot
const LONG = 60; // letters of a heading that is written smaller
const NARROWEST = 380; // pixels of the drawing; a narrower stage shrinks it

class UnrolledNet {
  constructor({model, root, signal}) {
    Object.assign(this, {model, root, signal, facts: model.get('facts')});
    const {top, ...head} = headOf(root);
    Object.assign(this, head);
    const stage = {class: 'stage', tabindex: 0, role: 'group', 'aria-label': STAGE};
    this.stage = html(root, 'div', stage);
    this.foot = html(root, 'p', {class: 'foot'});
    this.value = html(this.foot, 'output', {class: 'value'});
    say(html(this.foot, 'span'), FOOT);
    this.lexicon = new Lexicon(this.facts);
    this.measure = measuring(root);
    this.images = new MatrixImages();
    this.focus = focusLock(() => this.draw()); // `over` is a unit
    this.read = ''; // from which weights and text the run is
    this.net = null;
    this.run = null;
    this.lanes = false;
    this.width = 0; // of the stage
    this.from = 0; // the first step in sight
    this.hits = [];
    this.timer = 0;
    this.open = false; // the equation
    this.fresh = false; // another step is drawn as it comes in
    const complain = text => this.complain(text);
    this.get = supply(model, signal, complain);
    this.dialogue = dialogue(model, signal, complain);
    this.addSteps();
    this.addField();
    this.addWeights();
    this.addFold();
    const table = () => tableOf(this.facts, this.run);
    const controls = () => this.controls();
    exportButtons(top, {root, model, signal, complain, controls}, table);
  }
  complain(text) {
    if (this.problem.textContent !== text) this.problem.textContent = text;
  }

  // ---- controls
  addSteps() {
    const buttons = html(this.bar, 'span', {class: 'steps'});
    const mover = (text, label, by) =>
      button(buttons, text, {title: label, 'aria-label': label}, () => this.move(by));
    mover('◀', 'one step back', -1);
    this.player = button(buttons, 'Play', {}, () => this.play());
    mover('▶', 'one step on', 1);
    const label = html(this.bar, 'label', {}, 'step ');
    this.slider = html(label, 'input', {type: 'range', min: 1, step: 1});
    this.count = html(label, 'output', {class: 'count'});
    this.slider.addEventListener('input', () => {
      this.stop();
      this.go(this.slider.value - 1);
    });
  }
  addField() {
    this.field = html(html(this.bar, 'label', {}, 'reads '), 'input', {
      type: 'text',
      dir: 'auto',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      'aria-label': 'text that the net reads',
    });
    this.field.addEventListener('input', () => this.readLine(this.field.value));
  }
  addWeights() {
    const {stages, start} = this.facts;
    const choose = k => this.set({stage: stages[k]});
    this.training = stages.length > 1 ? segments(this.bar, 'training', {...stages}, choose) : null;
    const begin = learned => this.set({learned_start: learned});
    this.learned = start ? tick(this.bar, 'learned start h₀', begin) : null;
  }
  addFold() {
    const look = {class: 'opener', title: 'key E', 'aria-expanded': false};
    this.opener = button(this.bar, 'Equation', look, () => this.fold());
  }
  /** A reader of each control. */
  controls() {
    const {facts, lexicon, run} = this;
    return {
      stage: oneOf(facts.stages),
      text: line => {
        const {tokens, problem} = lexicon.parse(line);
        return problem ? undefined : lexicon.join(tokens);
      },
      learned_start: oneOf(facts.start ? [true, false] : [false]),
      step: run && numberIn(1, run.length),
      unit: numberIn(1, facts.units),
      equation: oneOf([true, false]),
    };
  }
  showControls(scene) {
    const {t, steps} = scene;
    this.slider.max = steps;
    this.slider.value = t + 1;
    this.count.textContent = ` ${t + 1} of ${steps}`;
    this.count.style.minWidth = `${Math.ceil(scene.measure(` ${steps} of ${steps}`)) + 4}px`;
    this.player.textContent = this.timer ? 'Pause' : 'Play';
    this.training?.show(this.facts.stages.indexOf(this.model.get('stage')));
    this.learned?.show(this.model.get('learned_start'));
    this.value.textContent = readingOf(scene, this.focus.locked);
    this.opener.setAttribute('aria-expanded', scene.open);
  }
  showProblem(text) {
    this.problem.textContent = text;
    this.field.setAttribute('aria-invalid', Boolean(text));
  }
  /** Leaves what is being typed as it is, if it reads the same. */
  showText(text) {
    const {field, lexicon} = this;
    const {tokens = []} = lexicon.parse(lexicon.fromField(field.value));
    if (lexicon.join(tokens) !== text) field.value = lexicon.toField(text);
    this.showProblem('');
  }

  // ---- the state
  get last() {
    return this.run.length - 1;
  }
  get step() {
    return Math.min(this.model.get('step'), this.run.length) - 1;
  }
  get unit() {
    return this.model.get('unit') - 1;
  }
  set(changes) {
    this.dialogue.write(changes);
    this.refresh();
  }
  go(step, more = {}) {
    const t = Math.max(0, Math.min(this.last, step));
    this.fresh = t !== this.step;
    this.set({step: t + 1, ...more});
  }
  move(by) {
    this.stop();
    this.go(this.step + by);
  }
  choose(unit) {
    const {units} = this.facts;
    this.focus.over = null;
    this.set({unit: ((unit + units) % units) + 1});
  }
  fold() {
    this.set({equation: !this.model.get('equation')});
  }
  /** What was typed; what cannot be read leaves the picture as it is. */
  readLine(line) {
    const {tokens, problem = ''} = this.lexicon.parse(this.lexicon.fromField(line));
    this.showProblem(problem);
    if (problem) return;
    this.stop();
    this.set({text: this.lexicon.join(tokens), step: Math.max(1, tokens.length - 1)});
  }

  // ---- play: step by step to the end
  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }
  play() {
    if (this.timer) {
      this.stop();
      this.draw();
      return;
    }
    this.timer = setInterval(() => {
      if (this.step < this.last) return this.go(this.step + 1);
      this.stop();
      this.draw();
    }, STEP_MS);
    this.go(this.step === this.last ? 0 : this.step + 1);
  }

  // ---- from the state to the picture
  /** Reads the text again if it, the weights or the start changed. */
  refresh() {
    const {model, facts, lexicon, root} = this;
    if (root.classList.toggle('opened', model.get('equation')) !== this.open) return this.unfold();
    const [stage, text, learned] = ['stage', 'text', 'learned_start'].map(name => model.get(name));
    const read = JSON.stringify([stage, text, learned]);
    if (read === this.read) return this.draw();
    const values = this.get(stage);
    if (values instanceof Promise) return values.then(() => this.signal.aborted || this.refresh());
    this.read = read;
    this.net = unpack(values, facts);
    const {tokens, ids} = lexicon.parse(text);
    this.run = forward(this.net, ids, learned);
    this.lanes = needsLanes(this.run);
    this.images.clear();
    root.probabilities = this.run.map(step => step.p); // for whoever checks the arithmetic
    this.showText(lexicon.join(tokens));
    this.draw();
  }
  /** The equation is opened or folded: a view that fills the screen gets another size. */
  unfold() {
    this.open = !this.open;
    this.refresh();
    fitView(this.root);
  }
  /** Pixels that the stage may be high, null on a page. */
  get height() {
    const left = heightLeft(this.stage);
    const foot = localBox(this.foot).height;
    return left === null ? null : left - (foot && foot + FOOT_GAP);
  }
  scene() {
    const {root, images, focus, fresh, facts, net, run, lanes, open, height} = this;
    const W = Math.max(NARROWEST, this.width);
    const place = {t: this.step, u: focus.over ?? this.unit, from: this.from};
    const state = {W, height, open, ...place};
    const measure = this.measure();
    const scene = sceneOf({facts, net, run, lanes}, state, measure);
    return {...scene, measure, images, fresh, tone: palette(root)};
  }
  draw() {
    const {stage, root, facts, focus} = this;
    this.width = stage.clientWidth || this.width; // a view that is hidden follows the theme, too
    if (!this.run || !this.width) return;
    const scene = this.scene();
    const {t, u, from, earlier, steps, open} = scene;
    stage.replaceChildren();
    this.hits = [drawChain(stage, scene)];
    if (open) this.hits.push(drawEquation(stage, scene));
    this.from = from;
    this.fresh = false;
    this.showHeading(headingOf(facts, steps));
    say(this.said, sentence(scene));
    fitHeadline(this.said, root.clientWidth);
    this.showControls(scene);
    Object.assign(root.dataset, {
      step: t + 1,
      unit: u + 1,
      stage: this.model.get('stage'),
      locked: focus.locked,
      compare: earlier < 0 ? '' : earlier + 1,
      from: from + 1,
      ready: 'true',
    });
  }
  showHeading(text) {
    this.heading.textContent = text;
    this.heading.title = text; // a long one is cut
    this.heading.classList.toggle('long', text.length > LONG);
  }

  // ---- pointer and keys
  listen() {
    const {root, stage, signal, focus} = this;
    const pointer = {
      at: event => this.under(event),
      preview: place => focus.preview(place?.unit ?? null),
      click: place => this.click(place),
    };
    followPointer(stage, pointer, signal);
    onKeys(stage, this.keys(), signal);
    onTyping(root, {e: () => this.fold()}, signal, () => root.classList.contains('full'));
    signal.addEventListener('abort', () => this.stop());
    this.dialogue.hear(CONTROLS, () => this.refresh());
  }
  /** What lies under the pointer: {unit}, {step}, both or neither. */
  under(event) {
    const drawings = [...this.stage.children];
    const k = drawings.findIndex(node => event.clientY < node.getBoundingClientRect().bottom);
    if (k < 0) return {};
    const {width} = localBox(drawings[k]);
    const scale = Math.max(NARROWEST, width) / width;
    return this.hits[k](...localPoint(drawings[k], event).map(at => at * scale));
  }
  click({step = this.step, unit}) {
    this.stop();
    if (unit === undefined) return this.go(step);
    this.focus.click(unit === this.unit && step === this.step);
    this.go(step, {unit: unit + 1});
  }
  keys() {
    return {
      ArrowLeft: () => this.move(-1),
      ArrowRight: () => this.move(1),
      Home: () => this.move(-Infinity),
      End: () => this.move(Infinity),
      ArrowUp: () => this.choose(this.unit - 1),
      ArrowDown: () => this.choose(this.unit + 1),
      Enter: () => {
        const unit = this.focus.over ?? this.unit;
        this.focus.lock();
        this.choose(unit);
      },
      Escape: () => {
        this.focus.free();
        this.draw();
      },
      ' ': () => this.play(),
    };
  }
}
function render({model, el}) {
  const {root, signal, end} = mount(el, 'unroll', 'unrolled recurrent net', model);
  const view = new UnrolledNet({model, root, signal});
  view.listen();
  followTheme(root, () => view.draw(), signal);
  followSize(view.stage, () => view.draw(), signal);
  view.refresh();
  return end;
}
export default {render};
