// Bytes as letters, as byte-level BPE writes them (Radford et al. 2019): a byte that is seen is its
// own letter, the others are letters from U+0100 on.

import {hexOf} from '../pieces.js';

const SEEN_BYTE = /[\x21-\x7e\xa1-\xac\xae-\xff]/;
const LETTER_OF_BYTE = [];
const BYTE_OF_LETTER = new Map();
for (let byte = 0, hidden = 0; byte < 256; byte += 1) {
  const own = String.fromCharCode(byte);
  const letter = SEEN_BYTE.test(own) ? own : String.fromCharCode(0x100 + hidden);
  if (letter !== own) hidden += 1;
  LETTER_OF_BYTE.push(letter);
  BYTE_OF_LETTER.set(letter, byte);
}

/** A text with a letter for each of its bytes in UTF-8. */
export function bytesAsLetters(text) {
  return Array.from(new TextEncoder().encode(text), byte => LETTER_OF_BYTE[byte]).join('');
}

/** The bytes that letters stand for, null if one of them stands for none. */
export function lettersAsBytes(letters) {
  const bytes = Array.from(letters, letter => BYTE_OF_LETTER.get(letter));
  return bytes.includes(undefined) ? null : bytes;
}

/** The numbers of a text's bytes, which SentencePiece calls <0xE2> ..., null if one has none. */
export function numbersOfBytes(text, numbers) {
  const numberOf = byte => numbers.get(`<0x${hexOf(byte)}>`);
  const found = Array.from(new TextEncoder().encode(text), numberOf);
  return found.includes(undefined) ? null : found;
}
