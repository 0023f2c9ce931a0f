// Texts to ids in the page, as the readers of seqviz/running/tokenizing.py make them.

import {tokenizerReader} from './tokenizers.js';
import {vocabularyReader} from './vocabularies.js';

/**
 * What reads texts: `read(text, pair)` gives {ids, tokens, words, segments, texts}, `names(ids)`
 * the tokens of ids, `special` the tokens that are of no text.
 * @param {object} told what told_of of seqviz/running/spelling.py gives
 * @returns {{read: Function, names: Function, special: string[]}}
 */
export function readerOf(told) {
  return told.kind === 'tokenizer' ? tokenizerReader(told) : vocabularyReader(told);
}
