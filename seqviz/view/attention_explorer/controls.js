// The controls: native ones, so that keyboard and screen reader know them.

import {ask, html, listen, onKeys, put, readable} from '../shared/base.js';
import {lowIsBest} from './grid.js';
import {isZoomed} from './heatmap.js';

export const SCALES = {linear: 'Linear', log: 'Log', row: 'Per row'};
export const SPECIALS = {shown: 'shown', hidden: 'hidden', renormalised: 'hidden, rescaled'};
export const SCORES = {
  place: 'place',
  entropy: 'entropy',
  previous: 'previous token',
  itself: 'itself',
  next: 'next token',
  first: 'first token',
  special: 'special tokens',
  error: 'alignment error rate',
  cell: 'weight at the cursor',
};

function segments(parent, legend, names, changed) {
  const group = html(parent, 'fieldset');
  const name = 'attention-' + Math.random().toString(36).slice(2);
  html(group, 'legend', {}, legend);
  const box = html(group, 'span', {class: 'segs'});
  const radios = Object.entries(names).map(([value, text]) => {
    const one = html(box, 'label', {class: 'seg'});
    const radio = html(one, 'input', {type: 'radio', name, value});
    html(one, 'span', {}, text);
    radio.addEventListener('change', () => changed(value));
    return radio;
  });
  return {
    group,
    show: value =>
      radios.forEach(radio => {
        radio.checked = radio.value === value;
      }),
  };
}
function choiceOf(parent, text, changed) {
  const box = html(parent, 'label', {}, text + ' ');
  const select = html(box, 'select', {'aria-label': text});
  select.addEventListener('change', () => changed(select.value));
  let listed = '';
  return {
    box,
    select,
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
function sliderOf(parent, text, changed, by = 0.01) {
  const box = html(parent, 'label', {}, text + ' ');
  const slider = html(box, 'input', {type: 'range'});
  const output = html(box, 'output', {'aria-live': 'off'});
  slider.addEventListener('input', () => changed(Number(slider.value)));
  return {
    box,
    show(value, words, min, max, name = text) {
      put(null, slider, {min, max, step: by, 'aria-label': name, 'aria-valuetext': words});
      box.firstChild.textContent = name + ' ';
      slider.value = value;
      output.textContent = words;
    },
  };
}
// The text of a live view: Enter runs the model in Python.
export function textField(root, bar, model, signal, complain) {
  const form = html(null, 'form', {class: 'live'});
  const label = html(form, 'label', {}, 'text ');
  const input = html(label, 'input', {
    type: 'text',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-label': 'text that the model reads',
  });
  const button = html(form, 'button', {type: 'submit'}, 'Run');
  const gone = model.kernel === false;
  let came = () => {};
  input.value = model.get('facts').text;
  bar.before(form);
  if (gone) html(form, 'span', {class: 'soft'}, 'another text needs a running kernel');
  input.disabled = button.disabled = gone;
  // Jupyter keeps the Enter of a form to itself
  onKeys(input, {Enter: () => form.requestSubmit()}, signal);
  form.addEventListener(
    'submit',
    event => {
      event.preventDefault();
      complain('');
      root.setAttribute('aria-busy', 'true');
      came();
      came = ask(model, {text: input.value}, signal, complain);
    },
    {signal},
  );
  listen(
    model,
    'msg:custom',
    message => {
      if (message.text === undefined) return;
      came();
      root.setAttribute('aria-busy', 'false');
      input.setAttribute('aria-invalid', Boolean(message.problem));
      complain(message.problem);
    },
    signal,
  );
  return form;
}
export const limitText = least =>
  least < 0.01 ? String(Number(least.toPrecision(2))) : least.toFixed(2);
// The bar over the panes; `set` takes changes of the view's controls.
export function controlBar(bar, facts, set, focusOf) {
  const kinds =
    facts.kinds.length > 1
      ? segments(
          bar,
          'attention',
          Object.fromEntries(facts.kinds.map(({name}) => [name, readable(name)])),
          name =>
            set({
              kind: name,
              query: 0,
              key: 0,
              step: 0,
              side: 'query',
              sort: 'place',
              least: 0,
              ...focusOf(name),
            }),
        )
      : null;
  const step = sliderOf(
    bar,
    'Decoder step',
    t => set({step: t, query: t, key: 0, side: 'query'}),
    1,
  );
  const threshold = sliderOf(bar, 'Hide lines below', value => set({threshold: value}));
  const scale = segments(bar, 'Colour', SCALES, value => set({scale: value}));
  const specials = choiceOf(bar, 'Special tokens', value => set({specials: value}));
  const wordsBox = html(bar, 'label', {class: 'check'});
  const words = html(wordsBox, 'input', {type: 'checkbox'});
  wordsBox.append(' Pieces as words');
  words.addEventListener('change', () => set({words: words.checked}));
  return ({kind, model}) => {
    kinds?.show(kind.name);
    const least = model.get('threshold');
    const n = kind.queries.length;
    const t = model.get('step') || n;
    step.box.hidden = kind.self || n === 1;
    step.show(t, `${t} of ${n}`, 1, n);
    threshold.show(least, least ? limitText(least) : 'off', 0, 1);
    scale.show(model.get('scale'));
    specials.box.hidden = !facts.kinds.some(
      ({specialQueries, specialKeys}) => specialQueries.length + specialKeys.length,
    );
    specials.show(model.get('specials'), SPECIALS);
    wordsBox.hidden = !facts.kinds.some(({wordQueries, wordKeys}) => wordQueries || wordKeys);
    words.checked = model.get('words');
  };
}
// Those of the grid.
export function gridBar(bar, set) {
  const rollup = choiceOf(bar, 'Roll up', value => set({rollup: value}));
  const sort = choiceOf(bar, 'Order by', value => set({sort: value, least: 0}));
  let all = 0; // where the slider fades no head: at the end of the worst
  const least = sliderOf(bar, 'At least', value => set({least: value === all ? 0 : value}));
  return ({kind, model, ranking}) => {
    rollup.show(model.get('rollup'), {
      mean: 'mean',
      max: 'max',
      ...(kind.self ? {rollout: 'rollout'} : {}),
    });
    const names = ['place', ...kind.scores, 'cell'];
    rollup.select.disabled = model.get('sort') !== 'place'; // roll-ups have no score to stand by
    sort.show(
      model.get('sort'),
      Object.fromEntries(names.map(name => [name, SCORES[name] ?? name])),
    );
    least.box.hidden = model.get('sort') === 'place';
    if (!ranking) return;
    const low = lowIsBest(model.get('sort'));
    const limit = model.get('least');
    const most = Math.max(
      0.02,
      limit,
      Math.ceil(100 * Math.max(...ranking.flatMap(row => [...row]))) / 100,
    );
    all = low ? most : 0;
    least.show(
      limit || all,
      limit ? limit.toFixed(2) : 'all',
      low ? 0.01 : 0,
      most,
      low ? 'At most' : 'At least',
    );
  };
}
// Zoom by hand, beneath the heatmap.
export function zoomBar(bar, zoom) {
  const group = html(bar, 'span', {class: 'segs', role: 'group', 'aria-label': 'zoom the heatmap'});
  const button = (text, label, action) => {
    const node = html(group, 'button', {type: 'button', 'aria-label': label, title: label}, text);
    node.addEventListener('click', action);
    return node;
  };
  const out = button('−', 'zoom out', () => zoom(1 / 1.6));
  const into = button('+', 'zoom in', () => zoom(1.6));
  const all = button('whole', 'show the whole map', () => zoom(0));
  return (view, sheet) => {
    out.disabled = all.disabled = !isZoomed(view, sheet);
    into.disabled = view.qn <= Math.min(4, sheet.n) && view.kn <= Math.min(4, sheet.m);
  };
}
