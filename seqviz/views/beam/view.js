// The tree of a beam search: its state, controls, pointer and keys.

import {unpacked} from '../shared/codec.js';
import {button, slider} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, withKeys} from '../shared/nodes.js';
import {Player, stepButtons} from '../shared/player.js';
import {localBox, localPoint} from '../shared/scale.js';
import {readable, signed} from '../shared/texts.js';
import {drawTree} from './picture.js';
import {drawRanking} from './ranking.js';
import {firstInSight, Layouts, leadingNode, openedBy, pathInFocus, treeTable} from './scene.js';
import {beamTreeOf, rankedNodes} from './search.js';
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

const FOOT = withKeys(
  '[←] [→] step, or parent and child of a chosen node, [↑] [↓] choose on this step, [Enter] lock, [Esc] free, [Space] play. Point at a node to preview its path, click to lock it. The thicker a line, the likelier its token; dashed is pruned, ↓ says by how much it missed the last score that stays. A square is finished and holds its rank; ▲ ▼ is what the penalty moved. Orange is the path in focus, a teal ring what greedy takes.',
);
const ABOUT = {
  name: 'beam',
  label: 'beam search tree',
  stage:
    'beam search tree: left and right arrows step, or go to the parent and the best child of a locked node; up and down choose a node of its step, Enter locks it, Escape frees it, Space plays',
  foot: FOOT,
  read: unpacked,
};
const STEP_MS = 1200;
const PARENT_MS = 900;

class BeamTree extends Frame {
  short = this.facts.words.map(word => readable(word, 24));
  layouts = new Layouts();
  tree = null; // on screen, as is its width
  width = 0;
  wanted = 0; // the width that is under way
  from = 0; // the first step in sight
  seen = ''; // which step that was for
  fresh = false; // a step on is drawn as it comes in
  hits = [];
  back = null; // while backtracking: from which node, and where it is
  timer = 0;
  film = {
    step: () => this.step,
    last: () => this.tree.T,
    go: step => this.go(step),
    changed: () => this.draw(),
  };
  player = new Player(this.film, {pause: STEP_MS}, this.signal);

  // ---- controls
  addControls() {
    const {bar, facts, player} = this;
    this.showPlay = stepButtons(html(bar, 'span', {class: 'steps'}), player);
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
  }
  readers() {
    const {facts, tree} = this;
    return {
      width: oneOf(facts.widths),
      step: numberIn(0, tree?.T),
      length_penalty: numberIn(0, facts.most_penalty, false),
      node: numberIn(-1, tree?.N - 1),
    };
  }
  showControls(now) {
    if (!now) return;
    const {tree, step, width, penalty} = now;
    this.steps.show(step, `${step} of ${tree.T}`, {max: tree.T});
    this.widths?.show(this.facts.widths.indexOf(width), String(width));
    this.penalty.show(penalty, signed(penalty));
    this.showPlay();
    this.backer.textContent = this.back ? 'Stop' : 'Backtrack';
    this.backer.disabled = step === 0;
    this.value.textContent = nodeReading({...now, locked: this.focus.locked});
  }
  rows() {
    return treeTable(this.scene);
  }
  tables() {
    const [told] = super.tables();
    return [{...told, at: [Math.max(0, this.leading), 0]}];
  }
  cursorText() {
    return this.value.textContent;
  }
  stateText() {
    const {width, step, tree, penalty} = this.scene;
    return `Width ${width}, step ${step} of ${tree.T}, length penalty ${signed(penalty)}.`;
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
    return this.layouts.of(this.tree, this.width, openedBy(this.tree, this.chosen));
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
  treeOf(width) {
    return this.part(`width ${width}`, beamTreeOf);
  }
  /** Another width, whose tree may still have to come; the slider may go on meanwhile. */
  turn(width) {
    this.stop();
    this.wanted = width;
    this.draw();
  }
  /** Its tree is there. */
  arrive(next) {
    const {tree, step, wanted: width} = this;
    this.wanted = 0;
    this.focus.free();
    const stay = Math.min(step, next.T);
    this.dialogue.write({width, node: -1, step: step === tree.T ? next.T : stay});
  }
  heard() {
    this.wanted = 0;
    this.draw();
  }

  // ---- back from a node to the prompt, parent by parent
  backtrack() {
    const running = this.back;
    this.stop();
    if (!running && this.step > 0) {
      const from = this.focus.over ?? this.leading;
      this.back = {from, at: from};
      this.timer = setInterval(() => this.toParent(), PARENT_MS);
    }
    this.draw();
  }
  toParent() {
    const parent = this.tree.parent[this.back.at];
    if (parent < 0) this.stop();
    else this.back.at = parent;
    this.draw();
  }
  stop() {
    this.player.stop();
    clearInterval(this.timer);
    this.back = null;
  }

  // ---- from the state to the picture
  gather() {
    const {model, wanted} = this;
    const next = wanted && this.treeOf(wanted);
    if (next) this.arrive(next);
    const width = model.get('width');
    const tree = this.treeOf(width);
    if (!tree) return null;
    if (tree !== this.tree) this.focus.over = null;
    Object.assign(this, {tree, width});
    const {back, focus, step, chosen} = this;
    const node = back ? back.at : (focus.over ?? chosen);
    return {tree, width, step, node, back, penalty: model.get('length_penalty')};
  }
  paint(now) {
    const {root, stage, facts, focus, fresh, short, layout, layouts} = this;
    const {tree, width, step, penalty, node, back} = now;
    const path = pathInFocus(tree, focus.over ?? this.leading, back);
    const ranked = rankedNodes(tree, step, penalty);
    const greedy = new Set(tree.greedy);
    const scene = {...now, ...this.size(), ...layout, facts, short, fresh, path, ranked, greedy};
    Object.assign(scene, layouts.frame(layout, scene));
    this.scene = {...scene, from: this.scrollTo(scene)};
    const {from, n} = this.scene;
    stage.replaceChildren();
    this.hits = [drawTree(stage, this.scene), drawRanking(stage, this.scene)];
    this.fresh = false;
    const stay = width > 1 ? `${width} stay` : 'one stays';
    this.heading.textContent = facts.title || `Beam search: at each step the best ${stay}`;
    this.tell(headline(scene), focus.over !== null);
    root.setAttribute('aria-busy', Boolean(this.wanted));
    const {locked} = focus;
    this.mark({width, step, penalty, node, locked, from, count: n, of: tree.T});
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

  // ---- pointer and keys
  /** What lies under the pointer: {node}, {column} of the strip, or nothing. */
  under(event) {
    const drawings = [...this.stage.children];
    const k = drawings.findIndex(node => localPoint(node, event)[1] < localBox(node).height);
    if (k < 0) return {};
    return this.hits[k](...localPoint(drawings[k], event));
  }
  preview(place) {
    if (!this.back) this.focus.preview(place?.node ?? null);
  }
  click({node, column}) {
    if (column !== undefined) {
      this.from = column - Math.floor(this.scene.n / 2);
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
      ' ': () => this.player.play(),
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
export default framedView(BeamTree, ABOUT);
