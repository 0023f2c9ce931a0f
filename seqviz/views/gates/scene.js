// What the gates show now: the hold, the steps in sight, what is read off.

import {readable, signed} from '../shared/texts.js';

/**
 * @typedef {Object} Hold a gate held by hand
 * @property {string} gate
 * @property {number} value
 * @property {number | null} unit from 0, null for all
 * @property {number} since the position from which on, in reading order, from 0
 */

const INSIDE = 2; // steps that the cursor stands inside the window

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
 * Another model in focus takes the gate and the row along if it has them, and the hold if it can
 * run again.
 * @param {Model} model
 * @param {{gate: string, value: number, hold: boolean, row: string}} controls
 * @returns {{model: string, gate: string, value: number, hold: boolean, row: string}} the controls
 * after
 */
export function handOver({label, layer: {kind, live}}, {gate, value, hold, row}) {
  const kept = (kind.holds.includes(gate) && gate) || kind.keeps;
  return {
    model: label,
    gate: kept,
    value: Math.max(lowest(kept), value),
    hold: Boolean(hold && live && kept),
    row: kind.rows.includes(row) ? row : kind.memory,
  };
}
/**
 * The first step in sight: moved so far that the cursor stands two steps inside.
 * @param {number} from the first before
 * @param {number} t the cursor, from 0
 * @param {number} n steps in sight
 * @param {number} T
 * @returns {number}
 */
export function firstInSight(from, t, n, T) {
  const near =
    t < from + INSIDE ? t - INSIDE : t > from + n - 1 - INSIDE ? t - n + 1 + INSIDE : from;
  return Math.max(0, Math.min(T - n, near));
}
/**
 * Whether a hand holds a gate of the unit at the step.
 * @param {Scene} scene
 * @param {string} row
 * @returns {boolean}
 */
export function isHeld({hold, show, layer, t, u}, row) {
  if (!hold || show === 'before' || hold.gate !== row) return false;
  const late = layer.order.indexOf(t) >= layer.order.indexOf(hold.since);
  return late && (hold.unit === null || hold.unit === u);
}
/**
 * The curves that are seen as values: with the hold, unless those before it are asked for.
 * @param {Scene} scene
 * @returns {Curves}
 */
export const seenCurves = ({hold, show, layer, after}) =>
  hold && show === 'before' ? layer.curves : after;
/**
 * The answers that belong to them.
 * @param {{hold: Hold | null, show: string, answers: Answer[], answersAfter: Answer[]}} model
 * @returns {Answer[]}
 */
export const seenAnswers = ({hold, show, answers, answersAfter}) =>
  hold && show === 'before' ? answers : answersAfter;
/**
 * What the cursor stands on, in numbers.
 * @param {Scene} scene
 * @param {boolean} locked
 * @returns {string}
 */
export function readingOf(scene, locked) {
  const {u, layer, t, facts} = scene;
  const curves = seenCurves(scene);
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
  const kind = layer.cell.replace(/ (.*)/, ' ($1)');
  const alone = `${kind}, ${layer.H} unit${layer.H > 1 ? 's' : ''}`;
  const subject =
    models.length > 1 ? models.map(({label}) => readable(label)).join(' and ') : alone;
  return `${subject}, ${T} token${T > 1 ? 's' : ''}`;
}
