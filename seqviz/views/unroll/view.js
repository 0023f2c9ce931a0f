// The unrolled net: its state, controls, pointer and keys.

import {unpacked} from '../shared/codec.js';
import {button, segments, tick} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {onTyping} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say, withKeys} from '../shared/nodes.js';
import {Images} from '../shared/pixels.js';
import {Player, stepButtons} from '../shared/player.js';
import {fitView, localBox, localPoint} from '../shared/scale.js';
import {drawChain} from './chain.js';
import {drawEquation} from './equation.js';
import {fitHeadline} from './headline.js';
import {Lexicon} from './lexicon.js';
import {forward} from './net.js';
import {headingOf, needsLanes, readingOf, sceneOf, tableOf} from './scene.js';
import {sentence} from './sentence.js';

const ABOUT = {
  name: 'unroll',
  label: 'unrolled recurrent net',
  stage:
    'unrolled net: left and right arrows step, up and down choose a unit, Enter locks it, Escape frees it, Space plays, E opens the equation',
  read: unpacked,
};
const FOOT = withKeys(
  '[←] [→] step, [↑] [↓] unit, [Enter] lock, [Esc] free, [Space] play, [E] equation. Point at a unit to preview it, click to lock it. Violet is negative, rust positive, the fainter the nearer to 0: states from −1 to 1, weights up to the largest of their block. A unit differs when it moved by more than 0.5.',
);
const STEP_MS = 1400;
const FOOT_GAP = 8; // pixels above the foot
const LONG = 60; // letters of a heading that is written smaller
const NARROWEST = 356; // pixels of the drawing; a narrower stage shrinks it

class UnrolledNet extends Frame {
  lexicon = new Lexicon(this.facts);
  images = new Images();
  read = ''; // from which weights and text the run is
  run = null;
  lanes = false;
  from = 0; // the first step in sight
  hits = [];
  open = false; // the equation
  fresh = false; // another step is drawn as it comes in
  film = {
    step: () => this.step,
    last: () => this.last,
    go: step => this.go(step),
    changed: () => this.draw(),
  };
  player = new Player(this.film, {pause: STEP_MS, first: 0}, this.signal);

  // ---- controls
  addControls() {
    this.showPlay = stepButtons(html(this.bar, 'span', {class: 'steps'}), this.player);
    this.addSlider();
    this.addField();
    this.addWeights();
    const look = {class: 'opener', title: 'key E', 'aria-expanded': false};
    this.opener = button(this.bar, 'Equation', look, () => this.fold());
  }
  addSlider() {
    const label = html(this.bar, 'label', {}, 'step ');
    this.slider = html(label, 'input', {type: 'range', min: 1, step: 1});
    this.count = html(label, 'output', {class: 'count', 'aria-live': 'off'});
    this.slider.addEventListener('input', () => {
      this.player.stop();
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
  build() {
    super.build();
    this.value = html(this.foot, 'output', {class: 'value', 'aria-live': 'off'});
    say(html(this.foot, 'span'), FOOT);
  }
  readers() {
    const {facts, lexicon, run} = this;
    return {
      stage: oneOf(facts.stages),
      text: line => {
        const {tokens, problem} = lexicon.parse(line);
        return problem ? undefined : lexicon.join(tokens);
      },
      learned_start: oneOf(facts.start ? [true, false] : [false]),
      step: numberIn(1, run?.length),
      unit: numberIn(1, facts.units),
    };
  }
  showControls(now) {
    if (!now) return;
    const {t, open} = now;
    const {length} = this.run;
    this.slider.max = length;
    this.slider.value = t + 1;
    this.count.textContent = ` ${t + 1} of ${length}`;
    const widest = this.measure()(` ${length} of ${length}`);
    this.count.style.minWidth = `${Math.ceil(widest) + 4}px`;
    this.showPlay();
    this.training?.show(this.facts.stages.indexOf(this.model.get('stage')));
    this.learned?.show(this.model.get('learned_start'));
    this.value.textContent = readingOf({...now, now: this.run[t]}, this.focus.locked);
    this.opener.setAttribute('aria-expanded', open);
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

  rows() {
    return tableOf(this.facts, this.run);
  }
  tables() {
    const [{caption, rows}] = super.tables();
    const before = rows[0].length - 1 - this.facts.units;
    return [{caption, rows, at: [this.step, before + this.unit]}];
  }
  cursorText() {
    return this.value.textContent;
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
  /** What was wrongly typed stands there until it is mended. */
  set(changes) {
    this.dialogue.write(changes);
    this.draw();
  }
  go(step, more = {}) {
    const t = Math.max(0, Math.min(this.last, step));
    this.fresh = t !== this.step;
    this.set({step: t + 1, ...more});
  }
  move(by) {
    this.player.stop();
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
    this.player.stop();
    this.set({text: this.lexicon.join(tokens), step: Math.max(1, tokens.length - 1)});
  }

  // ---- from the state to the picture
  gather() {
    const {model, focus} = this;
    const net = this.part(model.get('stage'), weights => weights);
    if (!net) return null;
    this.readAgain(net);
    const open = model.get('equation');
    return {net, open, t: this.step, u: focus.over ?? this.unit};
  }
  /** Reads the text again if it, the weights or the start changed. */
  readAgain(net) {
    const {model, lexicon} = this;
    const [stage, text, learned] = ['stage', 'text', 'learned_start'].map(name => model.get(name));
    const read = JSON.stringify([stage, text, learned]);
    if (read === this.read) return;
    this.read = read;
    const {tokens, ids} = lexicon.parse(text);
    this.run = forward(net, ids, learned);
    this.lanes = needsLanes(this.run);
    this.images.clear();
    this.showText(lexicon.join(tokens));
  }
  paint({net, ...now}) {
    const {root, stage, facts, focus, fresh, images, run, lanes, from: wasFirst} = this;
    const {open, t, u} = now;
    root.classList.toggle('opened', open);
    const {W, tall, tone, measure} = this.size();
    const foot = localBox(this.foot).height;
    const height = tall === null ? null : tall - (foot && foot + FOOT_GAP);
    const state = {W: Math.max(NARROWEST, W), height, from: wasFirst, ...now};
    const made = sceneOf({facts, net, run, lanes}, state, measure);
    this.scene = {...made, measure, images, fresh, tone};
    const {from, earlier, steps} = this.scene;
    stage.replaceChildren();
    this.hits = [drawChain(stage, this.scene)];
    if (open) this.hits.push(drawEquation(stage, this.scene));
    this.from = from;
    this.fresh = false;
    this.showHeading(headingOf(facts, steps));
    say(this.said, sentence(this.scene));
    fitHeadline(this.said, root.clientWidth);
    this.mark({
      step: t + 1,
      unit: u + 1,
      stage: this.model.get('stage'),
      locked: focus.locked,
      compare: earlier < 0 ? '' : earlier + 1,
      from: from + 1,
    });
    if (open === this.open) return;
    this.open = open;
    fitView(root); // what fills the screen gets another size
  }
  showHeading(text) {
    this.heading.textContent = text;
    this.heading.title = text; // a long one is cut
    this.heading.classList.toggle('long', text.length > LONG);
  }

  // ---- pointer and keys
  listen() {
    super.listen();
    const {root, signal} = this;
    onTyping(root, {e: () => this.fold()}, signal, () => root.classList.contains('full'));
  }
  /** What lies under the pointer: {unit}, {step}, both or neither. */
  under(event) {
    const drawings = [...this.stage.children];
    const k = drawings.findIndex(node => localPoint(node, event)[1] < localBox(node).height);
    if (k < 0) return {};
    const {width} = localBox(drawings[k]);
    const scale = Math.max(NARROWEST, width) / width;
    return this.hits[k](...localPoint(drawings[k], event).map(at => at * scale));
  }
  preview(place) {
    this.focus.preview(place?.unit ?? null);
  }
  click({step = this.step, unit}) {
    this.player.stop();
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
      ' ': () => this.player.play(),
    };
  }
}
export default framedView(UnrolledNet, ABOUT);
