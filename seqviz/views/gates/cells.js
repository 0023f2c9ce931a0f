// The cells: what a step of an LSTM, a GRU, an RNN makes of the state before, with a gate held by
// hand.

/**
 * @typedef {Object} CellKind its rows by their letters
 * @property {string} rows all that is recorded
 * @property {string} holds the gates, in the order of their blocks in W; none of an RNN
 * @property {string} keeps the gate that keeps the memory
 * @property {string} memory 'c' or 'h'
 * @property {Function} step writes the curves of one step
 * @property {boolean} [before] the reset gate acts before the matrix
 * @property {boolean} [relu]
 */

/** @typedef {Object<string, Float32Array>} Curves the values of each row (T, H), by its letter */

/**
 * @typedef {Object} Layer a recurrent layer and what it did with the tokens
 * @property {string} label of the model, empty if the caller gave none
 * @property {string} cell the name of its kind
 * @property {CellKind} kind
 * @property {number} T tokens
 * @property {number} H units
 * @property {boolean} reverse whether it reads from the right
 * @property {number[]} order positions as they are read, from 0
 * @property {Curves} curves as recorded
 * @property {Float32Array} h_0 (H)
 * @property {Float32Array} c_0 (H), zeros without a cell
 * @property {number} most where the scale of the memory ends: a few large units must not drown ten
 * @property {number} wide rows of W: H for each gate, of an RNN just H
 * @property {boolean} live whether it can run again: then it has the next three
 * @property {Float32Array} [from_input] (T, wide), what the input adds to W h + b
 * @property {Float32Array} [W] (wide, H)
 * @property {Float32Array} [b] (wide)
 */

/**
 * @typedef {{p: number[], best: number}} Answer a probability for each label; which is likeliest
 */

const sigmoid = a => 0.5 + 0.5 * Math.tanh(a / 2);
/** What each part of a cell is called, in the order of tokens.css's categorical colours. */
export const CALLED = {
  i: 'input',
  f: 'forget',
  g: 'candidate',
  o: 'output',
  c: 'cell',
  h: 'hidden',
  r: 'reset',
  z: 'update',
  n: 'candidate',
};
/** Which of the categorical colours each part has. */
export const HUE = {i: 0, f: 1, g: 2, o: 3, c: 4, h: 5, r: 0, z: 1, n: 2};
const GRU = {rows: 'rznh', holds: 'rzn', keeps: 'z', memory: 'h'};
const RNN = {rows: 'h', holds: '', keeps: '', memory: 'h'};
const CELLS = {
  LSTM: {rows: 'ifgoch', holds: 'ifgo', keeps: 'f', memory: 'c', step: lstm},
  GRU: {...GRU, step: gru},
  'GRU reset before': {...GRU, step: gru, before: true},
  'RNN tanh': {...RNN, step: rnn},
  'RNN relu': {...RNN, step: rnn, relu: true},
};
/**
 * Whether the values of a row may lie below 0.
 * @param {string} name
 * @returns {boolean}
 */
export const signedRow = name => 'gnch'.includes(name); // from -1 or below, not from 0

// ---- one layer
/**
 * A layer from what Python packs.
 * @param {Object<string, Float32Array>} part its curves, start and, if it can run again, weights
 * @param {ModelFacts} given
 * @param {number} T
 * @returns {Layer}
 */
export function layerOf(part, {units: H, cell, ...more}, T) {
  const {h_0, c_0, from_input, W_hh: W, b_hh: b, ...curves} = part;
  const kind = CELLS[cell];
  const order = Array.from({length: T}, (_, k) => (more.reverse ? T - 1 - k : k));
  const most = cell.startsWith('LSTM') || kind.relu ? usual(curves[kind.memory]) : 1;
  const wide = (kind.holds.length || 1) * H;
  return {...more, cell, kind, H, T, wide, curves, h_0, c_0, from_input, W, b, order, most};
}
// The third quartile of the sizes, up to the next half.
function usual(values) {
  const sizes = values.map(Math.abs).sort();
  return Math.max(0.5, Math.ceil(2 * sizes[Math.floor(0.75 * sizes.length)]) / 2);
}
/**
 * The state before position t: of the step read before it, or the start.
 * @param {Layer} layer
 * @param {Curves} curves recorded or with a hold
 * @param {number} t from 0
 * @returns {{h: Float32Array, c: Float32Array}} H numbers each; without a cell `c` is of no use
 */
export function stateBefore({order, H, h_0, c_0, kind, reverse, T}, curves, t) {
  const k = reverse ? T - 1 - t : t;
  const from = order[k - 1] * H;
  if (k === 0) return {h: h_0, c: c_0};
  return {h: curves.h.subarray(from, from + H), c: curves[kind.memory].subarray(from, from + H)};
}
/**
 * Row k of W h + b.
 * @param {{W: Float32Array, b: Float32Array, H: number}} net a Layer, too
 * @param {number} k
 * @param {ArrayLike<number>} h
 * @returns {number}
 */
export function fedBack({W, b, H}, k, h) {
  let sum = 0;
  for (let j = 0, at = k * H; j < H; j++) sum += W[at + j] * h[j];
  return sum + b[k];
}
// A step writes what it makes at unit k to place `at` of each row.
function lstm(layer, x, {h, c}, held, curves, t) {
  const {H} = layer;
  const a = (block, k) => x[block * H + k] + fedBack(layer, block * H + k, h);
  for (let k = 0, at = t * H; k < H; k++, at++) {
    const i = held('i', k) ?? sigmoid(a(0, k));
    const f = held('f', k) ?? sigmoid(a(1, k));
    const g = held('g', k) ?? Math.tanh(a(2, k));
    const o = held('o', k) ?? sigmoid(a(3, k));
    const cell = f * c[k] + i * g;
    curves.i[at] = i;
    curves.f[at] = f;
    curves.g[at] = g;
    curves.o[at] = o;
    curves.c[at] = cell;
    curves.h[at] = o * Math.tanh(cell);
  }
}
// The reset gate acts after the matrix (torch), or before it (Cho et al.).
function gru(layer, x, {h}, held, curves, t) {
  const {
    H,
    kind: {before},
  } = layer;
  const gate = (name, block, k) =>
    held(name, k) ?? sigmoid(x[block * H + k] + fedBack(layer, block * H + k, h));
  const resets = Float64Array.from(h, (_, k) => gate('r', 0, k));
  const kept = resets.map((r, k) => r * h[k]);
  for (let k = 0, at = t * H; k < H; k++, at++) {
    const r = resets[k];
    const z = gate('z', 1, k);
    const old = () => (before ? fedBack(layer, 2 * H + k, kept) : r * fedBack(layer, 2 * H + k, h));
    const n = held('n', k) ?? Math.tanh(x[2 * H + k] + old());
    curves.r[at] = r;
    curves.z[at] = z;
    curves.n[at] = n;
    curves.h[at] = (1 - z) * n + z * h[k];
  }
}
function rnn(layer, x, {h}, held, curves, t) {
  for (let k = 0, at = t * layer.H; k < layer.H; k++, at++) {
    const a = x[k] + fedBack(layer, k, h);
    curves.h[at] = layer.kind.relu ? Math.max(0, a) : Math.tanh(a);
  }
}
/**
 * The curves with a gate held: recorded before the hold, run again from there on.
 * @param {Layer} layer one that can run again
 * @param {Hold} hold
 * @returns {Curves}
 */
export function rerun(layer, hold) {
  const curves = Object.fromEntries(
    Object.entries(layer.curves).map(([name, values]) => [name, values.slice()]),
  );
  const held = (name, k) =>
    name === hold.gate && (hold.unit === null || hold.unit === k) ? hold.value : undefined;
  for (const t of layer.order.slice(layer.order.indexOf(hold.since))) {
    const x = layer.from_input.subarray(t * layer.wide, (t + 1) * layer.wide);
    layer.kind.step(layer, x, stateBefore(layer, curves, t), held, curves, t);
  }
  return curves;
}

// ---- the answers: softmax(W h + b) at each step
/**
 * What the model answers at each position.
 * @param {{W: Float32Array, b: Float32Array}} readOut (labels, H) and (labels)
 * @param {string[]} labels
 * @param {Layer} layer
 * @param {Float32Array} h (T, H)
 * @returns {Answer[]}
 */
export function answersOf(readOut, labels, {H, T}, h) {
  const net = {...readOut, H};
  return Array.from({length: T}, (_, t) => {
    const a = labels.map((_, k) => fedBack(net, k, h.subarray(t * H, (t + 1) * H)));
    const most = Math.max(...a);
    const e = a.map(v => Math.exp(v - most));
    const sum = e.reduce((p, q) => p + q);
    const p = e.map(v => v / sum);
    return {p, best: p.indexOf(Math.max(...p))};
  });
}

// ---- what is on screen, as rows
/**
 * A header, and each value of each row and unit, then each probability.
 * @param {{models: Model[], facts: Facts, show: 'before' | 'after' | 'change'}} now
 * @returns {(string | number)[][]}
 */
export function tableOf({models, facts, show}) {
  const pick = (before, after) =>
    show === 'change' ? after - before : show === 'before' ? before : after;
  const rows = [];
  for (const {label, layer, after, answers, answersAfter, labels} of models) {
    const {cell, kind, curves, H} = layer;
    const write = (t, quantity, unit, value) =>
      rows.push([label || cell, String(t + 1), facts.tokens[t], quantity, unit, value]);
    for (const row of kind.rows) {
      curves[row].forEach((value, at) => {
        write(Math.floor(at / H), row, String((at % H) + 1), pick(value, after[row][at]));
      });
    }
    labels.forEach((said, k) =>
      answers.forEach(({p}, t) => write(t, `p(${said})`, '', pick(p[k], answersAfter[t].p[k]))),
    );
  }
  return [['model', 'step', 'token', 'quantity', 'unit', 'value'], ...rows];
}
