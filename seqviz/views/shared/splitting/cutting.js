// A text cut into words: the pre-tokenizers of a tokenizer, one after another. They are called what
// the library tokenizers calls them.

import {bytesAsLetters} from './byte_letters.js';
import {finderOf} from './written_marks.js';

const PUNCTUATION = /[!-/:-@[-\x60{-~\p{P}]/gu;
const SPACES = /\p{White_Space}/gu;
const WORDS_AND_SIGNS =
  /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu;
const GPT2 =
  /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

const CUTTERS = {
  BertPreTokenizer: (_, text) =>
    cutAt(text, SPACES, 'Removed').flatMap(word => cutAt(word, PUNCTUATION, 'Isolated')),
  ByteLevel: cutIntoBytes,
  Digits: ({individual_digits: each}, text) =>
    cutAt(text, /\p{N}/gu, each ? 'Isolated' : 'Contiguous'),
  Metaspace: cutAtMarks,
  Punctuation: ({behavior}, text) => cutAt(text, PUNCTUATION, behavior),
  Split: ({pattern, behavior, invert}, text) => cutAt(text, finderOf(pattern), behavior, invert),
  Whitespace: (_, text) => text.match(WORDS_AND_SIGNS) ?? [],
  WhitespaceSplit: (_, text) => cutAt(text, SPACES, 'Removed'),
};

/**
 * The words of a text.
 * @param {string} text
 * @param {object[]} cutters as a tokenizer writes them; patterns are JavaScript's
 * @param {boolean} first whether it begins where the whole text does
 * @returns {string[]}
 */
export function cutIntoWords(text, cutters, first) {
  const cut = (words, cutter) =>
    words.flatMap(word => CUTTERS[cutter.type](cutter, word, first)).filter(Boolean);
  return cutters.reduce(cut, [text]);
}

// Whether a part is joined to the one before it, by what is found and what is not.
const JOINS = {
  Isolated: () => false,
  Removed: () => false,
  Contiguous: (found, before) => found === before,
  MergedWithPrevious: (found, before) => found && !before,
  MergedWithNext: (found, before) => !found && before,
};

// Cut at what a pattern finds; what becomes of that is the behaviour.
function cutAt(text, pattern, behaviour, invert = false) {
  const words = [];
  let end = 0;
  let before = null;
  const add = (to, matched) => {
    const found = matched !== invert;
    const part = text.slice(end, to);
    end = to;
    if (!part || (found && behaviour === 'Removed')) return;
    const joins = before !== null && JOINS[behaviour](found, before);
    words.push(joins ? words.pop() + part : part);
    before = found;
  };
  for (const {0: match, index} of text.matchAll(pattern)) {
    add(index, false);
    add(index + match.length, true);
  }
  add(text.length, false);
  return words;
}

// Radford et al. 2019
function cutIntoBytes({add_prefix_space, use_regex}, text) {
  const given = add_prefix_space && !text.startsWith(' ') ? ` ${text}` : text;
  return (use_regex ? cutAt(given, GPT2, 'Isolated') : [given]).map(bytesAsLetters);
}

// Kudo and Richardson 2018: "▁" is a blank, and stands in front of a word
function cutAtMarks({replacement, prepend_scheme, split}, text, first) {
  const marked = text.replaceAll(' ', replacement);
  const bare = !marked.startsWith(replacement);
  const prepends = prepend_scheme === 'always' || (prepend_scheme === 'first' && first);
  const given = bare && prepends ? replacement + marked : marked;
  return split ? cutAt(given, finderOf({String: replacement}), 'MergedWithNext') : [given];
}
