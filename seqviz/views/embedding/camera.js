// Which part of the plane is seen. The scale is the same on both axes: a distance is a distance.

/** @typedef {number[]} Box left, right, low, high */

/** @returns {Box} around points */
export function extent(points) {
  return [0, 1].flatMap(k => {
    const values = points.map(point => point[k]);
    return [Math.min(...values), Math.max(...values)];
  });
}
/** @returns {Box} around points with some room, and not smaller than a share of the whole */
export function closer(points, whole) {
  const [left, right, low, high] = extent(points);
  const least = 0.09 * Math.max(whole[1] - whole[0], whole[3] - whole[2]);
  const half = Math.max(0.56 * (right - left), 0.6 * (high - low), least);
  const x = (left + right) / 2;
  const y = (low + high) / 2;
  return [x - half, x + half, y - half, y + half];
}
/** A box on the way from one to another. */
export const between = (from, to, share) => from.map((v, k) => v + (to[k] - v) * share);
/**
 * What puts a point of the plane into a frame.
 * @param {Box} box
 * @param {{left: number, right: number, top: number, bottom: number}} frame
 * @param {number} pad
 * @returns {{at: (point: number[]) => number[], sees: (place: number[]) => boolean, scale: number}}
 */
export function lens([x0, x1, y0, y1], {left, right, top, bottom}, pad) {
  const wide = right - left;
  const high = bottom - top;
  const scale = Math.min(
    (wide - 2 * pad) / Math.max(x1 - x0, 1e-9),
    (high - 1.4 * pad) / Math.max(y1 - y0, 1e-9),
  );
  return {
    scale,
    at: ([x, y]) => [
      left + wide / 2 + scale * (x - (x0 + x1) / 2),
      top + high / 2 - scale * (y - (y0 + y1) / 2),
    ],
    sees: ([x, y]) => x > left + 4 && x < right - 4 && y > top + 4 && y < bottom - 4,
  };
}
