// The bar that holds a gate by hand: which one, where, at what value, from which step on.

import {button, segments, slider} from '../shared/controls.js';
import {html, put} from '../shared/nodes.js';
import {cutTo, measurer, readable, signed} from '../shared/texts.js';
import {CALLED} from './cells.js';
import {lowest} from './scene.js';

/** The controls of the hold; a sentence instead of them for a layer that has nothing to hold. */
export class HoldPanel {
  /**
   * @param {Element} panel
   * @param {Object} model
   * @param {Facts} facts
   * @param {(changes: Object) => void} set
   */
  constructor(panel, model, facts, set) {
    Object.assign(this, {model, facts, set});
    put(null, panel, {class: 'bar hold', role: 'group', 'aria-label': 'hold a gate by hand'});
    this.on = button(panel, 'Hold', {class: 'holder', 'aria-pressed': false, title: 'Space'}, () =>
      set({hold: !model.get('hold')}),
    );
    this.what = html(panel, 'fieldset', {'aria-label': 'what is held'});
    this.gates = html(this.what, 'span', {class: 'gates'});
    this.units = html(this.what, 'span', {class: 'units'});
    const at = value => set({hold: true, value});
    this.low = button(this.what, '0', {'aria-label': 'hold at the least'}, () =>
      at(lowest(model.get('gate'))),
    );
    this.value = slider(this.what, 'at', at, {max: 1, step: 0.01, 'aria-label': 'held at'});
    this.value.output.className = 'at';
    this.high = button(this.what, '1', {'aria-label': 'hold at 1'}, () => at(1));
    const steps = {min: 1, max: facts.tokens.length, step: 1, 'aria-label': 'from step'};
    this.since = slider(this.what, 'from', since => set({hold: true, since}), steps);
    this.since.output.className = 'word';
    this.why = html(panel, 'p');
    this.made = '';
  }
  // Which gates there are and how the unit is called changes with the model and the unit.
  remake(holds, unit) {
    const made = `${holds} ${unit}`;
    if (made === this.made) return;
    this.made = made;
    const {set, model} = this;
    const takeGate = gate =>
      set({hold: true, gate, value: Math.max(lowest(gate), model.get('value'))});
    this.gates.replaceChildren();
    const letters = Object.fromEntries([...holds].map(row => [row, row]));
    this.gate = segments(this.gates, 'gate', letters, takeGate, CALLED);
    this.units.replaceChildren();
    const places = {'all units': 'all units', 'this unit': `unit ${unit + 1}`};
    this.where = segments(this.units, 'of', places, units => set({hold: true, units}));
  }
  /**
   * The controls as they stand.
   * @param {Layer} layer in focus
   * @param {number} unit in focus, from 0
   */
  show({kind, live}, unit) {
    const {model, facts} = this;
    const controls = ['hold', 'gate', 'value', 'units', 'since'];
    const now = Object.fromEntries(controls.map(name => [name, model.get(name)]));
    const able = Boolean(live && kind.holds);
    this.remake(kind.holds, unit);
    this.on.hidden = this.what.hidden = !able;
    this.on.textContent = now.hold ? 'Let go' : 'Hold';
    this.on.setAttribute('aria-pressed', now.hold);
    this.why.textContent = able ? '' : whyNot(kind);
    this.gate.show(now.gate);
    this.where.show(now.units);
    this.low.textContent = signed(lowest(now.gate), 0);
    this.value.show(now.value, signed(now.value), {min: lowest(now.gate)});
    const {output} = this.since;
    const token = `${now.since} ${readable(facts.tokens[now.since - 1])}`;
    const measure = measurer(getComputedStyle(output).font);
    this.since.show(now.since, cutTo(token, output.clientWidth, measure));
  }
}
const whyNot = kind =>
  kind.holds
    ? 'No hold: the layer cannot run again from its curves. Hand in from_input, W_hh, b_hh and the start as well.'
    : 'No hold: an RNN has no gate. Each step rewrites the whole state.';
