// The unrolled net: its controls, pointer and keys.

import {
  dialogue,
  followSize,
  followTheme,
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
import {forward, twin, unpack} from './net.js';
import {chain, equation, layout} from './picture.js';
import {sentence} from './sentence.js';

function render({model, el}) {
  const facts = model.get('facts');
  const known = new Map(facts.vocabulary.map((word, id) => [word, id]));
  const {root, signal, end} = mount(el, 'unroll', 'unrolled recurrent net');
  const heading = html(root, 'h2');
  const said = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
  const bar = html(root, 'div', {class: 'bar'});
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const stage = html(root, 'div', {
    class: 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label':
      'unrolled net: left and right arrows step, up and down choose a unit, Enter locks it, Escape frees it, Space plays',
  });
  const foot = html(root, 'p', {class: 'foot'});
  const complain = text => {
    if (problem.textContent !== text) problem.textContent = text;
  };
  const get = supply(model, signal, complain);
  const drawn = new Map();
  const view = {
    width: 0,
    run: null,
    net: null,
    from: 0,
    over: null,
    locked: false,
    timer: 0,
    fresh: false,
    hits: [],
    read: '',
    lanes: false,
  };

  const blank = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/; // as Python's split
  // A text as ids; what it cannot hold is said in a sentence.
  const parse = text => {
    const tokens = facts.letters ? [...text] : text.split(blank).filter(Boolean);
    const unknown = tokens.find(word => !known.has(word));
    if (!tokens.length) return {problem: 'Nothing to read: type at least one token.'};
    if (tokens.length > facts.most) {
      return {problem: `${tokens.length} tokens are too many: at most ${facts.most}.`};
    }
    const some = facts.vocabulary
      .slice(0, 40)
      .map(word => readable(word))
      .join(' ');
    const more = facts.vocabulary.length - 40;
    if (unknown !== undefined) {
      return {
        problem: `“\u2068${readable(unknown)}\u2069” is not in the vocabulary: ${some}${more > 0 ? ` and ${more} more` : ''}`,
      };
    }
    return {tokens, ids: tokens.map(word => known.get(word))};
  };
  const join = tokens => tokens.join(facts.letters ? '' : ' ');
  // A text field has one line: what ends a line gets a mark that is no token.
  const marks = [
    ['\n', '↵⏎␊'],
    ['\r', '␍⍇'],
  ]
    .map(([end, spare]) => [end, [...spare].find(c => !known.has(c))])
    .filter(([end, mark]) => known.has(end) && mark);
  const toField = text => marks.reduce((text, [end, mark]) => text.replaceAll(end, mark), text);
  const fromField = text => marks.reduce((text, [end, mark]) => text.replaceAll(mark, end), text);

  // ---- controls
  const {write, hear} = dialogue(model, signal, complain);
  const set = changes => {
    write(changes);
    refresh();
  };
  const last = () => view.run.length - 1;
  const step = () => Math.min(model.get('step'), view.run.length) - 1;
  const unit = () => model.get('unit') - 1;
  const go = (t, more = {}) => {
    t = Math.max(0, Math.min(last(), t));
    view.fresh = t !== step();
    set({step: t + 1, ...more});
  };
  const move = by => {
    stop();
    go(step() + by);
  };
  const choose = k => {
    view.over = null;
    set({unit: ((k + facts.units) % facts.units) + 1});
  };
  const stop = () => {
    clearInterval(view.timer);
    view.timer = 0;
  };
  const play = () => {
    if (view.timer) {
      stop();
      return draw();
    }
    const tick = () => {
      if (step() === last()) {
        stop();
        draw();
      } else go(step() + 1);
    };
    view.timer = setInterval(tick, 1400);
    go(step() === last() ? 0 : step() + 1);
  };
  signal.addEventListener('abort', stop);
  const steps = html(bar, 'span', {class: 'steps'});
  const button = (text, label, action) => {
    const node = html(steps, 'button', {type: 'button', title: label, 'aria-label': label}, text);
    node.addEventListener('click', action);
    return node;
  };
  button('◀', 'one step back', () => move(-1));
  const player = html(steps, 'button', {type: 'button'}, 'Play');
  player.addEventListener('click', play);
  button('▶', 'one step on', () => move(1));
  const stepLabel = html(bar, 'label', {}, 'step ');
  const slider = html(stepLabel, 'input', {type: 'range', min: 1, step: 1});
  const count = html(stepLabel, 'output');
  slider.addEventListener('input', () => {
    stop();
    go(slider.value - 1);
  });
  const field = html(html(bar, 'label', {}, 'reads '), 'input', {
    type: 'text',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-label': 'text that the net reads',
  });
  field.addEventListener('input', () => {
    const found = parse(fromField(field.value));
    problem.textContent = found.problem ?? '';
    field.setAttribute('aria-invalid', Boolean(found.problem));
    if (found.problem) return;
    stop();
    set({text: join(found.tokens), step: Math.max(1, found.tokens.length - 1)});
  });
  const group = 'stage-' + Math.random().toString(36).slice(2);
  const choices = html(facts.stages.length > 1 ? bar : null, 'fieldset');
  html(choices, 'legend', {}, 'training');
  const radios = facts.stages.map(label => {
    const box = html(choices, 'label', {class: 'seg'});
    const radio = html(box, 'input', {type: 'radio', name: group, value: label});
    html(box, 'span', {}, label);
    radio.addEventListener('change', () => set({stage: label}));
    return radio;
  });
  const startLabel = html(facts.start ? bar : null, 'label');
  const start = html(startLabel, 'input', {type: 'checkbox'});
  startLabel.append(' learned start h₀');
  start.addEventListener('change', () => set({learned_start: start.checked}));
  const value = html(bar, 'output', {class: 'value'});
  exportButtons(bar, {root, model, signal, complain}, () => [
    [
      'step',
      'input',
      'target',
      'chosen',
      'p(chosen)',
      ...Array.from({length: facts.units}, (_, k) => `h_${k + 1}`),
    ],
    ...view.run.map(({id, target, chosen, p, h}, t) => [
      String(t + 1),
      facts.vocabulary[id],
      facts.vocabulary[target] ?? '',
      facts.vocabulary[chosen],
      p[chosen],
      ...h,
    ]),
  ]);
  say(foot, [
    {kbd: '←'},
    ' ',
    {kbd: '→'},
    ' step, ',
    {kbd: '↑'},
    ' ',
    {kbd: '↓'},
    ' unit, ',
    {kbd: 'Enter'},
    ' lock, ',
    {kbd: 'Esc'},
    ' free, ',
    {kbd: 'Space'},
    ' play. Point at a unit to preview it, click to lock it. ',
    'Violet is negative, rust positive, the fainter the nearer to 0: states from −1 to 1, weights up to the largest of their block. A unit differs when it moved by more than 0.5.',
  ]);

  // ---- from the controls to the picture
  function refresh() {
    const label = model.get('stage');
    const text = model.get('text');
    const learned = model.get('learned_start');
    const read = JSON.stringify([label, text, learned]);
    if (read === view.read) return draw();
    const values = get(label);
    if (values instanceof Promise) return values.then(() => signal.aborted || refresh());
    const {tokens, ids} = parse(text);
    view.read = read;
    view.net = unpack(values, facts);
    view.run = forward(view.net, ids, learned);
    view.lanes = view.run.some((_, t) => t - twin(view.run, t) > 1 && twin(view.run, t) >= 0);
    drawn.clear();
    // in full precision, for whoever checks the arithmetic
    root.probabilities = view.run.map(step => step.p);
    if (join(parse(fromField(field.value)).tokens ?? []) !== text) {
      field.value = toField(join(tokens));
    }
    field.size = Math.max(8, Math.min(28, field.value.length + 1));
    problem.textContent = '';
    field.setAttribute('aria-invalid', false);
    draw();
  }
  function draw() {
    view.width = stage.clientWidth || view.width; // a view that is hidden follows the theme, too
    if (!view.run || !view.width) return;
    const t = step();
    const other = twin(view.run, t);
    const u = view.over ?? unit();
    const shades = palette(root);
    const tone = {
      ...shades,
      weight: {W_xh: shades.cat[0], W_hh: shades.cat[5], W_hy: shades.cat[3]},
    };
    const place = layout(Math.max(380, view.width), facts, view.run.length, view.lanes);
    const {n, H, V} = place;
    // what must be in sight beside t
    const first = other > t - n && other >= 0 ? other : Math.max(t - 1, t - n + 1);
    view.from = Math.max(0, t - n + 1, Math.min(view.from, first, view.run.length - n));
    const family = getComputedStyle(root).fontFamily;
    const measure = (text, font) => measurer(`${font} ${family}`)(text);
    const scene = {
      ...place,
      measure,
      facts,
      tone,
      t,
      u,
      other,
      drawn,
      net: view.net,
      run: view.run,
      from: view.from,
      fresh: view.fresh,
      shapes: {W_xh: [H, V], W_hh: [H, H], W_hy: [V, H]},
    };
    stage.replaceChildren();
    view.hits = [chain(stage, scene), equation(stage, scene)];
    view.fresh = false;
    heading.textContent =
      facts.title ||
      `One cell, used ${view.run.length === 1 ? 'once' : `${view.run.length} times with the same weights`}`;
    say(said, sentence(scene));
    slider.max = view.run.length;
    slider.value = t + 1;
    count.textContent = ` ${t + 1} of ${view.run.length}`;
    player.textContent = view.timer ? 'Pause' : 'Play';
    radios.forEach(radio => {
      radio.checked = radio.value === model.get('stage');
    });
    start.checked = model.get('learned_start');
    value.textContent = `unit ${u + 1} = ${signed(view.run[t].h[u])}${view.locked ? ', locked' : ''}`;
    Object.assign(root.dataset, {
      step: t + 1,
      unit: u + 1,
      stage: model.get('stage'),
      locked: view.locked,
      compare: other < 0 ? '' : other + 1,
      from: view.from + 1,
      ready: 'true',
    });
  }

  // ---- pointer and keys
  const under = event => {
    const k = [...stage.children].findIndex(
      drawing => event.clientY < drawing.getBoundingClientRect().bottom,
    );
    if (k < 0) return {};
    const box = stage.children[k].getBoundingClientRect();
    const scale = Math.max(380, box.width) / box.width;
    return view.hits[k]((event.clientX - box.x) * scale, (event.clientY - box.y) * scale);
  };
  const preview = k => {
    if (!view.locked && k !== view.over) {
      view.over = k;
      draw();
    }
  };
  stage.addEventListener('pointermove', event => preview(under(event).unit ?? null), {signal});
  stage.addEventListener('pointerleave', () => preview(null), {signal});
  stage.addEventListener(
    'click',
    event => {
      const {step: t = step(), unit: k} = under(event);
      stop();
      if (k === undefined) return go(t);
      view.locked = !(view.locked && k === unit() && t === step());
      view.over = null;
      go(t, {unit: k + 1});
    },
    {signal},
  );
  onKeys(
    stage,
    {
      ArrowLeft: () => move(-1),
      ArrowRight: () => move(1),
      Home: () => move(-Infinity),
      End: () => move(Infinity),
      ArrowUp: () => choose(unit() - 1),
      ArrowDown: () => choose(unit() + 1),
      Enter: () => {
        const k = view.over ?? unit();
        view.locked = true;
        choose(k);
      },
      Escape: () => {
        view.locked = false;
        view.over = null;
        draw();
      },
      ' ': play,
    },
    signal,
  );

  hear(['step', 'unit', 'stage', 'text', 'learned_start'], refresh);
  followTheme(
    root,
    () => {
      drawn.clear();
      draw();
    },
    signal,
  );
  followSize(stage, draw, signal);
  refresh();
  return end;
}
export default {render};
