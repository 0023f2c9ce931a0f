// The picture of the unrolled net: the chain of steps, the equation of one step, a unit through
// time.
// Each part takes the scene (what is shown), draws an svg into the stage, and returns what lies
// under a point.

import {channels, html, inkOn, ramp, readable, share, signed, svg} from '../shared/base.js';
import {dot} from './net.js';

// ---- text
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u;
const ems = text =>
  [...text].reduce((sum, c) => sum + (/\p{M}/u.test(c) ? 0 : wide.test(c) ? 1.3 : 0.61), 0);
// A token in its place: smaller where it is long, cut where it is very long.
function token(parent, text, x, y, room, size, attributes = {}, fill = '') {
  let label = readable(text);
  const fit = Math.max(11, Math.min(size, room / ems(label)));
  while (ems(label) * fit > room && label.length > 2) {
    label = [...label.replace(/…$/, '')].slice(0, -1).join('') + '…';
  }
  return svg(
    parent,
    'text',
    {
      x,
      y,
      'text-anchor': 'middle',
      style: `font-size:${fit.toFixed(1)}px${fill && `;fill:${fill}`}`,
      ...attributes,
      class: 'mono ' + (attributes.class ?? ''),
    },
    label,
  );
}
function symbol(parent, x, y, letter, below, attributes = {}) {
  const text = svg(
    parent,
    'text',
    {x, y, 'text-anchor': 'middle', ...attributes, class: 'mid ' + (attributes.class ?? '')},
    letter,
  );
  svg(text, 'tspan', {dy: 4, class: 'below'}, below);
}
// At most five signs, whatever the size.
function figure(value) {
  const size = Math.abs(value);
  return size < 9.995
    ? signed(value)
    : size < 99.95
      ? signed(value, 1)
      : size < 9999.5
        ? signed(value, 0)
        : value.toExponential(0).replace('-', '−').replace('+', '');
}

// ---- marks
const largest = values => values.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-9);
const shade = (tone, value, most = 1) => ramp(tone.div, 0.5 + value / most / 2);
function frame(parent, x, y, width, height, stroke, tone, weight = 2) {
  const box = {x, y, width, height, fill: 'none', rx: 4};
  if (stroke === tone.focus) {
    svg(parent, 'rect', {...box, stroke: tone.bg, 'stroke-width': weight + 2});
  }
  svg(parent, 'rect', {...box, stroke, 'stroke-width': weight});
}
function arrow(parent, x1, y1, x2, y2, stroke, weight) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const ux = (x2 - x1) / length;
  const uy = (y2 - y1) / length;
  const q = weight * 2.2;
  const w = q * 0.7;
  svg(parent, 'line', {x1, y1, x2: x2 - ux * q, y2: y2 - uy * q, stroke, 'stroke-width': weight});
  svg(parent, 'path', {
    d: `M${x2} ${y2}L${x2 - ux * q - uy * w} ${y2 - uy * q + ux * w}L${x2 - ux * q + uy * w} ${y2 - uy * q - ux * w}Z`,
    fill: stroke,
  });
}
// A matrix is painted once, a pixel for each weight, in 33 shades; every step shows that picture.
function bitmap({drawn, shapes, net, tone}, name) {
  if (!drawn.has(name)) {
    const [height, width] = shapes[name];
    const canvas = html(null, 'canvas', {width, height});
    const pen = canvas.getContext('2d');
    const pixels = pen.createImageData(width, height);
    const most = largest(net[name]);
    net[name].forEach((v, i) =>
      pixels.data.set([...channels(shade(tone, Math.round((16 * v) / most), 16)), 255], 4 * i),
    );
    pen.putImageData(pixels, 0, 0);
    drawn.set(name, canvas.toDataURL());
  }
  return drawn.get(name);
}
function matrix(parent, scene, name, x, y, width, height) {
  svg(parent, 'image', {
    href: bitmap(scene, name),
    x,
    y,
    width,
    height,
    preserveAspectRatio: 'none',
    style: 'image-rendering: pixelated',
  });
  frame(parent, x - 1, y - 1, width + 2, height + 2, scene.tone.weight[name], scene.tone, 2.5);
}
function column(parent, scene, values, x, y, width, numbers, most = 1) {
  const {ch, tone} = scene;
  const gap = ch > 8 ? 1 : 0.3;
  values.forEach((value, k) => {
    const fill = shade(tone, value, most);
    svg(parent, 'rect', {x, y: y + k * ch, width, height: ch - gap, fill, rx: ch > 8 ? 2 : 0});
    if (numbers) {
      svg(
        parent,
        'text',
        {
          x: x + width - 4,
          y: y + k * ch + ch / 2 + 4,
          class: 'mono',
          'text-anchor': 'end',
          style: `fill:${inkOn(fill)}`,
        },
        figure(value),
      );
    }
  });
}
function verdict(parent, x, y, right, tone) {
  // right: a ring with a tick; wrong: a filled diamond with a cross
  if (right) {
    svg(parent, 'circle', {cx: x, cy: y, r: 9, fill: 'none', stroke: tone.ink, 'stroke-width': 2});
  } else svg(parent, 'path', {d: `M${x} ${y - 13}l13 13l-13 13l-13 -13z`, fill: tone.second});
  svg(
    parent,
    'path',
    right
      ? {d: `M${x - 4.5} ${y}l3.5 3.5l5.5 -7`, fill: 'none', stroke: tone.ink, 'stroke-width': 2.5}
      : {d: `M${x - 4.5} ${y - 4.5}l9 9m0 -9l-9 9`, stroke: tone.bg, 'stroke-width': 2.5},
  );
}

// ---- where everything stands, for a stage of width W
export function layout(W, facts, steps, lanes) {
  const H = facts.units;
  const V = facts.vocabulary.length;
  const narrow = W < 760 || (W - 164) / steps < 150;
  const left = narrow ? 112 : 120;
  const right = narrow ? 22 : 44;
  const room = W - left - right;
  const n = Math.max(1, Math.min(steps, Math.floor(room / (facts.letters ? 104 : 124))));
  const cw = Math.min(320, room / n);
  const ch = H > 16 ? 288 / H : 18;
  const cells = facts.letters && V <= 6;
  const rows = V <= 6 ? V : 5;
  const top = (steps > n ? 52 : 0) + (lanes ? 30 : 0);
  const yIn = top + 30;
  const y1 = yIn + (cells ? Math.max(56, 14 * V) : 56) + 2;
  const yH = y1 + 62;
  const yO = yH + H * ch + 54;
  const yC = yO + rows * 18 + 16;
  return {
    W,
    H,
    V,
    left,
    room,
    n,
    cw,
    ch,
    cells,
    rows,
    narrow,
    tight: cw < 150,
    strip: steps > n,
    top,
    yIn,
    y1,
    yH,
    yO,
    yC,
    mid: yH + (H * ch) / 2,
    height: yC + 70 + (lanes ? 30 : 0),
    CW: 46,
    C0: narrow ? 24 : 46,
  };
}

// ---- the chain
export function chain(stage, scene) {
  const {
    W,
    H,
    left,
    n,
    cw,
    ch,
    narrow,
    tight,
    top,
    yIn,
    y1,
    yH,
    yO,
    yC,
    mid,
    height,
    CW,
    C0,
    from,
    t,
    u,
    run,
    tone,
  } = scene;
  const root = svg(stage, 'svg', {viewBox: `0 0 ${W} ${height}`, height, 'aria-hidden': true});
  const y2 = yH + H * ch + 2;
  const cx = k => (k < from ? left - C0 / 2 - (narrow ? 30 : 12) : left + cw * (k - from + 0.5));
  const widthOf = k => (k < from ? C0 : CW);
  Object.assign(scene, {cx, y2});
  svg(root, 'rect', {
    x: cx(t) - cw / 2,
    y: top,
    width: cw,
    height: height - top,
    fill: tone.panel,
    stroke: tone.rule,
    rx: 6,
  });
  svg(root, 'rect', {x: cx(t) - cw / 2, y: top, width: cw, height: 4, fill: tone.focus, rx: 2});
  const row = (y, name, more) => {
    svg(root, 'text', {x: 0, y, class: 'mid'}, name);
    svg(root, 'text', {x: 0, y: y + 17, class: 'soft'}, more);
  };
  row(yIn + 26, 'input', 'one-hot x');
  row(yO + 32, 'output', 'softmax p');
  row(yC + 20, 'chosen', '');
  row(yC + 54, 'target', '');
  row(mid - 8, 'state', `${H} units`);
  tone.div.forEach((fill, k) =>
    svg(root, 'rect', {x: k * 7, y: mid + 18, width: 7, height: 7, fill}),
  );
  svg(root, 'text', {x: 0, y: mid + 39, class: 'soft'}, '−1');
  svg(root, 'text', {x: 49, y: mid + 39, class: 'soft', 'text-anchor': 'end'}, '1');
  svg(root, 'rect', {
    x: cx(from - 1) - C0 / 2 - 4,
    y: yH + u * ch - 2.5,
    width: cx(from + n - 1) - cx(from - 1) + (CW + C0) / 2 + 8,
    height: ch + 4,
    fill: tone.focus,
    opacity: 0.2,
    rx: 4,
  });
  column(root, scene, run[from].before, cx(from - 1) - C0 / 2, yH, C0, !narrow && H <= 16);
  symbol(root, cx(from - 1), yH - 13, 'h', from);
  for (let k = from; k < from + n; k++) {
    const step = run[k];
    const x = cx(k);
    const g = svg(root, 'g', {
      opacity: k > t ? 0.25 : 1,
      class: scene.fresh && k === t ? 'enter' : '',
    });
    svg(
      g,
      'text',
      {x, y: top + 20, 'text-anchor': 'middle', class: k === t ? 'mid hot' : 'soft'},
      `t = ${k + 1}`,
    );
    input(g, scene, step, x);
    arrow(g, x, y1, x, yH - 4, tone.weight.W_xh, 4);
    const wx = Math.max(12, Math.min(40, 4 * scene.V));
    const wy = Math.max(16, Math.min(40, 4 * H));
    matrix(g, scene, 'W_xh', x - wx / 2, y1 + 9, wx, 32);
    symbol(g, x + wx / 2 + 6, y1 + 29, 'W', 'xh', {'text-anchor': 'start', class: 'small'});
    if (scene.other < 0 || k !== t + 1) {
      // the gap after the step in focus shows the change instead
      const a = cx(k - 1) + widthOf(k - 1) / 2 + 4;
      const b = x - CW / 2 - 5;
      const size = tight ? 32 : 48;
      const tx = (a + b) / 2 - 3 - size / 2;
      arrow(g, a, mid, b, mid, tone.weight.W_hh, 6);
      matrix(g, scene, 'W_hh', tx, mid - size / 2, size, size);
      symbol(g, tx + size / 2, mid - size / 2 - 10, 'W', 'hh', {class: 'halo'});
      if (!tight && b - a > 84) {
        svg(
          g,
          'text',
          {x: tx + size / 2, y: mid + size / 2 + 18, 'text-anchor': 'middle', class: 'soft halo'},
          k ? 'same weights' : 'the weights',
        );
      }
    }
    arrow(g, x, y2, x, yO - 3, tone.weight.W_hy, 4);
    matrix(g, scene, 'W_hy', x - wy / 2, y2 + 12, wy, 16);
    symbol(g, x + wy / 2 + 6, y2 + 24, 'W', 'hy', {'text-anchor': 'start', class: 'small'});
    column(g, scene, step.h, x - CW / 2, yH, CW, H <= 16);
    symbol(g, x - wx / 2 - 4, yH - 13, 'h', k + 1, {'text-anchor': 'end'});
    output(g, scene, step, x);
    frame(g, x - CW / 2 - 3, yH + u * ch - 2, CW + 6, ch + 3, tone.focus, tone, 2.5);
  }
  if (scene.other >= 0) compare(root, scene);
  if (scene.strip) overview(root, scene);
  return (x, y) => {
    if (scene.strip && y < 44) {
      return x >= left && x < left + scene.room
        ? {step: Math.floor(((x - left) / scene.room) * run.length)}
        : {};
    }
    const k = Math.floor((x - left) / cw);
    const unit = Math.floor((y - yH) / ch);
    return {
      ...(k >= 0 && k < n && {step: from + k}),
      ...(unit >= 0 && unit < H && x > cx(from - 1) - C0 && {unit}),
    };
  };
}
function input(g, {facts, cells, yIn, cw, tone}, step, x) {
  if (!cells) {
    token(g, facts.vocabulary[step.id], x, yIn + 30, cw - 16, 26, {class: 'bold'});
    return svg(
      g,
      'text',
      {x, y: yIn + 50, class: 'mono soft', 'text-anchor': 'middle'},
      `x[${step.id}] = 1`,
    );
  }
  token(g, facts.vocabulary[step.id], x - 20, yIn + 36, 30, 26, {class: 'bold'});
  facts.vocabulary.forEach((word, k) => {
    svg(g, 'rect', {
      x: x - 4,
      y: yIn + k * 14,
      width: 14,
      height: 13,
      fill: ramp(tone.seq, k === step.id ? 0.85 : 0.06),
      stroke: tone.rule,
    });
    token(g, word, x + 20, yIn + k * 14 + 11, 20, 12, {class: k === step.id ? 'bold' : 'soft'});
  });
}
function output(g, {facts, rows, yO, yC, cw, tone}, step, x) {
  const words = facts.vocabulary;
  const ids = words.map((_, id) => id);
  const order = words.length > rows ? ids.sort((i, j) => step.p[j] - step.p[i]) : ids;
  const lw = facts.letters ? 18 : 60;
  const width = Math.min(cw - 8, facts.letters ? 134 : 170);
  const bw = width - lw - 38;
  const x0 = x - width / 2;
  order.slice(0, rows).forEach((id, k) => {
    const y = yO + k * 18;
    const on = id === step.chosen;
    const bold = on ? 'bold' : '';
    token(g, words[id], x0 + lw / 2, y + 13, lw - 4, 14, {class: bold});
    svg(g, 'rect', {
      x: x0 + lw + 2,
      y: y + 2,
      width: bw,
      height: 13,
      fill: tone.bg,
      stroke: tone.rule,
    });
    svg(g, 'rect', {
      x: x0 + lw + 2,
      y: y + 2,
      width: Math.max(1, bw * step.p[id]),
      height: 13,
      fill: ramp(tone.seq, on ? 0.75 : 0.4),
    });
    svg(g, 'text', {x: x0 + lw + bw + 7, y: y + 13, class: 'mono ' + bold}, share(step.p[id]));
  });
  const at = facts.letters ? x : x - 14;
  const room = facts.letters ? 28 : cw - 60;
  const dark = ramp(tone.seq, 0.75);
  const box = (y, word, chosen) => {
    const w = Math.max(28, Math.min(room, ems(readable(word)) * 20 + 10));
    svg(g, 'rect', {
      x: at - w / 2,
      y,
      width: w,
      height: 28,
      rx: 4,
      fill: chosen ? dark : tone.bg,
      ...(!chosen && {stroke: tone.soft, 'stroke-dasharray': '3 2'}),
    });
    token(g, word, at, y + 20, w - 6, 20, {class: 'bold'}, chosen ? inkOn(dark) : tone.ink);
    return at + w / 2;
  };
  box(yC, words[step.chosen], true);
  if (step.target >= 0) {
    verdict(
      g,
      box(yC + 34, words[step.target], false) + 20,
      yC + 48,
      step.chosen === step.target,
      tone,
    );
  } else svg(g, 'text', {x, y: yC + 53, class: 'soft', 'text-anchor': 'middle'}, 'none');
}
// The same token read twice: equal in, unequal inside, unequal out.
function compare(
  root,
  {
    W,
    H,
    left,
    cw,
    ch,
    n,
    from,
    t,
    other,
    run,
    tone,
    cx,
    top,
    yIn,
    yH,
    yC,
    CW,
    height,
    facts,
    tight,
    measure,
  },
) {
  const g = svg(root, 'g');
  const now = run[t];
  const then = run[other];
  const seen = other >= from;
  const beside = seen && t - other === 1;
  const same = then.chosen === now.chosen;
  const kind = facts.letters ? 'letter' : 'word';
  const link = (y, gap1, gap2, up, sign, words) => {
    const x1 = seen ? cx(other) + (beside ? gap1 : 0) : 4;
    const x2 = cx(t) - (beside ? gap2 : 0);
    const m = seen ? (x1 + x2) / 2 : left;
    const lane = beside ? y : up ? top - 14 : height - 16;
    const foot = up ? 12 : -14;
    svg(g, 'path', {
      d: beside ? `M${x1} ${y}H${x2}` : `M${x1} ${lane + (seen ? foot : 0)}V${lane}H${x2}v${foot}`,
      fill: 'none',
      stroke: tone.second,
      'stroke-width': 2,
    });
    svg(g, 'circle', {cx: m, cy: lane, r: 10, fill: tone.second});
    svg(
      g,
      'text',
      {
        x: m,
        y: lane + 5.5,
        'text-anchor': 'middle',
        style: `fill:${tone.bg};font-size:16px;font-weight:700`,
      },
      sign,
    );
    const line = (x, y, text, anchor = 'middle') =>
      svg(g, 'text', {x, y, class: 'second halo', 'text-anchor': anchor}, text);
    if (!beside) {
      line(
        m + 16,
        lane + 4,
        seen
          ? words.join(' ')
          : `${words.join(' ')} ${words[0] === 'same' ? 'as' : 'than'} at step ${other + 1}`,
        'start',
      );
    } else if (tight) {
      line(m, y - 15, words[0]);
      if (up) line(m, y + 24, words[1]);
    } else line(m, y - 16, words.join(' '));
  };
  link(yIn + 28, facts.letters ? 34 : cw / 2 - 24, facts.letters ? 38 : cw / 2 - 24, true, '=', [
    'same',
    kind,
  ]);
  link(
    yC + 14,
    facts.letters ? 18 : cw / 2 - 24,
    facts.letters ? 18 : cw / 2 - 12,
    false,
    same ? '=' : '≠',
    [same ? 'same' : 'other', 'answer'],
  );
  for (const k of seen ? [other, t] : [t]) {
    frame(g, cx(k) - CW / 2 - 6, yH - 4, CW + 12, ch * H + 7, tone.second, tone);
  }
  const x0 = cx(t) + CW / 2 + 10;
  const end = t === from + n - 1 ? W : cx(t + 1) - CW / 2 - 8;
  const most = Math.min(40, end - x0) / 2;
  now.h.forEach((v, k) => {
    const change = Math.abs(v - then.h[k]);
    svg(g, 'rect', {
      x: x0,
      y: yH + k * ch + ch * 0.22,
      width: Math.max(1, change * most),
      height: ch * 0.5,
      fill: tone.second,
      opacity: change > 0.5 ? 1 : 0.45,
    });
  });
  const whole = `change from step ${other + 1}`;
  const label = measure(whole, '600 12px') < end - x0 ? whole : 'change';
  svg(
    g,
    'text',
    {x: Math.min(x0 - 2, W - measure(label, '600 12px')), y: yH - 9, class: 'second halo'},
    label,
  );
}
// All steps in one strip: right ones stand, wrong ones hang.
function overview(root, {left, room, run, t, from, n, tone}) {
  const T = run.length;
  const bins = Math.min(T, Math.floor(room / 3));
  const y = 18;
  const right = run.filter(step => step.chosen === step.target).length;
  svg(root, 'text', {x: 0, y: 14, class: 'soft'}, `${T} steps`);
  svg(root, 'text', {x: 0, y: 30, class: 'soft'}, `${Math.round((100 * right) / T)} % right`);
  const up = [];
  const down = [];
  const w = room / bins;
  for (let k = 0; k < bins; k++) {
    const part = run.slice(Math.floor((k * T) / bins), Math.floor(((k + 1) * T) / bins));
    const ok = part.filter(step => step.chosen === step.target).length / part.length;
    const bar = height =>
      `M${(left + k * w).toFixed(1)} ${y}h${Math.max(0.8, w - 1).toFixed(1)}v${height.toFixed(1)}H${(left + k * w).toFixed(1)}z`;
    if (ok > 0) up.push(bar(-12 * ok));
    if (ok < 1) down.push(bar(12 * (1 - ok)));
  }
  svg(root, 'path', {d: up.join(''), fill: ramp(tone.seq, 0.6)});
  svg(root, 'path', {d: down.join(''), fill: tone.second});
  const at = k => left + (k / T) * room;
  frame(root, at(from) - 1.5, 2, Math.max(5, at(n) - at(0) + 3), 32, tone.ink, tone, 1.5);
  svg(root, 'rect', {x: at(t + 0.5) - 1.5, y: 0, width: 3, height: 37, fill: tone.focus});
}

// ---- the equation, filled with this step's numbers; under each block the share of the chosen unit
export function equation(stage, scene) {
  const {W, H, V, ch, t, u, run, net, tone} = scene;
  const step = run[t];
  const small = W < 480;
  const narrow = W < 760;
  const y = 40;
  const bottom = y + H * ch;
  const line = bottom + 24;
  const CW = small ? 42 : 46;
  const opening = Math.max(scene.measure('= tanh(', '14px') + 12, narrow ? 60 : 70);
  const wh = Math.min(small ? Math.min(80, 144 - opening) : narrow ? 96 : 128, 16 * H);
  const wx = Math.min(small ? 36 : narrow ? 60 : 112, 16 * V);
  const numbers = H <= 16;
  const root = svg(stage, 'svg', {viewBox: `0 0 ${W} 10`, 'aria-hidden': true});
  const recurrent = dot(net.W_hh, u, step.before);
  const fed = net.W_xh[u * V + step.id];
  let x = 4;
  const total = (from, value, hot = '') =>
    svg(
      root,
      'text',
      {x: (from + x) / 2, y: line, class: 'mono mid bold ' + hot, 'text-anchor': 'middle'},
      figure(value),
    );
  const sign = (text, width) => {
    for (const at of [y + (H * ch) / 2 + 6, line]) {
      svg(
        root,
        'text',
        {x: x + width / 2, y: at, 'text-anchor': 'middle', class: at === line ? 'soft mid' : 'mid'},
        text,
      );
    }
    x += width;
  };
  const ring = (from, width) =>
    frame(root, from - 2, y + u * ch - 2, width + 4, ch + 3, tone.focus, tone, 2.5);
  const vector = (values, letter, below, hot, most) => {
    column(root, scene, values, x, y, CW, numbers, most);
    symbol(root, x + CW / 2, y - 12, letter, below, {class: hot});
    x += CW;
  };
  const weights = (name, width) => {
    matrix(root, scene, name, x, y, width, H * ch);
    symbol(root, x + width / 2, y - 12, 'W', name.slice(2));
    ring(x, width);
    x += width + 6;
  };
  svg(root, 'line', {x1: 0, x2: W, y1: 2, y2: 2, stroke: tone.rule});
  let from = x;
  vector(step.h, 'h', t + 1, 'hot');
  ring(from, CW);
  total(from, step.h[u], 'hot');
  sign('= tanh(', opening);
  from = x;
  weights('W_hh', wh);
  vector(step.before, 'h', t);
  total(from, recurrent);
  sign('+', small ? 16 : 24);
  from = x;
  weights('W_xh', wx);
  const hot = wx / V;
  frame(
    root,
    from + step.id * hot - 1,
    y - 3,
    Math.max(3, hot) + 1,
    H * ch + 6,
    tone.ink,
    tone,
    1.5,
  );
  const xh = V <= 6 ? 18 : (H * ch) / V;
  for (let k = 0; V <= 6 && k < V; k++) {
    svg(root, 'rect', {
      x,
      y: y + k * xh,
      width: 16,
      height: xh - 1,
      fill: ramp(tone.seq, k === step.id ? 0.85 : 0.06),
      stroke: tone.rule,
    });
  }
  if (V > 6) {
    svg(root, 'rect', {
      x,
      y,
      width: 16,
      height: H * ch,
      fill: ramp(tone.seq, 0.06),
      stroke: tone.rule,
    });
    svg(root, 'rect', {
      x,
      y: y + step.id * xh,
      width: 16,
      height: Math.max(2, xh),
      fill: ramp(tone.seq, 0.85),
    });
  }
  symbol(root, x + 8, y - 12, 'x', t + 1);
  x += 16;
  total(from, fed);
  sign('+', small ? 16 : 24);
  from = x;
  vector(net.b, 'b', '', '', largest(net.b));
  ring(from, CW);
  total(from, net.b[u]);
  sign(')', small ? 10 : 18);
  svg(root, 'text', {x: 4, y: line + 16, class: 'soft'}, `unit ${u + 1}`);
  const beside = W - x >= 210;
  const plot = beside
    ? {x0: x + 54, y0: y, width: W - x - 84, height: Math.min(H * ch, 220)}
    : {x0: 30, y0: line + 56, width: W - 60, height: 120};
  const height = Math.max(line + 22, plot.y0 + plot.height + 28);
  root.setAttribute('viewBox', `0 0 ${W} ${height}`);
  root.setAttribute('height', height);
  const under = trace(root, scene, plot);
  const row = y => Math.floor((y - 40) / ch);
  return (px, py) => (px < x && row(py) >= 0 && row(py) < H ? {unit: row(py)} : under(px, py));
}

// ---- every unit through the steps in sight, one of them in focus
function trace(root, {H, from, n, t, u, run, other, tone, facts}, {x0, y0, width, height}) {
  const states = [run[from].before, ...run.slice(from, from + n).map(step => step.h)];
  const px = k => x0 + (width * k) / n;
  const most = Math.max(1, largest(states[0]));
  const py = v => y0 + (height / 2) * (1 - v / most); // a learned start may lie beyond 1
  const path = k =>
    states.map((h, i) => `${i ? 'L' : 'M'}${px(i).toFixed(1)} ${py(h[k]).toFixed(1)}`).join('');
  svg(root, 'text', {x: x0, y: y0 - 12, class: 'mid hot'}, `unit ${u + 1} through time`);
  for (const v of [1, 0, -1]) {
    svg(root, 'line', {x1: x0, x2: x0 + width, y1: py(v), y2: py(v), stroke: tone.rule});
    svg(
      root,
      'text',
      {x: x0 - 8, y: py(v) + 4, class: 'soft mono', 'text-anchor': 'end'},
      signed(v, 0),
    );
  }
  const now = px(t - from + 1);
  svg(root, 'line', {
    x1: now,
    x2: now,
    y1: y0 - 4,
    y2: y0 + height + 4,
    stroke: tone.focus,
    'stroke-width': 1.5,
    'stroke-dasharray': '4 3',
  });
  for (let k = 0; k < H; k++) {
    if (k !== u) {
      svg(root, 'path', {
        d: path(k),
        fill: 'none',
        stroke: tone.soft,
        opacity: H > 16 ? 0.2 : 0.4,
        'stroke-width': 1.5,
      });
    }
  }
  svg(root, 'path', {
    d: path(u),
    fill: 'none',
    stroke: tone.focus,
    'stroke-width': 4,
    'stroke-linejoin': 'round',
  });
  const room = width / n - 2;
  svg(
    root,
    'text',
    {x: x0, y: y0 + height + 20, 'text-anchor': 'middle', class: 'soft'},
    room < 28 ? '' : from ? `t = ${from}` : 'start',
  );
  for (let k = from; k < from + n; k++) {
    const twin = other >= 0 && (k === t || k === other);
    const x = px(k - from + 1);
    svg(root, 'circle', {
      cx: x,
      cy: py(run[k].h[u]),
      r: twin ? 6 : 4,
      fill: twin ? tone.second : tone.focus,
      stroke: tone.bg,
      'stroke-width': 2,
    });
    token(root, facts.vocabulary[run[k].id], x, y0 + height + 20, Math.max(14, room), 14, {
      class: twin ? 'second' : '',
    });
  }
  if (t < from + n - 1) {
    svg(root, 'rect', {
      x: now + 8,
      y: y0 - 8,
      width: x0 + width - now,
      height: height + 34,
      fill: tone.bg,
      opacity: 0.7,
    });
  }
  return (x, y) => {
    const at = ((x - x0) / width) * n;
    const i = Math.min(n - 1, Math.floor(at));
    if (at < 0 || at > n || y < y0 - 8 || y > y0 + height + 28) return {};
    if (y > y0 + height + 6) {
      return at >= 0.5 ? {step: Math.min(run.length - 1, from + Math.round(at) - 1)} : {};
    }
    const off = k => Math.abs(py(states[i][k] + (states[i + 1][k] - states[i][k]) * (at - i)) - y);
    const near = [...states[0].keys()].reduce(
      (best, k) => (off(k) < off(best) - 0.5 ? k : best),
      u,
    );
    return off(near) < 10 ? {unit: near} : {};
  };
}
