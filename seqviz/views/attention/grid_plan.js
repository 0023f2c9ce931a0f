// Where each head's thumbnail stands in the grid: by place, or the highest score first.

import {brief, isHead, placeOfLayer} from './places.js';

/**
 * @typedef {Object} GridCell a tile: a thumbnail, in pixels of the grid
 * @property {Layer} layer
 * @property {Head} head
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} under room for its name, which is hit with it
 * @property {number} [l] by place: its row of tiles, from 0, the roll-ups last
 * @property {number} [h] by place: its column of tiles, from 0, the roll-ups last
 * @property {number} [i] by score: its rank, from 0
 * @property {number} [score] by score
 */

/**
 * @typedef {Object} GridPlan
 * @property {GridCell[]} cells
 * @property {boolean} ranked by score, else by place
 * @property {number} height pixels of the grid
 * @property {(cell: GridCell, dx: number, dy: number) => GridCell} move the tile so many further on
 * @property {number} [L] by place: layers
 * @property {number} [H] by place: heads of each
 * @property {(h: number) => number} [x] by place: where a column begins; H for the roll-ups
 * @property {(l: number) => number} [y] by place: where a row begins; L for the roll-ups
 * @property {number} [t] by place: pixels across a tile
 * @property {number} [tall] by place: pixels down a tile
 * @property {'mean' | 'max'} [down] by place: what stands under the heads
 * @property {number} [pitch] by score: pixels from row to row
 * @property {number} [most] by score: the highest
 */

const GAP = 2;
const NUMBERS = 42;
const HEADING = 20;
const TILE = 66;

const ROUNDED = 2 ** -13; // a score, of itself
/** Whether the lowest of these scores comes first. */
export const lowIsBest = sort => sort === 'error' || sort === 'entropy';
/**
 * Whether a head misses the limit of the score; by place, and of a roll-up, none does.
 * @param {Scene} scene `kind`, `sort`, `least` and `ranking` are read
 * @param {Layer} layer
 * @param {Head} head
 * @returns {boolean}
 */
export function faded({kind, sort, least, ranking}, layer, head) {
  if (sort === 'place' || !least || !ranking || !isHead(layer, head)) return false;
  const score = ranking[placeOfLayer(kind, layer)][head];
  return lowIsBest(sort) ? score > least * (1 + ROUNDED) : score < least * (1 - ROUNDED);
}
/**
 * By layer and head with roll-ups beside and under them; or heads alone, the best first.
 * @param {Scene} scene `kind`, `sort`, `ranking`, `rollup` and `measure` are read
 * @param {number} width pixels
 * @param {number} tile the most that a thumbnail takes by place, across and down
 * @returns {GridPlan}
 */
export function gridPlan(scene, width, tile) {
  return scene.sort === 'place' || !scene.ranking ? byPlace(scene, tile) : byScore(scene, width);
}
function byPlace({kind: {layers: L, numbers, heads: H, queries, keys}, rollup}, tile) {
  const shape = Math.max(0.5, Math.min(2, queries.length / keys.length));
  const t = Math.max(4, Math.round(tile / Math.max(1, shape)));
  const tall = Math.max(4, Math.round(t * shape));
  const x = h => NUMBERS + h * (t + GAP) + (h === H ? 8 : 0);
  const y = l => HEADING + l * (tall + GAP) + (l === L ? 8 : 0);
  const cells = [];
  const down = rollup === 'max' ? 'max' : 'mean';
  for (let l = 0; l <= L; l++) {
    for (let h = 0; h <= H; h++) {
      const layer = l < L ? numbers[l] : down;
      const head = h < H ? h : l < L ? rollup : down;
      cells.push({layer, head, l, h, x: x(h), y: y(l), width: t, height: tall, under: 0});
    }
  }
  const height = y(L) + tall + GAP;
  const move = (at, dx, dy) => {
    const row = Math.max(0, Math.min(L, at.l + dy));
    const column = Math.max(0, Math.min(H, at.h + dx));
    return cells[row * (H + 1) + column];
  };
  return {cells, t, tall, x, y, L, H, height, move, down, ranked: false};
}
// A tile is as wide as the longest name and the longest value side by side.
function byScore({kind: {numbers, heads: H}, ranking, sort, measure}, width) {
  const longest =
    measure(brief(numbers.at(-1), H - 1).replace(/\d/g, 0), '700 12px') + measure('<0.001');
  const per = Math.max(1, Math.floor(width / Math.max(TILE, longest + 16)));
  const step = width / per;
  const tall = 46;
  const under = sort === 'cost' ? 33 : 19; // a weight stands there, too
  const pitch = tall + under + 5;
  const order = [];
  for (const [l, layer] of numbers.entries()) {
    for (let h = 0; h < H; h++) order.push({layer, head: h, score: ranking[l][h]});
  }
  const way = lowIsBest(sort) ? 1 : -1;
  order.sort((a, b) => way * (a.score - b.score) || a.layer - b.layer || a.head - b.head);
  const cells = order.map((cell, i) => ({
    ...cell,
    i,
    x: (i % per) * step + 2,
    y: 4 + Math.floor(i / per) * pitch,
    width: step - 8,
    height: tall,
    under,
  }));
  const move = ({i}, dx, dy) => cells[Math.max(0, Math.min(cells.length - 1, i + dx + dy * per))];
  return {
    cells,
    height: 4 + Math.ceil(order.length / per) * pitch,
    pitch,
    move,
    ranked: true,
    most: Math.max(...order.map(({score}) => score)),
  };
}
/**
 * The tile of a head or a roll-up.
 * @param {GridPlan} plan
 * @param {Layer} layer
 * @param {Head} head
 * @returns {GridCell | undefined}
 */
export const cellOf = (plan, layer, head) =>
  plan.cells.find(cell => cell.layer === layer && cell.head === head);
/**
 * The tile under a point; its name belongs to it.
 * @param {GridPlan} plan
 * @param {number} x
 * @param {number} y
 * @returns {GridCell | null}
 */
export function underGrid(plan, x, y) {
  const inside = ({x: left, y: top, width, height, under}) =>
    x >= left - GAP / 2 &&
    x < left + width + GAP / 2 &&
    y >= top - GAP / 2 &&
    y < top + height + GAP / 2 + under;
  return plan.cells.find(inside) ?? null;
}
/**
 * The next tile that is not faded, or where one stands.
 * @param {GridPlan} plan
 * @param {Scene} scene
 * @param {GridCell} from
 * @param {number} dx tiles to the right
 * @param {number} dy tiles down
 * @returns {GridCell}
 */
export function stepped(plan, scene, from, dx, dy) {
  for (let at = from, next; ; at = next) {
    next = plan.move(at, dx, dy);
    if (next === at) return from;
    if (!faded(scene, next.layer, next.head)) return next;
  }
}
