// Where the columns begin and end, and the marks that maps and lines share.

import {readable, svg} from '../shared/base.js';

/** Pixels left of the columns of steps. */
export const GUTTER = 82;
/** Pixels right of them. */
export const END = 30;

/**
 * A frame with a rim of the background's colour, to be seen on every colour.
 * @param {Element} parent
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} stroke
 * @param {Object} tone the palette
 * @param {number} [weight] pixels of the line
 */
export function ringed(parent, x, y, width, height, stroke, tone, weight = 2.5) {
  const box = {x, y, width, height, fill: 'none', rx: 2};
  svg(parent, 'rect', {...box, stroke: tone.bg, 'stroke-width': weight + 2});
  svg(parent, 'rect', {...box, stroke, 'stroke-width': weight});
}
/**
 * A text that fits, cut if it must be.
 * @param {string} text
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} font
 * @returns {string}
 */
export function clipped(text, room, measure, font) {
  let letters = [...readable(text, 200)];
  if (measure(letters.join(''), font) <= room) return letters.join('');
  while (letters.length > 1 && measure(letters.join('') + '…', font) > room) {
    letters = letters.slice(0, -1);
  }
  return letters.join('') + '…';
}
