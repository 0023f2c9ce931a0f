// Matrices on a canvas: a cell for each number, in pixels of the device.

import {scaleOf} from '../pixels.js';

/**
 * @typedef {Object} Heat a box of numbers of one node
 * @property {string} node
 * @property {boolean} [weight] whether the node is a weight
 * @property {number} base where the first number lies in the node's values
 * @property {number} rows
 * @property {number} cols
 * @property {number} rowStep from a row to the next in the values
 * @property {number} colStep
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} max where the colours end
 * @property {boolean} [sequential] from 0 to max, else from -max to max
 * @property {number} [times] what each number is multiplied with
 * @property {number} [alpha]
 * @property {boolean} [grid] whether there are gaps between the cells
 * @property {string} [group] heats that are one part of the picture
 * @property {boolean} [live] whether it changes with the pointer
 */

const PEN = document.createElement('canvas').getContext('2d');
const SHADES = 64; // steps of a scale of colours, see scaleOf()
/**
 * The colours of both scales as pixels, and that of what is not finite.
 * @param {Object} tone the palette
 * @returns {{sequential: Uint32Array, signed: Uint32Array, none: number}}
 */
export function shadesOf(tone) {
  const pixels = colours => scaleOf(colours, PEN).pixels;
  return {
    sequential: pixels(tone.seq),
    signed: pixels(tone.div),
    none: pixels([tone.panel, tone.panel])[0],
  };
}
// The cells that each of so many pixels shows: from the first up to, but not, the second.
function cellsOf(count, pixels) {
  return Array.from({length: pixels}, (_, place) => {
    const from = Math.floor((place * count) / pixels);
    return [from, Math.max(from + 1, Math.floor(((place + 1) * count) / pixels))];
  });
}
function shadeIn({max, sequential, times = 1}, shades) {
  const scale = shades[sequential ? 'sequential' : 'signed'];
  const zero = sequential ? 0 : SHADES / 2;
  const by = (times * (SHADES - zero)) / max;
  return value => {
    if (!Number.isFinite(value)) return shades.none;
    return scale[Math.max(0, Math.min(SHADES, Math.round(zero + value * by)))];
  };
}
// Of cells finer than a pixel, that with the largest number.
function largest(values, {base, rowStep, colStep}, [row, lastRow], [column, lastColumn]) {
  let best = values[base + row * rowStep + column * colStep];
  if (lastRow - row === 1 && lastColumn - column === 1) return best;
  for (let r = row; r < lastRow; r++) {
    for (let c = column; c < lastColumn; c++) {
      const value = values[base + r * rowStep + c * colStep];
      if (Math.abs(value) > Math.abs(best)) best = value;
    }
  }
  return best;
}
function coloured(heat, values, {width, height}, shades) {
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const columns = cellsOf(heat.cols, width);
  const rows = cellsOf(heat.rows, height);
  const shade = shadeIn(heat, shades);
  const opaque = (Math.round(255 * (heat.alpha ?? 1)) << 24) | 0xffffff;
  rows.forEach((cells, y) => {
    const line = y * width;
    if (y && rows[y - 1][0] === cells[0] && rows[y - 1][1] === cells[1]) {
      pixels.copyWithin(line, line - width, line);
      return;
    }
    columns.forEach((across, x) => {
      pixels[line + x] = shade(largest(values, heat, cells, across)) & opaque;
    });
  });
  return image;
}
function gaps(pen, {rows, cols}, {left, top, width, height}) {
  for (let c = 1; c < cols; c++) {
    pen.clearRect(left + Math.round((width * c) / cols), top, 1, height);
  }
  for (let r = 1; r < rows; r++) {
    pen.clearRect(left, top + Math.round((height * r) / rows), width, 1);
  }
}
/**
 * Paints heats over one another.
 * @param {HTMLCanvasElement} canvas
 * @param {Heat[]} heats
 * @param {{width: number, height: number, ratio: number, shades: Object,
 * valuesOf: (heat: Heat) => Float32Array}} look local pixels, those of the device in one, what
 * shadesOf() returns, and where a heat's numbers lie
 */
export function paintHeats(canvas, heats, {width, height, ratio, shades, valuesOf}) {
  Object.assign(canvas, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
  const pen = canvas.getContext('2d');
  for (const heat of heats) {
    const left = Math.round(heat.x * ratio);
    const top = Math.round(heat.y * ratio);
    const box = {
      left,
      top,
      width: Math.max(1, Math.round((heat.x + heat.w) * ratio) - left),
      height: Math.max(1, Math.round((heat.y + heat.h) * ratio) - top),
    };
    pen.putImageData(coloured(heat, valuesOf(heat), box, shades), left, top);
    if (heat.grid) gaps(pen, heat, box);
  }
}
