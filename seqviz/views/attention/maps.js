// Where the maps come from: asked for by name, decoded when needed, the last few kept. What needs
// bytes that are still to come is a promise; all else is a value.

import {decoded, floatsOf} from './packing.js';
import {differenceOf} from './difference.js';
import {
  brief,
  count,
  everyHead,
  isChosen,
  isMax,
  members,
  placeOfLayer,
  rolledUp,
} from './places.js';
import {meanOf, rolloutOf} from './rollups.js';
import {axesOf, ending, largest, sheetOf} from './shown.js';
import {THUMB, thumbnail} from './thumbnails.js';
import {linksOf} from './weights.js';

/**
 * @typedef {Object} Thumbs the thumbnails of a kind
 * @property {number} rows of each, at most 48
 * @property {number} columns of each, at most 48
 * @property {string} key another one where they are others
 * @property {Map<string, Uint8Array>} at the thumbnail at "layer.head", row by row
 */

const CELLS_KEPT = 6e6;
const AT_ONCE = 24; // thumbnails, between which the page stays alive

// A value now, or a promise of it.
const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value));
const all = (values, next) =>
  values.some(v => v instanceof Promise) ? Promise.all(values).then(next) : next(values);

/** What was made, by name: the same promise while it is under way, the value after. */
class Kept {
  constructor() {
    this.made = new Map();
    this.failures = 0;
  }
  /** The last few are kept, by the number of their cells. */
  get(key, size, make) {
    const {made, failures} = this;
    const value = made.has(key) ? made.get(key) : make();
    made.delete(key);
    if (value instanceof Promise && this.failures > failures) return value;
    made.set(key, value);
    for (const old of [...made.keys()].slice(0, -2)) {
      if (made.size * size > CELLS_KEPT) made.delete(old);
    }
    if (value instanceof Promise) {
      value.then(came => made.get(key) === value && made.set(key, came));
    }
    return value;
  }
  /** What did not come is asked for again the next time. */
  forget() {
    this.failures++;
    for (const [key, value] of this.made) if (value instanceof Promise) this.made.delete(key);
  }
}

/** Maps and numbers of all heads: `g` says of which kind at which checkpoint, see kindOf. */
export class MapSource {
  /**
   * @param {Object} facts kinds, checkpoints, precision
   * @param {{get: (name: string) => Uint8Array | Promise<Uint8Array>,
   * has: (name: string) => boolean}} parts the bytes of a part, and whether they came along
   * @param {boolean} alone a page without a kernel makes of the heads what else there is
   * @param {AbortSignal} signal
   */
  constructor(facts, {get, has}, alone, signal) {
    Object.assign(this, {facts, get, has, alone, signal});
    this.axes = new Map();
    this.maps = new Kept();
    this.sheets = new Kept();
    this.cells = new Kept();
    this.courses = new Kept();
    this.pictures = new Kept();
  }
  forget() {
    for (const kept of [this.maps, this.sheets, this.cells, this.courses, this.pictures]) {
      kept.forget();
    }
  }
  /** Whether all heads came along, at each checkpoint or before and after some are silenced. */
  get hasAll() {
    const {kinds, checkpoints, silence} = this.facts;
    const moments = checkpoints.length || (silence?.heads.length ? 2 : 1);
    return count(moments * kinds.length).every(g =>
      everyHead(this.kindOf(g)).every(([layer, head]) => this.has(`${g} ${layer} ${head}`)),
    );
  }
  stayAlone() {
    this.alone = true;
    this.forget();
  }
  /**
   * Parts number the kinds of the first checkpoint, then those of the next.
   * @param {number} g
   * @returns {Kind}
   */
  kindOf(g) {
    return this.facts.kinds[g % this.facts.kinds.length];
  }
  cellsOf(g) {
    const {queries, keys} = this.kindOf(g);
    return queries.length * keys.length;
  }
  part(g, layer, head) {
    return this.get(`${g} ${layer} ${head}`);
  }
  decode(g, bytes, from, to) {
    return decoded(bytes, this.kindOf(g), this.facts.precision, from, to);
  }

  // ---- maps: what came, or what a page makes of its heads
  map(g, layer, head) {
    return this.maps.get(`${g} ${layer} ${head}`, this.cellsOf(g), () => this.make(g, layer, head));
  }
  make(g, layer, head) {
    const kind = this.kindOf(g);
    const rolls = head === 'rollout' && kind.keys.length <= this.facts.rolls;
    if (this.alone && rolls) return this.rollout(g, layer);
    if (isChosen(head) || (this.alone && (layer === 'mean' || head === 'mean'))) {
      const parts = members(kind, layer, head).map(place => this.part(g, ...place));
      return all(parts, heads => meanOf(heads.map(bytes => () => this.decode(g, bytes))));
    }
    return then(this.part(g, layer, head), bytes => this.decode(g, bytes));
  }
  rollout(g, layer) {
    const kind = this.kindOf(g);
    const below = kind.numbers[placeOfLayer(kind, layer) - 1];
    const before = below === undefined ? null : this.map(g, below, 'rollout');
    return all([this.make(g, layer, 'mean'), before], ([mean, rolled]) =>
      rolloutOf(mean, rolled && rolled.values, kind.keys.length),
    );
  }

  // ---- sheets: what is on screen; `screen` holds words and specials, see stateOf
  axesShown(g, screen) {
    const {words, specials, between} = screen;
    const key = [g % this.facts.kinds.length, words, specials !== 'shown', between].join(' ');
    if (!this.axes.has(key)) this.axes.set(key, {...axesOf(this.kindOf(g), screen), key});
    return this.axes.get(key);
  }
  /**
   * What is on screen of a map; the same object as long as it is kept.
   * @param {number} g
   * @param {Layer} layer
   * @param {Head} head
   * @param {Screen} screen
   * @returns {Sheet | Promise<Sheet>}
   */
  sheet(g, layer, head, screen) {
    const key = `${g} ${layer} ${head}${ending(screen)}`;
    const axes = this.axesShown(g, screen).key;
    return this.sheets.get(key, this.cellsOf(g), () =>
      then(
        isMax(layer, head)
          ? this.maximum(g, layer, head, screen)
          : then(this.map(g, layer, head), map => this.shown(g, map, screen)),
        sheet => ({...sheet, key, axes, links: linksOf(this.kindOf(g).gold, sheet)}),
      ),
    );
  }
  /**
   * What differs on screen, after minus before; each says of which run it is, as `g`.
   * @param {number} after
   * @param {number} before
   * @param {Layer} layer
   * @param {Head} head
   * @param {Screen} screen
   * @returns {Sheet | Promise<Sheet>}
   */
  difference(after, before, layer, head, screen) {
    const key = `${after} ${layer} ${head}${ending(screen)} difference`;
    return this.sheets.get(key, this.cellsOf(after), () =>
      all(
        [after, before].map(g => this.sheet(g, layer, head, screen)),
        sheets => ({...differenceOf(...sheets), key}),
      ),
    );
  }
  shown(g, map, screen) {
    const axes = this.axesShown(g, screen);
    return sheetOf(map, this.kindOf(g), axes, screen.specials === 'renormalised');
  }
  /** A maximum is of what is on screen of the heads. */
  maximum(g, layer, head, screen) {
    const parts = members(this.kindOf(g), layer, head).map(place => this.part(g, ...place));
    return all(parts, heads =>
      largest(heads.map(bytes => () => this.shown(g, this.decode(g, bytes), screen))),
    );
  }

  // ---- numbers of every head
  /**
   * A list for each score: of layers in their order, of heads; of all texts.
   * @param {number} g
   * @param {Screen} screen
   * @returns {Object<string, Float32Array[]> | Promise<Object<string, Float32Array[]>>}
   */
  scores(g, screen) {
    const {layers, heads, scores} = this.kindOf(g);
    const state = ending({...screen, between: 'all'});
    return then(this.get(`${g} scores${state}`), bytes => {
      const numbers = floatsOf(bytes);
      const rowAt = at => numbers.subarray(at * heads, (at + 1) * heads);
      const table = s => count(layers).map(l => rowAt(s * layers + l));
      return Object.fromEntries(scores.map((name, s) => [name, table(s)]));
    });
  }
  /** The rows of a unit on screen, in every head. */
  rows(g, {from, to}) {
    if (this.alone) {
      const parts = everyHead(this.kindOf(g)).map(place => this.part(g, ...place));
      return all(parts, heads => heads.map(bytes => this.decode(g, bytes, from, to)));
    }
    const queries = count(to - from).map(q => this.get(`${g} row ${from + q}`));
    return all(queries, rows => this.splitRows(g, rows.map(floatsOf)));
  }
  /** Rows of one query each, of all heads, as rows of one head each. */
  splitRows(g, rows) {
    const kind = this.kindOf(g);
    const K = kind.keys.length;
    const none = new Float32Array(rows.length);
    return everyHead(kind).map((_, i) => ({
      values: Float64Array.from(rows.flatMap(row => [...row.subarray(i * K, (i + 1) * K)])),
      totals: none,
      lost: none,
    }));
  }
  /** What reads the weight of one cell, as it is on screen, from the rows of a map. */
  cellReader(g, row, column, screen) {
    const {columns} = this.axesShown(g, screen);
    const alone = {rows: [{...row, from: 0, to: row.to - row.from}], columns};
    const rescaled = screen.specials === 'renormalised';
    return map => sheetOf(map, this.kindOf(g), alone, rescaled).values[columns.indexOf(column)];
  }
  /**
   * The weight of one cell in every head.
   * @param {number} g
   * @param {Unit} row
   * @param {Unit} column
   * @param {Screen} screen
   * @returns {Float64Array[] | Promise<Float64Array[]>} of layers in their order, of heads
   */
  cell(g, row, column, screen) {
    const {layers, heads} = this.kindOf(g);
    const key = `${g} ${row.from} ${column.from}${ending(screen)}`;
    const read = this.cellReader(g, row, column, screen);
    return this.cells.get(key, layers * heads, () =>
      then(this.rows(g, row), maps => {
        const weights = Float64Array.from(maps, read);
        return count(layers).map(l => weights.subarray(l * heads, (l + 1) * heads));
      }),
    );
  }
  /**
   * The weight of one cell of one head at every checkpoint.
   * @param {number} g a kind at any checkpoint
   * @param {number} layer
   * @param {number} head
   * @param {Unit} row
   * @param {Unit} column
   * @param {Screen} screen
   * @returns {number[] | Promise<number[]>}
   */
  course(g, layer, head, row, column, screen) {
    const {kinds, checkpoints} = this.facts;
    const at = g % kinds.length;
    const key = `${at} ${layer} ${head} ${row.from} ${column.from}${ending(screen)}`;
    const read = this.cellReader(g, row, column, screen);
    return this.courses.get(key, checkpoints.length, () =>
      all(
        checkpoints.map((_, k) => this.part(k * kinds.length + at, layer, head)),
        heads => heads.map(bytes => read(this.decode(g, bytes, row.from, row.to))),
      ),
    );
  }

  // ---- thumbnails: sent as one part, in a page made of the maps
  /**
   * Rows, columns, and the thumbnail at "layer.head"; in a page of the heads and one roll-up.
   * @param {number} g
   * @param {'mean' | 'max' | 'rollout'} rollup
   * @param {Screen} screen
   * @returns {Thumbs | Promise<Thumbs>}
   */
  thumbs(g, rollup, screen) {
    const state = `${g}${ending(screen)}`;
    const axes = this.axesShown(g, screen);
    const album = found => ({
      rows: Math.min(axes.rows.length, THUMB),
      columns: Math.min(axes.columns.length, THUMB),
      key: `${state} ${rollup}`,
      at: new Map(found),
    });
    if (!this.alone) {
      return this.pictures.get(state, 0, () =>
        then(this.get(`${g} thumbs${ending(screen)}`), bytes => album(this.sent(g, screen, bytes))),
      );
    }
    const kind = this.kindOf(g);
    const some = (name, places) =>
      this.pictures.get(`${state} only ${name}`, 0, () => this.drawn(g, screen, places));
    // a rollout stands beside the heads, under them stand the means
    const rollups = rollup === 'rollout' ? ['mean', 'rollout'] : [rollup];
    return this.pictures.get(`${state} with ${rollup}`, 0, () =>
      all(
        [some('heads', everyHead(kind)), ...rollups.map(name => some(name, rolledUp(kind, name)))],
        found => album(found.flat()),
      ),
    );
  }
  sent(g, screen, bytes) {
    const kind = this.kindOf(g);
    const {rows, columns} = this.axesShown(g, screen);
    const size = Math.min(rows.length, THUMB) * Math.min(columns.length, THUMB);
    const places = [
      ...everyHead(kind),
      ...['mean', 'max', 'rollout'].flatMap(name => rolledUp(kind, name)),
    ];
    return places.map((place, i) => [brief(...place), bytes.subarray(i * size, (i + 1) * size)]);
  }
  async drawn(g, screen, places) {
    const found = [];
    for (let i = 0; i < places.length && !this.signal.aborted; i += AT_ONCE) {
      const some = places.slice(i, i + AT_ONCE);
      const thumbs = await Promise.all(some.map(place => this.thumb(g, place, screen)));
      found.push(...thumbs.map((thumb, k) => [brief(...some[k]), thumb]));
    }
    return found;
  }
  thumb(g, place, screen) {
    const {rows, columns} = this.axesShown(g, screen);
    const draw = ({values}) => thumbnail(values, rows.length, columns.length);
    if (isMax(...place)) return then(this.maximum(g, ...place, screen), draw);
    const map = place[1] === 'rollout' ? this.map(g, ...place) : this.make(g, ...place);
    return then(map, made => draw(ending(screen) ? this.shown(g, made, screen) : made));
  }
}
