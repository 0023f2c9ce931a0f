// Lines over steps: axes, direct labels, marks, cursor. A plot knows where a step and a value
// stand.

import {svg} from './nodes.js';
import {cut, decimals, figures, readable, wrapped} from './texts.js';

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

// ---- a look for each model: colour, dash and marker say the same
const DASHES = ['', '9 4', '11 3 2 3', '5 3', '16 4', '6 2'];
/**
 * How line k looks: colour, dash and marker say the same.
 * @param {Object} tone the palette
 * @param {number} k
 * @returns {{colour: string, dash: string, k: number}}
 */
export const lookOf = (tone, k) => ({colour: tone.cat[[0, 2, 3, 4, 6, 5][k]], dash: DASHES[k], k});
/**
 * The path of marker k around a point.
 * @returns {string}
 */
export function marker(k, x, y, r = 4.5) {
  const a = r * 0.9;
  const b = r * 1.2;
  return [
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    `M${x - a} ${y - a}h${2 * a}v${2 * a}h${-2 * a}z`,
    `M${x} ${y - b}L${x + b} ${y + a}L${x - b} ${y + a}z`,
    `M${x} ${y - b}L${x + b} ${y}L${x} ${y + b}L${x - b} ${y}z`,
    `M${x} ${y + b}L${x + b} ${y - a}L${x - b} ${y - a}z`,
    `M${x - b} ${y - 2}h${b - 2}v${2 - b}h4v${b - 2}h${b - 2}v4h${2 - b}v${b - 2}h-4v${2 - b}h${2 - b}z`,
  ][k];
}

// ---- the plot: `low` and `high` are the values at its edges
/**
 * A plot, which knows where a step and a value stand.
 * @param {Object} box `x0`, `y0`, `width`, `height` in pixels, `T` steps, `low` and `high` the
 * values at its edges
 * @returns {Object} also `X` of a step, `Y` of a value, `stepAt` an x
 */
export function plotOf({x0, y0, width, height, T, low, high}) {
  const inset = T > 1 ? Math.min(10, width / 10) : width / 2;
  const pitch = T > 1 ? (width - 2 * inset) / (T - 1) : width;
  return {
    x0,
    y0,
    width,
    height,
    x1: x0 + width,
    y1: y0 + height,
    T,
    low,
    high,
    pitch,
    X: t => x0 + inset + t * pitch,
    Y: v => y0 + (height * (high - v)) / (high - low),
    stepAt: x => Math.max(0, Math.min(T - 1, Math.round((x - x0 - inset) / pitch))),
  };
}
/**
 * A path through the finite values; what leaves the plot is cut at its edge.
 * @param {Object} plot
 * @param {ArrayLike<number>} values
 * @returns {string}
 */
export function trail(plot, values) {
  const {X, Y, low, high} = plot;
  const pieces = [];
  const tenth = v => Math.round(10 * v) / 10;
  const point = (t, v) => `${tenth(X(t))} ${tenth(Y(v))}`;
  const inside = v => v >= low && v <= high;
  const edge = (t, a, b, end) => point(t + (end - a) / (b - a), end);
  for (let t = 0; t < values.length; t++) {
    const v = values[t];
    const before = values[t - 1];
    const crossed = Number.isFinite(v) && Number.isFinite(before);
    if (crossed && inside(before)) {
      pieces.push('L' + (inside(v) ? point(t, v) : edge(t - 1, before, v, v > high ? high : low)));
    } else if (crossed && (inside(v) || before < low !== v < low)) {
      pieces.push(
        'M' + edge(t - 1, before, v, before > high ? high : low),
        'L' + (inside(v) ? point(t, v) : edge(t - 1, before, v, v > high ? high : low)),
      );
    } else if (inside(v)) pieces.push(`M${point(t, v)}h0.1`);
  }
  return pieces.join('');
}
/**
 * Writes a text at a point.
 * @param {Element} root
 * @param {number} x
 * @param {number} y of its base line
 * @param {string} text
 * @param {string} [kind] its class
 * @param {'start' | 'middle' | 'end'} [anchor] what of it stands at x
 */
export const textAt = (root, x, y, text, kind = '', anchor = 'start') =>
  svg(root, 'text', {x, y, class: kind, 'text-anchor': anchor}, text);
/** A path without a filling. */
export const drawPath = (root, d, attributes) =>
  svg(root, 'path', {d, fill: 'none', 'stroke-linejoin': 'round', ...attributes});
/**
 * A line with its markers; a strong one has a halo of its colour.
 * @param {Element} root
 * @param {Object} plot
 * @param {ArrayLike<number>} values
 * @param {Object} look
 * @param {Object} tone
 * @param {boolean} strong
 */
export function drawLine(root, plot, values, look, tone, strong) {
  const d = trail(plot, values);
  drawPath(
    root,
    d,
    strong
      ? {stroke: look.colour, 'stroke-width': 12, opacity: 0.2}
      : {stroke: tone.bg, 'stroke-width': 4},
  );
  drawPath(root, d, {
    stroke: look.colour,
    'stroke-width': strong ? 3 : 2,
    'stroke-dasharray': look.dash || 'none',
  });
  const every = plot.T <= 24 ? 1 : Math.ceil(plot.T / 9);
  const first = Math.floor((every * look.k) / 6);
  const seen = [];
  const alone = t => !Number.isFinite(values[t - 1]) && !Number.isFinite(values[t + 1]);
  for (let t = 0; t < plot.T; t++) {
    const inside = values[t] >= plot.low && values[t] <= plot.high;
    if (inside && (t % every === first || alone(t))) {
      seen.push(marker(look.k, plot.X(t), plot.Y(values[t]), strong ? 5 : 4));
    }
  }
  svg(root, 'path', {d: seen.join(''), fill: look.colour, stroke: tone.bg, 'stroke-width': 1});
}
/** Slanted lines in a box; a pattern would need an id, and two views on a page share those. */
export function hatch(root, x, y, width, height, stroke, gap = 9) {
  const lines = [];
  for (let s = gap; s < width + height; s += gap) {
    const a = Math.max(0, s - height);
    const b = Math.min(width, s);
    lines.push(
      `M${(x + a).toFixed(1)} ${(y + s - a).toFixed(1)}L${(x + b).toFixed(1)} ${(y + s - b).toFixed(1)}`,
    );
  }
  svg(root, 'path', {d: lines.join(''), fill: 'none', stroke, 'stroke-width': 1, opacity: 0.45});
}
/**
 * First and last index of each run of steps where the test holds.
 * @param {ArrayLike<number>} values
 * @param {(value: number) => boolean} test
 * @returns {[number, number][]}
 */
export function stretches(values, test) {
  const found = [];
  values.forEach((v, t) => {
    if (!test(v)) return;
    if (found.at(-1)?.[1] === t - 1) found.at(-1)[1] = t;
    else found.push([t, t]);
  });
  return found;
}

// ---- axes
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
  for (const v of at) {
    if (v < plot.low - 1e-9 || v > plot.high + 1e-9) continue;
    const y = plot.Y(v);
    const right = side === 'right';
    svg(root, 'line', {x1: plot.x0, x2: plot.x1, y1: y, y2: y, stroke: tone.rule});
    svg(
      root,
      'text',
      {
        x: right ? plot.x1 + 8 : plot.x0 - 8,
        y: y + 4,
        class: 'mono soft',
        'text-anchor': right ? 'start' : 'end',
      },
      text(v),
    );
  }
}
/**
 * How tokens stand under a plot: flat if they fit, else slanted; the height that takes.
 * @param {string[] | null} tokens
 * @param {number} pitch pixels from step to step
 * @returns {{height: number, most?: number, slanted?: boolean}}
 */
export function tokenRoom(tokens, pitch, measure) {
  if (!tokens) return {height: 20};
  const most = Math.max(
    28,
    Math.min(96, Math.max(...tokens.map(token => measure(readable(token, 24), '12px mono')))),
  );
  return most + 8 <= pitch
    ? {most: pitch - 6, height: 20}
    : {most, height: 22 + most * 0.71, slanted: true};
}
/**
 * Steps or tokens under the plot, that of the cursor always.
 * @param {Element} root
 * @param {Object} plot
 * @param {Object} scene `tokens`, the cursor `t`, their `room`, the width `W`, `measure`, `tone`
 */
export function xAxis(root, plot, {tokens, t, room, W, measure, tone}) {
  const y = plot.y1 + 18;
  const every = tokens ? Math.ceil((room.slanted ? 15 : 1) / plot.pitch) : 0;
  const round = tokens
    ? null
    : ticks(1, plot.T, Math.max(2, plot.width / 56), 1).at.map(v => Math.max(1, v));
  const label = k =>
    tokens
      ? cut(tokens[k], Math.min(room.most, room.slanted ? plot.X(k) / 0.72 : room.most), text =>
          measure(text, '12px mono'),
        )
      : String(k + 1);
  const steps = tokens ? tokens.keys() : new Set(round.map(v => v - 1));
  const near = tokens && !room.slanted ? 0 : tokens ? 14 : 26;
  const tick = (x, text, kind) => {
    const half = measure(text, '12px mono') / 2 + 1;
    const at = Math.max(half, Math.min(W - half, x));
    const place = room.slanted
      ? {'text-anchor': 'end', transform: `translate(${x + 4} ${y - 4}) rotate(-45)`}
      : {x: at, y, 'text-anchor': 'middle'};
    svg(root, 'text', {...place, class: `mono ${kind}`}, text);
  };
  svg(root, 'line', {x1: plot.x0, x2: plot.x1, y1: plot.y1, y2: plot.y1, stroke: tone.soft});
  for (const k of steps) {
    if (k >= plot.T || k === t || (tokens && k % every) || Math.abs(plot.X(k) - plot.X(t)) < near) {
      continue;
    }
    tick(plot.X(k), label(k), 'soft');
  }
  tick(plot.X(t), label(t), 'hot');
}

// ---- marks: a dashed line with its text, in as many rows as they need; returns those rows
/**
 * Where marks stand: a dashed line each, its text above it in as many rows as they need.
 * @param {[number, string][]} marks step from 1, and text
 * @returns {{x: number, from: number, label: string, row: number}[]}
 */
export function markRows(marks, plot, measure) {
  const ends = [];
  return marks.map(([step, text]) => {
    const bold = text => measure(text, '700 12px');
    const label = cut(text, plot.width, bold, 120);
    const width = bold(label);
    const x = plot.X(step - 1);
    const from = Math.max(plot.x0, Math.min(plot.x1 - width, x - width / 2));
    const free = ends.findIndex(end => end + 10 < from);
    const row = free < 0 ? ends.length : free;
    ends[row] = from + width;
    return {x, from, label, row};
  });
}
/** Draws what `markRows` placed. */
export function drawMarks(root, plot, rows, tone) {
  const above = row => plot.y0 - 10 - 17 * row;
  for (const {x, row} of rows) {
    svg(root, 'line', {
      x1: x,
      x2: x,
      y1: above(row) + 4,
      y2: plot.y1,
      stroke: tone.ink,
      'stroke-width': 1.5,
      'stroke-dasharray': '5 4',
    });
  }
  for (const {from, label, row} of rows) {
    svg(root, 'text', {x: from, y: above(row), class: 'strong halo'}, label);
  }
}

// ---- cursor: a line through the plot and a dot on every curve
/** A line through the plot and a dot on every curve. */
export function drawCursor(root, plot, t, lines, looks, tone) {
  const x = plot.X(t);
  svg(root, 'line', {
    x1: x,
    x2: x,
    y1: plot.y0,
    y2: plot.y1 + 5,
    stroke: tone.focus,
    'stroke-width': 2,
  });
  lines.forEach((values, k) => {
    if (!(values[t] >= plot.low && values[t] <= plot.high)) return;
    svg(root, 'path', {
      d: marker(looks[k].k, x, plot.Y(values[t]), 6.5),
      fill: looks[k].colour,
      stroke: tone.focus,
      'stroke-width': 2.5,
    });
  });
}

// ---- direct labels: a name and what is to be read below it, as near to the line's end as they fit
/**
 * The width of direct labels: a name and what is to be read below it.
 * @param {{name: string, more: [string, string][], y: number, joined: boolean, look: Object,
 * strong: boolean}[]} entries `more` are texts and their classes; a `joined` line ends at that side
 * @returns {number}
 */
export function labelWidth(entries, measure, most) {
  return (
    Math.ceil(
      Math.max(
        ...entries.flatMap(({name, more}) => [
          Math.min(most, measure(readable(name), '700 12px')),
          ...more.map(([text]) => measure(text, '12px mono')),
        ]),
      ),
    ) + 34
  );
}
/**
 * Labels as near to their lines' ends as they fit.
 * @param {'left' | 'right'} side of the plot
 * @returns {(x: number, y: number) => number | undefined} whose label lies under a point
 */
export function directLabels(root, plot, entries, side, room, measure) {
  const left = side === 'left';
  const edge = left ? plot.x0 : plot.x1;
  const away = left ? -1 : 1;
  const boxes = labelBoxes(plot, entries, room, text => measure(text, '700 12px'));
  for (const box of boxes) drawLabel(root, box, edge, away);
  return (x, y) =>
    (x - edge) * away > 4 && (x - edge) * away < room
      ? boxes.find(box => y >= box.top && y < box.top + box.size)?.look.k
      : undefined;
}
// Boxes as near to their lines' ends as they fit, from the top, then from the bottom.
function labelBoxes(plot, entries, room, bold) {
  const high = lines => 16 * lines + 8;
  const least = entries.reduce((sum, {more}) => sum + high(2 + more.length), 0);
  const tight = least > plot.height + 44;
  const boxes = entries
    .map(entry => {
      const lines = nameLines(entry.name, room - 34, bold, tight);
      return {...entry, lines, size: high(lines.length + entry.more.length)};
    })
    .sort((a, b) => a.y - b.y);
  let top = plot.y0 - 10;
  for (const box of boxes) {
    box.top = Math.max(top, box.y - box.size / 2);
    top = box.top + box.size;
  }
  let bottom = plot.y1 + 34;
  for (const box of boxes.toReversed()) {
    box.top = Math.min(box.top, bottom - box.size);
    bottom = box.top;
  }
  return boxes;
}
// A name in two lines at most, in one where there is little room.
function nameLines(name, room, bold, tight) {
  if (tight) return [cut(name, room, bold)];
  const lines = wrapped(readable(name), room, bold);
  return lines.length > 2 ? [lines[0], cut(lines.slice(1).join(''), room, bold)] : lines;
}
function drawLabel(root, {look, lines, more, strong, joined, top, y: end}, edge, away) {
  const y = top + 14;
  const anchor = away < 0 ? 'end' : 'start';
  if (joined) {
    const d = `M${edge} ${end}L${edge + away * 14} ${y - 4}`;
    svg(root, 'path', {d, fill: 'none', stroke: look.colour, 'stroke-width': 1});
  }
  svg(root, 'path', {d: marker(look.k, edge + away * 20, y - 4), fill: look.colour});
  const texts = [
    ...lines.map(text => [text, strong ? 'strong' : '']),
    ...more.map(([text, kind]) => [text, `mono ${kind}`]),
  ];
  texts.forEach(([text, kind], k) => {
    const place = {x: edge + away * 30, y: y + 16 * k, 'text-anchor': anchor, class: kind};
    svg(root, 'text', place, text);
  });
}
/**
 * The same entries in rows over a narrow plot; without a root it only says how high they get.
 * @returns {{height: number, hit: (x: number, y: number) => number | undefined}}
 */
export function labelRows(root, entries, width, y, measure, tone) {
  let x = 0;
  let row = 0;
  const boxes = entries.map(entry => {
    const more = entry.more.map(([text]) => text).join('  ');
    const name = cut(entry.name, width - 60 - measure(more, '12px mono'), text =>
      measure(text, '700 12px'),
    );
    const wide = measure(name, entry.strong ? '700 12px' : '12px');
    const size = 38 + wide + 8 + measure(more, '12px mono') + 14;
    if (x && x + size > width) {
      x = 0;
      row += 1;
    }
    const box = {entry, name, wide, x, y: y + 22 * row, size};
    x += size;
    return box;
  });
  for (const {
    entry: {look, more, strong},
    name,
    wide,
    x,
    y,
  } of root ? boxes : []) {
    svg(root, 'path', {
      d: `M${x} ${y + 10}h28`,
      stroke: look.colour,
      'stroke-width': strong ? 3.5 : 2,
      'stroke-dasharray': look.dash || 'none',
      fill: 'none',
    });
    svg(root, 'path', {d: marker(look.k, x + 14, y + 10), fill: look.colour, stroke: tone.bg});
    svg(root, 'text', {x: x + 34, y: y + 14, class: strong ? 'strong' : ''}, name);
    const text = svg(root, 'text', {x: x + 42 + wide, y: y + 14, class: 'mono'});
    more.forEach(([part, kind], k) =>
      svg(text, 'tspan', {class: kind}, (k ? '\u00a0\u00a0' : '') + part),
    );
  }
  return {
    height: 22 * (row + 1) + 4,
    hit: (px, py) =>
      boxes.find(box => py >= box.y && py < box.y + 22 && px >= box.x && px < box.x + box.size)
        ?.entry.look.k,
  };
}
