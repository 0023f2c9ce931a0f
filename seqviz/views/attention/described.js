// What the explorer is told of a run: kinds of attention over tokens, as Python tells it.

import {textsIn} from '../shared/splitting/sides.js';
import {MapSource} from './maps.js';
import {scoreNames, scoreTables} from './scores.js';
import {LETTERED} from './shown.js';

const TOLERANCE = 1e-3; // by which the sum of a row may differ from 1

/**
 * @typedef {Object} Side tokens of a text, as `sideOf` reads them
 * @typedef {Object} Run what came of a text, of each kind the maps of each layer's heads
 * @property {Float32Array[][][]} maps by kind, layer and head, (queries, keys)
 * @property {Object<string, Side>} sides by text: "source", "target"
 */

/**
 * The kinds of runs over the same tokens; what holds of one must hold of all.
 * @param {Object[]} kinds names, numbers, and of which texts queries and keys are
 * @param {Run[]} runs
 * @param {(Gold | null)[]} gold links of each kind
 * @returns {Kind[]}
 */
export function kindsOf(kinds, runs, gold) {
  return kinds.map((kind, g) => {
    const [queries, keys] = [kind.queries, kind.keys].map(texts => joined(texts, runs[0].sides));
    const self = String(kind.queries) === String(kind.keys);
    const maps = runs.flatMap(run => run.maps[g].flat());
    const K = keys.tokens.length;
    const told = {
      name: kind.name,
      layers: kind.numbers.length,
      numbers: kind.numbers,
      heads: runs[0].maps[g][0].length,
      queries: queries.tokens,
      keys: keys.tokens,
      self,
      causal: self && maps.every(map => isCausal(map, K)),
      sums: maps.every(map => sumsToOne(map, K)),
      specialQueries: queries.special,
      specialKeys: keys.special,
      wordQueries: queries.words,
      wordKeys: keys.words,
      wordTextQueries: queries.texts,
      wordTextKeys: keys.texts,
      segmentQueries: queries.segments,
      segmentKeys: keys.segments,
      pairings: pairingsOf(queries.segments, keys.segments),
      gold: gold[g] ?? null,
    };
    return {...told, scores: scoreNames(told)};
  });
}
/**
 * The parts of a run: the maps of heads, their scores and thumbnails.
 * @param {Kind[]} kinds
 * @param {Float32Array[][][]} maps by kind, layer and head
 * @param {number} first where the kinds are counted from
 * @returns {Object<string, DataView>}
 */
export function partsOf(kinds, maps, first) {
  const parts = {};
  kinds.forEach((kind, k) => {
    const g = first + k;
    const heads = maps[k].flatMap((layer, l) =>
      layer.map((map, head) => [`${kind.numbers[l]} ${head}`, bytesOf(map)]),
    );
    for (const [name, bytes] of heads) parts[`${g} ${name}`] = viewOf(bytes);
    for (const [end, table] of scoreTables(kind, maps[k])) {
      parts[`${g} scores${end}`] = viewOf(table);
    }
    parts[`${g} thumbs`] = viewOf(thumbnailsOf(kind, new Map(heads)));
  });
  return parts;
}
const WHOLE_MAP = {words: false, specials: 'shown', between: 'all'};
function thumbnailsOf(kind, heads) {
  const facts = {kinds: [kind], checkpoints: [], precision: 'full', rolls: Infinity};
  const part = name => heads.get(name.slice('0 '.length));
  return new MapSource(facts, {part, has: () => false}, true).thumbsPart(0, WHOLE_MAP);
}
const bytesOf = ({buffer, byteOffset, byteLength}) =>
  new Uint8Array(buffer, byteOffset, byteLength);
const viewOf = ({buffer, byteOffset, byteLength}) => new DataView(buffer, byteOffset, byteLength);
// Texts one behind the other, as one.
function joined(texts, sides) {
  const [first, second] = texts.map(text => sides[text]);
  if (!second) return first;
  const tokens = [...first.tokens, ...second.tokens];
  const special = [...first.special, ...second.special.map(k => k + first.tokens.length)];
  if (!first.words && !second.words) return {tokens, special, ...NO_WORDS};
  const [one, other] = [first, second].map(wordsOf);
  return {
    tokens,
    special,
    words: [...one.words, ...other.words.map(word => word + one.texts.length)],
    texts: [...one.texts, ...other.texts],
    segments: null,
  };
}
const NO_WORDS = {words: null, texts: null, segments: null};
const wordsOf = ({tokens, words, texts}) => ({
  words: words ?? [...tokens.keys()],
  texts: texts ?? tokens,
});
function pairingsOf(queries, keys) {
  if (!queries || !keys) return [];
  const [rows, columns] = [queries, keys].map(textsIn);
  return rows.flatMap(one => columns.map(other => `${LETTERED[one]} to ${LETTERED[other]}`));
}
function isCausal(map, K) {
  return map.every((v, i) => v === 0 || i % K <= Math.floor(i / K));
}
function sumsToOne(map, K) {
  for (let start = 0; start < map.length; start += K) {
    let sum = 0;
    for (let k = 0; k < K; k++) sum += map[start + k];
    if (Math.abs(sum - 1) > TOLERANCE) return false;
  }
  return true;
}
