// A text as a tokenizer rewrites it before it splits it: its normalizers, one after another. They
// are called what the library tokenizers calls them.

import {rewrittenByTable} from './rewriting_table.js';
import {finderOf} from './written_marks.js';

const EACH_SPACE = /\p{White_Space}/gu;
const CONTROLS = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu;
const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

const NORMALIZERS = {
  BertNormalizer: bertCleaning,
  Lowercase: () => lowered,
  NFC: () => text => text.normalize('NFC'),
  NFD: () => text => text.normalize('NFD'),
  NFKC: () => text => text.normalize('NFKC'),
  NFKD: () => text => text.normalize('NFKD'),
  Precompiled: ({precompiled_charsmap}) => rewrittenByTable(precompiled_charsmap),
  Prepend:
    ({prepend}) =>
    text =>
      text && prepend + text,
  Replace: replacing,
  Strip: stripping,
  StripAccents: () => text => text.replace(/\p{M}/gu, ''),
};

/** What rewrites a text, of normalizers as a tokenizer writes them; patterns are JavaScript's. */
export function normalizerOf(normalizers) {
  const rewriters = normalizers.map(one => NORMALIZERS[one.type](one));
  return text => rewriters.reduce((now, rewrite) => rewrite(now), text);
}

// Letter by letter: a final sigma is like any other.
function lowered(text) {
  return Array.from(text, letter => letter.toLowerCase()).join('');
}

// Devlin et al. 2019: without control characters and accents, a Chinese character is a word.
function bertCleaning({clean_text, handle_chinese_chars, strip_accents, lowercase}) {
  return text => {
    let now = text;
    if (clean_text) now = now.replace(CONTROLS, '').replace(EACH_SPACE, ' ');
    if (handle_chinese_chars) now = now.replace(CHINESE, ' $& ');
    if (strip_accents ?? lowercase) now = now.normalize('NFD').replace(/\p{Mn}/gu, '');
    return lowercase ? lowered(now) : now;
  };
}

function replacing({pattern, content}) {
  const found = finderOf(pattern);
  return text => text.replace(found, () => content);
}

function stripping({strip_left, strip_right}) {
  return text => {
    const now = strip_left ? text.replace(/^\p{White_Space}+/u, '') : text;
    return strip_right ? now.replace(/\p{White_Space}+$/u, '') : now;
  };
}
