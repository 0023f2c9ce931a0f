// The attention explorer: its state, its pointer and its keys. All panes follow one cursor.

import {
  channels,
  dialogue,
  followSize,
  followTheme,
  holdHeights,
  html,
  measurer,
  mount,
  palette,
  ramp,
  readable,
  say,
  supply,
  svg,
} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {momentAt, momentName, momentPane, momentSlider} from './checkpoints.js';
import {SCORES, controlBar, gridBar, textField, zoomBar} from './controls.js';
import {blank, cellOf, drawGrid, layers, lowIsBest, scoresText, showTile} from './grid.js';
import {handle} from './hands.js';
import {
  cellAt,
  drawHeat,
  inSight,
  isZoomed,
  label,
  paintHeat,
  placeOf,
  wholeView,
  zoomed,
} from './heatmap.js';
import {READ, drawLines, windowOf} from './lines.js';
import {cutTo, drawList, readingOf, sentenceOf, stateText, tableOf} from './list.js';
import {MapSource} from './maps.js';
import {brief, named, nearestLayer, placeOfLayer} from './places.js';
import {ending, stateOf} from './shown.js';
import {firstLargest, linksOf, series, strongest, weight, writtenOf} from './weights.js';

const CONTROLS = [
  'checkpoint',
  'kind',
  'layer',
  'head',
  'query',
  'key',
  'side',
  'step',
  'threshold',
  'scale',
  'specials',
  'words',
  'rollup',
  'sort',
  'least',
];
function explore({model, el}) {
  const facts = model.get('facts');
  const {root, signal, end} = mount(el, 'attention', 'attention explorer');
  const top = html(root, 'div', {class: 'top'});
  const heading = html(top, 'h2');
  const state = html(top, 'span', {class: 'state', 'aria-live': 'polite'});
  const said = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
  const bar = html(root, 'div', {class: 'bar'});
  const problem = html(root, 'p', {class: 'problem', role: 'alert'});
  const stage = html(root, 'div', {
    class: 'stage',
    tabindex: 0,
    role: 'group',
    'aria-label':
      'heatmap of the head: arrows move over queries and keys, Enter locks, Escape frees, plus and minus zoom, 0 shows all, Shift and arrows pan',
  });
  const moments = facts.checkpoints.length ? momentPane(stage) : null;
  const side = html(stage, 'div', {class: 'side'});
  const main = html(stage, 'div', {class: 'main'});
  const gridTitle = svg(side, 'svg', {'aria-hidden': true});
  const gridControls = html(side, 'div', {class: 'bar small'});
  const fall = html(side, 'div', {
    class: 'fall grid',
    tabindex: 0,
    role: 'group',
    'aria-label': 'all heads: arrows preview a head, Enter opens it, Escape goes back',
  });
  const scoreLine = html(side, 'output', {class: 'scores', 'aria-live': 'off'});
  const list = svg(side, 'svg', {class: 'list', 'aria-hidden': true});
  const title = svg(main, 'svg', {'aria-hidden': true});
  const pair = html(main, 'div', {class: 'pair'});
  const heatNode = html(pair, 'div', {class: 'heat'});
  const lineNode = html(pair, 'div', {
    class: 'lines',
    tabindex: 0,
    role: 'group',
    'aria-label':
      'lines of the head: up and down move, right follows the strongest line to its key, left to its query, Enter locks, Escape frees',
  });
  const field =
    facts.text === undefined ? null : textField(root, bar, model, signal, text => complain(text));
  const under = html(main, 'div', {class: 'under'});
  const zoomNode = html(under, 'span');
  const small = html(under, 'canvas', {'aria-hidden': true});
  const reading = html(under, 'output', {class: 'reading', 'aria-live': 'off'});
  const foot = html(root, 'p', {class: 'foot'});
  const complain = text => {
    if (problem.textContent !== text) problem.textContent = text;
    if (text) source.forget();
  };
  const raw = bytes => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const get = supply(model, signal, complain, raw);
  const source = new MapSource(facts, get, model.kernel === false, signal);
  // no grid of one head
  const single = facts.kinds.every(({layers, heads}) => layers * heads === 1);
  for (const node of [gridTitle, gridControls, fall]) node.classList.toggle('needless', single);
  stage.classList.toggle('single', single);
  const grid = layers(html(fall, 'div', {class: 'layers'}));
  const heat = layers(heatNode);
  const lines = layers(lineNode);
  const view = {
    over: null,
    by: '',
    pre: null,
    zoom: null,
    windows: {},
    drag: null,
    axes: '',
    queued: 0,
    fonts: new Map(),
    scene: null,
    place: null,
    plan: null,
    theme: '',
    face: '',
  };

  // ---- controls: what Python knows too
  const {write, hear} = dialogue(model, signal, complain);
  const set = changes => {
    complain('');
    write(changes);
    draw();
  };
  const number = () =>
    Math.max(
      0,
      facts.kinds.findIndex(({name}) => name === model.get('kind')),
    );
  function focusOf(name) {
    const kind = facts.kinds.find(kind => kind.name === name);
    const inside = (at, limit) => (typeof at === 'number' ? limit(at) : at);
    const layer = inside(model.get('layer'), at => nearestLayer(kind, at));
    const head = inside(model.get('head'), at => Math.max(0, Math.min(kind.heads - 1, at)));
    if (head === 'rollout') {
      return kind.self
        ? {layer: typeof layer === 'string' ? kind.numbers.at(-1) : layer, head}
        : {layer, head: 'mean'};
    }
    return {layer, head: typeof layer === 'string' && typeof head === 'string' ? layer : head};
  }
  const showMoments = moments && momentSlider(moments, facts, set);
  const showBar = controlBar(bar, facts, set, focusOf);
  const showGrid = gridBar(gridControls, set);
  const showZoom = zoomBar(zoomNode, zoomBy);
  exportButtons(
    top,
    {root, model, signal, complain, pictured},
    () => (view.scene ? tableOf(view.scene) : []),
    () => (view.scene ? stateText(view.scene) : ''),
  );
  for (const node of [gridControls, zoomNode, ...(moments ? [moments.row] : [])]) {
    node.addEventListener(
      'keydown',
      event => {
        if (event.key !== 'Escape') event.stopPropagation();
      },
      {signal},
    );
  }

  // ---- from the state to a scene
  function lockOf({rows: all, columns}, written) {
    const rows = all.slice(0, written);
    const own = model.get('side');
    const token = model.get(own) - 1;
    const units = own === 'query' ? rows : columns;
    const others = own === 'query' ? columns : rows;
    const find = (list, token) =>
      token < 0 ? -1 : list.findIndex(({from, to}) => token >= from && token < to);
    const at = find(units, token);
    const far = find(others, model.get(own === 'query' ? 'key' : 'query') - 1);
    return at < 0 || !written ? null : {side: own, at, far: far < 0 ? null : far};
  }
  const alike = (a, b) => a && b && a.side === b.side && a.at === b.at && a.far === b.far;
  const resolved = (sheet, cursor, written) => {
    const values = series(sheet, cursor, written);
    return {values, cursor: {...cursor, far: cursor.far ?? firstLargest(values)}};
  };
  function sceneOf() {
    const kind = facts.kinds[number()];
    const screen = stateOf(kind, model.get('words'), model.get('specials'));
    const wanted = {
      g: momentAt(facts, model) * facts.kinds.length + number(),
      ...focusOf(kind.name),
    };
    // a preview is of the kind before
    if (view.kind !== kind) Object.assign(view, {kind, pre: null});
    const sheetAt = place => place && now(source.sheet(place.g, place.layer, place.head, screen));
    const there = sheetAt(wanted);
    const before = view.shown && source.kindOf(view.shown.g) === kind ? view.shown : null;
    const own = there ?? sheetAt(before);
    const place = there ? wanted : (before ?? wanted);
    const {g, layer, head} = place;
    const ahead = sheetAt(view.pre && {g, ...view.pre});
    const pre = ahead ? view.pre : null;
    const sheet = ahead ?? own;
    // until a map comes, the one before stays and answers, of another kind it only stays
    view.busy = !there || Boolean(view.pre && !ahead);
    if (!own) return null;
    view.shown = place;
    if (view.axes !== sheet.axes) {
      Object.assign(view, {axes: sheet.axes, over: null, zoom: null, windows: {}});
    }
    const steps = (!kind.self && model.get('step')) || Infinity;
    const written = writtenOf(sheet, steps);
    const lock = lockOf(sheet, written);
    const over = view.over && (cellAt(view.over).row ?? 0) < written ? view.over : null;
    if (own.best?.written !== written) own.best = {...strongest(own, written), written};
    const best = own.best;
    const base = {side: 'query', at: best.row, far: pre ? null : best.column};
    const whole = cursor => resolved(sheet, cursor, written);
    const main = written
      ? whole(lock ?? over ?? base)
      : {values: new Float64Array(sheet.m), cursor: {side: 'query', at: -1, far: -1}};
    const other = lock && over && !alike(lock, over) ? whole(over) : null;
    const A = main.cursor;
    const B = other?.cursor ?? null;
    const values = main.values;
    const compared = other?.values ?? null;
    const here = {sheet, ...main};
    const lists = pre
      ? [{sheet: own, cursor: A, values: series(own, A, written)}, here]
      : B && B.side === A.side
        ? [here, {sheet, ...other}]
        : [here];
    return {
      facts,
      g,
      kind,
      moment: Math.floor(g / facts.kinds.length),
      courses: moments && coursesOf({g, screen, sheet, A, B, ...(pre ?? {layer, head})}),
      layer,
      head,
      pre,
      sheet,
      own,
      axes: sheet,
      A,
      B,
      values,
      compared,
      lists,
      lock,
      screen,
      ...gridOf(
        g,
        screen,
        own,
        written ? cellAt(resolved(own, lock ?? {...base, far: best.column}, written).cursor) : null,
      ),
      steps,
      written,
      threshold: model.get('threshold'),
      scale: model.get('scale'),
      view: view.zoom ?? wholeView(sheet),
      links: (own.links ??= linksOf(kind.gold, own)),
    };
  }
  // The weight in focus at each checkpoint, and the one compared; null until they come, none of a
  // roll-up.
  function coursesOf({g, layer, head, screen, sheet: {rows, columns}, ...cursors}) {
    if (cursors.A.at < 0 || typeof layer === 'string' || typeof head === 'string') return [];
    const found = [cursors.A, cursors.B]
      .filter(Boolean)
      .map(cellAt)
      .map(({row, column}) => {
        const weights = now(source.course(g, layer, head, rows[row], columns[column], screen));
        return weights && {weights, query: rows[row], key: columns[column]};
      });
    view.busy ||= !found.every(Boolean);
    return found.every(Boolean) ? found : null;
  }
  // What the grid is drawn from; thumbnails and order stay as they are until the new ones come.
  function gridOf(g, screen, {rows, columns}, at) {
    const sort = model.get('sort') === 'cell' && !at ? 'place' : model.get('sort');
    const {row, column} = at ?? {};
    const rollup =
      source.kindOf(g).self || model.get('rollup') !== 'rollout' ? model.get('rollup') : 'mean';
    const scores = now(source.scores(g, screen));
    const thumbs = now(source.thumbs(g, rollup, screen));
    const ranking =
      sort === 'place'
        ? null
        : sort === 'cell'
          ? now(source.cell(g, rows[row], columns[column], screen))
          : (scores?.[sort] ?? null);
    view.busy ||= !scores || !thumbs || (sort !== 'place' && !ranking);
    const before = view.grid && source.kindOf(view.grid.g) === source.kindOf(g) ? view.grid : {};
    const held = before.sort === sort ? before : {};
    const order = ranking && `${g} ${sort === 'cell' ? `${row} ${column}` : ''}${ending(screen)}`;
    view.grid = {
      g,
      sort,
      rollup,
      least: model.get('least'),
      thumbs: thumbs ?? before.thumbs,
      ranking: ranking ?? held.ranking,
      rankingKey: order ?? held.rankingKey,
    };
    return {...view.grid, scores, scoresKey: scores ? ending(screen) : 'none'};
  }
  // What has come; what has not is drawn when it comes.
  const waited = new WeakSet();
  function now(value) {
    if (!(value instanceof Promise)) return value;
    if (!waited.has(value)) value.then(later);
    waited.add(value);
    return null;
  }

  // ---- from a scene to the picture
  const made = {};
  function once(name, parts, make) {
    const key = parts.join('|');
    if (made[name]?.key !== key) made[name] = {key, value: make()};
    return made[name].value;
  }
  // What the lines' window is around: the cursor; under the pointer a faint cell gives way to the
  // strongest of its row.
  function inWindow({A, B, values}) {
    if (view.by === 'keys') return cellAt(B ?? A);
    return cellAt(values[A.far] >= READ ? A : {...A, far: firstLargest(values)});
  }
  const later = () => {
    if (!view.queued && !signal.aborted) {
      view.queued = requestAnimationFrame(() => {
        view.queued = 0;
        draw();
      });
    }
  };
  function looks() {
    const face = getComputedStyle(root).fontFamily;
    if (view.face !== face || view.theme !== root.dataset.theme) {
      const tone = palette(root);
      Object.assign(view, {
        face,
        theme: root.dataset.theme,
        tone,
        fonts: new Map(),
        pixels: Uint32Array.from({length: 256}, (_, i) =>
          channels(ramp(tone.seq, i / 255)).reduce((all, v, k) => all | (v << (8 * k)), 255 << 24),
        ),
      });
      for (const pane of [grid, heat, lines]) pane.key = '';
    }
    const measure = (text, font = '12px') =>
      (view.fonts.get(font) ?? view.fonts.set(font, measurer(`${font} ${view.face}`)).get(font))(
        text,
      );
    return {
      tone: view.tone,
      pixels: view.pixels,
      theme: view.theme,
      measure,
      ratio: Math.max(2, devicePixelRatio || 1),
    };
  }
  function draw() {
    if (!stage.clientWidth || signal.aborted) return;
    const found = sceneOf();
    root.setAttribute('aria-busy', view.busy && !problem.textContent);
    if (!found) return;
    const wide = stage.clientWidth >= (single ? 900 : 800);
    const scene = (view.scene = {...found, ...looks(), wide});
    scene.accent = scene.pre ? scene.tone.second : scene.tone.focus;
    view.width = stage.clientWidth;
    stage.classList.toggle('wide', wide);
    const {A, B, sheet, layer, head, pre, kind, lock} = scene;
    const left = side.clientWidth;
    const right = main.clientWidth;
    const place = (view.place = once(
      'place',
      [right, sheet.axes, wide, view.face, JSON.stringify(scene.view)],
      () => placeOf(scene, right),
    ));
    const at = inWindow(scene);
    const frozen = view.by === 'lines' && view.windows.query;
    for (const [name, total, token] of [
      ['query', sheet.n, at.row],
      ['key', sheet.m, at.column],
    ]) {
      const before = view.windows[name];
      const {count} = place[name];
      view.windows[name] =
        frozen && before?.count === count && !place[name].fixed
          ? before
          : windowOf({...place[name], count}, before?.from, total, token);
    }
    showMoments?.(scene, stage.clientWidth);
    view.plan = drawGrid(grid, scene, left);
    fall.classList.toggle('ranked', view.plan.ranked);
    once('order', [scene.g, scene.sort, scene.rankingKey, view.plan.ranked], () => {
      const focus = view.plan.ranked && cellOf(view.plan, layer, head);
      if (focus) showTile(fall, focus);
    });
    drawHeat(heat, scene, place);
    drawLines(lines, scene, place, {query: view.windows.query, key: view.windows.key});
    drawList(list, scene, left);
    once(
      'titles',
      [
        sheet.key,
        left,
        right,
        scene.theme,
        scene.scale,
        layer,
        head,
        Boolean(pre),
        scene.scoresKey,
        scene.sort,
        Boolean(scene.ranking),
      ],
      () => titles(scene, left, right),
    );
    overview(scene);
    once(
      'bars',
      [
        kind.name,
        ...CONTROLS.map(name => model.get(name)),
        scene.rankingKey,
        Boolean(scene.ranking),
      ],
      () => {
        showBar({kind, model});
        showGrid({kind, model, ranking: scene.ranking});
      },
    );
    showZoom(scene.view, sheet);
    words(scene);
    const cell = cellAt(A);
    const ready = root.dataset.ready || Boolean(scene.thumbs && (!moments || scene.courses));
    Object.assign(root.dataset, {
      kind: kind.name,
      layer: pre?.layer ?? layer,
      head: pre?.head ?? head,
      query: cell.row < 0 ? 0 : sheet.rows[cell.row].from + 1,
      key: cell.row < 0 ? 0 : sheet.columns[cell.column].from + 1,
      side: A.side,
      locked: Boolean(lock),
      preview: Boolean(pre),
      step: kind.self ? '' : model.get('step'),
      ...(moments ? {checkpoint: facts.checkpoints[scene.moment]} : {}),
      compare: B
        ? `${B.side} ${(B.side === 'query' ? sheet.rows : sheet.columns)[B.at].from + 1}`
        : '',
      sort: scene.sort,
      zoom: isZoomed(scene.view, sheet),
      rows: `${scene.view.q0 + 1}-${scene.view.q0 + scene.view.qn}`,
      columns: `${scene.view.k0 + 1}-${scene.view.k0 + scene.view.kn}`,
      ...(ready ? {ready: 'true'} : {}),
    });
  }
  // A picture has no controls and no gap where they stood; of sorted heads it has the rows in
  // sight, whole.
  function pictured(take) {
    const {scrollTop, clientHeight} = fall;
    const {ranked, pitch} = view.plan ?? {};
    root.style.height = `${root.offsetHeight}px`; // so that the page does not scroll
    root.classList.add('pictured');
    if (ranked) {
      const from = Math.floor(scrollTop / pitch);
      const to = Math.ceil((scrollTop + clientHeight - 12) / pitch);
      fall.style.maxHeight = `${(to - from) * pitch}px`;
      fall.scrollTop = from * pitch;
    }
    try {
      return take();
    } finally {
      root.classList.remove('pictured');
      root.style.height = fall.style.maxHeight = '';
      fall.scrollTop = scrollTop;
    }
  }
  function words({
    A,
    B,
    moment,
    sheet,
    pre,
    lock,
    kind,
    layer,
    head,
    screen,
    steps,
    values,
    scores,
    ranking,
  }) {
    said.setAttribute('aria-live', view.by === 'keys' || !view.over ? 'polite' : 'off');
    said.classList.toggle('second', Boolean(pre));
    const when = moments ? [`At ${momentName(facts.checkpoints[moment])}, `] : [];
    say(said, [...when, ...sentenceOf({sheet, screen, steps}, A, values)]);
    const name = lock && label((lock.side === 'query' ? sheet.rows : sheet.columns)[lock.at], 14);
    state.textContent = pre
      ? `preview of head ${brief(pre.layer, pre.head)} · click opens`
      : lock
        ? `${name} locked · Esc frees`
        : 'point to preview · click to lock';
    state.classList.toggle('on', Boolean(lock && !pre));
    heading.textContent =
      facts.title ||
      `${facts.kinds.length > 1 ? `Attention (${readable(kind.name)})` : kind.self ? 'Self-attention' : 'Attention'}, ${many(kind.layers, 'layer')} with ${many(kind.heads, 'head')}, ${kind.self ? many(kind.queries.length, 'token') : `${many(kind.queries.length, 'query', 'queries')} on ${many(kind.keys.length, 'key')}`}`;
    const shown = pre ?? {layer, head};
    scoreLine.textContent = scoresText({scores, kind, sheet, screen}, shown.layer, shown.head);
    reading.textContent = readingOf({sheet}, B ?? A);
    holdHeights([said, scoreLine, reading].filter(grown), view.width);
    say(foot, [
      ...(kind.gold
        ? [
            {b: 'Gold'},
            ' outlines are the links that were given: full for sure ones, dashed for possible ones. ',
          ]
        : []),
      'A weight says where a head reads from, not why the model answers as it does. ',
      ...(single ? [] : ['Each thumbnail is scaled to its own largest weight. ']),
      ...(single || ranking
        ? []
        : ['Bars are the mean entropy of heads: point at one for its number. ']),
      {kbd: 'Tab'},
      ' pane, ',
      {kbd: '←'},
      ' ',
      {kbd: '↑'},
      ' ',
      {kbd: '↓'},
      ' ',
      {kbd: '→'},
      ' move, ',
      {kbd: 'Enter'},
      ' or click locks, ',
      {kbd: 'Esc'},
      ' frees, ',
      {kbd: '+'},
      ' ',
      {kbd: '−'},
      ' zoom.',
    ]);
  }
  // Only a text that is longer than all before can move what is below: measured then, not at each
  // hover.
  function grown(node) {
    const long = node.textContent.length;
    if (node.dataset.width === String(view.width) && long <= Number(node.dataset.long)) {
      return false;
    }
    node.dataset.long = long;
    return true;
  }
  const many = (n, one, more = one + 's') =>
    `${String(n).replace(/\B(?=(\d{3})+$)/g, ',')} ${n === 1 ? one : more}`;
  function titles(
    {tone, layer, head, pre, scale, sheet, measure, kind, scores, sort, ranking},
    left,
    right,
  ) {
    blank(gridTitle, left, 24);
    svg(gridTitle, 'text', {x: 0, y: 16, class: 'large strong'}, 'All heads');
    svg(
      gridTitle,
      'text',
      {x: left, y: 16, 'text-anchor': 'end', class: 'soft'},
      ranking
        ? `${lowIsBest(sort) ? 'lowest' : 'highest'} ${SCORES[sort] ?? sort} first`
        : 'rows: layers, columns: heads',
    );
    const at = pre ?? {layer, head};
    const low = {linear: '0', log: '0.0001', row: '0'}[scale];
    const high = {linear: weight(sheet.most), log: '1', row: 'row max'}[scale];
    blank(title, right, 26);
    const all = named(at.layer, at.head);
    const name = cutTo(all, right - measure(low) - measure(high) - 48, measure, '700 15px');
    const error =
      kind.gold && scores?.error && typeof at.layer === 'number' && typeof at.head === 'number'
        ? `error rate ${scores.error[placeOfLayer(kind, at.layer)][at.head].toFixed(2)}`
        : '';
    const start = measure(name, '700 15px') + 12;
    const from = right > 520 && !error ? `weight ${low}` : low;
    const end = right - measure(high) - 6;
    const wide = Math.max(24, Math.min(96, end - start - measure(error) - measure(from) - 24));
    const x = end - wide;
    svg(title, 'text', {x: 0, y: 16, class: `large ${pre ? 'second' : 'strong'}`}, name);
    if (error && start + measure(error) + measure(from) + 18 < x) {
      svg(title, 'text', {x: start, y: 16, class: 'mid soft'}, error);
    }
    svg(title, 'text', {x: x - 6, y: 16, 'text-anchor': 'end', class: 'soft'}, from);
    for (let i = 0; i < 32; i++) {
      svg(title, 'rect', {
        x: x + (i * wide) / 32,
        y: 7,
        width: wide / 32 + 0.4,
        height: 10,
        fill: ramp(tone.seq, i / 31),
      });
    }
    svg(title, 'text', {x: right, y: 16, 'text-anchor': 'end', class: 'soft'}, high);
  }
  // All of the map in little, while a part of it is in sight.
  function overview({sheet, view: seen, tone, theme, scale, ratio, ...scene}) {
    const shown = isZoomed(seen, sheet);
    small.hidden = !shown;
    if (!shown) return;
    const high = Math.max(14, Math.min(72, (72 * sheet.n) / sheet.m));
    const wide = Math.max(14, Math.min(72, (72 * sheet.m) / sheet.n));
    const key = [sheet.key, theme, scale, ratio, scene.written, JSON.stringify(seen)].join();
    if (small.dataset.key === key) return;
    small.dataset.key = key;
    paintHeat(small, sheet, wholeView(sheet), {...scene, tone, scale, ratio}, wide, high);
    const drawing = small.getContext('2d');
    Object.assign(drawing, {
      fillStyle: tone.bg,
      strokeStyle: tone.focus,
      lineWidth: 2,
      globalAlpha: 0.92,
    });
    drawing.fillRect(0, (scene.written / sheet.n) * high, wide, high);
    drawing.globalAlpha = 1;
    drawing.strokeRect(
      (seen.k0 / sheet.m) * wide + 1,
      (seen.q0 / sheet.n) * high + 1,
      Math.max(3, (seen.kn / sheet.m) * wide - 2),
      Math.max(3, (seen.qn / sheet.n) * high - 2),
    );
  }

  handle({
    root,
    stage,
    heatNode,
    lineNode,
    fall,
    model,
    view,
    set,
    draw,
    later,
    signal,
    zoomBy,
    grid,
  });
  function zoomBy(factor, row, column) {
    if (!view.scene) return;
    const {sheet, A, B, view: seen} = view.scene;
    const cell = cellAt(B ?? A);
    view.zoom = factor ? zoomed(seen, sheet, factor, row ?? cell.row, column ?? cell.column) : null;
    if (factor && row === undefined) view.zoom = inSight(view.zoom, sheet, cell.row, cell.column);
    draw();
  }
  hear(CONTROLS, later);
  root.shown = () => ({
    rows: view.scene.sheet.rows.map(({text}) => text),
    columns: view.scene.sheet.columns.map(({text}) => text),
    values: [...view.scene.sheet.values],
    links: view.scene.links,
  });
  root.thumb = (layer, head) => ({
    rows: view.scene.thumbs.rows,
    columns: view.scene.thumbs.columns,
    bytes: [...view.scene.thumbs.at.get(brief(layer, head))],
  });
  root.cellOf = (layer, head) => cellOf(view.plan, layer, head);
  followTheme(root, draw, signal);
  followSize(stage, draw, signal);
  draw();
  return {end, field};
}
// Another text, by hand or from Python, opens the view anew.
function render({model, el}) {
  let {end, field} = explore({model, el});
  const again = () => {
    const writing = field?.contains(document.activeElement);
    end();
    ({end, field} = explore({model, el}));
    if (writing) field.querySelector('input').focus();
  };
  model.on('change:facts', again);
  return () => {
    model.off('change:facts', again);
    end();
  };
}
export default {render};
