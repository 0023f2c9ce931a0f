// The norm of a gradient at each time step: a cursor on a step and a model.

import {framedView} from '../shared/frame.js';
import {GridFrame} from '../shared/grid_view.js';
import {oneOf} from '../shared/link.js';
import {html} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {drawGradients} from './picture.js';
import {flowsOf} from './scene.js';
import {fitText, gradientNotes, gradientReading, gradientSentence, normText} from './sentence.js';

const ABOUT = {
  name: 'gradients',
  label: 'norm of the gradient by time step',
  title: 'How much gradient reaches each time step',
  beneath: 'Matrices',
};

function gradientRows({flows, point}) {
  const header = ['model', 'what', 'number', 'label', 'value'];
  const rows = flows.flatMap(({name, logs, sigma, real, imaginary}) => {
    const token = t => point.tokens?.[t] ?? '';
    const norm = log => (log === -Infinity ? 'no gradient' : log);
    const row = what => (v, n) => [name, what, String(n + 1), '', v];
    return [
      ...Array.from(logs, (v, t) => [name, 'log10 of the norm', String(t + 1), token(t), norm(v)]),
      ...Array.from(sigma, row('singular value')),
      ...Array.from(real, row('eigenvalue real part')),
      ...Array.from(imaginary, row('eigenvalue imaginary part')),
    ];
  });
  return [header, ...rows];
}
class Gradients extends GridFrame {
  sentence = gradientSentence;
  notes = gradientNotes;
  rowsOf = gradientRows;
  picture = drawGradients;

  get chooses() {
    return this.facts.models.length > 1 ? 'model' : '';
  }
  turned({model}, by) {
    const {models} = this.facts;
    return {model: models[(models.indexOf(model) + by + models.length) % models.length]};
  }
  ownReaders() {
    return {model: oneOf(this.facts.models)};
  }
  addControls() {
    super.addControls();
    this.value = html(this.bar, 'output', {class: 'value', 'aria-live': 'off'});
  }
  showOwn(scene) {
    this.value.textContent = gradientReading(scene);
  }
  tables() {
    const {flows, point, t} = this.now();
    const norms = Array.from({length: point.T}, (_, k) => [
      `step ${k + 1} ${point.tokens?.[k] ?? ''}`.trim(),
      ...flows.map(({logs}) => normText(logs[k])),
    ]);
    const names = flows.map(({name, fit}) => name + (fit ? `, ${fitText(fit)}` : ''));
    return [{caption: ABOUT.label, rows: [['step', ...names], ...norms], at: [t, 0]}];
  }
  cursorText() {
    return `${readable(this.now().flow.name)}, ${this.value.textContent}`;
  }
  /** With the flows; `flow` is that of the model in focus. */
  complete(now) {
    const flows = flowsOf(now);
    return {...now, flows, flow: flows[now.facts.models.indexOf(now.model)]};
  }
}
export default framedView(Gradients, ABOUT);
