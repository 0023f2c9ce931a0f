// The words that the page knows: where they lie in the plane, and what is near them in all
// directions. A word is its number here.

/** @typedef {{id: number, cos: number}} Neighbour */

export class Lexicon {
  /**
   * @param {Object} facts `shown`, how many words the map has; `neighbours`, how many each word
   * has; `far`
   * @param {{words: string[], points, near, cosines, groups}} part as word_map.py packs it
   */
  constructor({shown, neighbours, far}, part) {
    const {near, cosines, groups} = part;
    Object.assign(this, {count: shown, far, groups, words: [], points: [], tens: new Map()});
    this.ids = new Map();
    this.pairs = null;
    this.addAll(part);
    this.walk = near.length / neighbours; // so many words have neighbours from the start
    for (let k = 0; k < near.length; k++) {
      const id = Math.floor(k / neighbours);
      if (!this.tens.has(id)) this.tens.set(id, []);
      this.tens.get(id).push({id: near[k], cos: cosines[k]});
    }
    const own = this.points.slice(0, shown).map((_, id) => id);
    this.opening = own.reduce((a, b) => (this.misled(b) > this.misled(a) ? b : a));
  }
  /** How far the neighbour of a word looks that looks farthest, for how near it is. */
  misled(id) {
    return Math.max(...this.ten(id).map((one, k) => this.nearer(id, one.id) / (k + 1)));
  }
  /** The numbers of words, which are learned where they are new. */
  addAll({words, points}) {
    return words.map((word, k) => {
      if (!this.ids.has(word)) {
        this.ids.set(word, this.words.length);
        this.words.push(word);
        this.points.push([points[2 * k], points[2 * k + 1]]);
      }
      return this.ids.get(word);
    });
  }
  /** A word that was asked for, with its neighbours. */
  learn(part) {
    const [own, ...others] = this.addAll(part);
    this.tens.set(
      own,
      others.map((id, k) => ({id, cos: part.cosines[k]})),
    );
  }
  /** The answer to a sum. */
  answer(part, {expected, rank}) {
    const ids = this.addAll(part);
    const {ranks, cosines} = part;
    return {
      inputs: ids.slice(0, 3),
      expected: expected === null ? null : this.ids.get(expected),
      rank,
      rows: Array.from(part.rows, (n, k) => ({id: ids[n], rank: ranks[k], cos: cosines[k]})),
    };
  }
  onMap(id) {
    return id < this.count;
  }
  /** @returns {Neighbour[] | undefined} */
  ten(id) {
    return this.tens.get(id);
  }
  /** How many words of the map lie nearer to one than another does, in the plane. */
  nearer(id, other) {
    const [x, y] = this.points[id];
    const apart = k => (this.points[k][0] - x) ** 2 + (this.points[k][1] - y) ** 2;
    const limit = apart(other);
    let count = 0;
    for (let k = 0; k < this.count; k++) {
      if (k !== id && k !== other && apart(k) < limit) count += 1;
    }
    return count;
  }
  /** The cosine of two words in all directions, null where the page does not have it. */
  cosine(id, other) {
    if (this.onMap(id) && this.onMap(other)) return this.pairs && this.pair(id, other);
    const found =
      this.ten(id)?.find(one => one.id === other) ?? this.ten(other)?.find(one => one.id === id);
    return found?.cos ?? null;
  }
  pair(id, other) {
    const [high, low] = id > other ? [id, other] : [other, id];
    return this.pairs[(high * (high - 1)) / 2 + low];
  }
  /** Whether two words are near in all directions: one of the ten, or as near as few of the map. */
  isNear(id, other) {
    if (this.ten(id)?.some(one => one.id === other)) return true;
    if (!this.onMap(id) || !this.onMap(other)) return false;
    const limit = this.pair(id, other);
    let count = 0;
    for (let k = 0; k < this.count; k++) {
      if (k !== id && k !== other && this.pair(id, k) > limit) count += 1;
    }
    return count < this.far;
  }
}
