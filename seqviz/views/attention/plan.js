// The layout rule: from a width and a height to places. The map first, then whatever still fits.

import {cellAt} from './cursor.js';
import {label} from './labels.js';
import {around, isZoomed, viewOf} from './zoom.js';

/**
 * @typedef {Object} SideRows the tokens of a side in the lines
 * @property {number} from the first, from 0
 * @property {number} count how many
 * @property {number} pitch pixels from one to the next
 */

/**
 * @typedef {Object} Plan sizes in pixels
 * @property {boolean} stack what is chosen stands under the map
 * @property {boolean} tabs there is room for the heads or for the lines, by a switch
 * @property {boolean} lines whether lines are drawn
 * @property {boolean} texts whether both texts are drawn
 * @property {boolean} heads whether heads and list are drawn
 * @property {MapView} view what of the sheet is in sight
 * @property {boolean} lens whether a map in little stands beside, as the whole is too fine to read
 * @property {number} up the names over the map
 * @property {number} cell a side of a cell
 * @property {number} broad the map, across
 * @property {number} high the map, down
 * @property {number} q the names of queries, right of the map
 * @property {number} k the names of keys
 * @property {number} main the map with the names of queries, and the lines where they stand beside
 * @property {number} width the lines
 * @property {number} top over the lines
 * @property {number} x1 where lines begin, from the left of `width`
 * @property {number} x2 where they end
 * @property {SideRows} query
 * @property {SideRows} key
 * @property {number} deep the lines, down
 * @property {number} side heads and list, across
 * @property {number} words both texts, across
 * @property {number} tile the most that a thumbnail takes, across and down
 * @property {number} fall the most that the heads take, down
 * @property {number} rows of the list
 */

const EM = 14;
const em = count => Math.round(EM * count);
const QUERY = 72; // with room for the heading beside slanted names
const NAME_FONT = '600 15px';
const FIGURE = em(3);
const ASIDE = em(1.5);
const CAPTION = 28;
const PROMISE = 360; // of the map, or 60 % of the width
const BESIDE = em(19); // the least of heads and list
const CURVES = em(6.5); // the least that shows where lines go
const WINDOWED = 40; // tokens whose cells are at least one em
const ROW = 23; // of the list

// How wide the longest name of a side is.
const widest = (units, measure, most) =>
  units.reduce((w, unit) => (w >= most ? w : Math.max(w, measure(label(unit, 14), NAME_FONT))), 28);

/**
 * The plan of the map, its lines, the heads and the list.
 * @param {Scene} scene `sheet`, `kind`, `single`, `beside`, `zoom`, `A` and `measure` are read
 * @param {{width: number, height: number, folded: boolean, low: boolean}} size the room for all;
 * `folded` leaves the map and its lines, `low` tells a low window
 * @returns {Plan}
 */
export function plan(scene, size) {
  const {sheet, measure} = scene;
  const most = size.width < 480 ? em(4.5) : em(7.5);
  const names = {
    q: Math.max(QUERY, Math.min(most, widest(sheet.rows, measure, most)) + 18),
    k: Math.min(most, widest(sheet.columns, measure, most)) + 16,
  };
  const rise = size.height < 420 ? 64 : 88;
  const up = Math.max(34, Math.min(rise, widest(sheet.columns, measure, rise) * 0.87 + 12));
  const map = mapPlan(scene, size, {...names, up});
  const panes = panesOf(scene, size, {...names, ...map});
  const lines = linesPlan(size, {...names, ...map, ...panes, up});
  const side = sidePlan(scene, size, {...map, ...panes, up});
  return {up, ...names, ...map, ...panes, ...lines, ...side};
}
const BOTH_TEXTS = em(19); // the least of both texts
const linesLeast = ({k}) => CURVES + k + FIGURE;
// Square cells of whole pixels, unless that would break the promise.
function mapPlan({sheet, single, zoom, A}, {width, height, folded}, {q, k, up}) {
  const least = Math.min(PROMISE, 0.6 * width);
  const others = single || folded ? linesLeast({k}) : em(21);
  const stack = width < least + q + ASIDE + (single ? linesLeast({k}) : BESIDE);
  const roomHigh = Math.max(least, height - CAPTION - up);
  const free = width - q - (stack ? 0 : ASIDE + others);
  const roomWide = Math.max(least, Math.min(1.25 * roomHigh, free));
  const readable = Math.max(8, Math.floor(Math.min(roomWide, roomHigh) / EM));
  const lens = Math.max(sheet.n, sheet.m) > WINDOWED;
  const count = zoom?.count ?? (lens ? readable : Infinity);
  const cell = A.at < 0 ? {row: 0, column: 0} : cellAt(A);
  const view = viewOf(sheet, zoom ? {...zoom, count} : around(Math.min(count, 1e6), cell));
  const whole = Math.max(view.qn, view.kn);
  const exact = Math.min(roomWide / view.kn, roomHigh / view.qn);
  const side = Math.floor(exact) * whole >= least ? Math.floor(exact) : exact;
  return {
    stack,
    view,
    lens: lens || isZoomed(view, sheet),
    cell: side,
    broad: side * view.kn,
    high: side * view.qn,
  };
}
// Two of heads, lines and both texts beside the map only where they fit; else one, by a switch.
function panesOf({single, kind, beside, facts}, {width, folded}, {q, k, stack, broad}) {
  if (facts.second) return panesOfTexts({single, kind, beside}, {width, folded}, {q, stack, broad});
  const rest = width - broad - q;
  const least = leastOf(kind, single);
  const curves = linesLeast({k});
  const both = !stack && !folded && rest >= curves + ASIDE + least;
  const wanted = beside === 'texts' ? '' : beside;
  const one = wanted || (single ? 'lines' : 'heads');
  const side = both
    ? Math.max(least, Math.min(em(30), rest - ASIDE - curves - em(4)))
    : rest - ASIDE;
  const lines = folded || both || one === 'lines';
  const main = both ? width - side - ASIDE : lines || stack ? width : broad + q;
  const heads = !folded && (both || one === 'heads');
  const panes = {tabs: !folded && !both, lines, heads, texts: false};
  return {...panes, side: stack ? width : side, words: 0, main};
}
function panesOfTexts({single, kind, beside}, {width, folded}, {q, stack, broad}) {
  const rest = width - broad - q - ASIDE;
  const least = leastOf(kind, single);
  const one = beside || 'texts';
  const both = !stack && !folded && one !== 'lines' && rest >= BOTH_TEXTS + ASIDE + least;
  const side = both ? Math.max(least, Math.min(em(30), rest - ASIDE - BOTH_TEXTS)) : rest;
  const lines = one === 'lines';
  return {
    tabs: !folded,
    lines,
    heads: both || one === 'heads',
    texts: both || one === 'texts',
    side: stack ? width : side,
    words: stack ? width : both ? rest - side - ASIDE : rest,
    main: lines || stack ? width : broad + q,
  };
}
const leastOf = (kind, single) => em(kind.heads > 8 ? 23 : single ? 15 : 18);
function linesPlan({width: all, height}, {stack, main, broad, high, cell, view, q, k, up, lines}) {
  const width = stack ? all : main - broad - q;
  const room = Math.max(high, height - CAPTION - up);
  const pitch = Math.max(high / view.kn, Math.min(16, room / view.kn));
  return {
    width,
    top: stack ? 26 : up,
    x1: stack ? q : 0,
    x2: width - k - FIGURE,
    query: {from: view.q0, count: view.qn, pitch: cell},
    key: {from: view.k0, count: view.kn, pitch},
    deep: lines ? Math.max(high, pitch * view.kn) : high,
  };
}
// The grid takes what the list and the map in little leave.
function sidePlan({kind, single}, {height, low}, {stack, up, high, side, lens}) {
  const tall = stack ? em(36) : Math.max(height, CAPTION + up + high);
  const small = lens ? miniOf(kind) + 12 : 0;
  const deep = kind.layers > 8;
  const words = single ? 0 : 64; // title and controls of the heads
  const left = tall - words - 40 - small - (deep || lens ? 3 : 5) * ROW;
  const across = Math.floor((side - 58) / (kind.heads + 1)) - 2;
  const down = Math.floor((left - 30) / (kind.layers + 1)) - 2;
  const tile = Math.max(4, Math.min(em(2.9), across, Math.max(em(1.1), down)));
  const grid = single ? 0 : 30 + (kind.layers + 1) * (tile + 2);
  const rows = Math.floor((tall - words - 40 - small - grid) / ROW);
  return {tile, fall: Math.max(160, left), rows: Math.max(3, Math.min(stack && low ? 3 : 7, rows))};
}
/**
 * A side of the map in little.
 * @param {Kind} kind `layers` is read
 * @returns {number} pixels
 */
export const miniOf = ({layers}) => em(layers > 8 ? 5.6 : 7.6);

/**
 * The angle of the names over the columns, in degrees and in radians.
 * @param {number} cell pixels across a column
 * @returns {{steep: number, angle: number}}
 */
export function slant(cell) {
  const steep = cell < 12.7 ? 78 : 60;
  return {steep, angle: (steep * Math.PI) / 180};
}
/**
 * How far right of the map, at this height over it, the last column's name may reach.
 * @param {number} cell pixels across a column
 * @param {number} height pixels
 * @returns {number} pixels
 */
export const overhang = (cell, height) => 8 - cell / 2 + height / Math.tan(slant(cell).angle);
