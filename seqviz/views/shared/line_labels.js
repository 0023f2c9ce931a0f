// What lines are called: beside their ends, or in rows over a narrow plot.

import {marker} from './chart.js';
import {textAt} from './marks.js';
import {svg} from './nodes.js';
import {cut, cutTo, readable, wrapped} from './texts.js';

const NAME_FONT = '700 12px';
const MORE_FONT = '12px mono';
/**
 * @typedef {Object} LabelEntry
 * @property {string} name
 * @property {{colour: string, dash: string, k: number}} look
 * @property {boolean} [strong]
 * @property {[string, string][]} more what stands below the name, each with its class
 */

/**
 * The width of direct labels.
 * @param {LabelEntry[]} entries
 * @returns {number}
 */
export function labelWidth(entries, measure, most) {
  const widths = entries.flatMap(({name, more}) => [
    Math.min(most, measure(readable(name), NAME_FONT)),
    ...more.map(([text]) => measure(text, MORE_FONT)),
  ]);
  return Math.ceil(Math.max(...widths)) + 34;
}
/**
 * Labels as near to their lines' ends as they fit.
 * @param {(LabelEntry & {joined: boolean, y: number})[]} entries a `joined` line ends at that side
 * @param {'left' | 'right'} side of the plot
 * @returns {(x: number, y: number) => number | undefined} whose label lies under a point
 */
export function directLabels(root, plot, entries, side, room, measure) {
  const left = side === 'left';
  const edge = left ? plot.x0 : plot.x1;
  const away = left ? -1 : 1;
  const boxes = labelBoxes(plot, entries, room, text => measure(text, NAME_FONT));
  for (const box of boxes) drawLabel(root, box, edge, away);
  return (x, y) =>
    (x - edge) * away > 4 && (x - edge) * away < room
      ? boxes.find(box => y >= box.top && y < box.top + box.size)?.look.k
      : undefined;
}
// Boxes as near to their lines' ends as they fit, from the top, then from the bottom.
function labelBoxes(plot, entries, room, bold) {
  const high = lines => 16 * lines + 8;
  const least = entries.reduce((sum, {more}) => sum + high(2 + more.length), 0);
  const tight = least > plot.height + 44;
  const boxes = entries
    .map(entry => {
      const lines = nameLines(entry.name, room - 34, bold, tight);
      return {...entry, lines, size: high(lines.length + entry.more.length)};
    })
    .sort((a, b) => a.y - b.y);
  let top = plot.y0 - 10;
  for (const box of boxes) {
    box.top = Math.max(top, box.y - box.size / 2);
    top = box.top + box.size;
  }
  let bottom = plot.y1 + 34;
  for (const box of boxes.toReversed()) {
    box.top = Math.min(box.top, bottom - box.size);
    bottom = box.top;
  }
  return boxes;
}
// A name in two lines at most, in one where there is little room.
function nameLines(name, room, bold, tight) {
  if (tight) return [cut(name, room, bold)];
  const lines = wrapped(readable(name), room, bold);
  return lines.length > 2 ? [lines[0], cutTo(lines.slice(1).join(''), room, bold)] : lines;
}
function drawLabel(root, {look, lines, more, strong, joined, top, y: end}, edge, away) {
  const y = top + 14;
  const anchor = away < 0 ? 'end' : 'start';
  if (joined) {
    const d = `M${edge} ${end}L${edge + away * 14} ${y - 4}`;
    svg(root, 'path', {d, fill: 'none', stroke: look.colour, 'stroke-width': 1});
  }
  svg(root, 'path', {d: marker(look.k, edge + away * 20, y - 4), fill: look.colour});
  const texts = [
    ...lines.map(text => [text, strong ? 'strong' : '']),
    ...more.map(([text, kind]) => [text, `mono ${kind}`]),
  ];
  texts.forEach(([text, kind], k) => {
    textAt(root, edge + away * 30, y + 16 * k, text, kind, anchor);
  });
}
/**
 * The same entries in rows over a narrow plot; without a root it only says how high they get.
 * @returns {{height: number, hit: (x: number, y: number) => number | undefined}}
 */
export function labelRows(root, entries, width, measure, tone) {
  let x = 0;
  let y = 0;
  const boxes = entries.map(entry => {
    const more = measure(entry.more.map(([text]) => text).join('  '), MORE_FONT);
    const name = cut(entry.name, width - 60 - more, text => measure(text, NAME_FONT));
    const wide = measure(name, entry.strong ? NAME_FONT : '12px');
    const size = 38 + wide + 8 + more + 14;
    if (x && x + size > width) [x, y] = [0, y + 22];
    const box = {...entry, name, wide, x, y, size};
    x += size;
    return box;
  });
  if (root) boxes.forEach(box => drawInRow(root, box, tone));
  const under = (px, py) => box =>
    py >= box.y && py < box.y + 22 && px >= box.x && px < box.x + box.size;
  return {height: y + 26, hit: (px, py) => boxes.find(under(px, py))?.look.k};
}
function drawInRow(root, {look, more, strong, name, wide, x, y}, tone) {
  svg(root, 'path', {
    d: `M${x} ${y + 10}h28`,
    stroke: look.colour,
    'stroke-width': strong ? 3.5 : 2,
    'stroke-dasharray': look.dash || 'none',
    fill: 'none',
  });
  svg(root, 'path', {d: marker(look.k, x + 14, y + 10), fill: look.colour, stroke: tone.bg});
  textAt(root, x + 34, y + 14, name, strong ? 'strong' : '');
  const text = textAt(root, x + 42 + wide, y + 14, undefined, 'mono');
  more.forEach(([part, kind], k) =>
    svg(text, 'tspan', {class: kind}, (k ? '\u00a0\u00a0' : '') + part),
  );
}
