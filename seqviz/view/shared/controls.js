// The controls of all views: native ones, so that keyboard and screen reader know them. Each is
// made once and shows what it is told.

import {html, put, readable} from './base.js';

/** A button; `more` are its attributes. */
export function button(parent, text, more, pressed) {
  const node = html(parent, 'button', {type: 'button', ...more}, text);
  node.addEventListener('click', pressed);
  return node;
}
/**
 * Radio buttons in a row.
 * @param {Object<string, string>} names the value and the text of each
 * @param {(value: string) => void} changed
 */
export function segments(parent, legend, names, changed) {
  const group = html(parent, 'fieldset');
  const name = 'segments-' + Math.random().toString(36).slice(2);
  html(group, 'legend', {}, legend);
  const box = html(group, 'span', {class: 'segs'});
  const radios = Object.entries(names).map(([value, text]) => {
    const segment = html(box, 'label', {class: 'seg'});
    const radio = html(segment, 'input', {type: 'radio', name, value});
    html(segment, 'span', {}, text);
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
 * @param {(value: string) => void} changed
 */
export function choice(parent, text, changed) {
  const box = html(parent, 'label', {class: 'setting'}, text + ' ');
  const select = html(box, 'select', {'aria-label': text.trim()});
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
 * @param {(value: number) => void} changed while it is moved
 * @param {Object} more attributes of the slider
 * @param {(value: number) => void} [done] when it is let go
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
      output.textContent = words;
    },
  };
}
/** A box to tick. */
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
 * One control for each setting of a grid: a slider for numbers, segments or a list for words.
 * @param {{name: string, values: any[], texts: string[]}[]} settings
 * @param {(name: string, value: any, dragging: boolean) => void} turn
 * @returns {(at: Object) => void} shows the settings that it is given by name
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
