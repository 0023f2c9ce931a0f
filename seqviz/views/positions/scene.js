// A table of positions as numbers: its rows, the matrix of a shift, and where each pane stands.

import {plotOf} from '../shared/chart.js';
import {phrase} from '../shared/nodes.js';
import {decimals, readable} from '../shared/texts.js';

/**
 * @typedef {Object} Table positions, dimensions and pairs count from 0, shifts from 1
 * @property {string} label
 * @property {number} n positions
 * @property {number} d dimensions
 * @property {number} pairs pair i has the dimensions 2i and 2i + 1
 * @property {number} shifts the largest
 * @property {Float32Array} wholes what the matrices of each shift miss, all pairs together
 * @property {(position: number, dimension: number) => number} at
 * @property {(shift: number, pair: number) => number} error what the pair's matrix misses, a share
 * @property {(shift: number, pair: number) => Float32Array} matrix (2, 2), as row @ matrix
 * @property {(position: number) => Float32Array} row
 * @property {number} most the largest size of an entry, 1 if all are 0
 */

/**
 * @typedef {Object} TablePlan in pixels; a plot is of chart.js
 * @property {Object} map the plot of the heat map, with the dimensions downwards
 * @property {Object} waves the plot of the pair's curves
 * @property {Object} alike the plot of the similarity
 * @property {number[][]} curves the two dimensions of the pair, at each position
 * @property {number[]} similar the cosine with each position
 * @property {{x: number, y: number, size: number}} panel where the pair's own begins, its width
 * @property {number} total the height of it all
 * @property {number} end that of the panes
 */

// A table from the rows of numbers that values.py packs.
function tableOf(label, n, [rows, matrices, errors, wholes]) {
  const d = rows.length / n;
  const pairs = d / 2;
  return {
    label,
    n,
    d,
    pairs,
    wholes,
    shifts: wholes.length,
    at: (position, dimension) => rows[position * d + dimension],
    error: (shift, pair) => errors[(shift - 1) * pairs + pair],
    matrix: (shift, pair) =>
      matrices.subarray(4 * ((shift - 1) * pairs + pair), 4 * ((shift - 1) * pairs + pair + 1)),
    row: position => rows.subarray(position * d, (position + 1) * d),
    most: rows.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1,
  };
}
/**
 * The table that is chosen, of the point on screen.
 * @param {GridScene & {label: string}} scene
 * @returns {Table}
 */
export const shownTable = ({facts, point, label}) =>
  tableOf(label, point.T, point.models[facts.models.indexOf(label)]);
/**
 * A value of each position.
 * @template Value
 * @param {Table} table
 * @param {(position: number) => Value} value
 * @returns {Value[]}
 */
export const everyPosition = (table, value) =>
  Array.from({length: table.n}, (_, position) => value(position));
const curveOf = (table, dimension) =>
  everyPosition(table, position => table.at(position, dimension));

const product = (a, b) => a.reduce((sum, v, k) => sum + v * b[k], 0);
/** Cosine of a position's row with each row; 0 for a row of zeros. */
export function similarities(table, position) {
  const own = table.row(position);
  return everyPosition(table, other => {
    const row = table.row(other);
    const size = Math.sqrt(product(row, row) * product(own, own));
    return size ? product(own, row) / size : 0;
  });
}
/**
 * Where the shift's matrix puts the pair of a position.
 * @param {Table} table
 * @param {number} position
 * @param {number} pair
 * @param {number} shift
 * @returns {[number, number]}
 */
export function shiftedPair(table, position, pair, shift) {
  const [a, b, c, d] = table.matrix(shift, pair);
  const x = table.at(position, 2 * pair);
  const y = table.at(position, 2 * pair + 1);
  return [x * a + y * c, x * b + y * d];
}

/**
 * How much of the rows the matrices of a shift miss.
 * @param {TableScene} scene `table` and `shift` are read
 * @returns {(string | Object)[]} pieces
 */
export function tableSentence({table, shift}) {
  const miss = decimals(100 * table.wholes[shift - 1], 0);
  const matrix = `${readable(table.label)}: the matrix for “${shift} later”`;
  return phrase`${matrix} misses the half it was not fitted on by ${{b: `${miss} %`}}.`;
}

const TABLE = {left: 46, gap: 34, side: 212, head: 20, curves: 80, similar: 60, foot: 34};
/**
 * Three panes over the same positions; the pair's own panel beside or below them.
 * @param {Table} table
 * @param {number} t the position in focus
 * @param {number} pair
 * @param {number} W pixels
 * @returns {TablePlan}
 */
export function tablePlan(table, t, pair, W) {
  const beside = W >= 640;
  const width = W - TABLE.left - (beside ? TABLE.side + TABLE.gap : 8);
  const heat = Math.max(128, Math.min(176, 6 * table.d));
  const pane = (y0, height, low, high) =>
    plotOf({x0: TABLE.left, y0, width, height, T: table.n, low, high});
  const curves = [curveOf(table, 2 * pair), curveOf(table, 2 * pair + 1)];
  const similar = similarities(table, t);
  const most = Math.max(...curves.flat().map(Math.abs)) * 1.1 || 1;
  const map = pane(TABLE.head, heat, table.d, 0);
  const waves = pane(map.y1 + TABLE.head + 8, TABLE.curves, -most, most);
  const least = Math.min(0, ...similar) * 1.05;
  const alike = pane(waves.y1 + TABLE.head + 8, TABLE.similar, least, 1.05);
  const axis = alike.y1 + TABLE.foot;
  const corner = beside ? {x: W - TABLE.side, y: 0} : {x: TABLE.left, y: axis + 12};
  const panel = {...corner, size: TABLE.side};
  const total = beside ? Math.max(axis, panelHeight) : panel.y + panelHeight;
  return {map, waves, alike, curves, similar, panel, total, end: beside ? total : axis};
}
/** Pixels down the parts of the pair's panel: heading, plane, bars. */
export const PANEL = {head: 20, plane: 176, bars: 62};
const panelHeight = PANEL.head + PANEL.plane + 112 + PANEL.bars + 20;
