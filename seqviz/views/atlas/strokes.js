// What a scene is made of: marks as plain objects, and places that answer to the pointer.

/**
 * @typedef {Object} Stroke a mark
 * @property {string} tag of SVG
 * @property {Object<string, any>} look its attributes
 * @property {string} [text]
 */

/**
 * @typedef {Object} Group marks that are drawn anew together, when their key is another one
 * @property {string} name
 * @property {string} key
 * @property {() => {strokes: Stroke[], hits?: Hit[]}} make
 */

/** A text whose middle is at y. */
export const word = (x, y, text, kind = '', anchor = 'start', look = {}) => ({
  tag: 'text',
  look: {x, y: y + 4.3, class: kind, 'text-anchor': anchor, ...look},
  text: String(text),
});
export const box = (x, y, width, height, look) => ({
  tag: 'rect',
  look: {x, y, width: Math.max(0, width), height: Math.max(0, height), ...look},
});
export const rule = (x1, y1, x2, y2, look) => ({tag: 'line', look: {x1, y1, x2, y2, ...look}});
export const dot = (cx, cy, r, look) => ({tag: 'circle', look: {cx, cy, r, ...look}});
export const curve = (d, look) => ({tag: 'path', look: {d, fill: 'none', ...look}});
/** A place that answers: a click or the pointer there means `place`. */
export const hit = (x, y, w, h, place) => ({x, y, w, h, place});
/** Tone of a share from 0 to 1 that is seen on the surface. */
export const shown = share => 0.18 + 0.82 * share;
