// A view of lines over a grid of settings: its points, its controls, its cursor. What it draws is
// its own affair.

import {
  dialogue,
  followSize,
  followTheme,
  holdHeights,
  html,
  measurer,
  mount,
  onKeys,
  palette,
  readable,
  say,
  supply,
  svg,
} from './base.js';
import {cut} from './chart.js';
import {exportButtons} from './export.js';

// ---- points: a row of numbers in a part; see Grid.packed
function pointReader(facts, get) {
  const index = at =>
    facts.choices.reduce((k, {name, values}) => k * values.length + values.indexOf(at[name]), 0);
  const count = facts.models.length * facts.arrays;
  return at => {
    const k = index(at);
    const b = facts.starts.findLastIndex(start => start <= k);
    const values = get(`block ${b}`);
    if (values instanceof Promise) {
      // its neighbours are likely to be next
      values.then(() =>
        [b - 1, b + 1].filter(n => n in facts.starts).forEach(n => get(`block ${n}`)),
      );
      return values;
    }
    let from = 0;
    for (let i = facts.starts[b]; i < k; i++) from += values[from];
    let next = from + 3 + count;
    const arrays = Array.from(values.subarray(from + 3, next), size =>
      values.subarray(next, (next += size)),
    );
    const models = facts.models.map((_, m) =>
      arrays.slice(m * facts.arrays, (m + 1) * facts.arrays),
    );
    return {
      models,
      T: models[0][0].length,
      tokens: facts.tokens[values[from + 1]],
      marks: facts.marks[values[from + 2]],
    };
  };
}

// Settings in words, so that a saved picture tells them.
export const settingsText = (facts, at) =>
  facts.choices
    .map(
      ({name, values, texts}) => `${readable(name)} ${readable(texts[values.indexOf(at[name])])}`,
    )
    .join(', ');

// Under a plot, beside its title or in a row of their own; returns the height of that row.
export function settingsRow(root, {facts, at, W, measure}, x, y, room) {
  if (!facts.choices.length) return 0;
  const text = settingsText(facts, at);
  const own = measure(text) > room;
  svg(
    root,
    'text',
    {x: own ? 0 : x, y: y + (own ? 18 : 0), class: 'soft'},
    cut(text, own ? W : room, measure, 160),
  );
  return own ? 18 : 0;
}

// ---- a slider for numbers, buttons or a list for words; returns what shows the settings
export function settingsBar(bar, facts, turn) {
  const group = 'set-' + Math.random().toString(36).slice(2);
  const short = texts => texts.length < 6 && texts.join('').length < 40;
  const shows = facts.choices.map(({name, values, texts}, n) => {
    const numeric = typeof values[0] === 'number';
    const now = at => values.indexOf(at[name]);
    if (numeric && values.length > 1) {
      const label = html(bar, 'label', {class: 'setting'}, readable(name) + ' ');
      const slider = html(label, 'input', {
        type: 'range',
        min: 0,
        max: values.length - 1,
        step: 1,
        'aria-label': readable(name),
      });
      const output = html(label, 'output', {
        'aria-live': 'off',
        style: `min-width:${Math.max(...texts.map(text => text.length))}ch`,
      });
      slider.addEventListener('input', () => turn(name, values[slider.value], true));
      slider.addEventListener('change', () => turn(name, values[slider.value], false));
      return at => {
        slider.value = now(at);
        output.textContent = texts[now(at)];
        slider.setAttribute('aria-valuetext', texts[now(at)]);
      };
    }
    if (!numeric && !short(texts)) {
      const select = html(html(bar, 'label', {class: 'setting'}, readable(name) + ' '), 'select');
      texts.forEach((text, k) => html(select, 'option', {value: k}, readable(text)));
      select.addEventListener('change', () => turn(name, values[select.value], false));
      return at => {
        select.value = now(at);
      };
    }
    const choices = html(bar, 'fieldset');
    html(choices, 'legend', {}, readable(name));
    const radios = texts.map((text, k) => {
      const box = html(choices, 'label', {class: 'seg'});
      const radio = html(box, 'input', {type: 'radio', name: `${group}-${n}`, value: k});
      html(box, 'span', {}, readable(text));
      radio.addEventListener('change', () => turn(name, values[k], false));
      return radio;
    });
    return at =>
      radios.forEach((radio, k) => {
        radio.checked = k === now(at);
      });
  });
  return at => shows.forEach(show => show(at));
}

// ---- the view. `own` holds name, label, heading, controls (other traits), chooses (what up and
// down turn), always (they turn for one model too), sentence(scene), reading(scene), notes(scene),
// rows(scene),
// draw(stage, scene), which returns what lies under a point, and up(scene, by), which is null if
// there is nothing to choose.
export function gridView({model, el}, own) {
  const facts = model.get('facts');
  const {root, signal, end} = mount(el, own.name, own.label);
  const several = own.up && (own.always || facts.models.length > 1);
  const heading = html(root, 'h2', {}, facts.title || own.heading(facts));
  const said = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
  const bar = html(root, 'div', {class: 'bar'});
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const stage = html(root, 'div', {
    class: 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label': `${own.label}: left and right arrows move the cursor, ${several ? `up and down choose a ${own.chooses ?? 'model'}, ` : ''}Enter locks it, Escape frees it`,
  });
  const foot = html(root, 'p', {class: 'foot'});
  say(foot, [
    {kbd: '←'},
    ' ',
    {kbd: '→'},
    ' move, ',
    {kbd: 'Home'},
    ' ',
    {kbd: 'End'},
    ' first and last, ',
    ...(several ? [{kbd: '↑'}, ' ', {kbd: '↓'}, ` ${own.chooses ?? 'model'}, `] : []),
    {kbd: 'Enter'},
    ' lock, ',
    {kbd: 'Esc'},
    ' free. ',
  ]);
  const notes = html(foot, 'span');
  const complain = text => {
    if (problem.textContent !== text) problem.textContent = text;
  };
  const pointAt = pointReader(facts, supply(model, signal, complain));
  const view = {
    point: null,
    at: null,
    before: null,
    dragging: false,
    over: {},
    locked: false,
    hit: () => ({}),
    width: 0,
  };
  const fonts = {};
  heading.hidden = !heading.textContent;

  const {write, hear} = dialogue(model, signal, complain);
  const set = changes => {
    complain('');
    write(changes);
    refresh();
  };
  const remember = () => {
    view.before = view.point && {point: view.point, at: view.at};
  };
  function turn(name, value, dragging) {
    if (model.get('at')[name] !== value) {
      if (!view.dragging) remember();
      set({at: {...model.get('at'), [name]: value}});
    }
    view.dragging = dragging;
  }
  const showSettings = settingsBar(bar, facts, turn);
  const value = html(own.reading ? bar : null, 'output', {class: 'value', 'aria-live': 'off'});
  exportButtons(bar, {root, model, signal, complain}, () => {
    const [header, ...rows] = own.rows(scene());
    const settings = facts.choices.map(
      ({name, values, texts}) => texts[values.indexOf(view.at[name])],
    );
    return [
      [...header, ...facts.choices.map(({name}) => name)],
      ...rows.map(row => [...row, ...settings]),
    ];
  });
  const step = () => Math.min(model.get('step'), view.point.T) - 1;
  const go = (t, more = {}) => {
    view.over = {};
    set({step: Math.max(0, Math.min(view.point.T - 1, t)) + 1, ...more});
  };
  // What is on screen; what the pointer previews comes first.
  function scene() {
    const chosen = Object.fromEntries(
      own.controls.map(name => [name, view.over[name] ?? model.get(name)]),
    );
    return {
      facts,
      ...chosen,
      at: view.at,
      point: view.point,
      before: view.before,
      t: view.over.step ?? step(),
      locked: view.locked,
    };
  }

  function refresh() {
    const at = model.get('at');
    const point = pointAt(at);
    root.setAttribute('aria-busy', point instanceof Promise);
    showSettings(at);
    if (point instanceof Promise) {
      return point.then(() => signal.aborted || (complain(''), refresh()));
    }
    if (view.point?.T !== point.T) view.over = {};
    followMark(point);
    Object.assign(view, {at, point});
    draw();
  }
  // A cursor that stands on a mark goes where the mark goes.
  function followMark(point) {
    const on = view.point?.marks.find(([step]) => step === model.get('step'))?.[1];
    const there = point.marks.find(([, text]) => text === on)?.[0];
    const step = there ?? Math.min(model.get('step'), point.T);
    if (step !== model.get('step')) write({step});
  }
  function draw() {
    view.width = stage.clientWidth || view.width;
    if (!view.point || !view.width) return;
    const style = getComputedStyle(root);
    const tone = palette(root);
    for (const [kind, font] of [
      ['plain', `12px ${style.fontFamily}`],
      ['bold', `700 12px ${style.fontFamily}`],
      ['mono', `12px ${style.getPropertyValue('--sv-mono')}`],
    ]) {
      if (fonts[kind]?.font !== font) fonts[kind] = {font, measure: measurer(font)};
    }
    const now = {
      ...scene(),
      W: view.width,
      tone,
      measure: (text, kind = 'plain') => fonts[kind].measure(text),
    };
    stage.replaceChildren();
    view.hit = own.draw(stage, now);
    say(said, own.sentence(now));
    value.textContent = own.reading?.(now) ?? '';
    notes.textContent = (now.locked ? 'Locked: pointing changes nothing. ' : '') + own.notes(now);
    holdHeights([said], view.width);
    said.setAttribute('aria-live', view.over.step === undefined ? 'polite' : 'off');
    Object.assign(root.dataset, {
      step: now.t + 1,
      locked: view.locked,
      settings: facts.choices.map(({name}) => view.at[name]).join(' '),
      ...Object.fromEntries(own.controls.map(name => [name, now[name]])),
      ready: 'true',
    });
  }

  // ---- pointer and keys
  const under = event => {
    const box = stage.getBoundingClientRect();
    return view.hit(event.clientX - box.x, event.clientY - box.y);
  };
  function preview(over) {
    if (view.locked || !view.point || JSON.stringify(over) === JSON.stringify(view.over)) return;
    view.over = over;
    draw();
  }
  stage.addEventListener('pointermove', event => preview(under(event)), {signal});
  stage.addEventListener('pointerleave', () => preview({}), {signal});
  stage.addEventListener(
    'click',
    event => {
      const at = under(event);
      const {step: t = step(), ...more} = at;
      if (!Object.keys(at).length) return;
      const same = t === step() && Object.entries(more).every(([name, v]) => model.get(name) === v);
      view.locked = !(view.locked && same);
      go(t, more);
    },
    {signal},
  );
  bar.addEventListener(
    'pointerup',
    () => {
      view.dragging = false;
    },
    {signal},
  );
  const lock = () => {
    const {step: t = step(), ...more} = view.over;
    view.locked = true;
    go(t, more);
  };
  const free = () => Object.assign(view, {locked: false, over: {}, before: null}) && draw();
  const choose = by => go(step(), own.up(scene(), by));
  onKeys(
    stage,
    {
      ArrowLeft: () => go(step() - 1),
      ArrowRight: () => go(step() + 1),
      Home: () => go(0),
      End: () => go(Infinity),
      Enter: lock,
      Escape: free,
      ...(own.up && {ArrowUp: () => choose(-1), ArrowDown: () => choose(1)}),
    },
    signal,
  );

  hear(['at'], () => {
    remember();
    refresh();
  });
  hear(['step', ...own.controls], refresh);
  followTheme(root, draw, signal);
  followSize(stage, draw, signal);
  refresh();
  return end;
}
