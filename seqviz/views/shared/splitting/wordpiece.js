// Words as pieces of a vocabulary, from the left, each time the longest that there is (Schuster and
// Nakajima 2012; Devlin et al. 2019), and words that are pieces as they are.

/**
 * @param {{unk_token, continuing_subword_prefix, max_input_chars_per_word}} model
 * @param {Map<string, number>} numbers
 * @returns {(word: string) => {id: number, token: string}[]}
 */
export function wordPieces(model, numbers) {
  return word => {
    const letters = Array.from(word);
    const pieces = [];
    if (letters.length > model.max_input_chars_per_word) return [unknownWord(model, numbers, word)];
    for (let from = 0; from < letters.length;) {
      const prefix = from ? model.continuing_subword_prefix : '';
      let to = letters.length;
      while (to > from && !numbers.has(prefix + letters.slice(from, to).join(''))) to -= 1;
      if (to === from) return [unknownWord(model, numbers, word)];
      const token = prefix + letters.slice(from, to).join('');
      pieces.push({id: numbers.get(token), token});
      from = to;
    }
    return pieces;
  };
}

/**
 * @param {{unk_token}} model
 * @param {Map<string, number>} numbers
 * @returns {(word: string) => {id: number, token: string}[]}
 */
export function wholeWords(model, numbers) {
  return word =>
    numbers.has(word)
      ? [{id: numbers.get(word), token: word}]
      : [unknownWord(model, numbers, word)];
}

function unknownWord({unk_token}, numbers, word) {
  const id = numbers.get(unk_token);
  if (id === undefined) {
    throw new Error(`text: the vocabulary has neither '${word}' nor a token for unknown words`);
  }
  return {id, token: unk_token};
}
