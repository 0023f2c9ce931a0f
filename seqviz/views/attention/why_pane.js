// Why this weight, in place of the map: q times k of the cell in focus, the softmax, what is
// carried. Its scene is the machine's.

import {Numbers} from '../machine/cells.js';
import {Drawing} from '../shared/scene/drawing.js';
import {foundAt} from '../machine/hits.js';
import {inMarks, labelsOf} from '../shared/scene/names.js';
import {attentionIn, sidesOf} from '../machine/standing.js';
import {productEquation, whyScene} from '../machine/why.js';
import {lessonOfWeight} from '../machine/why_lesson.js';
import {whyPlan} from '../machine/why_plan.js';
import {button} from '../shared/controls.js';
import {withinReach} from '../shared/fingers.js';
import {lackOf, listen, needsKernel} from '../shared/kernel.js';
import {onKeys} from '../shared/keys.js';
import {html} from '../shared/nodes.js';
import {localPoint} from '../shared/scale.js';
import {cellAt} from './cursor.js';
import {isHead, named} from './places.js';
import {reasonOf} from './reasons.js';
import {silentOf} from './silence.js';

/** Milliseconds in which a model is written as a graph. */
export const WRITING_TIME = 60000;
const LABEL =
  'why this weight: left and right move over keys, up and down over queries, O sorts the products, Escape goes back to the map';
const HINT = 'Point at a product or a key. ← → key, ↑ ↓ token, O sorts, Esc: back to the map.';
const UNDER_WAY = 'The model is written as a graph, once: that takes some seconds …';
const ONE_HEAD = 'Why this weight is asked of one head: open a head.';
const NO_MODEL =
  'Why this weight needs the model, which alone has q and k: sv.explore(model, tokenizer, text).';
const LEAST_HIGH = 340;
const AROUND = 66; // pixels of what stands over and under the scene

/** The pane, its cursor and what came for it. */
export class WhyPane {
  /** @param {Explorer} explorer whose nodes are there */
  constructor(explorer) {
    this.explorer = explorer;
    const {why: node, body, whyButton} = explorer.nodes;
    Object.assign(this, {node, body, opener: whyButton});
    node.setAttribute('aria-label', LABEL);
    const head = html(node, 'p', {class: 'whose'});
    this.back = button(head, '‹ map', {type: 'button', title: 'back to the map'}, () =>
      this.close(),
    );
    this.title = html(head, 'span');
    this.sheet = html(node, 'div', {class: 'sheet'});
    this.drawing = new Drawing(this.sheet);
    this.line = html(node, 'p', {class: 'made', 'aria-live': 'polite'});
    this.over = null; // what the pointer is on
    this.held = null; // which product
    this.sort = false;
    this.came = new Map(); // floats by name, null while they are under way
    this.problems = new Map();
    whyButton.addEventListener('click', () => this.open());
    this.listen();
  }
  get isOpen() {
    return this.explorer.model.get('why');
  }

  // ---- opened and closed
  /** Opens for the cell that pointer or keys are at, else for the one in focus. */
  open() {
    const {explorer} = this;
    const {model, facts, scene} = explorer;
    if (!facts.reasons) return explorer.complain(NO_MODEL);
    if (needsKernel(model)) return explorer.complain(`Why this weight ${lackOf(model)}.`);
    if (!isHead(scene.layer, scene.head)) return explorer.complain(ONE_HEAD);
    if (scene.A.at < 0) return undefined; // no query is on screen
    const {row, column} = cellIn(scene.B ?? scene.A, scene);
    this.held = null;
    explorer.over = null;
    this.goTo(row, column, {why: true});
    return this.node.focus({preventScroll: true});
  }
  close() {
    this.over = null;
    this.explorer.set({why: false});
    this.explorer.stage.focus({preventScroll: true});
  }
  /** Locks a cell: it is the one in question. */
  goTo(row, column, more = {}) {
    const {explorer} = this;
    const {rows, columns} = explorer.scene.sheet;
    const at = (units, k) => units[Math.max(0, Math.min(units.length - 1, k))].from + 1;
    const place = {query: at(rows, row), key: at(columns, column), side: 'query'};
    explorer.set({...place, ...explorer.stepTo(row), ...more});
  }
  move(down, across) {
    const {row, column} = cellIn(this.explorer.scene.A, this.explorer.scene);
    this.over = null;
    this.goTo(row + down, column + across);
  }
  listen() {
    const {explorer, node, sheet} = this;
    const {model, signal} = explorer;
    const keys = {
      ArrowLeft: () => this.move(0, -1),
      ArrowRight: () => this.move(0, 1),
      ArrowUp: () => this.move(-1, 0),
      ArrowDown: () => this.move(1, 0),
      Escape: () => this.close(),
      w: () => this.close(),
      o: () => this.sorted(),
    };
    onKeys(node, keys, signal);
    const preview = place => {
      if (JSON.stringify(place) === JSON.stringify(this.over)) return;
      this.over = place;
      explorer.later();
    };
    const under = withinReach(sheet, event =>
      this.scene ? foundAt(this.scene, localPoint(sheet, event)) : null,
    );
    sheet.addEventListener('pointermove', event => preview(under(event)?.place ?? null), {signal});
    sheet.addEventListener('pointerleave', () => preview(null), {signal});
    sheet.addEventListener('click', event => this.click(under(event)), {signal});
    const refused = ({part, problem}) => {
      if (!problem || !String(part).startsWith('why ')) return;
      this.problems.set(part, problem);
      explorer.later();
    };
    listen(model, 'msg:custom', refused, signal);
  }
  sorted() {
    this.sort = !this.sort;
    this.explorer.draw();
  }
  click(found) {
    const {columns} = this.explorer.scene.sheet;
    const {key, dim} = found?.place ?? {};
    const {row} = cellIn(this.explorer.scene.A, this.explorer.scene);
    if (key !== undefined) {
      const column = columns.findIndex(({from, to}) => key >= from && key < to);
      if (column >= 0) this.goTo(row, column);
    } else if (dim !== undefined) {
      this.held = this.held === dim ? null : dim;
      this.explorer.draw();
    }
  }

  // ---- what came
  /** The floats of a name; null while they are under way. */
  floats(name) {
    const {explorer, came} = this;
    if (!came.has(name)) {
      const values = explorer.get(name, WRITING_TIME);
      came.set(name, null);
      Promise.resolve(values).then(bytes => {
        came.set(name, new Float32Array(bytes.slice().buffer));
        explorer.later();
      });
    }
    return came.get(name);
  }
  /** Finds what is asked of a scene, and makes its world as far as it has come. */
  look(scene) {
    const {model} = this.explorer;
    const {g, layer, head, sheet} = scene;
    const {row, column} = cellIn(scene.A, scene);
    const [token, key] = [sheet.rows[row]?.from, sheet.columns[column]?.from];
    this.name = `why ${g} ${layer} ${head} ${token}`;
    const there = this.name in model.get('first') || model.asks || !needsKernel(model);
    const isCell = isHead(layer, head) && token !== undefined && key !== undefined;
    this.shown = this.isOpen && isCell && there;
    const floats = this.shown && this.floats(this.name);
    this.world = floats ? this.worldOf(floats, scene, token, key) : null;
    this.lesson = this.world && lessonIn(this.world);
    this.ready = !this.shown || Boolean(floats) || this.problems.has(this.name);
  }
  worldOf(floats, {kind, show, layer, head}, token, key) {
    const isHere = one => one.every((part, k) => part === [kind.name, layer, head][k]);
    const silent = show !== 'before' && silentOf(this.explorer.facts).some(isHere);
    const {facts, parts} = reasonOf(floats, {cross: !kind.self, silent, head});
    const numbers = new Numbers(facts, name => parts[name]);
    const [count] = floats;
    const labels = labelsOf(
      kind.self ? {source: kind.queries} : {source: kind.keys, target: kind.queries},
    );
    labels.source = labels.source.slice(0, count); // a step has no later keys
    const stream = kind.self ? 0 : 1;
    const number = this.held === null ? '' : `query ${this.held}`;
    const compared = this.over?.key ?? null;
    const at = {depth: 2, stream, block: 0, part: 0, token, head, key: Math.min(key, count - 1)};
    const state = {...at, number, compared, sort: this.sort};
    return {facts, stages: [], numbers, labels, state, over: this.over};
  }
  draw(scene, {width}) {
    const {node, body, opener, explorer, shown, world} = this;
    opener.hidden = !explorer.facts.reasons;
    node.hidden = !shown;
    body.classList.toggle('away', shown);
    if (!shown) return;
    this.title.textContent = `${named(scene.layer, scene.head)}: why this weight`;
    const height = Math.max(LEAST_HIGH, body.scrollHeight - AROUND); // nothing below moves
    this.sheet.style.height = `${height}px`;
    if (world) this.show(world, {width, height, measure: scene.measure}, scene);
    else this.line.textContent = this.problems.get(this.name) ?? UNDER_WAY;
  }
  show(given, size, {tone, ratio, theme}) {
    const {facts, state, labels, numbers} = given;
    const world = {...given, size, plan: whyPlan(size, facts, state, labels)};
    this.scene = whyScene(world);
    const valuesOf = ({node}) => numbers.value(node);
    this.drawing.draw(this.scene, [], {...size, ratio, tone, run: theme + this.name, valuesOf});
    const dim = this.over?.dim ?? this.held;
    const made = dim === null ? null : productEquation(world, dim);
    const pieces = made && made.pieces.map(([text]) => text);
    this.line.textContent = made ? `${made.title}: ${pieces.join('')}` : HINT;
  }
}
/** What the numbers teach; null where the scores are no products. */
function lessonIn({facts, numbers, state, labels}) {
  const part = attentionIn(facts, state);
  const {asking, answering} = sidesOf(facts, state);
  const token = {b: inMarks(labels[asking][state.token])};
  return part.query && lessonOfWeight({numbers, part, state, token, keys: labels[answering]});
}
/** The cell of a cursor; on a token alone, that of its largest weight. */
function cellIn(cursor, {sheet: {rows, columns, m, values}}) {
  const {row, column} = cellAt(cursor);
  const best = (count, at) => {
    const all = Array.from({length: count}, (_, k) => values[at(k)]);
    return all.indexOf(Math.max(...all));
  };
  if (row === null) return {row: best(rows.length, k => k * m + column), column};
  const from = Math.max(0, row);
  return {row: from, column: column ?? best(columns.length, k => from * m + k)};
}
