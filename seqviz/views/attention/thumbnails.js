// A thumbnail, as packing.py makes it: round(255 * sqrt(largest of a block / largest of the map)),
// at most 48 blocks a side.

/** Rows and columns of a thumbnail, at most. */
export const THUMB = 48;
/**
 * A byte for each block: 255 times the root of the share that its largest has of the map's largest.
 * @param {Float64Array} values (n, m)
 * @param {number} n
 * @param {number} m
 * @returns {Uint8Array} row by row
 */
export function thumbnail(values, n, m) {
  const rows = Math.min(n, THUMB);
  const columns = Math.min(m, THUMB);
  const best = new Float64Array(rows * columns);
  const edges = Array.from({length: columns + 1}, (_, b) => Math.ceil((b * m) / columns));
  for (let r = 0; r < n; r++) {
    const start = Math.floor((r * rows) / n) * columns;
    for (let b = 0; b < columns; b++) {
      let peak = best[start + b];
      for (let i = r * m + edges[b]; i < r * m + edges[b + 1]; i++) {
        if (values[i] > peak) peak = values[i];
      }
      best[start + b] = peak;
    }
  }
  const most = best.reduce((a, b) => Math.max(a, b), 0) || 1;
  return Uint8Array.from(best, v => Math.round(255 * Math.sqrt(v / most)));
}
