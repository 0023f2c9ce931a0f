// The text that a model writes on from, as ids; `Prompts` of running/writing_models.py reads the
// same.

import {quotedText} from '../shared/splitting/quoted.js';

const BLANK = /^[\p{White_Space}\x1c-\x1f]*$/u; // to Python
const UNKNOWN_TOKENS = /; the vocabulary has .*/s; // nobody can change which there are

/**
 * @param {string} text
 * @param {{read: Function, special: string[]}} reader of splitting/readers.js
 * @param {{words: string[], most: number}} facts the vocabulary; how many tokens are read
 * @returns {number[]}
 */
export function promptOf(text, reader, {words, most}) {
  if (BLANK.test(text)) throw new Error('text: is empty: write at least one word');
  const {ids, tokens} = readBy(reader, text);
  let count = ids.length;
  while (count > 1 && reader.special.includes(tokens[count - 1])) count -= 1;
  const read = ids.slice(0, count);
  if (!count) throw new Error('text: has no token: write at least one word');
  if (count > most) {
    const [came, limit] = [count, most].map(n => n.toLocaleString('en-US'));
    throw new Error(`text: has ${came} tokens, at most ${limit} are read: shorten it`);
  }
  const wrong = read.indexOf(Math.max(...read));
  if (read[wrong] >= words.length) {
    throw new Error(`text: the model has no token ${quotedText(tokens[wrong])}: leave it out`);
  }
  return read;
}
function readBy(reader, text) {
  try {
    return reader.read(text);
  } catch (cause) {
    throw new Error(cause.message.replace(UNKNOWN_TOKENS, ': leave them out'), {cause});
  }
}
/** What the page says of an error: a sentence. */
export function sentenceOf({message}) {
  const text = message.replace(/^text: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
