// The panel of the token in focus: its value, what was expected after it, the most active units.

import {ramp} from '../shared/colours.js';
import {textAt} from '../shared/marks.js';
import {put, svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {cut, graphemes, readable, share, SIGNS, wrapped} from '../shared/texts.js';
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
function expectedPart({reading, measure, t}, y, width) {
  const next = reading.expected(t);
  if (!next) return null;
  const {guesses, came, p, rank} = next;
  const letters = reading.kind === 'character';
  const right = letters ? 24 : 78;
  const wide = text => (measure(text) * 14) / 16;
  const rowOf = ({token, p: chance}, place) => ({
    y: y + ROW * Math.min(place, guesses.length + 1),
    token: letters ? readable(token, 6) : cut(token, right, wide, 8),
    p: chance,
    kind: place === 1 ? 'focus' : 'wrong',
    note: place === rank && `${place === 1 ? SIGNS.right : SIGNS.wrong} came`,
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
function busyPart({reading, measure, unit, scale: {signed}, t}, y, width) {
  const units = reading.busy(t);
  if (!units.length) return null;
  const label = one => unitLabel(reading, one.unit, 6);
  const wide = text => Math.max(7.3 * graphemes(text).length, 0.75 * measure(text)); // of 12 pixels
  const left = 20 + Math.max(...units.map(one => wide(label(one))));
  const half = (width - left - 58) / 2;
  const zero = signed ? left + half : left;
  const most = Math.max(1, ...units.map(({value}) => Math.abs(value)));
  const rows = units.map((one, k) => {
    const share = one.value / most;
    return {
      ...one,
      y: y + 8 + BUTTON * k,
      label: label(one),
      shown: one.unit === unit,
      long: share * (signed ? half : 2 * half),
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
    hint.forEach((text, k) => textAt(node, 0, 12 + 20 * k, text, 'text soft'));
  } else {
    textAt(node, 0, 12, panel.place, 'soft');
    textAt(node, width, 12, panel.unit, 'soft', 'end');
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
  lines.forEach((line, k) => textAt(node, 0, TOP + LINE * (k + 1), line, 'mono text'));
  svg(node, 'rect', {x: 0, ...chip, rx: 4, fill: fill(value), stroke: tone.rule});
  if (letters !== undefined) {
    const word = textAt(node, chip.width / 2, TOP + 27, letters, 'token', 'middle');
    word.style.cssText = `font-size:22px;fill:${ink(value)}`;
  }
  textAt(node, width, base, number(value), 'mono display focus', 'end');
}
function drawExpected(node, {width, expected}, {tone}) {
  const {y: top, right, bar, rows, unknown, foot} = expected;
  textAt(node, 0, top, 'expected next', 'text strong');
  for (const {y, token, p, note, kind} of rows) {
    const row = new Row(node, {y: y - 12, tall: 14, base: y});
    row.end(right, token, `mono text ${note ? kind : ''}`);
    row.bar(bar.x, bar.width, 14, {fill: tone.panel, stroke: tone.rule});
    row.bar(bar.x, bar.width * p, 14, {fill: ramp(tone.seq, 0.66)}, {least: 0});
    row.end(bar.x + bar.width + 38, share(p), `mono ${note ? 'strong' : ''}`);
    if (note) row.end(width, note, kind);
  }
  if (unknown) textAt(node, 0, foot, unknown, 'soft');
}
function drawBusy(node, {width, busy}, {colours, tone}) {
  const {zero} = busy;
  textAt(node, 0, busy.y, 'most active here', 'text strong');
  for (const {y, label, value, shown, long, share: shade} of busy.rows) {
    const row = new Row(node, {y, tall: 26, base: y + 17});
    row.text(8, label, shown ? 'focus' : '');
    const look = {fill: ramp(colours, shade), stroke: tone.soft, 'stroke-width': 0.5};
    row.bar(zero, long, 12, look, {least: 0});
    row.axis(zero, 3, {stroke: tone.soft});
    row.end(width - 6, number(value), 'mono');
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
