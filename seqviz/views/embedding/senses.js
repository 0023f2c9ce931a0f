// One word in several sentences: states at each layer, and which sentence is nearest to which.

const TIE = Math.fround(1e-5); // cosines that differ by less are equal: a place made them

export class Senses {
  /**
   * @param {Object} told its `sentences` as tokens, `at`, `names` of senses, `sense` of each, how
   * many `layers`
   * @param {{shares, points, cosines}} part layer by layer
   */
  constructor(told, part) {
    const {layers, sentences, sense} = told;
    const count = sentences.length;
    Object.assign(this, told, part, {count});
    this.right = Array.from({length: layers}, (_, layer) =>
      sense.reduce((sum, _, k) => sum + this.shareRight(layer, k), 0),
    );
    const others = s => sense.filter(one => one === s).length - 1;
    this.chance = sense.reduce((sum, s) => sum + others(s) / (count - 1), 0);
  }
  text(k) {
    return this.sentences[k].join(' ');
  }
  point(layer, k) {
    const at = 2 * (layer * this.count + k);
    return [this.points[at], this.points[at + 1]];
  }
  cosine(layer, k, j) {
    return this.cosines[(layer * this.count + k) * this.count + j];
  }
  /** The sentences nearest to one; several if they are equally near. */
  nearest(layer, k) {
    const others = this.sense.map((_, j) => j).filter(j => j !== k);
    const most = Math.max(...others.map(j => this.cosine(layer, k, j)));
    const least = Math.fround(most - TIE);
    return others.filter(j => this.cosine(layer, k, j) >= least);
  }
  same(k, j) {
    return this.sense[k] === this.sense[j];
  }
  /** How many of the nearest have the same sense: 0, 1, or a share of those that tie. */
  shareRight(layer, k) {
    const near = this.nearest(layer, k);
    return near.filter(j => this.same(k, j)).length / near.length;
  }
  /** Mean cosine of two sentences with the same sense, and with two senses. */
  means(layer) {
    const sums = {same: [0, 0], other: [0, 0]};
    for (let k = 0; k < this.count; k++) {
      for (let j = k + 1; j < this.count; j++) {
        const sum = sums[this.same(k, j) ? 'same' : 'other'];
        sum[0] += this.cosine(layer, k, j);
        sum[1] += 1;
      }
    }
    return {same: sums.same[0] / sums.same[1], other: sums.other[0] / sums.other[1]};
  }
}
