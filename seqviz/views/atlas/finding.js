// What is looked for among heads and sentences: a pattern, and the heads that it fits.

const RULE = /^([a-z]+)\s*(<=|>=|<|>)\s*(\d*\.?\d+)$/;
const LINK = /^(.+?)\s*(?:->|→)\s*(.+)$/;
const HOLDS = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

const fits = (wanted, word) => wanted === '*' || word.toLowerCase() === wanted;
function testOf(term, heads) {
  const [, score, sign, number] = term.match(RULE) ?? [];
  if (score && score in heads.list[0].values) {
    return head => HOLDS[sign](head.values[score], Number(number));
  }
  const [, from, to] = term.match(LINK) ?? [];
  if (from) return head => heads.hasLink(head.i, (a, b) => fits(from, a) && fits(to, b));
  if (heads.byName.has(term)) return head => head.name === term;
  const layer = term.match(/^layer (\d+)$/);
  if (layer) return head => head.layer === Number(layer[1]);
  const named = head => head.kinds.some(kind => kind.includes(term));
  if (heads.list.some(named)) return named;
  return head => wordsOf(heads, head).has(term);
}
/** The words that a head attends from and to most, and those of its sentences' strongest links. */
function wordsOf(heads, head) {
  const linked = heads.examples(head.i).flatMap(({words, links: [best]}) => {
    return best ? [words[best.query], words[best.key]] : [];
  });
  const listed = [...head.queries, ...head.keys].map(([word]) => word);
  return new Set([...listed, ...linked].map(word => word.toLowerCase()));
}
const termsOf = pattern =>
  pattern
    .toLowerCase()
    .split(',')
    .map(term => term.trim())
    .filter(Boolean);
/**
 * The heads that a pattern fits, all of whose parts, between commas, must.
 * @param {string} pattern
 * @param {Heads} heads
 * @returns {Set<number> | null} null for an empty one
 */
export function foundHeads(pattern, heads) {
  const terms = termsOf(pattern);
  if (!terms.length) return null;
  const tests = terms.map(term => testOf(term, heads));
  const found = heads.list.filter(head => tests.every(test => test(head)));
  return new Set(found.map(({i}) => i));
}
/**
 * The words of a pattern, to be marked in sentences.
 * @param {string} pattern
 * @returns {Set<string>} in small letters
 */
export function foundWords(pattern) {
  const words = termsOf(pattern).flatMap(term => {
    const [, from, to] = term.match(LINK) ?? [];
    return from ? [from, to] : [term];
  });
  return new Set(words.filter(word => word !== '*'));
}
