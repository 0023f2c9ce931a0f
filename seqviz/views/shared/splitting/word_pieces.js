// Pieces of words as people read them; pieces_of and alone of seqviz/pieces do the same.

import {lettersAsBytes} from './byte_letters.js';
import {
  INSIDE,
  LAST,
  MORE,
  bare,
  characterAt,
  goesOn,
  nameOfParts,
  sizeOfCharacter,
  spelled,
} from '../pieces.js';

export const LONE_MARKS = ['Ġ', '▁', ' '];
const NAME_OF_TOKEN = /^[<[].+[>\]]$/su;
const NAME_OF_BYTE = /^<0x([0-9A-Fa-f]{2})>$/;
const NO_SPACES =
  /[\ua980-\ua9ff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua4cf\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\u{1b000}-\u{1b16f}\u{20000}-\u{3ffff}]/u;
const FLAG = /[\u{1f1e6}-\u{1f1ff}]/u;

/**
 * Tokens that stand one behind another.
 * @param {string[]} tokens
 * @param {number[]} special places of tokens that are of no text
 * @returns {{marks: string, tokens: string[], bare: string[], letters: string[],
 *     starts: boolean[], breaks: (k: number) => boolean}}
 */
export function piecesTogether(tokens, special = []) {
  const outside = new Set([...special, ...placesOfNames(tokens)]);
  return readPieces(tokens, outside, outside, false);
}

/**
 * Tokens of which each stands for itself, as those of a vocabulary.
 * @param {string[]} tokens
 * @returns {object} as piecesTogether; all are starts
 */
export function piecesAlone(tokens) {
  return readPieces(tokens, new Set(tokens.keys()), new Set(placesOfNames(tokens)), true);
}

function placesOfNames(tokens) {
  return tokens.flatMap((token, k) => (isName(token) ? [k] : []));
}
function isName(token) {
  return NAME_OF_TOKEN.test(token) && !isLast(token) && !NAME_OF_BYTE.test(token);
}
// Whether a word ends with a token, which may look like a name: the bracket "<</w>" of CLIP.
function isLast(token) {
  return token.endsWith(LAST) && token !== LAST;
}

// The bytes that a token of byte-level BPE or SentencePiece stands for, null if it is none.
function bytesOfToken(token) {
  const [, hex] = token.match(NAME_OF_BYTE) ?? [];
  if (hex) return [parseInt(hex, 16)];
  return lettersAsBytes(isLast(token) ? token.slice(0, -LAST.length) : token);
}

// Tokens of bytes that stand side by side: their places.
function runsOfBytes(raw, outside, each) {
  const runs = [];
  raw.forEach((bytes, k) => {
    if (!bytes || outside.has(k)) return;
    if (!each && runs.at(-1)?.at(-1) === k - 1) runs.at(-1).push(k);
    else runs.push([k]);
  });
  return runs;
}

// The mark that tells words, '' if none of these does: most votes, the first of equals.
function wordMarkOf(tokens, outside) {
  const votes = {[INSIDE]: 0, [LAST]: 0, [MORE]: 0, '▁': 0, Ġ: 0};
  tokens.forEach((token, k) => {
    if (outside.has(k)) return;
    if (token.startsWith('▁') || NAME_OF_BYTE.test(token)) votes['▁'] += 1;
    else if (isLast(token)) votes[LAST] += 1;
    else if (/^##[^# Ċ]/su.test(token)) votes[INSIDE] += 1;
    else if (/^[ĠĊĉ]/.test(token)) votes.Ġ += 1;
    else if (token.endsWith(MORE) && token !== MORE) votes[MORE] += 1;
  });
  const most = Math.max(...Object.values(votes));
  return most ? Object.keys(votes).find(mark => votes[mark] === most) : '';
}

// Whether letters stand for bytes: at most at a run's ends a character may be cut.
function standForBytes(tokens, marks, raw, runs) {
  if (marks === INSIDE || marks === MORE) return false;
  if (marks === '▁') return tokens.some(token => NAME_OF_BYTE.test(token));
  const places = runs.flat();
  const ascii = k => tokens[k].length <= 1 || !/[^\x00-\x7f]/.test(tokens[k]);
  if (!marks && places.length < tokens.filter(token => !isName(token)).length) return false;
  if (!marks && places.every(ascii)) return false;
  const texts = runs.map(run => run.flatMap(k => raw[k]));
  if (texts.some(isBroken)) return false;
  return marks === 'Ġ' || texts.some(hasWide);
}
// Whether there are bytes of no character that a cut at the ends does not explain.
function isBroken(bytes) {
  for (let at = 0; at < bytes.length;) {
    const text = characterAt(bytes, at);
    const size = sizeOfCharacter(bytes[at]);
    if (text === null && at + size > bytes.length) return false;
    if (text === null && (size || at >= 3)) return true;
    at += text === null ? 1 : size;
  }
  return false;
}
function hasWide(bytes) {
  return bytes.some((byte, at) => byte > 0x7f && characterAt(bytes, at) !== null);
}

// `outside` are parted from what stands beside them, `mute` say nothing of marks and bytes.
function readPieces(tokens, outside, mute, each) {
  const raw = tokens.map(bytesOfToken);
  const runs = runsOfBytes(raw, mute, each);
  const told = wordMarkOf(tokens, mute);
  const inBytes = standForBytes(tokens, told, raw, runs);
  const marks = told || (inBytes ? 'Ġ' : '');
  const {texts, letters, inside} = decodedTokens(tokens, marks, raw, inBytes ? runs : []);
  const cut = tokens.map((_, k) => k === 0 || outside.has(k - 1) || outside.has(k));
  const begins = tokens.map((_, k) => beginsWord(tokens, k, marks));
  const frontless = k => !each && marks === INSIDE && cut[k] && !begins[k];
  const bareAt = (text, k) => (isName(tokens[k]) || frontless(k) ? text : bare(text, marks));
  const own = letters.map(bareAt);
  return {
    marks,
    tokens: texts.map((text, k) => withMark(text, tokens[k], marks)),
    bare: texts.map(bareAt),
    letters: own,
    starts: tokens.map((_, k) => !marks || cut[k] || startsWord(k, begins[k], own, inside)),
    breaks: k => k > 0 && !inside[k] && breaksBefore(own, k),
  };
}

// Tokens as texts, the letters that begin in them, and which begin inside a character.
function decodedTokens(tokens, marks, raw, runs) {
  const texts = [...tokens];
  const letters = [...tokens];
  const inside = tokens.map(() => false);
  for (const run of runs) {
    spelled(run.map(k => raw[k])).forEach((found, n) => {
      const k = run[n];
      inside[k] = found.inside;
      if (marks === '▁' && !NAME_OF_BYTE.test(tokens[k])) return;
      texts[k] = nameOfParts(found.parts);
      letters[k] = found.own.includes('\ufffd') ? texts[k] : found.own;
    });
  }
  return {texts, letters, inside};
}

// A token as it is shown, with the mark that its tokenizer writes.
function withMark(text, token, marks) {
  if (marks === 'Ġ') return text.replace(/^ +/, blanks => 'Ġ'.repeat(blanks.length));
  const lost = marks === LAST && token.endsWith(LAST) && !text.endsWith(LAST);
  return lost ? text + LAST : text;
}

// Whether the marks say that a word begins with a token; null if they leave it open.
function beginsWord(tokens, k, marks) {
  const before = k ? tokens[k - 1] : '';
  if ([INSIDE, LAST, MORE].includes(marks)) return !goesOn(before, tokens[k], marks);
  if (/^[Ġ▁Ċĉ ]/.test(tokens[k]) || /[Ċĉ]$/.test(before)) return true;
  return before === 'Ġ' || before === '▁' ? false : null;
}

function startsWord(k, begins, letters, inside) {
  if (inside[k]) return false;
  if (breaksBefore(letters, k)) return true;
  if (begins !== null) return begins;
  const [before, after] = [letterBefore(letters, k), firstLetter(letters[k])];
  return letterKind(before) !== letterKind(after) && !goesOnWithCharacter(before, after);
}

// ---- where a text may be parted
// Whether a script without spaces ends or begins there; a vowel's sign breaks nothing.
function breaksBefore(letters, k) {
  if (k && LONE_MARKS.includes(letters[k - 1])) return false;
  const [before, after] = [letterBefore(letters, k), firstLetter(letters[k])];
  if (!before || !after || goesOnWithCharacter(before, after)) return false;
  return NO_SPACES.test(before) || NO_SPACES.test(after);
}
function goesOnWithCharacter(before, after) {
  if (!before || !after) return false;
  const glued = /[\u200c\u200d]/.test(before + after) || /[\u{1f3fb}-\u{1f3ff}]/u.test(after);
  return glued || /\p{M}/u.test(after) || (FLAG.test(before) && FLAG.test(after));
}
function letterKind(letter) {
  if (/\p{N}/u.test(letter)) return 'digit';
  return /[\p{L}\p{M}]/u.test(letter) ? 'letter' : 'sign';
}
function firstLetter(text) {
  return text && String.fromCodePoint(text.codePointAt(0));
}
// The last letter before a token; a few tokens may hold none.
function letterBefore(letters, k) {
  const text = letters.slice(Math.max(0, k - 4), k).findLast(Boolean) ?? '';
  return Array.from(text.slice(-2)).at(-1) ?? '';
}
