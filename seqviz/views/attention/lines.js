// The lines of a head: from the queries in sight to the keys in sight, a curve for each weight.

import {svg} from '../shared/nodes.js';
import {wrapped} from '../shared/texts.js';
import {limitText} from './controls.js';
import {nameSize} from './heatmap.js';
import {fitted, namesOf} from './labels.js';
import {END, MIDDLE, pen, sized, write} from './panes.js';
import {overhang} from './plan.js';
import {numberOf, unitOf} from './weights.js';

const LEAST_CHANGE = 0.001; // that has digits
const READ = 0.01; // the least weight that is written beside its line
const QUIET = 4000; // lines that are drawn behind those of the cursor, the strongest

const lineScene = place => {
  const y = (side, at) => place.top + (at - place[side].from + 0.5) * place[side].pitch;
  const seen = (side, at) => at >= place[side].from && at < place[side].from + place[side].count;
  return {query: place.query, key: place.key, y, seen};
};
/**
 * The lines of all weights in sight and gold links, painted when one of them changes; over them the
 * names, and the lines of the cursor with their weights.
 * @param {Pane} pane
 * @param {Scene} scene
 * @param {Plan} place
 */
export function drawLines(pane, scene, place) {
  const {sheet, ratio, theme, threshold} = scene;
  const at = lineScene(place);
  const {width, top, deep} = place;
  const state = [sheet.key, JSON.stringify(place), theme, threshold, ratio, scene.written];
  const key = state.join();
  if (pane.key !== key) {
    pane.key = key;
    sized(pane, width, top + deep + 2);
    const drawn = background(pen(pane.canvas, width, top + deep + 2, ratio), scene, place, at);
    pane.still.replaceChildren();
    headings(pane.still, place);
    goldLines(pane.still, scene, place, at);
    if (!drawn) emptyNote(pane.still, scene, place, at);
  }
  pane.moving.replaceChildren();
  focusLines(pane.moving, scene, place, at);
  lineNames(pane.moving, scene, place, 'key');
  if (place.stack) lineNames(pane.moving, scene, place, 'query');
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
function strongestLines(scene, at) {
  const drawn = [...inSightOf(scene, at)].filter(([w]) => isDrawn(w, scene));
  if (drawn.length <= QUIET) return drawn;
  return drawn.sort(([a], [b]) => Math.abs(b) - Math.abs(a)).slice(0, QUIET);
}
function background(drawing, scene, place, at) {
  const {tone, sheet} = scene;
  const {y} = at;
  const groups = Array.from({length: 50}, () => []); // the second half is dashed
  for (const [w, r, c] of strongestLines(scene, at)) {
    const size = Math.min(24, Math.ceil(sizeIn(sheet, w) * 24));
    groups[size + (w < 0 ? 25 : 0)].push(curve(place, y('query', r), y('key', c)));
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
function emptyNote(node, scene, {x1, x2, top: up, deep}, at) {
  const height = up + deep + 2;
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
  const box = {x: middle - wide / 2, y: top - 2, width: wide, height: lines.length * 16 + 4};
  svg(node, 'rect', {...box, fill: tone.bg});
  lines.forEach((line, i) =>
    write(node, line.trim(), 'soft note', {x: middle, y: top + 12 + 16 * i, ...MIDDLE}),
  );
}

// ---- names on both sides; a heading begins where the map's names end
function headings(node, {top, x1, x2, cell, stack}) {
  const y = top - 10;
  const clear = stack ? 0 : overhang(cell, top - y + 12) + 8;
  if (stack) write(node, 'query', 'soft', {x: x1 - 8, y, ...END});
  if (x2 > clear) write(node, 'key', 'soft', {x: x2 + 6, y});
}
function lineNames(node, scene, place, side) {
  const {sheet, measure} = scene;
  const {x1, x2, q, k, top} = place;
  const key = side === 'key';
  const size = nameSize(place[side].pitch);
  const units = key ? sheet.columns : sheet.rows;
  const room = (key ? k : q) - 14;
  const where = key ? {x: x2 + 6} : {x: x1 - 8, ...END};
  for (const {at, middle, look} of namesOf(scene, side, place[side], size * 1.16)) {
    const more = {'data-side': side, 'data-at': at, style: `font-size:${size}px`};
    const dim = !key && at >= scene.written ? {opacity: 0.2} : {};
    const text = fitted(units[at], room, measure, `600 ${size}px`);
    write(node, text, look, {...where, ...more, ...dim, y: top + middle + size * 0.35});
  }
}

// ---- the cursor's lines, with their values at the far end: right of the keys, or on the lines
// beside the queries
function focusLines(node, scene, place, at) {
  const {A, B, values, compared, accent, tone} = scene;
  if (B && compared) {
    drawFan(node, scene, place, at, {cursor: B, list: compared, stroke: tone.second});
  }
  drawFan(node, scene, place, at, {cursor: A, list: values, stroke: accent});
  drawValues(node, scene, place, at);
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
  const {x1, x2, q, k, stack} = place;
  const {pitch} = place[side];
  if (side === 'query' && !stack) return;
  const height = Math.max(pitch, 17) - 1;
  const across = side === 'query' ? {x: x1 - q, width: q - 4} : {x: x2 + 2, width: k};
  svg(node, 'rect', {...across, y: y - height / 2, height, rx: 4, fill, opacity: 0.15});
}
const between = (list, from, to) => {
  let sum = 0;
  for (let i = from; i < Math.min(to, list.length); i++) sum += list[i];
  return sum;
};
// Weights at the far end of the lines where names stand; what is above and below in one sum each.
function drawValues(node, scene, place, at) {
  const {A, values, threshold, sheet} = scene;
  const number = numberOf(sheet);
  const side = A.side === 'query' ? 'key' : 'query';
  const {from, count, pitch} = at[side];
  const size = Math.max(12, Math.min(14, pitch - 2));
  const draw = (words, y) => drawValue(node, scene, place, {words, side, y, size});
  for (const {at: i} of namesOf(scene, side, place[side], nameSize(pitch) * 1.16)) {
    if (isRead(sheet, values[i]) && sizeIn(sheet, values[i]) >= threshold) {
      draw(number(values[i]), at.y(side, i) + size * 0.35);
    }
  }
  const outside = [
    from > 0 ? `↑ ${number(between(values, 0, from))}` : '',
    from + count < values.length ? `↓ ${number(between(values, from + count, values.length))}` : '',
  ];
  const words = outside.filter(Boolean).join('  ');
  if (words) drawValue(node, scene, place, {words, side: 'key', y: place.top - 10, size: 12});
}
function drawValue(node, {accent, tone, measure}, {width, x1}, {words, side, y, size}) {
  const x = x1 + 6;
  const place = side === 'key' ? {x: width, ...END} : {x};
  // Nothing is left of a line before the number: it would look like a minus.
  if (side === 'query') {
    const wide = measure(words, `700 ${size}px`) + 12;
    svg(node, 'rect', {x: x - 8, y: y - size + 1, width: wide, height: size + 2, fill: tone.bg});
  }
  const kind = accent === tone.second ? 'second' : 'hot';
  write(node, words, kind, {...place, y, style: `font-size:${size}px`});
}
function goldLines(node, {links, tone, written}, place, {y, seen}) {
  for (const {row, column, sure} of links) {
    if (row >= written || !seen('query', row) || !seen('key', column)) continue;
    const d = curve(place, y('query', row), y('key', column));
    const kind = sure
      ? {'data-gold': 'sure'}
      : {'data-gold': 'possible', 'stroke-dasharray': '4 3'};
    svg(node, 'path', {d, fill: 'none', stroke: tone.cat[4], 'stroke-width': 1.8, ...kind});
  }
}
/**
 * What lies under a point: a query on the left half, a key on the right.
 * @param {Plan} place
 * @param {number} x from the left of the lines
 * @param {number} y from the top of the lines
 * @returns {Cursor | null}
 */
export function underLines(place, x, y) {
  const side = x < (place.x1 + place.x2) / 2 ? 'query' : 'key';
  const {from, count, pitch} = place[side];
  const at = from + Math.floor((y - place.top) / pitch);
  const inside = y >= place.top && at < from + count && x >= 0 && x <= place.width;
  return inside ? {side, at, far: null} : null;
}
