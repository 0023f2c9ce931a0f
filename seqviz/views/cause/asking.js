// Which jobs tell what a picture needs: what is carried, who wrote, what silencing costs, how far
// each state carries, and the controls.

import {answerTokens, answersAt, lastStream, sideOf, stagesOf} from './cursor.js';

export const CONTROLS = 10; // of each kind: from other places, and of shuffled texts

const LEAST_WAY = 0.02; // between the answers of both texts: no share of less is told
/** How far a difference lies on the way from this text's to the other's; null without a way. */
export function shareOf(far, value) {
  if (!far || value === undefined || Math.abs(far.high - far.low) < LEAST_WAY) return null;
  return (value - far.low) / (far.high - far.low);
}
/** A carried state as a job has it. */
const stateOf = ({stream, stage, token, head, from_stage: from, from_token: at}, order = null) => ({
  stream,
  stage,
  token,
  head,
  from: {text: 1, stage: from, token: at, order},
});
const job = (weigh, more) => ({of: 0, stream: 0, states: [], silent: [], weigh, ...more});

/** What is asked of the model for one picture. */
export class Asking {
  /**
   * @param {Jobs} jobs
   * @param {Object} facts
   * @param {Object} state
   * @param {Object[]} carried that is shown: with what is previewed
   * @param {boolean} previewing
   */
  constructor(jobs, facts, state, carried, previewing) {
    Object.assign(this, {jobs, facts, state, carried, previewing});
    this.tokens = answerTokens(facts, state);
    this.states = carried.map(one => stateOf(one));
    this.key = JSON.stringify(this.states);
    this.come = {}; // of what is under way: how many runs have come, of how many
  }
  get weigh() {
    const [token, other] = this.tokens;
    const [less, plus] = this.pair;
    return {token, other, plus, less, ids: []};
  }
  /** A run's answers at the token that is looked at. */
  rowOf(grid, text = 0) {
    return answersAt(this.facts, grid.answers, this.tokens[text]);
  }
  /** This text's grid with what is carried; null while it is under way. */
  now() {
    const {facts, state, carried, key} = this;
    const {stream} = state;
    if (!carried.length && stream === lastStream(facts)) return facts.grids[0];
    const [token, other] = this.tokens;
    const weigh = {token, other, plus: 0, less: 0, ids: []};
    const make = () => [job(weigh, {stream, states: this.states, want: 'grid'})];
    const found = this.jobs.of(`grid ${stream} ${key}`, make, this.soon);
    if (found) this.grid = found[0];
    return found && found[0];
  }
  /** The other text's grid. */
  other() {
    const {facts, state} = this;
    if (state.stream === lastStream(facts)) return facts.grids[1];
    const make = () => [job(this.weigh, {of: 1, stream: state.stream, want: 'grid'})];
    return this.jobs.of(`other ${state.stream}`, make, {soon: true})?.[0] ?? null;
  }
  /**
   * The two answers that are weighed against each other: this text's, and the other's, or what it
   * turns to; as ids.
   */
  get pair() {
    const {facts} = this;
    if (!facts.says) return [0, 0];
    const [first, second] = this.rowOf(facts.grids[0]).map(([id]) => id);
    const tops = [this.rowOf(facts.grids[1], 1), this.grid && this.rowOf(this.grid)];
    const others = tops.filter(Boolean).map(([[id]]) => id);
    return [first, others.find(id => id !== first) ?? second ?? first];
  }
  /** The words of ids, as far as they are answers. */
  get words() {
    const {facts, grid} = this;
    const rows = [this.rowOf(facts.grids[0]), this.rowOf(facts.grids[1], 1)];
    if (grid) rows.push(this.rowOf(grid));
    return new Map(rows.flatMap(row => row ?? []).map(([id, word]) => [id, word]));
  }
  /** What all three runs say of the likeliest answers; null while that is under way. */
  chances() {
    const {facts, states, tokens, key} = this;
    if (!facts.says) return null;
    const ids = [...this.words.keys()];
    const weigh = {...this.weigh, ids};
    const there = {...weigh, token: tokens[1]};
    const make = () => [
      job(weigh, {want: 'answer'}),
      job(weigh, {states, want: 'answer'}),
      job(there, {of: 1, want: 'answer'}),
    ];
    const found = this.jobs.of(`chances ${tokens} ${ids} ${key}`, make, this.soon);
    if (!found) return null;
    const [before, after, other] = found.map(one => new Map(one.ids.map(([id, p]) => [id, p])));
    return {before, after, other};
  }
  get soon() {
    return this.previewing ? {only: this.key} : {soon: true};
  }
  /** How much larger the other answer's logit is: as it is, of the other text, and carried to. */
  far() {
    const {states, weigh, tokens, key} = this;
    const there = {...weigh, token: tokens[1]};
    const make = () => [
      job(weigh, {want: 'answer'}),
      job(there, {of: 1, want: 'answer'}),
      job(weigh, {states, want: 'answer'}),
    ];
    const found = this.jobs.of(`far ${tokens} ${this.pair} ${key}`, make, this.soon);
    if (!found) return null;
    const [low, high, real] = found.map(({difference}) => difference);
    return {low, high, real, says: found[2].says};
  }
  /** What may be weighed: an answer, the other one, how much larger the first is. */
  get choices() {
    if (!this.facts.says) return [];
    const [less, plus] = this.pair;
    const top = this.grid && this.rowOf(this.grid)[0][0];
    const [one, two] = top === plus ? [plus, less] : [less, plus];
    return [
      [one, null],
      [two, null],
      [one, two],
    ];
  }
  /** Who wrote what is weighed; null while that is under way. */
  wrote() {
    if (!this.facts.says) return null;
    const [plus, less] = this.choices[this.state.weighed];
    const weigh = {...this.weigh, plus, less};
    const make = () => [job(weigh, {states: this.states, want: 'wrote'})];
    const key = `wrote ${this.tokens} ${plus} ${less} ${this.key}`;
    return this.jobs.of(key, make, this.soon)?.[0] ?? null;
  }
  /**
   * What silencing each part costs of what is weighed, by part; null while that is under way. The
   * same runs tell it of an answer, of the other, and of how much larger the first is.
   */
  costs() {
    const {facts, state, states, previewing} = this;
    if (!facts.says || previewing) return null;
    const [[plus], [less]] = this.choices;
    const weigh = {...this.weigh, plus, less};
    const parts = partsOf(facts);
    const make = () => [
      job(weigh, {states, want: 'answer'}),
      ...parts.map(({silent}) => job(weigh, {states, silent: [silent], want: 'answer'})),
    ];
    const key = `costs ${this.tokens} ${plus} ${less} ${this.key}`;
    const found = this.jobs.of(key, make);
    this.come.costs = this.jobs.progress(key);
    if (!found) return null;
    const weighed = ['plus', 'less', 'difference'][state.weighed];
    const [whole, ...others] = found.map(one => one[weighed]);
    return new Map(parts.map(({id}, k) => [id, whole - others[k]]));
  }
  /** How far each state of the other text carries alone, by stage and token. */
  effects() {
    const {facts, state, weigh} = this;
    const {stream} = state;
    const count = Math.min(...[0, 1].map(text => sideOf(facts, text, stream).length));
    const stages = stagesOf(facts, stream);
    const spots = Array.from({length: stages * count}, (_, k) => [
      Math.floor(k / count),
      k % count,
    ]);
    const make = () =>
      spots.map(([stage, token]) => {
        const one = {stream, stage, token, head: null, from_stage: stage, from_token: token};
        return job(weigh, {states: [stateOf(one)], want: 'answer'});
      });
    const key = `effects ${stream} ${this.tokens} ${this.pair}`;
    const found = this.jobs.of(key, make);
    this.come.effects = this.jobs.progress(key);
    if (!found) return null;
    const all = found.map(({difference}) => difference);
    return Array.from({length: stages}, (_, k) => all.slice(k * count, (k + 1) * count));
  }
  /**
   * The same put from other places of the other text, and from it with its words in another order:
   * how far each moves the answer, and what it says.
   */
  controls() {
    const {state, tokens, previewing} = this;
    if (!state.seed || !state.carried.length || previewing) return null;
    const drawn = this.drawn();
    const make = () => drawn.map(({states}) => job(this.weigh, {states, want: 'answer'}));
    const key = `controls ${state.seed} ${tokens} ${this.pair} ${JSON.stringify(state.carried)}`;
    const found = this.jobs.of(key, make);
    this.come.controls = this.jobs.progress(key);
    return found && drawn.map((one, k) => ({...one, ...found[k]}));
  }
  drawn() {
    const {facts, state} = this;
    const {carried, seed} = state;
    const random = randomFrom(seed);
    const places = carried.map(one => otherPlaces(facts, one, random));
    const most = places.every(all => all.length) ? CONTROLS : 0;
    const elsewhere = Array.from({length: most}, (_, k) => {
      const from = places.map(all => all[k % all.length]);
      const states = carried.map((one, n) =>
        stateOf({...one, from_stage: from[n].stage, from_token: from[n].token}),
      );
      return {kind: 'place', from, states};
    });
    const orders = Array.from({length: CONTROLS}, () => shuffledOrder(facts, carried, random));
    const shuffled = orders
      .filter(Boolean)
      .map(order => ({kind: 'shuffled', order, states: carried.map(one => stateOf(one, order))}));
    return distinct([...elsewhere, ...shuffled]);
  }
}
/**
 * The parts of the stream that has the logits: how they are silenced, and what they are called.
 * @returns {{id: string, silent: Array, block: number, part: number, head: number | null}[]}
 */
export function partsOf(facts) {
  const stream = lastStream(facts);
  return facts.streams[stream].blocks.flatMap(({parts}, block) =>
    parts.flatMap(({is, attention, heads}, part) => {
      if (is !== 'attention') {
        const silent = ['part', stream, block, part];
        return [{id: partId({block, part, head: null}), silent, block, part, head: null}];
      }
      return Array.from({length: heads}, (_, head) => ({
        id: partId({block, part, head}),
        silent: [attention, head],
        block,
        part,
        head,
      }));
    }),
  );
}
/** One name for a part of the sum. */
export const partId = ({kind, name, block, part, head}) =>
  block === null || block === undefined ? `${kind} ${name}`.trim() : [block, part, head].join(' ');

// ---- what is drawn by chance, the same for a seed
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
function mixed(things, random) {
  const all = [...things];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}
// A short text has few other places, and few orders: each is one control.
function distinct(all) {
  const known = new Map(all.toReversed().map(one => [JSON.stringify(one.states), one]));
  return all.filter(one => known.get(JSON.stringify(one.states)) === one);
}
// Where else the other text has a state: first those of the same stage. A head stays in its block.
function otherPlaces(facts, {stream, head, from_stage: stage, from_token: token}, random) {
  const count = sideOf(facts, 1, stream).length;
  const others = Array.from({length: count}, (_, k) => k).filter(k => k !== token);
  const at = one => others.map(k => ({stage: one, token: k}));
  const stages = Array.from({length: stagesOf(facts, stream)}, (_, k) => k);
  const rest = head ? [] : stages.filter(k => k !== stage).flatMap(at);
  return [...mixed(at(stage), random), ...mixed(rest, random)];
}
const TRIES = 60;
// The other text with its words in another order: special tokens stay, and another word stands at
// each place that is carried.
function shuffledOrder(facts, carried, random) {
  const [{stream}] = carried;
  const side = facts.streams[stream].tokens;
  const tokens = sideOf(facts, 1, stream);
  const stays = k => facts.special[1][side].includes(k) || tokens[k] === facts.mask;
  const free = tokens.map((_, k) => k).filter(k => !stays(k));
  for (let n = 0; n < TRIES; n++) {
    const order = tokens.map((_, k) => k);
    const others = mixed(free, random);
    free.forEach((k, place) => {
      order[k] = others[place];
    });
    const moved = ({from_token: at}) => !free.includes(at) || tokens[order[at]] !== tokens[at];
    if (carried.every(moved)) return order;
  }
  return null;
}
