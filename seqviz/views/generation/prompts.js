// The text that a model writes on from, as ids; `Prompts` of running/writing_models.py reads the
// same.

import {quotedText} from '../shared/splitting/quoted.js';
import {wordsOfText} from '../shared/splitting/readers.js';

/**
 * @param {string} text
 * @param {{read: Function, special: string[]}} reader of splitting/readers.js
 * @param {{words: string[], most: number}} facts the vocabulary; how many tokens are read
 * @returns {number[]}
 */
export function promptOf(text, reader, {words, most}) {
  const {ids, tokens} = reader.read(text);
  let count = ids.length;
  while (count > 1 && reader.special.includes(tokens[count - 1])) count -= 1;
  if (!count || !wordsOfText(text).length) {
    throw new Error('text: is empty: write at least one word');
  }
  if (count > most) {
    const [came, limit] = [count, most].map(n => n.toLocaleString('en-US'));
    throw new Error(`text: has ${came} tokens, at most ${limit} are read: shorten it`);
  }
  const read = ids.slice(0, count);
  const unknown = read.findIndex(id => id >= words.length);
  if (unknown >= 0) {
    throw new Error(`text: the model has no token ${quotedText(tokens[unknown])}: leave it out`);
  }
  return read;
}
