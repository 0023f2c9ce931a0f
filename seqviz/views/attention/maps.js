// Where the maps come from: asked for by name, decoded when needed, the last few kept. What needs
// bytes that are still to come is null.

import {decoded, floatsOf} from './packing.js';
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
import {axesOnScreen, differenceOf, ending, largestOfSheets, sheetOf} from './shown.js';
import {linksOf, summed} from './weights.js';

/**
 * @typedef {Object} Thumbs the thumbnails of a kind
 * @property {number} rows of each, at most 48
 * @property {number} columns of each, at most 48
 * @property {string} key another one where they are others
 * @property {Map<string, Uint8Array>} at the thumbnail at "layer.head", row by row
 */

const CELLS_KEPT = 6e6;
const THUMB = 48; // rows and columns of a thumbnail, at most

/** What was made, by name: the last few, by the number of their cells. */
class Kept {
  made = new Map();
  get(key, size, make) {
    const {made} = this;
    const value = made.get(key) ?? make();
    if (value === null) return null;
    made.delete(key);
    made.set(key, value);
    for (const old of [...made.keys()].slice(0, -2)) {
      if (made.size * size > CELLS_KEPT) made.delete(old);
    }
    return value;
  }
}
const whenAll = (values, make) => (values.includes(null) ? null : make(values));

/**
 * Maps and numbers of all heads; each is null until its bytes have come. Everywhere `g` says of
 * which kind at which checkpoint, see kindOf, `layer` and `head` of which map; `row` and `column`
 * are Units of a sheet, and `screen` is the Screen that it stands on.
 */
export class MapSource {
  /**
   * @param {Object} facts kinds, checkpoints, precision
   * @param {{part: (name: string) => Uint8Array | null, has: (name: string) => boolean}} parts the
   * bytes of a part, and whether they came along
   * @param {boolean} alone a page without a kernel makes of the heads what else there is
   * @param {Object} mark of each sheet
   */
  constructor(facts, {part, has}, alone, mark = {}) {
    Object.assign(this, {facts, part, has, alone, mark});
    this.axes = new Map();
    this.maps = new Kept();
    this.sheets = new Kept();
    this.numbers = new Kept();
  }
  /** Whether all heads came along, at each checkpoint or before and after some are silenced. */
  get hasAll() {
    return count(this.ofFirst * (this.facts.second ? 2 : 1)).every(g =>
      everyHead(this.kindOf(g)).every(([layer, head]) => this.has(`${g} ${layer} ${head}`)),
    );
  }
  /** How many parts are of the first text: those of the second one have the numbers behind. */
  get ofFirst() {
    const {kinds, checkpoints, silence} = this.facts;
    return kinds.length * (checkpoints.length || (silence?.heads.length ? 2 : 1));
  }
  /**
   * Parts number the kinds of the first checkpoint, then those of the next.
   * @param {number} g
   * @returns {Kind}
   */
  kindOf(g) {
    const {kinds, second} = this.facts;
    return (g < this.ofFirst ? kinds : second.kinds)[g % kinds.length];
  }
  cellsOf(g) {
    const {queries, keys} = this.kindOf(g);
    return queries.length * keys.length;
  }
  head(g, layer, head) {
    return this.part(`${g} ${layer} ${head}`);
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
      return whenAll(this.members(g, layer, head), heads =>
        meanOf(heads.map(bytes => () => this.decode(g, bytes))),
      );
    }
    const bytes = this.head(g, layer, head);
    return bytes && this.decode(g, bytes);
  }
  members(g, layer, head) {
    return members(this.kindOf(g), layer, head).map(place => this.head(g, ...place));
  }
  rollout(g, layer) {
    const kind = this.kindOf(g);
    const below = kind.numbers[placeOfLayer(kind, layer) - 1];
    const before = below === undefined ? undefined : this.map(g, below, 'rollout');
    return whenAll([this.make(g, layer, 'mean'), before], ([mean]) =>
      rolloutOf(mean, before?.values, kind.keys.length),
    );
  }

  // ---- sheets: what is on screen; `screen` holds words and specials, see stateOf
  axesShown(g, screen) {
    const {words, specials, between} = screen;
    const text = g < this.ofFirst ? '' : 'second ';
    const at = text + (g % this.facts.kinds.length);
    const key = [at, words, specials !== 'shown', between].join(' ');
    if (!this.axes.has(key)) this.axes.set(key, {...axesOnScreen(this.kindOf(g), screen), key});
    return this.axes.get(key);
  }
  /**
   * What is on screen of a map; the same object as long as it is kept.
   * @returns {Sheet | null}
   */
  sheet(g, layer, head, screen) {
    const key = [...Object.keys(this.mark), g, layer, `${head}${ending(screen)}`].join(' ');
    return this.sheets.get(key, this.cellsOf(g), () => {
      const sheet = this.made(g, layer, head, screen);
      const axes = this.axesShown(g, screen).key;
      const links = sheet && linksOf(this.kindOf(g).gold, sheet);
      return sheet && {...sheet, ...this.mark, key, axes, links};
    });
  }
  /**
   * What differs on screen, after minus before; each says of which run it is, as `g`.
   * @returns {Sheet | null}
   */
  difference(after, before, layer, head, screen) {
    const mark = Object.keys(this.mark).join();
    const key = `${mark} ${after} ${layer} ${head}${ending(screen)} difference`;
    const sheets = [after, before].map(g => this.sheet(g, layer, head, screen));
    return this.sheets.get(key, this.cellsOf(after), () =>
      whenAll(sheets, () => ({...differenceOf(...sheets), key})),
    );
  }
  /** A maximum is of what is on screen of the heads. */
  made(g, layer, head, screen) {
    if (!isMax(layer, head)) {
      const map = this.map(g, layer, head);
      return map && this.shown(g, map, screen);
    }
    return whenAll(this.members(g, layer, head), heads =>
      largestOfSheets(heads.map(bytes => () => this.shown(g, this.decode(g, bytes), screen))),
    );
  }
  shown(g, map, screen) {
    const axes = this.axesShown(g, screen);
    return sheetOf(map, this.kindOf(g), axes, screen.specials === 'renormalised');
  }

  // ---- numbers of every head
  /**
   * A list for each score: of layers in their order, of heads; of all texts.
   * @returns {Object<string, Float32Array[]> | null}
   */
  scores(g, screen) {
    const {layers, heads, scores} = this.kindOf(g);
    const bytes = this.part(`${g} scores${ending({...screen, between: 'all'})}`);
    if (!bytes) return null;
    const numbers = floatsOf(bytes);
    const rowAt = at => numbers.subarray(at * heads, (at + 1) * heads);
    const table = s => count(layers).map(l => rowAt(s * layers + l));
    return Object.fromEntries(scores.map((name, s) => [name, table(s)]));
  }
  /** The rows of a unit on screen, in every head. */
  rows(g, {from, to}) {
    const kind = this.kindOf(g);
    if (this.alone) {
      const heads = everyHead(kind).map(place => this.head(g, ...place));
      return whenAll(heads, () => heads.map(bytes => this.decode(g, bytes, from, to)));
    }
    const parts = count(to - from).map(q => this.part(`${g} row ${from + q}`));
    const K = kind.keys.length;
    const none = new Float32Array(to - from);
    return whenAll(parts, () => {
      const rows = parts.map(floatsOf);
      return everyHead(kind).map((_, i) => ({
        values: Float64Array.from(rows.flatMap(row => [...row.subarray(i * K, (i + 1) * K)])),
        totals: none,
        lost: none,
      }));
    });
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
   * @returns {Float64Array[] | null} of layers in their order, of heads
   */
  cell(g, row, column, screen) {
    const {layers, heads} = this.kindOf(g);
    const key = `cell ${g} ${row.from} ${column.from}${ending(screen)}`;
    return this.numbers.get(key, layers * heads, () => {
      const maps = this.rows(g, row);
      const weights = maps && Float64Array.from(maps, this.cellReader(g, row, column, screen));
      return maps && count(layers).map(l => weights.subarray(l * heads, (l + 1) * heads));
    });
  }
  /**
   * The weight of one cell of one head at every checkpoint.
   * @returns {number[] | null}
   */
  course(g, layer, head, row, column, screen) {
    const {kinds, checkpoints} = this.facts;
    const at = g % kinds.length;
    const key = `course ${at} ${layer} ${head} ${row.from} ${column.from}${ending(screen)}`;
    return this.numbers.get(key, checkpoints.length, () => {
      const heads = checkpoints.map((_, k) => this.head(k * kinds.length + at, layer, head));
      const read = this.cellReader(g, row, column, screen);
      return whenAll(heads, () =>
        heads.map(bytes => read(this.decode(g, bytes, row.from, row.to))),
      );
    });
  }

  // ---- thumbnails: sent as one part, in a page made of the maps
  /**
   * Rows, columns, and the thumbnail at "layer.head"; in a page of the heads and one roll-up.
   * @returns {Thumbs | null}
   */
  thumbs(g, rollup, screen) {
    const axes = this.axesShown(g, screen);
    const [rows, columns] = [axes.rows, axes.columns].map(units => Math.min(units.length, THUMB));
    const drawn = this.alone && !this.has(`${g} thumbs${ending(screen)}`);
    const key = `${g}${ending(screen)}${drawn ? ` with ${rollup}` : ''}`;
    return this.numbers.get(`thumbs ${key}`, 0, () => {
      const found = drawn ? this.drawn(g, rollup, screen) : this.sent(g, rows * columns, screen);
      return found && {rows, columns, key, at: new Map(found)};
    });
  }
  sent(g, size, screen) {
    const bytes = this.part(`${g} thumbs${ending(screen)}`);
    const at = i => bytes.subarray(i * size, (i + 1) * size);
    return bytes && this.pictured(g).map((place, i) => [brief(...place), at(i)]);
  }
  /** What has a thumbnail in a part, in the order of the part. */
  pictured(g) {
    const kind = this.kindOf(g);
    const rollups = ['mean', 'max', 'rollout'].flatMap(name => rolledUp(kind, name));
    return [...everyHead(kind), ...rollups];
  }
  /** The part with the thumbnails of a kind, made of its maps. */
  thumbsPart(g, screen) {
    return Uint8Array.from(this.pictured(g).flatMap(place => [...this.thumb(g, place, screen)]));
  }
  drawn(g, rollup, screen) {
    const kind = this.kindOf(g);
    // a rollout stands beside the heads, under them stand the means
    const rollups = rollup === 'rollout' ? ['mean', 'rollout'] : [rollup];
    const places = [...everyHead(kind), ...rollups.flatMap(name => rolledUp(kind, name))];
    const thumbs = places.map(place => this.thumb(g, place, screen));
    return whenAll(thumbs, () => thumbs.map((thumb, i) => [brief(...places[i]), thumb]));
  }
  thumb(g, place, screen) {
    return this.numbers.get(`thumb ${g} ${brief(...place)}${ending(screen)}`, 0, () => {
      const plain = !isMax(...place) && !ending(screen);
      const made = plain ? this.map(g, ...place) : this.made(g, ...place, screen);
      const {rows, columns} = this.axesShown(g, screen);
      return made && thumbnail(made.values, rows.length, columns.length);
    });
  }
}
// A thumbnail, as packing.py makes it: a byte for each block, 255 times the root of the share that
// its largest has of the map's largest.
function thumbnail(values, n, m) {
  const rows = Math.min(n, THUMB);
  const columns = Math.min(m, THUMB);
  const best = new Float64Array(rows * columns);
  const edges = Array.from({length: columns + 1}, (_, b) => Math.ceil((b * m) / columns));
  for (let r = 0; r < n; r++) {
    const start = Math.floor((r * rows) / n) * columns;
    for (let b = 0; b < columns; b++) {
      let peak = best[start + b];
      for (let i = r * m + edges[b]; i < r * m + edges[b + 1]; i++) {
        if (values[i] > peak) peak = values[i];
      }
      best[start + b] = peak;
    }
  }
  const most = best.reduce((a, b) => Math.max(a, b), 0) || 1;
  return Uint8Array.from(best, v => Math.round(255 * Math.sqrt(v / most)));
}

// ---- what is made of maps
// The mean of maps; they come as functions, so that one is decoded at a time.
function meanOf([first, ...others]) {
  const mean = first();
  for (const other of others) {
    const map = other();
    for (const name of ['values', 'totals', 'lost']) {
      for (let i = 0; i < mean[name].length; i++) mean[name][i] += map[name][i];
    }
  }
  for (const name of ['values', 'totals', 'lost']) {
    for (let i = 0; i < mean[name].length; i++) mean[name][i] /= 1 + others.length;
  }
  return mean;
}
// Attention rollout one layer further (Abnar and Zuidema 2020, section 3): half the mean over the
// heads and half the identity, times the rollout before. Rows are scaled to their totals first, so
// that what bytes were rounded by does not add up over the layers.
function rolloutOf({values, totals}, before, n) {
  const step = values.slice();
  for (let q = 0; q < n; q++) {
    const row = step.subarray(q * n, q * n + n);
    const scale = (0.5 * totals[q]) / (summed(row) || 1);
    for (let k = 0; k < n; k++) row[k] *= scale;
    row[q] += 0.5;
  }
  const rolled = before ? product(step, before, n) : step;
  const sums = Float64Array.from({length: n}, (_, q) => summed(rolled.subarray(q * n, q * n + n)));
  return {values: rolled, totals: sums, lost: new Float32Array(n)};
}
function product(a, b, n) {
  const out = new Float64Array(n * n);
  for (let q = 0; q < n; q++) {
    const row = out.subarray(q * n, q * n + n);
    for (let k = 0; k < n; k++) {
      const weight = a[q * n + k];
      for (let c = 0; c < n; c++) row[c] += weight * b[k * n + c];
    }
  }
  return out;
}
