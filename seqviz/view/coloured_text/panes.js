// What stands around a coloured text: the chart of its unit, and the panel of its cursor.

import {inkOn, put, ramp, readable, share, signed, svg, wrapped} from '../shared/base.js';

const AXIS = 70;
const CHART = 132;
const ROW = 22;
const SHADES = 128;

export const number = value =>
  Math.abs(value) < 1000 ? signed(value) : value.toExponential(1).replace(/^-/, '−');
const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

// ---- colour: one scale for text, chart and panel
export function scale(reading, values, tone) {
  const most = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const limit = most > 1 ? most : 1;
  const shade = Array.from({length: SHADES + 1}, (_, i) =>
    ramp(reading.signed ? tone.div : tone.seq, i / SHADES),
  );
  const step = value =>
    Math.round(((reading.signed ? value / limit + 1 : (2 * value) / limit) / 2) * SHADES);
  const ink = shade.map(inkOn);
  return {
    limit,
    low: reading.signed ? -limit : 0,
    fill: value => shade[step(value)],
    ink: value => ink[step(value)],
  };
}

// ---- the chart: height and the strip of colour say the same, so the axis is the legend
export function drawChart(node, width, {reading, values, unit, tone, paint}, [from, to], t) {
  const top = 24;
  const foot = 104;
  const span = paint.limit - paint.low;
  const y = value => foot - ((value - paint.low) / span) * (foot - top);
  const pitch = (width - AXIS - 8) / (to - from);
  const x = k => AXIS + (k - from + 0.5) * pitch;
  node.replaceChildren();
  put(null, node, {height: CHART, viewBox: `0 0 ${width} ${CHART}`});
  svg(node, 'text', {x: 0, y: 12, class: 'text strong'}, `${cut(reading.name, 18)} ${unit}`).append(
    svg(
      null,
      'tspan',
      {class: 'soft', 'font-weight': 400},
      `  ${reading.kind}s ${from + 1} to ${to}${to - from < reading.T ? ` of ${reading.T}` : ''}`,
    ),
  );
  const bands = 40;
  const tall = (foot - top) / bands;
  for (let i = 0; i < bands; i++) {
    const fill = paint.fill(paint.low + ((i + 0.5) / bands) * span);
    svg(node, 'rect', {
      x: AXIS - 14,
      y: foot - (i + 1) * tall,
      width: 10,
      height: tall + 0.5,
      fill,
    });
  }
  for (const value of reading.signed ? [-paint.limit, 0, paint.limit] : [0, paint.limit]) {
    svg(node, 'line', {x1: AXIS, x2: width, y1: y(value), y2: y(value), stroke: tone.rule});
    svg(
      node,
      'text',
      {x: AXIS - 19, y: y(value) + 4, class: 'mono soft end'},
      Math.abs(value) <= 1 ? signed(value, 0) : number(value),
    );
  }
  let line = '';
  for (let k = from; k < to; k++) {
    line += `${k === from ? 'M' : 'L'}${x(k).toFixed(1)} ${y(values[k]).toFixed(1)}`;
  }
  svg(node, 'path', {
    d: line,
    fill: 'none',
    stroke: tone.soft,
    'stroke-width': pitch > 4 ? 1.8 : 1.2,
    'stroke-linejoin': 'round',
  });
  if (t >= from && t < to) {
    svg(node, 'line', {
      x1: x(t),
      x2: x(t),
      y1: top - 4,
      y2: foot + 4,
      stroke: tone.focus,
      'stroke-width': 1.5,
      'stroke-dasharray': '4 3',
    });
    svg(node, 'circle', {
      cx: x(t),
      cy: y(values[t]),
      r: 5,
      fill: tone.focus,
      stroke: tone.bg,
      'stroke-width': 2,
    });
    svg(
      node,
      'text',
      {x: Math.min(width - 24, x(t)), y: foot + 22, class: 'token focus'},
      readable(reading.tokens[t], 5),
    );
  }
  return at =>
    at < AXIS - 8 ? null : Math.max(from, Math.min(to - 1, from + Math.floor((at - AXIS) / pitch)));
}

// ---- the panel: the token, what was expected after it, which units are most active
export function drawPanel(node, buttons, width, {reading, values, unit, tone, paint, measure}, t) {
  node.replaceChildren();
  let y = 12;
  const write = (text, at, attributes) => svg(node, 'text', {y, x: at, ...attributes}, text);
  const busy = t < 0 ? [] : reading.busy(t);
  if (t < 0) {
    write(`Point at a ${reading.kind},`, 0, {class: 'text soft'});
    y += 20;
    write('or press an arrow key.', 0, {class: 'text soft'});
  } else {
    write(`${reading.kind} ${t + 1} of ${reading.T}`, 0, {class: 'soft'});
    write(`${cut(reading.name, 10)} ${unit}`, width, {class: 'soft end'});
    const token = readable(reading.tokens[t], 200);
    const brief = measure(token) <= 68;
    const value = values[t];
    y += 12;
    if (brief) {
      const w = Math.max(36, measure(token) * 1.4 + 12);
      svg(node, 'rect', {
        x: 0,
        y,
        width: w,
        height: 38,
        rx: 4,
        fill: paint.fill(value),
        stroke: tone.rule,
      });
      svg(
        node,
        'text',
        {x: w / 2, y: y + 27, class: 'token', style: `font-size:22px;fill:${paint.ink(value)}`},
        token,
      );
      svg(node, 'text', {x: width, y: y + 28, class: 'mono display focus end'}, number(value));
      y += 38;
    } else {
      for (const line of wrapped(token, (width * 16) / 14, measure)) {
        write(line, 0, {class: 'mono text', y: (y += 18)});
      }
      y += 34;
      svg(node, 'rect', {
        x: 0,
        y: y - 24,
        width: 36,
        height: 30,
        rx: 4,
        fill: paint.fill(value),
        stroke: tone.rule,
      });
      svg(node, 'text', {x: width, y, class: 'mono display focus end'}, number(value));
    }
    const next = reading.expected(t);
    if (next) y = drawNext(node, width, next, reading, tone, y + 30);
    if (busy.length) {
      y += 30;
      write('most active here', 0, {class: 'text strong'});
      y += 8;
    }
  }
  const label =
    12 + 7.3 * Math.max(0, ...busy.map(({unit: u}) => `${cut(reading.name, 6)} ${u}`.length));
  const most = Math.max(1, ...busy.map(({value}) => Math.abs(value)));
  buttons.forEach((button, k) => {
    button.style.visibility = k < busy.length ? 'visible' : 'hidden';
    if (k >= busy.length) return;
    const {unit: u, value} = busy[k];
    const left = label + 8;
    const half = (width - left - 58) / 2;
    const zero = reading.signed ? left + half : left;
    const long = (value / most) * (reading.signed ? half : 2 * half);
    button.style.top = `${y}px`;
    button.dataset.unit = u;
    button.setAttribute('aria-pressed', String(u === unit));
    button.setAttribute('aria-label', `show ${reading.name} ${u}, here ${number(value)}`);
    svg(
      node,
      'text',
      {x: 8, y: y + 17, class: u === unit ? 'focus' : ''},
      `${cut(reading.name, 6)} ${u}`,
    );
    svg(node, 'rect', {
      x: Math.min(zero, zero + long),
      y: y + 7,
      width: Math.abs(long),
      height: 12,
      fill: ramp(
        reading.signed ? tone.div : tone.seq,
        reading.signed ? (value / most + 1) / 2 : value / most,
      ),
      stroke: tone.soft,
      'stroke-width': 0.5,
    });
    svg(node, 'line', {x1: zero, x2: zero, y1: y + 3, y2: y + 23, stroke: tone.soft});
    svg(node, 'text', {x: width - 6, y: y + 17, class: 'mono end'}, number(value));
    y += 30;
  });
  // a freed cursor moves nothing
  const height = t < 0 ? Math.max(y + 6, Number(node.getAttribute('height'))) : y + 6;
  put(null, node, {height, viewBox: `0 0 ${width} ${height}`});
}
function drawNext(node, width, {guesses, came, p, rank}, reading, tone, y) {
  const label = reading.kind === 'character' ? 24 : 78;
  const left = label + 6;
  const bar = width - left - 92;
  svg(node, 'text', {x: 0, y, class: 'text strong'}, 'expected next');
  const row = (token, chance, note, tag) => {
    y += ROW;
    svg(
      node,
      'text',
      {x: label, y, class: `mono text end ${note ? tag : ''}`},
      readable(token, reading.kind === 'character' ? 6 : 8),
    );
    svg(node, 'rect', {
      x: left,
      y: y - 12,
      width: bar,
      height: 14,
      fill: tone.panel,
      stroke: tone.rule,
    });
    svg(node, 'rect', {
      x: left,
      y: y - 12,
      width: bar * chance,
      height: 14,
      fill: ramp(tone.seq, 0.66),
    });
    svg(
      node,
      'text',
      {x: left + bar + 38, y, class: `mono end ${note ? 'strong' : ''}`},
      share(chance),
    );
    if (note) svg(node, 'text', {x: width, y, class: `end ${tag}`}, note);
  };
  guesses.forEach((guess, k) =>
    row(guess.token, guess.p, k + 1 === rank && (k ? '◂ came' : '✓ came'), k ? 'second' : 'focus'),
  );
  if (rank > guesses.length) {
    row(came, p, '◂ came', 'second');
    return y;
  }
  y += ROW;
  if (came !== undefined && Number.isNaN(rank)) {
    svg(
      node,
      'text',
      {x: 0, y, class: 'second'},
      `came: ${readable(came, 12)}, not in the vocabulary`,
    );
  }
  return y;
}
