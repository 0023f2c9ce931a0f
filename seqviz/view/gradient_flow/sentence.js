// What the gradient flow says; sentence.py says the same.

import {readable} from '../shared/base.js';
import {figures} from '../shared/chart.js';

/**
 * A norm from its log10.
 * @param {number} log
 * @returns {string}
 */
export const normText = log => (log === -Infinity ? 'no gradient' : figures(10 ** log));
/**
 * What reaches the marks; else where nothing arrives; else the slope and the spectrum.
 * @param {FlowScene} scene
 * @returns {(string | Object)[]} pieces for say()
 */
export function gradientSentence({flow, point: {marks}, t}) {
  const said = clauses(flow, marks, t).flatMap((clause, k) => (k ? ['; ', ...clause] : clause));
  return [`${readable(flow.name)}: `, ...said, '.'];
}
function clauses(flow, marks, t) {
  if (marks.length) return [atAMark(flow, marks)];
  if (flow.lost.length) return [[{b: 'no gradient'}, ` reaches ${span(flow)}`]];
  if (flow.fit) return alongTheSlope(flow);
  return [[`the gradient at step ${t + 1} is ${normText(flow.logs[t])}`]];
}
// What reaches the first mark without a gradient, or else the first.
function atAMark({logs}, marks) {
  const lost = marks.find(([step]) => logs[step - 1] === -Infinity);
  const [step, text] = lost ?? marks[0];
  const norm = normText(logs[step - 1]);
  return [{b: lost ? norm : `a gradient of ${norm}`}, ` reaches step ${step}, ${readable(text)}`];
}
// What a step back does, and what its matrix has to do with it.
function alongTheSlope({fit, sigma, radius}) {
  const slope = [
    `from step ${fit.end + 1} back to ${fit.start + 1} each step multiplies the gradient by `,
    {b: figures(fit.factor)},
    ' on average',
  ];
  if (!sigma.length) return [slope];
  const matrix = `the spectral radius is ${figures(radius)}, the largest singular value ${figures(sigma[0])}`;
  return [slope, [matrix]];
}
// The steps without a gradient.
function span({logs, lost}) {
  const count = lost.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (lost.length > 1) return `${count} of ${logs.length} steps`;
  const [[first, last]] = lost;
  return count === 1 ? `step ${first + 1}` : `steps ${first + 1} to ${last + 1}`;
}

/**
 * The fit in words, over the steps that it is made to.
 * @param {Object} fit see slope.js
 * @returns {string}
 */
export const fitText = ({start, end, factor}) =>
  `×${figures(factor)} a step back, fitted to steps ${start + 1} to ${end + 1}`;
/**
 * The norm under the cursor, beside the controls.
 * @param {FlowScene} scene
 * @returns {string}
 */
export const gradientReading = ({flow, point, t}) =>
  `step ${t + 1} of ${point.T}: ${normText(flow.logs[t])}`;
/**
 * What the signs mean that are on screen.
 * @param {FlowScene} scene
 * @returns {string}
 */
export function gradientNotes({flows}) {
  const notes = [
    [({fit}) => fit, 'The factor × is fitted to the half of the steps farther from the loss.'],
    [
      ({fit, sigma}) => fit && sigma.length,
      'Dotted lines: the slope that the spectral radius alone would give.',
    ],
    [
      ({sigma}) => sigma.length,
      'Circles: eigenvalues, with the unit circle and the spectral radius (dashed). Bars: singular values, with a line at 1.',
    ],
    [({lost}) => lost.length, 'Hatched: the norm is exactly 0.'],
  ];
  return notes
    .filter(([holds]) => flows.some(holds))
    .map(([, note]) => note)
    .join(' ');
}
