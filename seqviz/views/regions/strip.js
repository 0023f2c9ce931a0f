// The strip: a cell for each step, with the picture as the step lights it.

import {drawJudged, textAt} from '../shared/marks.js';
import {html, svg} from '../shared/nodes.js';
import {sharpness} from '../shared/scale.js';
import {cutTo} from '../shared/texts.js';
import {paintedStep} from './lighting.js';
import {cleared, paintPixels, placeAt} from './marks.js';

const VALUE_SHARE = 0.55; // of a broad cell's width
const MOST_PAINTED = 96; // pixels of a side of a thumb's picture

/** Draws all cells; the nodes of a film's cells stay, so that no click is lost. */
export function drawStrip(strip, scene, tone, measure) {
  const {film, layout, cells, scale} = scene;
  const {cell, height, columns, step, tall, whole, scrolled} = layout.strip;
  if (strip.dataset.film !== `${film.part} ${film.T}`) addCells(strip, film);
  strip.classList.toggle('fall', scrolled);
  strip.style.height = `${tall}px`;
  strip.firstChild.style.height = `${whole}px`;
  [...strip.firstChild.children].forEach((node, k) => {
    const [canvas, drawing] = node.children;
    const left = (k % columns) * step.x;
    const top = Math.floor(k / columns) * step.y;
    placeAt(node, left, top, cell, height);
    node.setAttribute('aria-label', cells[k].aria);
    node.setAttribute('aria-selected', cells[k].active);
    paintThumb(canvas, film, k, scale === 'off' ? 'own' : scale, layout.strip);
    drawCell(drawing, cells[k], layout.strip, tone, measure);
  });
  if (scrolled) keepInSight(strip, cells, layout.strip);
}
function addCells(strip, film) {
  strip.dataset.film = `${film.part} ${film.T}`;
  const list = html(null, 'ol', {role: 'listbox'});
  film.regions.forEach((_, k) => {
    const id = `${strip.id}-${k}`;
    const node = html(list, 'li', {role: 'option', id, 'data-step': k});
    html(node, 'canvas', {class: 'painted'});
    svg(node, 'svg', {'aria-hidden': true});
  });
  strip.replaceChildren(list);
}
function paintThumb(canvas, film, k, scale, {thumb, inset}) {
  canvas.hidden = !thumb.height;
  if (canvas.hidden) return;
  const across = thumb.width * sharpness(canvas);
  const key = `${scale} ${across} ${film.query}`;
  if (canvas.dataset.key === key) return;
  canvas.dataset.key = key;
  const share = Math.min(1, MOST_PAINTED / Math.max(film.w, film.h));
  const size = [film.w, film.h].map(side => Math.max(1, Math.round(share * side)));
  paintPixels(canvas, paintedStep(film, k, scale, size), size, across);
  placeAt(canvas, inset, inset, thumb.width, thumb.height);
}
function drawCell(root, cell, layout, tone, measure) {
  const {height, thumb, inset, broad, number} = layout;
  const width = layout.cell;
  cleared(root, width, height);
  if (cell.now || cell.over) drawFrame(root, cell, width, height, tone);
  const state = cell.over ? 'second' : cell.now ? 'hot' : cell.wrong ? 'wrong' : '';
  const base = (thumb.height ? inset + thumb.height : 0) + 18;
  const room = width - 2 * inset;
  const beside = room - measure(cell.word, '700 15px') - 8;
  const most = broad ? Math.max(VALUE_SHARE * room, beside) : room;
  const value = cutTo(cell.value, most, measure, '700 12px');
  const values = broad ? measure(value, '700 12px') + 8 : 0;
  const weight = state ? '700 ' : '';
  const fits = cutTo(cell.word, room - values, measure, `${weight}15px`);
  textAt(root, inset, base, fits, `word ${state}`);
  if (cell.wrong) {
    const end = inset + measure(fits, `${weight}15px`);
    svg(root, 'path', {d: `M${inset} ${base - 5}H${end}`, stroke: tone.wrong, 'stroke-width': 1.5});
    const [x, y] = thumb.height ? [inset + thumb.width, inset + 4] : [width - 10, 10];
    drawJudged(root, 'wrong', x, y, tone);
  }
  const fill = cell.region ? tone.second : tone.seq[4];
  const bar = {x: inset, y: base + 6, height: 5, rx: 2.5};
  svg(root, 'rect', {...bar, width: room, fill: tone.rule});
  svg(root, 'rect', {...bar, width: room * cell.share, fill});
  if (!number && !broad) return;
  const look = cell.region ? 'second' : cell.wrong ? 'wrong' : 'soft';
  if (broad) textAt(root, width - inset, base, value, look, 'end');
  else textAt(root, inset, base + 25, value, look);
}
function drawFrame(root, {over}, width, height, tone) {
  const box = {x: 1, y: 1, width: width - 2, height: height - 2, rx: 6, fill: 'none'};
  const stroke = over ? tone.second : tone.focus;
  const dashes = over ? {'stroke-dasharray': '5 4'} : {};
  svg(root, 'rect', {...box, stroke, 'stroke-width': 2, ...dashes});
}
function keepInSight(strip, cells, {columns, step, height, tall}) {
  const k = cells.findIndex(cell => cell.over || cell.now);
  const top = Math.floor(k / columns) * step.y;
  strip.scrollTop = Math.max(top + height - tall, Math.min(strip.scrollTop, top));
}
/** The cell under an event, null if none is. */
export function cellAt(event) {
  const node = event.target.closest?.('li');
  return node ? Number(node.dataset.step) : null;
}
