// The lines of a head: queries left, keys right, a curve for each weight; beyond 60 tokens a window
// around the cursor.

import {svg, wrapped} from '../shared/base.js';
import {limitText} from './controls.js';
import {fitted} from './labels.js';
import {pen, sized} from './panes.js';
import {overhang} from './plan.js';
import {numberOf, unitOf} from './weights.js';

const LEAST_CHANGE = 0.001; // that has digits
const READ = 0.01; // the least weight that is written beside its line

const lineScene = (place, windows) => {
  const y = (side, at) => place.up + (at - windows[side].from + 0.5) * place[side].pitch;
  const seen = (side, at) =>
    at >= windows[side].from && at < windows[side].from + windows[side].count;
  return {...windows, y, seen};
};
/**
 * The lines of all weights in the windows with names and gold links, painted when one of them
 * changes; over them the lines of the cursor with their weights.
 * @param {Pane} pane
 * @param {Scene} scene
 * @param {Plan} place
 * @param {{query: TokenWindow, key: TokenWindow}} windows
 */
export function drawLines(pane, scene, place, windows) {
  const {sheet, ratio, theme, threshold} = scene;
  const at = lineScene(place, windows);
  const {width, height} = place;
  const key = [
    sheet.key,
    JSON.stringify(windows),
    JSON.stringify(place),
    theme,
    threshold,
    ratio,
    scene.written,
  ].join();
  if (pane.key !== key) {
    pane.key = key;
    sized(pane, width, height);
    const drawn = background(pen(pane.canvas, width, height, ratio), scene, place, at);
    pane.still.replaceChildren();
    heads(pane.still, scene, place, windows);
    goldLines(pane.still, scene, place, at);
    if (!drawn) emptyNote(pane.still, scene, place, at);
    pane.names = names(pane.still, scene, place, at);
  }
  pane.moving.replaceChildren();
  focusLines(pane.moving, scene, place, at);
  mark(pane.names, scene);
}
const curve = ({x1, x2}, from, to) =>
  `M${x1 + 4} ${from}C${(x1 + x2) / 2} ${from} ${(x1 + x2) / 2} ${to} ${x2 - 4} ${to}`;

// ---- all lines, quietly: weights of about the same size in one stroke; returns whether there are
// any
const isDrawn = (w, {sheet, threshold}) => w !== 0 && sizeIn(sheet, w) >= threshold;
const sizeIn = (sheet, w) => Math.abs(w) / unitOf(sheet);
/**
 * Whether a weight is written beside its line, where lines are not hidden.
 * @param {Sheet} sheet
 * @param {number} w
 * @returns {boolean}
 */
export const isRead = (sheet, w) =>
  sizeIn(sheet, w) >= READ && (!sheet.signed || Math.abs(w) >= LEAST_CHANGE);
const dashes = width => [4 + width, 3 + width / 2]; // of a weight that became less
function* inSightOf({sheet: {values, m}, written}, {query, key}) {
  for (let r = query.from; r < Math.min(written, query.from + query.count); r++) {
    for (let c = key.from; c < key.from + key.count; c++) yield [values[r * m + c], r, c];
  }
}
function background(drawing, scene, place, at) {
  const {tone, sheet} = scene;
  const {y} = at;
  const groups = Array.from({length: 50}, () => []); // the second half is dashed
  for (const [w, r, c] of inSightOf(scene, at)) {
    if (isDrawn(w, scene)) {
      const size = Math.min(24, Math.ceil(sizeIn(sheet, w) * 24));
      groups[size + (w < 0 ? 25 : 0)].push(curve(place, y('query', r), y('key', c)));
    }
  }
  drawing.strokeStyle = tone.seq[4];
  groups.forEach((group, k) => {
    const w = ((k % 25) - 0.5) / 24;
    drawing.lineWidth = 0.75 + 5 * w;
    drawing.lineCap = k < 25 ? 'round' : 'butt';
    drawing.setLineDash(k < 25 ? [] : dashes(drawing.lineWidth));
    drawing.globalAlpha = 0.13 + 0.36 * w;
    for (const path of group) drawing.stroke(new Path2D(path));
  });
  return groups.some(group => group.length);
}
// Where there is a weight and no line, or no change: why, in the words that there is room for.
function emptyNote(node, scene, {x1, x2, up, height}, at) {
  const {threshold, tone, measure} = scene;
  const room = x2 - x1 - 10;
  const least = limitText(threshold * unitOf(scene.sheet));
  const some = [...inSightOf(scene, at)].some(([w]) => w !== 0);
  if (!some && !scene.sheet.signed) return;
  const texts = some
    ? [
        `All lines here are below ${least}. To see them, set “Hide lines below” lower, or off.`,
        `All are below ${least}: hide fewer lines.`,
        `below ${least}`,
      ]
    : [
        'No weight changes here: a silenced head changes only what is computed after it.',
        'no change',
      ];
  const found = texts.map(text => wrapped(text, room, measure));
  const lines = found.find(lines => lines.length * 16 <= height - up - 4) ?? found.at(-1);
  const wide = Math.max(...lines.map(line => measure(line))) + 8;
  const middle = (x1 + x2) / 2;
  const top = up + (height - up - lines.length * 16) / 2;
  svg(node, 'rect', {
    x: middle - wide / 2,
    y: top - 2,
    width: wide,
    height: lines.length * 16 + 4,
    fill: tone.bg,
  });
  lines.forEach((line, i) =>
    svg(
      node,
      'text',
      {x: middle, y: top + 12 + 16 * i, 'text-anchor': 'middle', class: 'soft note'},
      line.trim(),
    ),
  );
}

// ---- names on both sides; what is out of sight is counted; a heading begins where the heatmap's
// names end
const headingEnd = ({x1, up, pw}, y, wide) => Math.max(x1 - 6, overhang(pw, up - y + 12) + wide);
function heads(node, {sheet, kind, measure}, place, windows) {
  const {up, x2, height} = place;
  const left = (y, words) => headingEnd(place, y, measure(words));
  const right = () => x2 + 6;
  for (const [side, x, anchor, units] of [
    ['query', left, 'end', sheet.rows],
    ['key', right, 'start', sheet.columns],
  ]) {
    const {from, count} = windows[side];
    const total = kind[side === 'query' ? 'queries' : 'keys'].length;
    const all = units.length;
    const text = (y, words) =>
      svg(node, 'text', {x: x(y, words), y, 'text-anchor': anchor, class: 'soft'}, words);
    text(up - (count < all ? 25 : 10), side);
    if (count === all) continue;
    text(up - 10, `${units[from].from + 1}–${units[from + count - 1].to}`);
    text(height - 5, `of ${total}`);
  }
}
function names(
  node,
  {sheet, measure, written},
  {x1, x2, q, k, query, key},
  {query: left, key: right, y},
) {
  const side = (name, units, {from, count}, x, anchor, room, pitch) => {
    const size = Math.max(11, Math.min(15, pitch - 2));
    return Array.from({length: count}, (_, i) => {
      const text = fitted(units[from + i], room, measure, `600 ${size}px`);
      return [
        `${name} ${from + i}`,
        svg(
          node,
          'text',
          {
            x,
            y: y(name, from + i) + size * 0.34,
            'text-anchor': anchor,
            style: `font-size:${size}px`,
            'data-side': name,
            'data-at': from + i,
            class: 'soft',
            ...(name === 'query' && from + i >= written ? {opacity: 0.2} : {}),
          },
          text,
        ),
      ];
    });
  };
  return new Map([
    ...side('query', sheet.rows, left, x1 - 6, 'end', q - 8, query.pitch),
    ...side('key', sheet.columns, right, x2 + 6, 'start', k - 8, key.pitch),
  ]);
}
function mark(names, {A, B, values, threshold, accent, tone, sheet}) {
  const mine = accent === tone.second ? 'second' : 'hot';
  for (const [key, node] of names) {
    const [side, text] = key.split(' ');
    const at = Number(text);
    const far = side !== A.side;
    const now =
      !far && at === A.at
        ? mine
        : B && side === B.side && at === B.at
          ? 'second'
          : far && at === A.far
            ? 'strong'
            : far && isRead(sheet, values[at]) && sizeIn(sheet, values[at]) >= threshold
              ? 'plain'
              : 'soft';
    if (node.getAttribute('class') !== now) node.setAttribute('class', now);
  }
}

// ---- the cursor's lines, with their values at the far end: right of the keys, or on the lines
// beside the queries
function focusLines(node, scene, place, at) {
  const {A, B, values, compared, accent, tone} = scene;
  drawWedge(node, scene, place, at);
  if (B && compared) {
    drawFan(node, scene, place, at, {cursor: B, list: compared, stroke: tone.second});
  }
  drawFan(node, scene, place, at, {cursor: A, list: values, stroke: accent});
  drawValues(node, scene, place, at);
}
// Which rows of the heatmap stand in the window of queries.
function drawWedge(node, {tone, view}, place, {query}) {
  const {up, wedge, ph, high} = place;
  if (!wedge || query.count >= view.qn) return;
  const edge = r => Math.max(up, Math.min(up + high, up + (r - view.q0) * ph));
  const end = up + query.count * place.query.pitch;
  svg(node, 'path', {
    d: `M2 ${edge(query.from)}L${wedge} ${up}V${end}L2 ${edge(query.from + query.count)}z`,
    fill: tone.rule,
    'fill-opacity': 0.55,
  });
}
// The lines of one token, and a band behind its name.
function drawFan(node, scene, place, at, {cursor, list, stroke}) {
  const {y, seen} = at;
  const {side} = cursor;
  if (!seen(side, cursor.at)) return;
  drawNameBand(node, place, side, y(side, cursor.at), stroke);
  const {from, count} = at[side === 'query' ? 'key' : 'query'];
  for (let i = from; i < from + count; i++) {
    if (!isDrawn(list[i], scene)) continue;
    const size = Math.min(1, sizeIn(scene.sheet, list[i]));
    const width = 1 + 8 * size;
    const less = list[i] < 0;
    const [left, right] = side === 'query' ? [cursor.at, i] : [i, cursor.at];
    svg(node, 'path', {
      d: curve(place, y('query', left), y('key', right)),
      fill: 'none',
      stroke,
      'stroke-linecap': less ? 'butt' : 'round',
      'stroke-width': width.toFixed(2),
      opacity: (0.4 + 0.6 * Math.sqrt(size)).toFixed(3),
      ...(less ? {'stroke-dasharray': dashes(width).join(' ')} : {}),
    });
  }
}
function drawNameBand(node, place, side, y, fill) {
  const {x1, x2, wedge, k} = place;
  const {pitch} = place[side];
  svg(node, 'rect', {
    x: side === 'query' ? wedge : x2 + 2,
    y: y - pitch / 2 + 0.5,
    width: side === 'query' ? x1 - wedge : k,
    height: pitch - 1,
    rx: 4,
    fill,
    opacity: 0.15,
  });
}
const between = (list, from, to) => {
  let sum = 0;
  for (let i = from; i < Math.min(to, list.length); i++) sum += list[i];
  return sum;
};
// Weights at the far end of the lines; what is above and below the window in one sum each.
function drawValues(node, scene, place, at) {
  const {A, values, threshold, measure, sheet} = scene;
  const number = numberOf(sheet);
  const {up, x1, height} = place;
  const side = A.side === 'query' ? 'key' : 'query';
  const {from, count} = at[side];
  const size = Math.max(11, Math.min(13, place[side].pitch - 2));
  const draw = (words, y, x = x1 + 4) => drawValue(node, scene, place, {words, side, x, y, size});
  for (let i = from; i < from + count; i++) {
    if (isRead(sheet, values[i]) && sizeIn(sheet, values[i]) >= threshold) {
      draw(number(values[i]), at.y(side, i) + size * 0.34);
    }
  }
  if (from > 0) {
    const x = headingEnd(place, up - 25, measure('query')) + 10;
    draw(`↑ ${number(between(values, 0, from))}`, up - 25, x);
  }
  if (from + count < values.length) {
    draw(`↓ ${number(between(values, from + count, values.length))}`, height - 5);
  }
}
function drawValue(node, {accent, tone, measure}, {width}, {words, side, x, y, size}) {
  const place = side === 'key' ? {x: width, 'text-anchor': 'end'} : {x};
  // Nothing is left of a line before the number: it would look like a minus.
  if (side === 'query') {
    const wide = measure(words, `700 ${size}px`) + 12;
    svg(node, 'rect', {x: x - 8, y: y - size + 1, width: wide, height: size + 2, fill: tone.bg});
  }
  const kind = accent === tone.second ? 'second' : 'hot';
  svg(node, 'text', {...place, y, class: kind, style: `font-size:${size}px`}, words);
}
function goldLines(node, {links, tone, written}, place, {y, seen}) {
  for (const {row, column, sure} of links) {
    if (row >= written || !seen('query', row) || !seen('key', column)) continue;
    const d = curve(place, y('query', row), y('key', column));
    svg(node, 'path', {
      d,
      fill: 'none',
      stroke: tone.cat[4],
      'stroke-width': 1.8,
      'data-gold': sure ? 'sure' : 'possible',
      ...(sure ? {} : {'stroke-dasharray': '4 3'}),
    });
  }
}
/**
 * What lies under a point: a query on the left half, a key on the right.
 * @param {Plan} place
 * @param {{query: TokenWindow, key: TokenWindow}} windows
 * @param {number} x from the left of the lines
 * @param {number} y from the top of the names over the heatmap
 * @returns {Cursor | null}
 */
export function underLines(place, windows, x, y) {
  const side = x < (place.x1 + place.x2) / 2 ? 'query' : 'key';
  const {from, count} = windows[side];
  const at = from + Math.floor((y - place.up) / place[side].pitch);
  return y < place.up || at >= from + count || x < place.wedge || x > place.width
    ? null
    : {side, at, far: null};
}
