// The pieces of a word whose probabilities have the largest product (Kudo 2018), found from the
// left (Viterbi 1967).

import {numbersOfBytes} from './byte_letters.js';

const UNKNOWN_COSTS = 10; // below the least probable piece

/** @type {Pieces} of a model with {unk_id, byte_fallback, scores}: logarithms of probabilities */
export function likeliestPieces(model, numbers, tokens) {
  const low = model.scores.reduce((a, b) => Math.min(a, b), Infinity) - UNKNOWN_COSTS;
  const longest = tokens.reduce((most, token) => Math.max(most, token.length), 0);
  return word =>
    bestPath(Array.from(word), model, numbers, {low, longest}).flatMap(({text}) => {
      if (numbers.has(text)) return [{id: numbers.get(text), token: text}];
      const bytes = model.byte_fallback && numbersOfBytes(text, numbers);
      if (bytes) return bytes.map(id => ({id, token: tokens[id]}));
      if (model.unk_id !== null) return [{id: model.unk_id, token: text}];
      const none = `neither '${text}' nor a token for what is unknown`;
      throw new Error(`text: the vocabulary has ${none}`);
    });
}

// The pieces of the best path; unknown letters that stand side by side are one.
function bestPath(letters, {scores, unk_id}, numbers, {low, longest}) {
  const best = [{score: 0}];
  const offer = (from, to, id, score) => {
    const sum = best[from].score + score;
    if (!best[to] || sum > best[to].score) best[to] = {score: sum, from, id};
  };
  letters.forEach((letter, from) => {
    const end = Math.min(letters.length, from + longest);
    for (let to = from + 1, piece = ''; to <= end; to += 1) {
      piece += letters[to - 1];
      const id = numbers.get(piece);
      if (id !== undefined) offer(from, to, id, scores[id]);
    }
    if (!numbers.has(letter)) offer(from, from + 1, unk_id, low);
  });
  const path = [];
  for (let to = letters.length; to > 0; to = best[to].from) {
    const {from, id} = best[to];
    const text = letters.slice(from, to).join('');
    if (id === unk_id && path[0]?.id === unk_id) path[0].text = text + path[0].text;
    else path.unshift({text, id});
  }
  return path;
}
