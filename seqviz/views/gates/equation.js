// The equation of the open row at the step in focus, in letters and in numbers.

import {signed} from '../shared/texts.js';
import {fedBack} from './cells.js';
import {momentOf} from './flow.js';
import {isHeld} from './scene.js';

// At most five signs below 100,000; a negative factor gets its brackets.
const figure = v => signed(v, Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0);
const bracketed = v => (v < 0 && signed(v) !== '0.00' ? `(${figure(v)})` : figure(v));
const times = (v, w) => `${figure(v)}·${bracketed(w)}`;
const plus = (v, w) => `${figure(v)} ${w < 0 ? '−' : '+'} ${figure(Math.abs(w))}`;

/**
 * The equation of the open row: of the memory if that of a gate takes what is not at hand.
 * @param {Scene} scene
 * @returns {[string, string]} in letters; in numbers, empty if there are none
 */
export function equationOf(scene) {
  const {row, layer} = scene;
  const moment = momentOf(scene);
  const {q, c0, h0} = moment;
  if (isHeld(scene, row)) return [`${row} = ${figure(q[row])}, by hand`, ''];
  if (layer.kind.holds.includes(row) && layer.live) return gateEquation(scene, moment);
  if (layer.kind.memory === 'c') {
    return row === 'h'
      ? ['h = o · tanh(c)', `= ${times(q.o, Math.tanh(q.c))} = ${figure(q.h)}`]
      : ['c = f · c before + i · g', `= ${times(q.f, c0)} + ${times(q.i, q.g)} = ${figure(q.c)}`];
  }
  if (layer.kind.holds) {
    const mixed = `${times(1 - q.z, q.n)} + ${times(q.z, h0)}`;
    return ['h = (1 − z) · n + z · h before', `= ${mixed} = ${figure(q.h)}`];
  }
  return stateEquation(scene, moment);
}
function stateEquation({layer, t, u}, {q, h}) {
  const name = layer.kind.relu ? 'relu' : 'tanh';
  const letters = `h = ${name}(from input + W h before)`;
  if (!layer.live) return [letters, ''];
  const sum = plus(layer.from_input[t * layer.H + u], fedBack(layer, u, h));
  return [letters, `= ${name}(${sum}) = ${figure(q.h)}`];
}
function gateEquation(scene, moment) {
  const {layer, row, t, u} = scene;
  if (row === 'n') return candidate(scene, moment);
  const block = layer.kind.holds.indexOf(row) * layer.H + u;
  const name = row === 'g' ? 'tanh' : 'σ';
  const x = layer.from_input[t * layer.wide + block];
  const sum = plus(x, fedBack(layer, block, moment.h));
  const value = figure(moment.q[row]);
  return [`${row} = ${name}(from input + W h before)`, `= ${name}(${sum}) = ${value}`];
}
// The reset gate acts on what W makes of the state, or on the state before W does.
function candidate({layer, t, u, hold, show, after}, {q, h}) {
  const {before} = layer.kind;
  const resets = (hold && show === 'before' ? layer.curves : after).r;
  const reset = h.map((v, k) => resets[t * layer.H + k] * v);
  const block = 2 * layer.H + u;
  const x = layer.from_input[t * layer.wide + block];
  const fed = fedBack(layer, block, before ? reset : h);
  const letters = before
    ? 'n = tanh(from input + W (r · h before))'
    : 'n = tanh(from input + r · W h before)';
  const sum = before ? plus(x, fed) : `${figure(x)} + ${times(q.r, fed)}`;
  return [letters, `= tanh(${sum}) = ${figure(q.n)}`];
}
