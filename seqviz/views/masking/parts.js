// What a part holds: numbers, and the words that some of them stand for.

/**
 * What two models say at some positions of a sentence, a row for each.
 * @param {{numbers: Float32Array, words: string[]}} part
 * @param {{rows: number, tokens: number, guesses: number, heads: string[]}} shape
 */
export class Answer {
  constructor({numbers, words}, {rows, tokens, guesses, heads}) {
    Object.assign(this, {numbers, words, rows, tokens, heads, K: guesses});
    this.stride = 3 * guesses + 6;
    this.attends = numbers.length > rows * this.stride;
  }
  /** Guesses, the true token and the second model's favourite; without that model it has 0. */
  row(k) {
    const {K, words, stride} = this;
    const row = this.numbers.subarray(k * stride, (k + 1) * stride);
    const guesses = Array.from({length: K}, (_, j) => ({
      word: words[row[j]],
      both: row[K + j],
      left: row[2 * K + j],
    }));
    const [both, left, rank, rankLeft, best, bestLeft] = row.subarray(3 * K);
    return {
      guesses,
      truth: {both, left, rank, rankLeft},
      best: {word: words[best], left: bestLeft},
      compared: bestLeft > 0,
    };
  }
  /** The weights from a position to each token, null if there are none. */
  weights(head, k) {
    if (!this.attends) return null;
    const {rows, tokens, stride} = this;
    const start = rows * stride + (this.heads.indexOf(head) * rows + k) * tokens;
    return this.numbers.subarray(start, start + tokens);
  }
}
/** Draws of one text at one rate: what became of each token, and what replaced some. */
export class Drawn {
  constructor({numbers, words}, {tokens, count}) {
    Object.assign(this, {T: tokens.length, count});
    this.fates = numbers.subarray(0, count * this.T);
    this.replaced = [];
    let next = this.fates.length;
    this.fates.forEach((fate, k) => {
      if (fate === 2) this.replaced[k] = words[numbers[next++]];
    });
  }
  /** The fate of each token in a draw, from 1, and the token that replaced it. */
  draw(n) {
    const first = (n - 1) * this.T;
    return Array.from({length: this.T}, (_, t) => ({
      fate: this.fates[first + t],
      other: this.replaced[first + t],
    }));
  }
  /** How many tokens of the first draws were masked, replaced, kept. */
  counts(draws) {
    const counts = [0, 0, 0, 0];
    for (const fate of this.fates.subarray(0, draws * this.T)) counts[fate]++;
    return counts.slice(1);
  }
}
