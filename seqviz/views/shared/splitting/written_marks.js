// Tokens that are written in a text and stand for themselves, such as [MASK]: cut out before the
// text is split.

const WORD_BEFORE = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u;
const WORD_BEHIND = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;

/**
 * What cuts them out of a text: parts with a token's number, -1 of what is to be split.
 * @param {{id, content, single_word, lstrip, rstrip}[]} tokens
 * @param {(text: string) => string} normalize what their names go through
 * @returns {(text: string) => {text: string, id: number, start: number}[]}
 */
export function marksCutOut(tokens, normalize) {
  const byName = new Map(tokens.map(token => [normalize(token.content), token]));
  const names = [...byName.keys()].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!names.length) return text => (text ? [{text, id: -1, start: 0}] : []);
  const any = new RegExp(names.map(asPattern).join('|'), 'gu');
  return text => {
    const parts = [];
    let end = 0;
    const add = (from, to, id) => {
      if (to > from) parts.push({text: text.slice(from, to), id, start: from});
    };
    for (const {0: name, index} of text.matchAll(any)) {
      const token = byName.get(name);
      const place = markPlace(token, text, index, index + name.length, end);
      if (!place) continue;
      add(end, place.from, -1);
      add(place.from, place.to, token.id);
      end = place.to;
    }
    add(end, text.length, -1);
    return parts;
  };
}

// From where to where a token reaches, null if it must be a word and is not.
function markPlace({single_word, lstrip, rstrip}, text, from, to, end) {
  const before = text.slice(0, from);
  const behind = text.slice(to);
  if (single_word && (WORD_BEFORE.test(before) || WORD_BEHIND.test(behind))) return null;
  const left = lstrip ? before.match(/\p{White_Space}*$/u)[0].length : 0;
  const right = rstrip ? behind.match(/^\p{White_Space}*/u)[0].length : 0;
  return {from: lstrip ? Math.max(from - left, end) : from, to: to + right};
}

function asPattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
