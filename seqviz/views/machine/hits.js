// What lies under a point of a scene.

const isIn =
  ([px, py]) =>
  ({x, y, w, h}) =>
    px >= x && px < x + w && py >= y && py < y + h;
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
  const [x, y] = point;
  const {down, across, does, place = {}} = hit;
  const line = {...lineAt(down, (y - hit.y) / hit.h), ...lineAt(across, (x - hit.x) / hit.w)};
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
