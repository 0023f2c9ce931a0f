// Marks that many pictures have: a sheet, texts, lines, frames, images of pixels.

import {svg} from './nodes.js';

/** A drawing of so many pixels; what it shows the sentence tells. */
export const sheet = (parent, width, height) =>
  svg(parent, 'svg', {viewBox: `0 0 ${width} ${height}`, height, 'aria-hidden': true});
/**
 * Writes a text at a point.
 * @param {Element} root
 * @param {number} x
 * @param {number} y of its base line
 * @param {string} text
 * @param {string} [kind] its class
 * @param {'start' | 'middle' | 'end'} [anchor] what of it stands at x
 */
export const textAt = (root, x, y, text, kind = '', anchor = 'start') =>
  svg(root, 'text', {x, y, class: kind, 'text-anchor': anchor}, text);
/** A path without a filling. */
export const drawPath = (root, d, look) =>
  svg(root, 'path', {d, fill: 'none', 'stroke-linejoin': 'round', ...look});
/** A line from one point to another. */
export const lineTo = (root, [x1, y1], [x2, y2], look) =>
  svg(root, 'line', {x1, y1, x2, y2, ...look});
/** A frame with a rim of the background's colour, to be seen on every colour. */
export function ringed(root, box, stroke, tone, {width = 2, ...more} = {}) {
  const frame = {fill: 'none', ...box, ...more};
  svg(root, 'rect', {...frame, stroke: tone.bg, 'stroke-width': width + 2});
  svg(root, 'rect', {...frame, stroke, 'stroke-width': width});
}
/** An image of one pixel for each value, see pixels.js, stretched over a box. */
export const drawPixels = (root, href, box) =>
  svg(root, 'image', {
    ...box,
    href,
    preserveAspectRatio: 'none',
    style: 'image-rendering: pixelated',
  });
