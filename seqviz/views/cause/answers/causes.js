// What a model says of a text when states of another are carried into it, or parts are silent;
// seqviz/running/causes.py says the same in Python.

import {rowsOf} from '../../shared/graph/by_token.js';
import {stagesIn} from '../../shared/graph/machine_model.js';
import {softmaxOf} from '../../shared/graph/chances.js';
import {flat, stridesOf, Tensor} from '../../shared/graph/tensors.js';
import {writtenBy} from './writing.js';

const REACHED = 1e-6; // of a state's largest number: less is rounding
const MOST_HELD = 4; // runs with states carried: one job after another asks of the same

/**
 * @typedef {Object} Texts
 * @property {MachineRun[]} runs of this text and the other
 * @property {Float64Array[][] | null} chances of this text, by stage and token
 * @property {Map<string, MachineRun>} shuffled runs of a text in another order
 * @property {Map<string, MachineRun>} carried runs with states carried, the last ones
 */
export class CauseModel {
  /** @param {MachineModel} model */
  constructor(model) {
    Object.assign(this, {model, anatomy: model.anatomy});
  }
  get byToken() {
    return this.anatomy.probabilities === 'tokens';
  }

  // ---- texts
  async read(texts, signal) {
    const runs = [];
    for (const text of texts) runs.push(await this.model.run(text, [], null, signal));
    const said = this.byToken ? await this.model.stageRows(runs[0], signal) : null;
    const chances = said && said.map(rows => rows.map(softmaxOf));
    return {runs, chances, shuffled: new Map(), carried: new Map()};
  }
  /** What is another with each pair of texts. */
  async facts(texts, signal) {
    const {runs} = texts;
    const last = this.anatomy.streams.length - 1;
    const grids = [];
    for (const run of runs) grids.push(await this.grid(texts, run, last, signal));
    return {
      texts: runs.map(({text}) => text),
      tokens: runs.map(({asked}) => asked.tokens),
      special: runs.map(({asked}) => asked.special),
      grids,
    };
  }

  // ---- jobs
  /** Runs a job, and returns what it wants. */
  async result(texts, job, signal) {
    const run = await this.changed(texts, job, signal);
    const {weigh, want} = job;
    if (want === 'wrote') return this.wrote(run, job, signal);
    const told = {difference: this.difference(texts, run, weigh)};
    if (want === 'grid') {
      return {...told, ...(await this.grid(texts, run, job.stream, signal))};
    }
    if (!this.anatomy.logits) return told;
    const row = this.answerRow(run, weigh);
    const [[says]] = this.model.likeliest([row]);
    const chances = softmaxOf(row);
    const ids = (weigh.ids ?? []).map(id => [id, chances[id], row[id]]);
    return {...told, plus: row[weigh.plus], less: row[weigh.less], says, ids};
  }
  /** Runs a text with states carried into it, and then parts silent. */
  async changed(texts, job, signal) {
    const states = [];
    for (const state of job.states) states.push(await this.carry(texts, state, signal));
    const run = await this.carried(texts, job, states, signal);
    const silent = job.silent.map(part => this.silence(part));
    return this.again(run, silent, changesOf([...states, ...silent]), signal);
  }
  async carried({runs, carried}, job, states, signal) {
    const key = JSON.stringify([job.of, job.states]);
    const run =
      carried.get(key) ?? (await this.again(runs[job.of], states, changesOf(states), signal));
    carried.delete(key);
    carried.set(key, run);
    if (carried.size > MOST_HELD) carried.delete(carried.keys().next().value);
    return run;
  }
  async again(run, changed, changes, signal) {
    if (!changed.length) return run;
    const nodes = changed.map(([node]) => node);
    return this.model.behind(run, nodes, changes, signal);
  }
  silence([attention, ...rest]) {
    if (attention !== 'part') {
      const [found] = Object.entries(this.model.silencing([[attention, ...rest]]));
      return found;
    }
    const [stream, block, part] = rest;
    const {update} = this.anatomy.streams[stream].blocks[block].parts[part];
    const zeros = ({shape}) => new Tensor(new Float32Array(flatSize(shape)), shape);
    return [update.node, zeros];
  }
  // A row of a value, put in place of the model's: of the stream, or of a head's sum.
  async carry(texts, state, signal) {
    const place = this.place(state);
    const head = state.head?.[1] ?? null;
    const {from} = state;
    const run = await this.origin(texts, from, this.anatomy.streams[state.stream], signal);
    const there = this.place({...state, stage: from.stage});
    const row = rowAt(there, run.values.get(there.node), from.token, head);
    const change = value => withRow(place, value, state.token, head, row);
    return [place.node, change];
  }
  place({stream, stage, head}) {
    const found = this.anatomy.streams[stream];
    if (!head) return stagesIn(found)[stage];
    const parts = found.blocks.flatMap(block => block.parts);
    return parts.find(({attention}) => attention === head[0]).context;
  }
  async origin(texts, {text, order}, {tokens: side}, signal) {
    const run = texts.runs[text];
    if (!order?.length) return run;
    const key = order.join(' ');
    if (!texts.shuffled.has(key)) {
      const asked = inAnotherOrder(this.model.told.inputs, run.asked, order, side);
      texts.shuffled.set(key, await this.model.changed(run.text, asked, {}, signal));
    }
    return texts.shuffled.get(key);
  }

  // ---- what came
  logits(run) {
    const place = this.anatomy.logits;
    return rowsOf(place, run.values.get(place.node));
  }
  answerRow(run, {token}) {
    return this.logits(run)[this.byToken ? token : 0];
  }
  answers(run) {
    const rows = this.logits(run);
    const found = this.model.likeliest(rows);
    return found.map((of, k) => of.map(([id, name, p]) => [id, name, p, rows[k][id] ?? NaN]));
  }
  /** How much larger one logit is; without logits how far the last state is on its way. */
  difference(texts, run, weigh) {
    if (this.anatomy.logits) {
      const row = this.answerRow(run, weigh);
      return row[weigh.plus] - row[weigh.less];
    }
    const {last} = this.anatomy.streams.at(-1);
    const state = (one, token) => rowsOf(last, one.values.get(last.node))[token];
    const x = state(run, weigh.token);
    const start = state(texts.runs[0], weigh.token);
    const end = state(texts.runs[1], weigh.other);
    const way = Float64Array.from(end, (v, k) => v - start[k]);
    const gone = way.reduce((sum, v, k) => sum + v * (x[k] - start[k]), 0);
    return (
      gone /
      Math.max(
        way.reduce((sum, v) => sum + v * v, 0),
        1e-12,
      )
    );
  }
  /** What is said at each stage and token, what moved, and what was reached at all. */
  async grid(texts, run, stream, signal) {
    const says = this.byToken && stream === this.anatomy.streams.length - 1;
    const said = says ? await this.model.stageRows(run, signal) : null;
    const words = said?.map(rows => this.model.likeliest(rows).map(([[, name, p]]) => [name, p]));
    const told = {
      words: words ?? null,
      answers: this.anatomy.logits ? this.answers(run) : null,
    };
    if (run.asked === texts.runs[0].asked) {
      Object.assign(told, this.moved(texts, run, stream, said));
    }
    return told;
  }
  moved(texts, run, stream, said) {
    const places = stagesIn(this.anatomy.streams[stream]);
    const of = one => places.map(place => rowsOf(place, one.values.get(place.node)));
    const [before, after] = [of(texts.runs[0]), of(run)];
    const eachCell = make => before.map((rows, k) => rows.map((old, t) => make(k, t, old)));
    const moved = said
      ? eachCell((k, t) => halfDistance(softmaxOf(said[k][t]), texts.chances[k][t]))
      : eachCell((k, t, old) => shiftOf(old, after[k][t]));
    const reach = eachCell((k, t, old) => isReached(old, after[k][t]));
    return {moved: moved.map(row => row.map(v => Math.min(v, 1))), reach};
  }
  /** Who wrote the answer, or the difference of two. */
  async wrote(run, {states, weigh}, signal) {
    const last = this.anatomy.streams.length - 1;
    const carried = new Map();
    for (const state of states) {
      if (state.stream !== last || state.head) continue;
      const {node} = this.place(state);
      carried.set(node, [...(carried.get(node) ?? []), state.token]);
    }
    const parts = await writtenBy(this.model, run.values, weigh, carried, signal);
    return {whole: parts.reduce((sum, {value}) => sum + value, 0), parts};
  }
}
// What is done to each value, one after the other.
function changesOf(all) {
  const changes = {};
  for (const [node, change] of all) {
    const before = changes[node];
    changes[node] = before ? value => change(before(value)) : change;
  }
  return changes;
}
const flatSize = shape => shape.reduce((a, b) => a * b, 1);
// Where a token's vector lies in the numbers of a value, or that of one of its heads.
function spotOf({token, head: axis, number}, shape, at, head) {
  const strides = stridesOf(shape);
  const start =
    (token === null ? 0 : at * strides[token]) +
    (head === null || axis === null ? 0 : head * strides[axis]);
  return {start, step: strides[number], count: shape[number]};
}
function rowAt(place, value, at, head) {
  const numbers = flat(value);
  const {start, step, count} = spotOf(place, value.shape, at, head);
  return Float32Array.from({length: count}, (_, k) => numbers[start + k * step]);
}
function withRow(place, value, at, head, row) {
  const numbers = flat(value).slice();
  const {start, step} = spotOf(place, value.shape, at, head);
  row.forEach((v, k) => {
    numbers[start + k * step] = v;
  });
  return new Tensor(numbers, value.shape);
}
function inAnotherOrder(inputs, asked, order, side) {
  const moved = side === 'target' ? 'target' : 'ids';
  const given = Object.entries(asked.inputs).map(([name, value]) => {
    if (inputs[name] !== moved) return [name, value];
    const numbers = flat(value);
    const others = order.map(k => numbers[k]);
    return [name, new Tensor(numbers.constructor.from(others), value.shape)];
  });
  const tokens = {...asked.tokens, [side]: order.map(k => asked.tokens[side][k])};
  return {...asked, inputs: Object.fromEntries(given), tokens};
}
const normOf = row => Math.hypot(...row);
function shiftOf(old, now) {
  const gap = now.map((v, k) => v - old[k]);
  return normOf(gap) / Math.max(normOf(old), 1e-12);
}
function halfDistance(p, q) {
  return p.reduce((sum, v, k) => sum + Math.abs(v - q[k]), 0) / 2;
}
function isReached(old, now) {
  const most = old.reduce((so, v) => Math.max(so, Math.abs(v)), 0);
  return now.some((v, k) => Math.abs(v - old[k]) > REACHED * most);
}
