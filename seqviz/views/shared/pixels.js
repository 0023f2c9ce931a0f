// A picture of one pixel for each value, as an address for an image in an SVG.

import {channels, inkOn, ramp} from './colours.js';

/**
 * 65 shades of a scale of colours: as text, as what is legible on each, as pixels.
 * @param {string[]} colours
 * @param {CanvasRenderingContext2D} pen
 * @returns {{shades: string[], inks: string[], pixels: Uint32Array, band: string}}
 */
export function scaleOf(colours, pen) {
  const shades = Array.from({length: 65}, (_, k) => ramp(colours, k / 64));
  const inks = shades.map(shade => (inkOn(shade) === '#ffffff' ? 'light' : 'dark'));
  const pixels = Uint32Array.from(shades, pixelOf);
  return {shades, inks, pixels, band: painted(pen, pixels, 65)};
}
/** A colour as a canvas holds it, in 32 bits. */
export function pixelOf(shade) {
  return channels(shade).reduce((all, v, k) => all | (v << (8 * k)), 255 << 24);
}
/**
 * Coloured pixels, row by row, as an address.
 * @param {CanvasRenderingContext2D} pen
 * @param {Uint32Array} colours
 * @param {number} width pixels of a row
 * @returns {string}
 */
export function painted(pen, colours, width) {
  const pixels = pen.createImageData(width, colours.length / width);
  new Uint32Array(pixels.data.buffer).set(colours);
  Object.assign(pen.canvas, {width, height: pixels.height});
  pen.putImageData(pixels, 0, 0);
  return pen.canvas.toDataURL();
}
