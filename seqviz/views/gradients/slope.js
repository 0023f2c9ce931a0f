// How much each step back multiplies a gradient.

const LEAST = 3; // steps that a slope is fitted to
/**
 * The window is the half farther from the loss of the last run of steps with a gradient.
 * @param {Float32Array} logs log10 of the norm at each step, -Infinity for no gradient
 * @returns {{start: number, end: number, last: number, factor: number, mean: number} | null} first
 * and last step of the window, from 0; the last of the run; the factor per step back; the mean of
 * the window. null if it is too short.
 */
export function fitted(logs) {
  const last = logs.findLastIndex(Number.isFinite);
  const start = logs.subarray(0, last + 1).findLastIndex(v => !Number.isFinite(v)) + 1;
  const size = Math.floor((last - start + 1) / 2);
  if (last < 0 || size < LEAST) return null;
  let across = 0;
  let square = 0;
  let sum = 0;
  for (let k = 0; k < size; k++) {
    const t = k - (size - 1) / 2;
    across += t * logs[start + k];
    square += t * t;
    sum += logs[start + k];
  }
  const factor = 10 ** (-across / square);
  return {start, end: start + size - 1, last, factor, mean: sum / size};
}
