// SentencePiece's table of characters that stand for others (its "precompiled_charsmap"; Kudo and
// Richardson 2018): a trie of keys in one array (Darts; Yata et al. 2007), and behind it the texts
// that take their place, each with a zero at its end.

const SHORT_CLUSTER = 6; // bytes from which a cluster of characters is not looked up as a whole

/** What rewrites a text by a table, which comes in base64. */
export function rewrittenByTable(table) {
  const bytes = Uint8Array.from(atob(table), letter => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const size = view.getUint32(0, true);
  const units = Array.from({length: size / 4}, (_, k) => view.getUint32(4 + 4 * k, true));
  const texts = bytes.subarray(4 + size);
  const clusters = new Intl.Segmenter('en', {granularity: 'grapheme'});
  const inPlaceOf = part => {
    const at = firstKey(units, new TextEncoder().encode(part));
    return at < 0 ? null : tableText(texts, at);
  };
  const rewritten = cluster => {
    const short = new TextEncoder().encode(cluster).length < SHORT_CLUSTER;
    const whole = short ? inPlaceOf(cluster) : null;
    return whole ?? Array.from(cluster, letter => inPlaceOf(letter) ?? letter).join('');
  };
  return text => Array.from(clusters.segment(text), one => rewritten(one.segment)).join('');
}

// Where the text of the shortest key stands with which the bytes begin, -1 without one.
function firstKey(units, bytes) {
  let at = offsetOf(units[0]);
  for (const byte of bytes) {
    at ^= byte;
    const unit = units[at];
    if ((unit & 0x800000ff) !== byte) return -1;
    at ^= offsetOf(unit);
    if ((unit >>> 8) & 1) return units[at] & 0x7fffffff;
  }
  return -1;
}

function offsetOf(unit) {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

function tableText(texts, at) {
  return new TextDecoder().decode(texts.subarray(at, texts.indexOf(0, at)));
}
