// Numbers and tokens as people read them, and texts cut to their room.

/** What is right or wrong has a sign: colour is never alone. */
export const SIGNS = {right: '✓', wrong: '✗'};
/**
 * A number with a real minus, and none before a zero.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export const signed = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? '−' + text : text;
};
/**
 * A probability: never a round 0 or 1 for one that is not.
 * @param {number} p
 * @returns {string}
 */
export const share = p =>
  p > 0 && p < 0.005 ? '<.01' : p < 1 && p >= 0.995 ? '>.99' : p.toFixed(2).replace(/^0/, '');
/**
 * A probability with two decimals, three where it is small: never a round 0 or 1 for one that is
 * not.
 * @param {number} p
 * @returns {string}
 */
export function chance(p) {
  if (p > 0 && p < 0.0005) return '<0.001';
  if (p >= 0.995 && p < 1) return '>0.99';
  return p.toFixed(p > 0 && p < 0.0095 ? 3 : 2);
}
/**
 * A share with two decimals, never a round 0 or 1 for one that is not.
 * @param {number} value
 * @returns {string}
 */
export function portion(value) {
  if (value > 0 && value < 0.005) return '<0.01';
  if (value >= 0.995 && value < 1) return '>0.99';
  return value.toFixed(2);
}
/**
 * A count with a comma at the thousands.
 * @param {number} count
 * @returns {string}
 */
export const many = count => count.toLocaleString('en-US');
const GRAPHEMES = new Intl.Segmenter('en', {granularity: 'grapheme'});
const ONE_BY_ONE = /^[\u0020-\u02ff\u3041-\u3096\u4e00-\u9fff]*$/; // each one is a letter
/**
 * The letters of a text as a reader counts them: one with its marks, an emoji of many parts.
 * @param {string} text
 * @param {number} [most] no more than one beyond these is found
 * @returns {string[]}
 */
export function graphemes(text, most = Infinity) {
  if (ONE_BY_ONE.test(text)) return [...text];
  const found = [];
  for (const {segment} of GRAPHEMES.segment(text)) {
    found.push(segment);
    if (found.length > most) break;
  }
  return found;
}
// What isolates a direction and was cut off is closed.
function closed(text) {
  const count = sign => text.match(sign)?.length ?? 0;
  const open = count(/[\u2066-\u2068]/g) - count(/\u2069/g);
  return open > 0 ? text + '\u2069'.repeat(open) : text;
}
/**
 * A text, cut where there is no more room, never inside a letter; what isolates its direction is
 * closed again.
 * @param {string} text
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} [font]
 * @returns {string}
 */
export function cutTo(text, room, measure, font) {
  if (measure(text, font) <= room) return text;
  const kept = graphemes(text);
  const short = () => closed(kept.join('') + '…');
  while (kept.length > 1 && measure(short(), font) > room) kept.pop();
  return short();
}
// What turns the direction of its neighbours is isolated; so is what would join the one before it.
const TURNED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const JOINED = /^[\p{M}\p{EMod}\u200c\u200d]/u;
// Marks of these scripts stand on a circle only if there is one in the text.
const BARE_MARK =
  /^(?=\p{M})[\p{sc=Zinh}\p{sc=Latn}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Thai}\p{sc=Laoo}]/u;
const PILE = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu; // it would lie over the lines around it
// What has no shape but gives its neighbours one: joiners, selectors, a flag's letters, isolates.
const SHAPING = [
  /(?<=[\u0900-\u1cff])[\u200c\u200d]|(?<=[\u0600-\u08ff])[\u200c\u200d](?=[\u0600-\u08ff])/u,
  /(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict})|(?<=[\d#*])\ufe0f(?=\u20e3)/u,
  /(?<=[\p{ExtPict}\p{EMod}\p{sc=Han}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u,
  /(?<=[\u1820-\u18aa])[\u180b-\u180f]|(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007f}]/u,
  /[\u2066-\u2068](?=.+\u2069)|(?<=[\u2066-\u2068].+)\u2069/u,
];
/** What else has none, and blanks at the ends. */
export const SHAPELESS = /^ +| +$|(?![ \u2066-\u2069])[\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800\ufffe\uffff]/u;
// What would be read as one of the marks of those.
const LOOKALIKE = /[\u2066-\u2069␣↵⇥\u2400-\u241f]|^∅$|^U(?=\+[\dA-F]{4,6}$)|‹(?=U\+)/u;
const patternOf = forms => forms.map(({source}) => source).join('|');
const TO_MARK = new RegExp(`(${patternOf(SHAPING)})|${patternOf([SHAPELESS, LOOKALIKE])}`, 'gu');
const BARE_ASCII = /^(?!U\+)[!-~]+$/;
const LINE_MARKS = {'\n': '↵', '\t': '⇥'};
/** The number of a character: U+200B. */
export const codeOf = letter =>
  `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
function shapeOf(unseen) {
  if (unseen[0] === ' ') return '␣'.repeat(unseen.length);
  if (unseen > ' ') return `‹${codeOf(unseen)}›`;
  return LINE_MARKS[unseen] ?? String.fromCharCode(0x2400 + unseen.charCodeAt(0));
}
/**
 * A token as people read it: white space and control characters (no XML holds those) get a
 * mark, what has no shape of its own gets its number, and so does a letter that looks like such a
 * mark; a long one is cut, so is a pile of marks, and what turns the direction of its neighbours is
 * isolated.
 * @param {string} token
 * @param {number} [most] letters
 * @returns {string}
 */
export function readable(token, most = 40) {
  if (token.length <= most && BARE_ASCII.test(token)) return token;
  const inner = token.replace(/^\u2068([^\u2066-\u2069]+)\u2069$/, '$1');
  const marked = inner.replace(TO_MARK, (one, kept) => kept ?? shapeOf(one)) || '∅';
  const bare = marked.replace(/^‹(U\+\w+)›$/, '$1').replace(PILE, '$1…');
  const all = graphemes(BARE_MARK.test(bare) ? '◌' + bare : bare, most);
  const short = closed(all.length > most ? all.slice(0, most - 1).join('') + '…' : all.join(''));
  return TURNED.test(short) || JOINED.test(short) ? `\u2068${short}\u2069` : short;
}
/** A token in a running text: blanks around it are blanks there. */
export function inText(token, most) {
  const [, before, inner, after] = /^( *)(.*?)( *)$/su.exec(token);
  return inner ? before + readable(inner, most) + after : readable(token, most);
}
/**
 * How wide texts are.
 * @param {string} font as CSS writes it
 * @returns {(text: string) => number} pixels
 */
export function measurer(font) {
  const pen = document.createElement('canvas').getContext('2d');
  const known = new Map();
  pen.font = font;
  return text => known.get(text) ?? known.set(text, pen.measureText(text).width).get(text);
}
/**
 * Lines that fit: broken after a space, or in a word that is longer than a line.
 * @param {string} text
 * @param {number} width
 * @param {(text: string) => number} measure
 * @returns {string[]}
 */
export function wrapped(text, width, measure) {
  const [, open, inside] = /^([\u2066-\u2068])(.*)\u2069$/su.exec(text) ?? [];
  if (open) return wrapped(inside, width, measure).map(line => `${open}${line}\u2069`);
  const lines = [];
  let line = '';
  for (const letter of graphemes(text)) {
    if (line && letter !== ' ' && measure(line + letter) > width) {
      const stop = line.lastIndexOf(' ') + 1 || line.length;
      lines.push(line.slice(0, stop));
      line = line.slice(stop);
    }
    line += letter;
  }
  return [...lines, line];
}
/**
 * Three figures, or two and a power of ten; as grid_values.py writes it.
 * @param {number} value
 * @returns {string}
 */
export function figures(value) {
  const size = Math.abs(value);
  if (size && !(size >= 1e-3 && size < 9999.5)) {
    return value.toExponential(1).replaceAll('-', '−').replace('+', '');
  }
  return value.toFixed(size ? Math.max(0, 2 - Math.floor(Math.log10(size))) : 2).replace('-', '−');
}
/**
 * A number with so many decimals and a real minus.
 * @param {number} value
 * @param {number} places
 * @returns {string}
 */
export const decimals = (value, places) =>
  value
    .toFixed(places)
    .replace('-', '−')
    .replace(/^−(0(\.0*)?)$/, '$1');
/**
 * A token that fits into a room.
 * @param {string} text
 * @param {number} room pixels
 * @param {(text: string) => number} measure
 * @param {number} [most] letters
 * @returns {string}
 */
export function cut(text, room, measure, most = 40) {
  let label = readable(text, most);
  while (measure(label) > room && most > 2) label = readable(text, --most);
  return label;
}
