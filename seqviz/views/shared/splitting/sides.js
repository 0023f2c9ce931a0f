// The tokens of one side of an attention map, as seqviz/views/attention/words.py makes them, and
// guesses as guesses.py reads them.

import {LONE_MARKS, piecesAlone, piecesTogether} from './word_pieces.js';

/**
 * Tokens with special ones and words found.
 * @param {string[]} tokens
 * @param {string[]} special tokens that are of no text
 * @param {(number | null)[] | false | null} words the word of each; null where marks tell
 * @param {(number | null)[] | null} segments the text of each
 * @returns {{tokens: string[], special: number[], words: number[] | null,
 *     texts: string[] | null, segments: (number | null)[] | null}}
 */
export function sideOf(tokens, special, words = null, segments = null) {
  const marked = tokens.flatMap((token, k) => (special.includes(token) ? [k] : []));
  const found = piecesTogether(tokens, marked);
  const starts = words ? startsByNumbers(words) : found.starts;
  const unmarked = words !== null || found.bare.every((text, k) => text === found.tokens[k]);
  const plain = words === false || (starts.every(Boolean) && unmarked);
  let number = -1;
  return {
    tokens: found.tokens,
    special: marked,
    words: plain ? null : starts.map(start => (number += start)),
    texts: plain ? null : wordTexts(found.letters, starts),
    segments: segments && segmentsOf(segments),
  };
}

function startsByNumbers(words) {
  return words.map((word, k) => k === 0 || word === null || word !== words[k - 1]);
}

function wordTexts(letters, starts) {
  const words = [];
  letters.forEach((text, k) => {
    if (starts[k] || !words.length) words.push([]);
    words.at(-1).push(text);
  });
  return words.map(word => {
    const alone = LONE_MARKS.includes(word[0]) && word.slice(1).join('');
    return alone || word.join('');
  });
}

/** The numbers of the texts in a row of segments. */
export const textsIn = segments =>
  [...new Set(segments.filter(one => one !== null))].sort((a, b) => a - b);

// Numbered from 0, null if there is only one text.
function segmentsOf(segments) {
  const texts = textsIn(segments);
  if (texts.length < 2) return null;
  return segments.map(one => (one === null ? null : texts.indexOf(one)));
}

/**
 * Guessed tokens without their tokenizer's marks, which stay where two of a place differ in them.
 * @param {string[][]} names the tokens that are guessed at each place
 * @returns {string[][]}
 */
export function guessesRead(names) {
  const distinct = [...new Set(names.flat())];
  const found = piecesAlone(distinct);
  const plain = new Map(distinct.map((name, k) => [name, found.bare[k]]));
  const marked = new Map(distinct.map((name, k) => [name, found.tokens[k]]));
  return names.map(ofPlace => {
    const texts = ofPlace.map(name => plain.get(name));
    return ofPlace.map((name, k) => {
      const twin = texts.some((text, other) => other !== k && text === texts[k]);
      return twin ? marked.get(name) : texts[k];
    });
  });
}
