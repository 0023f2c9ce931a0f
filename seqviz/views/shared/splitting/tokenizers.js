// Texts to ids by a tokenizer of the libraries tokenizers and transformers: tokens written in the
// text are cut out, the rest is rewritten, cut into words, each word into pieces, and the pieces
// are framed by what the model expects around them.

import {bytePairs} from './byte_pairs.js';
import {cutIntoWords} from './cutting.js';
import {normalizerOf} from './normalizing.js';
import {likeliestPieces} from './unigram.js';
import {piecesTogether} from './word_pieces.js';
import {wholeWords, wordPieces} from './wordpiece.js';
import {marksCutOut} from './written_marks.js';

/**
 * @callback Pieces what cuts words by a model, as a tokenizer writes it
 * @param {Object} model
 * @param {Map<string, number>} numbers of the tokens
 * @param {string[]} tokens
 * @returns {(word: string) => {id: number, token: string}[]}
 */
const MODELS = {
  BPE: bytePairs,
  Unigram: likeliestPieces,
  WordLevel: wholeWords,
  WordPiece: wordPieces,
};

/**
 * What splits a text, without what stands around it.
 * @param {object} told of spelling.py
 * @returns {(text: string) => {id: number, token: string, word: number}[]}
 */
export function splitterOf({vocabulary, normalizers, cutters, model, added}) {
  const numbers = new Map(vocabulary.map((token, id) => [token, id]));
  const normalize = normalizerOf(normalizers);
  const split = MODELS[model.type](model, numbers, vocabulary);
  const marks = normalized => added.filter(token => Boolean(token.normalized) === normalized);
  const cutOut = marksCutOut(marks(false), name => name);
  const cutOutNormalized = marksCutOut(marks(true), normalize);
  const wordsOfPart = ({text, id, start}) =>
    id < 0 ? cutIntoWords(text, cutters, start === 0).map(split) : [[{id, token: text}]];
  const wordsOfRaw = part => {
    if (part.id >= 0) return wordsOfPart(part);
    return cutOutNormalized(normalize(part.text)).flatMap(inner =>
      wordsOfPart({...inner, start: part.start + inner.start}),
    );
  };
  return text =>
    cutOut(text)
      .flatMap(wordsOfRaw)
      .flatMap((pieces, word) => pieces.map(piece => ({...piece, word})));
}

/** What reads by a tokenizer; see `readerOf`. */
export function tokenizerReader(told) {
  const split = splitterOf(told);
  const tokens = [...told.vocabulary];
  for (const {id, name} of told.added) tokens[id] = name;
  const names = ids => ids.map(id => tokens[id] ?? `[${id}]`);
  const read = (text, pair = null) => {
    const [texts, frame] =
      pair === null ? [[text], told.frames.single] : [[text, pair], told.frames.pair];
    const row = framedRow(frame, texts.map(split));
    return readingOfRow(row, told, names, Boolean(pair));
  };
  return {read, names, special: told.special};
}

// The pieces of one or two texts, and what stands around them.
function framedRow(frame, parts) {
  return frame.flatMap(({id, token, text, segment}) => {
    const pieces = text === null ? [{id, token, word: null}] : parts[text];
    return pieces.map(piece => ({...piece, text, segment}));
  });
}

function readingOfRow(row, told, names, isPair) {
  if (told.longest && row.length > told.longest) {
    const fix = 'shorten it, or call tokenizer.no_truncation()';
    throw new Error(`text: the tokenizer cuts it after ${told.longest} tokens: ${fix}`);
  }
  const ids = row.map(({id}) => id);
  const tokens = told.tokens_as_written ? row.map(({token}) => token) : names(ids);
  const segments = row.map(({segment}) => segment);
  const telling = {always: true, two: segments.some(Boolean), never: false}[told.segments];
  return {
    ids,
    tokens,
    words: told.words_as_cut ? wordNumbers(row) : readWordNumbers(tokens, row),
    segments: telling ? segments : null,
    texts: isPair ? row.map(({text}) => text) : null,
  };
}

// Null where marks tell more. A piece of a script without spaces is a word.
function readWordNumbers(tokens, row) {
  const outside = row.flatMap(({text}, k) => (text === null ? [k] : []));
  const found = piecesTogether(tokens, outside);
  if (found.marks === '▁' || row.every(({word}) => word === null)) return null;
  return wordNumbers(row, found.breaks);
}

// Counted on through the second text.
function wordNumbers(row, breaks = () => false) {
  let after = -1;
  return row.map(({word, text}, k) => {
    const before = row[k - 1];
    const begins = k === 0 || word !== before.word || text !== before.text || breaks(k);
    if (word !== null && begins) after += 1;
    return word === null ? null : after;
  });
}
