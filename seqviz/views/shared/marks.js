// Marks that many pictures have: a sheet, texts, lines, frames, images of pixels, signs of what is
// right and wrong.

import {put, svg} from './nodes.js';

/** A drawing of so many pixels; what it shows the sentence tells. */
export const sheet = (parent, width, height) =>
  svg(parent, 'svg', {viewBox: `0 0 ${width} ${height}`, height, 'aria-hidden': true});
/** The same in place of what a node holds. */
export function freshSheet(node, width, height) {
  node.replaceChildren();
  return put(null, sheet(node, width, height), {width});
}
/**
 * Writes a text at a point.
 * @param {Element} root
 * @param {number} x
 * @param {number} y of its base line
 * @param {string | number} text
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
export const drawImage = (root, href, box) =>
  svg(root, 'image', {href, preserveAspectRatio: 'none', ...box});
export const SHARP = {style: 'image-rendering: pixelated'};
/**
 * Squeezes a text into its room, if it is longer.
 * @param {SVGElement} text
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} font
 */
export function squeezed(text, room, measure, font) {
  if (measure(text.textContent, font) <= room) return;
  put(null, text, {textLength: Math.max(1, room), lengthAdjust: 'spacingAndGlyphs'});
}
/**
 * By how much a slanted name has moved sideways at a height over its foot: pointing at its last
 * letters is pointing at its column.
 * @param {number} up pixels
 * @param {number} degrees how steep it stands
 * @returns {number} pixels
 */
export const leaning = (up, degrees) => up / Math.tan((degrees * Math.PI) / 180);
/**
 * A path of slanted lines in a box; a pattern would need an id, and views on a page share those.
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {number} gap pixels
 * @param {number} [from] where the first one begins
 * @returns {string}
 */
export function slantedLines({x, y, width, height}, gap, from = gap) {
  const lines = [];
  for (let s = from; s < width + height; s += gap) {
    const a = Math.max(0, s - height);
    const b = Math.min(width, s);
    const start = `${(x + a).toFixed(1)} ${(y + s - a).toFixed(1)}`;
    lines.push(`M${start}L${(x + b).toFixed(1)} ${(y + s - b).toFixed(1)}`);
  }
  return lines.join('');
}
/**
 * Right is a ring with a tick, wrong a diamond with a cross, 16 pixels high, around a point: colour
 * is never alone. Texts have signs for them, see texts.js.
 */
export function drawJudged(root, kind, x, y, tone) {
  const sign = svg(root, 'g', {transform: `translate(${x} ${y})`});
  const line = {fill: 'none', 'stroke-width': 1.8};
  if (kind === 'right') {
    svg(sign, 'circle', {...line, r: 6.6, stroke: tone.ink, fill: tone.bg});
    svg(sign, 'path', {...line, d: 'M-3.2 .2l2.4 2.4 4-4.4', stroke: tone.ink});
    return;
  }
  svg(sign, 'path', {d: 'M0 -8L8 0 0 8 -8 0z', fill: tone.wrong, stroke: tone.bg});
  svg(sign, 'path', {...line, d: 'M-2.6 -2.6l5.2 5.2M2.6 -2.6l-5.2 5.2', stroke: tone.bg});
}
