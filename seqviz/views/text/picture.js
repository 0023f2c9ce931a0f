// The letters on their colours, and the frames of the cursor.

import {inkOn, ramp} from '../shared/colours.js';
import {textAt} from '../shared/marks.js';
import {put, svg} from '../shared/nodes.js';
import {EDGE, PITCH} from './scene.js';

const SHADES = 128;
const BOX = 24;

/** The colour of a value, and the ink that can be read on it. */
export function shadesOf({signed, share}, tone) {
  const colours = signed ? tone.div : tone.seq;
  const shades = Array.from({length: SHADES + 1}, (_, k) => ramp(colours, k / SHADES));
  const inks = shades.map(inkOn);
  const step = value => Math.round(share(value) * SHADES);
  return {colours, fill: value => shades[step(value)], ink: value => inks[step(value)]};
}
/**
 * Draws the tokens in sight; the drawing is the window, `height` high and `top` below the first
 * line.
 * @returns {SVGElement[]} frames for `moveFrames`
 */
export function drawLetters(node, {place, range: [from, to], top, height}, {values, fill, ink}) {
  node.replaceChildren();
  for (let t = from; t < to; t++) {
    const {x, w, row, text} = place.cells[t];
    const y = row * PITCH;
    svg(node, 'rect', {x, y: y + 3, width: w, height: BOX, rx: 2, fill: fill(values[t])});
    if (text === ' ') continue;
    textAt(node, x + w / 2, y + 20, text, 'token', 'middle').style.fill = ink(values[t]);
  }
  const tall = Math.min(height, place.height);
  put(null, node, {height: tall, viewBox: `${-EDGE} ${top} ${place.width} ${tall}`});
  const frame = {fill: 'none', rx: 3, height: BOX + 3};
  return [2, 5, 2.5].map(width => svg(node, 'rect', {...frame, 'stroke-width': width}));
}
/** Frames the locked token, which stays in sight under a preview, and the one in focus. */
export function moveFrames(frames, {cells}, locked, t, {ink, bg, focus}) {
  const framed = [
    [locked, ink],
    [t, bg],
    [t, focus],
  ];
  framed.forEach(([token, stroke], k) => {
    if (token < 0) {
      put(null, frames[k], {visibility: 'hidden'});
      return;
    }
    const {x, w, row} = cells[token];
    const box = {x: x - 1.5, y: row * PITCH + 1.5, width: w + 3};
    put(null, frames[k], {visibility: 'visible', ...box, stroke});
  });
}
