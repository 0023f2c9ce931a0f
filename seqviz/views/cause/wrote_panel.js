// Who wrote the answer, a column a block, and beside it what silencing costs, on one scale.

import {shown, written} from '../shared/scene/names.js';
import {drawTrack, isPartOf, sightOf, sightText, windowAround} from '../shared/scene/windows.js';
import {partId, partsOf} from './asking.js';
import {chip, circleAt, straight} from './shapes.js';

const INPUT_NAMES = {token: 'token', position: 'position', segment: 'segment', embedding: 'input'};
const OTHER_NAMES = {carried: 'carried', bias: 'biases', rest: 'rest'};
const GROUP = {bars: 12, pad: 20, cost: 50, gap: 6};
const BAR_ROW = {least: 14, most: 28};
const SIGHT = 18; // which blocks are in sight, if not all
const FAR = 2.5; // times the next: a bar that is broken, so that the others can be seen
const BROKEN = 1.35;

/** Signed, with about three figures. */
export const plus = value => {
  const text = written(value);
  return text === '0' || text.startsWith('−') ? text : `+${text}`;
};

/**
 * @param {Sketch} sketch
 * @param {Object} world
 */
export function drawWrote(sketch, world) {
  const {plan, wrote, facts} = world;
  const {x, y} = plan.wrote;
  if (!facts.says) return;
  const width = drawHeading(sketch, world);
  drawKey(sketch, plan.wrote, x + width, world.come.costs);
  if (wrote) drawGroups(sketch, world, groupsOf(world));
  else sketch.text(x, y + 40, 'runs …');
}
function drawHeading(sketch, world) {
  const {plan, state, words, choices} = world;
  const {x, y} = plan.wrote;
  sketch.text(x, y + 14, 'Who wrote', {size: 14, weight: 700, fill: 'ink'});
  let left = sketch.width('Who wrote ', 14, 700) + 6;
  choices.forEach(([one, less], k) => {
    const name = id => shown(words.get(id));
    const text = less === null ? name(one) : `${name(one)} − ${name(less)}`;
    const on = state.weighed === k;
    left += chip(sketch, {x: x + left, y: y + 9, text, on}, {weigh: k}, {weighed: k}) + 4;
  });
  return left;
}
function drawKey(sketch, {x, y, width}, taken, come) {
  const right = x + width;
  const told = come ? `runs ${come[0]} of ${come[1]}` : 'silencing costs';
  const costs = sketch.width(told);
  const ring = right - costs - 10;
  const text = ring - 10;
  const left = text - sketch.width('writes') - 28;
  if (left < taken + 6) return;
  sketch.text(right, y + 13, told, {anchor: 'end'});
  sketch.line(circleAt(ring, y + 9, 4), {stroke: 'ink', fill: 'bg', width: 1.6});
  sketch.text(text, y + 13, 'writes', {anchor: 'end'});
  sketch.rect({x: left, y: y + 5, width: 11, height: 8}, {fill: 'against'});
  sketch.rect({x: left + 11, y: y + 5, width: 11, height: 8}, {fill: 'for'});
}

// ---- what there is
function groupsOf({facts, wrote, costs}) {
  const values = new Map(wrote.parts.map(one => [partId(one), one.value]));
  const streams = facts.streams.at(-1);
  const inputs = wrote.parts.filter(one => one.block === null);
  const first = inputs.map(one => ({
    id: partId(one),
    name: INPUT_NAMES[one.name] ?? OTHER_NAMES[one.kind] ?? one.kind,
    value: one.value,
  }));
  const blocks = streams.blocks.map(({parts}, block) => ({
    name: `block ${block}`,
    block,
    rows: partsOf(facts)
      .filter(one => one.block === block)
      .map(({id, part, head}) => ({
        id,
        name: partLabel(parts, block, part, head),
        value: values.get(id),
        cost: costs?.get(id),
      })),
  }));
  return [{name: 'input, bias', block: null, rows: first}, ...blocks];
}
function partLabel(parts, block, part, head) {
  if (head === null) return parts[part].is === 'feed' ? 'ff' : (parts[part].name ?? 'box');
  return parts[part].cross ? `x${block}.${head}` : `${block}.${head}`;
}
/** A head by the id of its bar, as 'head 0.1'; null if it is none. */
export function headOf({facts}, id) {
  const found = partsOf(facts).find(one => one.id === id);
  return found && found.head !== null ? `head ${found.block}.${found.head}` : null;
}
/** What a part is called in a sentence. */
export function partTold(world, id) {
  const found = partsOf(world.facts).find(one => one.id === id);
  if (found) {
    const {block, part, head} = found;
    const {cross, name, is} = world.facts.streams.at(-1).blocks[block].parts[part];
    if (head !== null) return `${cross ? 'Cross-head' : 'Head'} ${block}.${head}`;
    return is === 'feed' ? `Feed-forward ${block}` : `${name ?? 'Box'} ${block}`;
  }
  const [kind, name] = id.split(' ');
  const others = {bias: 'The biases', rest: 'The rest', carried: 'The carried state'};
  return others[kind] ?? `The ${name}’s embedding`;
}

// ---- the columns
function drawGroups(sketch, world, groups) {
  const {plan, over, state} = world;
  const {x, y, width, height} = plan.wrote;
  const [first, ...all] = groups;
  const at = state.at.stage ? state.at.stage - 1 : 0;
  const rooms = [height - 44, height - 44 - SIGHT];
  const [whole, most] = rooms.map(room => Math.floor(room / BAR_ROW.least));
  const sizes = sizesOf(sketch, [first, ...all], whole);
  const fits = Math.floor((width - sizes.least(0)) / sizes.least(1));
  const seen = windowAround(all.length, at, fits);
  const room = rooms[Number(isPartOf(seen))];
  const shownGroups = [first, ...sightOf(seen).map(k => all[k])].map(one =>
    shortened(one, isPartOf(seen) ? most : whole),
  );
  const scale = barScale(shownGroups, width, sizes);
  const rows = Math.max(...shownGroups.map(group => group.rows.length));
  const row = Math.min(BAR_ROW.most, room / rows);
  let left = x;
  for (const group of shownGroups) {
    left += drawGroup(sketch, world, {
      group,
      left,
      y: y + 32,
      row,
      scale,
      held: over?.bar ?? world.bar,
    });
  }
  if (isPartOf(seen)) drawSight(sketch, world, seen);
}
function drawSight(sketch, {plan, state}, seen) {
  const {x, y, width, height} = plan.wrote;
  const told = `blocks ${sightText(seen)}`;
  sketch.text(x, y + height - 4, told);
  const left = x + sketch.width(told) + 10;
  const track = {x: left, y: y + height - 10, width: x + width - left, height: 4};
  drawTrack(sketch, track, seen, block => ({at: {...state.at, stage: block + 1}}));
}
// The largest rows of many, and the others in one.
function shortened(group, most) {
  const {rows} = group;
  if (rows.length <= most) return group;
  const size = ({value, cost}) => Math.max(Math.abs(value ?? 0), Math.abs(cost ?? 0));
  const largest = new Set([...rows].sort((a, b) => size(b) - size(a)).slice(0, most - 1));
  const rest = rows.filter(one => !largest.has(one));
  const value = rest.reduce((sum, one) => sum + (one.value ?? 0), 0);
  const others = {id: null, name: `${rest.length} more`, value};
  return {...group, rows: [...rows.filter(one => largest.has(one)), others]};
}
// How wide the names and the figures of columns are: of the first, and of each block.
function sizesOf(sketch, groups, most) {
  const widest = texts => Math.max(0, ...texts.map(text => sketch.width(text, 12, 700)));
  const namesIn = some => some.flatMap(({rows}) => rows.map(({name}) => name));
  const more = groups.some(({rows}) => rows.length > most) ? ['00 more'] : [];
  const [first, ...blocks] = groups;
  const labels = [widest(namesIn([first])), widest([...namesIn(blocks), ...more])];
  const value = widest(groups.flatMap(one => [figureOf(sumOf(one)), ...one.rows.map(figureOf)]));
  return {labels, value, least: k => labels[k] + value + GROUP.pad + GROUP.bars};
}
function barScale(groups, width, {labels, value}) {
  const sizes = groups
    .flatMap(({rows}) => rows)
    .map(({value, cost}) => Math.max(Math.abs(value ?? 0), Math.abs(cost ?? 0)))
    .sort((a, b) => b - a);
  const cap = sizes[0] > FAR * sizes[1] ? BROKEN * sizes[1] : Infinity;
  const cut = v => Math.max(-cap, Math.min(cap, v ?? 0));
  const ends = ({rows}) => {
    const all = rows.flatMap(({value, cost}) => [cut(value), cut(cost)]);
    return [Math.min(0, ...all), Math.max(0.001, ...all)];
  };
  const blocks = groups.slice(1);
  const each = blocks.map(ends);
  const low = Math.min(...each.map(([a]) => a));
  const high = Math.max(...each.map(([, b]) => b));
  const own = ends(groups[0]);
  const figures = blocks.length < 3 && width > 500;
  const tail = k => value + (figures && k ? GROUP.cost : 0) + GROUP.pad;
  const taken = groups.reduce((sum, _, k) => sum + labels[k && 1] + tail(k), 0);
  const span = own[1] - own[0] + blocks.length * (high - low);
  const unit = Math.max(0, width - taken) / span;
  const range = group => (group.block === null ? own : [low, high]);
  const label = group => labels[group.block === null ? 0 : 1];
  return {cap, cut, unit, range, figures, label, value};
}
const sumOf = ({rows}) => ({
  id: 'sum',
  value: rows.some(({value}) => value !== undefined)
    ? rows.reduce((all, {value}) => all + (value ?? 0), 0)
    : undefined,
});
/** What is written, as text: a dash before a carried state. */
function figureOf({id, value}) {
  if (value === undefined) return '–';
  return id === 'rest' ? written(value) : plus(value);
}
function drawGroup(sketch, world, {group, left, y, row, scale, held}) {
  const isBlock = group.block !== null;
  const label = scale.label(group);
  const [low, high] = scale.range(group);
  const figures = scale.figures && isBlock;
  const width =
    label + scale.value + (figures ? GROUP.cost : 0) + GROUP.pad + scale.unit * (high - low);
  const zero = left + label + 7 - low * scale.unit;
  const numbers = left + width - 6 - (figures ? GROUP.cost : 0);
  const sum = figureOf(sumOf(group));
  const room = numbers - left - sketch.width(sum, 12, 700) - GROUP.gap;
  const names = isBlock ? [group.name, String(group.block)] : [group.name, 'input'];
  sketch.firstThatFits(left, y + 4, names, {weight: 700, room});
  sketch.text(numbers, y + 4, sum, {anchor: 'end', weight: 700, fill: 'ink'});
  if (figures) {
    sketch.line(circleAt(numbers + 28, y, 4), {stroke: 'ink', fill: 'bg', width: 1.6});
  }
  const bottom = y + 12 + row * group.rows.length;
  sketch.line(straight(zero, y + 9, zero, bottom), {stroke: 'ink2', width: 1});
  group.rows.forEach((one, k) => {
    const middle = y + 11 + (k + 0.5) * row;
    const place = {left, label, width, zero, numbers, middle, row, figures};
    drawBar(sketch, world, one, place, scale, held);
  });
  return width;
}
function drawBar(sketch, world, one, place, scale, held) {
  const {left, label, width, zero, numbers, middle, row, figures} = place;
  const {id, name, value, cost} = one;
  const X = v => zero + scale.cut(v) * scale.unit;
  const on = id !== null && id === held;
  const box = {x: left - 3, y: middle - row / 2, width: width - 4, height: row};
  const weight = on ? 700 : 400;
  if (on) sketch.rect(box, {fill: 'focusbg', r: 4});
  const fill = value === undefined ? 'ink2' : 'ink';
  sketch.text(left + label, middle + 4, name, {anchor: 'end', room: label, weight, fill});
  if (value !== undefined) {
    const high = Math.min(12, row - 5);
    const bar = {
      x: Math.min(zero, X(value)),
      y: middle - high / 2,
      width: Math.max(0.8, Math.abs(X(value) - zero)),
      height: high,
    };
    sketch.rect(bar, {fill: value < 0 ? 'against' : 'for'});
    if (Math.abs(value) > scale.cap) drawBreak(sketch, bar);
  }
  if (cost !== undefined) {
    sketch.line(straight(X(value ?? 0), middle, X(cost), middle), {
      stroke: 'ink',
      width: 1.3,
      layer: 'over',
    });
    const ring = circleAt(X(cost), middle, Math.min(4, row * 0.3));
    sketch.line(ring, {stroke: 'ink', fill: 'bg', width: 1.6, layer: 'over'});
  }
  sketch.text(numbers, middle + 4, figureOf(one), {anchor: 'end', weight, fill: 'ink'});
  if (figures && id !== null) {
    const costed = cost === undefined ? '…' : plus(cost);
    sketch.text(numbers + GROUP.cost - 2, middle + 4, costed, {anchor: 'end'});
  }
  if (id !== null) sketch.hit(box, {bar: id}, {bar: id});
}
// Two strokes through a bar that is longer than it is drawn.
function drawBreak(sketch, {x, y, width, height}) {
  const at = x + width * 0.6;
  for (const shift of [-2, 2]) {
    const d = straight(at + shift - 2, y + height + 1.5, at + shift + 2, y - 1.5);
    sketch.line(d, {stroke: 'bg', width: 1.6, layer: 'over'});
  }
}
