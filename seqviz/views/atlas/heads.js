// The heads as objects, from the arrays that came.

import {NO_KIND} from './names.js';

const NONE = 255; // no key
const CUT = 0.1; // from here on a weight is a link

/** Heads, and the sentences that show them. */
export class Heads {
  /**
   * @param {Object} facts
   * @param {Object} found arrays, see values.py
   */
  constructor(facts, found) {
    Object.assign(this, {facts, found});
    const {scores, names, heads, places} = facts;
    const row = (array, i, width) => array.subarray(i * width, (i + 1) * width);
    const even = scores.map((score, k) => [score, found.even[k]]);
    this.even = {...Object.fromEntries(even), layer: NaN, usual: NaN};
    this.list = names.map((name, i) => {
      const values = row(found.values, i, scores.length);
      const most = [...row(found.most, i, places.length)];
      const kinds = facts.kinds.filter((_, k) => found.held[i * facts.kinds.length + k]);
      return {
        i,
        name,
        layer: heads[i][0],
        values: {
          ...Object.fromEntries(scores.map((score, k) => [score, values[k]])),
          layer: heads[i][0],
        },
        kinds: kinds.length ? kinds.map(([kind]) => kind) : [NO_KIND],
        most: most
          .map((n, k) => ({place: places[k], n}))
          .filter(({n}) => n)
          .sort((a, b) => b.n - a.n),
        profile: row(found.profile, i, found.profile.length / names.length),
        reach: row(found.reach, i, found.reach.length / names.length),
        queries: facts.queries[i],
        keys: facts.keys[i],
      };
    });
    this.byName = new Map(this.list.map(head => [head.name, head]));
    this.layers = [...new Set(this.list.map(({layer}) => layer))].sort((a, b) => a - b);
    this.known = new Map();
  }
  get count() {
    return this.list.length;
  }
  /** The sentences of a head, from its strongest to its weakest. */
  examples(i) {
    if (!this.known.has(i)) {
      this.known.set(
        i,
        this.facts.ranks.map((rank, k) => this.example(i, rank, k)),
      );
    }
    return this.known.get(i);
  }
  example(i, rank, k) {
    const {facts, found} = this;
    const at = i * facts.ranks.length + k;
    const number = found.sentence[at];
    const words = facts.texts[number];
    const begin = found.begins[at];
    const half = found.rows.length / 2;
    const width = 8;
    const rows = words.map((_, query) => {
      const from = (begin + query) * width;
      const keys = [...found.rows.subarray(from, from + width)];
      const weights = found.rows.subarray(half + from, half + from + width);
      return keys
        .map((key, n) => ({query, key, weight: weights[n] / 255}))
        .filter(({key}) => key !== NONE);
    });
    const special = new Set(facts.special[number]);
    const between = place => place > 0 && !special.has(place);
    const links = rows
      .flat()
      .filter(({query, key}) => query !== key && between(query) && between(key))
      .sort((a, b) => b.weight - a.weight);
    const does = facts.places[found.does[at]];
    return {rank, words, special, rows, links, does, link: found.link[at]};
  }
  /** The links of a head's sentences that are looked for. */
  hasLink(i, wanted) {
    return this.examples(i).some(({words, rows}) =>
      rows.flat().some(({query, key, weight}) => weight >= CUT && wanted(words[query], words[key])),
    );
  }
}
