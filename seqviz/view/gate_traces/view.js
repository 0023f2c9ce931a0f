// Gate traces: the state, the controls, the hold. Pictures are in map.js, lines.js and valves.js.

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
  signed,
  supply,
} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {scaleOf} from '../shared/pixels.js';
import {CALLED, answersOf, layerOf, rerun, tableOf} from './cells.js';
import {LEAST, drawMap, heatHeight} from './map.js';
import {END, GUTTER} from './marks.js';
import {headline} from './sentence.js';
import {CELL, drawCell} from './valves.js';

function render({model, el}) {
  const facts = model.get('facts');
  const T = facts.tokens.length;
  const {root, signal, end} = mount(el, 'gates', 'gates of a recurrent layer');
  const heading = html(root, 'h2');
  const said = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
  const bar = html(root, 'div', {class: 'bar'});
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const panel = html(root, 'div', {
    class: 'bar hold',
    role: 'group',
    'aria-label': 'hold a gate by hand',
  });
  const stage = html(root, 'div', {
    class: facts.models.length > 1 ? 'stage pair' : 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label':
      'gates over the tokens: left and right arrows move the cursor, up and down choose a unit, Enter locks, Escape frees',
  });
  const foot = html(root, 'p', {class: 'foot'});
  const complain = text => {
    problem.textContent = text;
  };
  const get = supply(model, signal, complain);
  const view = {
    over: null,
    locked: false,
    ran: '',
    from: 0,
    cache: new Map(),
    widths: new Map(),
    scales: null,
    pen: html(null, 'canvas').getContext('2d'),
    hits: [],
  };
  const models = facts.models.map((given, k) => {
    const layer = layerOf(get(`layer ${k}`), given, T);
    const readOut = given.answers.length ? get(`answers ${k}`) : null;
    const answer = curves => (readOut ? answersOf(readOut, given.answers, layer, curves.h) : []);
    const answers = answer(layer.curves);
    return {
      label: given.label,
      labels: given.answers,
      layer,
      answer,
      answers,
      after: layer.curves,
      answersAfter: answers,
      own: k ? 'second_unit' : 'unit',
      map: html(stage, 'div', {class: 'map'}),
      cell: html(stage, 'div', {class: 'cell'}),
    };
  });
  root.run = () => models.map(({after}) => after); // for whoever checks the arithmetic

  // ---- controls
  const {write, hear} = dialogue(model, signal, complain);
  const set = changes => {
    complain('');
    write(changes);
    draw();
  };
  const focus = () =>
    Math.max(
      0,
      models.findIndex(({label}) => label === model.get('model')),
    );
  const held = () => models[focus()];
  const chosen = one => model.get(one.own) - 1;
  const step = () => view.over?.t ?? model.get('step') - 1;
  const lowest = gate => (gate === 'g' || gate === 'n' ? -1 : 0);
  // The model in focus takes the gate along if it has it, and the hold if it can run again.
  const focused = k => {
    const {
      label,
      layer: {kind, live},
    } = models[k];
    const gate = (kind.holds.includes(model.get('gate')) && model.get('gate')) || kind.keeps;
    return {
      model: label,
      gate,
      value: Math.max(lowest(gate), model.get('value')),
      hold: Boolean(model.get('hold') && live && gate),
    };
  };
  const select = (parent, label, changed) => {
    const node = html(parent, 'select', {'aria-label': label});
    node.addEventListener('change', () => changed(node.value));
    return node;
  };
  const choice = (parent, legend, names, changed) => {
    const group = html(parent, 'fieldset');
    const name = 'gates-' + Math.random().toString(36).slice(2);
    html(group, 'legend', {}, legend);
    const radios = names.map(text => {
      const box = html(group, 'label', {class: 'seg'});
      const radio = html(box, 'input', {type: 'radio', name, value: text});
      html(box, 'span', {}, text);
      radio.addEventListener('change', () => changed(text));
      return radio;
    });
    return {
      group,
      mark: value =>
        radios.forEach(radio => {
          radio.checked = radio.value === value;
        }),
    };
  };
  const inFocus =
    models.length > 1
      ? choice(
          panel,
          'model',
          models.map(({label}) => label),
          label => set(focused(models.findIndex(one => one.label === label))),
        )
      : null;
  const switchLabel = html(panel, 'label');
  const on = html(switchLabel, 'input', {type: 'checkbox'});
  html(switchLabel, 'b', {}, 'hold');
  on.addEventListener('change', () => set({hold: on.checked}));
  const what = html(panel, 'fieldset', {'aria-label': 'what is held'});
  const gate = select(what, 'gate', name =>
    set({gate: name, value: Math.max(lowest(name), model.get('value'))}),
  );
  const who = select(what, 'units', units => set({units}));
  for (const units of ['all units', 'this unit']) html(who, 'option', {value: units}, units);
  const range = (name, label, spoken, more) => {
    const box = html(what, 'label', {}, label);
    const slider = html(box, 'input', {type: 'range', 'aria-label': spoken, ...more});
    const output = html(box, 'output', {
      'aria-live': 'off',
      class: name === 'value' ? 'at' : 'word',
    });
    slider.addEventListener('input', () => set({[name]: Number(slider.value)}));
    return {slider, output};
  };
  const value = range('value', 'at', 'held at', {max: 1, step: 0.01});
  const since = range('since', 'from', 'from step', {min: 1, max: T, step: 1});
  const shows = choice(panel, 'show', ['after', 'before', 'change'], show => set({show}));
  const why = html(panel, 'p');
  const reading = html(bar, 'output', {'aria-live': 'off'});
  exportButtons(bar, {root, model, signal, complain}, () =>
    tableOf({models, facts, show: model.get('hold') ? model.get('show') : 'after'}),
  );
  say(foot, [
    {kbd: '←'},
    ' ',
    {kbd: '→'},
    ' token, ',
    {kbd: '↑'},
    ' ',
    {kbd: '↓'},
    ' unit, ',
    {kbd: 'Enter'},
    ' lock, ',
    {kbd: 'Esc'},
    ' free. Point to preview a step and a unit, click to lock them. A valve is open when its disc lies along the pipe. Orange is where you are, teal what you hold.',
  ]);

  // ---- from the controls to the picture
  function hold() {
    if (!model.get('hold')) return null;
    return {
      gate: model.get('gate'),
      value: model.get('value'),
      unit: model.get('units') === 'this unit' ? chosen(held()) : null,
      since: model.get('since') - 1,
    };
  }
  function rerunIfNeeded(now) {
    const wanted = now && JSON.stringify([focus(), now]);
    if (wanted === view.ran) return;
    view.ran = wanted;
    view.cache.clear();
    models.forEach((one, k) => {
      const acts = now && k === focus();
      one.after = acts ? rerun(one.layer, now) : one.layer.curves;
      one.answersAfter = acts ? one.answer(one.after) : one.answers;
    });
  }
  function draw() {
    if (!stage.clientWidth) return;
    const now = hold();
    const t = step();
    const tone = palette(root);
    const show = model.get('show');
    const {sans, mono} = fonts();
    if (view.theme !== root.dataset.theme) {
      // also one that changed while this was hidden
      view.theme = root.dataset.theme;
      view.cache.clear();
      view.scales = null;
      for (const one of models) one.seen = '';
    }
    rerunIfNeeded(now);
    view.scales ??= {seq: scaleOf(tone.seq, view.pen), div: scaleOf(tone.div, view.pen)};
    if (view.cache.size > 400) view.cache.clear();
    const measure = (text, font = '12px') => {
      const face = font.includes('mono') ? font.replace('mono', mono) : `${font} ${sans}`;
      return (view.widths.get(face) ?? view.widths.set(face, measurer(face)).get(face))(text);
    };
    const cellWidths = models.map(one => Math.max(CELL, one.cell.clientWidth));
    const widths = models.map(one => Math.max(300, one.map.clientWidth));
    const n = Math.max(1, Math.min(T, ...widths.map(W => Math.floor((W - GUTTER - END) / LEAST))));
    if (view.over === null || t < view.from || t >= view.from + n) {
      view.from = Math.max(
        0,
        Math.min(T - n, t < view.from + 2 ? t - 2 : t > view.from + n - 3 ? t - n + 3 : view.from),
      );
    }
    const heights = models.map(({layer}) => heatHeight(layer));
    const level = stage.clientWidth > 760 ? Math.max(...heights) : 0;
    const scenes = models.map((one, k) => ({
      ...one,
      model: k,
      facts,
      T,
      t,
      u: view.over?.model === k ? (view.over.u ?? chosen(one)) : chosen(one),
      hold: k === focus() ? now : null,
      show,
      tone,
      measure,
      n,
      from: view.from,
      lower: Math.max(0, level - heights[k]),
      W: widths[k],
      cellWidth: cellWidths[k],
      cache: view.cache,
      pen: view.pen,
      scales: view.scales,
      named: models.length > 1,
      focused: k === focus(),
      gate: one.layer.kind.holds && (k === focus() ? model.get('gate') : one.layer.kind.keeps),
    }));
    view.hits = scenes.map((scene, k) => {
      const {u, hold, lower, W, cellWidth, focused, gate} = scene;
      const seen = JSON.stringify([
        t,
        u,
        n,
        view.from,
        lower,
        W,
        cellWidth,
        focused,
        gate,
        hold && [hold, show],
      ]);
      if (models[k].seen === seen) return view.hits[k]; // a hold leaves the other model as it is
      models[k].seen = seen;
      drawCell(scene.cell, scene);
      return drawMap(scene.map, scene);
    });
    say(said, headline({models: scenes, focus: focus(), hold: now, t, facts}));
    heading.textContent =
      facts.title ||
      `${subject()}, ${T} token${T > 1 ? 's' : ''}: what each gate lets through, and when`;
    controls(now, t, scenes);
    said.setAttribute('aria-live', view.over === null ? 'polite' : 'off');
    holdHeights([said, bar], stage.clientWidth);
    Object.assign(root.dataset, {
      step: t + 1,
      unit: scenes[focus()].u + 1,
      model: model.get('model'),
      hold: Boolean(now),
      locked: view.locked,
      from: view.from + 1,
      count: n,
      ready: 'true',
    });
  }
  function subject() {
    if (models.length > 1) return models.map(({label}) => label).join(' and ');
    const {cell, H} = models[0].layer;
    return `${cell.startsWith('GRU') ? 'A' : 'An'} ${cell.replace(/ (.*)/, ' ($1)')} with ${H} unit${H > 1 ? 's' : ''}`;
  }
  function fonts() {
    const style = getComputedStyle(root);
    return {sans: style.fontFamily, mono: style.getPropertyValue('--sv-mono')};
  }
  function controls(now, t, scenes) {
    const {
      layer: {kind, live},
    } = held();
    const able = Boolean(live && kind.holds);
    const gateNow = model.get('gate');
    on.checked = Boolean(now);
    on.disabled = what.disabled = !able;
    why.textContent = able
      ? ''
      : kind.holds
        ? 'No hold: the layer cannot run again from its curves. Hand in from_input, W_hh, b_hh and the start as well.'
        : 'No hold: an RNN has no gate.';
    if (gate.dataset.of !== kind.holds) {
      gate.dataset.of = kind.holds;
      gate.replaceChildren();
      for (const row of kind.holds) html(gate, 'option', {value: row}, `${row} ${CALLED[row]}`);
    }
    gate.value = gateNow;
    who.lastChild.textContent = `unit ${chosen(held()) + 1}`;
    who.value = model.get('units');
    value.slider.min = lowest(gateNow);
    value.slider.value = model.get('value');
    value.output.textContent = signed(model.get('value'));
    since.slider.value = model.get('since');
    since.output.textContent = `${model.get('since')} ${readable(facts.tokens[model.get('since') - 1])}`;
    shows.group.disabled = !now;
    shows.mark(model.get('show'));
    inFocus?.mark(model.get('model'));
    const {u, layer, after} = scenes[focus()];
    reading.textContent =
      `${t + 1} ${readable(facts.tokens[t], 200)}${view.locked ? ', locked' : ''}: unit ${u + 1}: ` +
      [...layer.kind.rows]
        .map(
          row =>
            `${row}\u00a0${signed((now && model.get('show') === 'before' ? layer.curves : after)[row][t * layer.H + u])}`,
        )
        .join('  ');
  }

  // ---- pointer and keys
  const under = event => {
    for (const [k, one] of models.entries()) {
      const box = one.map.getBoundingClientRect();
      const scale = Math.max(300, box.width) / box.width;
      const x = event.clientX - box.x;
      const y = event.clientY - box.y;
      if (x >= 0 && y >= 0 && x < box.width && y < box.height) {
        return {model: k, ...view.hits[k](x * scale, y * scale)};
      }
    }
    return {};
  };
  const preview = over => {
    if (view.locked || JSON.stringify(over) === JSON.stringify(view.over)) return;
    view.over = over;
    draw();
  };
  stage.addEventListener(
    'pointermove',
    event => {
      const at = under(event);
      preview(at.t === undefined ? null : at);
    },
    {signal},
  );
  stage.addEventListener('pointerleave', () => preview(null), {signal});
  stage.addEventListener(
    'click',
    event => {
      const {model: k, t, u} = under(event);
      if (t === undefined) return;
      const same =
        view.locked &&
        t === model.get('step') - 1 &&
        (u === undefined || (k === focus() && u === chosen(models[k])));
      view.locked = !same;
      view.over = null;
      set({
        ...(k === focus() ? {} : focused(k)),
        step: t + 1,
        ...(u === undefined ? {} : {[models[k].own]: u + 1}),
      });
    },
    {signal},
  );
  const go = t => {
    view.over = null;
    set({step: Math.max(1, Math.min(T, t + 1))});
  };
  const choose = by => {
    const one = held();
    const {H} = one.layer;
    view.over = null;
    set({[one.own]: ((chosen(one) + by + H) % H) + 1});
  };
  onKeys(
    stage,
    {
      ArrowLeft: () => go(step() - 1),
      ArrowRight: () => go(step() + 1),
      Home: () => go(0),
      End: () => go(T - 1),
      ArrowUp: () => choose(-1),
      ArrowDown: () => choose(1),
      Enter: () => {
        view.locked = true;
        go(step());
      },
      Escape: () => {
        view.locked = false;
        view.over = null;
        draw();
      },
    },
    signal,
  );

  hear(
    ['step', 'unit', 'second_unit', 'model', 'hold', 'gate', 'units', 'value', 'since', 'show'],
    draw,
  );
  followTheme(root, draw, signal);
  followSize(stage, draw, signal);
  draw();
  return end;
}
export default {render};
