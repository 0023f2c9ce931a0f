// The pieces of a word whose probabilities have the largest product (Kudo 2018), found from the
// left (Viterbi 1967).

import {namesOfBytes} from './byte_letters.js';

const UNKNOWN_COSTS = 10; // below the least probable piece

/**
 * @param {{unk_id, byte_fallback, scores}} model logarithms of probabilities, in base64
 * @param {Map<string, number>} numbers
 * @param {string[]} tokens
 * @returns {(word: string) => {id: number, token: string}[]}
 */
export function likeliestPieces(model, numbers, tokens) {
  const bytes = Uint8Array.from(atob(model.scores.base64), letter => letter.charCodeAt(0));
  const Scores = model.scores.form === 'float32' ? Float32Array : Float64Array;
  const scores = new Scores(bytes.buffer);
  const low = scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_COSTS;
  const longest = tokens.reduce((most, token) => Math.max(most, Array.from(token).length), 0);
  return word =>
    bestPath(Array.from(word), {numbers, scores, low, longest, unknown: model.unk_id}).flatMap(
      text => withNumbers(text, model, numbers),
    );
}

// The texts of the best path; unknown letters that stand side by side are one.
function bestPath(letters, {numbers, scores, low, longest, unknown}) {
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
    if (!numbers.has(letter)) offer(from, from + 1, unknown, low);
  });
  const path = [];
  for (let to = letters.length; to > 0; to = best[to].from) {
    const known = best[to].id !== unknown;
    const text = letters.slice(best[to].from, to).join('');
    if (known || path[0]?.known !== false) path.unshift({text, known});
    else path[0].text = text + path[0].text;
  }
  return path.map(({text}) => text);
}

function withNumbers(text, {unk_id, byte_fallback}, numbers) {
  if (numbers.has(text)) return [{id: numbers.get(text), token: text}];
  const bytes = byte_fallback ? namesOfBytes(text) : [];
  if (bytes.length && bytes.every(name => numbers.has(name))) {
    return bytes.map(token => ({id: numbers.get(token), token}));
  }
  if (unk_id === null) {
    throw new Error(`text: the vocabulary has neither '${text}' nor a token for what is unknown`);
  }
  return [{id: unk_id, token: text}];
}
