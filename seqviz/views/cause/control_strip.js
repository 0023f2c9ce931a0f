// The control: the same put from other places, and from a text in another order, on one axis.

import {shown, written} from '../shared/scene/names.js';
import {chip, circleAt, diamondAt, straight} from './shapes.js';

const AXIS_LABEL = 82;
const DOT_ROWS = [34, 52];

/**
 * @param {Sketch} sketch
 * @param {Object} world
 */
export function drawControl(sketch, world) {
  const {plan, state, far, controls} = world;
  const {x, y, width} = plan.control;
  sketch.line(straight(x, y - 4, x + width, y - 4), {stroke: 'rule', width: 1});
  sketch.text(x, y + 14, 'Control', {size: 14, weight: 700, fill: 'ink'});
  const left = sketch.width('Control ', 14, 700) + 5;
  const some = state.carried.length > 0;
  const live = some && !world.dead;
  const text = state.seed && some ? 'others' : 'run controls';
  const button = sketch.width(text) + 16;
  const at = {x: x + width - button, y: y + 9, text, live, fill: 'focus'};
  chip(sketch, at, {chip: 'control'}, {control: true});
  const axis = axisText(world);
  const room = width - left - button - 16;
  sketch.text(x + left, y + 14, axis, {room});
  const {controls: come} = world.come;
  const told = controls ? verdictOf(world) : come ? `runs ${come[0]} of ${come[1]}` : '';
  const free = room - sketch.width(axis) - 12;
  const fitted = told && [].concat(told).find(one => sketch.width(one, 12, 700) < free);
  if (fitted) {
    const right = x + width - button - 10;
    sketch.text(right, y + 14, fitted, {anchor: 'end', weight: 700, fill: 'ink'});
  }
  if (far) drawAxis(sketch, world);
}
function axisText({facts, pair, words}) {
  if (!facts.says) return 'share of the way';
  const [less, plus] = pair.map(id => shown(words.get(id)));
  return `logit of ${plus} − ${less}`;
}
/** How many of the controls move less, and how many say the same. */
export function countsOf({controls, far, says}) {
  const moved = controls.map(({difference}) => Math.abs(difference - far.low));
  const less = moved.filter(one => one < Math.abs(far.real - far.low)).length;
  const also = controls.filter(one => one.says && one.says[0] === says).length;
  return {less, also, all: controls.length, moved};
}
function verdictOf(world) {
  const {less, also, all} = countsOf(world);
  if (!all) return ['no other state'];
  if (!world.facts.says) return [`moves it more than ${less} of ${all}`, `${less} of ${all}`];
  const word = shown(world.words.get(world.says));
  return [
    `moves it more than ${less} of ${all}; ${also} say “${word}” too`,
    `more than ${less} of ${all}; ${also} say “${word}” too`,
    `more than ${less} of ${all}; ${also} say it too`,
  ];
}
function drawAxis(sketch, world) {
  const {plan, far, controls, carried, over} = world;
  const {x, y, width} = plan.control;
  const all = [far.low, far.high, far.real, ...(controls ?? []).map(one => one.difference)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const from = x + AXIS_LABEL + 14;
  const X = v => from + ((v - least) / (most - least || 1)) * (width - AXIS_LABEL - 28);
  const [upper, lower] = DOT_ROWS.map(row => y + row);
  const [top, bottom] = [upper - 9, lower + 9];
  const panel = {x: x + AXIS_LABEL, y: top, width: width - AXIS_LABEL, height: bottom - top};
  sketch.rect(panel, {fill: 'panel', r: 4});
  sketch.text(x + AXIS_LABEL - 6, upper + 4, 'other places', {anchor: 'end'});
  sketch.text(x + AXIS_LABEL - 6, lower + 4, 'shuffled', {anchor: 'end'});
  sketch.line(straight(X(far.low), top, X(far.low), bottom), {stroke: 'ink2', width: 1.4});
  const other = straight(X(far.high), top, X(far.high), bottom);
  sketch.line(other, {stroke: 'second', width: 1.8, dash: '4 3'});
  const middle = (upper + lower) / 2;
  if (carried.length) {
    const way = straight(X(far.low), middle, X(far.real), middle);
    sketch.line(way, {stroke: 'focus', width: 3, alpha: 0.35});
  }
  (controls ?? []).forEach((one, k) => {
    const at = one.kind === 'place' ? upper : lower;
    const r = over?.control === k ? 6 : 4;
    const shape = one.kind === 'place' ? circleAt : diamondAt;
    const same = one.says ? one.says[0] === world.says : false;
    const look = {stroke: 'mark', fill: same ? 'mark' : 'panel', width: 1.4, alpha: 0.85};
    sketch.line(shape(X(one.difference), at, r), {...look, layer: 'over'});
    const box = {x: X(one.difference) - 5, y: at - 8, width: 10, height: 16};
    sketch.hit(box, {control: k});
  });
  if (carried.length) {
    const dot = circleAt(X(far.real), middle, 6.5);
    sketch.line(dot, {stroke: 'bg', fill: 'focus', width: 2, layer: 'over'});
  }
  drawNames(sketch, world, X, bottom + 14);
}
// Names under the axis, pushed apart where they would touch.
function drawNames(sketch, {plan, far, carried}, X, y) {
  const {x, width} = plan.control;
  const marks = [
    [far.low, 'this text', 'ink2'],
    [far.high, 'other text', 'second'],
    ...(carried.length ? [[far.real, 'carried', 'focus']] : []),
  ];
  const spots = marks
    .map(([value, name, fill]) => {
      const text = `${name} ${written(value)}`;
      return {text, fill, width: sketch.width(text, 12, 700), x: X(value)};
    })
    .sort((a, b) => a.x - b.x);
  let edge = x + AXIS_LABEL;
  for (const spot of spots) {
    spot.x = Math.max(spot.x, edge + spot.width / 2);
    edge = spot.x + spot.width / 2 + 10;
  }
  edge = x + width;
  for (const spot of spots.toReversed()) {
    spot.x = Math.min(spot.x, edge - spot.width / 2);
    edge = spot.x - spot.width / 2 - 10;
  }
  for (const {text, fill, x: at} of spots) {
    sketch.text(at, y, text, {anchor: 'middle', fill, weight: fill === 'focus' ? 700 : 400});
  }
}
