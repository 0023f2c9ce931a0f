// One unit, all rows of its cell: the second cut. Numbers stand in all cells or in none.

import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {signed} from '../shared/texts.js';
import {CALLED, HUE} from './cells.js';
import {GUTTER, ROW} from './plan.js';
import {scaleFor, seenRow, shader} from './shades.js';
import {clipped} from './words.js';

const BAND = 50; // pixels of a scale of colours

const short = value => signed(value, Math.abs(value) < 9.95 ? 2 : 1).replace(/^(−?)0\./, '$1.');
/**
 * The rows of the unit in focus, with their names and scales.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawRows(root, scene) {
  const {place, layer, u, measure} = scene;
  const {from, n, cw} = place;
  const rows = [...layer.kind.rows];
  const steps = Array.from({length: n}, (_, k) => from + k);
  const values = rows.map(row => steps.map(t => seenRow(scene, row)(t * layer.H + u)));
  const widest = Math.max(...values.flat().map(value => measure(short(value), '12px mono')));
  textAt(root, 0, place.unit + place.title, `Unit ${u + 1}`, 'mid hot');
  drawScales(root, scene, rows);
  rows.forEach((row, k) => {
    const y = place.rows + k * ROW;
    const {fill, ink} = shader(scene, row);
    steps.forEach((t, at) => {
      const value = values[k][at];
      const box = {x: place.x(t), y, width: cw - 1, height: ROW - 2, fill: fill(value)};
      svg(root, 'rect', {...box, class: 'cell'});
      if (widest > cw - 3) return;
      const middle = place.x(t) + cw / 2 - 0.5;
      textAt(root, middle, y + 11.5, short(value), `value ${ink(value)}`, 'middle');
    });
    nameRow(root, scene, row, y);
  });
}
function nameRow(root, {tone, row: open, hold, show, place, u}, row, y) {
  const on = row === open;
  svg(root, 'rect', {x: 0, y, width: 4, height: ROW - 2, fill: tone.cat[HUE[row]]});
  textAt(root, 8, y + 11.5, row, on ? 'hot' : 'bold');
  textAt(root, 18, y + 11.5, CALLED[row], on ? 'hot' : 'soft');
  const held = hold?.gate === row && show !== 'before' && (hold.unit === null || hold.unit === u);
  if (held) textAt(root, place.end + 4, y + 11.5, 'held', 'second');
}
// The scales in words, and at the end their colours.
function drawScales(root, scene, rows) {
  const {place, scales, measure} = scene;
  const y = place.unit + place.title;
  const groups = new Map();
  for (const row of rows) {
    const {two, most} = scaleFor(scene, row);
    const range = two ? `±${signed(most, Number.isInteger(most) ? 0 : 1)}` : '0 to 1';
    groups.set(range, [...(groups.get(range) ?? []), row]);
  }
  const ranges = [...groups].map(([range, names]) => `${names.join(' ')} ${range}`);
  const shown = scene.hold && scene.show === 'change' ? 'after − before: ' : '';
  let end = place.end;
  for (const [low, scale, high] of [
    ['−', scales.div, '+'],
    ['0', scales.seq, '1'],
  ]) {
    if (low === '0' && !groups.has('0 to 1')) continue;
    textAt(root, end, y, high, 'soft', 'end');
    const band = {href: scale.band, x: end - 11 - BAND, y: y - 9, width: BAND, height: 10};
    svg(root, 'image', {...band, class: 'band', preserveAspectRatio: 'none'});
    textAt(root, end - 14 - BAND, y, low, 'soft', 'end');
    end -= BAND + 36;
  }
  if (end - GUTTER < BAND) return; // the names would be cut to nothing
  const text = clipped(shown + ranges.join('; '), end - GUTTER, measure, '12px');
  textAt(root, GUTTER, y, text, 'soft halo');
}
