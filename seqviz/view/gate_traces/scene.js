// What the gates show now: the hold, the steps in sight, one scene for each model.

import {readable, signed} from '../shared/base.js';
import {heatHeight} from './map.js';
import {END, GUTTER} from './marks.js';

/**
 * @typedef {Object} Hold a gate held by hand
 * @property {string} gate
 * @property {number} value
 * @property {number | null} unit from 0, null for all
 * @property {number} since the position from which on, in reading order, from 0
 */

const LEAST = 16; // pixels of a column
const BESIDE = 760; // pixels from which two models stand beside each other

/**
 * The least value of a gate.
 * @param {string} gate
 * @returns {number} -1 of a candidate, else 0
 */
export const lowest = gate => (gate === 'g' || gate === 'n' ? -1 : 0);
/**
 * The hold as the controls stand, null without one; units and steps count from 0.
 * @param {{hold: boolean, gate: string, value: number, units: string, since: number}} controls
 * @param {number} unit in focus, from 0
 * @returns {Hold | null}
 */
export function holdOf({hold, gate, value, units, since}, unit) {
  return hold ? {gate, value, unit: units === 'this unit' ? unit : null, since: since - 1} : null;
}
/**
 * Another model in focus takes the gate along if it has it, and the hold if it can run again.
 * @param {Model} model
 * @param {{gate: string, value: number, hold: boolean}} controls
 * @returns {{model: string, gate: string, value: number, hold: boolean}} the controls after
 */
export function handOver({label, layer: {kind, live}}, {gate, value, hold}) {
  const kept = (kind.holds.includes(gate) && gate) || kind.keeps;
  return {
    model: label,
    gate: kept,
    value: Math.max(lowest(kept), value),
    hold: Boolean(hold && live && kept),
  };
}
/**
 * How many steps fit beside each other in the narrowest of these widths.
 * @param {number} T
 * @param {number[]} widths pixels
 * @returns {number} at least 1
 */
export const stepsThatFit = (T, widths) =>
  Math.max(1, Math.min(T, ...widths.map(W => Math.floor((W - GUTTER - END) / LEAST))));
/**
 * The first step in sight: moved so far that the cursor stands two steps inside.
 * @param {number} from the first before
 * @param {number} t the cursor, from 0
 * @param {number} n steps in sight
 * @param {number} T
 * @returns {number}
 */
export function firstInSight(from, t, n, T) {
  const near = t < from + 2 ? t - 2 : t > from + n - 3 ? t - n + 3 : from;
  return Math.max(0, Math.min(T - n, near));
}
/**
 * The plan of the models' columns: beside each other, one with fewer rows begins lower.
 * @param {Layer[]} layers
 * @param {number} width pixels of the stage
 * @returns {number[]} by how much lower each begins
 */
export function lowered(layers, width) {
  const heights = layers.map(heatHeight);
  const level = width > BESIDE ? Math.max(...heights) : 0;
  return heights.map(height => Math.max(0, level - height));
}
/**
 * What the cursor stands on, in numbers.
 * @param {Scene} scene
 * @param {boolean} locked
 * @returns {string}
 */
export function readingOf({u, layer, after, hold, show, t, facts}, locked) {
  const curves = hold && show === 'before' ? layer.curves : after;
  const numbers = [...layer.kind.rows].map(
    row => `${row}\u00a0${signed(curves[row][t * layer.H + u])}`,
  );
  const step = `${t + 1} ${readable(facts.tokens[t], 200)}${locked ? ', locked' : ''}`;
  return `${step}: unit ${u + 1}: ${numbers.join('  ')}`;
}
/**
 * The models in words.
 * @param {Model[]} models
 * @param {number} T
 * @returns {string}
 */
export function headingOf(models, T) {
  const [{layer}] = models;
  const article = layer.cell.startsWith('GRU') ? 'A' : 'An';
  const kind = layer.cell.replace(/ (.*)/, ' ($1)');
  const alone = `${article} ${kind} with ${layer.H} unit${layer.H > 1 ? 's' : ''}`;
  const subject = models.length > 1 ? models.map(({label}) => label).join(' and ') : alone;
  return `${subject}, ${T} token${T > 1 ? 's' : ''}: what each gate lets through, and when`;
}
