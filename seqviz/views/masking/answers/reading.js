// A text of the reader's own: its tokens, which of them can be hidden, what cannot be read; as
// live.py has it, with the same sentences.

import {quotedText} from '../../shared/splitting/quoted.js';
import {wordsOfText} from '../../shared/splitting/readers.js';
import {piecesTogether} from '../../shared/splitting/word_pieces.js';

/**
 * @param {string} text
 * @param {Object} reader
 * @param {Object} told by Python: which tokens are special, and what is the most of all
 * @param {string[]} names of the vocabulary
 * @returns {{title: string, tokens: string[], ids: number[], special: number[],
 * written: number[], maskable: number[], unread: string}} `written` are masks of the reader's
 */
export function readText(text, reader, told, names) {
  const {mask, special: marks, unknown, punctuation, most} = told;
  const {ids, tokens} = reader.read(text);
  const places = [...ids.keys()];
  const written = places.filter(k => ids[k] === mask);
  const special = places.filter(k => marks.includes(tokens[k]) && !written.includes(k));
  const maskable = places.filter(k => !special.includes(k));
  if (tokens.length > most.tokens) {
    throw new Error(`text: expected at most ${most.tokens} tokens, came ${tokens.length}`);
  }
  const unread = unreadOf(text, tokens, reader, {unknown, punctuation, letters: most.title});
  if (unread && !maskable.length) throw new Error(`text: ${unread} Write words that it knows.`);
  if (!maskable.length) {
    const came = `[${tokens.map(quotedText).join(', ')}]`;
    throw new Error(`text: expected at least one token that is not special, came ${came}`);
  }
  checkTokens(tokens, ids, names.length);
  return {title: titleOf(text, most.title), tokens, ids, special, written, maskable, unread};
}
// Tokens that a tokenizer has beside the vocabulary.
function checkTokens(tokens, ids, size) {
  const wrong = ids.findIndex(id => id >= size);
  if (wrong < 0) return;
  const came = `token ${wrong + 1} is ${quotedText(tokens[wrong])}`;
  const none = `none of the ${size.toLocaleString('en-US')} tokens of the vocabulary`;
  throw new Error(`${came}, which is ${none}: split it as the model's tokenizer does`);
}
function titleOf(text, most) {
  const letters = Array.from(wordsOfText(text).join(' '));
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most - 1).join('')}…`;
}
// Which words the tokenizer does not know, in words; empty if it knows all.
function unreadOf(text, tokens, reader, {unknown, punctuation, letters}) {
  const words = wordsOfText(text);
  const count = (all, one) => all.filter(other => other === one).length;
  const mark = unknown.find(one => count(tokens, one) > count(words, one));
  if (mark === undefined) return '';
  const own = words.filter(word => word !== mark).map(word => stripped(word, punctuation) || word);
  const lost = [...new Set(own)]
    .filter(word => reader.read(word).tokens.includes(mark))
    .map(word => `“${Array.from(word).slice(0, letters).join('')}”`);
  if (!lost.length) {
    return `The vocabulary lacks a part of this text: the model reads ${mark} for it.`;
  }
  const verb = lost.length === 1 ? 'is' : 'are';
  return `${lost.join(', ')} ${verb} not in the vocabulary: the model reads ${mark}.`;
}
function stripped(word, signs) {
  const letters = Array.from(word);
  const first = letters.findIndex(letter => !signs.includes(letter));
  const last = letters.findLastIndex(letter => !signs.includes(letter));
  return first < 0 ? '' : letters.slice(first, last + 1).join('');
}
/**
 * What the page is told of a text, as facts.py tells it; `ids` for a worker that begins anew.
 * @param {Object} read by `readText`
 * @param {Guess[]} guesses at its maskable places
 * @param {{part: string, marks: string, compared: boolean}} more
 */
export function toldOf({title, tokens, ids, special, written, maskable, unread}, guesses, more) {
  const {tokens: shown, starts, bare, letters} = piecesTogether(tokens, special);
  const gain = ({truth: [p, q]}) => p - q;
  const order = guesses
    .map((guess, n) => ({k: maskable[n], gain: gain(guess)}))
    .sort((a, b) => written.includes(b.k) - written.includes(a.k) || b.gain - a.gain);
  const opening = order[0].k + 1;
  const read = {tokens: shown, starts, bare, letters, special, written, unread, ids};
  return {title, ...read, opening, ...more};
}
