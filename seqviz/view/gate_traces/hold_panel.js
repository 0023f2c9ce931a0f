// The panel that holds a gate by hand: which one, where, at what value, from which step on.

import {html, readable, signed} from '../shared/base.js';
import {choice, segments, slider} from '../shared/controls.js';
import {CALLED} from './cells.js';
import {lowest} from './scene.js';

const named = texts => Object.fromEntries(texts.map(text => [text, text]));

/** The controls of the hold; dead for a layer that cannot run again. */
export class HoldPanel {
  /**
   * @param {Element} root
   * @param {Object} model
   * @param {Facts} facts
   * @param {(changes: Object) => void} set
   * @param {(label: string) => void} focusOn another model
   */
  constructor(root, model, facts, set, focusOn) {
    Object.assign(this, {model, facts});
    const label = 'hold a gate by hand';
    const panel = html(root, 'div', {class: 'bar hold', role: 'group', 'aria-label': label});
    const models = named(facts.models.map(({label}) => label));
    this.models = facts.models.length > 1 ? segments(panel, 'model', models, focusOn) : null;
    const box = html(panel, 'label');
    this.on = html(box, 'input', {type: 'checkbox'});
    html(box, 'b', {}, 'hold');
    this.on.addEventListener('change', () => set({hold: this.on.checked}));
    this.what = html(panel, 'fieldset', {'aria-label': 'what is held'});
    const takeGate = gate => set({gate, value: Math.max(lowest(gate), model.get('value'))});
    this.gate = this.list('gate', takeGate);
    this.units = this.list('units', units => set({units}));
    const at = value => set({value});
    this.value = slider(this.what, 'at', at, {max: 1, step: 0.01, 'aria-label': 'held at'});
    this.value.output.className = 'at';
    const steps = {min: 1, max: facts.tokens.length, step: 1, 'aria-label': 'from step'};
    this.since = slider(this.what, 'from', since => set({since}), steps);
    this.since.output.className = 'word';
    const shows = named(['after', 'before', 'change']);
    this.shows = segments(panel, 'show', shows, show => set({show}));
    this.why = html(panel, 'p');
  }
  // A list whose label only screen readers need.
  list(label, changed) {
    const control = choice(this.what, label, changed);
    control.box.firstChild.textContent = '';
    return control;
  }
  /**
   * The controls as they stand.
   * @param {Layer} layer in focus
   * @param {number} unit in focus, from 0
   */
  show({kind, live}, unit) {
    const {model, facts} = this;
    const controls = ['hold', 'gate', 'value', 'units', 'since', 'show', 'model'];
    const now = Object.fromEntries(controls.map(name => [name, model.get(name)]));
    const able = Boolean(live && kind.holds);
    this.on.checked = now.hold;
    this.on.disabled = this.what.disabled = !able;
    this.why.textContent = able ? '' : whyNot(kind);
    const gates = [...kind.holds].map(row => [row, `${row} ${CALLED[row]}`]);
    this.gate.show(now.gate, Object.fromEntries(gates));
    this.units.show(now.units, {'all units': 'all units', 'this unit': `unit ${unit + 1}`});
    this.value.show(now.value, signed(now.value), {min: lowest(now.gate)});
    const token = readable(facts.tokens[now.since - 1]);
    this.since.show(now.since, `${now.since} ${token}`);
    this.shows.group.disabled = !now.hold;
    this.shows.show(now.show);
    this.models?.show(now.model);
  }
}
const whyNot = kind =>
  kind.holds
    ? 'No hold: the layer cannot run again from its curves. Hand in from_input, W_hh, b_hh and the start as well.'
    : 'No hold: an RNN has no gate.';
