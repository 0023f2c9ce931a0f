// What the gradient flow says.

import {phrase} from '../shared/nodes.js';
import {figures, readable} from '../shared/texts.js';

/** A norm from its log10. */
export const normText = log => (log === -Infinity ? 'no gradient' : figures(10 ** log));
/**
 * What reaches the marks; else where nothing arrives; else how much reaches the first step.
 * @param {FlowScene} scene
 * @returns {(string | Object)[]} pieces for say()
 */
export function gradientSentence({flow, flows, point: {marks}, t}) {
  const others = flows.filter(one => one !== flow);
  const said = clauses(flow, others, marks, t);
  const joined = said.flatMap((clause, k) => (k ? phrase`; ${clause}` : clause));
  return phrase`${readable(flow.name)}: ${joined}.`;
}
function clauses(flow, others, marks, t) {
  if (marks.length) {
    const [step] = marked(flow, marks);
    return [atAMark(flow, marks), ...rival(flow, others, ({logs}) => logs[step - 1])];
  }
  if (flow.lost.length) return [phrase`${{b: 'no gradient'}} reaches ${span(flow)}`];
  if (!flow.fit) return [`the gradient at step ${t + 1} is ${normText(flow.logs[t])}`];
  return flow.sigma.length
    ? alongTheSlope(flow)
    : [toTheStart(flow), ...rival(flow, others, startShare)];
}
// The first mark without a gradient, or else the first.
const marked = ({logs}, marks) => marks.find(([step]) => logs[step - 1] === -Infinity) ?? marks[0];
function atAMark(flow, marks) {
  const [step, text] = marked(flow, marks);
  const log = flow.logs[step - 1];
  const norm = normText(log);
  const arrives = log === -Infinity ? norm : `a gradient of ${norm}`;
  return phrase`${{b: arrives}} reaches step ${step}, ${readable(text)}`;
}
// How much of the last step's gradient reaches the first, as log10.
const startShare = ({logs}) => Math.fround(logs[0] - logs.at(-1));
function toTheStart(flow) {
  const log = startShare(flow);
  const share = {b: normText(log)};
  const rate = `×${figures(flow.fit.factor)} a step back`;
  return log > 0
    ? phrase`the gradient grows ${share} times on the way to step 1, ${rate}`
    : phrase`${share} of the gradient reaches step 1, ${rate}`;
}
// The model that differs most, by a number of each.
function rival(flow, others, log) {
  if (!others.length) return [];
  const apart = one => (log(one) === log(flow) ? 0 : Math.abs(log(one) - log(flow)));
  const most = others.reduce((best, one) => (apart(one) > apart(best) ? one : best));
  return [`${readable(most.name)} ${normText(log(most))}`];
}
// What a step back does, and what its matrix has to do with it.
function alongTheSlope({fit, sigma, radius}) {
  const steps = `from step ${fit.end + 1} back to ${fit.start + 1}`;
  const factor = {b: figures(fit.factor)};
  const values = `${figures(radius)}, the largest singular value ${figures(sigma[0])}`;
  return [
    phrase`${steps} each step multiplies the gradient by ${factor} on average`,
    `the spectral radius is ${values}`,
  ];
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
/** The norm under the cursor, beside the controls. */
export const gradientReading = ({flow, point, t}) =>
  `step ${t + 1} of ${point.T}: ${normText(flow.logs[t])}`;
/** What the signs mean that are on screen. */
export function gradientNotes({flows}) {
  const one = holds => flows.some(holds);
  const notes = [
    one(({fit}) => fit) && 'The factor × is fitted to the half of the steps farther from the loss.',
    one(({fit, sigma}) => fit && sigma.length) &&
      'Dotted lines: the slope that the spectral radius alone would give.',
    one(({sigma}) => sigma.length) &&
      'Circles: eigenvalues, with the unit circle and the spectral radius (dashed). Bars: singular values, with a line at 1.',
    one(({lost}) => lost.length) && 'Hatched: the norm is exactly 0.',
  ];
  return notes.filter(Boolean).join(' ');
}
