// The attention explorer: its state, and from that a scene to draw. All panes follow one cursor.

import {
  channels,
  dialogue,
  followSize,
  followTheme,
  holdHeights,
  mount,
  onKeys,
  palette,
  ramp,
  say,
  supply,
} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {measuring} from '../shared/measuring.js';
import {momentName, momentSlider} from './checkpoints.js';
import {ComparePane} from './compare_pane.js';
import {linedUp} from './compared.js';
import {controlBar, gridBar, zoomBar} from './controls.js';
import {alike, cellAt, lockOf} from './cursor.js';
import {drawGrid, showTile} from './grid.js';
import {cellOf} from './grid_plan.js';
import {handle} from './hands.js';
import {drawHeat} from './heatmap.js';
import {drawLines, isRead} from './lines.js';
import {drawList} from './list.js';
import {MapSource} from './maps.js';
import {explorerNodes} from './nodes.js';
import {brief, chosenIn, chosenWith, isChosen, isHead, listed, nearestLayer} from './places.js';
import {plan, windowOf} from './plan.js';
import {drawPredictions, lessonHere} from './predictions.js';
import {Runs} from './runs.js';
import {focusOf, resolved, strongestOf} from './scene.js';
import {
  focusText,
  footOf,
  headingOf,
  readingOf,
  scoresText,
  sentenceOf,
  stateText,
  tableOf,
  whenText,
  whoseText,
} from './sentence.js';
import {ending, stateOf} from './shown.js';
import {Silencer, momentOf, showOf, silentList, silentOf} from './silence.js';
import {textField} from './text_field.js';
import {drawGridTitle, drawMapTitle, drawOverview} from './titles.js';
import {firstLargest, unitOf, writtenOf} from './weights.js';
import {inSight, isZoomed, wholeView, zoomed} from './zoom.js';

/**
 * @typedef {Object} Gold links between tokens [query, key], from 0
 * @property {[number, number][]} sure
 * @property {[number, number][]} possible the sure ones among them
 */

/**
 * @typedef {Object} Kind one kind of attention, see parts.py
 * @property {string} name
 * @property {number} layers how many
 * @property {number} heads of each layer
 * @property {number[]} numbers the layers as the model numbers them, rising
 * @property {string[]} queries tokens
 * @property {string[]} keys
 * @property {boolean} self both are the same tokens
 * @property {boolean} causal no query looks at a later key
 * @property {boolean} sums every row sums to 1
 * @property {number[]} specialQueries which tokens are special, from 0
 * @property {number[]} specialKeys
 * @property {string[]} pairings what may be looked at alone, 'A to B', where tokens are of several
 * texts
 * @property {(number | null)[] | null} segmentQueries the text of each token, from 0, where there
 * are several
 * @property {(number | null)[] | null} segmentKeys
 * @property {number[] | null} wordQueries the word of each token, by number; null without pieces
 * @property {number[] | null} wordKeys
 * @property {string[] | null} wordTextQueries the words
 * @property {string[] | null} wordTextKeys
 * @property {string[]} scores names of what heads are scored by
 * @property {Gold | null} gold
 */

/**
 * @typedef {Object} Facts what the page knows from the start
 * @property {Kind[]} kinds
 * @property {(number | string)[]} checkpoints labels; none if the caller gave none
 * @property {'byte' | 'half'} precision of each weight in a map
 * @property {number} rolls tokens up to which a page without a kernel makes rollouts itself
 * @property {string} title empty if the caller gave none
 * @property {string} [text] of a live view
 * @property {{text: string, kinds: Kind[]} | null} [second] of a live view: the text that it is
 * compared with
 * @property {Silence} [silence] of a live view whose model can run without some heads
 */

/**
 * @typedef {Object} Silence heads that are silenced, and what the model says; see silence.py
 * @property {Silent[]} heads
 * @property {string[]} predicts names of the kinds whose queries the model speaks at
 * @property {string[]} [tokens] these queries, while heads are silenced
 * @property {{before: [string, number][][], after: [string, number][][]} | null} [guesses] at each
 * of them, with all heads and without
 * @property {number[] | null} [shifts] of the state of each, 1 - cosine, where there are no guesses
 */

/**
 * @typedef {Float32Array[] | Float64Array[] | null} Ranking what heads are ordered by, of layers in
 * their order, of heads; null by place, and until it comes
 */

/**
 * @typedef {Object} Course one weight over the checkpoints
 * @property {number[]} weights
 * @property {Unit} query
 * @property {Unit} key
 */

/**
 * @typedef {Object} Scene what is on screen
 * @property {Facts} facts
 * @property {Kind} kind
 * @property {number} g checkpoint times number of kinds, plus kind, both from 0
 * @property {number} moment the checkpoint, from 0; or the run, before heads are silenced and after
 * @property {'' | 'after' | 'before' | 'difference'} show which map, while heads are silenced
 * @property {Layer} layer of the map that is open
 * @property {Head} head
 * @property {{layer: Layer, head: Head} | null} pre the head that is previewed
 * @property {Sheet} open the sheet of the map that is open
 * @property {Sheet} sheet the one on screen: of `pre`, else `open`
 * @property {Sheet} axes the same, for its rows and columns
 * @property {{row: number, column: number, sure: boolean}[]} links the gold ones
 * @property {Screen} screen
 * @property {number} steps queries that a decoder has written; Infinity for all
 * @property {number} written rows of that
 * @property {Cursor} A in focus
 * @property {Float64Array} values the weights of its row or column
 * @property {Cursor | null} B compared with it
 * @property {Float64Array | null} compared the weights of B
 * @property {CursorList[]} lists one, or two side by side
 * @property {Cursor | null} lock what is locked
 * @property {Course[] | null} courses of A and B; none of a roll-up, null until
 * they come, and without checkpoints
 * @property {TwoTexts | null} two the map of a second text too; null until it comes, and without
 * @property {string} sort 'place', a score, or 'cell'
 * @property {'mean' | 'max' | 'rollout'} rollup
 * @property {number} least where heads fade, 0 for nowhere
 * @property {Thumbs} [thumbs] of the kind, once they have come
 * @property {Ranking} [ranking]
 * @property {string} [rankingKey] one for each ranking
 * @property {Object<string, Float32Array[]> | null} scores of layers in their order, of heads
 * @property {string} scoresKey one for each table of scores
 * @property {number} threshold lines below are not drawn
 * @property {'linear' | 'log' | 'row'} scale
 * @property {MapView} view
 * @property {boolean} wide whether grid and map stand side by side
 * @property {string} theme with the font
 * @property {Object} tone the palette
 * @property {string} accent the colour of A
 * @property {Uint32Array} pixels 256 colours of the scale
 * @property {Uint32Array} diverging 256 colours of the scale of differences
 * @property {number} ratio pixels of a canvas to one of the page
 * @property {Measure} measure
 */

const CONTROLS = [
  'checkpoint',
  'kind',
  'layer',
  'head',
  'query',
  'key',
  'side',
  'step',
  'threshold',
  'scale',
  'specials',
  'between',
  'words',
  'rollup',
  'sort',
  'least',
  'show',
];

class Explorer {
  constructor({model, root, signal, runs}) {
    const facts = model.get('facts');
    Object.assign(this, {model, root, signal, runs, facts});
    this.single = facts.kinds.every(({layers, heads}) => layers * heads === 1);
    this.nodes = explorerNodes(root, facts, this.single);
    // what the pointer and the keys do
    this.over = null; // the cursor that is previewed,
    this.by = ''; // and in which pane, or by keys
    this.pre = null; // the head that is previewed
    this.zoom = null; // the part of the map in sight; null for all of it
    this.windows = {}; // the tokens of the lines in sight
    this.drag = null;
    this.moved = false;
    // what is on screen
    this.scene = null;
    this.place = null;
    this.gridPlan = null;
    this.opened = null; // kind, layer and head of the map that is open
    this.grid = null; // what the grid was drawn from
    this.busy = false;
    this.axes = '';
    this.queued = 0;
    this.waited = new WeakSet();
    this.made = {};
    this.look = {};
    this.measure = measuring(root);
    const raw = bytes => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const get = supply(model, signal, text => this.complain(text), raw);
    const alone = model.kernel === false && !model.asks;
    this.source = new MapSource(facts, get, alone, signal);
    this.other = facts.second ? secondSource(facts, get, alone, signal) : null;
    this.dialogue = dialogue(model, signal, text => this.complain(text));
    this.addControls();
  }
  addControls() {
    const {model, root, signal, facts, nodes} = this;
    const {bar, gridControls, zoom, moments, top} = nodes;
    const complain = text => this.complain(text);
    const set = changes => this.set(changes);
    this.addFields();
    this.silencer = facts.silence ? new Silencer(nodes, facts, model, this.runs, set) : null;
    this.showMoments = moments && momentSlider(moments, facts, set);
    this.showBar = controlBar(bar, facts, set, name => this.placeIn(name));
    this.showGrid = gridBar(gridControls, set, () => model.get('head'));
    this.showZoom = zoomBar(zoom, factor => this.zoomBy(factor));
    exportButtons(
      top,
      {root, model, signal, complain, pictured: take => this.pictured(take)},
      () => (this.scene ? tableOf(this.scene) : []),
      () => (this.scene ? stateText(this.scene) : ''),
    );
    this.keepKeys([gridControls, zoom, ...(moments ? [moments.row] : [])], ['Escape']);
    if (this.silencer) this.keepKeys([nodes.silencer, nodes.silence], ['Escape', 's']);
  }
  /** The texts that a live view reads. */
  addFields() {
    const {model, signal, facts, nodes, runs} = this;
    this.fields = [];
    if (facts.text === undefined) return;
    const first = textField('text', facts.text, model, signal, runs);
    nodes.bar.before(first.form);
    this.comparer = new ComparePane(nodes, facts, model, signal, runs);
    this.fields = [first, this.comparer.field];
    this.keepKeys([this.comparer.field.form], ['Escape']);
  }
  /** The keys of controls are their own, but for some. */
  keepKeys(controls, others) {
    const keep = event => {
      if (!others.includes(event.key)) event.stopPropagation();
    };
    for (const node of controls) node.addEventListener('keydown', keep, {signal: this.signal});
  }

  // ---- the state
  complain(text) {
    const {problem} = this.nodes;
    if (problem.textContent !== text) problem.textContent = text;
    if (text) for (const source of [this.source, this.other]) source?.forget();
  }
  set(changes) {
    this.complain('');
    this.dialogue.write(changes);
    this.draw();
  }
  get number() {
    const at = this.facts.kinds.findIndex(({name}) => name === this.model.get('kind'));
    return Math.max(0, at);
  }
  /** Layer and head in focus, or the nearest that a kind has. */
  placeIn(name) {
    const kind = this.facts.kinds.find(kind => kind.name === name);
    const nearest = (at, limit) => (typeof at === 'number' ? limit(at) : at);
    const layer = nearest(this.model.get('layer'), at => nearestLayer(kind, at));
    const head = nearest(this.model.get('head'), at => Math.max(0, Math.min(kind.heads - 1, at)));
    if (isChosen(head)) return chosenIn(kind, head, layer);
    if (head === 'rollout') {
      if (!kind.self) return {layer, head: 'mean'};
      return {layer: typeof layer === 'string' ? kind.numbers.at(-1) : layer, head};
    }
    return {layer, head: typeof layer === 'string' && typeof head === 'string' ? layer : head};
  }
  /** What is on screen does not answer for another kind, whose map is under way. */
  get answers() {
    return this.scene && this.scene.kind.name === this.model.get('kind');
  }
  on(node, event, action, more) {
    const listener = given => this.answers && action(given);
    node.addEventListener(event, listener, {signal: this.signal, ...more});
  }
  keys(node, actions) {
    const guarded = ([key, act]) => [key, event => this.answers && act(event)];
    onKeys(node, Object.fromEntries(Object.entries(actions).map(guarded)), this.signal);
  }

  // ---- what pointer and keys ask for
  preview(cursor, by) {
    const written = cursor && cellAt(cursor).row < this.scene.written;
    const over = written ? cursor : null;
    if (JSON.stringify([over, by]) === JSON.stringify([this.over, this.by])) return;
    Object.assign(this, {over, by});
    this.later();
  }
  previewHead(cell) {
    const {layer, head} = this.scene;
    const other = cell && !(cell.layer === layer && cell.head === head);
    const pre = other ? {layer: cell.layer, head: cell.head} : null;
    if (JSON.stringify(pre) === JSON.stringify(this.pre)) return;
    this.pre = pre;
    this.later();
  }
  open({layer, head}) {
    this.pre = null;
    this.set({layer, head});
  }
  /** Adds a head to those whose mean is on screen, or takes it away. */
  choose(place) {
    if (!isHead(place.layer, place.head)) return this.open(place);
    const rollup = this.model.get('rollup') === 'max' ? 'max' : 'mean';
    return this.open(chosenWith(this.scene, place, rollup));
  }
  /** Words are looked from once they are written: the decoder's step goes along. */
  stepTo(row) {
    const {written, sheet} = this.scene;
    return row === null || row < written ? {} : {step: sheet.rows[row].to};
  }
  lock(cursor) {
    const {sheet, lock} = this.scene;
    const again = alike(lock, cursor);
    const {row, column} = cellAt(cursor);
    const token = (units, i) => (i === null ? 0 : units[i].from + 1);
    this.over = again ? cursor : null;
    if (again) return this.set({query: 0, key: 0, side: 'query'});
    const tokens = {query: token(sheet.rows, row), key: token(sheet.columns, column)};
    return this.set({side: cursor.side, ...tokens, ...this.stepTo(row)});
  }
  free() {
    const {lock} = this.scene;
    if (this.pre) this.pre = null;
    else if (this.over || !lock) this.over = null;
    else return this.lock(lock);
    return this.draw();
  }
  go(cursor) {
    const {sheet, view} = this.scene;
    const {row, column} = cellAt(cursor);
    Object.assign(this, {over: cursor, by: 'keys'});
    if (this.zoom) this.zoom = inSight(view, sheet, row ?? view.q0, column ?? view.k0);
    const step = this.stepTo(row);
    if ('step' in step) this.set(step);
    else this.draw();
  }
  zoomBy(factor, row, column) {
    if (!this.scene) return;
    const {sheet, A, B, view} = this.scene;
    const cell = cellAt(B ?? A);
    this.zoom = factor ? zoomed(view, sheet, factor, row ?? cell.row, column ?? cell.column) : null;
    if (factor && row === undefined) this.zoom = inSight(this.zoom, sheet, cell.row, cell.column);
    this.draw();
  }

  // ---- from the state to a scene
  /** What has come; what has not is drawn when it comes. */
  now(value) {
    if (!(value instanceof Promise)) return value;
    if (!this.waited.has(value)) value.then(() => this.later());
    this.waited.add(value);
    return null;
  }
  later() {
    if (this.queued || this.signal.aborted) return;
    this.queued = requestAnimationFrame(() => {
      this.queued = 0;
      this.draw();
    });
  }
  /**
   * The sheet on screen and that of the open head. Until a map comes, the one before stays and
   * answers, but one of another kind.
   */
  maps(kind, screen) {
    const {source, facts} = this;
    const sheetAt = ({g, show, layer, head}) =>
      this.now(
        show === 'difference'
          ? source.difference(g, this.number, layer, head, screen)
          : source.sheet(g, layer, head, screen),
      );
    const wanted = {
      g: momentOf(facts, this.model) * facts.kinds.length + this.number,
      show: showOf(facts, this.model),
      ...this.placeIn(kind.name),
    };
    if (this.kind !== kind) Object.assign(this, {kind, pre: null}); // it was of the kind before
    const before = this.opened && source.kindOf(this.opened.g) === kind ? this.opened : null;
    const came = sheetAt(wanted);
    const previewed = this.pre && sheetAt({...(came ? wanted : (before ?? wanted)), ...this.pre});
    const open = came ?? (before && sheetAt(before));
    this.busy = !came || Boolean(this.pre && !previewed);
    if (!open) return null;
    this.opened = came ? wanted : before;
    return {...this.opened, open, sheet: previewed ?? open, pre: previewed ? this.pre : null};
  }
  screenOf(kind) {
    const control = name => this.model.get(name);
    const [words, specials, between] = ['words', 'specials', 'between'].map(control);
    return stateOf(kind, {words, specials, between});
  }
  sceneOf() {
    const {model, facts} = this;
    const kind = facts.kinds[this.number];
    const screen = this.screenOf(kind);
    const maps = this.maps(kind, screen);
    if (!maps) return null;
    const {g, layer, head, open, sheet, pre} = maps;
    if (this.axes !== sheet.axes) {
      Object.assign(this, {axes: sheet.axes, over: null, zoom: null, windows: {}});
    }
    const steps = (!kind.self && model.get('step')) || Infinity;
    const written = writtenOf(sheet, steps);
    const controls = Object.fromEntries(
      ['side', 'query', 'key'].map(name => [name, model.get(name)]),
    );
    const lock = lockOf(sheet, written, controls);
    const over = this.over && (cellAt(this.over).row ?? 0) < written ? this.over : null;
    const focus = focusOf({sheet, open, written}, {lock, over, pre});
    return {
      ...maps,
      ...focus,
      facts,
      kind,
      screen,
      two: this.other && this.twoOf(g, screen, sheet, pre ?? {layer, head}, steps),
      moment: Math.floor(g / facts.kinds.length),
      courses: this.nodes.moments && this.coursesOf(g, screen, sheet, focus, pre ?? {layer, head}),
      axes: sheet,
      lock,
      ...this.gridOf(g, screen, open, this.sortedBy(open, lock, written)),
      steps,
      written,
      threshold: model.get('threshold'),
      scale: model.get('scale'),
      view: this.zoom ?? wholeView(sheet),
      links: open.links,
    };
  }
  /** The map on screen, of a difference the one after, and the second text's; null until then. */
  twoOf(g, screen, sheet, {layer, head}, steps) {
    const {other, source, number} = this;
    const own = this.screenOf(other.kindOf(number));
    const here = sheet.signed ? this.now(source.sheet(g, layer, head, screen)) : sheet;
    const there = this.now(other.sheet(g, layer, head, own));
    this.busy ||= !here || !there;
    if (!here || !there) return null;
    const lines = this.once('lines', [here.axes, there.axes, steps], () =>
      linedUp(here, there, steps),
    );
    return {here, there, lines};
  }
  /** The cell by whose weight heads are sorted: of the lock, else the strongest. */
  sortedBy(open, lock, written) {
    if (!written) return null;
    const {row, column} = strongestOf(open, written);
    return cellAt(resolved(open, lock ?? {side: 'query', at: row, far: column}, written).cursor);
  }
  /**
   * The weight in focus at each checkpoint, and the one compared; null until they come, none of a
   * roll-up.
   */
  coursesOf(g, screen, {rows, columns}, {A, B}, {layer, head}) {
    if (A.at < 0 || !isHead(layer, head)) return [];
    const courses = [A, B].filter(Boolean).map(cursor => {
      const {row, column} = cellAt(cursor);
      const place = {query: rows[row], key: columns[column]};
      const course = this.source.course(g, layer, head, place.query, place.key, screen);
      const weights = this.now(course);
      return weights && {weights, ...place};
    });
    this.busy ||= !courses.every(Boolean);
    return courses.every(Boolean) ? courses : null;
  }
  /** What the grid is drawn from; thumbnails and order stay until the new ones come. */
  gridOf(g, screen, open, cell) {
    const {source, model} = this;
    const wanted = model.get('sort');
    const sort = wanted === 'cell' && !cell ? 'place' : wanted;
    const rolls = source.kindOf(g).self || model.get('rollup') !== 'rollout';
    const rollup = rolls ? model.get('rollup') : 'mean';
    const scores = this.now(source.scores(g, screen));
    const thumbs = this.now(source.thumbs(g, rollup, screen));
    const ranking = this.rankingOf(g, screen, open, sort, cell, scores);
    this.busy ||= !scores || !thumbs || (sort !== 'place' && !ranking);
    const same = this.grid && source.kindOf(this.grid.g) === source.kindOf(g);
    const before = same ? this.grid : {};
    const held = before.sort === sort ? before : {};
    const order = `${g} ${sort === 'cell' ? `${cell.row} ${cell.column}` : ''}${ending(screen)}`;
    this.grid = {
      g,
      sort,
      rollup,
      least: model.get('least'),
      thumbs: thumbs ?? before.thumbs,
      ranking: ranking ?? held.ranking,
      rankingKey: ranking ? order : held.rankingKey,
    };
    return {...this.grid, scores, scoresKey: scores ? ending(screen) : 'none'};
  }
  rankingOf(g, screen, {rows, columns}, sort, cell, scores) {
    if (sort === 'place') return null;
    if (sort !== 'cell') return scores?.[sort] ?? null;
    return this.now(this.source.cell(g, rows[cell.row], columns[cell.column], screen));
  }

  // ---- from a scene to the picture
  /** What changes with the theme only. */
  looks() {
    const {root, nodes} = this;
    const theme = `${root.dataset.theme} ${getComputedStyle(root).fontFamily}`;
    if (this.look.theme !== theme) {
      const tone = palette(root);
      const [pixels, diverging] = [tone.seq, tone.div].map(pixelsOf);
      this.look = {theme, tone, pixels, diverging};
      for (const pane of [nodes.grid, nodes.heat, nodes.lines]) pane.key = '';
    }
    const ratio = Math.max(2, devicePixelRatio || 1);
    return {...this.look, ratio, measure: this.measure()};
  }
  /** Makes what is made once for these parts. */
  once(name, parts, make) {
    const key = parts.join('|');
    if (this.made[name]?.key !== key) this.made[name] = {key, value: make()};
    return this.made[name].value;
  }
  draw() {
    const {nodes, root, single} = this;
    if (!nodes.stage.clientWidth || this.signal.aborted) return;
    const scene = this.sceneOf();
    const waits = this.runs.underway || (this.busy && !nodes.problem.textContent);
    root.setAttribute('aria-busy', waits);
    for (const field of this.fields) field.show();
    if (!scene) return;
    const wide = nodes.stage.clientWidth >= (single ? 900 : 800);
    this.scene = {...scene, ...this.looks(), wide};
    this.scene.accent = scene.pre ? this.scene.tone.second : this.scene.tone.focus;
    nodes.stage.classList.toggle('wide', wide);
    this.drawPanes(this.scene, nodes.side.clientWidth, nodes.main.clientWidth);
    this.showControls(this.scene);
    this.showWords(this.scene);
    this.tell(this.scene);
  }
  drawPanes(scene, left, right) {
    const {nodes} = this;
    const {sheet, wide, theme, view} = scene;
    const parts = [right, sheet.axes, wide, theme, JSON.stringify(view)];
    this.place = this.once('place', parts, () => plan(scene, right));
    this.moveWindows(scene);
    this.showMoments?.(scene, nodes.stage.clientWidth);
    this.gridPlan = drawGrid(nodes.grid, scene, left);
    this.showOpenTile(scene);
    drawHeat(nodes.heat, scene, this.place);
    const {query, key} = this.windows;
    drawLines(nodes.lines, scene, this.place, {query, key});
    drawList(nodes.list, scene, left);
    const free = this.silencer ? right - this.silencer.draw(scene) - 12 : right;
    this.drawTitles(scene, left, free);
    drawOverview(nodes.small, scene);
    drawPredictions(nodes.predictions, scene, right);
    this.comparer?.draw(scene, nodes.stage.clientWidth);
  }
  /** The lines' windows follow the cursor, but not the pointer in the lines themselves. */
  moveWindows(scene) {
    const {place, windows} = this;
    const at = this.inWindow(scene);
    const frozen = this.by === 'lines' && windows.query;
    for (const [side, total, token] of [
      ['query', scene.sheet.n, at.row],
      ['key', scene.sheet.m, at.column],
    ]) {
      const before = windows[side];
      const stays = frozen && before?.count === place[side].count && !place[side].fixed;
      if (!stays) windows[side] = windowOf(place[side], before?.from, total, token);
    }
  }
  /** Under the pointer a faint cell gives way to the strongest of its row. */
  inWindow({A, B, values, sheet}) {
    if (this.by === 'keys') return cellAt(B ?? A);
    return cellAt(isRead(sheet, values[A.far]) ? A : {...A, far: firstLargest(values)});
  }
  /** A new order shows the tile of the open head. */
  showOpenTile({g, sort, rankingKey, layer, head}) {
    const {fall} = this.nodes;
    const {ranked} = this.gridPlan;
    fall.classList.toggle('ranked', ranked);
    this.once('order', [g, sort, rankingKey, ranked], () => {
      const tile = ranked && cellOf(this.gridPlan, layer, head);
      if (tile) showTile(fall, tile);
    });
  }
  drawTitles(scene, left, right) {
    const {sheet, theme, scale, layer, head, pre, scoresKey, sort, ranking} = scene;
    const state = [theme, scale, layer, head, Boolean(pre), scoresKey, sort, Boolean(ranking)];
    this.once('titles', [sheet.key, left, right, ...state], () => {
      drawGridTitle(this.nodes.gridTitle, scene, left);
      drawMapTitle(this.nodes.title, scene, right);
    });
  }
  showControls({kind, ranking, rankingKey, view, sheet, open}) {
    const {model} = this;
    const state = CONTROLS.map(name => model.get(name));
    const unit = unitOf(open);
    this.once('bars', [kind.name, ...state, rankingKey, Boolean(ranking), unit], () => {
      this.showBar({kind, model, unit});
      this.showGrid({kind, model, ranking});
    });
    this.showZoom(view, sheet);
  }
  showWords(scene) {
    const {nodes, facts} = this;
    const {said, state, heading, scoreLine, reading, foot} = nodes;
    const {A, B, pre, lock, kind, layer, head} = scene;
    said.setAttribute('aria-live', this.by === 'keys' || !this.over ? 'polite' : 'off');
    said.classList.toggle('second', Boolean(pre));
    const when = nodes.moments ? [`At ${momentName(facts.checkpoints[scene.moment])}, `] : [];
    const told = [
      ...when,
      whenText(scene),
      whoseText(scene),
      ...sentenceOf(scene, A, scene.values),
    ];
    say(said, lessonHere(scene) ?? told.filter(Boolean));
    state.textContent = focusText(scene);
    state.classList.toggle('on', Boolean(lock && !pre));
    heading.textContent = facts.title || headingOf(kind, facts.kinds.length > 1);
    const shown = pre ?? {layer, head};
    scoreLine.textContent = scoresText(scene, shown.layer, shown.head);
    reading.textContent = readingOf(scene, B ?? A);
    const width = nodes.stage.clientWidth;
    const grown = [said, scoreLine, reading].filter(node => hasGrown(node, width));
    holdHeights(grown, width);
    say(foot, footOf(scene, this.single));
  }
  /** What is on screen, for whoever looks from outside. */
  tell({
    A,
    B,
    sheet,
    view,
    layer,
    head,
    pre,
    kind,
    lock,
    sort,
    moment,
    thumbs,
    courses,
    show,
    two,
  }) {
    const {root, model, nodes, facts} = this;
    const {row, column} = cellAt(A);
    const token = (units, at) => (row < 0 ? 0 : units[at].from + 1);
    const compare = B && (B.side === 'query' ? sheet.rows : sheet.columns)[B.at];
    const came = thumbs && (!nodes.moments || courses) && (!facts.second || two);
    const ready = root.dataset.ready || Boolean(came);
    Object.assign(root.dataset, {
      kind: kind.name,
      layer: pre?.layer ?? layer,
      head: listed(pre?.head ?? head),
      query: token(sheet.rows, row),
      key: token(sheet.columns, column),
      side: A.side,
      locked: Boolean(lock),
      preview: Boolean(pre),
      step: kind.self ? '' : model.get('step'),
      ...(nodes.moments ? {checkpoint: facts.checkpoints[moment]} : {}),
      compare: compare ? `${B.side} ${compare.from + 1}` : '',
      sort,
      zoom: isZoomed(view, sheet),
      rows: `${view.q0 + 1}-${view.q0 + view.qn}`,
      columns: `${view.k0 + 1}-${view.k0 + view.kn}`,
      ...(facts.silence ? {show, silent: silentList(silentOf(facts))} : {}),
      ...(ready ? {ready: 'true'} : {}),
    });
  }
  /**
   * A picture has no controls and no gap where they stood; of sorted heads it has the rows in
   * sight, whole.
   */
  pictured(take) {
    const {root, nodes, gridPlan} = this;
    const {fall} = nodes;
    const {scrollTop, clientHeight} = fall;
    root.style.height = `${root.offsetHeight}px`; // so that the page does not scroll
    root.classList.add('pictured');
    if (gridPlan?.ranked) {
      const {pitch} = gridPlan;
      const from = Math.floor(scrollTop / pitch);
      const to = Math.ceil((scrollTop + clientHeight - 12) / pitch);
      fall.style.maxHeight = `${(to - from) * pitch}px`;
      fall.scrollTop = from * pitch;
    }
    try {
      return take();
    } finally {
      root.classList.remove('pictured');
      root.style.height = fall.style.maxHeight = '';
      fall.scrollTop = scrollTop;
    }
  }
}
// The maps of a second text: numbered as the first one's, each name after "second".
const secondSource = (facts, get, alone, signal) =>
  new MapSource(
    {...facts, kinds: facts.second.kinds},
    name => get(`second ${name}`),
    alone,
    signal,
  );
// 256 colours of a scale, as a canvas holds them.
function pixelsOf(scale) {
  const pixel = i =>
    channels(ramp(scale, i / 255)).reduce((all, v, k) => all | (v << (8 * k)), 255 << 24);
  return Uint32Array.from({length: 256}, (_, i) => pixel(i));
}
// Only a text that is longer than all before can move what is below: measured then, not at each
// hover.
function hasGrown(node, width) {
  const long = node.textContent.length;
  const known = node.dataset.width === String(width) && long <= Number(node.dataset.long);
  if (!known) node.dataset.long = long;
  return !known;
}
// For whoever checks the arithmetic.
function lookInside(root, explorer) {
  root.shown = () => {
    const {sheet, links} = explorer.scene;
    const texts = units => units.map(({text}) => text);
    return {
      rows: texts(sheet.rows),
      columns: texts(sheet.columns),
      values: [...sheet.values],
      links,
    };
  };
  root.thumb = (layer, head) => {
    const {rows, columns, at} = explorer.scene.thumbs;
    return {rows, columns, bytes: [...at.get(brief(layer, head))]};
  };
  root.cellOf = (layer, head) => cellOf(explorer.gridPlan, layer, head);
}
function explore({model, el, runs}) {
  const {root, signal, end} = mount(el, 'attention', 'attention explorer');
  const explorer = new Explorer({model, root, signal, runs});
  handle(explorer);
  lookInside(root, explorer);
  explorer.dialogue.hear(CONTROLS, () => explorer.later());
  followTheme(root, () => explorer.draw(), signal);
  followSize(explorer.nodes.stage, () => explorer.draw(), signal);
  explorer.draw();
  return {end, root, explorer};
}
// What the keyboard is on, and a text that is not run yet, are there again in a view made anew.
function renewed(before, make, failed) {
  const {root, explorer, end} = before;
  const on = root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const inChips = document.activeElement?.closest('.silence');
  const drafts = explorer.fields.filter(({input, value}) => input.value !== value);
  end();
  const now = make();
  const {runs, fields} = now.explorer;
  for (const {name, input} of drafts) {
    const anew = fields.find(field => field.name === name);
    if (anew && (failed || input.value !== runs.wish[name])) anew.input.value = input.value;
  }
  const instead = inChips ? 'silencer' : on === 'away' ? 'second' : null;
  const places = [on, on && instead].filter(Boolean);
  const focused = places
    .map(name => now.root.querySelector(`[data-focus="${CSS.escape(name)}"]`))
    .find(node => node && !node.disabled);
  focused?.focus({preventScroll: true});
  return now;
}
// Another text or other heads, by hand or from Python, open the view anew; while the model runs,
// an older answer does not.
function render({model, el}) {
  const life = {};
  const make = () => explore({model, el, runs});
  const again = failed => {
    el.style.minHeight = `${el.offsetHeight}px`; // so that the page does not scroll
    life.view = renewed(life.view, make, failed);
    el.style.minHeight = '';
  };
  const done = (wish, problem) => {
    if (model.get('facts') !== life.view.explorer.facts) again(Boolean(problem));
    const {explorer} = life.view;
    explorer.complain(problem);
    for (const {name, input} of explorer.fields) {
      input.setAttribute('aria-invalid', Boolean(name in wish && problem));
    }
    explorer.draw();
  };
  const changed = problem => {
    life.view.explorer.complain(problem);
    life.view.explorer.draw();
  };
  const runs = new Runs(model, done, changed);
  const heard = () => runs.underway || again(false);
  life.view = make();
  model.on('change:facts', heard);
  return () => {
    model.off('change:facts', heard);
    runs.end();
    life.view.end();
  };
}
export default {render};
