// The words that the page knows: where they lie in the plane, and what is near them in all
// directions. A word is its number here.

/** @typedef {{id: number, cos: number}} Neighbour */

export class Lexicon {
  /**
   * @param {Object} facts `shown`, how many words the map has; `walk`, how many have neighbours
   * here; `neighbours`, how many each; `far`
   * @param {{words: string[], numbers: Float32Array}} part
   */
  constructor({shown, walk, neighbours, far}, {words, numbers}) {
    Object.assign(this, {count: shown, walk, far, words: [], points: [], tens: new Map()});
    this.ids = new Map();
    words.forEach((word, k) => this.add(word, numbers[2 * k], numbers[2 * k + 1]));
    const near = 2 * words.length;
    const cosines = near + walk * neighbours;
    for (let k = 0; k < walk; k++) {
      const ten = Array.from({length: neighbours}, (_, rank) => {
        const at = k * neighbours + rank;
        return {id: numbers[near + at], cos: numbers[cosines + at]};
      });
      this.tens.set(k, ten);
    }
    this.groups = numbers.subarray(cosines + walk * neighbours);
    this.pairs = null;
    const own = this.points.slice(0, shown).map((_, id) => id);
    this.opening = own.reduce((a, b) => (this.misled(b) > this.misled(a) ? b : a));
  }
  /** How far the neighbour of a word looks that looks farthest, for how near it is. */
  misled(id) {
    return Math.max(...this.ten(id).map((one, k) => this.nearer(id, one.id) / (k + 1)));
  }
  /** The number of a word, which is learned if it is new. */
  add(word, x, y) {
    if (!this.ids.has(word)) {
      this.ids.set(word, this.words.length);
      this.words.push(word);
      this.points.push([x, y]);
    }
    return this.ids.get(word);
  }
  /** A word that was asked for, with its neighbours. */
  learn({words, numbers}) {
    const [own, ...others] = words.map((word, k) =>
      this.add(word, ...numbers.slice(2 * k, 2 * k + 2)),
    );
    const cosines = numbers.subarray(2 * words.length);
    this.tens.set(
      own,
      others.map((id, k) => ({id, cos: cosines[k]})),
    );
  }
  /** The answer to a sum. */
  answer({words, numbers}, {expected, rank}) {
    const ids = words.map((word, k) => this.add(word, ...numbers.slice(2 * k, 2 * k + 2)));
    const rows = numbers.subarray(2 * words.length);
    const n = rows.length / 3;
    const wanted = expected === null ? null : this.ids.get(expected);
    return {
      inputs: ids.slice(0, 3),
      expected: wanted,
      rank,
      rows: Array.from({length: n}, (_, k) => ({
        id: ids[rows[k]],
        rank: rows[n + k],
        cos: rows[2 * n + k],
      })),
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
  looksFar(id, other) {
    return this.nearer(id, other) >= this.far;
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
