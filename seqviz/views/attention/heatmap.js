// The heatmap of a head: painted once, framed at the cursor.

import {inkOn, ramp} from '../shared/colours.js';
import {leaning} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {cellAt} from './cursor.js';
import {fitted, namesOf} from './labels.js';
import {averaged, END, enlarged, pen, setOff, sized, write} from './panes.js';
import {overhang, slant} from './plan.js';
import {level} from './weights.js';

// ---- colour: what is finer than a pixel shows its largest
function shades(sheet, {q0, qn, k0, kn}, scene, high, wide) {
  const {values, m, peaks} = sheet;
  const rows = Math.min(qn, high);
  const columns = Math.min(kn, wide);
  const best = new Float64Array(rows * columns);
  const row = scene.scale === 'row';
  const column = Uint16Array.from({length: kn}, (_, k) => Math.floor((k * columns) / kn));
  for (let q = 0; q < qn; q++) {
    const out = Math.floor((q * rows) / qn) * columns;
    const from = (q0 + q) * m + k0;
    const peak = row ? peaks[q0 + q] || 1 : 1;
    for (let k = 0; k < kn; k++) {
      const v = values[from + k] / peak;
      const at = out + column[k];
      if (Math.abs(v) > Math.abs(best[at])) best[at] = v;
    }
  }
  const image = new ImageData(columns, rows);
  const out = new Uint32Array(image.data.buffer);
  const pixels = sheet.signed ? scene.diverging : scene.pixels;
  const place = placeIn(sheet, scene.scale);
  for (let i = 0; i < out.length; i++) out[i] = pixels[Math.round(255 * place(best[i]))];
  return image;
}
// Where a weight, or its share of the row's largest, stands on the scale of colours, 0 to 1; what
// did not change stands in the middle.
function placeIn({signed, written, most}, scale) {
  const share = level[scale === 'row' ? 'linear' : scale];
  const top = scale === 'row' ? 1 : most;
  const unit = written && scale === 'log' ? most : 1;
  const place = v => (v > 0 ? Math.max(0, Math.min(1, share(v / unit, top))) : 0);
  return signed ? v => 0.5 + (v < 0 ? -place(-v) : place(v)) / 2 : place;
}
/**
 * The weights in sight as colours, with gaps between cells of 7 pixels and more.
 * @param {HTMLCanvasElement} canvas
 * @param {Sheet} sheet
 * @param {MapView} view
 * @param {Scene} scene `scale`, `pixels`, `diverging`, `ratio` and `tone` are read
 * @param {number} width pixels of the page
 * @param {number} height pixels of the page
 */
export function paintHeat(canvas, sheet, view, scene, width, height) {
  const {ratio, tone} = scene;
  const image = shades(sheet, view, scene, Math.ceil(height * ratio), Math.ceil(width * ratio));
  const drawing = pen(canvas, width, height, ratio);
  const box = {x: 0, y: 0, width, height};
  averaged(drawing, enlarged(image, width * ratio, height * ratio), 0, 1, box);
  const pw = width / view.kn;
  const ph = height / view.qn;
  if (pw < 7 || ph < 7) return;
  drawing.fillStyle = tone.bg;
  for (let k = 1; k <= view.kn; k++) drawing.fillRect(k * pw - 0.5, 0, 1, height);
  for (let q = 1; q <= view.qn; q++) drawing.fillRect(0, q * ph - 0.5, width, 1);
  if (!sheet.signed) return;
  const place = placeIn(sheet, scene.scale);
  const share = (v, r) => v / ((scene.scale === 'row' && sheet.peaks[r]) || 1);
  drawSigns(drawing, sheet, view, (v, r) => ramp(tone.div, place(share(v, r))), {pw, ph});
}

const LEAST_SIGNED = 0.12; // of the largest, below which a cell gets no sign
// A plus or a minus in each cell that differs, where there is room: colour does not tell alone.
function drawSigns(drawing, {values, m, most}, {q0, qn, k0, kn}, colourOf, {pw, ph}) {
  if (Math.min(pw, ph) < 8 || !most) return;
  const arm = Math.min(4, Math.min(pw, ph) / 4);
  drawing.lineWidth = 1.5;
  for (let q = 0; q < qn; q++) {
    for (let k = 0; k < kn; k++) {
      const v = values[(q0 + q) * m + k0 + k];
      if (Math.abs(v) < LEAST_SIGNED * most) continue;
      const x = (k + 0.5) * pw;
      const y = (q + 0.5) * ph;
      drawing.strokeStyle = inkOn(colourOf(v, q0 + q));
      drawing.beginPath();
      drawing.moveTo(x - arm, y);
      drawing.lineTo(x + arm, y);
      if (v > 0) {
        drawing.moveTo(x, y - arm);
        drawing.lineTo(x, y + arm);
      }
      drawing.stroke();
    }
  }
}

// ---- the pane
const inRows = ({q0, qn}, row) => row >= q0 && row < q0 + qn;
const inColumns = ({k0, kn}, column) => column >= k0 && column < k0 + kn;

/**
 * Weights, gold links and what is not written yet, painted when one of them changes; over them the
 * names of columns, right of them those of rows, and frames at the cursor.
 * @param {Pane} pane
 * @param {Scene} scene
 * @param {Plan} place
 */
export function drawHeat(pane, scene, place) {
  const {sheet, view, ratio, theme, scale} = scene;
  const {up, high, broad, q} = place;
  const state = [sheet.key, JSON.stringify(view), broad, high, up, q, ratio, theme, scale];
  const key = [...state, scene.written].join();
  if (pane.key !== key) {
    pane.key = key;
    sized(pane, broad + q, up + high + 2);
    paintHeat(pane.canvas, sheet, view, scene, broad, high);
    pane.canvas.style.top = `${up}px`;
    pane.still.replaceChildren();
    drawGold(pane.still, scene, place);
    drawVeil(pane.still, scene, place);
  }
  pane.moving.replaceChildren();
  drawTints(pane.moving, scene, place);
  drawColumnNames(pane.moving, scene, place);
  drawRowNames(pane.moving, scene, place);
  drawFocus(pane.moving, scene, place);
}
// A band along the row or column in focus, a frame around its cell; what is compared lies below.
function drawFocus(node, scene, place) {
  const {A, B, tone, accent} = scene;
  if (B) drawBand(node, scene, place, B, tone.second);
  drawBand(node, scene, place, A, accent);
  if (B) drawCell(node, scene, place, B, tone.second);
  drawCell(node, scene, place, A, tone.ink);
}
function drawBand(node, {view, tone}, {up, high, broad, cell}, {side, at}, stroke) {
  const across = side === 'query';
  if (!(across ? inRows(view, at) : inColumns(view, at))) return;
  const box = across
    ? frame(0, up + (at - view.q0) * cell, broad, cell)
    : frame((at - view.k0) * cell, up, cell, high);
  const beneath = {stroke: tone.bg, 'stroke-width': 4, 'stroke-opacity': 0.8};
  setOff(node, 'rect', box, {stroke, 'stroke-width': 2}, beneath);
}
function drawCell(node, {view, tone}, {up, cell}, cursor, stroke) {
  const {row, column} = cellAt(cursor);
  if (!inRows(view, row) || !inColumns(view, column)) return;
  const box = frame((column - view.k0) * cell, up + (row - view.q0) * cell, cell, cell);
  const beneath = {stroke: tone.bg, 'stroke-width': 4.5};
  setOff(node, 'rect', box, {stroke, 'stroke-width': 2}, beneath);
}
// What a decoder has not written yet.
function drawVeil(node, {view, written, tone}, {up, cell, broad}) {
  const first = Math.max(view.q0, written);
  const rows = view.q0 + view.qn - first;
  if (rows <= 0) return;
  const box = {x: -1, y: up + (first - view.q0) * cell, width: broad + 2, height: rows * cell + 1};
  svg(node, 'rect', {...box, class: 'veil', fill: tone.bg, 'fill-opacity': 0.92});
}
// Around a cell, however small: at least as large as the eye finds.
function frame(x, y, width, height) {
  const w = Math.max(width, 5);
  const h = Math.max(height, 5);
  const corner = {x: x + width / 2 - w / 2 - 1, y: y + height / 2 - h / 2 - 1};
  return {...corner, width: w + 1.5, height: h + 1.5, rx: 3};
}
function drawGold(node, {links, tone, view}, {up, cell}) {
  for (const {row, column, sure} of links) {
    if (!inRows(view, row) || !inColumns(view, column)) continue;
    const small = cell < 9;
    const inset = small ? 0 : 2;
    const side = Math.max(2, cell - (small ? 0 : 5));
    const x = (column - view.k0) * cell + inset;
    const y = up + (row - view.q0) * cell + inset;
    const look = {
      stroke: tone.cat[4],
      'stroke-width': small ? 1.2 : 2.2,
      'data-gold': sure ? 'sure' : 'possible',
      ...(sure ? {} : {'stroke-dasharray': '3 2.5'}),
    };
    const beneath = {stroke: tone.bg, 'stroke-width': small ? 2.5 : 4};
    setOff(node, 'rect', {x, y, width: side, height: side, rx: 1.5}, look, beneath);
  }
}
// Behind the names of what is in focus.
function drawTints(node, {A, B, view, accent, tone}, {up, broad, q, cell}) {
  for (const [cursor, fill] of [
    [B, tone.second],
    [A, accent],
  ]) {
    if (cursor?.side !== 'query' || !inRows(view, cursor.at)) continue;
    const height = Math.max(cell, 17);
    const y = up + (cursor.at - view.q0 + 0.5) * cell - height / 2;
    const look = {rx: 3, fill, opacity: 0.15};
    svg(node, 'rect', {x: broad + 4, y, width: q - 6, height, ...look});
  }
}
// Names that are written out of all have a tick to their column.
function drawColumnNames(node, scene, {up, cell, key}) {
  const {sheet, measure, accent, tone} = scene;
  const columns = {...key, pitch: cell};
  const {steep, angle} = slant(cell);
  const size = Math.max(12, Math.min(14, cell * 0.88));
  const names = namesOf(scene, 'key', columns, 11);
  for (const {at, middle, look} of names) {
    const font = look === 'soft' ? `${size}px` : `700 ${size}px`;
    const text = fitted(sheet.columns[at], (up - 12) / Math.sin(angle), measure, font);
    const transform = `translate(${middle + 4},${up - 6}) rotate(${-steep})`;
    const place = {transform, style: `font-size:${size}px`, 'data-column': at};
    write(node, text, look === 'plain' ? 'soft' : look, place);
    if (names.length === key.count) continue;
    const inks = {soft: tone.soft, hot: accent, second: tone.second};
    const line = {x1: middle, x2: middle, y1: up - 5, y2: up, 'stroke-width': 1.5};
    svg(node, 'line', {...line, stroke: inks[look] ?? tone.ink});
  }
}
function drawRowNames(node, scene, {up, broad, q, query}) {
  const {sheet, measure, written} = scene;
  const size = nameSize(query.pitch);
  const x = broad + q - 8;
  const clear = x - measure('query') > broad + overhang(query.pitch, 22) + 18;
  if (clear) write(node, 'query', 'soft', {x, y: up - 10, ...END});
  for (const {at, middle, look} of namesOf(scene, 'query', query, size * 1.12)) {
    const text = fitted(sheet.rows[at], q - 14, measure, `600 ${size}px`);
    const more = {style: `font-size:${size}px`, 'data-side': 'query', 'data-at': at};
    const dim = at >= written ? {opacity: 0.2} : {};
    write(node, text, look, {x, y: up + middle + size * 0.35, ...END, ...more, ...dim});
  }
}
/**
 * The size of names beside rows of this pitch.
 * @param {number} pitch pixels
 * @returns {number} pixels
 */
export const nameSize = pitch => Math.max(12, Math.min(15, pitch * 0.84));
/**
 * What lies under a point: a cell, the name over a column, or that beside a row.
 * @param {Plan} place
 * @param {Scene} scene `view` is read
 * @param {number} px from the left of the heatmap
 * @param {number} py from the top of the names over it
 * @returns {Cursor | null}
 */
export function underHeat({up, high, broad, q, cell}, {view}, px, py) {
  if (px < 0 || px >= broad + q || py >= up + high || py < 0) return null;
  const x = px - leaning(Math.max(0, up - 8 - py), slant(cell).steep);
  const column = view.k0 + Math.floor(x / cell);
  if (py < up) return x >= 0 && x < broad ? {side: 'key', at: column, far: null} : null;
  const row = view.q0 + Math.floor((py - up) / cell);
  return {side: 'query', at: row, far: x < broad ? column : null};
}
