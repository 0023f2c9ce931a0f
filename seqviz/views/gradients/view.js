// The norm of a gradient at each time step: a cursor on a step and a model.

import {gridView} from '../shared/grid_view.js';
import {oneOf} from '../shared/link.js';
import {drawGradients} from './picture.js';
import {flowsOf} from './scene.js';
import {gradientNotes, gradientReading, gradientSentence} from './sentence.js';

// What gridView knows, with the flows on screen; `flow` is that of the model in focus.
function flowNow(now) {
  const flows = flowsOf(now);
  return {...now, flows, flow: flows[now.facts.models.indexOf(now.model)]};
}
function gradientRows(now) {
  const {flows, point} = flowNow(now);
  const rowsOf = ({name, logs, sigma, real, imaginary}) => {
    const norm = (log, t) => [
      name,
      'log10 of the norm',
      String(t + 1),
      point.tokens?.[t] ?? '',
      log === -Infinity ? 'no gradient' : log,
    ];
    const number = what => (v, n) => [name, what, String(n + 1), '', v];
    return [
      ...Array.from(logs, norm),
      ...Array.from(sigma, number('singular value')),
      ...Array.from(real, number('eigenvalue real part')),
      ...Array.from(imaginary, number('eigenvalue imaginary part')),
    ];
  };
  return [['model', 'what', 'number', 'label', 'value'], ...flows.flatMap(rowsOf)];
}
function turnModel({facts: {models}, model}, by) {
  return {model: models[(models.indexOf(model) + by + models.length) % models.length]};
}
export default {
  render: context =>
    gridView(context, {
      name: 'gradients',
      label: 'norm of the gradient by time step',
      controls: {model: ({facts}) => oneOf(facts.models)},
      up: turnModel,
      beneath: 'Matrices',
      heading: () => 'How much gradient reaches each time step',
      notes: now => gradientNotes(flowNow(now)),
      sentence: now => gradientSentence(flowNow(now)),
      reading: now => gradientReading(flowNow(now)),
      rows: gradientRows,
      draw: (stage, now) => drawGradients(stage, flowNow(now)),
    }),
};
