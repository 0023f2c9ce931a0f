// Recurrent nets, as one operation: layer after layer, in each direction one step after the other.

import {logistic, zipped} from './elementwise.js';
import {productOperations} from './products.js';
import {concatenated, selected, sliced, unsqueezed, viewed} from './shaping.js';
import {Tensor, flat, inOrder} from './tensors.js';

// The next states of one unit, h first: x(k) and w(k) are what gate k takes from the input and from
// the state, in torch's order of gates.
const NEXT_STATES = {
  RNN_TANH: (x, w) => [Math.tanh(x(0) + w(0))],
  RNN_RELU: (x, w) => [Math.max(0, x(0) + w(0))],
  // Hochreiter and Schmidhuber 1997, the forget gate of Gers et al. 2000
  LSTM(x, w, [, c]) {
    const [i, f, g, o] = [0, 1, 2, 3].map(gate => x(gate) + w(gate));
    const next = logistic(f) * c + logistic(i) * Math.tanh(g);
    return [logistic(o) * Math.tanh(next), next];
  },
  // Cho et al. 2014, with torch's place of the reset
  GRU(x, w, [h]) {
    const [r, z] = [0, 1].map(gate => logistic(x(gate) + w(gate)));
    return [(1 - z) * Math.tanh(x(2) + r * w(2)) + z * h];
  },
  GRU_BEFORE(x, w, [h]) {
    const z = logistic(x(1) + w(1));
    return [(1 - z) * Math.tanh(x(2) + w(2)) + z * h];
  },
};
const linear = (x, W, b) => productOperations.addmm(Float32Array, b, x, inOrder(W, [1, 0]));
// W_hh h + b_hh; where the reset acts before the product, n takes r * h in place of h.
function fromStates(mode, h, fromInput, W, b) {
  const all = linear(h, W, b);
  if (mode !== 'GRU_BEFORE') return all;
  const units = h.shape[1];
  const [x, w] = [fromInput, all].map(gates => sliced(gates, 1, 0, units));
  const r = zipped(Float32Array, x, w, (a, c) => logistic(a + c));
  const reset = zipped(Float32Array, r, h, (a, c) => a * c);
  const [W_n, b_n] = [W, b].map(rows => sliced(rows, 0, 2 * units));
  return concatenated(Float32Array, [sliced(all, 1, 0, 2 * units), linear(reset, W_n, b_n)], 1);
}
// One step: what the gates take, (batch, gate * unit), and the states, (batch, unit), to the next.
function nextStep(mode, fromInput, states, W, b) {
  const [batch, units] = states[0].shape;
  const x = flat(fromInput);
  const w = flat(fromStates(mode, states[0], fromInput, W, b));
  const old = states.map(flat);
  const next = states.map(() => new Float32Array(batch * units));
  const width = x.length / batch;
  for (let i = 0; i < batch * units; i++) {
    const start = Math.floor(i / units) * width + (i % units);
    const gateOf = numbers => gate => numbers[start + gate * units];
    const now = old.map(state => state[i]);
    NEXT_STATES[mode](gateOf(x), gateOf(w), now).forEach((value, k) => (next[k][i] = value));
  }
  return next.map(state => new Tensor(state, [batch, units]));
}
// One layer in one direction: h at every time, (time, batch, unit), and the last states.
function oneLayer(mode, x, start, [W_ih, W_hh, b_ih, b_hh], backwards) {
  const [time, batch, inputs] = x.shape;
  const units = start[0].shape[1];
  const gates = linear(viewed(x, [time * batch, inputs]), W_ih, b_ih);
  const fromInput = viewed(gates, [time, batch, -1]);
  const output = new Float32Array(time * batch * units);
  let states = start;
  for (let k = 0; k < time; k++) {
    const t = backwards ? time - 1 - k : k;
    states = nextStep(mode, selected(fromInput, 0, t), states, W_hh, b_hh);
    output.set(flat(states[0]), t * batch * units);
  }
  return [new Tensor(output, [time, batch, units]), states];
}
// Input (time, batch, input), start (layer * direction, batch, unit) of h, or of h and c, weights
// W_ih, W_hh, b_ih, b_hh of each layer and direction; gives h at every time, (time, batch,
// direction * unit), and the last states.
function recurrent(Kind, input, start, weights, mode, layers, both) {
  const directions = both ? 2 : 1;
  const last = start.map(() => []);
  let x = input;
  for (let layer = 0; layer < layers; layer++) {
    const outputs = [];
    for (let direction = 0; direction < directions; direction++) {
      const at = layer * directions + direction;
      const states = start.map(state => selected(state, 0, at));
      const own = weights.slice(4 * at, 4 * at + 4);
      const [output, ends] = oneLayer(mode, x, states, own, direction === 1);
      outputs.push(output);
      ends.forEach((end, k) => last[k].push(unsqueezed(end, 0)));
    }
    x = concatenated(Kind, outputs, 2);
  }
  return [x, ...last.map(ends => concatenated(Kind, ends))];
}
/** Recurrent nets. */
export const recurrentOperations = {'seqviz.recurrent': recurrent};
