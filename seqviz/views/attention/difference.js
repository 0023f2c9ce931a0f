// The difference of two maps over the same tokens: after minus before.

import {inkOn} from '../shared/base.js';

/**
 * A sheet of differences, cell by cell; it is `signed`, and its peaks are sizes.
 * @param {Sheet} after
 * @param {Sheet} before
 * @returns {Sheet}
 */
export function differenceOf(after, before) {
  const {n, m} = after;
  const minus = name => after[name].map((v, i) => v - before[name][i]);
  const values = minus('values');
  const peaks = Float64Array.from({length: n}, (_, r) =>
    values.subarray(r * m, r * m + m).reduce((most, v) => Math.max(most, Math.abs(v)), 0),
  );
  return {
    ...after,
    values,
    peaks,
    totals: minus('totals'),
    hidden: minus('hidden'),
    most: peaks.reduce((a, b) => Math.max(a, b), 0),
    signed: true,
    parts: [after, before],
  };
}

const LEAST = 0.12; // of the largest, below which a cell gets no sign
/**
 * A plus or a minus in each cell that differs, where there is room: colour does not tell alone.
 * @param {CanvasRenderingContext2D} drawing
 * @param {Sheet} sheet
 * @param {MapView} view
 * @param {(v: number, row: number) => string} colourOf the colour of a cell
 * @param {{pw: number, ph: number}} cell pixels
 */
export function drawSigns(drawing, {values, m, most}, {q0, qn, k0, kn}, colourOf, {pw, ph}) {
  if (Math.min(pw, ph) < 8 || !most) return;
  const arm = Math.min(4, Math.min(pw, ph) / 4);
  drawing.lineWidth = 1.5;
  for (let q = 0; q < qn; q++) {
    for (let k = 0; k < kn; k++) {
      const v = values[(q0 + q) * m + k0 + k];
      if (Math.abs(v) < LEAST * most) continue;
      const x = (k + 0.5) * pw;
      const y = (q + 0.5) * ph;
      drawing.strokeStyle = inkOn(colourOf(v, q0 + q));
      drawing.beginPath();
      drawing.moveTo(x - arm, y);
      drawing.lineTo(x + arm, y);
      if (v > 0) {
        drawing.moveTo(x, y - arm);
        drawing.lineTo(x, y + arm);
      }
      drawing.stroke();
    }
  }
}
