// How a decoder writes in a page: the best few hypotheses survive each step, of one alone it is
// greedy; as sv.decoding.beam does.

import {likeliestOf} from '../shared/graph/chances.js';

/**
 * What is written behind START, the end with it.
 * @param {{start: number[], stop: number[], most: number}} rule ids that begin and end, and how
 * many are written at most
 * @param {number} width hypotheses that are kept
 * @param {any} state before the first step
 * @param {(id: number, state: any) => Promise<{logits: Float32Array, state: any}>} step
 * @returns {Promise<number[]>}
 */
export async function writtenBy({start, stop, most}, width, state, step) {
  let going = [{ids: start, score: 0, state}];
  let places = width;
  const ended = [];
  for (let n = 1; n <= most && going.length; n++) {
    const children = [];
    for (const one of going) {
      const {logits, state: next} = await step(one.ids.at(-1), one.state);
      for (const [id, p] of likeliestOf(logits, width)) {
        children.push({ids: [...one.ids, id], score: one.score + Math.log(p), state: next});
      }
    }
    const kept = children.toSorted((a, b) => b.score - a.score).slice(0, places);
    const ends = ({ids}) => stop.includes(ids.at(-1));
    ended.push(...children.filter(child => kept.includes(child) && ends(child)));
    going = children.filter(child => kept.includes(child) && !ends(child));
    places = width - ended.length;
  }
  const length = ({ids}) => ids.length - start.length;
  const ranked = (ended.length ? ended : going).toSorted(
    (a, b) => b.score / length(b) - a.score / length(a),
  );
  return ranked[0].ids.slice(start.length);
}
