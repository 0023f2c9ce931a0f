// The life of an explorer: it is made, heard, and made anew for another text or other heads.

import {openView} from '../shared/frame.js';
import {aboutOf, Explorer} from './explorer.js';
import {cellOf} from './grid_plan.js';
import {brief} from './places.js';
import {Runs} from '../shared/runs.js';

// For whoever checks the arithmetic.
function lookInside(root, explorer) {
  root.shown = () => {
    const {sheet, links} = explorer.scene;
    const texts = units => units.map(({text}) => text);
    return {
      rows: texts(sheet.rows),
      columns: texts(sheet.columns),
      values: [...sheet.values],
      links,
    };
  };
  root.thumb = (layer, head) => {
    const {rows, columns, at} = explorer.scene.thumbs;
    return {rows, columns, bytes: [...at.get(brief(layer, head))]};
  };
  root.cellOf = (layer, head) => cellOf(explorer.gridPlan, layer, head);
}
function explore(context, runs) {
  const about = aboutOf(context.model.get('facts'));
  const {view: explorer, end} = openView(Explorer, about, context, runs);
  lookInside(explorer.root, explorer);
  return {explorer, end};
}
// What the keyboard is on, what is open beneath, and a text that is not run yet, are there again in
// a view made anew.
function renewed(before, make, failed) {
  const {explorer, end} = before;
  const {root} = explorer;
  const on = root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const inChips = document.activeElement?.closest('.silence');
  const drafts = explorer.fields.filter(({input, value}) => input.value !== value);
  end();
  const now = make();
  const {root: anew, runs, fields} = now.explorer;
  anew.dataset.beneath = root.dataset.beneath ?? '';
  const sameText = explorer.facts.text === now.explorer.facts.text;
  if (sameText && explorer.axes === now.explorer.axes) now.explorer.lookWhere(explorer.zoom);
  for (const {name, input} of drafts) {
    const field = fields.find(field => field.name === name);
    if (field && (failed || input.value !== runs.wish[name])) field.input.value = input.value;
  }
  const instead = inChips ? 'silencer' : on === 'away' ? 'second' : null;
  const places = [on, on && instead].filter(Boolean);
  const focused = places
    .map(name => anew.querySelector(`[data-focus="${CSS.escape(name)}"]`))
    .find(node => node && !node.disabled);
  focused?.focus({preventScroll: true});
  return now;
}
// Another text or other heads, by hand or from Python, open the view anew; while the model runs,
// an older answer does not.
function render({model, el}) {
  const life = {};
  const make = () => explore({model, el}, runs);
  const again = failed => {
    el.style.minHeight = `${el.offsetHeight}px`; // so that the page does not scroll
    life.view = renewed(life.view, make, failed);
    el.style.minHeight = '';
  };
  const done = (wish, problem) => {
    if (model.get('facts') !== life.view.explorer.facts) again(Boolean(problem));
    const {explorer} = life.view;
    explorer.complain(problem);
    for (const {name, input} of explorer.fields) {
      input.setAttribute('aria-invalid', Boolean(name in wish && problem));
    }
    explorer.draw();
  };
  const changed = problem => {
    life.view.explorer.complain(problem);
    life.view.explorer.draw();
  };
  const runs = new Runs(model, done, changed);
  const heard = () => runs.underway || again(false);
  life.view = make();
  model.on('change:facts', heard);
  return () => {
    model.off('change:facts', heard);
    runs.end();
    life.view.end();
  };
}
export default {render};
