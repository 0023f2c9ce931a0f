// A text of the reader's own: its tokens, which of them can be hidden, what cannot be read; as
// live.py has it, with the same sentences.

import {quotedText} from '../../shared/splitting/quoted.js';
import {wordsOfText} from '../../shared/splitting/readers.js';
import {piecesTogether} from '../../shared/splitting/word_pieces.js';
import {graphemes} from '../../shared/texts.js';

/**
 * @param {string} text
 * @param {Object} reader
 * @param {Object} told by Python: which tokens are special, and what is the most of all
 * @param {number} V tokens of the vocabulary
 * @returns {{title: string, tokens: string[], ids: number[], special: number[],
 * written: number[], maskable: number[], unread: string}} `written` are masks of the reader's
 */
export function readText(text, reader, told, V) {
  const {mask, special: marks, most} = told;
  const {ids, tokens} = reader.read(text);
  if (tokens.length > most.tokens) {
    throw new Error(`text: expected at most ${most.tokens} tokens, came ${tokens.length}`);
  }
  const places = [...ids.keys()];
  const written = places.filter(k => ids[k] === mask);
  const special = places.filter(k => marks.includes(tokens[k]) && ids[k] !== mask);
  const maskable = places.filter(k => !special.includes(k));
  const unread = unreadOf(text, tokens, reader, told);
  checkSome(tokens, maskable, unread);
  checkTokens(tokens, ids, V);
  const title = shortened(wordsOfText(text).join(' '), most.title);
  return {title, tokens, ids, special, written, maskable, unread};
}
function checkSome(tokens, maskable, unread) {
  if (maskable.length) return;
  if (unread) throw new Error(`text: ${unread} Write words that it knows.`);
  const came = `[${tokens.map(quotedText).join(', ')}]`;
  throw new Error(`text: expected at least one token that is not special, came ${came}`);
}
// Tokens that a tokenizer has beside the vocabulary.
function checkTokens(tokens, ids, V) {
  const wrong = ids.findIndex(id => id >= V);
  if (wrong < 0) return;
  const came = `token ${wrong + 1} is ${quotedText(tokens[wrong])}`;
  const none = `none of the ${V.toLocaleString('en-US')} tokens of the vocabulary`;
  throw new Error(`${came}, which is ${none}: split it as the model's tokenizer does`);
}
function shortened(text, most) {
  const letters = graphemes(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}
// Which words the tokenizer does not know, in words; empty if it knows all.
function unreadOf(text, tokens, reader, {unknown, punctuation, most}) {
  const words = wordsOfText(text);
  const count = (all, one) => all.filter(other => other === one).length;
  const mark = unknown.find(one => count(tokens, one) > count(words, one));
  if (mark === undefined) return '';
  const signs = new RegExp(`^[${punctuation}]+|[${punctuation}]+$`, 'g');
  const bare = words.filter(word => word !== mark).map(word => word.replace(signs, '') || word);
  const lost = [...new Set(bare)]
    .filter(word => reader.read(word).tokens.includes(mark))
    .map(word => `“${graphemes(word).slice(0, most.title).join('')}”`);
  if (!lost.length) {
    return `The vocabulary lacks a part of this text: the model reads ${mark} for it.`;
  }
  const verb = lost.length === 1 ? 'is' : 'are';
  return `${lost.join(', ')} ${verb} not in the vocabulary: the model reads ${mark}.`;
}
/**
 * What the page is told of a text, as facts.py tells it; `ids` for a worker that begins anew.
 * @param {Object} read by `readText`
 * @param {Guess[]} guesses at its maskable places
 * @param {{part: string, marks: string, compared: boolean}} more
 */
export function toldOf({title, tokens, ids, special, written, maskable, unread}, guesses, more) {
  const {tokens: shown, starts, bare, letters} = piecesTogether(tokens, special);
  const gains = guesses.map(({truth: [p, q]}, n) => p - q + 2 * written.includes(maskable[n]));
  const opening = maskable[gains.indexOf(Math.max(...gains))] + 1;
  const read = {tokens: shown, starts, bare, letters, special, written, unread, ids};
  return {title, ...read, opening, ...more};
}
