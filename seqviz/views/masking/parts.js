// What a part holds: arrays, and the words that some of their numbers stand for.

/** What two models say at some positions of a sentence, a row for each. */
export class Answer {
  /**
   * @param {{words: string[], ids, p, q, truth, ranks, best, left, maps}} part as guesses.py packs
   * it
   * @param {string[]} heads labels of the attention maps
   */
  constructor(part, heads) {
    Object.assign(this, part, {heads});
    this.rows = part.best.length;
    this.K = part.ids.length / this.rows;
  }
  /** Guesses, the true token and the second model's favourite; without that model it has 0. */
  row(k) {
    const {K, words, ids, p, q, truth, ranks, best, left} = this;
    const guesses = Array.from({length: K}, (_, j) => {
      const at = k * K + j;
      return {word: words[ids[at]], both: p[at], left: q[at]};
    });
    const [both, other] = truth.subarray(2 * k);
    const [rank, rankLeft] = ranks.subarray(2 * k);
    return {
      guesses,
      truth: {both, left: other, rank, rankLeft},
      best: {word: words[best[k]], left: left[k]},
      compared: left[k] > 0,
    };
  }
  /** The weights from a position to each token, null if there are none. */
  weights(head, k) {
    const {maps, rows, heads} = this;
    if (!maps.length) return null;
    const tokens = maps.length / rows / heads.length;
    const start = (heads.indexOf(head) * rows + k) * tokens;
    return maps.subarray(start, start + tokens);
  }
}
/** Draws of one text at one rate: what became of each token, and what replaced some. */
export class Drawn {
  /** @param {number} T tokens of the text */
  constructor({words, fates, others}, T) {
    Object.assign(this, {T, fates});
    this.replaced = [];
    let next = 0;
    fates.forEach((fate, k) => {
      if (fate === 2) this.replaced[k] = words[others[next++]];
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
