// Means over heads and rollout, as rollups.py makes them, from the heads that a page has.

import {summed} from './weights.js';

/**
 * The mean of maps; they come as functions, so that one is decoded at a time.
 * @param {(() => WeightMap)[]} maps
 * @returns {WeightMap}
 */
export function meanOf([first, ...others]) {
  const mean = first();
  for (const other of others) {
    const map = other();
    for (const name of ['values', 'totals', 'lost']) {
      for (let i = 0; i < mean[name].length; i++) mean[name][i] += map[name][i];
    }
  }
  for (const name of ['values', 'totals', 'lost']) {
    for (let i = 0; i < mean[name].length; i++) mean[name][i] /= 1 + others.length;
  }
  return mean;
}
/**
 * Attention rollout one layer further (Abnar and Zuidema 2020, section 3): half the mean over the
 * heads and half the identity, times the rollout before. Rows are scaled to their totals first, so
 * that what bytes were rounded by does not add up over the layers.
 * @param {WeightMap} mean the mean over the heads of a layer
 * @param {Float64Array | null} before the rollout to the layer below
 * @param {number} n tokens
 * @returns {WeightMap}
 */
export function rolloutOf({values, totals}, before, n) {
  const step = values.slice();
  for (let q = 0; q < n; q++) {
    const row = step.subarray(q * n, q * n + n);
    const scale = (0.5 * totals[q]) / (summed(row) || 1);
    for (let k = 0; k < n; k++) row[k] *= scale;
    row[q] += 0.5;
  }
  const rolled = before ? product(step, before, n) : step;
  const sums = Float64Array.from({length: n}, (_, q) => summed(rolled.subarray(q * n, q * n + n)));
  return {values: rolled, totals: sums, lost: new Float32Array(n)};
}
function product(a, b, n) {
  const out = new Float64Array(n * n);
  for (let q = 0; q < n; q++) {
    const row = out.subarray(q * n, q * n + n);
    for (let k = 0; k < n; k++) {
      const weight = a[q * n + k];
      for (let c = 0; c < n; c++) row[c] += weight * b[k * n + c];
    }
  }
  return out;
}
