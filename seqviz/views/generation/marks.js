// Boxes, lines and colours of all pictures of this view.

import {svg} from '../shared/nodes.js';

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
