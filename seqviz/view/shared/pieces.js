// The marks that tell which pieces make a word; `bare` is that of seqviz/pieces.

const INSIDE = '##';
const MORE = '@@';
const LAST = '</w>';
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
