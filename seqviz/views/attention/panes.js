// What panes are drawn on: a canvas under an SVG, what is painted once and what follows the cursor.

import {html, put, svg} from '../shared/nodes.js';

/**
 * @typedef {Object} Pane what lies over each other in a node
 * @property {Element} node
 * @property {HTMLCanvasElement} canvas
 * @property {SVGElement} still what changes with the canvas
 * @property {SVGElement} moving what follows the cursor
 * @property {string} key what canvas and `still` were painted from
 * @property {GridPlan} [plan] of the grid
 * @property {Map<string, Element>} [names] of the lines, by side and place: 'query 0'
 */

/**
 * Puts a canvas and two drawings over it into a node.
 * @param {Element} node
 * @returns {Pane}
 */
export function layers(node) {
  return {
    node,
    canvas: html(node, 'canvas', {class: 'painted', 'aria-hidden': true}),
    still: svg(node, 'svg', {'aria-hidden': true, overflow: 'visible'}),
    moving: svg(node, 'svg', {'aria-hidden': true, overflow: 'visible'}),
    key: '',
  };
}
/**
 * An empty SVG of this size.
 * @param {SVGElement} node
 * @param {number} width
 * @param {number} height
 */
export function blank(node, width, height) {
  if (node.getAttribute('viewBox') !== `0 0 ${width} ${height}`) {
    put(null, node, {width, height, viewBox: `0 0 ${width} ${height}`});
  }
  node.replaceChildren();
}
/**
 * Gives a pane and its drawings a size; that of the canvas is left as it is.
 * @param {Pane} pane
 * @param {number} width
 * @param {number} height
 */
export function sized(pane, width, height) {
  for (const drawn of [pane.still, pane.moving]) {
    put(null, drawn, {width, height, viewBox: `0 0 ${width} ${height}`});
  }
  Object.assign(pane.node.style, {width: `${width}px`, height: `${height}px`});
}
export const END = {'text-anchor': 'end'};
export const MIDDLE = {'text-anchor': 'middle'};
/**
 * Writes a text.
 * @param {Element} node
 * @param {string | number} text
 * @param {string} kind its classes
 * @param {Object<string, any>} place where it begins, or ends, or has its middle; and other
 * attributes
 */
export function write(node, text, kind, place) {
  svg(node, 'text', {...place, class: kind}, text);
}
/**
 * Draws a shape twice: on any ground the one beneath, wider, sets it off.
 * @param {Element} node
 * @param {'rect' | 'path'} shape
 * @param {Object<string, any>} form
 * @param {Object<string, any>} look `stroke` and `stroke-width` among it
 * @param {Object<string, any>} beneath the same of the one beneath
 */
export function setOff(node, shape, form, look, beneath) {
  svg(node, shape, {...form, fill: 'none', ...beneath});
  svg(node, shape, {...form, fill: 'none', ...look});
}
/**
 * An empty canvas of this size, to be drawn on in pixels of the page.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {number} ratio pixels of the canvas to one of the page
 * @returns {CanvasRenderingContext2D}
 */
export function pen(canvas, width, height, ratio) {
  Object.assign(canvas, {
    width: Math.max(1, Math.round(width * ratio)),
    height: Math.max(1, Math.round(height * ratio)),
  });
  Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
  const drawing = canvas.getContext('2d');
  drawing.scale(ratio, ratio);
  return drawing;
}

/**
 * An image enlarged hard, so that averaging it down to this size gives neither blur nor moire.
 * @param {ImageData} image
 * @param {number} width pixels of the canvas that it goes on
 * @param {number} height pixels of that
 * @returns {HTMLCanvasElement}
 */
export function enlarged(image, width, height) {
  const fx = Math.max(1, Math.ceil(width / image.width));
  const fy = Math.max(1, Math.ceil(height / image.height));
  const board = html(null, 'canvas', {width: image.width, height: image.height});
  const large = html(null, 'canvas', {width: image.width * fx, height: image.height * fy});
  board.getContext('2d').putImageData(image, 0, 0);
  const copy = large.getContext('2d');
  copy.imageSmoothingEnabled = false;
  copy.drawImage(board, 0, 0, large.width, large.height);
  return large;
}
/**
 * Draws this part of an image's height into a box.
 * @param {CanvasRenderingContext2D} drawing
 * @param {HTMLCanvasElement} large
 * @param {number} from where the part begins, from 0 to 1
 * @param {number} part how much of the height it is, from 0 to 1
 * @param {{x: number, y: number, width: number, height: number}} box
 */
export function averaged(drawing, large, from, part, {x, y, width, height}) {
  const {width: across, height: down} = large;
  drawing.imageSmoothingEnabled = true;
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(large, 0, from * down, across, part * down, x, y, width, height);
}
