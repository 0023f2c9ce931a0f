// What writing.py makes of a model, in the page: places behind a prompt, and what methods write.

import {packed} from '../shared/codec.js';
import {rankOf} from '../shared/graph/chances.js';
import {luckOf} from './decoding.js';
import {bitsOf, fallenRank, placeValues, rankedTokens} from './held.js';
import {meantBy} from './names.js';

const BACK = 24; // tokens of the prompt of which rank and doubt are shown

/** The model does not go on; the message says why. */
class Stopped extends Error {}

/** Writes behind a prompt until it ends. */
export class Writer {
  /**
   * @param {NextToken} model
   * @param {Object} facts `words`, `longest`, and those of the view
   * @param {number[]} prompt ids
   */
  constructor(model, facts, prompt) {
    Object.assign(this, {model, facts, prompt, life: new AbortController()});
  }
  /** Another prompt takes its place: what is under way ends. */
  end() {
    this.life.abort();
  }
  get over() {
    return this.life.signal.aborted;
  }
  /**
   * A part by its name, as Python packs it.
   * @param {string} name
   * @returns {Promise<ArrayBuffer>}
   */
  part(name) {
    if (name === 'prompt') return this.lookBack();
    const {draw, path, length} = meantBy(name);
    return draw ? this.run(draw, path, length) : this.place(path);
  }
  async chances(ids) {
    const {longest} = this.facts;
    if (longest !== null && ids.length > longest) {
      throw new Stopped(`the text has ${ids.length} tokens, the model reads at most ${longest}`);
    }
    return this.model.after(ids, this.life.signal);
  }
  async place(path) {
    const {words} = this.facts;
    const ids = [...this.prompt, ...path];
    const last = ids.at(-1);
    const values = placeValues(await this.chances(ids), this.facts);
    const before = path.length ? await this.chances(ids.slice(0, -1)) : null;
    return packed({
      ...values,
      rank: before ? rankOf(before, last) : 0,
      chance: before ? before[last] : 0,
      words: Array.from(values.ids, id => words[id]),
      last: words[last],
    });
  }
  /** L tokens that a method writes: ids, the model's ranks and probabilities, why it ended. */
  async run(draw, path, length) {
    const [ids, ranks, p] = [[], [], []];
    let problem = '';
    try {
      for (let step = path.length; step < path.length + length; step++) {
        const here = await this.chances([...this.prompt, ...path, ...ids]);
        const {order, ranked} = rankedTokens(here);
        const rank = fallenRank(ranked, draw, luckOf(draw.seed, step));
        ids.push(order[rank]);
        ranks.push(rank + 1);
        p.push(ranked[rank]);
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      problem = error.message;
    }
    return packed({
      p: Float64Array.from(p),
      ids: Int32Array.from(ids),
      ranks: Int32Array.from(ranks),
      words: ids.map(id => this.facts.words[id]),
      problem,
    });
  }
  /** Doubt, rank and probability of the prompt's last tokens, but its first. */
  async lookBack() {
    const {prompt} = this;
    const back = [];
    for (let k = Math.max(1, prompt.length - BACK); k < prompt.length; k++) {
      const p = await this.chances(prompt.slice(0, k));
      back.push({doubt: bitsOf(p), rank: rankOf(p, prompt[k]), chance: p[prompt[k]]});
    }
    return packed({back});
  }
}
