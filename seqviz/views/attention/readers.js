// What a link may set: the value that a text means to each control.

import {numberIn, oneOf} from '../shared/link.js';
import {count} from './places.js';

/**
 * A reader of each control whose values depend on the data.
 * @param {Facts} facts
 * @param {string} name of the kind in focus, which the others depend on
 * @returns {Object<string, Reader>} see link.js
 */
export function readersOf({kinds, checkpoints, silence}, name) {
  const kind = kinds.find(one => one.name === name) ?? kinds[0];
  const {numbers, heads, queries, keys, self, scores, pairings} = kind;
  return {
    kind: oneOf(kinds.map(one => one.name)),
    ...(checkpoints.length ? {checkpoint: oneOf(checkpoints)} : {}),
    layer: oneOf([...numbers, 'mean', 'max']),
    head: oneOf([...count(heads), 'mean', 'max', ...(self ? ['rollout'] : [])]),
    query: numberIn(0, queries.length),
    key: numberIn(0, keys.length),
    step: numberIn(0, queries.length),
    threshold: numberIn(0, 1, false),
    between: oneOf(['all', ...pairings]),
    sort: oneOf(['place', ...scores, 'cell']),
    least: numberIn(0, Infinity, false),
    ...(silence ? {} : {show: null}),
  };
}
