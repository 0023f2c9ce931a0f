// The marks that tell which pieces make a word; `bare` is that of seqviz/pieces.

export const INSIDE = '##';
export const MORE = '@@';
export const LAST = '</w>';
const BEGINS = /^[Ġ▁ ](?=.)/su;

/**
 * A token without its mark; one that is nothing else keeps it.
 * @param {string} token bytes decoded
 * @param {string} marks which mark tells words, '' if none does
 * @returns {string}
 */
export function bare(token, marks) {
  if (marks === INSIDE) return token.replace(/^##(?=.)/su, '');
  if (marks === MORE || marks === LAST) {
    return token.endsWith(marks) && token !== marks ? token.slice(0, -marks.length) : token;
  }
  return marks ? token.replace(BEGINS, '') : token;
}
/**
 * Whether a token can go on with the word of the one before it, by the marks alone.
 * @param {string} before
 * @param {string} token
 * @param {string} marks
 * @returns {boolean}
 */
export function goesOn(before, token, marks) {
  if (marks === INSIDE) return /^##./su.test(token);
  if (marks === MORE) return before.endsWith(MORE);
  if (marks === LAST) return !before.endsWith(LAST);
  return marks !== '' && !/^[Ġ▁\n\t ]/u.test(token) && !/[\n\t]$/u.test(before);
}

// ---- bytes of tokens that were read alone; spelling.py of seqviz/pieces does the same
const NAME_OF_BYTES = /^bytes?((?: [0-9A-F]{2})+)$/;
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Z}]$/u;
const SIZES = [
  [0x00, 0x80, 1],
  [0xc2, 0xe0, 2],
  [0xe0, 0xf0, 3],
  [0xf0, 0xf5, 4],
];
const UTF8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
export const hexOf = byte => byte.toString(16).toUpperCase().padStart(2, '0');

/**
 * Tokens one behind another: their bytes make characters.
 * @param {string[]} names tokens as they read alone
 * @returns {{told: string[], letters: string[]}} names, and the characters that begin in each
 */
export function together(names) {
  const raw = names.map(rawOf);
  const told = [...names];
  const letters = [...names];
  for (let from = 0, to; from < names.length; from = to) {
    to = from + 1;
    if (!raw[from]) continue;
    while (to < names.length && raw[to]) to += 1;
    spelled(raw.slice(from, to)).forEach(({parts, own}, k) => {
      told[from + k] = nameOfParts(parts);
      letters[from + k] = own;
    });
  }
  return {told, letters};
}
// The bytes of a token in whose name bytes stand, null for another.
function rawOf(name) {
  const bare = name.replace(/^ +/, '');
  const parts = bare.split(' + ');
  if (!parts.some(part => NAME_OF_BYTES.test(part))) return null;
  const bytesOf = part => {
    const [, hex] = part.match(NAME_OF_BYTES) ?? [];
    return hex
      ? hex
          .trim()
          .split(' ')
          .map(one => parseInt(one, 16))
      : new TextEncoder().encode(part);
  };
  return [
    ...Array(name.length - bare.length).fill(0x20),
    ...parts.flatMap(part => [...bytesOf(part)]),
  ];
}
/**
 * Tokens of a run: of each its parts, the characters that begin in it, and whether it begins inside
 * one.
 * @param {number[][]} raw bytes of each
 * @returns {{parts: object[], own: string, inside: boolean}[]}
 */
export function spelled(raw) {
  const owner = raw.flatMap((one, k) => one.map(() => k));
  const bytes = raw.flat();
  const found = raw.map(() => ({parts: [], own: '', inside: false}));
  for (let at = 0, size; at < bytes.length; at += size) {
    const text = characterAt(bytes, at);
    size = text === null ? 1 : sizeOfCharacter(bytes[at]);
    const one = owner[at] === owner[at + size - 1];
    const holders = one ? [owner[at]] : [...new Set(owner.slice(at, at + size))];
    found[holders[0]].own += text ?? '\ufffd';
    holders.forEach((k, n) => {
      const {parts} = found[k];
      const plain = text !== null && holders.length === 1;
      if (n > 0 && !parts.length) found[k].inside = true;
      if (plain && parts.length && parts.at(-1).plain) parts.at(-1).text += text;
      else parts.push({plain, ...partOf(text, bytes[at], n + 1, holders.length)});
    });
  }
  return found;
}
function partOf(text, byte, n, count) {
  if (text === null) return {text: `byte ${hexOf(byte)}`, byte: hexOf(byte)};
  return {text: count === 1 ? text : `${n}/${count} of ${seen(text)}`};
}
/** The character that begins at a place of bytes, null if none does. */
export function characterAt(bytes, at) {
  const size = sizeOfCharacter(bytes[at]);
  if (size === 1) return String.fromCharCode(bytes[at]);
  if (!size || at + size > bytes.length) return null;
  try {
    return UTF8.decode(new Uint8Array(bytes.slice(at, at + size)));
  } catch {
    return null;
  }
}
/** How many bytes a character has by its first one, 0 for one that is not the first. */
export function sizeOfCharacter(byte) {
  return SIZES.find(([low, high]) => byte >= low && byte < high)?.[2] ?? 0;
}
// A character, or its number if it has no shape.
function seen(text) {
  if (!UNSEEN.test(text)) return text;
  return `U+${text.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
/** The parts of a token as one text. */
export function nameOfParts(parts) {
  if (parts.length > 1 && parts.every(({byte}) => byte)) {
    return `bytes ${parts.map(({byte}) => byte).join(' ')}`;
  }
  const blank = text => /^[\p{White_Space}\x1c-\x1f]+$/u.test(text); // Python's isspace
  const names = parts.map(({text}, k) => (k && blank(text) ? text.replaceAll(' ', '␣') : text));
  const shown = names.length > 1 ? names.map(name => (blank(name) ? name : seen(name))) : names;
  const lead = shown.length > 1 && shown[0] === ' ' ? shown.shift() : '';
  return lead + shown.join(' + ');
}
