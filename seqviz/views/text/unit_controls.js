// The controls that choose a unit: its number, one before or after it, or one of the most varied.

import {button} from '../shared/controls.js';
import {html} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {number} from './sentence.js';

export class UnitControls {
  /**
   * @param {Reading} reading
   * @param {() => number} chosen the unit that is chosen, which may still have to come
   * @param {(unit: number) => void} choose
   */
  constructor(bar, reading, chosen, choose) {
    const {name, units} = reading;
    Object.assign(this, {chosen, choose});
    const limits = {min: 1, max: units};
    const step = (text, label, by) =>
      button(bar, text, {'aria-label': label}, () => choose(chosen() + by));
    step('◀', `previous ${name}`, -1);
    const label = html(bar, 'label', {}, `${readable(name)} `);
    this.field = html(label, 'input', {type: 'number', ...limits});
    label.append(` of ${units}`);
    step('▶', `next ${name}`, 1);
    this.slider = html(bar, 'input', {type: 'range', ...limits, 'aria-label': name});
    this.list = listOf(bar, reading);
    this.listen();
  }
  listen() {
    const {field, slider, list, chosen, choose} = this;
    field.addEventListener('input', () => choose(field.valueAsNumber));
    for (const done of ['blur', 'change']) {
      field.addEventListener(done, () => {
        field.value = chosen();
      });
    }
    slider.addEventListener('input', () => choose(slider.valueAsNumber));
    list.addEventListener('change', () => {
      if (list.value) choose(Number(list.value));
      else this.show();
    });
  }
  show() {
    const {field, slider, list} = this;
    const unit = this.chosen();
    if (document.activeElement !== field) field.value = unit; // else it is being written
    slider.value = unit;
    list.value = String(unit);
    if (list.selectedIndex < 0) list.value = '';
  }
}
function listOf(bar, {name, varied}) {
  const label = `find a ${name}: the ones that vary most come first`;
  const list = html(html(bar, 'label', {}, 'find '), 'select', {'aria-label': label});
  html(list, 'option', {value: ''}, 'most varied');
  for (let k = 0; k < varied.length; k += 2) {
    const spread = number(varied[k + 1]);
    html(list, 'option', {value: varied[k]}, `${readable(name)} ${varied[k]}  ± ${spread}`);
  }
  return list;
}
