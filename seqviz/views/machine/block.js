// Depth 1, a block as on the slide: vectors of all tokens, the maps of all heads, two shortcuts.

import {rowBox} from './block_plan.js';
import {drawBlockMaps} from './block_maps.js';
import {drawWires} from './wires.js';
import {written} from '../shared/scene/names.js';
import {LEAST_TEXT, Sketch} from '../shared/scene/sketch.js';
import {blockIn} from './standing.js';
import {drawTrack, inSight, isPartOf, sightOf, sightText} from '../shared/scene/windows.js';

const TEXTURE = 0.55; // how strong the rows are that are not in focus
const LINE_OF_TEXT = 11.6;
const TITLE = {size: 13, weight: 700};
const BY_HEAD = ['query', 'key', 'value', 'context'];

/**
 * @param {World} world with a `plan` that `blockPlan` made
 * @returns {Scene}
 */
export function blockScene(world) {
  const sketch = new Sketch(world);
  const all = {...world, sketch, over: world.over ?? {}, block: blockIn(world.facts, world.state)};
  drawWires(all);
  drawRowNames(all);
  for (const column of world.plan.columns) {
    if (column.role === 'maps') drawBlockMaps(all, column);
    else if (column.role === 'box') drawBox(all, column);
    else drawMatrix(all, column);
  }
  return sketch.scene;
}

// ---- names of rows
function drawRowNames(all) {
  const {sketch, plan, state, over, facts, labels} = all;
  const {stream} = state;
  const names = labels[facts.anatomy.streams[stream].tokens];
  for (const band of plan.bands) {
    const box = {...band, x: 0, width: plan.label, rows: plan.rows};
    const at = {names, focus: state.token, pointed: over.token, fill: 'focus'};
    drawNamesOf(all, box, at);
    sketch.hit(box, {stream}, {stream}, {down: ['token', plan.rows.from, plan.rows.count]});
  }
  drawSight(all, {...plan.bands[0], x: 0, rows: plan.rows}, token => ({stream, token}));
  const crossed = plan.columns.filter(column => column.crossed && column.role === 'key');
  for (const {x, y, height, rows, part} of crossed) {
    const box = {x: x - plan.sources, y, width: plan.sources, height, rows};
    const focus = part === state.part ? state.key : -1;
    drawNamesOf(all, box, {names: all.labels.source, focus, pointed: over.key, fill: 'ink'});
    sketch.text(x - 6, y - 6, all.facts.anatomy.streams[0].side, {anchor: 'end'});
    sketch.hit(box, {part}, {part}, {down: ['key', rows.from, rows.count]});
  }
}
// Where rows are narrower than a text, every second name or fewer, that in focus among them.
function drawNamesOf({sketch}, box, {names, focus, pointed, fill}) {
  const {rows, height} = box;
  const every = Math.ceil((LINE_OF_TEXT * rows.count) / height);
  const anchor = inSight(rows, focus) ? focus : rows.from;
  for (const at of sightOf(rows)) {
    const row = rowBox(box, at);
    if (at === focus && fill === 'focus') {
      const mark = {x: row.x + 4, y: row.y - 1, width: row.width - 7, height: row.height + 2};
      sketch.rect(mark, {fill: 'focusbg', r: 4});
    }
    if ((at - anchor) % every) continue;
    sketch.text(row.x + row.width - 7, row.y + row.height / 2 + 4.3, names[at], {
      anchor: 'end',
      fill: at === focus ? fill : at === pointed ? 'second' : 'ink',
      weight: at === focus ? 700 : 400,
      room: row.width - 12,
    });
  }
}
function drawSight({sketch, plan}, {x, y, height, rows}, does) {
  if (!isPartOf(rows)) return;
  drawTrack(sketch, {x, y, width: 3, height}, rows, does);
  const [sight, of] = sightText(rows, 1).split(/ (?=of)/);
  const lines = plan.cap > 20 ? [sight, of] : [sight];
  lines.forEach((line, k) => sketch.text(x, y - 6 - 14 * (lines.length - 1 - k), line));
}

// ---- columns
function drawMatrix(all, column) {
  const {sketch, state, over, block} = all;
  const {place, rows, stage, part, role, crossed} = column;
  sketch.matrix(place, rows, column, {alpha: TEXTURE, group: stage});
  const isCrossed = crossed && part !== state.part;
  const at = crossed ? state.key : state.token;
  const focused = !isCrossed && inSight(rows, at);
  if (focused) sketch.matrix(place, {from: at, count: 1}, rowBox(column, at), {group: stage});
  const on = state.stage === stage;
  sketch.frame(column, on ? 'focus' : 'rule', {out: 0.5, r: 0, strokeWidth: on ? 1.6 : 1});
  if (BY_HEAD.includes(role)) drawHeads(all, column, block.parts[part].heads);
  const ring = {out: 1, r: 2, strokeWidth: 1.5};
  if (focused) sketch.frame(rowBox(column, at), crossed ? 'ink' : 'focus', ring);
  const pointed = crossed ? over.key : over.token;
  const previewed = over.stage === stage && pointed !== at && inSight(rows, pointed);
  if (previewed) sketch.preview(rowBox(column, pointed), ring);
  const own = {stream: state.stream, stage};
  if (part !== null) Object.assign(own, {block: state.block, part});
  sketch.hit(column, own, own, {down: [crossed ? 'key' : 'token', rows.from, rows.count]});
  drawCaption(all, column, own);
}
// A head's hue stands at its columns.
function drawHeads({sketch, state}, {x, y, width, height}, heads) {
  const own = width / heads;
  const focus = Math.min(state.head, heads - 1);
  for (let head = 0; head < heads; head++) {
    const box = {x: x + own * head + own * 0.04, y: y - 4, width: own * 0.92, height: 3};
    sketch.rect(box, {fill: `cat ${head}`, alpha: head === focus ? 1 : 0.4, layer: 'over'});
  }
  const box = {x: x + own * focus, y, width: own, height};
  sketch.frame(box, 'ink', {r: 0, strokeWidth: 1.2});
}
function drawCaption(all, column, own) {
  const {sketch, plan, stages, state, over} = all;
  const {x, y, stage, band, role} = column;
  const next = plan.columns.find(one => one.band === band && one.x > x);
  const edge = next
    ? next.x - (next.crossed && !column.crossed ? plan.sources : 4)
    : all.size.width;
  const plus = role === 'after' ? 18 : 0;
  const name = role === 'x' ? 'x' : stages.find(({id}) => id === stage).short;
  const fill = state.stage === stage ? 'focus' : over.stage === stage ? 'second' : 'ink';
  const two = plan.cap > 20;
  const room = edge - x;
  sketch.text(x, two ? y - 20 : y - 7, name, {...TITLE, fill, room: room - plus});
  const under = underCaption(all, column);
  if (two && sketch.width(under, LEAST_TEXT) <= room) sketch.text(x, y - 7, under);
  const box = {x, y: y - plan.cap, width: column.width, height: plan.cap};
  sketch.hit(box, {...own, token: state.token}, own);
}
function underCaption({numbers, block, state}, {role, part, place}) {
  const size = role === 'update' ? numbers.size(block.parts[part], state.token) : null;
  if (size !== null) return `adds ${written(size)} x`;
  return `${numbers.length(place, 'token')} × ${numbers.width(place)}`;
}
// What is not drawn: a convolution, a recurrent layer; its numbers are what it adds.
function drawBox(all, column) {
  const {sketch, block, numbers} = all;
  drawMatrix(all, column);
  const {x, y, width, height, part, place} = column;
  const {name} = block.parts[part];
  const size = `${numbers.length(place, 'token')} × ${numbers.width(place)}`;
  const middle = {x: x + 6, y: y + height / 2 - 18, width: width - 12, height: 36};
  sketch.rect(middle, {fill: 'bg', stroke: 'ink2', strokeWidth: 1.4, r: 4, layer: 'over'});
  const look = {anchor: 'middle', room: width - 18};
  sketch.text(x + width / 2, y + height / 2 - 3, name, {...look, fill: 'ink', weight: 700});
  sketch.text(x + width / 2, y + height / 2 + 12, size, look);
}
