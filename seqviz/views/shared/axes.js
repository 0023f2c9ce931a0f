// Axes of a plot: round numbers along a side, steps or tokens under it.

import {lineTo, textAt} from './marks.js';
import {svg} from './nodes.js';
import {cut, decimals, figures, readable} from './texts.js';

/**
 * Round numbers that reach from low to high; equal ends get some room.
 * @param {number} low
 * @param {number} high
 * @param {number} most how many gaps
 * @param {number} [least] the smallest gap
 * @returns {{gap: number, at: number[]}}
 */
export function ticks(low, high, most, least = 0) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= size * 1e-5) {
    [low, high] = [low - (size / 10 || 0.5), high + (size / 10 || 0.5)];
  }
  const rough = Math.max((high - low) / most, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const gap = [1, 2, 5, 10].map(k => k * power).find(gap => gap >= rough * 0.999);
  const from = Math.floor(low / gap + 1e-6);
  const to = Math.ceil(high / gap - 1e-6);
  return {gap, at: Array.from({length: Math.max(2, to - from + 1)}, (_, k) => (from + k) * gap)};
}
/**
 * A tick in words, with as many decimals as its gap needs.
 * @param {number} value
 * @param {number} gap
 * @returns {string}
 */
export function tickText(value, gap) {
  if (Math.abs(value) >= 1e6 || gap < 1e-5) return value ? figures(value) : '0';
  return decimals(value, Math.max(0, Math.ceil(-Math.log10(gap) - 1e-9)));
}
/**
 * Ticks for logarithms: whole powers of ten, or 1, 2 and 5 times one where those are too coarse.
 * @returns {number[]} logarithms
 */
export function powers(low, high, most) {
  if (high - low > 1.5) return ticks(low, high, most, 1).at;
  const at = [];
  for (let power = Math.floor(low); power <= Math.ceil(high) + 1; power++) {
    at.push(power, power + Math.log10(2), power + Math.log10(5));
  }
  const from = at.findLastIndex(v => v <= low + 1e-9);
  const to = at.findIndex(v => v >= high - 1e-9);
  return at.slice(from, Math.max(to, from + 1) + 1);
}
/**
 * A power of ten in words.
 * @param {number} log
 * @returns {string}
 */
export function powerText(log) {
  if (Math.abs(log) > 300) return `1e${Math.round(log)}`.replace('-', '−');
  const value = Number((10 ** log).toPrecision(1));
  return Math.abs(log) < 3.5
    ? String(value)
    : value.toExponential(0).replace('+', '').replace('-', '−');
}

/**
 * Ticks of the values with lines through the plot.
 * @param {Element} root
 * @param {Object} plot
 * @param {number[]} at
 * @param {(value: number) => string} text
 * @param {Object} tone
 * @param {'left' | 'right'} [side]
 */
export function yAxis(root, plot, at, text, tone, side) {
  const [x, anchor] = side === 'right' ? [plot.x1 + 8, 'start'] : [plot.x0 - 8, 'end'];
  for (const v of at) {
    if (v < plot.low - 1e-9 || v > plot.high + 1e-9) continue;
    const y = plot.Y(v);
    lineTo(root, [plot.x0, y], [plot.x1, y], {stroke: tone.rule});
    textAt(root, x, y + 4, text(v), 'mono soft', anchor);
  }
}
const monoWidth = measure => text => measure(text, '12px mono');
/**
 * How tokens stand under a plot: flat if they fit, else slanted; the height that takes.
 * @param {string[] | null} tokens
 * @param {number} pitch pixels from step to step
 * @returns {{height: number, most?: number, slanted?: boolean}}
 */
export function tokenRoom(tokens, pitch, measure) {
  if (!tokens) return {height: 20};
  const widest = Math.max(...tokens.map(token => monoWidth(measure)(readable(token, 24))));
  const most = Math.max(28, Math.min(96, widest));
  return most + 8 <= pitch
    ? {most: pitch - 6, height: 20}
    : {most, height: 22 + most * 0.71, slanted: true};
}
/**
 * Steps or tokens under the plot, that of the cursor always.
 * @param {Element} root
 * @param {Object} plot
 * @param {Object} scene `tokens`, the cursor `t`, their `room`, `free`, the pixels across that they
 * may take, `measure`, `tone`
 */
export function xAxis(root, plot, {tokens, t, room, free, measure, tone}) {
  const {steps, near, label} = tokens
    ? tokenTicks(tokens, {plot, room, measure, free, t})
    : numberTicks(plot);
  const y = plot.y1 + 18;
  const slanted = x => ({
    'text-anchor': 'end',
    transform: `translate(${x + 4} ${y - 4}) rotate(-45)`,
  });
  const tick = (k, kind) => {
    const x = plot.X(k);
    const text = label(k);
    const half = monoWidth(measure)(text) / 2 + 1;
    const flat = {
      x: Math.max(free[0] + half, Math.min(free[1] - half, x)),
      y,
      'text-anchor': 'middle',
    };
    svg(root, 'text', {...(room.slanted ? slanted(x) : flat), class: `mono ${kind}`}, text);
  };
  lineTo(root, [plot.x0, plot.y1], [plot.x1, plot.y1], {stroke: tone.soft});
  const clear = k => k < plot.T && k !== t && Math.abs(plot.X(k) - plot.X(t)) >= near;
  for (const k of steps.filter(clear)) tick(k, 'soft');
  tick(t, 'hot');
}
// Which steps have their token, how near to the cursor none may stand, what stands there.
function tokenTicks(tokens, {plot, room: {slanted, most}, measure, free: [from, to], t}) {
  const every = Math.ceil((slanted ? 15 : 1) / plot.pitch);
  // one at an edge moves inward, to where its neighbour may begin
  const room = k =>
    slanted
      ? Math.min(most, plot.X(k) / 0.72)
      : Math.min(most, Math.min(plot.X(k) - from, to - plot.X(k)) + most / 2 - 2);
  const wide = k => text => measure(text, k === t ? '700 12px mono' : '12px mono');
  return {
    steps: [...tokens.keys()].filter(k => k % every === 0),
    near: slanted ? 14 : 0,
    label: k => cut(tokens[k], room(k), wide(k)),
  };
}
function numberTicks(plot) {
  const round = ticks(1, plot.T, Math.max(2, plot.width / 56), 1).at;
  return {
    steps: [...new Set(round.map(v => Math.max(1, v) - 1))],
    near: 26,
    label: k => String(k + 1),
  };
}
