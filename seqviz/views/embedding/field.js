// What is written in the field: a word, "king - man + woman", or "man : king :: woman : ?".

const SUM = /^(\S.*?)\s+[-−–]\s+(.+?)\s+\+\s+(.+?)(?:\s+=\s+(.+))?$/;
const CLOSE = /^([^\s+=:]+?)[-−–]([^\s+=:]+?)\+([^\s+=:]+)$/;
const PROPORTION = /^(\S.*?)\s*:\s*(.+?)\s*::\s*(.+?)\s*:\s*(.+)$/;

/**
 * What a text asks for, of what the page holds.
 * @param {string} text
 * @param {{knows: (word: string) => boolean, sums: Object[]}} page whether it has a word's
 * neighbours; the sums that it has
 * @returns {{word: string} | {question: string} | {missing: 'word' | 'sum', text: string}}
 */
export function readField(text, {knows, sums}) {
  const written = text.trim().replace(/\s+/g, ' ');
  if (knows(written)) return {word: written};
  const exact = sums.find(sum => sum.text === written);
  if (exact) return {question: exact.text};
  const parts = termsOf(written);
  if (!parts) {
    const small = written.toLowerCase();
    return knows(small) ? {word: small} : {missing: 'word', text: written};
  }
  const found = sums.find(sum => isAsked(sum, parts));
  return found ? {question: found.text} : {missing: 'sum', text: written};
}
function termsOf(text) {
  const proportion = PROPORTION.exec(text);
  if (proportion) {
    const [, minus, plus, added, expected] = proportion;
    return {terms: [plus, minus, added], expected: expected === '?' ? null : expected};
  }
  const sum = SUM.exec(text) ?? CLOSE.exec(text);
  return sum && {terms: sum.slice(1, 4), expected: sum[4] ?? null};
}
function isAsked({inputs, expected}, parts) {
  const alike = (a, b) => a === b || a === b.toLowerCase();
  const same = inputs.every((word, k) => alike(word, parts.terms[k]));
  return (
    same && (parts.expected === null || (expected !== null && alike(expected, parts.expected)))
  );
}
