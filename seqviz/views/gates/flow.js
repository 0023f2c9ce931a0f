// The third cut: one step of one unit, as what flows and which valve lets how much of it through.

import {fedBack, stateBefore} from './cells.js';
import {isHeld, seenCurves} from './scene.js';

/**
 * @typedef {Object} Flow one row of the panel, from top to bottom
 * @property {'state' | 'keep' | 'kept' | 'side' | 'open' | 'let' | 'letIn' | 'now' | 'show' | 'out'
 * } at its place in the pipes
 * @property {string} label
 * @property {number} value
 * @property {string} [gate] of a valve
 * @property {boolean} [held] whether a hand holds it
 */

/**
 * The unit in focus at the step in focus.
 * @param {Scene} scene
 * @returns {{q: Object<string, number>, h: Float32Array, h0: number, c0: number}} the value of each
 * row, the state before of all units, state and cell of this one
 */
export function momentOf(scene) {
  const {layer, t, u} = scene;
  const curves = seenCurves(scene);
  const {h, c} = stateBefore(layer, curves, t);
  const rows = [...layer.kind.rows].map(row => [row, curves[row][t * layer.H + u]]);
  return {q: Object.fromEntries(rows), h, h0: h[u], c0: c[u]};
}
/**
 * What flows through the cell of the unit.
 * @param {Scene} scene
 * @returns {Flow[]}
 */
export function flowOf(scene) {
  const {holds, memory} = scene.layer.kind;
  const moment = momentOf(scene);
  const flow = memory === 'c' ? lstmFlow(moment) : holds ? gruFlow(moment) : rnnFlow(scene, moment);
  return flow.map(row => (row.gate ? {...row, held: isHeld(scene, row.gate)} : row));
}
const lstmFlow = ({q, c0}) => [
  {at: 'state', label: 'c before', value: c0},
  {at: 'keep', label: 'f keeps', value: q.f, gate: 'f'},
  {at: 'kept', label: 'kept', value: q.f * c0},
  {at: 'side', label: 'g new', value: q.g},
  {at: 'let', label: 'i lets in', value: q.i, gate: 'i'},
  {at: 'letIn', label: 'let in', value: q.i * q.g},
  {at: 'now', label: 'c now', value: q.c},
  {at: 'show', label: 'o shows', value: q.o, gate: 'o'},
  {at: 'out', label: 'h', value: q.h},
];
const gruFlow = ({q, h0}) => [
  {at: 'state', label: 'h before', value: h0},
  {at: 'keep', label: 'z keeps', value: q.z, gate: 'z'},
  {at: 'kept', label: 'kept', value: q.z * h0},
  {at: 'open', label: 'r opens', value: q.r, gate: 'r'},
  {at: 'side', label: 'n new', value: q.n},
  {at: 'let', label: '1 − z', value: 1 - q.z, gate: 'z'},
  {at: 'letIn', label: 'let in', value: (1 - q.z) * q.n},
  {at: 'now', label: 'h now', value: q.h},
];
function rnnFlow({layer, t, u}, {q, h, h0}) {
  const now = {at: 'now', label: 'h now', value: q.h};
  if (!layer.live) return [{at: 'state', label: 'h before', value: h0}, now];
  const fed = fedBack(layer, u, h);
  const x = layer.from_input[t * layer.H + u];
  return [
    {at: 'state', label: 'W h', value: fed},
    {at: 'side', label: 'input', value: x},
    {at: 'kept', label: 'sum', value: x + fed},
    now,
  ];
}
