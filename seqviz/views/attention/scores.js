// Scores of heads, as scores.py has them: means over the rows on screen.

import {decoded, leaving} from './packing.js';
import {axesOnScreen, ending, sheetOf, stateOf} from './shown.js';
import {firstLargest, linksOf, summed} from './weights.js';

const SHIFTS = {previous: -1, itself: 0, next: 1};
const STATES = ['shown', 'hidden', 'renormalised'];

/** The scores that make sense for a kind. */
export function scoreNames({self, causal, queries, specialKeys, gold}) {
  const near = causal ? ['previous', 'itself'] : Object.keys(SHIFTS);
  return [
    'entropy',
    ...(self && queries.length > 1 ? near : []),
    'first',
    ...(specialKeys.length ? ['special'] : []),
    ...(gold ? ['error'] : []),
  ];
}
/**
 * The tables of a kind in each state of its screen.
 * @param {Kind} kind
 * @param {Float32Array[][]} maps of each layer's heads, (queries, keys)
 * @returns {[string, Float32Array][]} how the name of a table ends, and (score, layer, head)
 */
export function scoreTables(kind, maps) {
  const screens = [false, true].flatMap(words =>
    STATES.map(specials => stateOf(kind, {words, specials, between: 'all'})),
  );
  const different = new Map(screens.map(screen => [ending(screen), screen]));
  return [...different].map(([name, screen]) => [name, tableOn(screen, kind, maps)]);
}
function tableOn(screen, kind, maps) {
  const axes = axesOnScreen(kind, screen);
  const heads = maps.flat().map(values => scoresOf(values, kind, axes, screen));
  const names = scoreNames(kind);
  return Float32Array.from(names.flatMap(name => heads.map(scores => scores[name])));
}
function scoresOf(weights, kind, axes, screen) {
  const bytes = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
  const map = decoded(bytes, kind, 'full');
  const sheet = sheetOf(map, kind, axes, false);
  const {n, m, values, columns} = sheet;
  const row = r => values.subarray(r * m, r * m + m);
  const totals = Float64Array.from({length: n}, (_, r) => summed(row(r)));
  const scaled = screen.specials === 'renormalised';
  const share = (r, c) => row(r)[c] / (scaled ? totals[r] : 1);
  const special = totals.map((_, r) =>
    row(r).reduce((sum, v, c) => (columns[c].special ? sum + v : sum), sheet.hidden[r]),
  );
  const scores = {
    entropy: meanOver(totals, r => entropyOf(row(r), totals[r])),
    first: meanOver(totals, r => share(r, 0)),
    special: meanOver(
      special.map((v, r) => v + (leaves(kind) ? totals[r] : 0)),
      r => special[r],
    ),
  };
  if (kind.gold) scores.error = errorOf(sheet, linksOf(kind.gold, axes));
  for (const [name, shift] of Object.entries(kind.self ? SHIFTS : {})) {
    const some = [...totals.keys()].filter(r => r + shift >= 0 && r + shift < m);
    scores[name] = meanOver(
      some.map(r => totals[r]),
      k => share(some[k], some[k] + shift),
    );
  }
  return scores;
}
const leaves = ({keys, specialKeys}) => leaving(keys, specialKeys).length > 0;
// The mean over the rows whose total is above 0; 0 without any.
function meanOver(totals, of) {
  const rows = [...totals.keys()].filter(r => totals[r] > 0);
  return rows.reduce((sum, r) => sum + of(r), 0) / Math.max(rows.length, 1);
}
// The entropy of a row in bits, scaled to 1 first.
function entropyOf(row, total) {
  let sum = 0;
  for (const v of row) if (v > 0) sum -= (v / total) * Math.log2(v / total);
  return Math.max(sum, 0);
}
// The alignment error rate 1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003, section 6), of
// the link of each query to its strongest key.
function errorOf({rows, columns, n, m, values}, gold) {
  const links = [];
  for (let r = 0; r < n; r++) {
    const weights = values.subarray(r * m, r * m + m);
    const column = firstLargest(weights);
    const plain = !rows[r].special && !columns[column].special;
    if (plain && weights[column] > 0) links.push([r, column]);
  }
  const sure = gold.filter(link => link.sure);
  const right = known =>
    links.filter(([r, c]) => known.some(link => link.row === r && link.column === c));
  const size = links.length + sure.length;
  return size ? 1 - (right(sure).length + right(gold).length) / size : 0;
}
