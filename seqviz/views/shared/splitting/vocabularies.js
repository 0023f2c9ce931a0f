// Texts to ids by a vocabulary of the course: letters, words, or pieces of words.

import {checkWhole, quotedText, quotedLine} from './quoted.js';
import {splitterOf} from './tokenizers.js';

const UNKNOWN = '<unk>';
const BEGIN = '▁';
const LONGEST_WORD = 10000; // letters of a word
const BLANKS = /[\p{White_Space}\x1c-\x1f]+/u; // at which Python splits

/**
 * What reads by a vocabulary.
 * @param {object} told of spelling.py: kind, vocabulary, and of pieces what splits a text
 * @returns {{read: Function, names: Function, special: string[]}}
 */
export function vocabularyReader({kind, vocabulary, special, pieces}) {
  const numbers = new Map(vocabulary.map((token, id) => [token, id]));
  const split = {letters: Array.from, words: wordsOfText, pairs: splittingPairs(pieces)}[kind];
  const read = (text, pair = null) => {
    checkWhole('text', text);
    if (pair !== null) throw new Error(ONE_TEXT);
    const known = split(text).map(token =>
      numbers.has(token) || !numbers.has(UNKNOWN) ? token : UNKNOWN,
    );
    refuseUnknown(known, numbers);
    const ids = known.map(token => numbers.get(token));
    return {ids, tokens: known, words: null, segments: null, texts: null};
  };
  return {read, names: ids => ids.map(id => vocabulary[id] ?? `[${id}]`), special};
}

const ONE_TEXT =
  'text_pair: a Vocabulary does not join two texts: use a tokenizer that does, such as ' +
  'sv.data.WordPiece, or inputs=';

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
    words.forEach(checkWord);
    return split(words.join(' ')).map(({token}) => token);
  };
}

function checkWord(word) {
  if (word.includes(BEGIN)) {
    const got = quotedLine(word);
    throw new Error(`words must hold words without spaces and '${BEGIN}', got ${got}`);
  }
  const letters = Array.from(word);
  if (letters.length <= LONGEST_WORD) return;
  const [most, count] = [LONGEST_WORD, letters.length].map(one => one.toLocaleString('en-US'));
  const start = quotedText(letters.slice(0, 20).join(''));
  throw new Error(
    `words must hold words of at most ${most} letters, got one of ${count}, ${start} ...: ` +
      'split it at spaces, or leave it out',
  );
}

function refuseUnknown(tokens, numbers) {
  const unknown = [...new Set(tokens.filter(token => !numbers.has(token)))];
  if (!unknown.length) return;
  const shown = unknown
    .slice(0, 5)
    .map(token => `${quotedText(token)} at position ${tokens.indexOf(token)}`);
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  const some = [...numbers.keys()].slice(0, 12).map(quotedText).join(' ');
  throw new Error(
    `text: sequence has tokens that are not in the vocabulary: ${shown.join(', ')}${more}; ` +
      `the vocabulary has ${numbers.size} tokens: ${some}${numbers.size > 12 ? ' ...' : ''}. ` +
      'Fix: leave them out, or make a vocabulary that holds them',
  );
}
