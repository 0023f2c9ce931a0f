// The beam-search tree: its state, controls, pointer and keys.

import {
  dialogue,
  followSize,
  followTheme,
  holdHeights,
  html,
  mount,
  onKeys,
  palette,
  readable,
  say,
  signed,
  supply,
} from '../shared/base.js';
import {button, slider} from '../shared/controls.js';
import {exportButtons} from '../shared/export.js';
import {focusLock, followPointer} from '../shared/focus.js';
import {headOf} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {measuring} from '../shared/measuring.js';
import {localPoint} from '../shared/scale.js';
import {drawTree} from './picture.js';
import {drawRanking} from './ranking.js';
import {Layouts, firstInSight, leadingNode, openedBy, pathInFocus, treeTable} from './scene.js';
import {BEAM_FIELDS, beamTreeOf, rankedNodes} from './search.js';
import {headline, nodeReading} from './sentence.js';

/**
 * @typedef {Object} Facts what the page knows from the start
 * @property {number[]} widths of the trees
 * @property {string[]} words what tokens are called, by number
 * @property {string} joint what stands between the tokens of a text
 * @property {string} prompt
 * @property {string} title empty if the caller gave none
 * @property {number} most_penalty where the slider ends
 */

/**
 * @typedef {Object} Scene what is on screen
 * @property {Facts} facts
 * @property {string[]} short the words, 24 letters at most
 * @property {Tree} tree
 * @property {number} width of the beam
 * @property {number} step how many are shown
 * @property {number} penalty on the length
 * @property {number} node in focus, -1 for none
 * @property {{nodes: Set<number>, end: number, done: boolean}} path in focus
 * @property {Backtrack | null} back
 * @property {Set<number>} greedy the nodes of greedy's path
 * @property {number[]} ranked nodes of the finished hypotheses, best first
 * @property {boolean} fresh whether the last step comes in now
 * @property {number} from the first step in sight
 * @property {number} n steps in sight, as the next five from the layout and its frame
 * @property {Row[][]} columns
 * @property {number} room
 * @property {number[]} starts
 * @property {number[]} wide
 * @property {boolean} strip
 * @property {(t: number) => number} [X] from drawTree: where a step begins
 * @property {(row: Row) => number} [Y] from drawTree: where a row stands
 * @property {number} W pixels of the stage
 * @property {Object} tone the palette
 * @property {Measure} measure
 */

const STAGE =
  'beam search tree: left and right arrows step, or go to the parent and the best child of a locked node; up and down choose a node of its step, Enter locks it, Escape frees it, Space plays';
const FOOT = [
  {kbd: '←'},
  ' ',
  {kbd: '→'},
  ' step, or parent and child of a chosen node, ',
  {kbd: '↑'},
  ' ',
  {kbd: '↓'},
  ' choose on this step, ',
  {kbd: 'Enter'},
  ' lock, ',
  {kbd: 'Esc'},
  ' free, ',
  {kbd: 'Space'},
  ' play. ',
  'Point at a node to preview its path, click to lock it. The thicker a line, the likelier its token; dashed is pruned, ↓ says by how much it missed the last score that stays. A square is finished and holds its rank; ▲ ▼ is what the penalty moved. Orange is the path in focus, a teal ring what greedy takes.',
];
const STEP_MS = 1200;
const PARENT_MS = 900;

class BeamTree {
  constructor({model, root, signal}) {
    Object.assign(this, {model, root, signal, facts: model.get('facts')});
    Object.assign(this, headOf(root));
    const stage = {class: 'stage', tabindex: 0, role: 'group', 'aria-label': STAGE};
    this.stage = html(root, 'div', stage);
    say(html(root, 'p', {class: 'foot'}), FOOT);
    this.short = this.facts.words.map(word => readable(word, 24));
    this.measure = measuring(root);
    this.layouts = new Layouts();
    this.trees = new Map();
    this.focus = focusLock(() => this.draw()); // `over` is a node
    // what is on screen
    this.tree = null;
    this.width = 0; // of the stage
    this.shown = 0; // the beam's width
    this.wanted = 0; // that which is under way
    this.from = 0; // the first step in sight
    this.count = 0; // and how many are
    this.seen = '';
    this.hits = [];
    // what moves by itself
    this.timer = 0;
    this.back = null; // while backtracking: from which node, and where it is
    this.fresh = false; // a step on is drawn as it comes in
    const complain = text => this.complain(text);
    this.get = supply(model, signal, complain);
    this.dialogue = dialogue(model, signal, complain);
    this.addControls();
  }
  complain(text) {
    if (this.problem.textContent !== text) this.problem.textContent = text;
  }

  // ---- controls
  addControls() {
    const {bar, facts, model, root, signal, top} = this;
    const buttons = html(bar, 'span', {class: 'steps'});
    const mover = (text, label, by) =>
      button(buttons, text, {title: label, 'aria-label': label}, () => this.move(by));
    mover('◀', 'one step back', -1);
    this.player = button(buttons, 'Play', {}, () => this.play());
    mover('▶', 'one step on', 1);
    const goTo = t => {
      this.stop();
      this.go(t);
    };
    this.steps = slider(bar, 'step', goTo, {min: 0, step: 1});
    const {widths} = facts;
    const turn = k => this.turn(widths[k]);
    const limits = {min: 0, max: widths.length - 1, step: 1};
    this.widths = widths.length > 1 ? slider(bar, 'width', turn, limits) : null;
    const penalise = value => {
      this.focus.over = null;
      this.set({length_penalty: value});
    };
    const powers = {min: 0, max: facts.most_penalty, step: 0.05};
    this.penalty = slider(bar, 'length penalty', penalise, powers);
    const title = 'follow the parents from the node in focus to the prompt';
    this.backer = button(bar, 'Backtrack', {title}, () => this.backtrack());
    this.value = html(bar, 'output', {class: 'value', 'aria-live': 'off'});
    const complain = text => this.complain(text);
    const view = {root, model, signal, complain, controls: () => this.controls()};
    const state = () =>
      `Width ${this.shown}, step ${this.step} of ${this.tree.T}, length penalty ${signed(model.get('length_penalty'))}.`;
    exportButtons(top, view, () => treeTable(this.table, BEAM_FIELDS), state);
  }
  /** A reader of each control. */
  controls() {
    const {facts, tree} = this;
    return {
      width: oneOf(facts.widths),
      step: tree && numberIn(0, tree.T),
      length_penalty: numberIn(0, facts.most_penalty, false),
      node: tree && numberIn(-1, tree.N - 1),
    };
  }
  get table() {
    return {facts: this.facts, tree: this.tree, step: this.step, width: this.shown};
  }
  showControls({tree, step, width, penalty, node}) {
    this.steps.show(step, `${step} of ${tree.T}`, {max: tree.T});
    this.widths?.show(this.facts.widths.indexOf(width), String(width));
    this.penalty.show(penalty, signed(penalty));
    this.player.textContent = this.timer && !this.back ? 'Pause' : 'Play';
    this.backer.textContent = this.back ? 'Stop' : 'Backtrack';
    this.backer.disabled = step === 0;
    this.value.textContent = nodeReading({tree, node, penalty, locked: this.focus.locked});
  }

  // ---- the state
  get step() {
    return Math.min(this.model.get('step'), this.tree.T);
  }
  get chosen() {
    const {tree, step} = this;
    const node = this.model.get('node');
    return node < tree.N && (node < 0 || tree.step[node] <= step) ? node : -1;
  }
  /** The node in focus, else what leads. */
  get leading() {
    const {step, chosen: node} = this;
    return leadingNode(this.tree, {step, node, penalty: this.model.get('length_penalty')});
  }
  get layout() {
    return this.layouts.of(this.tree, this.shown, openedBy(this.tree, this.chosen));
  }
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.refresh();
  }
  go(step) {
    const {tree, focus, chosen: node} = this;
    const t = Math.max(0, Math.min(tree.T, step));
    const stays = node >= 0 && tree.step[node] <= t;
    this.fresh = t > this.step;
    focus.over = null;
    focus.locked &&= stays;
    this.set({step: t, ...(node >= 0 && !stays && {node: -1})});
  }
  move(by) {
    this.stop();
    this.go(this.step + by);
  }
  choose(node) {
    this.stop();
    this.focus.over = null;
    const step = this.tree.step[node];
    this.fresh = step > this.step;
    this.set({node, ...(this.fresh && {step})});
  }
  free() {
    this.stop();
    this.focus.free();
    this.set({node: -1});
  }
  /** Another width, whose tree may still have to come; the slider may go on meanwhile. */
  async turn(width) {
    this.stop();
    this.root.setAttribute('aria-busy', true);
    this.wanted = width;
    const next = await this.treeOf(width);
    const {tree, step} = this;
    if (this.signal.aborted || this.wanted !== width) return;
    this.focus.free();
    this.set({width, node: -1, step: step === tree.T ? next.T : Math.min(step, next.T)});
  }
  treeOf(width) {
    const values = this.get(`width ${width}`);
    if (values instanceof Promise) return values.then(() => this.treeOf(width));
    if (!this.trees.has(width)) this.trees.set(width, beamTreeOf(values));
    return this.trees.get(width);
  }

  // ---- play: step by step to the end, or back from a node to the prompt
  stop() {
    clearInterval(this.timer);
    Object.assign(this, {timer: 0, back: null});
  }
  play() {
    if (this.timer) {
      this.stop();
      this.draw();
      return;
    }
    if (this.step === this.tree.T) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.step + 1);
      if (this.step < this.tree.T) return;
      this.stop();
      this.draw();
    }, STEP_MS);
    this.draw();
  }
  backtrack() {
    const running = this.back;
    this.stop();
    if (!running && this.step > 0) {
      const from = this.focus.over ?? this.leading;
      this.back = {from, at: from};
      this.timer = setInterval(() => {
        const parent = this.tree.parent[this.back.at];
        if (parent < 0) this.stop();
        else this.back.at = parent;
        this.draw();
      }, PARENT_MS);
    }
    this.draw();
  }

  // ---- from the state to the picture
  refresh() {
    const tree = this.treeOf(this.model.get('width'));
    this.root.setAttribute('aria-busy', tree instanceof Promise);
    if (tree instanceof Promise) {
      tree.then(() => this.signal.aborted || this.refresh());
      return;
    }
    if (tree !== this.tree) {
      Object.assign(this, {tree, shown: this.model.get('width')});
      this.focus.over = null;
    }
    this.draw();
  }
  scene() {
    const {facts, short, tree, fresh, back, step, layout, focus} = this;
    const penalty = this.model.get('length_penalty');
    const scene = {
      facts,
      short,
      tree,
      fresh,
      back,
      step,
      W: this.width,
      width: this.shown,
      penalty,
      node: back ? back.at : (focus.over ?? this.chosen),
      path: pathInFocus(tree, focus.over ?? this.leading, back),
      greedy: new Set(tree.greedy),
      ranked: rankedNodes(tree, step, penalty),
      tone: palette(this.root),
      measure: this.measure(),
      ...layout,
    };
    Object.assign(scene, this.layouts.frame(layout, scene));
    return {...scene, from: this.scrollTo(scene)};
  }
  /** Scrolls to the step in focus when that has changed. */
  scrollTo({tree, back, n, width, columns}) {
    const end = back ? back.at : this.leading;
    const step = end < 0 ? 0 : tree.step[end];
    const seen = `${step} ${n} ${width}`;
    this.from = firstInSight(this.from, step, n, columns.length, seen !== this.seen);
    this.seen = seen;
    return this.from;
  }
  draw() {
    const {stage, root, focus, said} = this;
    this.width = stage.clientWidth || this.width; // a view that is hidden follows the theme, too
    if (!this.tree || !this.width) return;
    const scene = this.scene();
    const {width, step, penalty, node, from, n, tree} = scene;
    stage.replaceChildren();
    this.hits = [drawTree(stage, scene), drawRanking(stage, scene)];
    this.count = n;
    this.fresh = false;
    const stay = width > 1 ? `${width} stay` : 'one stays';
    this.heading.textContent = this.facts.title || `Beam search: at each step the best ${stay}`;
    say(said, headline(scene));
    said.setAttribute('aria-live', focus.over === null ? 'polite' : 'off');
    this.showControls(scene);
    holdHeights([said, this.bar], this.width);
    Object.assign(root.dataset, {
      width,
      step,
      penalty,
      node,
      locked: focus.locked,
      from,
      count: n,
      of: tree.T,
      ready: 'true',
    });
  }

  // ---- pointer and keys
  listen() {
    const {stage, signal, focus} = this;
    const pointer = {
      at: event => this.under(event),
      preview: place => this.back || focus.preview(place?.node ?? null),
      click: place => this.click(place),
    };
    followPointer(stage, pointer, signal);
    onKeys(stage, this.keys(), signal);
    signal.addEventListener('abort', () => this.stop());
    this.dialogue.hear(['width', 'step', 'length_penalty', 'node'], () => this.refresh());
  }
  /** What lies under the pointer: {node}, {column} of the strip, or nothing. */
  under(event) {
    const drawings = [...this.stage.children];
    const k = drawings.findIndex(node => event.clientY < node.getBoundingClientRect().bottom);
    if (k < 0) return {};
    return this.hits[k](...localPoint(drawings[k], event));
  }
  click({node, column}) {
    if (column !== undefined) {
      this.from = column - Math.floor(this.count / 2);
      this.draw();
    } else if (node !== undefined) {
      if (this.focus.locked && node === this.chosen) return this.free();
      this.focus.lock();
      this.choose(node);
    }
  }
  keys() {
    return {
      ArrowLeft: () => this.walk(-1),
      ArrowRight: () => this.walk(1),
      ArrowUp: () => this.moveSideways(-1),
      ArrowDown: () => this.moveSideways(1),
      Home: () => this.move(-Infinity),
      End: () => this.move(Infinity),
      Escape: () => this.free(),
      ' ': () => this.play(),
      Enter: () => {
        const node = this.focus.over ?? this.leading;
        this.focus.locked = node >= 0;
        if (node >= 0) this.choose(node);
      },
    };
  }
  /** To the parent or the best child of a chosen node; a step where none is chosen. */
  walk(by) {
    const {tree, chosen} = this;
    if (chosen < 0) return this.move(by);
    this.stop();
    const next = by < 0 ? tree.parent[chosen] : (tree.children.get(chosen)[0] ?? -1);
    if (next >= 0) this.choose(next);
  }
  moveSideways(by) {
    const node = this.focus.over ?? this.leading;
    if (node < 0) return;
    const rows = this.layout.columns[this.tree.step[node]];
    const k = rows.findIndex(row => row.node === node || row.rest.includes(node));
    this.choose(rows[(k + by + rows.length) % rows.length].node);
  }
}
function render({model, el}) {
  const {root, signal, end} = mount(el, 'beam', 'beam search tree', model);
  const view = new BeamTree({model, root, signal});
  view.listen();
  followTheme(root, () => view.draw(), signal);
  followSize(view.stage, () => view.draw(), signal);
  view.refresh();
  return end;
}
export default {render};
