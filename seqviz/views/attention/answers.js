// The explorer's model in a page: it takes the place of live.py, in the same words.

import {likeliestOf, softmaxOf} from '../shared/graph/chances.js';
import {serve} from '../shared/graph/serving.js';
import {readerOf} from '../shared/splitting/readers.js';
import {guessesRead, sideOf} from '../shared/splitting/sides.js';
import {kindsOf, partsOf} from './described.js';
import {lengthened} from './lengths.js';
import {modelOf} from './passes.js';

const MOST = 5; // guesses at a token
const AT_FIRST = {query: 0, key: 0, step: 0};
const hasGold = ({kinds}) => kinds.some(({gold}) => gold);
const OF_MODEL = ['why', 'written', 'cost']; // parts, by how their names begin
const WISHES = ['text', 'silent', 'second', 'beams'];
const ROUNDED = 1e-12; // of a shift, where nothing moved

/**
 * @typedef {Object} Answer what the model makes of a text
 * @property {string} text
 * @property {Call} call
 * @property {Object<string, Side>} sides
 * @property {Came} came
 */

/** What an explorer asks for: another text, silenced heads, a second text. */
class ExplorerAnswers {
  constructor({facts, nets, state}) {
    Object.assign(this, {facts, shown: state.facts});
    this.readers = facts.readers.map(readerOf);
    this.model = modelOf(facts, nets);
    const {silent, second, beams} = state;
    this.wanted = {text: state.facts.text, silent, second, beams};
    this.known = {}; // the last answers to the text and to the second one
    this.ends = new AbortController();
  }
  async hear(message, {signal, set, send}) {
    const [what, ...numbers] = String(message.want).split(' ');
    if (OF_MODEL.includes(what)) {
      send({part: message.want}, [await this[what](numbers.map(Number), signal)]);
      return;
    }
    const wish = WISHES.find(name => name in message);
    if (!wish) throw new Error('this page cannot answer that');
    this.ends.abort(); // what is under way is not wanted any more
    this.ends = new AbortController();
    const {signal: own} = this.ends;
    const before = this.wanted;
    this.wanted = {...before, [wish]: message[wish]};
    try {
      const state = await this.stateOf(AbortSignal.any([signal, own]));
      const anew = state.facts.text !== this.shown.text;
      const lost = hasGold(this.shown) && !hasGold(state.facts); // heads stood by their error
      this.shown = state.facts;
      set({...state, ...(anew ? AT_FIRST : {}), ...(lost ? {sort: 'place'} : {})});
      send({...message, problem: ''});
    } catch (error) {
      if (own.aborted) return;
      this.wanted = {...this.wanted, [wish]: before[wish]};
      throw error;
    }
  }
  /** The numbers behind a row of a map. */
  async why([g, layer, head, row], signal) {
    const {call, silent, place} = await this.asked(g, layer, head, signal);
    return this.model.reason(call, silent, place, row, signal);
  }
  /** What a head writes, (query, key). */
  async written([g, layer, head], signal) {
    const {call, came, silent, place, kind, at} = await this.asked(g, layer, head, signal);
    const {maps} = silent.length ? await this.model.come(call, silent, signal) : came;
    const map = maps[kind][at][head];
    const last = map.length / this.shown.kinds[kind].keys.length - 1;
    const lengths = await this.model.lengths(call, silent, place, last, signal);
    return lengthened(map, lengths);
  }
  /** What it costs at each token to silence a head. */
  async cost([g, layer, head], signal) {
    const {call, came} = await this.answerTo('text', signal);
    const {name} = this.facts.kinds[g % this.facts.kinds.length];
    const after = await this.model.come(call, [[name, layer, head]], signal);
    return Float32Array.from(costsOf(this.facts.said?.as, came.said, after.said));
  }
  /** Where a head is that is asked for, and what came with those that are silent there. */
  async asked(g, layer, head, signal) {
    const {kinds} = this.facts;
    const kind = g % kinds.length;
    const at = kinds[kind].numbers.indexOf(layer);
    const silent = g < kinds.length ? [] : this.wanted.silent;
    const {call, came} = await this.answerTo('text', signal);
    return {call, came, silent, kind, at, place: kinds[kind].heads[at][head]};
  }
  /** The answer to a text with all heads. */
  async answerTo(name, signal) {
    const text = this.wanted[name];
    if (!text && name === 'second') return null;
    const {beams} = this.wanted;
    const known = this.known[name];
    if (known?.text !== text || known.beams !== beams) {
      const call = await this.model.call(this.sourceOf(name, text), beams, signal);
      if (call.target) call.target.tokens ??= this.readers[1].names(call.target.names);
      const sides = {source: this.side(call.source), target: call.target && this.side(call.target)};
      this.known[name] = {text, beams, call, sides, came: await this.model.come(call, [], signal)};
    }
    return this.known[name];
  }
  sourceOf(name, text) {
    if (!text.trim()) throw new Error(`${name}: is empty: write at least one word`);
    const [reader] = this.readers;
    const source = reader.read(text, this.facts.pair);
    const count = source.ids.length;
    if (!count) throw new Error(`${name}: has no token: write at least one word`);
    const [most] = this.facts.longest;
    if (most !== null && count > most) {
      const fix = `shorten it to ${most} tokens, special ones among them`;
      throw new Error(`${name}: has ${count} tokens, the model has ${most} positions: ${fix}`);
    }
    return source;
  }
  side({tokens, words = null, texts = null}) {
    return sideOf(tokens, this.facts.special, words, texts);
  }

  // ---- what the page is told
  async stateOf(signal) {
    const {kinds} = this.facts;
    const {text, silent, second, beams} = this.wanted;
    const rest = await this.answerTo('text', signal);
    const other = await this.answerTo('second', signal);
    const without = answer => this.model.come(answer.call, silent, signal);
    const after = silent.length ? await without(rest) : null;
    const otherAfter = silent.length && other ? await without(other) : null;
    const runs = (answer, came) =>
      [answer.came, came].filter(Boolean).map(({maps}) => ({maps, sides: answer.sides}));
    const own = runs(rest, after);
    const others = other ? runs(other, otherAfter) : [];
    const told = kindsOf(kinds, own, this.goldOf(rest));
    const toldOther = others.length ? kindsOf(kinds, others, this.goldOf(other)) : null;
    const numbered = [...own.map(one => [told, one]), ...others.map(one => [toldOther, one])];
    const parts = numbered.map(([of, {maps}], k) => partsOf(of, maps, k * kinds.length));
    const facts = {
      ...this.shown,
      text,
      kinds: told,
      checkpoints: [],
      precision: 'full',
      rolls: Infinity,
      second: toldOther && {text: second, kinds: toldOther},
      silence: this.silenceOf(silent, rest, after),
    };
    return {first: Object.assign({}, ...parts), facts, silent, second, beams};
  }
  /** Gold links of each kind, which belong to one text, written in one way. */
  goldOf({text, sides}) {
    const {gold} = this.facts;
    const {tokens} = sides.target ?? sides.source;
    return gold.text === text && String(gold.tokens) === String(tokens) ? gold.kinds : [];
  }
  silenceOf(heads, {call, came, sides}, after) {
    const predicting = call.target ? 'target' : 'source';
    const predicts = this.facts.kinds
      .filter(({queries}) => String(queries) === predicting)
      .map(({name}) => name);
    const facts = {heads, predicts};
    const {said} = this.facts;
    if (!said) return facts;
    const {tokens} = sides[predicting];
    if (said.as === 'guesses') {
      const guesses = {before: this.guesses(came), after: after && this.guesses(after)};
      return {...facts, tokens, guesses, shifts: null};
    }
    if (!after) return facts;
    return {...facts, tokens, guesses: null, shifts: shiftsOf(came.said, after.said)};
  }
  guesses({said}) {
    const reader = this.readers.at(-1);
    const found = said.map(logits => likeliestOf(logits, MOST));
    const names = found.map(of => reader.names(of.map(([id]) => id)));
    const read = guessesRead(names);
    return found.map((of, k) => of.map(([, chance], n) => [read[k][n], chance]));
  }
}
// What is lost at each token of its likeliest word's log-probability, or how far its state turned.
function costsOf(as, before, after) {
  if (!before) throw new Error('this model says nothing at its tokens, so nothing is lost');
  if (as !== 'guesses') return shiftsOf(before, after);
  return before.map((logits, k) => {
    const [[id, chance]] = likeliestOf(logits, 1);
    return Math.log(chance) - Math.log(softmaxOf(after[k])[id]);
  });
}
// How far the state of each token turned: 1 - cosine.
function shiftsOf(before, after) {
  return before.map((one, k) => {
    const [a, b] = [one, after[k]];
    const lengths = [a, b].map(states => Math.hypot(...states));
    if (lengths.every(length => length === 0)) return 0;
    const [m, n] = lengths.map(length => length || 1);
    const turned = 1 - a.reduce((sum, v, i) => sum + (v / m) * (b[i] / n), 0);
    return turned < ROUNDED ? 0 : turned;
  });
}
serve(context => new ExplorerAnswers(context));
