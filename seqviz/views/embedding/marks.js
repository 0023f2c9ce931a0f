// Shapes of words and what else both pictures draw; a class says in which colour.

import {svg} from '../shared/nodes.js';

const SHAPES = [
  r => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  r => `M${-0.9 * r} ${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  r => `M0 ${-1.2 * r}L${1.15 * r} ${0.85 * r}H${-1.15 * r}z`,
  r => `M0 ${-1.35 * r}L${1.35 * r} 0L0 ${1.35 * r}L${-1.35 * r} 0z`,
  r => {
    const [a, b] = [0.83 * r, 1.25 * r];
    return `M${-b} ${-a / 2}h${b - a / 2}v${a / 2 - b}h${a}v${b - a / 2}h${b - a / 2}v${a}h${a / 2 - b}v${b - a / 2}h${-a}v${a / 2 - b}h${a / 2 - b}z`;
  },
  r => `M0 ${1.2 * r}L${1.15 * r} ${-0.85 * r}H${-1.15 * r}z`,
];
/** The mark of a word: the shape of its group in one of two colours, a ring for a guest. */
export function drawMark(root, kind, x, y, u, {groups, star = false, quiet = false}) {
  const place = {transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`};
  if (kind === 'guest') {
    const ring = {d: SHAPES[0](0.26 * u), class: 'guest', 'stroke-width': 0.12 * u};
    return svg(root, 'path', {...place, ...ring});
  }
  const shape = {d: SHAPES[kind]((star ? 0.36 : 0.28) * u), class: toneOfGroup(kind, groups)};
  const look = quiet ? {opacity: 0.65} : star ? {stroke: 'var(--sv-bg)', 'stroke-width': 1} : {};
  return svg(root, 'path', {...place, ...shape, ...look});
}
const toneOfGroup = (kind, groups) => (kind < Math.max(1, groups) / 2 ? 'one' : 'two');

/** A ring around a point. */
export function drawRing(root, {x, y, r, tone}, u, width = 0.16) {
  const look = {fill: 'none', class: `line ${tone}`, 'stroke-width': width * u};
  svg(root, 'circle', {cx: x, cy: y, r: r * u, ...look});
}
/** A line with a head. */
export function drawArrow(root, [x1, y1], [x2, y2], {width, tone, dash = 'none'}) {
  const line = {class: `line ${tone}`, 'stroke-width': width, fill: 'none'};
  svg(root, 'path', {d: `M${x1} ${y1}L${x2} ${y2}`, 'stroke-dasharray': dash, ...line});
  const turn = Math.atan2(y2 - y1, x2 - x1);
  const wing = side => [
    x2 - 4 * width * Math.cos(turn + side),
    y2 - 4 * width * Math.sin(turn + side),
  ];
  const head = `M${wing(0.45)}L${x2} ${y2}L${wing(-0.45)}`;
  svg(root, 'path', {d: head, 'stroke-linecap': 'round', ...line});
}
