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

const MOST_KEPT = 400; // images
/** Images of values, each painted once in a theme, and scales of colours. */
export class Images {
  pen = document.createElement('canvas').getContext('2d');
  scales = new Map();
  kept = new Map();
  /** Forgets the images, for other values. */
  clear() {
    this.kept.clear();
  }
  /** What scaleOf() returns of a scale. */
  scale(colours) {
    const key = String(colours);
    if (!this.scales.has(key)) this.scales.set(key, scaleOf(colours, this.pen));
    return this.scales.get(key);
  }
  /**
   * The address of an image.
   * @param {string} name what it shows
   * @param {string[]} colours the scale of the theme
   * @param {number} width pixels of a row
   * @param {(pixels: Uint32Array) => Uint32Array} coloured its pixels, from those of the scale
   * @returns {string}
   */
  of(name, colours, width, coloured) {
    const key = `${name} ${colours}`;
    if (!this.kept.has(key)) {
      if (this.kept.size > MOST_KEPT) this.clear();
      const {pixels} = this.scale(colours);
      this.kept.set(key, painted(this.pen, coloured(pixels), width));
    }
    return this.kept.get(key);
  }
}
