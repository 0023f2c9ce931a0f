// Texts to ids in the page, as the readers of seqviz/running/tokenizing.py make them: by a
// tokenizer, or by a vocabulary of the course, of letters, words, or pieces of words.

import {quotedText} from './quoted.js';
import {splitterOf, tokenizerReader} from './tokenizers.js';

const UNKNOWN = '<unk>';
const HALF = /\p{Surrogate}/u;
const BEGIN = '▁';
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
  const split = {letters: Array.from, words: wordsOfText, pairs: splittingPairs(pieces)}[kind];
  const known = token => (numbers.has(token) || !numbers.has(UNKNOWN) ? token : UNKNOWN);
  const read = text => {
    const tokens = split(text).map(known);
    refuseUnknown(tokens, numbers);
    const ids = tokens.map(token => numbers.get(token));
    return {ids, tokens, words: null, segments: null, texts: null};
  };
  return {read, names: ids => ids.map(id => vocabulary[id] ?? `[${id}]`), special};
}

/**
 * The words of a text, as Python splits it.
 * @param {string} text
 * @returns {string[]}
 */
export function wordsOfText(text) {
  return text.split(BLANKS).filter(Boolean);
}

function splittingPairs(pieces) {
  const split = pieces && splitterOf(pieces);
  return text => {
    const words = wordsOfText(text);
    const wrong = words.find(word => word.includes(BEGIN));
    if (wrong === undefined) return split(words.join(' ')).map(({token}) => token);
    const came = quotedText(wrong);
    throw new Error(`words must hold words without spaces and '${BEGIN}', got ${came}`);
  };
}

function refuseUnknown(tokens, numbers) {
  const unknown = [...new Set(tokens.filter(token => !numbers.has(token)))];
  if (!unknown.length) return;
  const shown = unknown
    .slice(0, 5)
    .map(token => `${quotedText(token)} at position ${tokens.indexOf(token)}`);
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  const what = 'text: sequence has tokens that are not in the vocabulary';
  throw new Error(`${what}: ${shown.join(', ')}${more}: leave them out`);
}
