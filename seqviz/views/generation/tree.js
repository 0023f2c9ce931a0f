// The tree of what was taken and what was near: a column is a step, a row a rank.

import {tokenText} from './sentence.js';

const COLUMN = 5.1; // width at least, in em
const ROW = 3.18; // height of a row
const NODE = 2.7; // of a node in it
const NODES = 7; // in a column

export const keyOf = path => path.join(' ');

/** Paths that were ever written, and where each place was left. */
export class Visits {
  lasts = new Map(); // of a place: the token that was taken last
  kids = new Map(); // of a place: all that were taken
  drawn = new Map(); // of a path: its last token, as it fell
  visit(path) {
    path.forEach((id, k) => {
      const key = keyOf(path.slice(0, k));
      this.lasts.set(key, id);
      if (!this.kids.has(key)) this.kids.set(key, new Set());
      this.kids.get(key).add(id);
    });
  }
  /** Tokens that were taken at a place. */
  after(path) {
    return [...(this.kids.get(keyOf(path)) ?? [])];
  }
  /** How many tokens were written from here on, at most. */
  depth(path) {
    const kids = this.after(path);
    return kids.length ? 1 + Math.max(...kids.map(id => this.depth([...path, id]))) : 0;
  }
  /** Where a branch was left. */
  end(path) {
    const next = this.lasts.get(keyOf(path));
    return next === undefined ? path : this.end([...path, next]);
  }
}
/**
 * A token that follows a path, wherever its rank is: one that the place does not name is known from
 * the place behind it, or from how it fell.
 * @param {number} id
 * @param {{path: number[], place: Place}} before
 * @param {{visits: Visits, made: (path: number[]) => Place | null}} seen
 * @returns {{id: number, r: number, word: string, p: number, named: boolean}} `r` counts from 0
 */
export function tokenAfter(id, {path, place}, {visits, made}) {
  const r = place.ids.indexOf(id);
  if (r >= 0) return {id, r, word: place.words[r], p: place.p[r], named: true};
  const whole = [...path, id];
  const behind = made(whole);
  const far = {id, named: false};
  if (behind) return {...far, r: behind.rank - 1, word: behind.last, p: behind.chance};
  return {...far, ...(visits.drawn.get(keyOf(whole)) ?? {r: Infinity, word: '?', p: 0})};
}
/**
 * @param {Object} scene `places` along the text, `written`, the `id` in focus, `visits`, `made`
 * @param {{em: number, side: number}} size
 */
export function treeOf(scene, {em, side: W}) {
  const {places, written, place, following, id} = scene;
  const C = Math.max(2, Math.floor(W / (COLUMN * em)));
  const next = place && following ? [following] : []; // what would come after the token in focus
  const way = place ? [...written, id] : written;
  const all = [...places, ...next];
  const from = Math.max(0, all.length - C);
  const width = W / C;
  const columns = all
    .slice(from)
    .map((one, k) => nodesOf(scene, one, {way, step: from + k}, {em, x: k * width, width}));
  const edges = columns.flatMap((nodes, k) => {
    const up = k ? columns[k - 1].find(node => node.taken || node.at) : null;
    return nodes.map(node => ({
      x1: up ? up.x + up.w : 0,
      y1: up ? up.y + up.h / 2 : 1.4 * em,
      x2: node.x,
      y2: node.y + node.h / 2,
      width: 1 + (node.taken ? 6 : 4) * node.p,
      taken: node.taken,
      at: node.at,
      ahead: node.ahead,
    }));
  });
  const nodes = columns.flat();
  return {nodes, edges, W, H: NODES * ROW * em, em, steps: written.length};
}
function nodesOf(scene, place, {way, step}, {em, x, width}) {
  const {written, visits} = scene;
  const path = way.slice(0, step);
  const taken = step < written.length ? written[step] : null;
  const here = step === written.length;
  const been = visits.after(path);
  const far = id => place.ids.subarray(0, NODES - 2).indexOf(id) < 0;
  const own = way.slice(step, step + 1); // it has a node, whatever else does
  const list = [...new Set([...own, ...been.filter(far), ...place.ids.subarray(0, NODES)])];
  return list
    .slice(0, NODES)
    .map(id => tokenAfter(id, {path, place}, scene))
    .sort((a, b) => a.r - b.r)
    .map(({id, r, word, p, named}, row) => ({
      path: [...path, id],
      step,
      r,
      named,
      word: tokenText(word, 14),
      p,
      taken: id === taken,
      at: here && id === scene.id,
      ahead: step > written.length,
      deeper: id !== taken && been.includes(id) ? 1 + visits.depth([...path, id]) : 0,
      x: x + 1.05 * em,
      y: (row * ROW + 0.1) * em,
      w: width - 1.2 * em,
      h: NODE * em,
    }));
}
/** Which node lies at a point, null if none does. */
export function nodeAt({nodes}, x, y) {
  return nodes.find(n => x >= n.x && x < n.x + n.w && y >= n.y && y < n.y + n.h) ?? null;
}
