// Tokens that are written in a text and stand for themselves, such as [MASK]: cut out before the
// text is split. And what finds a text, or a pattern, in a text.

/**
 * What cuts them out of a text: parts with a token's number, -1 of what is to be split.
 * @param {{id, content, lstrip, rstrip}[]} tokens
 * @param {(text: string) => string} normalize what their names go through
 * @returns {(text: string) => {text: string, id: number, start: number}[]}
 */
export function marksCutOut(tokens, normalize) {
  const byName = new Map(tokens.map(token => [normalize(token.content), token]));
  const names = [...byName.keys()].filter(Boolean).sort((a, b) => b.length - a.length);
  const any = new RegExp(names.map(asPattern).join('|') || '(?!)', 'gu');
  return text => {
    const parts = [];
    let end = 0;
    const add = (to, id) => {
      if (to > end) parts.push({text: text.slice(end, to), id, start: end});
      end = Math.max(end, to);
    };
    for (const {0: name, index} of text.matchAll(any)) {
      const {id, lstrip, rstrip} = byName.get(name);
      const behind = index + name.length;
      add(lstrip ? text.slice(0, index).trimEnd().length : index, -1);
      add(rstrip ? text.length - text.slice(behind).trimStart().length : behind, id);
    }
    add(text.length, -1);
    return parts;
  };
}

function asPattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** What finds a pattern, as a tokenizer writes it, in JavaScript's words. */
export function finderOf({String: text, Regex: pattern}) {
  return new RegExp(pattern ?? asPattern(text), 'gu');
}
