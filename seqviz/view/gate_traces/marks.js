// Where the columns begin and end, and the marks that maps and lines share.

import {readable, svg} from '../shared/base.js';

export const GUTTER = 82;
export const END = 30;

export function ringed(parent, x, y, width, height, stroke, tone, weight = 2.5) {
  const box = {x, y, width, height, fill: 'none', rx: 2};
  svg(parent, 'rect', {...box, stroke: tone.bg, 'stroke-width': weight + 2});
  svg(parent, 'rect', {...box, stroke, 'stroke-width': weight});
}
// A text that fits, cut if it must be.
export function clipped(text, room, measure, font) {
  let letters = [...readable(text, 200)];
  if (measure(letters.join(''), font) <= room) return letters.join('');
  while (letters.length > 1 && measure(letters.join('') + '…', font) > room) {
    letters = letters.slice(0, -1);
  }
  return letters.join('') + '…';
}
