// What a row shows, and in which colours: 0 to 1 on the sequential scale, signed values and changes
// on the diverging one.

import {signedRow} from './cells.js';

/**
 * The value of a row at an index into its curve: recorded, with the hold, or the difference.
 * @param {Scene} scene
 * @param {string} row
 * @returns {(index: number) => number}
 */
export function seenRow({show, hold, layer, after}, row) {
  const before = layer.curves[row];
  const now = after[row];
  if (!hold || show === 'after') return i => now[i];
  return show === 'before' ? i => before[i] : i => now[i] - before[i];
}
/**
 * Whether the scale of a row has two signs, and where it ends.
 * @param {Scene} scene
 * @param {string} row
 * @returns {{two: boolean, most: number}}
 */
export function scaleFor({show, hold, layer}, row) {
  const two = signedRow(row) || Boolean(show === 'change' && hold);
  return {two, most: row === layer.kind.memory ? layer.most : 1};
}
/**
 * The colours of a row.
 * @param {Scene} scene
 * @param {string} row
 * @returns {{pixel: Function, fill: Function, ink: Function}} each of a value
 */
export function shader(scene, row) {
  const {two, most} = scaleFor(scene, row);
  const {shades, inks, pixels} = two ? scene.scales.div : scene.scales.seq;
  const index = value =>
    Math.max(0, Math.min(64, Math.round(64 * (two ? (value / most + 1) / 2 : value))));
  return {
    pixel: value => pixels[index(value)],
    fill: value => shades[index(value)],
    ink: value => inks[index(value)],
  };
}
/**
 * The steps in sight of all units, in their order, a pixel for each value; kept until something in
 * it changes.
 * @param {Scene} scene
 * @param {string} row
 * @returns {string} the address of the picture
 */
export function heat(scene, row) {
  const {images, show, model, units, place, tone} = scene;
  const {from, n} = place;
  const key = [model, row, from, n, show, scene.order].join();
  return images.of(key, tone.div, n, () => {
    const {pixel} = shader(scene, row);
    const value = seenRow(scene, row);
    const {H} = scene.layer;
    const colours = new Uint32Array(n * H);
    let at = 0;
    for (const u of units) {
      for (let k = 0; k < n; k++) colours[at++] = pixel(value((from + k) * H + u));
    }
    return colours;
  });
}
