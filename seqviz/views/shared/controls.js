// The controls of all views: native ones, so that keyboard and screen reader know them. Each is
// made once and shows what it is told.

import {html, put, setText} from './nodes.js';
import {readable} from './texts.js';

/**
 * @typedef {Object} Setting
 * @property {string} name
 * @property {(number | string)[]} values what it can be: all numbers or all strings
 * @property {string[]} texts the values as people read them
 */

/**
 * A push button.
 * @param {Element} parent
 * @param {string} text
 * @param {Object<string, any>} more attributes
 * @param {(event: MouseEvent) => void} pressed
 * @returns {HTMLButtonElement}
 */
export function button(parent, text, more, pressed) {
  const node = html(parent, 'button', {type: 'button', ...more}, text);
  node.addEventListener('click', pressed);
  return node;
}
/**
 * Radio buttons in a row.
 * @param {Element} parent
 * @param {string} legend what is chosen
 * @param {Object<string, string>} names the value and the text of each
 * @param {(value: string) => void} changed
 * @param {Object<string, string>} [called] what a short text stands for, by value
 * @returns {{group: HTMLFieldSetElement, show: (value: any) => void}} `show` takes what is on
 */
export function segments(parent, legend, names, changed, called = {}) {
  const group = html(parent, 'fieldset');
  const name = 'segments-' + Math.random().toString(36).slice(2);
  html(html(group, 'legend'), 'span', {}, legend);
  const box = html(group, 'span', {class: 'segs'});
  const radios = Object.entries(names).map(([value, text]) => {
    const segment = html(box, 'label', {class: 'seg'});
    const radio = html(segment, 'input', {type: 'radio', name, value});
    html(segment, 'span', {}, text);
    if (called[value]) {
      put(null, segment, {title: called[value]});
      put(null, radio, {'aria-label': `${text}, ${called[value]}`});
    }
    radio.addEventListener('change', () => changed(value));
    return radio;
  });
  return {
    group,
    show(value) {
      for (const radio of radios) radio.checked = radio.value === String(value);
    },
  };
}
/**
 * A list to choose from; it is filled when it is shown.
 * @param {Element} parent
 * @param {string} text what stands before it
 * @param {(value: string) => void} changed
 * @param {string} [called] what a short text stands for
 * @returns {{box: HTMLLabelElement, select: HTMLSelectElement,
 * show: (value: any, options: Object<string, string>) => void}}
 */
export function choice(parent, text, changed, called = text.trim()) {
  const box = html(parent, 'label', {class: 'setting'}, text + ' ');
  const select = html(box, 'select', {'aria-label': called});
  select.addEventListener('change', () => changed(select.value));
  let listed = '';
  return {
    box,
    select,
    /** @param {Object<string, string>} options the value and the text of each */
    show(value, options) {
      if (listed !== JSON.stringify(options)) {
        listed = JSON.stringify(options);
        select.replaceChildren();
        for (const [name, words] of Object.entries(options)) {
          html(select, 'option', {value: name}, words);
        }
      }
      select.value = value;
    },
  };
}
/**
 * A slider with what it stands at in words beside it.
 * @param {Element} parent
 * @param {string} text what stands before it
 * @param {(value: number) => void} changed while it is moved
 * @param {Object<string, any>} [more] attributes of the slider
 * @param {(value: number) => void} [done] when it is let go
 * @returns {{box: HTMLLabelElement, input: HTMLInputElement, output: HTMLOutputElement,
 * show: (value: number, words: string, limits?: Object) => void}} `limits` are its `min` and `max`
 */
export function slider(parent, text, changed, more = {}, done = () => {}) {
  const box = html(parent, 'label', {class: 'setting'}, text + ' ');
  const input = html(box, 'input', {type: 'range', 'aria-label': text, ...more});
  const output = html(box, 'output', {'aria-live': 'off'});
  input.addEventListener('input', () => changed(Number(input.value)));
  input.addEventListener('change', () => done(Number(input.value)));
  return {
    box,
    input,
    output,
    show(value, words, limits = {}) {
      put(null, input, {...limits, 'aria-valuetext': words});
      input.value = value;
      setText(output, words);
    },
  };
}
/**
 * A box to tick.
 * @param {Element} parent
 * @param {string} text what stands behind it
 * @param {(on: boolean) => void} changed
 * @returns {{box: HTMLLabelElement, show: (on: boolean) => void}}
 */
export function tick(parent, text, changed) {
  const box = html(parent, 'label', {class: 'check'});
  const input = html(box, 'input', {type: 'checkbox'});
  box.append(' ' + text);
  input.addEventListener('change', () => changed(input.checked));
  return {
    box,
    show(on) {
      input.checked = on;
    },
  };
}

/**
 * Buttons for a few short names, else a list; hidden where there is nothing to choose. Its entries
 * may be others in another place, such as the heads of another piece.
 * @param {Element} bar
 * @param {string} what is chosen
 * @param {[string | number, string][][]} lists the values and names of each place
 * @param {number} most letters of names in a row of buttons
 * @param {(value: string) => void} pick
 * @returns {(value: string | number, place?: number) => void} shows a value, in a place
 */
export function shortList(bar, what, lists, most, pick) {
  const [first = [], ...others] = lists.filter(list => list.length > 1);
  const same = others.every(list => JSON.stringify(list) === JSON.stringify(first));
  const letters = first.map(([, name]) => name).join('').length;
  const short = same && letters <= most;
  const made = short
    ? segments(bar, what, Object.fromEntries(first), pick)
    : choice(bar, what, pick);
  const box = short ? made.group : made.box;
  return (value, place = 0) => {
    box.hidden = lists[place].length < 2;
    made.show(value, Object.fromEntries(lists[place]));
  };
}
/**
 * One control for each setting of a grid: a slider for numbers, segments or a list for words.
 * @param {Element} bar
 * @param {Setting[]} settings
 * @param {(name: string, value: number | string, dragging: boolean) => void} turn
 * @returns {(at: Object<string, number | string>) => void} shows the value of each setting
 */
export function settingControls(bar, settings, turn) {
  const shows = settings.map(setting => {
    const numeric = typeof setting.values[0] === 'number';
    if (numeric && setting.values.length > 1) return numberControl(bar, setting, turn);
    const {texts} = setting;
    const short = numeric || (texts.length < 6 && texts.join('').length < 40);
    return wordControl(bar, setting, turn, short ? segments : choice);
  });
  return at => shows.forEach((show, n) => show(at[settings[n].name]));
}
function numberControl(bar, {name, values, texts}, turn) {
  const limits = {min: 0, max: values.length - 1, step: 1};
  const turned = dragging => k => turn(name, values[k], dragging);
  const control = slider(bar, readable(name), turned(true), limits, turned(false));
  control.output.style.minWidth = `${Math.max(...texts.map(text => text.length))}ch`;
  return value => {
    const k = values.indexOf(value);
    control.show(k, texts[k]);
  };
}
function wordControl(bar, {name, values, texts}, turn, make) {
  const names = Object.fromEntries(texts.map((text, k) => [k, readable(text)]));
  const changed = k => turn(name, values[k], false);
  const control =
    make === segments
      ? segments(bar, readable(name), names, changed)
      : choice(bar, readable(name), changed);
  return value => control.show(values.indexOf(value), names);
}
