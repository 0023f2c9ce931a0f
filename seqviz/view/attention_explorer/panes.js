// What panes are drawn on: a canvas under an SVG, what is painted once and what follows the cursor.

import {html, put, svg} from '../shared/base.js';

export function layers(node) {
  return {
    node,
    canvas: html(node, 'canvas', {class: 'painted', 'aria-hidden': true}),
    still: svg(node, 'svg', {'aria-hidden': true, overflow: 'visible'}),
    moving: svg(node, 'svg', {'aria-hidden': true, overflow: 'visible'}),
    key: '',
  };
}
/** An empty SVG of this size. */
export function blank(node, width, height) {
  if (node.getAttribute('viewBox') !== `0 0 ${width} ${height}`) {
    put(null, node, {width, height, viewBox: `0 0 ${width} ${height}`});
  }
  node.replaceChildren();
}
export function sized(pane, width, height) {
  for (const drawn of [pane.still, pane.moving]) {
    put(null, drawn, {width, height, viewBox: `0 0 ${width} ${height}`});
  }
  Object.assign(pane.node.style, {width: `${width}px`, height: `${height}px`});
}
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

/** An image enlarged hard, so that averaging it down to this size gives neither blur nor moire. */
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
/** Draws this part of an image's height into a box. */
export function averaged(drawing, large, from, part, {x, y, width, height}) {
  const {width: across, height: down} = large;
  drawing.imageSmoothingEnabled = true;
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(large, 0, from * down, across, part * down, x, y, width, height);
}
