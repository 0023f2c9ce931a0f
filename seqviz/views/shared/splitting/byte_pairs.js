// Byte-pair encoding (Gage 1994; Sennrich et al. 2016): a word begins as letters, and the pair that
// was learned first is joined first, the leftmost of several.

import {numbersOfBytes} from './byte_letters.js';

/** @type {Pieces} of a model with {merges, fuse_unk, byte_fallback, ignore_merges, ...} */
export function bytePairs(model, numbers, tokens) {
  const learned = learnedPairs(model.merges, numbers, tokens);
  return word => {
    if (model.ignore_merges && numbers.has(word)) return [{id: numbers.get(word), token: word}];
    const ids = joinedPairs(lettersOf(word, model, numbers), learned);
    return ids.map(id => ({id, token: tokens[id]}));
  };
}

// The rank of each pair of numbers, and what pairs become. A merge travels as what it makes, as a
// step from the one before, and where that is cut.
function learnedPairs({steps, cuts}, numbers, tokens) {
  const ranks = new Map();
  const made = [];
  const key = (left, right) => left * tokens.length + right;
  let id = 0;
  cuts.forEach((cut, rank) => {
    id += steps[rank];
    const [left, right] = [tokens[id].slice(0, cut), tokens[id].slice(cut)];
    ranks.set(key(numbers.get(left), numbers.get(right)), rank);
    made.push(id);
  });
  return {rankOf: (left, right) => ranks.get(key(left, right)) ?? Infinity, made};
}

// The letters of a word as numbers; what the vocabulary has not is bytes, or unknown, or left out.
function lettersOf(word, model, numbers) {
  const letters = Array.from(word);
  const ids = [];
  let unknown = false; // whether the last one is
  letters.forEach((letter, k) => {
    const name = k === letters.length - 1 ? letter + (model.end_of_word_suffix ?? '') : letter;
    const bytes = model.byte_fallback ? numbersOfBytes(name, numbers) : null;
    if (numbers.has(name)) {
      ids.push(numbers.get(name));
      unknown = false;
    } else if (bytes) {
      ids.push(...bytes);
    } else if (numbers.has(model.unk_token)) {
      if (!(unknown && model.fuse_unk)) ids.push(numbers.get(model.unk_token));
      unknown = true;
    }
  });
  return ids;
}

// Joins pairs until no learned one is left.
function joinedPairs(letters, {rankOf, made}) {
  const ids = [...letters];
  const ranks = ids.slice(1).map((id, k) => rankOf(ids[k], id));
  const rank = k => {
    if (ranks[k] !== undefined) ranks[k] = rankOf(ids[k], ids[k + 1]);
  };
  for (let k = lowest(ranks); ranks[k] < Infinity; k = lowest(ranks)) {
    ids.splice(k, 2, made[ranks[k]]);
    ranks.splice(k, 1);
    rank(k - 1);
    rank(k);
  }
  return ids;
}
// The place of the first of the lowest numbers.
function lowest(numbers) {
  let at = 0;
  for (let k = 1; k < numbers.length; k += 1) {
    if (numbers[k] < numbers[at]) at = k;
  }
  return at;
}
