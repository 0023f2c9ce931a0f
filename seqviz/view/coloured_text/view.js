// A text coloured by one unit. Text, chart and panel share one cursor.

import {
  ask,
  followSize,
  followTheme,
  html,
  keep,
  listen,
  measurer,
  mount,
  onKeys,
  palette,
  put,
  readable,
  say,
  share,
  supply,
  svg,
} from '../shared/base.js';
import {exportButtons} from '../shared/export.js';
import {drawChart, drawPanel, number, scale} from './panes.js';

const BOX = 24;
const PITCH = 30;
const EDGE = 5; // the edge leaves room for the frame

// ---- where the tokens stand: lines break after a new line, and before a word that does not fit
function arrange(tokens, width, measure) {
  const words = tokens.some(token => [...token].length > 1);
  const gap = words ? 3 : 0;
  const pad = words ? 8 : 0;
  const letter = measure('0');
  const cells = tokens.map(token => {
    let text = token === ' ' ? ' ' : readable(token);
    const room = width - pad - gap;
    if (measure(text) > room) {
      text = readable(token, Math.max(2, Math.floor(([...text].length * room) / measure(text))));
    }
    return {text, w: Math.min(room, Math.max(letter, measure(text))) + pad, x: 0, row: 0};
  });
  const lines = [];
  let from = 0;
  let stop = 0;
  let x = 0;
  const close = to => {
    lines.push([from, to]);
    from = to;
  };
  tokens.forEach((token, t) => {
    if (x + cells[t].w > width && t > from) {
      close(stop > from ? stop : t);
      x = cells.slice(from, t).reduce((sum, cell) => sum + cell.w + gap, 0);
    }
    x += cells[t].w + gap;
    if (words || /\s$/.test(token)) stop = t + 1;
    if (token.endsWith('\n')) {
      close(t + 1);
      x = 0;
    }
  });
  if (from < tokens.length) close(tokens.length);
  lines.forEach(([a, b], row) => {
    for (let t = a, at = 0; t < b; at += cells[t].w + gap, t++) {
      Object.assign(cells[t], {x: at, row});
    }
  });
  return {cells, lines};
}

// ---- the numbers that the page holds about one reading
function open(model, signal, complain) {
  const facts = model.get('facts');
  const get = supply(model, signal, complain);
  const T = facts.tokens.length;
  const next = facts.forecast && get('next');
  const k = next && (next.length / T - 2) / 2;
  const busiest = facts.units > 1 && get('busiest');
  const b = busiest && busiest.length / T / 2;
  return {
    ...facts,
    facts,
    T,
    get,
    varied: facts.units > 1 ? get('varied') : [],
    expected(t) {
      if (!next) return null;
      const row = next.subarray(t * (2 * k + 2), (t + 1) * (2 * k + 2));
      const guesses = Array.from({length: k}, (_, i) => ({
        token: facts.words[row[i]],
        p: row[k + i],
      }));
      return {guesses, came: facts.tokens[t + 1], p: row[2 * k], rank: row[2 * k + 1]};
    },
    busy: t =>
      Array.from({length: b || 0}, (_, i) => ({
        unit: busiest[2 * b * t + i],
        value: busiest[2 * b * t + b + i],
      })),
  };
}
function rows(reading, values, unit) {
  const head = ['position', 'token', `${reading.name} ${unit}`];
  if (reading.forecast) {
    head.push('expected next', 'its probability', 'came next', 'probability of that');
  }
  return [
    head,
    ...reading.tokens.map((token, t) => {
      const next = reading.expected(t);
      const row = [String(t + 1), token, values[t]];
      return next
        ? [
            ...row,
            next.guesses[0].token,
            next.guesses[0].p,
            next.came ?? '',
            Number.isNaN(next.p) ? '' : next.p,
          ]
        : row;
    }),
  ];
}
function sentence(reading, values, unit, t) {
  const name = `${reading.name[0].toUpperCase()}${reading.name.slice(1)} ${unit}`;
  const token = text => ['“', {i: readable(text, 12)}, '”'];
  if (t < 0) {
    const far = values.reduce(
      (best, value, k) => (Math.abs(value) > Math.abs(values[best]) ? k : best),
      0,
    );
    return [
      {b: `${name} goes from ${number(Math.min(...values))} to ${number(Math.max(...values))}`},
      '; it is strongest at ',
      ...token(reading.tokens[far]),
      `, ${reading.kind} ${far + 1}.`,
    ];
  }
  const pieces = [{b: `${name} is ${number(values[t])}`}, ' at ', ...token(reading.tokens[t])];
  const next = reading.expected(t);
  if (!next) return [...pieces, `, ${reading.kind} ${t + 1} of ${reading.T}.`];
  pieces.push(
    '; next the model expects ',
    ...token(next.guesses[0].token),
    ` (${share(next.guesses[0].p)})`,
  );
  if (next.came === undefined) return [...pieces, '.'];
  if (next.rank === 1) return [...pieces, ', and it came.'];
  return [
    ...pieces,
    ', but ',
    ...token(next.came),
    ` came (${Number.isNaN(next.p) ? 'unknown to it' : share(next.p)}).`,
  ];
}

export default {
  render({model, el}) {
    const {root, signal, end} = mount(el, 'text', 'a text coloured by one unit of a model');
    const spoken = html(root, 'p', {class: 'say', 'aria-live': 'polite'});
    const own = html(root, 'form', {class: 'bar own'});
    const problem = html(root, 'p', {class: 'problem', role: 'alert'});
    const bar = html(root, 'div', {class: 'bar'});
    const stage = html(root, 'div', {
      class: 'stage',
      tabindex: 0,
      role: 'group',
      'aria-label':
        'coloured text: left and right arrows move the cursor, up and down change the unit, Enter locks, Escape frees',
    });
    const left = html(stage, 'div');
    const scroll = html(left, 'div', {class: 'scroll', tabindex: -1});
    const sheet = html(scroll, 'div');
    const letters = svg(sheet, 'svg', {class: 'letters', 'aria-hidden': true});
    const chart = svg(left, 'svg', {class: 'chart', 'aria-hidden': true});
    const panel = html(stage, 'div', {class: 'panel'});
    const card = svg(panel, 'svg', {'aria-hidden': true});
    const buttons = Array.from({length: 5}, () => html(panel, 'button', {type: 'button'}));
    const foot = html(root, 'p', {class: 'foot'});

    // a reading, its place at this width, the range in sight, what is drawn now; over = position
    // under the pointer
    let load;
    let reading;
    let place;
    let range;
    let frames;
    let now;
    let chartAt;
    let over = null;
    let due = false;
    const limited = (value, low, high) => Math.max(low, Math.min(high, value));
    const locked = () => limited(model.get('cursor'), 0, reading.T) - 1;
    const at = () => (over === null ? locked() : over - 1); // a run may have made the text shorter
    const unitNow = () => limited(model.get('unit'), 1, reading.units);
    // else a redraw is to come
    const current = () => now && stage.clientWidth && reading.facts === model.get('facts');
    const complain = text => {
      if (problem.textContent !== text) problem.textContent = text;
    };
    const set = (name, value) => keep(model, {[name]: value}, complain);
    const setUnit = unit => Number.isInteger(unit) && set('unit', limited(unit, 1, reading.units));
    function moveTo(cursor) {
      over = null;
      set('cursor', cursor);
      follow();
    }
    function follow() {
      reveal();
      point();
    }
    function reveal() {
      const top = PITCH * place.cells[at()]?.row;
      if (at() >= 0) {
        scroll.scrollTop = limited(scroll.scrollTop, top + PITCH - scroll.clientHeight, top);
      }
    }

    // ---- from the most that can change to the least
    function renew() {
      // a new text brings facts and numbers: one restart for both
      if (!due) {
        queueMicrotask(() => {
          due = false;
          if (!signal.aborted) restart();
        });
      }
      due = true;
    }
    function restart() {
      load?.abort();
      load = new AbortController();
      over = range = null;
      reading = open(model, load.signal, complain);
      spoken.className = `say ${reading.kind} ${reading.forecast ? 'long' : 'short'}`;
      fillControls();
      if (stage.clientWidth) layout();
    }
    function layout() {
      const measure = measurer(`16px ${getComputedStyle(root).getPropertyValue('--sv-mono')}`);
      const fit = width => {
        place = {...arrange(reading.tokens, width - 2 * EDGE, measure), width, measure};
        sheet.style.height = `${place.lines.length * PITCH}px`;
      };
      fit(scroll.clientWidth);
      if (scroll.clientWidth !== place.width) fit(scroll.clientWidth);
      if (range)
      // at a new width the reader stays where he was
      {
        scroll.scrollTop = PITCH * place.cells[range[0]].row;
      } else {
        scroll.scrollTop = 0;
        reveal();
      }
      paint();
    }
    function paint() {
      if (!stage.clientWidth) return;
      const unit = unitNow();
      const values = reading.get(`unit ${unit}`);
      const waiting = values instanceof Promise;
      root.setAttribute('aria-busy', waiting);
      if (waiting) return values.then(paint);
      const tone = palette(root);
      now = {
        reading,
        values,
        unit,
        tone,
        paint: scale(reading, values, tone),
        measure: place.measure,
      };
      complain(model.get('problem') ?? '');
      showControls();
      write();
      point();
      root.dataset.ready = 'true';
    }
    function inSight() {
      const line = y => place.lines[limited(Math.floor(y / PITCH), 0, place.lines.length - 1)];
      return [line(scroll.scrollTop + 1)[0], line(scroll.scrollTop + scroll.clientHeight - 1)[1]];
    }
    function write() {
      if (!now) return; // the first values are still on their way
      letters.replaceChildren();
      range = inSight();
      for (let t = range[0]; t < range[1]; t++) {
        const {x, w, row, text} = place.cells[t];
        const value = now.values[t];
        svg(letters, 'rect', {
          x,
          y: row * PITCH + 3,
          width: w,
          height: BOX,
          rx: 2,
          fill: now.paint.fill(value),
        });
        if (text !== ' ') {
          svg(
            letters,
            'text',
            {
              x: x + w / 2,
              y: row * PITCH + 20,
              class: 'token',
              style: `fill:${now.paint.ink(value)}`,
            },
            text,
          );
        }
      }
      frames = [2, 5, 2.5].map(width =>
        svg(letters, 'rect', {fill: 'none', rx: 3, height: BOX + 3, 'stroke-width': width}),
      );
      const tall = Math.min(scroll.clientHeight, place.lines.length * PITCH);
      put(null, letters, {
        height: tall,
        viewBox: `${-EDGE} ${scroll.scrollTop} ${place.width} ${tall}`,
      });
    }
    function scrolled() {
      write();
      point();
    }
    function point() {
      if (!now) return;
      const t = at();
      const {ink, bg, focus} = now.tone;
      [
        [locked(), ink],
        [t, bg],
        [t, focus],
      ].forEach(([which, stroke], k) => {
        // the locked token stays in sight under a preview
        const {x, w, row} = place.cells[which] ?? {};
        put(
          null,
          frames[k],
          which < 0
            ? {visibility: 'hidden'}
            : {visibility: 'visible', x: x - 1.5, y: row * PITCH + 1.5, width: w + 3, stroke},
        );
      });
      chartAt = drawChart(chart, left.clientWidth, now, range, t);
      drawPanel(card, buttons, panel.clientWidth, now, t);
      say(spoken, sentence(reading, now.values, now.unit, t));
      Object.assign(root.dataset, {cursor: t + 1, unit: now.unit, locked: locked() >= 0});
    }

    // ---- controls
    let field;
    let slider;
    let list;
    function fillControls() {
      bar.replaceChildren();
      if (reading.units > 1) {
        const step = (text, by, label) =>
          html(bar, 'button', {type: 'button', 'aria-label': label}, text).addEventListener(
            'click',
            () => setUnit(unitNow() + by),
          );
        step('◀', -1, `previous ${reading.name}`);
        const label = html(bar, 'label', {}, `${reading.name} `);
        field = html(label, 'input', {type: 'number', min: 1, max: reading.units});
        label.append(` of ${reading.units}`);
        step('▶', 1, `next ${reading.name}`);
        slider = html(bar, 'input', {
          type: 'range',
          min: 1,
          max: reading.units,
          'aria-label': reading.name,
        });
        field.addEventListener('input', () => setUnit(field.valueAsNumber));
        for (const done of ['blur', 'change']) {
          field.addEventListener(done, () => {
            field.value = model.get('unit');
          });
        }
        slider.addEventListener('input', () => setUnit(slider.valueAsNumber));
        list = html(html(bar, 'label', {}, 'find '), 'select', {
          'aria-label': `find a ${reading.name}: the ones that vary most come first`,
        });
        html(list, 'option', {value: ''}, 'most varied');
        for (let k = 0; k < reading.varied.length; k += 2) {
          html(
            list,
            'option',
            {value: reading.varied[k]},
            `${reading.name} ${reading.varied[k]}  ± ${number(reading.varied[k + 1])}`,
          );
        }
        list.addEventListener('change', () => {
          if (list.value) setUnit(Number(list.value));
          else showControls();
        });
      }
      exportButtons(bar, {root, model, signal: load.signal, complain}, () =>
        rows(reading, now.values, now.unit),
      );
    }
    function showControls() {
      if (reading.units === 1) return;
      if (document.activeElement !== field) field.value = unitNow();
      slider.value = unitNow();
      list.value = String(unitNow());
      if (list.selectedIndex < 0) list.value = '';
    }
    function ownText() {
      html(own, 'span', {class: 'soft', 'aria-hidden': 'true'}, 'your own text');
      const input = html(own, 'input', {
        type: 'text',
        maxlength: 5000,
        'aria-label': 'your own text',
        autocomplete: 'off',
        spellcheck: 'false',
      });
      const button = html(own, 'button', {type: 'submit'}, 'Run');
      if (model.kernel === false) {
        input.disabled = button.disabled = true;
        return html(
          own,
          'span',
          {class: 'soft'},
          'needs a running kernel: open the notebook to use it',
        );
      }
      let ran = () => {};
      const idle = yes => {
        button.disabled = !yes;
        button.textContent = yes ? 'Run' : 'running …';
      };
      own.addEventListener(
        'submit',
        event => {
          event.preventDefault();
          idle(false);
          ran = ask(model, {run: input.value}, signal, text => {
            complain(text);
            idle(true);
          });
        },
        {signal},
      );
      listen(
        model,
        'msg:custom',
        message => {
          if (!message.ran) return;
          ran();
          idle(true);
          complain(model.get('problem') ?? '');
        },
        signal,
      );
    }

    // ---- pointer and keys
    function hit(event) {
      const text = scroll.getBoundingClientRect();
      const plotted = chart.getBoundingClientRect();
      const {clientX: x, clientY: y} = event;
      const inside = box => x >= box.left && x < box.right && y >= box.top && y < box.bottom;
      if (inside(plotted)) return chartAt(x - plotted.left);
      const line =
        inside(text) && place.lines[Math.floor((y - text.top + scroll.scrollTop) / PITCH)];
      if (!line) return null;
      for (let t = line[0]; t < line[1]; t++) {
        if (x - text.left - EDGE < place.cells[t].x + place.cells[t].w) return t;
      }
      return null;
    }
    function hover(t) {
      const position = t === null ? null : t + 1;
      if (position === over) return;
      over = position;
      point();
    }
    let spot = ''; // a browser also reports a move when the text scrolls under a still pointer
    stage.addEventListener(
      'pointermove',
      event => {
        if (spot === (spot = `${event.clientX} ${event.clientY}`)) return;
        hover(hit(event));
      },
      {signal},
    );
    stage.addEventListener('pointerleave', () => hover(null), {signal});
    stage.addEventListener(
      'click',
      event => {
        const button = event.target.closest('button');
        if (button) return setUnit(Number(button.dataset.unit));
        const t = hit(event);
        stage.focus({preventScroll: true});
        if (t !== null) set('cursor', locked() === t ? 0 : t + 1);
      },
      {signal},
    );
    panel.addEventListener(
      'keydown',
      event => {
        if (event.key === 'Enter') event.stopPropagation();
      },
      {signal},
    );
    onKeys(
      stage,
      {
        ArrowLeft: () => moveTo(limited(at(), 1, reading.T)),
        ArrowRight: () => moveTo(limited(at() + 2, 1, reading.T)),
        Home: () => moveTo(1),
        End: () => moveTo(reading.T),
        ArrowUp: () => setUnit(unitNow() - 1),
        ArrowDown: () => setUnit(unitNow() + 1),
        Enter: () => moveTo(at() + 1),
        Escape: () => {
          stage.focus({preventScroll: true});
          moveTo(0);
        },
      },
      signal,
    );
    scroll.addEventListener('scroll', scrolled, {signal});

    foot.append('Colour and height say the same. Point at the text or the chart; click locks. ');
    for (const [key, does] of [
      ['← →', 'move'],
      ['↑ ↓', 'unit'],
      ['Home End', 'first, last'],
      ['Enter', 'locks'],
      ['Esc', 'frees'],
    ]) {
      html(foot, 'kbd', {}, key);
      foot.append(` ${does}  `);
    }
    if (model.get('facts').live) ownText();
    else own.remove();
    listen(model, 'change:first', renew, signal);
    listen(model, 'change:facts', renew, signal);
    listen(
      model,
      'change:unit',
      () => {
        if (current()) paint();
      },
      signal,
    );
    listen(
      model,
      'change:cursor',
      () => {
        if (current()) follow();
      },
      signal,
    );
    listen(model, 'change:problem', () => complain(model.get('problem')), signal);
    signal.addEventListener('abort', () => load.abort());
    complain(model.get('problem') ?? '');
    followTheme(
      root,
      () => {
        if (current()) paint();
      },
      signal,
    );
    restart();
    followSize(stage, layout, signal);
    return end;
  },
};
