// A whole model in the page: all values of a run, and what its output says at each stage;
// seqviz/running/machines.py says the same in Python.

import {byToken, rowsOf} from './by_token.js';
import {likeliestIds, softmaxOf} from './chances.js';
import {namesIn} from './loading.js';
import {run} from './running.js';
import {viewed} from './shaping.js';
import {silenced} from './silencing.js';
import {flat, Tensor} from './tensors.js';
import {between, madeOf, netOf, silently} from './within.js';
import {guessesRead} from '../splitting/sides.js';

const NO_NUMBER = ['NaN', 0];

/**
 * @typedef {Object} MachineRun
 * @property {string} text
 * @property {Asked} asked
 * @property {Map<string, any>} values of all nodes and inputs; lengths are numbers
 */
export class MachineModel {
  /**
   * @param {Object} told by Python
   * @param {Net} net
   * @param {MachineTexts} texts
   * @param {Anatomy} anatomy
   */
  constructor(told, net, texts, anatomy) {
    Object.assign(this, {told, net, texts, anatomy});
    this.stream = anatomy.streams.at(-1);
  }
  /**
   * Runs a text without the heads that are silent.
   * @param {string} text
   * @param {[number, number][]} silent attention and head of each
   * @param {MachineRun | null} before a run whose target stays
   * @param {AbortSignal} signal
   * @returns {Promise<MachineRun>}
   */
  async run(text, silent, before, signal) {
    const asked = before?.asked ?? (await this.texts.read(text, signal));
    return this.changed(text, asked, this.silencing(silent), signal);
  }
  /**
   * Runs what was read, with changes of the values of nodes.
   * @param {string} text
   * @param {Asked} asked
   * @param {Object<string, (a: Tensor) => Tensor>} changes
   * @param {AbortSignal} signal
   * @returns {Promise<MachineRun>}
   */
  async changed(text, asked, changes, signal) {
    const keep = this.net.nodes.map(({name}) => name);
    const {kept} = await run(silently(this.net), asked.inputs, {keep, changes, signal});
    return {text, asked, values: new Map(Object.entries({...asked.inputs, ...kept}))};
  }
  /**
   * Runs again what lies behind some nodes, with changes of values: all else is as it was.
   * @param {MachineRun} before
   * @param {string[]} names of the nodes
   * @param {Object<string, (a: Tensor) => Tensor>} changes
   * @param {AbortSignal} signal
   * @returns {Promise<MachineRun>}
   */
  async behind({text, asked, values}, names, changes, signal) {
    const made = madeOf(this.net, names);
    const nodes = this.net.nodes.filter(({name}) => made.has(name));
    const keep = nodes.map(({name}) => name);
    const {kept} = await run(netOf(this.net, nodes, values), {}, {keep, changes, signal});
    return {text, asked, values: new Map([...values, ...Object.entries(kept)])};
  }
  /** What makes the heads of attentions zero, by the names of nodes. */
  silencing(silent) {
    const heads = {};
    for (const [attention, head] of silent) {
      const name = this.told.contexts[attention];
      (heads[name] ??= []).push(head);
    }
    return Object.fromEntries(Object.entries(heads).map(([name, of]) => [name, silenced(of)]));
  }

  // ---- what it says
  /** The likeliest words at each token, or of the whole text; null without logits. */
  answers({values}) {
    const {logits} = this.anatomy;
    return logits && this.guesses(rowsOf(logits, values.get(logits.node)));
  }
  /** What the output layer would say to the stream at its start and after each block. */
  async lens(came, signal) {
    if (!this.anatomy.logits) return null;
    const found = await this.stageRows(came, signal);
    return found.map(rows => this.guesses(rows).map(([best]) => best));
  }
  /** First token, last token and probability of the span that would be said at each stage. */
  async spans(came, signal) {
    if (this.anatomy.probabilities !== 'span') return null;
    return (await this.stageRows(came, signal)).map(spanOf);
  }
  /** The logits, or one row of them, of the stream at each of its stages. */
  async stageRows({values}, signal) {
    const {logits} = this.anatomy;
    const {end} = this.stream;
    const {shape} = values.get(end.node);
    const found = [];
    const tail = this.tail(values);
    for (const place of stagesIn(this.stream)) {
      const x = viewed(byToken(place, values.get(place.node)), shape);
      const {kept} = await run(tail, {[end.node]: x}, {keep: [logits.node], signal});
      found.push(rowsOf(logits, kept[logits.node]));
    }
    return found;
  }
  /** What comes behind the last block, as a graph of its own: all else stays as it is. */
  tail(values) {
    const {logits} = this.anatomy;
    return between(this.net, values, this.stream.end.node, logits.node);
  }
  guesses(rows) {
    const ofSpan = this.anatomy.probabilities === 'span';
    const found = this.likeliest(rows, ofSpan ? chancesOfSpan(rows) : undefined);
    return found.map(of => of.map(([, name, p]) => [name, p]));
  }
  /** The likeliest of each row: id, name, probability. */
  likeliest(rows, chances = rows.map(row => softmaxOf(row))) {
    const {labels, most} = this.told;
    const found = chances.map(p => {
      const ids = p.includes(NaN) ? [] : likeliestIds(p, Math.min(most.answers, p.length));
      return ids.map(id => [id, p[id]]);
    });
    const ids = found.map(of => of.map(([id]) => id));
    const names = labels
      ? ids.map(of => of.map(id => labels[id]))
      : guessesRead(ids.map(of => this.texts.names(of)));
    return found.map((of, k) => {
      const told = of.map(([id, p], n) => [id, names[k][n], p]);
      return told.length ? told : [[-1, ...NO_NUMBER]];
    });
  }

  // ---- what the page is told
  /** What is another with each run. */
  async facts(came, signal) {
    const tensors = [...came.values].filter(([, value]) => value instanceof Tensor);
    return {
      text: came.text,
      tokens: came.asked.tokens,
      special: came.asked.special,
      shapes: Object.fromEntries(tensors.map(([name, {shape}]) => [name, shape])),
      graph: this.graph(came),
      answers: this.answers(came),
      lens: await this.lens(came, signal),
      spans: await this.spans(came, signal),
      nan: this.firstNaN(came),
    };
  }
  /** The graph without its numbers; lengths are those of the run. */
  graph({values}) {
    const weights = [...this.net.weights].map(([name, {shape}]) => [name, shape]);
    const nodes = this.net.nodes.map(({name, op, args, kind, module}) => ({
      name,
      op,
      args: filledWith(args, values),
      kind,
      module,
    }));
    return {nodes, weights: Object.fromEntries(weights)};
  }
  /** The first operation that made a NaN, of those that lead to a NaN of the output. */
  firstNaN({values}) {
    const leading = new Set(this.told.outputs);
    if (![...leading].some(name => hasNaN(values.get(name)))) return null;
    let first = null;
    for (const node of this.net.nodes.toReversed()) {
      if (!leading.has(node.name) || !hasNaN(values.get(node.name))) continue;
      first = node;
      namesIn(node.args).forEach(name => leading.add(name));
    }
    return first && {node: first.name, op: first.op, module: first.module};
  }
}
// How likely a span starts at each token, and how likely it ends there.
const sidesOf = rows => [0, 1].map(side => softmaxOf(rows.map(row => row[side])));
function chancesOfSpan(rows) {
  const sides = sidesOf(rows);
  return rows.map((_, token) => Float64Array.from(sides, p => p[token]));
}
// The likeliest span: its first and its last token, its probability.
function spanOf(rows) {
  const [starts, ends] = sidesOf(rows);
  if (Number.isNaN(starts[0]) || Number.isNaN(ends[0])) return null;
  let best = [0, 0, -1];
  for (let first = 0; first < starts.length; first++) {
    for (let last = first; last < ends.length; last++) {
      const p = starts[first] * ends[last];
      if (p > best[2]) best = [first, last, p];
    }
  }
  return best;
}
function hasNaN(value) {
  if (Array.isArray(value)) return value.some(hasNaN);
  return value instanceof Tensor && flat(value).some(Number.isNaN);
}
function filledWith(arg, values) {
  if (Array.isArray(arg)) return arg.map(one => filledWith(one, values));
  const value = arg?.value === undefined ? undefined : values.get(arg.value);
  return ['number', 'boolean'].includes(typeof value) ? value : arg;
}
/** Where a stream lies at each of its stages: at its start, and after each block. */
export const stagesIn = ({start, blocks}) => [start, ...blocks.map(block => block.end)];
