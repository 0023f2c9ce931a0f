// Where everything stands beside and in the heatmap: up to 60 tokens share one row pitch, more get
// a window in the lines.

import {label} from './labels.js';
import {within} from './zoom.js';

/**
 * @typedef {Object} SideRows how the tokens of a side stand in the lines
 * @property {number} count how many at once
 * @property {number} pitch pixels from one to the next
 * @property {boolean} [fixed] always those from `from` on; else a window moves over them
 * @property {number} [from] the first, from 0
 */

/**
 * @typedef {Object} Plan sizes in pixels
 * @property {number} room across heatmap and lines
 * @property {number} up the names over the heatmap
 * @property {number} high the heatmap, down
 * @property {number} broad the heatmap, across
 * @property {number} pw a cell, across
 * @property {number} ph a cell, down
 * @property {number} q the names of queries
 * @property {number} k the names of keys
 * @property {number} wedge from the heatmap to the window of queries, 0 if they have no window
 * @property {SideRows} query
 * @property {SideRows} key
 * @property {boolean} lens whether not all tokens may be in sight
 * @property {number} height of both, with the names
 * @property {number} width the lines with their names
 * @property {number} x1 where lines begin, from the left of `width`
 * @property {number} x2 where they end
 */

/** @typedef {{from: number, count: number}} TokenWindow tokens of a side in sight, from 0 */

const ROWS = 60;
const WINDOW = 30;
const TALL = 480;
const NUMBER = 46;
const FONT = '600 15px';

const pitchFor = count => Math.max(13, Math.min(28, TALL / count));
// How wide the longest name of a side is, up to `most`.
const widestName = (units, measure, most) =>
  units.reduce((w, unit) => (w >= most ? w : Math.max(w, measure(label(unit, 14), FONT))), 20);
// Rows of the lines for queries: those of the heatmap where names fit, else a window of them.
function queryRows(view, n, high) {
  const pitch = high / view.qn;
  return pitch >= 12.5
    ? {from: view.q0, count: view.qn, pitch, fixed: true}
    : {count: Math.min(n, WINDOW), pitch: high / WINDOW};
}
function keyRows(view, m, high, whole) {
  if (m <= ROWS) return {from: 0, count: m, pitch: whole ?? pitchFor(m), fixed: true};
  const tall = Math.max(high, TALL);
  return view.kn <= 36
    ? {from: view.k0, count: view.kn, pitch: Math.min(28, tall / view.kn), fixed: true}
    : {count: WINDOW, pitch: tall / WINDOW};
}
/**
 * The plan of heatmap and lines.
 * @param {Scene} scene `sheet`, `measure`, `wide` and `view` are read
 * @param {number} room pixels for both
 * @returns {Plan}
 */
export function plan({sheet, measure, wide, view}, room) {
  const {n, m, rows, columns} = sheet;
  const whole = n <= ROWS && m <= ROWS;
  const roomy = wide || room >= 700;
  const most = roomy ? 112 : room < 480 ? 62 : 84;
  const q = Math.min(most, widestName(rows, measure, most)) + 12;
  const widest = widestName(columns, measure, most);
  const k = Math.min(most, widest) + 12;
  const wedge = n > ROWS ? 26 : 0;
  const base = n > ROWS ? TALL / n : pitchFor(whole ? Math.max(n, m) : n);
  const high = base * n;
  const left = room - q - k - NUMBER - wedge - (roomy ? 104 : 66);
  const square = whole || m <= ROWS;
  const broad = Math.max(
    40,
    square
      ? Math.min(m * Math.min(base * 1.1, 30), left)
      : Math.min(left, Math.max((high * m) / n, 200)),
  );
  const query = queryRows(view, n, high);
  const key = keyRows(view, m, high, whole ? base : undefined);
  const lens = n > ROWS || m > ROWS || view.qn < n || view.kn < m;
  const up = Math.max(34, Math.min(86, widest * 0.87 + 14));
  const deep = Math.max(high, query.count * query.pitch, key.count * key.pitch);
  const width = room - broad;
  return {
    room,
    up,
    high,
    broad,
    pw: broad / view.kn,
    ph: high / view.qn,
    q,
    k,
    wedge,
    query,
    key,
    lens,
    height: up + deep + (lens ? 20 : 2),
    width,
    x1: wedge + q,
    x2: width - k - NUMBER,
  };
}
/**
 * The tokens of one side in sight; a window moves only when the cursor leaves it.
 * @param {SideRows} rows
 * @param {number | undefined} before where the window began
 * @param {number} total tokens of the side
 * @param {number} at the cursor's
 * @returns {TokenWindow}
 */
export function windowOf({fixed, from, count}, before, total, at) {
  if (fixed) return {from, count: Math.min(count, total)};
  const middle = at - Math.floor(count / 2);
  const now = before ?? middle;
  const inside = at >= now && at < now + count;
  return {from: within(inside ? now : middle, count, total), count};
}

const slantOf = pw => (pw < 12.7 ? 78 : 60);
/**
 * The angle of the names over the columns, in degrees and in radians.
 * @param {number} pw pixels across a column
 * @returns {{steep: number, angle: number}}
 */
export function slant(pw) {
  const steep = slantOf(pw);
  return {steep, angle: (steep * Math.PI) / 180};
}
/**
 * How far right of the heatmap, at this height over it, the last column's name may reach.
 * @param {number} pw pixels across a column
 * @param {number} height pixels
 * @returns {number} pixels
 */
export const overhang = (pw, height) => 8 - pw / 2 + height / Math.tan(slant(pw).angle);
