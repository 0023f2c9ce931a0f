// From the state of the controls, and of pointer and keys, to a scene: which map is open, what of
// it is in focus, what that is compared with.

import {linedUp} from './compared.js';
import {alike, cellAt, lockOf} from './cursor.js';
import {chosenIn, isChosen, isHead, nearestLayer} from './places.js';
import {ending, stateOf} from './shown.js';
import {silentOf} from './silence.js';
import {firstLargest, isShare, series, strongest, writtenOf} from './weights.js';

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
 * @property {boolean} causal no query attends to a later key
 * @property {boolean} sums every row sums to 1
 * @property {number[]} specialQueries which tokens are special, from 0
 * @property {number[]} specialKeys
 * @property {string[]} pairings what may be shown alone, 'A to B', where tokens are of several
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
 * @property {string[]} [texts] that it was given to choose from
 * @property {{text: string, kinds: Kind[]} | null} [second] of a live view: the text that it is
 * compared with
 * @property {boolean} [reasons] whether a model can be asked
 * @property {boolean} [written] false where that model's heads are known to write to no stream
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
 * @property {Sheet | null} weights behind the lengths of `sheet`; null where it has weights itself
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
 * @property {(layer: Layer, head: Head) => Object | null} costOf what silencing costs, see Costs.of
 * @property {Float64Array[] | null} besideCosts weights of a cell in every head, while they stand
 * by costs
 * @property {Object<string, Float32Array[]> | null} scores of layers in their order, of heads
 * @property {string} scoresKey one for each table of scores
 * @property {number} threshold lines below are not drawn
 * @property {'linear' | 'log' | 'row'} scale
 * @property {MapView} view
 * @property {Zoom | null} zoom what a person has asked for; null for the cell in focus in the
 * middle
 * @property {boolean} single whether no kind has more than one head
 * @property {'' | 'heads' | 'lines' | 'texts'} beside what stands beside the map where one fits
 * @property {string} theme with the font
 * @property {Object} tone the palette
 * @property {string} accent the colour of A
 * @property {Uint32Array} pixels 256 colours of the scale
 * @property {Uint32Array} diverging 256 colours of the scale of differences
 * @property {number} ratio pixels of a canvas to one of the page
 * @property {Measure} measure
 */

/**
 * @typedef {Object} CursorList the weights of one row or column
 * @property {Sheet} sheet that they are from
 * @property {Cursor} cursor
 * @property {Float64Array} values
 */

/** Whether no kind has more than one head. */
export const isSingle = ({kinds}) => kinds.every(({layers, heads}) => layers * heads === 1);

/** Makes scenes of what has come. */
export class Scenes {
  /**
   * @param {(name: string) => any} control where a control stands
   * @param {Facts} facts
   * @param {MapSource} source of weights
   * @param {() => MapSource | null} written of what heads write, where that can be had
   * @param {Costs} costs of silencing
   */
  constructor(control, facts, source, written, costs) {
    Object.assign(this, {control, facts, source, written, costs});
    this.single = isSingle(facts);
    this.opened = null; // kind, layer and head of the map that is open
    this.grid = null; // what the grid was drawn from
    this.busy = false;
    this.lines = {key: '', value: null};
  }
  get number() {
    const at = this.facts.kinds.findIndex(({name}) => name === this.control('kind'));
    return Math.max(0, at);
  }
  /** Layer and head in focus, or the nearest that a kind has. */
  placeIn(name) {
    const kind = this.facts.kinds.find(kind => kind.name === name);
    const nearest = (at, limit) => (typeof at === 'number' ? limit(at) : at);
    const layer = nearest(this.control('layer'), at => nearestLayer(kind, at));
    const last = kind.heads - 1;
    const head = nearest(this.control('head'), at => Math.max(0, Math.min(last, at)));
    if (isChosen(head)) return chosenIn(kind, head, layer);
    if (head === 'rollout') {
      if (!kind.self) return {layer, head: 'mean'};
      return {layer: typeof layer === 'string' ? kind.numbers.at(-1) : layer, head};
    }
    return {layer, head: typeof layer === 'string' && typeof head === 'string' ? layer : head};
  }
  /**
   * The sheet on screen and that of the open head. Until a map comes, the one before stays and
   * answers, but one of another kind.
   * @param {{layer: Layer, head: Head} | null} pre a head that is previewed
   * @returns {Object | null} null until a map has come
   */
  maps(pre) {
    const {source, facts} = this;
    const kind = facts.kinds[this.number];
    const screen = this.screenOf(kind);
    const sheetAt = ({g, show, layer, head}) =>
      show === 'difference'
        ? this.sourceOf(head).difference(g, this.number, layer, head, screen)
        : this.sourceOf(head).sheet(g, layer, head, screen);
    const wanted = {...this.run(), ...this.placeIn(kind.name)};
    const before = this.opened && source.kindOf(this.opened.g) === kind ? this.opened : null;
    const came = sheetAt(wanted);
    const previewed = pre && sheetAt({...(came ? wanted : (before ?? wanted)), ...pre});
    const open = came ?? (before && sheetAt(before));
    this.busy = !came || Boolean(pre && !previewed);
    if (!open) return null;
    this.opened = came ? wanted : before;
    const sheet = previewed ?? open;
    return {...this.opened, kind, screen, open, sheet, pre: previewed ? pre : null};
  }
  /** Where the cells of a map come from; a rollout is of weights. */
  sourceOf(head) {
    const wanted = this.control('cells') === 'written' && head !== 'rollout';
    return (wanted && this.written()) || this.source;
  }
  /**
   * What is on screen of these maps.
   * @param {Object} maps what `maps` gives
   * @param {Cursor | null} pointed what pointer and keys are at
   * @returns {Scene} but for its looks
   */
  scene(maps, pointed) {
    const {control, facts, single} = this;
    const {g, kind, screen, layer, head, open, sheet, pre} = maps;
    const steps = (!kind.self && control('step')) || Infinity;
    const written = writtenOf(sheet, steps);
    const [side, query, key] = ['side', 'query', 'key'].map(control);
    const lock = lockOf(sheet, written, {side, query, key});
    const over = pointed && (cellAt(pointed).row ?? 0) < written ? pointed : null;
    const focus = focusOf({sheet, open, written}, {lock, over, pre});
    const place = pre ?? {layer, head};
    return {
      ...maps,
      ...focus,
      facts,
      single,
      weights: this.weightsOf(sheet, g, screen, place),
      two: facts.second && this.twoOf(g, screen, sheet, place, steps),
      moment: Math.floor(g / facts.kinds.length),
      courses: facts.checkpoints.length ? this.coursesOf(g, screen, sheet, focus, place) : null,
      lock,
      ...this.gridOf(g, screen, open, this.sortedBy(open, lock, written)),
      steps,
      written,
      beside: control('beside'),
      threshold: control('threshold'),
      scale: control('scale'),
      links: open.links,
    };
  }
  /** The weights behind lengths; null until they come, and where they are on screen. */
  weightsOf({written, signed}, g, screen, {layer, head}) {
    if (!written || signed) return null;
    const weights = this.source.sheet(g, layer, head, screen);
    this.busy ||= !weights;
    return weights;
  }
  /** Which run or checkpoint is asked for, as `g`; `show` says it while heads are silenced. */
  run() {
    const {facts, control} = this;
    const show = silentOf(facts).length ? control('show') : '';
    const checkpoint = Math.max(0, facts.checkpoints.indexOf(control('checkpoint')));
    const moment = show ? Number(show !== 'before') : checkpoint;
    return {show, g: moment * facts.kinds.length + this.number};
  }
  screenOf(kind) {
    const [words, specials, between] = ['words', 'specials', 'between'].map(this.control);
    return stateOf(kind, {words, specials, between});
  }
  /** The map on screen, of a difference the one after, and the second text's; null until then. */
  twoOf(g, screen, sheet, {layer, head}, steps) {
    const {source} = this;
    const second = g + source.ofFirst;
    const own = this.screenOf(source.kindOf(second));
    const here = isShare(sheet) ? sheet : source.sheet(g, layer, head, screen);
    const there = source.sheet(second, layer, head, own);
    this.busy ||= !here || !there;
    if (!here || !there) return null;
    const key = [here.axes, there.axes, steps].join('|');
    if (this.lines.key !== key) this.lines = {key, value: linedUp(here, there, steps)};
    return {here, there, lines: this.lines.value};
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
      const weights = this.source.course(g, layer, head, place.query, place.key, screen);
      return weights && {weights, ...place};
    });
    this.busy ||= !courses.every(Boolean);
    return courses.every(Boolean) ? courses : null;
  }
  /** What the grid is drawn from; thumbnails and order stay until the new ones come. */
  gridOf(g, screen, open, cell) {
    const {source, control, facts, costs} = this;
    const wanted = control('sort');
    const token = tokenAt(facts, source.kindOf(g), open, cell);
    const come = wanted === 'cost' ? costs.countOf(this.number)[0] : 0;
    const none = (wanted === 'cell' && !cell) || (wanted === 'cost' && !come);
    const sort = none ? 'place' : wanted;
    const rolls = source.kindOf(g).self || control('rollup') !== 'rollout';
    const rollup = rolls ? control('rollup') : 'mean';
    const scores = source.scores(g, screen);
    const thumbs = source.thumbs(g, rollup, screen);
    const ranking = this.rankingOf(g, screen, open, {sort, token, cell}, scores);
    this.busy ||= !scores || !thumbs || (sort !== 'place' && !ranking);
    const same = this.grid && source.kindOf(this.grid.g) === source.kindOf(g);
    const before = same ? this.grid : {};
    const held = before.sort === sort ? before : {};
    const weights =
      sort === 'cost' && cell
        ? source.cell(g, open.rows[cell.row], open.columns[cell.column], screen)
        : null;
    const byCell = sort === 'cell' || sort === 'cost';
    const at = byCell && cell ? `${cell.row} ${cell.column} ${come} ${Boolean(weights)}` : come;
    const order = `${g} ${at}${ending(screen)}`;
    this.grid = {
      g,
      sort,
      rollup,
      least: control('least'),
      thumbs: thumbs ?? before.thumbs,
      ranking: ranking ?? held.ranking,
      rankingKey: ranking ? order : held.rankingKey,
      costOf: (...place) => (isHead(...place) ? costs.of(this.number, ...place, token) : null),
      besideCosts: weights,
    };
    return {...this.grid, scores, scoresKey: scores ? ending(screen) : 'none'};
  }
  rankingOf(g, screen, {rows, columns}, {sort, token, cell}, scores) {
    if (sort === 'place') return null;
    if (sort === 'cost') return this.costs.ranking(this.number, token);
    if (sort !== 'cell') return scores?.[sort] ?? null;
    return this.source.cell(g, rows[cell.row], columns[cell.column], screen);
  }
}

// The token at which a cost is told: the last of the row's, if the model speaks there.
function tokenAt({silence}, {name}, {rows}, cell) {
  return cell && silence?.predicts.includes(name) ? rows[cell.row].to - 1 : null;
}

// ---- what is in focus
// The strongest cell of a sheet is searched once.
const found = new WeakMap();
// The strongest cell of the rows that are written.
function strongestOf(sheet, written) {
  if (found.get(sheet)?.written !== written) {
    found.set(sheet, {...strongest(sheet, written), written});
  }
  return found.get(sheet);
}
// A cursor with its weights; where it stands on no cell, on the largest of these.
function resolved(sheet, cursor, written) {
  const values = series(sheet, cursor, written);
  return {values, cursor: {...cursor, far: cursor.far ?? firstLargest(values)}};
}
// Cursor `A` with its `values`, `B` with `compared`, and the `lists` that stand beside each other,
// of what is locked, what the pointer previews, and the head that it previews.
function focusOf({sheet, open, written}, {lock, over, pre}) {
  if (!written) {
    const none = {side: 'query', at: -1, far: -1};
    const values = new Float64Array(sheet.m);
    const list = {sheet, values, cursor: none};
    return {A: none, B: null, values, compared: null, lists: [list]};
  }
  const best = strongestOf(open, written);
  const start = {side: 'query', at: best.row, far: pre ? null : best.column};
  const main = resolved(sheet, lock ?? over ?? start, written);
  const other = lock && over && !alike(lock, over) ? resolved(sheet, over, written) : null;
  return {
    A: main.cursor,
    B: other?.cursor ?? null,
    values: main.values,
    compared: other?.values ?? null,
    lists: listsOf({sheet, open, written, pre}, main, other),
  };
}
// Beside the list in focus stands that of the head that is open, or of the same side's cursor.
function listsOf({sheet, open, written, pre}, main, other) {
  const list = {sheet, ...main};
  if (pre) {
    const {cursor} = main;
    return [{sheet: open, cursor, values: series(open, cursor, written)}, list];
  }
  return other && other.cursor.side === main.cursor.side ? [list, {sheet, ...other}] : [list];
}
