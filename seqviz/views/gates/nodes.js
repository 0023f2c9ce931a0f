// The elements of the view.

import {html, say} from '../shared/base.js';
import {choice, segments} from '../shared/controls.js';
import {HoldPanel} from './hold_panel.js';

const STAGE =
  'gates over the tokens: left and right arrows move the cursor, up and down choose a unit, ' +
  'Enter locks, Escape frees, Space holds the gate or lets it go, N and P open the next row';
const KEYS = [
  {kbd: '←→↑↓'},
  ' move ',
  {kbd: 'N'},
  ' row ',
  {kbd: 'Space'},
  ' hold ',
  {kbd: 'H'},
  ' from here ',
  {kbd: 'D'},
  ' change',
];
const named = texts => Object.fromEntries(texts.map(text => [text, text]));

/**
 * The elements from top to bottom.
 * @param {Element} root
 * @param {Object} model
 * @param {Facts} facts
 * @param {(changes: Object) => void} set
 * @param {(label: string) => void} focusOn another model
 * @returns {Object<string, any>}
 */
export function gateNodes(root, model, facts, set, focusOn) {
  const top = html(root, 'div', {class: 'top'});
  const heading = html(top, 'h2');
  const labels = named(facts.models.map(({label}) => label));
  const models = facts.models.length > 1 ? segments(top, 'model', labels, focusOn) : null;
  const said = html(root, 'p', {class: 'say line', 'aria-live': 'polite'});
  const hold = new HoldPanel(root, model, facts, set);
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const stage = html(root, 'div', {
    class: 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label': STAGE,
  });
  const plot = html(stage, 'div', {class: 'plot'});
  const map = html(plot, 'div', {class: 'map'});
  const caption = html(plot, 'div', {class: 'bar caption'});
  const order = choice(caption, 'order of the units', how => set({order: how}));
  order.box.firstChild.textContent = ''; // the list says what it is to whoever does not see it
  const shows = segments(caption, 'show', named(['after', 'before', 'change']), show =>
    set({show}),
  );
  const cell = html(stage, 'div', {class: 'cell beneath'});
  const foot = html(root, 'div', {class: 'foot'});
  const reading = html(foot, 'output', {'aria-live': 'off'});
  say(html(foot, 'span', {class: 'keys'}), KEYS);
  return {
    top,
    heading,
    models,
    said,
    hold,
    problem,
    stage,
    plot,
    map,
    caption,
    order,
    shows,
    cell,
    foot,
    reading,
  };
}
