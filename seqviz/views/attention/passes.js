// A model of a text, run by its graphs: one call of all, or a decoder step by step; as passes.py.

import {readNext} from '../shared/graph/id_graphs.js';
import {run} from '../shared/graph/running.js';
import {silenced} from '../shared/graph/silencing.js';
import {flat, vectorsOf, tensor} from '../shared/graph/tensors.js';
import {withValues} from '../shared/objects.js';
import {lengthsOf} from './lengths.js';
import {namesOfSource, packedReason} from './reasons.js';
import {writtenBy} from './writing.js';

/**
 * @typedef {Object} Call what the model reads: ids and tokens of its texts
 * @property {{ids: number[], tokens: string[], segments: number[] | null}} source
 * @property {{ids: number[], tokens?: string[], names?: number[]} | null} target tokens, or the ids
 * that name them
 *
 * @typedef {Object} Came
 * @property {Float32Array[][][]} maps by kind, layer and head
 * @property {Float32Array[] | null} said logits or states at each token that predicts
 */

/**
 * What runs a model.
 * @param {Object} facts as answering.py tells them
 * @param {Object<string, Net>} nets
 * @returns {{call: (source, beams: number, signal) => Promise<Call>,
 * come: (call, heads, signal) => Promise<Came>,
 * reason: (call, heads, place, row: number, signal) => Promise<Float32Array>,
 * lengths: (call, heads, place, row: number, signal) => Promise<Float64Array>}} `heads` are (kind,
 * layer, head) that are silenced; `reason` tells why a row of a head is as it is, see reasons.js;
 * `lengths` how long W_O v is at each key, `row` is the last
 */
export function modelOf(facts, nets) {
  const taps = tapsOf(facts);
  const pass = facts.steps ? stepByStep(facts, nets, taps) : oneCall(facts, nets, taps);
  async function call(source, beams, signal) {
    if (facts.target) return {source, target: facts.target};
    if (!facts.writing) return {source, target: null};
    const begun = await pass.begin(source, {}, signal);
    const step = (id, state) => pass.goOn(id, state, {}, signal);
    const written = await writtenBy(facts.writing, beams, begun.state, step);
    const {start, stop, called} = facts.writing;
    const ended = stop.includes(written.at(-1));
    const ids = [...start, ...(ended || called === 'written' ? written.slice(0, -1) : written)];
    return {source, target: {ids, names: called === 'written' ? written : ids}};
  }
  async function come(call, heads, signal) {
    const changes = changesOf(facts, heads);
    const {values, said} = await pass.run(call, changes, signal);
    const maps = facts.kinds.map(kind =>
      kind.heads.map(layer =>
        layer.map(head => sliceOf(values.get(`${head.graph} ${head.weights}`), head.slice)),
      ),
    );
    return {maps, said};
  }
  async function reason(call, heads, {graph, weights, slice}, row, signal) {
    const source = facts.sources[graph][weights];
    const wanted = {graph, row, keep: namesOfSource(source)};
    const {kept, at} = await pass.valuesAt(call, wanted, changesOf(facts, heads), signal);
    return packedReason(kept, source, slice, at);
  }
  const known = new WeakMap(); // lengths by call, and there by attention and silenced heads
  async function lengths(call, heads, {graph, weights, slice}, row, signal) {
    const net = nets[graph];
    const keep = [...net.inputs, ...net.nodes.map(({name}) => name)];
    const changes = changesOf(facts, heads);
    const before = known.get(call) ?? known.set(call, new Map()).get(call);
    const key = JSON.stringify([graph, weights, heads]);
    if (!before.has(key)) {
      const {kept} = await pass.valuesAt(call, {graph, row, keep}, changes, signal);
      before.set(key, await lengthsOf(net, facts.sources[graph][weights], kept, signal));
    }
    return before.get(key)[slice];
  }
  return {call, come, reason, lengths};
}
// The values that are wanted of each graph.
function tapsOf({kinds, said}) {
  const taps = {};
  const add = (graph, name) => (taps[graph] ??= new Set()).add(name);
  for (const {graph, weights} of kinds.flatMap(kind => kind.heads.flat())) add(graph, weights);
  if (said) add(said.graph, said.value);
  return taps;
}
function changesOf({kinds}, heads) {
  const slices = {};
  for (const [name, layer, head] of heads) {
    const kind = kinds.find(kind => kind.name === name);
    const {graph, context, slice} = kind.heads[kind.numbers.indexOf(layer)][head];
    ((slices[graph] ??= {})[context] ??= []).push(slice);
  }
  return withValues(slices, of => withValues(of, silenced));
}
// A value (..., rows, numbers) as maps, one behind the other.
function mapsOf(value) {
  const [rows, columns] = value.shape.slice(-2);
  return {numbers: flat(value), rows, columns};
}
const sliceOf = ({numbers, rows, columns}, slice) =>
  Float32Array.from(numbers.subarray(slice * rows * columns, (slice + 1) * rows * columns));
const ids = numbers => tensor([1, numbers.length], numbers);

// ---- all of a text at once
function oneCall(facts, nets, taps) {
  const keep = [...taps.model];
  const logits = facts.said?.value;
  const gives = {
    ids: ({source}) => ids(source.ids),
    mask: ({source}) => ids(source.ids.map(() => 1)),
    segments: ({source}) => ids(source.segments ?? source.ids.map(() => 0)),
    target: ({target}) => ids(target.ids),
  };
  const inputsOf = call => withValues(facts.inputs, what => gives[what](call));
  async function runCall(call, changes, signal) {
    const {kept} = await run(nets.model, inputsOf(call), {keep, changes: changes.model, signal});
    const values = new Map(keep.map(name => [`model ${name}`, mapsOf(kept[name])]));
    return {values, said: facts.said && vectorsOf(kept[facts.said.value])};
  }
  const begin = async source => ({state: {source, ids: []}});
  async function goOn(id, {source, ids: read}, _, signal) {
    const target = {ids: [...read, id]};
    const {kept} = await run(nets.model, inputsOf({source, target}), {keep: [logits], signal});
    return {logits: vectorsOf(kept[logits]).at(-1), state: {source, ids: target.ids}};
  }
  async function valuesAt(call, {keep: names, row}, changes, signal) {
    const options = {keep: names, changes: changes.model, signal};
    const {kept} = await run(nets.model, inputsOf(call), options);
    return {kept, at: row};
  }
  return {run: runCall, begin, goOn, valuesAt};
}

// ---- a source once, a target step by step: a step's maps have one row
function stepByStep({starts, said}, nets, taps) {
  const {encode, step} = nets;
  const keep = {encode: [...(taps.encode ?? [])], step: [...(taps.step ?? [])]};
  const sourceOf = source => ({[encode.inputs[0]]: ids(source.ids)});
  async function begin(source, changes, signal) {
    const given = sourceOf(source);
    const options = {keep: keep.encode, changes: changes.encode, signal};
    const {output, kept} = await run(encode, given, options);
    const none = shape => tensor(shape, [], 'float');
    return {kept, state: starts.map(one => (Array.isArray(one) ? none(one) : output[one]))};
  }
  const goOn = (id, state, changes, signal) =>
    readNext(step, id, state, {keep: keep.step, changes: changes.step, signal});
  async function runCall({source, target}, changes, signal) {
    const begun = await begin(source, changes, signal);
    let {state} = begun;
    const steps = [];
    for (const id of target.ids) {
      const now = await goOn(id, state, changes, signal);
      ({state} = now);
      steps.push(now);
    }
    const values = new Map(keep.encode.map(name => [`encode ${name}`, mapsOf(begun.kept[name])]));
    for (const name of keep.step) {
      values.set(`step ${name}`, stackedOf(steps.map(({kept}) => kept[name])));
    }
    return {values, said: said && steps.flatMap(({kept}) => vectorsOf(kept[said.value]))};
  }
  // The row of a step is the only one that it has.
  async function valuesAt({source, target}, {graph, row, keep: names}, changes, signal) {
    if (graph === 'encode') {
      const options = {keep: names, changes: changes.encode, signal};
      return {kept: (await run(encode, sourceOf(source), options)).kept, at: row};
    }
    let now = await begin(source, changes, signal);
    for (const id of target.ids.slice(0, row + 1)) {
      now = await readNext(step, id, now.state, {keep: names, changes: changes.step, signal});
    }
    return {kept: now.kept, at: 0};
  }
  return {run: runCall, begin, goOn, valuesAt};
}
// Rows (heads, 1, keys) as maps; later keys have 0.
function stackedOf(steps) {
  const columns = steps.at(-1).shape.at(-1);
  const heads = flat(steps[0]).length / steps[0].shape.at(-1);
  const rows = steps.length;
  const numbers = new Float32Array(heads * rows * columns);
  steps.forEach((value, row) => {
    const width = value.shape.at(-1);
    const own = flat(value);
    for (let head = 0; head < heads; head++) {
      numbers.set(own.subarray(head * width, (head + 1) * width), (head * rows + row) * columns);
    }
  });
  return {numbers, rows, columns};
}
