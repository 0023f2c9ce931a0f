// A text cut into words: the pre-tokenizers of a tokenizer, one after another. They are called what
// the library tokenizers calls them.

import {bytesAsLetters} from './byte_letters.js';

const PUNCTUATION = /[!-/:-@[-\x60{-~\p{P}]/gu;
const SPACES = /\p{White_Space}/gu;
const WORDS_AND_SIGNS =
  /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu;
const GPT2 =
  /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

const CUTTERS = {
  BertPreTokenizer: () => text =>
    cutAt(text, SPACES, 'Removed').flatMap(word => cutAt(word, PUNCTUATION, 'Isolated')),
  ByteLevel: cuttingBytes,
  Digits: ({individual_digits}) => {
    const how = individual_digits ? 'Isolated' : 'Contiguous';
    return text => cutAt(text, /\p{N}/gu, how);
  },
  Metaspace: cuttingMarked,
  Punctuation:
    ({behavior}) =>
    text =>
      cutAt(text, PUNCTUATION, behavior),
  Split: cuttingByPattern,
  Whitespace: () => text => text.match(WORDS_AND_SIGNS) ?? [],
  WhitespaceSplit: () => text => cutAt(text, SPACES, 'Removed'),
};

/**
 * What cuts a text into words; `first` says that it begins where the whole text does.
 * @param {object[]} cutters as a tokenizer writes them; patterns are JavaScript's
 * @returns {(text: string, first: boolean) => string[]}
 */
export function cutterOf(cutters) {
  const cuts = cutters.map(one => CUTTERS[one.type](one));
  return (text, first) =>
    cuts.reduce((words, cut) => words.flatMap(word => cut(word, first)).filter(Boolean), [text]);
}

const isolated = parts => parts.map(({text}) => text);
// Parts of which some are joined to the one before, `joins` says which.
function joinedParts(parts, joins) {
  const words = [];
  parts.forEach(({text, found}, k) => {
    if (k > 0 && joins(found, parts[k - 1].found)) words.push(words.pop() + text);
    else words.push(text);
  });
  return words;
}
const BEHAVIOURS = {
  Isolated: isolated,
  Removed: parts => isolated(parts.filter(({found}) => !found)),
  Contiguous: parts => joinedParts(parts, (found, before) => found === before),
  MergedWithPrevious: parts => joinedParts(parts, (found, before) => found && !before),
  MergedWithNext: parts => joinedParts(parts, (found, before) => !found && before),
};

// Cut at what a pattern finds; what becomes of that is the behaviour.
function cutAt(text, pattern, behaviour, invert = false) {
  const parts = [];
  let end = 0;
  const add = (from, to, found) => {
    if (to > from) parts.push({text: text.slice(from, to), found: found !== invert});
    end = to;
  };
  for (const {0: match, index} of text.matchAll(pattern)) {
    add(end, index, false);
    add(index, index + match.length, true);
  }
  add(end, text.length, false);
  return BEHAVIOURS[behaviour](parts);
}

function cuttingByPattern({pattern, behavior, invert}) {
  const found = new RegExp(pattern, 'gu');
  return text => cutAt(text, found, behavior, invert);
}

// Radford et al. 2019
function cuttingBytes({add_prefix_space, use_regex}) {
  return text => {
    const given = add_prefix_space && !text.startsWith(' ') ? ` ${text}` : text;
    return (use_regex ? cutAt(given, GPT2, 'Isolated') : [given]).map(bytesAsLetters);
  };
}

// Kudo and Richardson 2018: "▁" is a blank, and stands in front of a word
function cuttingMarked({replacement, pattern, prepend_scheme, split}) {
  const mark = new RegExp(pattern, 'gu');
  return (text, first) => {
    const marked = text.replaceAll(' ', replacement);
    const bare = !marked.startsWith(replacement);
    const prepends = prepend_scheme === 'always' || (prepend_scheme === 'first' && first);
    const given = bare && prepends ? replacement + marked : marked;
    return split ? cutAt(given, mark, 'MergedWithNext') : [given];
  };
}
