// Marks that all parts of the picture share.

import {svg} from '../shared/nodes.js';
import {cutTo, readable} from '../shared/texts.js';

/**
 * A cross: what is wrong.
 * @param {Element} parent
 * @param {number} x of its middle
 * @param {number} y
 * @param {number} r
 * @param {Object} tone the palette
 */
export function crossed(parent, x, y, r, tone) {
  const d = `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
  const line = {d, fill: 'none', 'stroke-linecap': 'round'};
  svg(parent, 'path', {...line, stroke: tone.bg, 'stroke-width': 4.5});
  svg(parent, 'path', {...line, class: 'cross', stroke: tone.wrong, 'stroke-width': 2.3});
}
/**
 * A token that fits, cut if it must be.
 * @param {string} token
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} font
 * @returns {string}
 */
export const clipped = (token, room, measure, font) =>
  cutTo(readable(token, 200), room, measure, font);
