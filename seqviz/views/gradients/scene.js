// The gradients as numbers and strings: what each run holds and what its label says; where it all
// stands is in plan.js.

import {lookOf} from '../shared/chart.js';
import {figures} from '../shared/texts.js';
import {normText} from './sentence.js';
import {fitted} from './slope.js';

/**
 * @typedef {Object} Flow one model's run, from the arrays that values.py packs
 * @property {string} name
 * @property {number} k its place among the models
 * @property {Float32Array} logs log10 of the norm at each step; -Infinity for a norm of 0
 * @property {Float32Array} sigma singular values, largest first; empty without a matrix
 * @property {Float32Array} real of the eigenvalues
 * @property {Float32Array} imaginary
 * @property {number} radius the largest size of an eigenvalue; 0 without a matrix
 * @property {Object | null} fit see slope.js
 * @property {[number, number][]} lost first and last step of each stretch without a gradient
 */

/**
 * @typedef {GridScene & {flows: Flow[], flow: Flow}} FlowScene `flow` is that of the model in focus
 */

/** The runs of the point on screen. */
export const flowsOf = ({facts, point}) =>
  facts.models.map((name, k) => flowOf(name, k, point.models[k]));
function flowOf(name, k, [logs, sigma, real, imaginary]) {
  const radius = real.reduce((most, v, n) => Math.max(most, Math.hypot(v, imaginary[n])), 0);
  return {name, k, logs, sigma, real, imaginary, radius, fit: fitted(logs), lost: lostIn(logs)};
}
function lostIn(logs) {
  const found = [];
  logs.forEach((log, t) => {
    if (log !== -Infinity) return;
    if (found.at(-1)?.[1] === t - 1) found.at(-1)[1] = t;
    else found.push([t, t]);
  });
  return found;
}
/**
 * What the spectral radius alone would give, through the middle of the steps of the fit.
 * @param {Flow} flow
 * @returns {number[] | null} NaN before those steps and after their run
 */
export function referenceOf({logs, fit, radius}) {
  if (!fit || !radius) return null;
  const middle = (fit.start + fit.end) / 2;
  return Array.from(logs, (_, t) =>
    t >= fit.start && t <= fit.last ? fit.mean - Math.log10(radius) * (t - middle) : NaN,
  );
}
/** Each model's label: the norm at the cursor, and the factor per step back. */
export const gradientLabels = ({flows, flow, t, tone}) =>
  flows.map(({name, k, logs, fit}) => ({
    name,
    look: lookOf(tone, k),
    strong: k === flow.k && flows.length > 1,
    more: [[normText(logs[t]), 'hot'], ...(fit ? [[`×${figures(fit.factor)}`, 'soft']] : [])],
  }));
