// What is shown of a map: words for pieces, without special tokens, rows scaled to 1; as screen.py.

import {leaving} from './packing.js';
import {summed} from './weights.js';

/**
 * @typedef {Object} Screen what is shown of a kind
 * @property {boolean} words pieces of a word as one
 * @property {'shown' | 'hidden' | 'renormalised'} specials
 * @property {string} between 'all', or what one text reads of another, 'A to B'
 */

/**
 * @typedef {Object} Unit a row or column: a token, or the tokens of a word
 * @property {number} from its first token, from 0
 * @property {number} to the token after its last
 * @property {string} text
 * @property {boolean} special all its tokens are
 * @property {boolean} twin another unit of its side has the same text
 */

/**
 * @typedef {Object} Sheet the weights on screen: means over the tokens of a row, sums over those of
 * a column
 * @property {Unit[]} rows
 * @property {Unit[]} columns
 * @property {number} n rows
 * @property {number} m columns
 * @property {Float64Array} values (n, m)
 * @property {Float64Array} totals of each row, with what is hidden
 * @property {Float64Array} hidden what is hidden of each row
 * @property {Float64Array} peaks the largest of each row
 * @property {Float64Array} apart the largest that each row has on another text, off screen
 * @property {number} most the largest of all
 * @property {string} [key] from MapSource: one for each sheet
 * @property {string} [axes] from MapSource: one for each list of rows and columns
 * @property {{row: number, column: number, sure: boolean}[]} [links] from MapSource: gold
 * @property {Object[]} [leans] what massOf has found of a row
 * @property {boolean} [signed] differences, after minus before, of the sheets in `parts`
 * @property {Sheet[]} [parts] after and before
 * @property {boolean} [written] lengths of what a head writes, in place of weights
 */

// ---- what of the controls changes a kind, as in Python
/**
 * The controls as far as they change something here: there may be no pieces, no special tokens,
 * one text only.
 * @param {Kind} kind
 * @param {Screen} controls
 * @returns {Screen}
 */
export function stateOf(kind, {words, specials, between}) {
  const leave =
    leaving(kind.queries, kind.specialQueries).length + leaving(kind.keys, kind.specialKeys).length;
  return {
    words: words && Boolean(kind.wordQueries || kind.wordKeys),
    specials: leave ? specials : 'shown',
    between: kind.pairings.includes(between) ? between : 'all',
  };
}
/** How the names of the parts that differ with it end: '', ' words', ' words hidden A to B'. */
export const ending = ({words, specials, between}) =>
  [
    words ? ' words' : '',
    specials === 'shown' ? '' : ` ${specials}`,
    between === 'all' ? '' : ` ${between}`,
  ].join('');

// ---- rows and columns
export const LETTERED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
function unitsOf(tokens, numbers, texts, special) {
  const starts = [...tokens.keys()].filter(i => !numbers || !i || numbers[i] !== numbers[i - 1]);
  const units = starts.map((from, n) => {
    const to = starts[n + 1] ?? tokens.length;
    const own = special.filter(i => i >= from && i < to).length;
    return {from, to, text: numbers ? texts[n] : tokens[from], special: own === to - from};
  });
  const seen = new Map();
  for (const {text} of units) seen.set(text, (seen.get(text) ?? 0) + 1);
  return units.map(unit => ({...unit, twin: seen.get(unit.text) > 1}));
}
/** The rows and columns that stay on screen. */
export function axesOnScreen(kind, {words, specials, between}) {
  const texts = between === 'all' ? [] : between.split(' to ');
  const side = (name, text) => {
    const all = unitsOf(
      kind[name.toLowerCase()],
      words ? kind['word' + name] : null,
      kind['wordText' + name],
      kind['special' + name],
    );
    const plain = specials === 'shown' ? [] : all.filter(({special}) => !special);
    const kept = plain.length ? plain : all;
    const own = text
      ? kept.filter(({from}) => kind['segment' + name][from] === LETTERED.indexOf(text))
      : [];
    return own.length ? own : kept;
  };
  return {rows: side('Queries', texts[0]), columns: side('Keys', texts[1])};
}

/**
 * A map as it is on screen. Where a row is scaled to 1, what bytes took from its sum counts, of
 * the keys that are no special ones; those on screen get their share of it. What
 * is hidden is what the sum leaves of the total, known to 0.001, or the hidden bytes added up,
 * whichever is rounded less; both in steps of a byte.
 * @param {WeightMap} map
 * @param {Kind} kind `keys` and `specialKeys` are read
 * @param {{rows: Unit[], columns: Unit[]}} axes
 * @param {boolean} renormalised whether each row is scaled to 1
 * @returns {Sheet}
 */
export function sheetOf(map, {keys, specialKeys}, {rows, columns}, renormalised) {
  const n = rows.length;
  const m = columns.length;
  const sheet = {
    rows,
    columns,
    n,
    m,
    values: new Float64Array(n * m),
    totals: new Float64Array(n),
    hidden: new Float64Array(n),
    peaks: new Float64Array(n),
    apart: new Float64Array(n),
  };
  const gone = Array.from(keys, (_, i) => i).filter(
    i => !columns.some(({from, to}) => i >= from && i < to),
  );
  const special = new Set(specialKeys);
  for (let r = 0; r < n; r++) {
    const hidden = fillRow(sheet, r, map, keys.length, gone, special);
    scaleRow(sheet, r, hidden, renormalised);
  }
  return {...sheet, most: sheet.peaks.reduce((a, b) => Math.max(a, b), 0)};
}
// Adds up the queries of a row; returns what its hidden keys have, in what steps these bytes are
// rounded, and what bytes lost of the others.
function fillRow({rows, columns, m, values, totals, apart}, r, map, K, gone, special) {
  const {from, to} = rows[r];
  const hidden = {left: 0, steps: 0, lost: 0};
  for (let q = from; q < to; q++) {
    let seen = 0;
    let others = 0; // keys of other texts
    for (let c = 0; c < m; c++) {
      let sum = 0;
      for (let i = q * K + columns[c].from, end = q * K + columns[c].to; i < end; i++) {
        sum += map.values[i];
      }
      values[r * m + c] += sum;
      seen += sum;
    }
    let roots = 0;
    let most = 0;
    for (const k of gone) {
      const v = map.values[q * K + k];
      hidden.left += v;
      if (!special.has(k)) {
        others += v;
        apart[r] = Math.max(apart[r], v);
      }
      roots += Math.sqrt(v);
      if (v > most) most = v;
    }
    hidden.steps += roots * Math.sqrt(most);
    hidden.lost += others ? (map.lost[q] * seen) / (seen + others) : map.lost[q];
    totals[r] += map.totals[q];
  }
  return hidden;
}
// From sums over the queries of a row to means, and to shares of what is left.
function scaleRow(
  {rows, m, values, totals, hidden, peaks, apart},
  r,
  {left, steps, lost},
  renormalised,
) {
  const count = rows[r].to - rows[r].from;
  const row = values.subarray(r * m, r * m + m);
  let seen = 0;
  for (let c = 0; c < m; c++) seen += row[c] /= count;
  totals[r] /= count;
  const whole = seen + lost / count;
  const rounded = steps / count > 0.25 + (lost ? 0 : seen);
  hidden[r] = rounded && totals[r] > whole ? totals[r] - whole : left / count;
  if (renormalised && seen > 0) {
    for (let c = 0; c < m; c++) row[c] /= whole;
    apart[r] /= whole;
    totals[r] = 1;
    hidden[r] = 0;
  }
  for (let c = 0; c < m; c++) if (row[c] > peaks[r]) peaks[r] = row[c];
}

const raise = (onto, values) =>
  values.forEach((v, i) => {
    if (v > onto[i]) onto[i] = v;
  });
/**
 * The largest of several sheets, cell by cell; they come as functions, so that one is decoded at a
 * time.
 * @param {(() => Sheet)[]} sheets
 * @returns {Sheet}
 */
export function largestOfSheets([first, ...others]) {
  const {hidden, values, peaks, apart, ...sheet} = first();
  const {n, m} = sheet;
  for (const other of others) {
    const {hidden: gone, values: seen, peaks: most, apart: others} = other();
    raise(hidden, gone);
    raise(values, seen);
    raise(peaks, most);
    raise(apart, others);
  }
  const totals = Float64Array.from(
    {length: n},
    (_, r) => summed(values.subarray(r * m, r * m + m)) + hidden[r],
  );
  return {...sheet, values, totals, hidden, peaks, apart, most: Math.max(...peaks)};
}

/**
 * A sheet of differences, cell by cell; it is `signed`, and its peaks are sizes.
 * @param {Sheet} after
 * @param {Sheet} before
 * @returns {Sheet}
 */
export function differenceOf(after, before) {
  const {n, m} = after;
  const minus = name => after[name].map((v, i) => v - before[name][i]);
  const values = minus('values');
  const peaks = Float64Array.from({length: n}, (_, r) =>
    values.subarray(r * m, r * m + m).reduce((most, v) => Math.max(most, Math.abs(v)), 0),
  );
  return {
    ...after,
    values,
    peaks,
    totals: minus('totals'),
    hidden: minus('hidden'),
    most: peaks.reduce((a, b) => Math.max(a, b), 0),
    signed: true,
    parts: [after, before],
  };
}

// ---- sums: what the bytes of a row gained or lost of its total is undone, in each cell as far as
// it may have been rounded
// The largest of a row comes back but for the rounding of its float, see packing.py.
function stepOf({columns, m, values, peaks}, r, c, crest) {
  const {from, to, special} = columns[c];
  const v = values[r * m + c];
  const most = special ? peaks[r] : crest;
  return v < most || to - from > 1 ? Math.sqrt((to - from) * v * most) : v / 16;
}
function leanOf(sheet, r) {
  const {columns, m, values, totals, hidden, apart} = sheet;
  const row = values.subarray(r * m, r * m + m);
  const crest = row.reduce(
    (most, v, c) => (columns[c].special ? most : Math.max(most, v)),
    apart[r],
  );
  const steps = row.reduce((all, _, c) => all + stepOf(sheet, r, c, crest), 0);
  const lean = steps && (totals[r] - hidden[r] - summed(row)) / steps;
  return {crest, lean: Math.max(-0.99, Math.min(1.25, 255 * lean)) / 255};
}
/**
 * A weight as it counts in sums, which then make up the total of its row.
 * @param {Sheet} sheet
 * @param {number} r
 * @param {number} c
 * @returns {number}
 */
export function massOf(sheet, r, c) {
  if (sheet.signed) return massOf(sheet.parts[0], r, c) - massOf(sheet.parts[1], r, c);
  const {crest, lean} = ((sheet.leans ??= [])[r] ??= leanOf(sheet, r));
  return sheet.values[r * sheet.m + c] + lean * stepOf(sheet, r, c, crest);
}
