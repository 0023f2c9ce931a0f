// The panel of the token in focus: its value, what was expected after it, the most active units.

import {ramp} from '../shared/colours.js';
import {put, svg} from '../shared/nodes.js';
import {readable, share, wrapped} from '../shared/texts.js';
import {number, unitLabel} from './sentence.js';

const TOP = 24; // under the line that says where the token stands
const CHIP = 38;
const LINE = 18;
const GAP = 30; // to the base of the next heading
const ROW = 22; // of what was expected
const BUTTON = 30;

/**
 * What the panel says about the token in focus, and where: each part knows where it ends (`foot`).
 * Without such a token it gives a hint.
 */
export function panelOf(scene, width) {
  const {reading, unit, t} = scene;
  if (t < 0) {
    const hint = [`Point at a ${reading.kind},`, 'or press an arrow key.'];
    return {width, hint, height: 38};
  }
  const token = tokenPart(scene, width);
  const expected = expectedPart(scene, token.foot + GAP, width);
  const busy = busyPart(scene, (expected ?? token).foot + GAP, width);
  return {
    width,
    place: `${reading.kind} ${t + 1} of ${reading.T}`,
    unit: unitLabel(reading, unit, 10),
    token,
    expected,
    busy,
    height: (busy ?? expected ?? token).foot + 6,
  };
}
// A short token stands on its colour, a long one in lines over it: `measure` is for 16 pixels, the
// lines have 14.
function tokenPart({reading, values, measure, t}, width) {
  const text = readable(reading.tokens[t], 200);
  const value = values[t];
  if (measure(text) <= 68) {
    const chip = {y: TOP, width: Math.max(36, measure(text) * 1.4 + 12), height: CHIP};
    return {value, lines: [], chip, letters: text, base: TOP + 28, foot: TOP + CHIP};
  }
  const lines = wrapped(text, (width * 16) / 14, measure);
  const foot = TOP + LINE * lines.length + 34;
  return {value, lines, chip: {y: foot - 24, width: 36, height: 30}, base: foot, foot};
}
// The guesses, and what came where it is none of them.
function expectedPart({reading, t}, y, width) {
  const next = reading.expected(t);
  if (!next) return null;
  const {guesses, came, p, rank} = next;
  const letters = reading.kind === 'character';
  const right = letters ? 24 : 78;
  const rowOf = ({token, p: chance}, place) => ({
    y: y + ROW * Math.min(place, guesses.length + 1),
    token: readable(token, letters ? 6 : 8),
    p: chance,
    kind: place === 1 ? 'focus' : 'wrong',
    note: place === rank && (place === 1 ? '✓ came' : '✗ came'),
  });
  const rows = guesses.map((guess, k) => rowOf(guess, k + 1));
  if (rank > guesses.length) rows.push(rowOf({token: came, p}, rank));
  const unknown = came !== undefined && Number.isNaN(rank);
  return {
    y,
    right,
    bar: {x: right + 6, width: width - right - 98},
    rows,
    unknown: unknown ? `came: ${readable(came, 12)}, not in the vocabulary` : null,
    foot: y + ROW * (guesses.length + 1),
  };
}
function busyPart({reading, unit, scale: {signed}, t}, y, width) {
  const units = reading.busy(t);
  if (!units.length) return null;
  const label = one => unitLabel(reading, one.unit, 6);
  const left = 20 + 7.3 * Math.max(...units.map(one => label(one).length));
  const half = (width - left - 58) / 2;
  const zero = signed ? left + half : left;
  const most = Math.max(1, ...units.map(({value}) => Math.abs(value)));
  const rows = units.map((one, k) => {
    const share = one.value / most;
    const long = share * (signed ? half : 2 * half);
    return {
      ...one,
      y: y + 8 + BUTTON * k,
      label: label(one),
      shown: one.unit === unit,
      bar: {x: Math.min(zero, zero + long), width: Math.abs(long)},
      share: signed ? (share + 1) / 2 : share,
    };
  });
  return {y, zero, rows, foot: y + 8 + BUTTON * rows.length};
}

/** Draws the panel, and puts a button of `buttons` over each of the most active units. */
export function drawPanel(node, buttons, panel, scene) {
  const {width, hint, expected, busy, height} = panel;
  node.replaceChildren();
  if (hint) {
    hint.forEach((text, k) => svg(node, 'text', {y: 12 + 20 * k, x: 0, class: 'text soft'}, text));
  } else {
    svg(node, 'text', {y: 12, x: 0, class: 'soft'}, panel.place);
    svg(node, 'text', {y: 12, x: width, class: 'soft end'}, panel.unit);
    drawToken(node, panel, scene);
    if (expected) drawExpected(node, panel, scene);
  }
  if (busy) drawBusy(node, panel, scene);
  buttons.forEach((button, k) => placeButton(button, busy?.rows[k], scene.reading.name));
  // a freed cursor moves nothing
  const tall = hint ? Math.max(height, Number(node.getAttribute('height'))) : height;
  put(null, node, {height: tall, viewBox: `0 0 ${width} ${tall}`});
}
function drawToken(node, {width, token}, {fill, ink, tone}) {
  const {lines, chip, letters, value, base} = token;
  lines.forEach((line, k) =>
    svg(node, 'text', {y: TOP + LINE * (k + 1), x: 0, class: 'mono text'}, line),
  );
  svg(node, 'rect', {x: 0, ...chip, rx: 4, fill: fill(value), stroke: tone.rule});
  if (letters !== undefined) {
    const style = `font-size:22px;fill:${ink(value)}`;
    svg(node, 'text', {x: chip.width / 2, y: TOP + 27, class: 'token', style}, letters);
  }
  svg(node, 'text', {x: width, y: base, class: 'mono display focus end'}, number(value));
}
function drawExpected(node, {width, expected}, {tone}) {
  const {y: top, right, bar, rows, unknown, foot} = expected;
  svg(node, 'text', {x: 0, y: top, class: 'text strong'}, 'expected next');
  for (const {y, token, p, note, kind} of rows) {
    const box = {x: bar.x, y: y - 12, width: bar.width, height: 14};
    svg(node, 'text', {x: right, y, class: `mono text end ${note ? kind : ''}`}, token);
    svg(node, 'rect', {...box, fill: tone.panel, stroke: tone.rule});
    svg(node, 'rect', {...box, width: bar.width * p, fill: ramp(tone.seq, 0.66)});
    const place = {x: bar.x + bar.width + 38, y};
    svg(node, 'text', {...place, class: `mono end ${note ? 'strong' : ''}`}, share(p));
    if (note) svg(node, 'text', {x: width, y, class: `end ${kind}`}, note);
  }
  if (unknown) svg(node, 'text', {x: 0, y: foot, class: 'soft'}, unknown);
}
function drawBusy(node, {width, busy}, {colours, tone}) {
  const {zero} = busy;
  svg(node, 'text', {y: busy.y, x: 0, class: 'text strong'}, 'most active here');
  for (const {y, label, value, shown, bar, share: shade} of busy.rows) {
    svg(node, 'text', {x: 8, y: y + 17, class: shown ? 'focus' : ''}, label);
    const box = {x: bar.x, y: y + 7, width: bar.width, height: 12};
    const look = {fill: ramp(colours, shade), stroke: tone.soft, 'stroke-width': 0.5};
    svg(node, 'rect', {...box, ...look});
    svg(node, 'line', {x1: zero, x2: zero, y1: y + 3, y2: y + 23, stroke: tone.soft});
    svg(node, 'text', {x: width - 6, y: y + 17, class: 'mono end'}, number(value));
  }
}
function placeButton(button, row, name) {
  button.style.visibility = row ? 'visible' : 'hidden';
  if (!row) return;
  button.style.top = `${row.y}px`;
  button.dataset.unit = row.unit;
  button.setAttribute('aria-pressed', String(row.shown));
  button.setAttribute('aria-label', `show ${name} ${row.unit}, here ${number(row.value)}`);
}
