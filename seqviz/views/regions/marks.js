// Signs of right and wrong, so that colour is never alone; what is drawn on.

import {svg} from '../shared/nodes.js';

/** A ring with a tick, or a diamond with a cross, 16 pixels high, around a point. */
export function drawMark(parent, kind, x, y, tone) {
  const mark = svg(parent, 'g', {transform: `translate(${x - 8} ${y - 8})`});
  const line = {fill: 'none', 'stroke-width': 1.8};
  if (kind === 'right') {
    svg(mark, 'circle', {...line, cx: 8, cy: 8, r: 6.6, stroke: tone.ink, fill: tone.bg});
    svg(mark, 'path', {...line, d: 'M4.8 8.2l2.4 2.4 4-4.4', stroke: tone.ink});
    return;
  }
  svg(mark, 'path', {d: 'M8 0L16 8 8 16 0 8z', fill: tone.wrong, stroke: tone.bg});
  svg(mark, 'path', {...line, d: 'M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2', stroke: tone.bg});
}
/** Empties a drawing and gives it a size. */
export function cleared(root, width, height) {
  root.replaceChildren();
  root.setAttribute('viewBox', `0 0 ${width} ${height}`);
}
/** Where a node stands in its parent, in pixels. */
export function placeAt({style}, left, top, width, height) {
  const sizes = Object.entries({left, top, width, height});
  for (const [name, value] of sizes) style[name] = `${value}px`;
}
/**
 * Paints pixels, each enlarged to whole ones of the device; the browser averages what is too many.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8ClampedArray} rgba
 * @param {[number, number]} size of it
 * @param {number} across pixels of the device that the canvas is wide
 */
export function paintPixels(canvas, rgba, [width, height], across) {
  const times = Math.max(1, Math.ceil(across / width));
  const small = new OffscreenCanvas(width, height);
  small.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0);
  canvas.width = width * times;
  canvas.height = height * times;
  const pen = canvas.getContext('2d');
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, canvas.width, canvas.height);
}
