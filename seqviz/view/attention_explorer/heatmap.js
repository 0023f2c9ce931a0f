// The heatmap of a head: painted once, framed at the cursor; zoom and pan; where rows and columns
// stand in all panes.

import {readable, svg} from '../shared/base.js';
import {averaged, enlarged, pen, sized} from './grid.js';
import {level, ranked} from './weights.js';

const ROWS = 60;
const WINDOW = 30;
const TALL = 480;
const NUMBER = 46;

// ---- what part of the sheet is in sight
export const wholeView = ({n, m}) => ({q0: 0, qn: n, k0: 0, kn: m});
export const within = (from, count, total) =>
  Math.max(0, Math.min(total - count, Math.round(from)));
export function zoomed(view, {n, m}, factor, row, column) {
  const q = Math.max(Math.min(4, n), Math.min(n, Math.round(view.qn / factor)));
  const k = Math.max(Math.min(4, m), Math.min(m, Math.round(view.kn / factor)));
  // what is under the hand stays there
  const start = (at, from, old, now) => at - ((at - from + 0.5) / old) * now + 0.5;
  return {
    q0: within(start(row, view.q0, view.qn, q), q, n),
    qn: q,
    k0: within(start(column, view.k0, view.kn, k), k, m),
    kn: k,
  };
}
export const panned = (view, {n, m}, dq, dk) => ({
  ...view,
  q0: within(view.q0 + dq, view.qn, n),
  k0: within(view.k0 + dk, view.kn, m),
});
export function inSight(view, {n, m}, row, column) {
  const shift = (from, count, at) => (at < from ? at : at >= from + count ? at - count + 1 : from);
  return {
    ...view,
    q0: within(shift(view.q0, view.qn, row), view.qn, n),
    k0: within(shift(view.k0, view.kn, column), view.kn, m),
  };
}
export const isZoomed = (view, {n, m}) => view.qn < n || view.kn < m;

// ---- where everything stands: up to 60 tokens share one row pitch, more get a window in the lines
const pitchFor = count => Math.max(13, Math.min(28, TALL / count));
export function placeOf({sheet, measure, wide, view}, room) {
  const {n, m, rows, columns} = sheet;
  const whole = n <= ROWS && m <= ROWS;
  const roomy = wide || room >= 700;
  const most = roomy ? 112 : room < 480 ? 62 : 84;
  const font = '600 15px';
  const widest = units =>
    units.reduce((w, unit) => (w >= most ? w : Math.max(w, measure(label(unit, 14), font))), 20);
  const q = Math.min(most, widest(rows)) + 12;
  const k = Math.min(most, widest(columns)) + 12;
  const wedge = n > ROWS ? 26 : 0;
  const base = n > ROWS ? TALL / n : pitchFor(whole ? Math.max(n, m) : n);
  const high = base * n;
  const left = room - q - k - NUMBER - wedge - (roomy ? 104 : 66);
  const broad = Math.max(
    40,
    whole || m <= ROWS
      ? Math.min(m * Math.min(base * 1.1, 30), left)
      : Math.min(left, Math.max((high * m) / n, 200)),
  );
  const pw = broad / view.kn;
  const ph = high / view.qn;
  const query =
    ph >= 12.5
      ? {from: view.q0, count: view.qn, pitch: ph, fixed: true}
      : {count: Math.min(n, WINDOW), pitch: high / WINDOW};
  const key =
    m <= ROWS
      ? {from: 0, count: m, pitch: whole ? base : pitchFor(m), fixed: true}
      : view.kn <= 36
        ? {
            from: view.k0,
            count: view.kn,
            pitch: Math.min(28, Math.max(high, TALL) / view.kn),
            fixed: true,
          }
        : {count: WINDOW, pitch: Math.max(high, TALL) / WINDOW};
  const lens = n > ROWS || m > ROWS || isZoomed(view, sheet);
  const up = Math.max(34, Math.min(86, widest(columns) * 0.87 + 14));
  const deep = Math.max(high, query.count * query.pitch, key.count * key.pitch);
  const width = room - broad;
  return {
    room,
    up,
    high,
    broad,
    pw,
    ph,
    q,
    k,
    wedge,
    query,
    key,
    lens,
    height: up + deep + (lens ? 20 : 2),
    width,
    x1: wedge + q,
    x2: width - k - NUMBER,
  };
}

// ---- the names of tokens; twins carry their position
const SMALL = '₀₁₂₃₄₅₆₇₈₉';
export function label({text, from, twin}, most = 14) {
  return (
    readable(text.slice(0, 400), most) +
    (twin ? String(from + 1).replace(/\d/g, d => SMALL[d]) : '')
  );
}
export function fitted(unit, room, measure, font) {
  let most = 24;
  let text = label(unit, most);
  while (most > 2 && measure(text, font) > room) text = label(unit, --most);
  return text;
}

// ---- colour: what is finer than a pixel shows its largest
function shades({values, m, peaks, most}, {q0, qn, k0, kn}, {scale, pixels}, high, wide) {
  const rows = Math.min(qn, high);
  const columns = Math.min(kn, wide);
  const best = new Float64Array(rows * columns);
  const row = scale === 'row';
  const column = Uint16Array.from({length: kn}, (_, k) => Math.floor((k * columns) / kn));
  for (let q = 0; q < qn; q++) {
    const out = Math.floor((q * rows) / qn) * columns;
    const from = (q0 + q) * m + k0;
    const peak = row ? peaks[q0 + q] || 1 : 1;
    for (let k = 0; k < kn; k++) {
      const v = values[from + k] / peak;
      const at = out + column[k];
      if (v > best[at]) best[at] = v;
    }
  }
  const image = new ImageData(columns, rows);
  const out = new Uint32Array(image.data.buffer);
  const share = level[row ? 'linear' : scale];
  const top = row ? 1 : most;
  for (let i = 0; i < out.length; i++) {
    out[i] =
      pixels[best[i] > 0 ? Math.max(0, Math.min(255, Math.round(255 * share(best[i], top)))) : 0];
  }
  return image;
}
export function paintHeat(canvas, sheet, view, scene, width, height) {
  const {ratio, tone} = scene;
  const image = shades(sheet, view, scene, Math.ceil(height * ratio), Math.ceil(width * ratio));
  const drawing = pen(canvas, width, height, ratio);
  averaged(drawing, enlarged(image, width * ratio, height * ratio), 0, 1, {
    x: 0,
    y: 0,
    width,
    height,
  });
  const pw = width / view.kn;
  const ph = height / view.qn;
  if (pw < 7 || ph < 7) return;
  drawing.fillStyle = tone.bg;
  for (let k = 1; k <= view.kn; k++) drawing.fillRect(k * pw - 0.5, 0, 1, height);
  for (let q = 1; q <= view.qn; q++) drawing.fillRect(0, q * ph - 0.5, width, 1);
}

// ---- the pane
export function drawHeat(pane, scene, place) {
  const {sheet, view, tone, ratio, theme, scale, A, B, accent} = scene;
  const {up, high, broad, pw, ph} = place;
  const key = [
    sheet.key,
    JSON.stringify(view),
    broad,
    high,
    up,
    ratio,
    theme,
    scale,
    scene.written,
  ].join();
  if (pane.key !== key) {
    pane.key = key;
    sized(pane, broad, place.height);
    paintHeat(pane.canvas, sheet, view, scene, broad, high);
    pane.canvas.style.top = `${up}px`;
    pane.still.replaceChildren();
    drawGold(pane.still, scene, place);
    veil(pane.still, scene, place);
  }
  const node = pane.moving;
  const x = c => (c - view.k0) * pw;
  const y = r => up + (r - view.q0) * ph;
  node.replaceChildren();
  keyLabels(node, scene, place, x);
  const band = ({side, at}, stroke) => {
    const across = side === 'query';
    const seen = across
      ? at >= view.q0 && at < view.q0 + view.qn
      : at >= view.k0 && at < view.k0 + view.kn;
    if (!seen) return;
    const box = across ? frame(0, y(at), broad, ph) : frame(x(at), up, pw, high);
    svg(node, 'rect', {
      ...box,
      rx: 3,
      fill: 'none',
      stroke: tone.bg,
      'stroke-width': 4,
      'stroke-opacity': 0.8,
    });
    svg(node, 'rect', {...box, rx: 3, fill: 'none', stroke, 'stroke-width': 2});
  };
  if (B) band(B, tone.second);
  band(A, accent);
  for (const [cell, stroke] of [...(B ? [[B, tone.second]] : []), [A, tone.ink]]) {
    const {row, column} = cellAt(cell);
    if (
      row < view.q0 ||
      row >= view.q0 + view.qn ||
      column < view.k0 ||
      column >= view.k0 + view.kn
    ) {
      continue;
    }
    const box = frame(x(column), y(row), pw, ph);
    svg(node, 'rect', {...box, rx: 3, fill: 'none', stroke: tone.bg, 'stroke-width': 4.5});
    svg(node, 'rect', {...box, rx: 3, fill: 'none', stroke, 'stroke-width': 2});
  }
}
// What a decoder has not written yet.
function veil(node, {view, written, tone}, {up, ph, broad}) {
  const first = Math.max(view.q0, written);
  const rows = view.q0 + view.qn - first;
  if (rows > 0) {
    svg(node, 'rect', {
      class: 'veil',
      x: -1,
      y: up + (first - view.q0) * ph,
      width: broad + 2,
      height: rows * ph + 1,
      fill: tone.bg,
      'fill-opacity': 0.92,
    });
  }
}
// Around a cell, however small: at least as large as the eye finds.
function frame(x, y, width, height) {
  const w = Math.max(width, 5);
  const h = Math.max(height, 5);
  return {
    x: x + width / 2 - w / 2 - 1,
    y: y + height / 2 - h / 2 - 1,
    width: w + 1.5,
    height: h + 1.5,
  };
}
export const cellAt = ({side, at, far}) =>
  side === 'query' ? {row: at, column: far} : {row: far, column: at};
function drawGold(node, {links, tone, view}, {up, pw, ph}) {
  for (const {row, column, sure} of links) {
    if (
      row < view.q0 ||
      row >= view.q0 + view.qn ||
      column < view.k0 ||
      column >= view.k0 + view.kn
    ) {
      continue;
    }
    const small = Math.min(pw, ph) < 9;
    const box = {
      x: (column - view.k0) * pw + (small ? 0 : 2),
      y: up + (row - view.q0) * ph + (small ? 0 : 2),
      width: Math.max(2, pw - (small ? 0 : 5)),
      height: Math.max(2, ph - (small ? 0 : 5)),
      rx: 1.5,
      fill: 'none',
    };
    svg(node, 'rect', {...box, stroke: tone.bg, 'stroke-width': small ? 2.5 : 4});
    svg(node, 'rect', {
      ...box,
      stroke: tone.cat[4],
      'stroke-width': small ? 1.2 : 2.2,
      'data-gold': sure ? 'sure' : 'possible',
      ...(sure ? {} : {'stroke-dasharray': '3 2.5'}),
    });
  }
}
const slantOf = pw => (pw < 12.7 ? 78 : 60);
// How far to the right of the heatmap, at this height over it, the name of the last column may
// reach.
export const overhang = (pw, height) =>
  8 - pw / 2 + height / Math.tan((slantOf(pw) * Math.PI) / 180);
// Names over the columns: all if there is room, else those that matter now.
function keyLabels(node, {sheet, view, A, B, values, measure, accent, tone}, {up, pw}, x) {
  const all = pw >= 11;
  const steep = slantOf(pw);
  const angle = (steep * Math.PI) / 180;
  const {column} = cellAt(A);
  const compared = B && cellAt(B).column;
  const first = [
    column,
    ...(B ? [compared] : []),
    ...(A.side === 'query' && !all ? ranked(values, 5) : []),
  ];
  const wanted = all ? Array.from({length: view.kn}, (_, k) => view.k0 + k) : first;
  const taken = [];
  for (const c of wanted) {
    const at = x(c) + pw / 2;
    if (
      c < view.k0 ||
      c >= view.k0 + view.kn ||
      (!all && taken.some(other => Math.abs(other - at) < 13))
    ) {
      continue;
    }
    taken.push(at);
    const mine = A.side === 'key' && c === A.at;
    const kind = mine
      ? accent === tone.second
        ? 'second'
        : 'hot'
      : B && B.side === 'key' && c === B.at
        ? 'second'
        : c === column
          ? 'strong'
          : 'soft';
    const text = fitted(
      sheet.columns[c],
      (up - 12) / Math.sin(angle),
      measure,
      kind === 'soft' ? '13px' : '700 13px',
    );
    svg(
      node,
      'text',
      {class: `mid ${kind}`, transform: `translate(${at + 4},${up - 6}) rotate(${-steep})`},
      text,
    );
    if (!all) {
      svg(node, 'line', {
        x1: at,
        x2: at,
        y1: up - 5,
        y2: up,
        stroke: kind === 'soft' ? tone.soft : mine ? accent : tone.ink,
        'stroke-width': 1.5,
      });
    }
  }
}
// What lies under a point: a cell, or the name over a column.
export function underHeat({up, high, broad, pw, ph}, {view}, px, py) {
  const column = view.k0 + Math.floor(px / pw);
  const row = view.q0 + Math.floor((py - up) / ph);
  if (px < 0 || px >= broad || py > up + high || py < 0) return null;
  return py < up ? {side: 'key', at: column, far: null} : {side: 'query', at: row, far: column};
}
