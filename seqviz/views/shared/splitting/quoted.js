// How a message shows a text that came.

const ESCAPES = {'\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t'};
const UNPRINTABLE = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** A text between quotes, as Python's repr writes it. */
export function quotedText(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(UNPRINTABLE, letter => ESCAPES[letter] ?? escapeOf(letter));
  return quote + (quote === "'" ? inside.replaceAll("'", "\\'") : inside) + quote;
}

function escapeOf(letter) {
  const hex = letter.codePointAt(0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
