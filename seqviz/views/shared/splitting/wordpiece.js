// Words as pieces of a vocabulary, from the left, each time the longest that there is (Schuster and
// Nakajima 2012; Devlin et al. 2019), and words that are pieces as they are.

/** @type {Pieces} of a model with {unk_token, continuing_subword_prefix, ...} */
export function wordPieces(model, numbers) {
  return word => {
    const letters = Array.from(word);
    const pieces = [];
    if (letters.length > model.max_input_chars_per_word) return pieceFor(null, model, numbers);
    for (let from = 0, to; from < letters.length; from = to) {
      const prefix = from ? model.continuing_subword_prefix : '';
      const token = () => prefix + letters.slice(from, to).join('');
      to = letters.length;
      while (to > from && !numbers.has(token())) to -= 1;
      if (to === from) return pieceFor(null, model, numbers);
      pieces.push(...pieceFor(token(), model, numbers));
    }
    return pieces;
  };
}

/** @type {Pieces} of a model with {unk_token} */
export function wholeWords(model, numbers) {
  return word => pieceFor(word, model, numbers);
}

function pieceFor(word, {unk_token}, numbers) {
  const token = numbers.has(word) ? word : unk_token;
  if (numbers.has(token)) return [{id: numbers.get(token), token}];
  throw new Error('text: the vocabulary lacks a word of it, and has no token for unknown words');
}
