// Depth 1: the maps of a block's heads, the one in focus large.

import {rowBox} from './block_plan.js';
import {probable} from '../shared/scene/names.js';
import {isSilent, LEAST_TEXT} from '../shared/scene/sketch.js';
import {drawTrack, inSight, isPartOf, sightOf, windowAround} from '../shared/scene/windows.js';

const GRID = 7; // pixels of a cell with gaps
const TITLE_OF_MAP = {size: 13, weight: 700};

/**
 * @param {Object} all the world of depth 1, and its `sketch`
 * @param {Column} column
 */
export function drawBlockMaps(all, column) {
  const {sketch, plan, state} = all;
  const {heads, at, focus, other, gap} = plan.maps[column.part];
  const keys = keysInSight(all, column, focus);
  let {x} = column;
  for (const head of sightOf(heads)) {
    const width = head === at ? focus : other;
    drawMap(all, {...column, x, width}, {head, keys, on: head === at});
    x += width + gap;
  }
  if (!isPartOf(heads)) return;
  const track = {x: column.x, y: column.y + column.height + 1.5, width: column.width, height: 2};
  drawTrack(sketch, track, heads, head => ({part: column.part, head, block: state.block}));
}
// All keys, as thin as a pixel; of more, those around the one in focus.
function keysInSight({numbers, block, state}, {part}, width) {
  const {weights, maps} = block.parts[part];
  const total = numbers.shape(weights)[maps.key];
  return windowAround(total, Math.min(state.key, total - 1), width);
}
function drawMap(all, box, {head, keys, on}) {
  const {sketch, block, state} = all;
  const {rows, part} = box;
  const own = block.parts[part];
  const grid = on && box.width / keys.count > GRID;
  const heat = sketch.map(own, head, {rows, keys}, box, {grid, group: `map ${part} ${head}`});
  if (own.mask) drawStairs(all, heat, rows.from - keys.from);
  sketch.strike(own, head, box);
  sketch.frame(box, on ? 'focus' : 'rule', {out: 0.5, r: 0, strokeWidth: on ? 2 : 1});
  const ring = {out: 1, r: 2, strokeWidth: 1.5};
  if (inSight(rows, state.token)) sketch.frame(rowBox(box, state.token), 'focus', ring);
  if (on) drawOwnWeight(all, box, {head, keys});
  drawPointed(all, box, {head, keys});
  drawMapCaption(all, box, {head, on});
  const place = {stream: state.stream, block: state.block, part, head};
  const down = ['token', rows.from, rows.count];
  sketch.hit(box, place, {...place, depth: 2}, {down, across: ['key', keys.from, keys.count]});
}
// Hatched where a mask hides all that stands behind each token, as far as it is in sight.
function drawStairs(
  {sketch, numbers},
  {node, base, rows, cols, rowStep, colStep, x, y, w, h},
  from,
) {
  const values = numbers.value(node);
  if (!values || cols + from < 2) return;
  for (let row = 0; row < rows; row++) {
    for (let col = Math.max(0, from + row + 1); col < cols; col++) {
      if (values[base + row * rowStep + col * colStep] !== 0) return;
    }
  }
  sketch.mark('stairs', {x, y, w, h, rows, cols, from});
}
function cellOfMap(box, {keys}, token, key) {
  const row = rowBox(box, token);
  const width = box.width / keys.count;
  return {...row, x: box.x + (key - keys.from) * width, width};
}
// The weight in focus, and its key and number under the map.
function drawOwnWeight(all, box, {head, keys}) {
  const {sketch, numbers, block, state, facts, labels} = all;
  const {part, rows} = box;
  if (part !== state.part || !inSight(rows, state.token) || !inSight(keys, state.key)) return;
  const cell = cellOfMap(box, {keys}, state.token, state.key);
  sketch.frame(cell, 'ink', {r: 2, strokeWidth: 2, out: Math.max(0, 1.5 - cell.width / 2)});
  const own = block.parts[part];
  const weight = numbers.inMap(own, own.weights, head, state.token, state.key);
  if (weight === null) return;
  const side = own.cross ? 'source' : facts.anatomy.streams[state.stream].tokens;
  const figure = ` ${probable(weight)}`;
  const room = Math.max(box.width, 90) - sketch.width(figure, LEAST_TEXT, 700);
  const text =
    sketch.fitted(labels[side][state.key], room, {weight: 700, size: LEAST_TEXT}) + figure;
  const half = sketch.width(text, LEAST_TEXT, 700) / 2;
  const edge = Math.min(box.x + Math.max(box.width, 2 * half), all.size.width);
  const x = Math.max(box.x + half, Math.min(edge - half, cell.x + cell.width / 2));
  const look = {anchor: 'middle', fill: 'ink', weight: 700, halo: true};
  sketch.text(x, box.y + box.height + 13, text, look);
}
function drawPointed({sketch, over}, box, {head, keys}) {
  const {part, rows} = box;
  const {token, key} = over;
  if (over.part !== part || over.head !== head || !inSight(rows, token)) return;
  if (key !== undefined && inSight(keys, key)) {
    sketch.preview(cellOfMap(box, {keys}, token, key), {out: 1, r: 2});
  }
}
function drawMapCaption(all, box, {head, on}) {
  const {sketch, plan, numbers, block, state, facts} = all;
  const {x, y, width, part} = box;
  const two = plan.cap > 20;
  const title = on ? `head ${head}` : String(head);
  const room = width + plan.maps[part].gap;
  const look = {...TITLE_OF_MAP, fill: on ? 'focus' : 'ink'};
  if (sketch.width(title, look.size, look.weight) < room) {
    sketch.text(x, two ? y - 20 : y - 7, title, look);
  }
  if (!on) sketch.rect({x, y: y - 4, width, height: 3}, {fill: `cat ${head}`, alpha: 0.8});
  const {weights, maps} = block.parts[part];
  const silent = isSilent(facts, block.parts[part], head);
  const [queries, keys] = [maps.query, maps.key].map(axis => numbers.shape(weights)[axis]);
  const shape = `${queries} × ${keys}`;
  const under = silent ? ['silenced'] : [`${shape}, softmax`, shape];
  const fitting = under.find(text => sketch.width(text, LEAST_TEXT, silent ? 700 : 400) < room);
  if (on && two && fitting) sketch.text(x, y - 7, fitting, {weight: silent ? 700 : 400});
  const caption = {x, y: y - plan.cap, width, height: plan.cap};
  const place = {block: state.block, part, head};
  sketch.hit(caption, place, place);
}
