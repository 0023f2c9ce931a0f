// What travels as one part: numbers, and the words that stand beside them.

const HEAD = 4; // bytes that say how many numbers there are

/** Numbers and words of a part, as words_and_numbers.py packs them. */
export function readPart(view) {
  const start = view.byteOffset + HEAD;
  const end = start + 4 * view.getUint32(0, true);
  const words = new Uint8Array(view.buffer, end, view.byteOffset + view.byteLength - end);
  return {
    numbers: new Float32Array(view.buffer.slice(start, end)),
    words: JSON.parse(new TextDecoder().decode(words)),
  };
}
