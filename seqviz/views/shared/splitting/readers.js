// Texts to ids in the page, as the readers of seqviz/running/tokenizing.py make them: by a
// tokenizer, or by a vocabulary of the course, of letters, words, or pieces of words.

import {quotedText} from './quoted.js';
import {splitterOf, tokenizerReader} from './tokenizers.js';

const UNKNOWN = '<unk>';
const HALF = /\p{Surrogate}/u;
const BEGIN = '▁';
const BETWEEN_MARKS = /[\p{L}\p{N}_'-]+|[^\p{L}\p{N}_]/gu;
const BLANKS = /[\p{White_Space}\x1c-\x1f]+/u; // at which Python splits

/**
 * What reads texts: `read(text, pair)` gives {ids, tokens, words, segments, texts}, `names(ids)`
 * the tokens of ids, `special` the tokens that are of no text.
 * @param {object} told what told_of of seqviz/running/spelling.py gives
 * @returns {{read: Function, names: Function, special: string[]}}
 */
export function readerOf(told) {
  const reader = told.kind === 'tokenizer' ? tokenizerReader(told) : vocabularyReader(told);
  function read(text, pair = null) {
    if (HALF.test(text)) throw new Error('text: holds half a character: leave it out');
    return reader.read(text, pair);
  }
  return {...reader, read};
}

function vocabularyReader({kind, vocabulary, special, pieces}) {
  const numbers = new Map(vocabulary.map((token, id) => [token, id]));
  const split = pieces ? splittingPairs(pieces) : word => [word];
  const knows = word => split(word).every(token => numbers.has(token));
  const cut = word => (knows(word) ? [word] : word.match(BETWEEN_MARKS));
  const wordsOf = text => (kind === 'letters' ? [...text] : wordsOfText(text).flatMap(cut));
  const read = text => {
    const words = wordsOf(text);
    if (!numbers.has(UNKNOWN)) refuseUnknown(words.filter(word => !knows(word)));
    const tokens = words.flatMap(split).map(token => (numbers.has(token) ? token : UNKNOWN));
    const ids = tokens.map(token => numbers.get(token));
    return {ids, tokens, words: null, segments: null, texts: null};
  };
  return {read, names: ids => ids.map(id => vocabulary[id] ?? `[${id}]`), special};
}

/** The words of a text, as Python splits it. */
export function wordsOfText(text) {
  return text.split(BLANKS).filter(Boolean);
}

function splittingPairs(pieces) {
  const split = splitterOf(pieces);
  return word => {
    if (!word.includes(BEGIN)) return split(word).map(({token}) => token);
    const came = quotedText(word);
    throw new Error(`words must hold words without spaces and '${BEGIN}', got ${came}`);
  };
}

function refuseUnknown(words) {
  const lost = [...new Set(words)];
  if (!lost.length) return;
  const first = lost.slice(0, 5).map(quotedText).join(', ');
  const more = lost.length > 5 ? ` and ${lost.length - 5} more` : '';
  throw new Error(`text: has what is not in the vocabulary: ${first}${more}: leave it out`);
}
