// The readout: what a step attends to and says, in rows, in columns, or as a sum of canvases.

import {drawJudged, textAt} from '../shared/marks.js';
import {html, svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {sharpness} from '../shared/scale.js';
import {cut, cutTo, portion, readable, wrapped} from '../shared/texts.js';
import {paintedShades} from './lighting.js';
import {paintPixels, placeAt} from './marks.js';

const ROW = 19;
const TITLE = 22;
const MOST_LINES = 2; // of a note
const BESIDE_BARS = 8;
const LEAST_BAR = 16; // pixels; numbers alone tell more than shorter bars
const FIRST_SHARE = 0.57; // of the width, where there are two blocks

/** Draws the blocks side by side. */
export function drawReadout(place, scene, tone, measure) {
  const {readout, layout} = scene;
  const {left: width, readout: height} = layout;
  place.style.height = `${height}px`;
  const root = svg(null, 'svg', {viewBox: `0 0 ${width} ${height}`, width, height});
  root.setAttribute('aria-hidden', true);
  place.replaceChildren(root);
  const starts = readout.length > 1 ? [0, FIRST_SHARE * width + 14] : [0];
  readout.forEach((block, i) => {
    const end = i + 1 < readout.length ? FIRST_SHARE * width : width;
    const frame = {x: starts[i], width: end - starts[i], height};
    const title = cutTo(block.title, frame.width - 22, measure, '700 14px');
    textAt(root, frame.x, 14, title, 'title');
    const signed = frame.x + measure(title, '700 14px') + 14;
    if (block.mark) drawJudged(root, block.mark, signed, 9, tone);
    const pen = {root, place, tone, measure, film: scene.film};
    BLOCKS[block.kind](pen, block, frame);
  });
}
const BLOCKS = {rows: drawRows, columns: drawColumns, sum: drawSum};

function drawRows({root, tone, measure}, {rows, note}, {x, width}) {
  const others = rows.map(({other}) => ((other ?? null) === null ? '' : portion(other)));
  const texts = rows.map(row => portion(row.value));
  const digits = Math.max(...texts.map(text => measure(text, '14px'))) + 2;
  const seconds = Math.max(...others.map(text => measure(text, '700 14px')));
  const second = seconds ? seconds + 8 : 0;
  const marked = rows.some(row => row.mark) ? 23 : 0;
  const widest = Math.max(...rows.map(row => measure(row.label, '14px')));
  const label = Math.min(widest, 0.5 * width - marked);
  const start = x + label + marked + BESIDE_BARS;
  const room = x + width - digits - second - BESIDE_BARS - start;
  rows.forEach((row, k) => {
    const y = TITLE + k * ROW;
    const line = new Row(root, {y, tall: ROW, base: y + 14});
    const look = row.me || row.truth ? '' : 'soft';
    const text = cutTo(row.label, label, measure, '14px');
    line.text(x, text, `text ${look}`);
    if (row.mark) drawJudged(root, row.mark, x + label + 13, y + 9, tone);
    if (room >= LEAST_BAR) drawBars(line, row, start, room, tone);
    line.end(x + width - second, texts[k], `text ${look}`);
    if (others[k]) line.end(x + width, others[k], 'text second');
  });
  const below = TITLE + rows.length * ROW + 13;
  wrapped(note && readable(note, 80), width, measure)
    .slice(0, MOST_LINES)
    .forEach((line, k) => textAt(root, x, below + 15 * k, line, 'soft'));
}
function drawBars(line, row, x, width, tone) {
  const pair = (row.other ?? null) !== null;
  const fill = row.me ? 'var(--mark)' : row.rest ? tone.soft : tone.seq[4];
  const look = {fill, opacity: row.rest ? 0.55 : 1, rx: 2};
  if (pair) {
    line.bar(x, width * row.value, 6, look, {top: 3});
    line.bar(x, width * row.other, 6, {fill: tone.second, rx: 2}, {top: 10});
  } else line.bar(x, width * row.value, 12, look);
  line.axis(x, 1, {stroke: tone.soft});
  if (row.tick === undefined) return;
  line.axis(x + width * row.tick, 1, {stroke: tone.bg, 'stroke-width': 4});
  line.axis(x + width * row.tick, 1, {stroke: tone.ink, 'stroke-width': 2});
}
function drawColumns({root, tone, measure}, {columns}, {x, width, height}) {
  const step = width / columns.length;
  const foot = height - 22;
  const tall = foot - TITLE - 16;
  columns.forEach((column, c) => {
    const left = x + c * step + 2;
    const wide = step - 4;
    const middle = left + wide / 2;
    const pair = column.other !== null;
    const fill = column.me ? 'var(--mark)' : tone.seq[4];
    const bar = (value, at, size, look) => {
      const high = Math.max(1, tall * value);
      svg(root, 'rect', {x: at, y: foot - high, width: size, height: high, rx: 2, fill: look});
    };
    bar(column.value, left, pair ? wide / 2 - 0.5 : wide, fill);
    if (pair) bar(column.other, left + wide / 2 + 0.5, wide / 2 - 0.5, tone.second);
    const top = Math.max(column.value, column.other ?? 0);
    const number = portion(top);
    if (top >= 0.05 && measure(number) < step + 2) {
      const kind = top > column.value ? 'second' : 'soft';
      textAt(root, middle, foot - tall * top - 4, number, kind, 'middle');
    }
    if (column.truth) drawRing(root, middle, foot + 11, column.label, tone, measure);
    textAt(root, middle, foot + 16, column.label, 'text', 'middle');
  });
  svg(root, 'path', {d: `M${x} ${foot}h${width}`, stroke: tone.soft, 'stroke-width': 1});
}
function drawRing(root, x, y, label, tone, measure) {
  const half = Math.max(9.5, measure(label, '700 14px') / 2 + 5);
  const box = {x: x - half, y: y - 9.5, width: 2 * half, height: 19, rx: 9.5};
  svg(root, 'rect', {...box, fill: 'none', stroke: tone.ink, 'stroke-width': 1.8});
}
const SIGN_WIDTH = 16;
function drawSum({root, place, film, measure}, {parts}, {x, width, height}) {
  const pictures = parts.filter(({values}) => values);
  const signs = parts.length - pictures.length;
  const across = (width - signs * SIGN_WIDTH) / pictures.length;
  const scale = Math.min((height - TITLE - 20) / film.h, (across - 2) / film.w);
  const size = {width: scale * film.w, height: scale * film.h};
  let at = x;
  for (const {name, sign, values} of parts) {
    if (sign) {
      textAt(root, at + SIGN_WIDTH / 2, TITLE + 6 + size.height / 2, sign, 'text', 'middle');
      at += SIGN_WIDTH;
      continue;
    }
    const canvas = html(place, 'canvas', {class: 'painted'});
    const left = at + (across - size.width) / 2;
    placeAt(canvas, left, TITLE + 2, size.width, size.height);
    const pixels = size.width * sharpness(canvas);
    paintPixels(canvas, paintedShades(values), [film.w, film.h], pixels);
    const label = cut(name, across + SIGN_WIDTH + 4, measure, 30);
    textAt(root, at + across / 2, TITLE + size.height + 16, label, 'soft', 'middle');
    at += across;
  }
}
