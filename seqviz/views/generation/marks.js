// Texts, boxes and lines of all pictures of this view.

import {put, svg} from '../shared/nodes.js';

/** A fresh svg in place of what a node holds. */
export function freshSheet(node, W, H) {
  node.replaceChildren();
  const box = {viewBox: `0 0 ${W} ${H}`, width: W, height: H, 'aria-hidden': true};
  return svg(node, 'svg', box);
}
/**
 * A text at a place.
 * @param {{size: number, kind?: string, anchor?: string}} look `kind` are classes of the style
 */
export function write(root, x, y, text, {size, kind = '', anchor = 'start', fill}) {
  const node = svg(root, 'text', {x, y, class: kind, 'text-anchor': anchor}, text);
  node.style.fontSize = `${size}px`;
  if (fill) node.style.fill = fill;
  return node;
}
/** The same, squeezed into a room. */
export function writeIn(root, x, y, text, look, room, measure) {
  const node = write(root, x, y, text, look);
  const bold = /hot|bold|teal/.test(look.kind ?? '');
  if (measure(text, `${bold ? '700 ' : ''}${look.size}px`) > room) {
    put(null, node, {textLength: Math.max(1, room), lengthAdjust: 'spacingAndGlyphs'});
  }
  return node;
}
export const box = (root, x, y, width, height, look) =>
  svg(root, 'rect', {x, y, width: Math.max(0.5, width), height, ...look});
export const path = (root, d, look) => svg(root, 'path', {d, fill: 'none', ...look});
/** Colours of this view, from those of the theme. */
export const hues = tone => ({
  ...tone,
  paper: tone.seq[0],
  shade: tone.seq[1],
  edge: tone.seq[3],
  blue: tone.seq[4],
});
/** The colour of what is in focus: another one while it is previewed. */
export const hot = (scene, tone) => (scene.previewing ? tone.second : tone.focus);
export const hotKind = scene => (scene.previewing ? 'teal' : 'hot');
