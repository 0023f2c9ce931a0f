// Byte-pair encoding (Gage 1994; Sennrich et al. 2016): a word begins as letters, and the pair that
// was learned first is joined first, the leftmost of several.

import {namesOfBytes} from './byte_letters.js';
import {lowestFirst} from './lowest_first.js';

const PLACES = 2 ** 24; // more than a word has letters

/**
 * @param {{merges, unk_token, fuse_unk, byte_fallback, ignore_merges, end_of_word_suffix}} model
 * @param {Map<string, number>} numbers
 * @param {string[]} tokens
 * @returns {(word: string) => {id: number, token: string}[]}
 */
export function bytePairs(model, numbers, tokens) {
  const learned = learnedPairs(model.merges, numbers, tokens);
  const kept = new Map();
  return word => {
    if (model.ignore_merges && numbers.has(word)) return [{id: numbers.get(word), token: word}];
    if (!kept.has(word)) {
      const ids = joinedPairs(lettersOf(word, model, numbers), learned);
      kept.set(
        word,
        ids.map(id => ({id, token: tokens[id]})),
      );
    }
    return kept.get(word);
  };
}

// Pairs of numbers, the rank of each, and what they become. A merge travels as what it makes, as a
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
  return {rankOf: (left, right) => ranks.get(key(left, right)), made};
}

// The letters of a word as numbers; what the vocabulary has not is bytes, or unknown, or left out.
function lettersOf(word, model, numbers) {
  const letters = Array.from(word);
  const ids = [];
  let unknown = false; // whether the last one is
  letters.forEach((letter, k) => {
    const name = k === letters.length - 1 ? letter + (model.end_of_word_suffix ?? '') : letter;
    const bytes = model.byte_fallback ? namesOfBytes(name).map(one => numbers.get(one)) : [];
    if (numbers.has(name)) {
      ids.push(numbers.get(name));
      unknown = false;
    } else if (bytes.length && !bytes.includes(undefined)) {
      ids.push(...bytes);
    } else if (numbers.has(model.unk_token)) {
      if (!(unknown && model.fuse_unk)) ids.push(numbers.get(model.unk_token));
      unknown = true;
    }
  });
  return ids;
}

// A chain of numbers in which pairs are joined until no learned one is left.
function joinedPairs(letters, {rankOf, made}) {
  const ids = [...letters];
  const after = ids.map((_, k) => k + 1);
  const before = ids.map((_, k) => k - 1);
  const queue = lowestFirst();
  const offer = place => {
    if (place < 0 || after[place] >= ids.length) return;
    const rank = rankOf(ids[place], ids[after[place]]);
    if (rank !== undefined) queue.add(rank * PLACES + place);
  };
  ids.forEach((_, k) => offer(k));
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    const place = next % PLACES;
    const id = made[Math.floor(next / PLACES)];
    const other = after[place];
    if (ids[place] === null || other >= ids.length) continue;
    if (made[rankOf(ids[place], ids[other])] !== id) continue; // one of the two was joined already
    ids[place] = id;
    ids[other] = null;
    after[place] = after[other];
    if (after[place] < ids.length) before[after[place]] = place;
    offer(before[place]);
    offer(place);
  }
  return ids.filter(id => id !== null);
}
