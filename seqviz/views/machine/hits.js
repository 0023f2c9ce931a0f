// What lies under a point of a scene.

import {leaning} from '../shared/marks.js';
import {STEEP} from '../shared/scene/sketch.js';

// From the left of a hit; over its foot a slanted name leans to the right.
const fromLeft = ({x, foot = -Infinity}, [px, py]) =>
  px - x - leaning(Math.max(0, foot - py), STEEP);
const isIn = point => box => {
  const [dx, dy] = [fromLeft(box, point), point[1] - box.y];
  return dx >= 0 && dx < box.w && dy >= 0 && dy < box.h;
};
// Which row or column of a hit, by what it is.
function lineAt([name, from, count] = [], share) {
  return name ? {[name]: from + Math.min(count - 1, Math.floor(share * count))} : {};
}
/**
 * What lies under a point: what is previewed there, and what a click does.
 * @param {Scene} scene
 * @param {[number, number]} point
 * @returns {{place: Place, does: Object | null} | null}
 */
export function foundAt({hits, heats}, point) {
  const hit = hits.findLast(isIn(point));
  if (!hit) return null;
  const {down, across, does, place = {}} = hit;
  const line = {
    ...lineAt(down, (point[1] - hit.y) / hit.h),
    ...lineAt(across, fromLeft(hit, point) / hit.w),
  };
  const number = place.node === undefined ? numberAt(heats, point) : null;
  return {place: {...place, ...line, ...number}, does: does ? {...does, ...line} : null};
}
function numberAt(heats, [x, y]) {
  const heat = heats.findLast(isIn([x, y]));
  if (!heat) return null;
  const column = Math.floor(((x - heat.x) / heat.w) * heat.cols);
  const row = Math.floor(((y - heat.y) / heat.h) * heat.rows);
  return {node: heat.node, index: heat.base + row * heat.rowStep + column * heat.colStep};
}
