// What part of a long row of tokens, blocks or heads is in sight, and where it lies in the whole.

/**
 * @typedef {Object} Window
 * @property {number} from the first in sight, from 0
 * @property {number} count how many are
 * @property {number} total how many there are
 */

/**
 * As many of a row as there is room for, the one in focus in their middle.
 * @param {number} total
 * @param {number} at the one in focus
 * @param {number} most
 * @returns {Window}
 */
export function windowAround(total, at, most) {
  const count = Math.max(1, Math.min(total, Math.floor(most)));
  const from = Math.max(0, Math.min(total - count, at - Math.floor(count / 2)));
  return {from, count, total};
}
/** What was in sight, as long as the one in focus is: nothing moves under the pointer. */
export function windowKept(window, at, before) {
  const alike = before?.total === window.total && before.count === window.count;
  return alike && inSight(before, at) ? before : window;
}
/** Whether something of the row is out of sight. */
export const isPartOf = ({count, total}) => count < total;
/** Whether one of the row is in sight. */
export const inSight = ({from, count}, at) => at >= from && at < from + count;
/** The numbers of those in sight. */
export const sightOf = ({from, count}) => Array.from({length: count}, (_, k) => from + k);
/** What is in sight: '40–61 of 128'; blocks count from 0, tokens from 1. */
export const sightText = ({from, count, total}, first = 0) =>
  `${first + from}–${first + from + count - 1} of ${total}`;
/**
 * The row in little: a track along a box, the part in sight darker; a click goes there.
 * @param {Sketch} sketch
 * @param {{x, y, width, height}} box as thin as the track; the longer side is its direction
 * @param {Window} window
 * @param {(at: number) => Object} does what a click at one of the row changes
 */
export function drawTrack(sketch, {x, y, width, height}, {from, count, total}, does) {
  const across = width > height;
  const piece = (first, many) =>
    across
      ? {x: x + (width * first) / total, y, width: (width * many) / total, height}
      : {x, y: y + (height * first) / total, width, height: (height * many) / total};
  sketch.rect(piece(0, total), {fill: 'rule', r: 1});
  sketch.rect(piece(from, count), {fill: 'ink2', r: 1});
  for (let at = 0; at < total; at++) {
    const {x: left, y: top, width: wide, height: high} = piece(at, 1);
    const spare = across ? [0, 3] : [3, 0];
    const box = {x: left, y: top, width: wide + spare[0], height: high + spare[1]};
    sketch.hit(box, {}, does(at));
  }
}
