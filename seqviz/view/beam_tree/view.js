// The beam-search tree: the state, the controls, pointer and keys. Pictures are in picture.js.

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
import {framed, placed} from './layout.js';
import {drawRanking, drawTree} from './picture.js';
import {BEAM_FIELDS, beamTreeOf, highest, normalised, pathTo, rankedNodes} from './search.js';
import {headline} from './sentence.js';

function render({model, el}) {
  const facts = model.get('facts');
  const {root, signal, end} = mount(el, 'beam', 'beam search tree');
  const heading = html(root, 'h2');
  const said = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
  const bar = html(root, 'div', {class: 'bar'});
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const stage = html(root, 'div', {
    class: 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label':
      'beam search tree: left and right arrows step, or go to the parent and the best child of a locked node; up and down choose a node of its step, Enter locks it, Escape frees it, Space plays',
  });
  const foot = html(root, 'p', {class: 'foot'});
  const complain = text => {
    if (problem.textContent !== text) problem.textContent = text;
  };
  const get = supply(model, signal, complain);
  const trees = new Map();
  const layouts = new Map();
  const fonts = {};
  const short = facts.words.map(word => readable(word, 24));
  const view = {
    width: 0,
    over: -1,
    locked: false,
    from: 0,
    seen: '',
    timer: 0,
    back: null,
    fresh: false,
    tree: null,
    hits: [],
    count: 0,
    wanted: 0,
    shown: 0,
  };

  // ---- the state
  const {write, hear} = dialogue(model, signal, complain);
  const set = changes => {
    complain('');
    write(changes);
    refresh();
  };
  const step = () => Math.min(model.get('step'), view.tree.T);
  const chosen = () => {
    const node = model.get('node');
    return node < view.tree.N && (node < 0 || view.tree.step[node] <= step()) ? node : -1;
  };
  const stop = () => {
    clearInterval(view.timer);
    Object.assign(view, {timer: 0, back: null});
  };
  signal.addEventListener('abort', stop);
  function go(t) {
    t = Math.max(0, Math.min(view.tree.T, t));
    const node = chosen();
    view.fresh = t > step();
    view.over = -1;
    view.locked &&= node >= 0 && view.tree.step[node] <= t;
    set({step: t, ...(node >= 0 && view.tree.step[node] > t && {node: -1})});
  }
  function choose(node) {
    stop();
    view.over = -1;
    view.fresh = view.tree.step[node] > step();
    set({node, ...(view.fresh && {step: view.tree.step[node]})});
  }
  const free = () => {
    stop();
    Object.assign(view, {locked: false, over: -1});
    set({node: -1});
  };
  async function turn(width) {
    stop();
    root.setAttribute('aria-busy', true);
    view.wanted = width;
    const next = await treeOf(width);
    const old = view.tree;
    const at = step();
    if (signal.aborted || view.wanted !== width) return; // the slider went on
    Object.assign(view, {over: -1, locked: false});
    set({width, node: -1, step: at === old.T ? next.T : Math.min(at, next.T)});
  }
  function treeOf(width) {
    const values = get(`width ${width}`);
    if (values instanceof Promise) return values.then(() => treeOf(width));
    if (!trees.has(width)) trees.set(width, beamTreeOf(values));
    return trees.get(width);
  }

  // ---- play: step by step to the end, or back from a node to the prompt
  function play() {
    if (view.timer) {
      stop();
      return draw();
    }
    if (step() === view.tree.T) go(0);
    view.timer = setInterval(() => {
      go(step() + 1);
      if (step() === view.tree.T) {
        stop();
        draw();
      }
    }, 1200);
    draw();
  }
  function backtrack() {
    const running = view.back;
    stop();
    if (running || step() === 0) return draw();
    const {end} = pathNow();
    view.back = {from: end, at: end};
    view.timer = setInterval(() => {
      const parent = view.tree.parent[view.back.at];
      if (parent < 0) stop();
      else view.back.at = parent;
      draw();
    }, 900);
    draw();
  }

  // ---- controls
  const buttons = html(bar, 'span', {class: 'steps'});
  const button = (parent, text, more, action) => {
    const node = html(parent, 'button', {type: 'button', ...more}, text);
    node.addEventListener('click', action);
    return node;
  };
  const range = (label, spoken, more, changed) => {
    const box = html(bar, 'label', {class: 'setting'}, label);
    const slider = html(box, 'input', {type: 'range', 'aria-label': spoken, ...more});
    const output = html(box, 'output', {'aria-live': 'off'});
    slider.addEventListener('input', () => changed(Number(slider.value)));
    return {slider, output};
  };
  const move = by => {
    stop();
    go(step() + by);
  };
  button(buttons, '◀', {title: 'one step back', 'aria-label': 'one step back'}, () => move(-1));
  const player = button(buttons, 'Play', {}, play);
  button(buttons, '▶', {title: 'one step on', 'aria-label': 'one step on'}, () => move(1));
  const steps = range('step ', 'step', {min: 0, step: 1}, t => {
    stop();
    go(t);
  });
  const width =
    facts.widths.length > 1
      ? range('width ', 'width', {min: 0, max: facts.widths.length - 1, step: 1}, k =>
          turn(facts.widths[k]),
        )
      : null;
  const penalty = range(
    'length penalty ',
    'length penalty',
    {min: 0, max: facts.most_penalty, step: 0.05},
    value => {
      view.over = -1;
      set({length_penalty: value});
    },
  );
  const backer = button(
    bar,
    'Backtrack',
    {title: 'follow the parents from the node in focus to the prompt'},
    backtrack,
  );
  const value = html(bar, 'output', {class: 'value', 'aria-live': 'off'});
  exportButtons(
    bar,
    {root, model, signal, complain},
    rowsNow,
    () =>
      `Width ${view.shown}, step ${step()} of ${view.tree.T}, length penalty ${signed(model.get('length_penalty'))}.`,
  );
  say(foot, [
    {kbd: '←'},
    ' ',
    {kbd: '→'},
    ' step, or parent and child of a chosen node, ',
    {kbd: '↑'},
    ' ',
    {kbd: '↓'},
    ' choose on this step, ',
    {kbd: 'Enter'},
    ' lock, ',
    {kbd: 'Esc'},
    ' free, ',
    {kbd: 'Space'},
    ' play. ',
    'Point at a node to preview its path, click to lock it. The thicker a line, the likelier its token; dashed is pruned, ↓ says by how much it missed the last score that stays. A square is finished and holds its rank; ▲ ▼ is what the penalty moved. Orange is the path in focus, a teal ring what greedy takes.',
  ]);

  function rowsNow() {
    const {tree, shown} = view;
    const truth = flag => (flag ? 'yes' : 'no');
    return [
      [...BEAM_FIELDS.toSpliced(1, 0, 'node'), 'width'],
      ...tree.at
        .slice(0, step() + 1)
        .flat()
        .map(node => {
          const parent = tree.parent[node] < 0 ? '' : String(tree.parent[node]);
          const numbers = [tree.log_probability[node], tree.score[node]];
          return [
            String(tree.step[node]),
            String(node),
            parent,
            facts.words[tree.token[node]],
            ...numbers,
            truth(tree.kept[node]),
            truth(tree.finished[node]),
            String(shown),
          ];
        }),
    ];
  }

  // ---- from the controls to the picture
  function refresh() {
    const tree = treeOf(model.get('width'));
    root.setAttribute('aria-busy', tree instanceof Promise);
    if (tree instanceof Promise) return tree.then(() => signal.aborted || refresh());
    if (tree !== view.tree) Object.assign(view, {tree, over: -1, shown: model.get('width')});
    draw();
  }
  // The node in focus, else what leads; -1 before the first step.
  function endNow() {
    const {tree} = view;
    const t = step();
    if (chosen() >= 0 || t === 0) return chosen();
    return t === tree.T
      ? rankedNodes(tree, t, model.get('length_penalty'))[0]
      : highest(tree, tree.stays[t]);
  }
  // The path on show; while backtracking, the part that is found.
  function pathNow() {
    const {tree, back, over} = view;
    const end = back ? back.from : over >= 0 ? over : endNow();
    return {
      nodes: new Set(pathTo(tree, end).filter(node => !back || node >= back.at)),
      end,
      done: !back,
    };
  }
  function layoutNow() {
    const node = chosen();
    const open = node >= 0 && !view.tree.kept[node] ? view.tree.parent[node] : null;
    const key = `${view.shown} ${open}`;
    if (!layouts.has(key)) layouts.set(key, placed(view.tree, open));
    return layouts.get(key);
  }
  function measureNow() {
    const {fontFamily} = getComputedStyle(root);
    const mono = getComputedStyle(root).getPropertyValue('--sv-mono');
    for (const [kind, font] of [
      ['plain', `12px ${fontFamily}`],
      ['bold', `700 14px ${fontFamily}`],
      ['mono', `12px ${mono}`],
    ]) {
      if (fonts[kind]?.font !== font) fonts[kind] = {font, measure: measurer(font)};
    }
    return (text, kind = 'plain') => fonts[kind].measure(text);
  }
  function sceneNow() {
    const {tree, fresh, back} = view;
    const t = step();
    const layout = layoutNow();
    const scene = {
      facts,
      short,
      tree,
      fresh,
      back,
      step: t,
      W: view.width,
      width: view.shown,
      penalty: model.get('length_penalty'),
      node: back ? back.at : view.over >= 0 ? view.over : chosen(),
      path: pathNow(),
      greedy: new Set(tree.greedy),
      tone: palette(root),
      measure: measureNow(),
      ...layout,
    };
    Object.assign(scene, {...frameNow(layout, scene), ranked: rankedNodes(tree, t, scene.penalty)});
    const end = back ? back.at : endNow();
    const column = end < 0 ? 0 : tree.step[end];
    const seen = `${column} ${scene.n} ${scene.width}`;
    if (seen !== view.seen) {
      view.from =
        column <= view.from ? column - scene.n + 2 : Math.max(view.from, column - scene.n + 1);
    }
    view.seen = seen;
    view.from = scene.from = Math.max(0, Math.min(view.from, layout.columns.length - scene.n));
    return scene;
  }
  // Labels and widths are measured again at a new width or in a new font.
  function frameNow(layout, scene) {
    const key = [scene.W, ...Object.values(fonts).map(({font}) => font)].join();
    if (layout.key !== key) Object.assign(layout, {key, frame: framed(layout.columns, scene)});
    return layout.frame;
  }
  function draw() {
    view.width = stage.clientWidth || view.width; // a view that is hidden follows the theme, too
    if (!view.tree || !view.width) return;
    const scene = sceneNow();
    const {tree} = scene;
    stage.replaceChildren();
    view.hits = [drawTree(stage, scene), drawRanking(stage, scene)];
    view.count = scene.n;
    view.fresh = false;
    heading.textContent =
      facts.title ||
      `Beam search: at each step the best ${scene.width > 1 ? `${scene.width} stay` : 'one stays'}`;
    say(said, headline(scene));
    said.setAttribute('aria-live', view.over >= 0 ? 'off' : 'polite');
    showControls(scene);
    holdHeights([said, bar], view.width);
    Object.assign(root.dataset, {
      width: scene.width,
      step: scene.step,
      penalty: scene.penalty,
      node: scene.node,
      locked: view.locked,
      from: scene.from,
      count: scene.n,
      of: tree.T,
      ready: 'true',
    });
  }
  function showControls({tree, step: t, width: k, penalty: exponent, node}) {
    steps.slider.max = tree.T;
    steps.slider.value = t;
    steps.output.textContent = `${t} of ${tree.T}`;
    if (width) {
      width.slider.value = facts.widths.indexOf(k);
      width.slider.setAttribute('aria-valuetext', k);
      width.output.textContent = k;
    }
    penalty.slider.value = exponent;
    penalty.output.textContent = signed(exponent);
    player.textContent = view.timer && !view.back ? 'Pause' : 'Play';
    backer.textContent = view.back ? 'Stop' : 'Backtrack';
    backer.disabled = t === 0;
    value.textContent =
      node < 0
        ? ''
        : `node ${node}${view.locked ? ', locked' : ''}: log p ${signed(tree.log_probability[node])}, score ${signed(tree.score[node])}${exponent ? `, over ${tree.step[node]}^${signed(exponent)} = ${signed(normalised(tree, node, exponent))}` : ''}`;
  }

  // ---- pointer and keys
  const under = event => {
    const k = [...stage.children].findIndex(
      drawing => event.clientY < drawing.getBoundingClientRect().bottom,
    );
    if (k < 0) return {};
    const box = stage.children[k].getBoundingClientRect();
    return view.hits[k](event.clientX - box.x, event.clientY - box.y);
  };
  const preview = node => {
    if (view.locked || view.back || node === view.over) return;
    view.over = node;
    draw();
  };
  stage.addEventListener('pointermove', event => preview(under(event).node ?? -1), {signal});
  stage.addEventListener('pointerleave', () => preview(-1), {signal});
  stage.addEventListener(
    'click',
    event => {
      const {node, column} = under(event);
      if (column !== undefined) {
        view.from = column - Math.floor(view.count / 2);
        return draw();
      }
      if (node === undefined) return;
      if (view.locked && node === chosen()) return free();
      view.locked = true;
      choose(node);
    },
    {signal},
  );
  const along = (node, by) => {
    stop();
    const {tree} = view;
    const next = by < 0 ? tree.parent[node] : (tree.children.get(node)[0] ?? -1);
    if (next >= 0) choose(next);
  };
  const sideways = by => {
    const node = view.over >= 0 ? view.over : endNow();
    if (node < 0) return;
    const rows = layoutNow().columns[view.tree.step[node]];
    const k = rows.findIndex(row => row.node === node || row.rest.includes(node));
    choose(rows[(k + by + rows.length) % rows.length].node);
  };
  const walk = by => {
    if (chosen() >= 0) along(chosen(), by);
    else move(by);
  };
  onKeys(
    stage,
    {
      ArrowLeft: () => walk(-1),
      ArrowRight: () => walk(1),
      ArrowUp: () => sideways(-1),
      ArrowDown: () => sideways(1),
      Home: () => move(-Infinity),
      End: () => move(Infinity),
      Escape: free,
      ' ': play,
      Enter: () => {
        const node = view.over >= 0 ? view.over : endNow();
        view.locked = node >= 0;
        if (node >= 0) choose(node);
      },
    },
    signal,
  );

  hear(['width', 'step', 'length_penalty', 'node'], refresh);
  followTheme(root, draw, signal);
  followSize(stage, draw, signal);
  refresh();
  return end;
}
export default {render};
