// What is answered: before and after, or in both texts; and the list of what is carried.

import {percents, probable, shown} from '../shared/scene/names.js';
import {stageName} from './cursor.js';
import {chip, circleAt, straight} from './shapes.js';

const ROW_HIGH = 20;
const FIGURE_ROOM = 40;
const WORD_ROOM = 68;
const LEAST_CHANCE = 0.02; // of a probability that has a line
const MOST_ROWS = 6;

/**
 * @param {Sketch} sketch
 * @param {Object} world
 */
export function drawAnswers(sketch, world) {
  const {plan, facts} = world;
  const end = facts.says ? drawChances(sketch, world) : drawShift(sketch, world);
  drawCarried(sketch, world, {...plan.answers, y: end});
}
function heading(sketch, {x, y}, name, token) {
  sketch.text(
    x,
    y + 14,
    [
      {text: `${name} `, fill: 'ink', weight: 700},
      {text: token, fill: 'focus', weight: 700},
    ],
    {size: 14},
  );
}
const ABOVE = 'Above: how far a state moved.';
const BELOW = 'Other text: how far it carries alone';
// Without words: how far the last state is on its way from this text's to the other's.
function drawShift(sketch, {plan, far, carried, labels, answering, come}) {
  const {x, y, width} = plan.answers;
  heading(sketch, {x, y}, 'Last state of', labels[2][answering[0]]);
  const share = carried.length ? (far ? percents(far.real) : 'runs …') : '0 %';
  const told = [
    {text: share, fill: 'focus', weight: 700},
    {text: " of the way to the other text's"},
  ];
  sketch.text(x, y + 34, told, {room: width});
  const runs = come.effects ? `, ${come.effects.join(' of ')} …` : '.';
  sketch.text(x, y + 52, ABOVE, {room: width});
  sketch.text(x, y + 68, BELOW + runs, {room: width});
  return y + 74;
}
function drawChances(sketch, world) {
  const {plan, facts, labels, chances, carried} = world;
  const {x, y, width} = plan.answers;
  const name = facts.kind === 'next' ? 'Answer after' : 'Answer at';
  if (facts.says === 'text') heading(sketch, {x, y}, 'Answer', '');
  else heading(sketch, {x, y}, name, labels[2][world.answering[0]]);
  const many = carried.length > 0;
  const [first, second] = many ? ['before', 'after'] : ['this', 'other'];
  const right = x + width;
  const looks = many ? ['ink2', 'focus'] : ['focus', 'second'];
  sketch.text(right - FIGURE_ROOM - 4, y + 33, first, {
    anchor: 'end',
    fill: looks[0],
    weight: many ? 400 : 700,
  });
  sketch.text(right, y + 33, second, {anchor: 'end', fill: looks[1], weight: 700});
  if (!chances) {
    sketch.text(x, y + 54, 'runs …');
    return y + 70;
  }
  const {before, after, other} = chances;
  const now = many ? after : before;
  const then = many ? before : other;
  const big = id => Math.max(now.get(id), then.get(id));
  const rows = [...now.keys()]
    .sort((a, b) => big(b) - big(a))
    .filter((id, k) => k < 2 || big(id) > LEAST_CHANCE)
    .slice(0, Math.max(3, Math.min(MOST_ROWS, Math.floor((plan.answers.height - 126) / ROW_HIGH))));
  const best = [...now.keys()].reduce((a, b) => (now.get(b) > now.get(a) ? b : a));
  const axis = {from: x + WORD_ROOM + 8, width: width - WORD_ROOM - 14 - 2 * FIGURE_ROOM};
  rows.forEach((id, k) => {
    const at = y + 50 + k * ROW_HIGH;
    drawRow(sketch, world, {id, best: id === best, y: at, x, right, axis, looks, many});
  });
  const end = y + 44 + rows.length * ROW_HIGH;
  for (const edge of [axis.from, axis.from + axis.width]) {
    sketch.line(straight(edge, y + 40, edge, end), {stroke: 'rule', width: 1});
  }
  if (!many) return end + 4;
  sketch.line(straight(x + WORD_ROOM + 8, end + 4, x + WORD_ROOM + 8, end + 14), {
    stroke: 'second',
    width: 2,
    dash: '3 1.5',
  });
  sketch.text(x + WORD_ROOM + 14, end + 13, "other text's own answer", {
    room: width - WORD_ROOM - 14,
  });
  return end + 18;
}
function drawRow(sketch, world, {id, best, y, x, right, axis, looks, many}) {
  const {chances, words} = world;
  const {before, after, other} = chances;
  const [a, b] = many ? [before.get(id), after.get(id)] : [before.get(id), other.get(id)];
  const X = p => axis.from + p * axis.width;
  const weight = best ? 700 : 400;
  sketch.text(x + WORD_ROOM, y + 4, shown(words.get(id)), {
    anchor: 'end',
    weight,
    fill: 'ink',
    room: WORD_ROOM,
  });
  sketch.line(straight(X(0), y, X(1), y), {stroke: 'rule', width: 1});
  const role = many ? 'focus' : 'second';
  sketch.line(straight(X(a), y, X(b), y), {stroke: role, width: 3, alpha: 0.45});
  if (many) {
    const mark = straight(X(other.get(id)), y - 8, X(other.get(id)), y + 8);
    sketch.line(mark, {stroke: 'second', width: 2, dash: '3 1.5'});
    sketch.line(circleAt(X(a), y, 4), {stroke: 'ink2', fill: 'bg', width: 1.6, layer: 'over'});
    sketch.line(circleAt(X(b), y, 4.5), {stroke: 'bg', fill: 'focus', layer: 'over'});
  } else {
    sketch.line(circleAt(X(b), y, 4), {
      stroke: 'second',
      fill: 'bg',
      width: 1.8,
      dash: '3 1.5',
      layer: 'over',
    });
    sketch.line(circleAt(X(a), y, 4.5), {stroke: 'bg', fill: 'focus', layer: 'over'});
  }
  sketch.text(right - FIGURE_ROOM - 4, y + 4, probable(a), {
    anchor: 'end',
    fill: looks[0],
    weight: !many && best ? 700 : 400,
  });
  sketch.text(right, y + 4, probable(b), {
    anchor: 'end',
    fill: looks[1],
    weight: many && best ? 700 : 400,
  });
}

// ---- what is carried
const HOW_TO = ['Drag a cell of the other text onto', 'a cell of this one. Or: C copies, V puts.'];
function drawCarried(sketch, world, {x, y, width}) {
  const {plan, state} = world;
  const {carried} = state;
  const top = y + 18;
  const many = `${carried.length} state${carried.length > 1 ? 's' : ''}`;
  sketch.text(
    x,
    top,
    [{text: 'Carried ', fill: 'ink', weight: 700}, {text: carried.length ? many : 'nothing yet'}],
    {size: 12},
  );
  if (carried.length) {
    const room = sketch.width('undo') + 16;
    chip(sketch, {x: x + width - room, y: top - 4, text: 'undo'}, {chip: 'undo'}, {undo: true});
  } else {
    HOW_TO.forEach((text, k) => sketch.text(x, top + 18 * (k + 1), text, {room: width}));
  }
  const bottom = plan.answers.y + plan.answers.height;
  const room = Math.max(1, Math.floor((bottom - top - 4) / 18));
  carried.slice(-room).forEach((one, k) => {
    const at = top + 18 * (k + 1);
    const number = carried.length - Math.min(room, carried.length) + k;
    sketch.rect({x, y: at - 10, width: 4, height: 12}, {fill: 'second', r: 1});
    sketch.text(x + 9, at, carriedText(world, one), {fill: 'ink', room: width - 30});
    sketch.text(x + width - 8, at + 1, '×', {anchor: 'middle', size: 14});
    sketch.hit(
      {x: x + width - 18, y: at - 12, width: 18, height: 18},
      {remove: number},
      {remove: number},
    );
  });
}
// What is carried, and where to.
function carriedText(world, one) {
  const [here, there] = streamLabels(world, one.stream);
  const from = `${there[one.from_token]}, ${partName(world, one)}`;
  const same = one.stage === one.from_stage || one.head;
  return `${from} → ${here[one.token]}${same ? '' : `, ${stageName(world, one.stage, one.stream)}`}`;
}
/** The tokens of both texts that a stream carries, as they are shown. */
export const streamLabels = ({allLabels, facts}, stream) =>
  allLabels.map(sides => sides[facts.streams[stream].tokens]);
/** A head that is carried, or the stage of a state. */
export function partName(world, {stream, head, from_stage: stage}) {
  if (!head) return stageName(world, stage, stream);
  return `head ${stage - 1}.${head[1]}`;
}
