// What all panes are drawn with: texts, frames, arrows, states and weights.

import {inkOn, ramp} from '../shared/colours.js';
import {SHARP, drawImage, lineTo, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {cut, graphemes, readable, signed} from '../shared/texts.js';

// ---- texts
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}|\p{RI}/u;
/** How wide a text is, in units of its size. */
export const ems = text =>
  graphemes(text).reduce((sum, letter) => {
    const seen = [...letter].filter(c => !/[\p{Mn}\p{Me}\p{Cf}]/u.test(c)).length;
    return sum + (WIDE.test(letter) ? 1.3 : 0.61 * seen);
  }, 0);
/** A token for its place: smaller where it is long, cut where it is very long. */
export function fittedToken(text, room, most) {
  const size = Math.max(12, Math.min(most, room / ems(readable(text))));
  return {label: cut(text, room / size, ems), size};
}
/** A token around x; `size` is the largest. */
export function drawToken(parent, text, {x, y, room, size: most, kind = '', fill = ''}) {
  const {label, size} = fittedToken(text, room, most);
  const style = `font-size:${size.toFixed(1)}px${fill && `;fill:${fill}`}`;
  svg(parent, 'text', {x, y, 'text-anchor': 'middle', style, class: `mono ${kind}`}, label);
}
/** A letter of the equation with its index. */
export function drawSymbol(parent, letter, index, {x, y, kind = '', anchor = 'middle'}) {
  const text = textAt(parent, x, y, letter, `mid ${kind}`, anchor);
  svg(text, 'tspan', {dy: 4, class: 'below'}, index);
}
/** A number in at most five signs, whatever its size. */
export function shortNumber(value) {
  const size = Math.abs(value);
  if (size < 9.995) return signed(value);
  if (size < 99.95) return signed(value, 1);
  if (size < 9999.5) return signed(value, 0);
  return value.toExponential(0).replace('-', '−').replace('+', '');
}

// ---- frames and arrows
/** A frame; that of the focus stands out from what is under it. */
export function drawFrame(parent, box, stroke, tone, weight = 2) {
  const look = {...box, fill: 'none', rx: 4};
  if (stroke === tone.focus) {
    svg(parent, 'rect', {...look, stroke: tone.bg, 'stroke-width': weight + 2});
  }
  svg(parent, 'rect', {...look, stroke, 'stroke-width': weight});
}
/** The frame of the unit in focus, around a value at x; it leaves the numbers beside it whole. */
export function drawRing(parent, {x, y, width, unitHeight}, tone) {
  const beyond = unitHeight > 8 ? 0.5 : 2; // pixels over the value
  const box = {x: x - 2, y: y - beyond, width: width + 4, height: unitHeight - 1 + 2 * beyond};
  drawFrame(parent, box, tone.focus, tone, 2.5);
}
export function drawArrow(parent, [x1, y1], [x2, y2], stroke, weight) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const ux = (x2 - x1) / length;
  const uy = (y2 - y1) / length;
  const head = weight * 2.2;
  const half = head * 0.7;
  const x = x2 - ux * head;
  const y = y2 - uy * head;
  const d = `M${x2} ${y2}L${x - uy * half} ${y + ux * half}L${x + uy * half} ${y - ux * half}Z`;
  lineTo(parent, [x1, y1], [x, y], {stroke, 'stroke-width': weight});
  svg(parent, 'path', {d, fill: stroke});
}

// ---- states and weights
export const largest = values => values.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-9);
/** A value for each unit, one below the other: violet is −most, rust most. */
export function drawVector(parent, values, tone, {x, y, width, unitHeight, numbers, most = 1}) {
  const large = unitHeight > 8;
  const height = unitHeight - (large ? 1 : 0.3);
  values.forEach((value, k) => {
    const fill = ramp(tone.div, 0.5 + value / most / 2);
    const top = y + k * unitHeight;
    svg(parent, 'rect', {x, y: top, width, height, fill, rx: large ? 2 : 0});
    if (!numbers) return;
    const style = `fill:${inkOn(fill)}`;
    const place = {x: x + width - 4, y: top + unitHeight / 2 + 4, 'text-anchor': 'end'};
    svg(parent, 'text', {...place, class: 'mono', style}, shortNumber(value));
  });
}
export const oneHotFill = (tone, on) => ramp(tone.seq, on ? 0.85 : 0.06);
const HUE = {W_xh: 0, W_hh: 5, W_hy: 3};
export const weightColour = (tone, name) => tone.cat[HUE[name]];
/** A pixel for each weight, in 33 shades. */
export function drawMatrix(parent, name, scene, {x, y, width, height}) {
  const {images, net, tone, H, V} = scene;
  const weights = net[name];
  const most = largest(weights);
  // of 65 shades every other is taken
  const coloured = pixels =>
    Uint32Array.from(weights, v => pixels[32 + 2 * Math.round((16 * v) / most)]);
  const image = images.of(name, tone.div, name === 'W_xh' ? V : H, coloured);
  drawImage(parent, image, {x, y, width, height, ...SHARP});
  const box = {x: x - 1, y: y - 1, width: width + 2, height: height + 2};
  drawFrame(parent, box, weightColour(tone, name), tone, 2.5);
}
