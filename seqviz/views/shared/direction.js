// Which way a text runs, and rows of its tokens that follow it.

const ALL_LETTERS = /\p{L}/gu;
const LEFT_LETTERS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\ud83a[\udc00-\udfff]/gu;
const OF_NO_TEXT = /^[<[].+[>\]]$/su; // of a token that is of no text

/**
 * Whether most letters of a text are of a script that runs from right to left.
 * @param {string[]} tokens
 * @returns {boolean}
 */
export function runsLeft(tokens) {
  const text = tokens.filter(token => !OF_NO_TEXT.test(token)).join('');
  const turned = (text.match(LEFT_LETTERS) ?? []).length;
  return 2 * turned > (text.match(ALL_LETTERS) ?? []).length;
}
/**
 * Turns a row around: what stood at its left edge then stands at its right.
 * @param {{x: number, w: number}[]} boxes
 * @param {number} from the left edge
 * @param {number} to the right edge
 */
export function turnRow(boxes, from, to) {
  for (const box of boxes) box.x = from + to - box.x - box.w;
}
/** Tokens that were joined, as one text that runs to the left: pieces of a word join again. */
export const turnedText = text => `\u2067${text.replace(/[\u2066-\u2069]/g, '')}\u2069`;
/**
 * Tokens that were joined, as a text that runs as they do.
 * @param {string} text
 * @param {string[]} tokens
 * @returns {string}
 */
export const asRead = (text, tokens) => (runsLeft(tokens) ? turnedText(text) : text);
