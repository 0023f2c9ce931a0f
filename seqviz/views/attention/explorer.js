// The attention explorer: what pointer, keys and controls ask for, and what is drawn then. All
// panes follow one cursor.

import {lowWindow} from '../shared/beneath.js';
import {palette, ramp} from '../shared/colours.js';
import {Frame} from '../shared/frame.js';
import {lackOf, listen, needsKernel} from '../shared/kernel.js';
import {standForKey} from '../shared/key_caps.js';
import {onKeys} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {holdHeights, html, say, setText} from '../shared/nodes.js';
import {fitLine} from '../shared/one_line.js';
import {pixelOf} from '../shared/pixels.js';
import {textField} from '../shared/runs.js';
import {heightLeft, localBox, sharpness} from '../shared/scale.js';
import {momentName, momentSlider} from './checkpoints.js';
import {ComparePane} from './compare_pane.js';
import {beamsChoice, controlBar, gridBar, tabBar, textsChoice, zoomBar} from './controls.js';
import {Costs} from './costs.js';
import {alike, cellAt} from './cursor.js';
import {drawGrid, showTile} from './grid.js';
import {cellOf} from './grid_plan.js';
import {handle} from './hands.js';
import {drawHeat} from './heatmap.js';
import {drawLines} from './lines.js';
import {drawList, listTable} from './list.js';
import {MapSource} from './maps.js';
import {explorerNodes} from './nodes.js';
import {chosenWith, count, isHead, listed} from './places.js';
import {miniOf, plan} from './plan.js';
import {drawPredictions, lessonHere, predictionsHigh} from './predictions.js';
import {isSingle, Scenes} from './scene.js';
import {
  colourText,
  focusText,
  footOf,
  headingOf,
  readingOf,
  scoresText,
  sentenceOf,
  stateText,
  mapTable,
  tableOf,
  whenText,
  whoseText,
} from './sentence.js';
import {Silencer, silentList, silentOf} from './silence.js';
import {drawGridTitle, drawMapTitle, drawOverview} from './titles.js';
import {unitOf} from './weights.js';
import {WhyPane, WRITING_TIME} from './why_pane.js';
import {broughtIn, isZoomed, panned, WHOLE, zoomed} from './zoom.js';

const STAGE =
  'heatmap of the head: arrows move over queries and keys, Enter locks, Escape frees, plus and minus zoom, 0 shows all, Shift and arrows pan';
// What the field of the text, or of a picture's name, says.
const ofText = (what, model) => ({
  title: `${what} `,
  label: `${what} that the model reads`,
  act: 'Run',
  hint: `another ${what} ${lackOf(model)}`,
});
const TALL = 640; // pixels from the heading to the foot, where the map's promise allows it
const FOOT = 34;
const OF_MODEL = /^(why|written|cost) /; // parts that only the model has
const TABS = {two: 138, three: 204}; // pixels of the switch beside the map

/** Bytes of a part, as they are. */
const raw = bytes => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** What the explorer is, for the frame. */
export const aboutOf = facts => ({
  name: 'attention',
  label: 'attention explorer',
  stage: STAGE,
  read: raw,
  ...(isSingle(facts)
    ? {beneath: 'Scores'}
    : {beneath: 'Scores, all heads', numbers: 'numbers of this one head'}),
});

export class Explorer extends Frame {
  constructor(place, about, runs) {
    super(place, about);
    const {model} = this;
    const facts = model.get('facts');
    this.given = facts;
    this.runs = runs;
    this.single = isSingle(facts);
    // what the pointer and the keys do
    this.over = null; // the cursor that is previewed,
    this.by = ''; // and in which pane, or by keys
    this.pre = null; // the head that is previewed
    this.zoom = null; // the part of the map in sight
    this.follow = false; // whether the lock is to be in sight
    this.drag = null;
    this.moved = false;
    // what is on screen
    this.place = null;
    this.gridPlan = null;
    this.axes = '';
    this.order = ''; // what the heads stand by, '' for their place
    this.kind = model.get('kind');
    this.queued = 0;
    this.latest = {}; // what was made once, by name
    this.look = {};
    const part = name => this.part(name, bytes => bytes);
    const has = name => name in model.get('first');
    const alone = model.kernel === false && !model.asks;
    this.source = new MapSource(facts, {part, has}, alone);
    this.written = facts.reasons && facts.written !== false ? this.lengths() : null;
    this.costs = new Costs(this);
    const written = () => this.canWrite && this.written;
    this.scenes = new Scenes(name => model.get(name), facts, this.source, written, this.costs);
  }

  /** What heads write, in place of their weights: a map comes for each head. */
  lengths() {
    const facts = {...this.facts, precision: 'full'};
    const part = name => {
      this.get(`written ${name}`, WRITING_TIME);
      return this.part(`written ${name}`, bytes => bytes);
    };
    const made = new MapSource(facts, {part, has: () => false}, true, {written: true});
    return Object.assign(made, {axes: this.source.axes}); // its cells are those of the weights
  }
  /** Whether that can be had here: there is a model, and it has not been refused. */
  get canWrite() {
    return Boolean(this.written) && (this.model.asks || !needsKernel(this.model));
  }
  /** Those that it was made of: other facts make another explorer. */
  get facts() {
    return this.given;
  }

  // ---- what stands there
  addControls() {
    const {top, said, bar, facts, model, signal, runs} = this;
    said.classList.add('line');
    const aside = html(top, 'span', {class: 'aside'}); // its room, whatever stands in it
    this.state = html(aside, 'span', {class: 'state', 'aria-live': 'polite'});
    this.showBar = controlBar(
      bar,
      facts,
      changes => this.set(changes),
      name => this.scenes.placeIn(name),
      () => this.canWrite,
    );
    this.fields = []; // the texts that a live view reads
    if (facts.text === undefined) return;
    this.fields.push(
      textField('text', facts.text, model, signal, runs, ofText(facts.reads, model)),
    );
    bar.before(this.fields[0].form);
    const run = text => runs.start({text});
    this.showTexts = textsChoice(this.fields[0].form, facts, model, run);
    const want = beams => runs.start({beams});
    this.showBeams = beamsChoice(this.fields[0].form, facts, model, want);
  }
  addStage() {
    const {stage, facts, model, signal, runs} = this;
    stage.dataset.focus = 'stage';
    const nodes = (this.nodes = explorerNodes(stage, facts, this.single));
    const {gridControls, zoom, moments, tabs} = nodes;
    const set = changes => this.set(changes);
    if (nodes.compare) {
      this.comparer = new ComparePane(nodes, facts, model, signal, runs);
      this.fields.push(this.comparer.field);
      this.keepKeys([this.comparer.field.form], ['Escape']);
    }
    this.silencer = facts.silence ? new Silencer(nodes, facts, model, runs, set) : null;
    this.showMoments = moments && momentSlider(moments, facts, set);
    const kindNow = () => this.scenes.number;
    const costsCome = () => this.costs.countOf(kindNow())[0] > 0;
    this.showGrid = gridBar(gridControls, set, () => model.get('head'), costsCome);
    this.showCosts = this.costs.addButton(nodes.costs, kindNow);
    this.showTabs = tabBar(tabs, this.single, facts, set);
    this.showZoom = zoomBar(zoom, factor => this.zoomBy(factor));
    this.keepKeys([gridControls, zoom, tabs, ...(moments ? [moments.row] : [])], ['Escape']);
    if (this.silencer) this.keepKeys([nodes.silencer, nodes.silence], ['Escape', 's']);
    this.whyPane = new WhyPane(this);
    this.keepKeys([nodes.why], []);
    this.keepKeys([nodes.whyButton, nodes.costs], ['Escape']);
  }
  /** The keys of controls are their own, but for some. */
  keepKeys(controls, others) {
    const keep = event => {
      if (!others.includes(event.key)) event.stopPropagation();
    };
    for (const node of controls) node.addEventListener('keydown', keep, {signal: this.signal});
  }
  listen() {
    handle(this);
    this.root.addEventListener('reset', () => this.startAnew(), {signal: this.signal});
    this.dialogue.hear(Object.keys(this.controls()), () => this.heard());
    const refused = ({part, problem}) =>
      problem && String(part).startsWith('written ') && this.withoutLengths(problem);
    listen(this.model, 'msg:custom', refused, this.signal);
  }
  /** The model has no lengths to tell: the weights are back, and the choice is gone. */
  withoutLengths(problem) {
    this.written = null;
    this.set({cells: 'weights'});
    this.complain(problem);
  }
  heard() {
    this.follow = true;
    this.later();
  }
  /** Of many parts the last one to come in a frame draws. */
  came() {
    this.later();
  }

  // ---- the state
  /** Of each control whose values depend on the data. */
  readers() {
    const {kinds, checkpoints, silence} = this.facts;
    const kind = kinds.find(({name}) => name === this.model.get('kind')) ?? kinds[0];
    const {numbers, heads, queries, keys, self, scores, pairings} = kind;
    return {
      kind: oneOf(kinds.map(({name}) => name)),
      ...(checkpoints.length ? {checkpoint: oneOf(checkpoints)} : {}),
      layer: oneOf([...numbers, 'mean', 'max']),
      head: oneOf([...count(heads), 'mean', 'max', ...(self ? ['rollout'] : [])]),
      query: numberIn(0, queries.length),
      key: numberIn(0, keys.length),
      step: numberIn(0, queries.length),
      threshold: numberIn(0, 1, false),
      between: oneOf(['all', ...pairings]),
      sort: oneOf(['place', ...scores, 'cell', ...(this.costs.can ? ['cost'] : [])]),
      least: numberIn(0, Infinity, false),
      ...(silence ? {} : {show: null}),
      ...(this.written ? {} : {cells: null}),
    };
  }
  /** The kind first, as others depend on it; what the model runs for is no control of a page. */
  controls() {
    const known = {kind: null, ...super.controls()};
    for (const name of ['silent', 'second', 'beams']) delete known[name];
    return known;
  }
  rows() {
    return this.scene ? tableOf(this.scene) : [];
  }
  /** The map, the list beside it, and what the drawings of words say of themselves. */
  tables() {
    const {scene, place, nodes} = this;
    const drawn = [nodes.predictions, nodes.compared].filter(node => node?.getClientRects().length);
    const texts = [
      nodes.scoreLine.textContent,
      ...drawn.map(node => node.getAttribute('aria-label')),
    ];
    const tables = scene && scene.A.at >= 0 ? [listTable(scene, place.rows), mapTable(scene)] : [];
    return [...tables, ...texts];
  }
  cursorText() {
    return this.nodes.reading.textContent;
  }
  stateText() {
    return this.scene ? stateText(this.scene, this.place) : '';
  }
  /** Where a part does not come, a page that has all heads makes it of them: a saved notebook. */
  complain(text, part) {
    if (text && part && !OF_MODEL.test(part) && this.source.hasAll) {
      this.source.alone = true;
      return this.later();
    }
    if (!text && this.problem.textContent) this.later(); // what came late is shown
    return super.complain(text);
  }
  /** What is on screen does not answer for another kind, whose map is under way. */
  get answers() {
    return this.scene && this.scene.kind.name === this.model.get('kind');
  }
  on(node, event, action, more) {
    const listener = given => this.answers && action(given);
    node.addEventListener(event, listener, {signal: this.signal, ...more});
  }
  onKeys(node, actions) {
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
  /** A word attends once it is written: the decoder's step goes along. */
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
    this.bringIn(cursor);
    const tokens = {query: token(sheet.rows, row), key: token(sheet.columns, column)};
    return this.set({side: cursor.side, ...tokens, ...this.stepTo(row)});
  }
  free() {
    const {lock} = this.scene;
    if (this.whyPane.isOpen) return this.whyPane.close();
    if (this.pre) this.pre = null;
    else if (this.over || !lock) this.over = null;
    else return this.lock(lock);
    return this.draw();
  }
  go(cursor) {
    Object.assign(this, {over: cursor, by: 'keys'});
    this.bringIn(cursor);
    const step = this.stepTo(cellAt(cursor).row);
    if ('step' in step) this.set(step);
    else this.draw();
  }
  /** Keys and clicks move the part in sight as little as shows the cell; the pointer never does. */
  bringIn(cursor) {
    const {view, sheet} = this.scene;
    this.zoom = {...this.zoom, ...broughtIn(view, sheet, cellAt(cursor))};
  }
  zoomBy(factor, row, column) {
    if (!this.scene) return;
    const {sheet, A, B, view} = this.scene;
    const cell = cellAt(B ?? A);
    const at = [row ?? Math.max(0, cell.row), column ?? Math.max(0, cell.column)];
    this.zoom = factor ? zoomed(view, sheet, factor, ...at) : WHOLE;
    this.follow = Boolean(factor) && row === undefined;
    this.draw();
  }
  startAnew() {
    Object.assign(this, {over: null, by: '', pre: null, zoom: null});
    this.draw();
  }
  /** Shows the part that was in sight before. */
  lookWhere(zoom) {
    this.zoom = zoom;
    this.draw();
  }
  /** Moves the part in sight. */
  pan(view, rows, columns) {
    this.zoom = {...this.zoom, ...panned(view, this.scene.sheet, rows, columns)};
    this.later();
  }

  // ---- the picture
  later() {
    if (this.queued || this.signal.aborted) return;
    this.queued = requestAnimationFrame(() => {
      this.queued = 0;
      this.draw();
    });
  }
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
    const ratio = Math.max(2, sharpness(this.root));
    return {...this.look, ratio, measure: this.measure()};
  }
  /** Makes what is made once for these parts. */
  once(name, parts, make) {
    const key = parts.join('|');
    if (this.latest[name]?.key !== key) this.latest[name] = {key, value: make()};
    return this.latest[name].value;
  }
  /** Pixels for the map, its lines, heads and list. */
  room(scene) {
    const {root, stage, nodes} = this;
    const above = localBox(nodes.body).top - localBox(root).top;
    const folded = root.classList.contains('folded');
    const left = heightLeft(nodes.body);
    const width = stage.clientWidth;
    const below = (folded ? 0 : FOOT) + predictionsHigh(scene, width);
    const height = left === null ? TALL - above - FOOT : left - below;
    return {width, height, folded, low: lowWindow().matches};
  }
  draw() {
    if (this.signal.aborted) return;
    super.draw();
    const waits = this.runs.underway || (this.scenes.busy && !this.problem.textContent);
    this.root.setAttribute('aria-busy', waits);
    for (const field of this.fields) field.show();
    this.showBeams?.();
    if (!this.runs.underway) this.showTexts?.();
  }
  gather() {
    const kind = this.model.get('kind');
    if (this.kind !== kind) Object.assign(this, {kind, pre: null}); // it was of the kind before
    const maps = this.scenes.maps(this.pre);
    if (!maps) return null;
    const {axes} = maps.sheet;
    if (this.axes !== axes) Object.assign(this, {axes, over: null, zoom: null});
    const scene = this.scenes.scene(maps, this.over);
    const look = this.looks();
    const accent = scene.pre ? look.tone.second : look.tone.focus;
    return {...scene, ...look, accent, zoom: this.zoom};
  }
  paint(scene) {
    this.scene = scene;
    this.whyPane.look(scene);
    this.showWords(scene);
    const room = this.room(scene);
    this.lookAt(scene, room);
    this.arrange(scene, this.place);
    this.drawPanes(scene, this.place, room.width);
    this.whyPane.draw(scene, room);
    this.markScene(scene);
  }
  /** Where everything stands, and what of the map is in sight. */
  lookAt(scene, room) {
    this.place = plan(scene, room);
    if (this.follow) {
      this.follow = false;
      const {view} = this.place;
      const zoom = {...this.zoom, ...broughtIn(view, scene.sheet, cellAt(scene.B ?? scene.A))};
      this.place = plan({...scene, zoom}, room);
    }
    const {view} = this.place;
    scene.view = view;
    this.zoom = {count: null, ...this.zoom, q0: view.q0, k0: view.k0};
  }
  arrange(scene, place) {
    const {nodes} = this;
    const {stack, main, side, words, lines, heads, texts, tabs, lens, fall} = place;
    nodes.body.classList.toggle('stack', stack);
    nodes.main.style.width = `${main}px`;
    nodes.side.style.width = `${side}px`;
    nodes.side.hidden = !heads;
    nodes.lines.node.hidden = !lines;
    nodes.mini.hidden = !lens;
    if (nodes.texts) Object.assign(nodes.texts, {hidden: !texts}).style.width = `${words}px`;
    nodes.texts?.classList.toggle('below', tabs && !heads && !stack);
    nodes.side.classList.toggle('below', tabs && this.single && !stack);
    nodes.fall.style.setProperty('--fall', `${fall}px`);
    this.showTabs(place);
  }
  drawPanes(scene, place, width) {
    const {nodes} = this;
    const {main, side, lines, heads, tabs} = place;
    const switched = tabs && !place.stack ? TABS[this.facts.second ? 'three' : 'two'] : 0;
    this.showMoments?.(scene, width);
    drawHeat(nodes.heat, scene, place);
    if (lines) drawLines(nodes.lines, scene, place);
    const taken = lines ? switched : 0;
    const button = this.silencer ? this.silencer.draw(scene, taken) + 12 : 0;
    this.drawTitles(scene, side - (heads ? switched : 0), main - taken - button);
    this.gridPlan = drawGrid(nodes.grid, scene, place);
    this.showTiles(scene);
    this.showCosts();
    if (heads) drawList(nodes.list, scene, side, place.rows);
    if (heads && place.lens) drawOverview(nodes.small, scene, miniOf(scene.kind));
    drawPredictions(nodes.predictions, scene, width);
    if (place.texts) this.comparer?.draw(scene, place);
  }
  /** A new order begins at the best head; while it stands, the open one stays in sight. */
  showTiles({g, sort, rankingKey, layer, head}) {
    const {fall} = this.nodes;
    const {ranked} = this.gridPlan;
    fall.classList.toggle('ranked', ranked);
    this.once('order', [g, sort, rankingKey, ranked], () => {
      const before = this.order;
      this.order = ranked ? sort : '';
      if (this.order !== before) fall.scrollTop = 0;
      const tile = ranked && this.order === before && cellOf(this.gridPlan, layer, head);
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
  showControls(scene) {
    if (!scene) return;
    const {kind, ranking, rankingKey, open} = scene;
    const {model} = this;
    const state = Object.keys(this.controls()).map(name => model.get(name));
    const unit = unitOf(open);
    this.once(
      'bars',
      [kind.name, ...state, rankingKey, Boolean(ranking), unit, this.canWrite, this.costs.underWay],
      () => {
        this.showBar({kind, model, unit});
        this.showGrid({kind, model, ranking});
      },
    );
  }
  showWords(scene) {
    const {stage, state, heading, foot, facts} = this;
    const {scoreLine, reading, colour} = this.nodes;
    const {A, B, pre, lock, kind, layer, head} = scene;
    this.sayLesson(scene);
    setText(state, focusText(scene));
    const locked = Boolean(lock && !pre);
    state.classList.toggle('on', locked);
    standForKey(state, locked ? 'Escape' : null);
    heading.textContent = facts.title || headingOf(kind, facts.kinds.length > 1);
    const shown = pre ?? {layer, head};
    scoreLine.textContent = scoresText(scene, shown.layer, shown.head);
    reading.textContent = readingOf(scene, B ?? A);
    const width = stage.clientWidth;
    const grown = [scoreLine, reading].filter(node => hasGrown(node, width));
    holdHeights(grown, width);
    colour.textContent = colourText(scene);
    say(foot, footOf(scene));
  }
  /** The line keeps its height: a long sentence is written smaller. */
  sayLesson(scene) {
    const {said, nodes, facts} = this;
    said.setAttribute('aria-live', this.by === 'keys' || !this.over ? 'polite' : 'off');
    said.classList.toggle('second', Boolean(scene.pre));
    const when = nodes.moments ? [`At ${momentName(facts.checkpoints[scene.moment])}, `] : [];
    const told = [whenText(scene), whoseText(scene), ...sentenceOf(scene, scene.A, scene.values)];
    const lesson = this.whyPane.lesson ?? lessonHere(scene);
    const pieces = (lesson ?? [...when, ...told]).filter(Boolean);
    say(said, pieces);
    fitLine(said, scene.measure);
  }
  /** What is on screen, for whoever looks from outside. */
  markScene(scene) {
    const {root, model, nodes, facts} = this;
    const {A, B, sheet, view, layer, head, pre, kind, lock, sort, moment, show} = scene;
    const {row, column} = cellAt(A);
    const token = (units, at) => (row < 0 ? 0 : units[at].from + 1);
    const compare = B && (B.side === 'query' ? sheet.rows : sheet.columns)[B.at];
    const came =
      scene.thumbs &&
      (!nodes.moments || scene.courses) &&
      (!facts.second || scene.two) &&
      this.whyPane.ready;
    const ready = root.dataset.ready || Boolean(came);
    this.showZoom(view, sheet, this.place.lens);
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
// 256 colours of a scale, as a canvas holds them.
const pixelsOf = scale => Uint32Array.from({length: 256}, (_, i) => pixelOf(ramp(scale, i / 255)));
// Only a text that is longer than all before can move what is below: measured then, not at each
// hover.
function hasGrown(node, width) {
  const long = node.textContent.length;
  const known = node.dataset.width === String(width) && long <= Number(node.dataset.long);
  if (!known) node.dataset.long = long;
  return !known;
}
