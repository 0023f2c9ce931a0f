// Draws the scene of a piano roll.

import {drawJudged, textAt} from '../shared/marks.js';
import {put, svg} from '../shared/nodes.js';
import {cut} from '../shared/texts.js';

const MOTIF_DASHES = ['', '5 2', '1.5 2', '7 2 1.5 2']; // of a motif, so that its colour is not alone
const LEAST_TICK = 6; // pixels of a bar, or it is left out
const LATER = 0.35; // of the strength of a note that cannot be attended to

/** Draws everything into one drawing. */
export function drawRoll(root, scene, tone, measure) {
  const {layout} = scene;
  root.replaceChildren();
  root.setAttribute('viewBox', `0 0 ${layout.W} ${layout.height}`);
  root.style.height = `${layout.height}px`;
  drawGrid(root, scene, tone);
  drawKeys(root, scene, tone, measure);
  scene.bars.forEach(bar => drawBar(root, bar, tone));
  scene.ghosts.forEach(ghost => drawGhost(root, ghost, tone));
  scene.brackets.forEach(bracket => drawBracket(root, bracket, tone, measure));
  [...scene.arcs].reverse().forEach(arc => drawArc(root, arc, tone));
  scene.bars.forEach(bar => drawMark(root, bar, tone));
  if (scene.lane) drawLane(root, scene, tone, measure);
}
function drawGrid(root, {keys, seconds, layout}, tone) {
  const {x0, x1, top, bottom, lane, axis} = layout;
  const line = (x1, x2, y1, y2) => svg(root, 'line', {x1, x2, y1, y2, stroke: tone.rule});
  for (const {y, height, black, octave} of keys) {
    if (black) svg(root, 'rect', {x: x0, y, width: x1 - x0, height, fill: tone.panel});
    if (octave) line(x0, x1, y + height, y + height);
  }
  for (const {x, text} of seconds) {
    line(x, x, top, bottom);
    if (lane) line(x, x, lane.top, lane.base);
    textAt(root, x, axis, text, 'soft', 'middle');
  }
}
function drawKeys(root, {keys, layout}, tone) {
  const {keys: wide} = layout;
  for (const {y, height, black, octave} of keys) {
    const short = wide * 0.42;
    if (black) svg(root, 'rect', {x: 0, y, width: short, height, fill: tone.soft, opacity: 0.75});
    if (!octave) continue;
    svg(root, 'line', {x1: 0, x2: short, y1: y + height, y2: y + height, stroke: tone.soft});
  }
  const frame = {x: 0.5, y: layout.top, width: wide - 1, height: layout.bottom - layout.top};
  svg(root, 'rect', {...frame, fill: 'none', stroke: tone.rule});
  for (const {y, height, look, text} of keys) {
    if (!text) continue;
    const middle = y + height / 2;
    if (look) {
      const fill = look === 'focus' ? tone.focus : tone.second;
      svg(root, 'rect', {x: 0, y: middle - 8, width: wide, height: 16, rx: 3, fill});
    }
    textAt(root, wide - 4, middle + 4, text, look ? 'on' : 'soft halo', 'end');
  }
}
function drawBar(root, {box, opacity, look, motif}, tone) {
  const faint = look === 'later' ? LATER : 1;
  const outline = {stroke: tone.ink, 'stroke-width': 1.2, 'stroke-opacity': faint};
  svg(root, 'rect', {
    ...box,
    rx: 2,
    fill: look === 'focus' ? tone.focus : tone.cat[0],
    'fill-opacity': (look === 'focus' ? 1 : opacity * faint).toFixed(2),
    ...(motif !== null && {...outline, 'stroke-dasharray': MOTIF_DASHES[motif]}),
  });
}
function drawGhost(root, box, tone) {
  const line = {stroke: tone.wrong, 'stroke-width': 1.5, 'stroke-dasharray': '3 2'};
  svg(root, 'rect', {...box, rx: 2, fill: 'none', ...line});
}
function drawBracket(root, {motif, x, end, y, text, short, own}, tone, measure) {
  const wide = one => measure(one, own ? '700 12px' : '12px');
  const told = [text, short, ''].find(one => wide(one) < end - x - 12);
  const middle = (x + end) / 2;
  const half = told ? wide(told) / 2 + 4 : 0;
  svg(root, 'path', {
    d: `M${x} ${y + 6}V${y}H${middle - half}M${middle + half} ${y}H${end}V${y + 6}`,
    fill: 'none',
    stroke: own ? tone.focus : tone.soft,
    'stroke-width': own ? 2.5 : 1.5,
    'stroke-dasharray': MOTIF_DASHES[motif],
  });
  if (told) textAt(root, middle, y + 4, told, own ? 'hot' : '', 'middle');
}
function drawArc(root, {d, width, end, best}, tone) {
  const stroke = best ? tone.second : tone.focus;
  const opacity = best ? 0.95 : 0.55;
  const line = {d, fill: 'none', stroke, 'stroke-linecap': 'round'};
  svg(root, 'path', {...line, 'stroke-width': width.toFixed(2), opacity});
  svg(root, 'circle', {cx: end.x, cy: end.y, r: 3.5, fill: stroke, stroke: tone.bg});
}
// A right note has a tick only.
function drawMark(root, {box: {x, y, width, height}, mark}, tone) {
  const middle = y + height / 2;
  if (mark === 'wrong') drawJudged(root, mark, x + width / 2, middle, tone);
  if (mark !== 'right' || width < LEAST_TICK) return;
  const tick = {d: `M${x + width / 2 - 4} ${middle}l2.6 2.8 5 -5.6`, fill: 'none'};
  svg(root, 'path', {...tick, stroke: tone.bg, 'stroke-width': 4.5});
  svg(root, 'path', {...tick, stroke: tone.ink, 'stroke-width': 1.8});
}
function drawLane(root, {lane, layout}, tone, measure) {
  const {line, base, top, x0, x1, stems = [], most} = lane;
  textAt(root, 0, line, cut(lane.caption, layout.W, measure, 200), 'soft');
  svg(root, 'line', {x1: x0, x2: x1, y1: base, y2: base, stroke: tone.soft});
  const d = kept => kept.map(({x, height}) => `M${x.toFixed(1)} ${base}v${-height}`).join('');
  const weak = d(stems.filter(({strong}) => !strong));
  const strong = d(stems.filter(stem => stem.strong));
  svg(root, 'path', {d: weak, stroke: tone.soft, 'stroke-width': 2.5});
  svg(root, 'path', {d: strong, stroke: tone.focus, 'stroke-width': 2.5});
  if (most) textAt(root, x0 - 8, top + 5, most, 'soft', 'end');
  textAt(root, x0 - 8, base, '0', 'soft', 'end');
  drawNumbers(root, lane, measure);
}
// A number stands over its stem, where it lies on no other number and no taller stem.
function drawNumbers(root, {numbers = [], stems, base, x0, x1}, measure) {
  const taken = [];
  for (const {x, y, text} of numbers) {
    const half = measure(text, '700 12px') / 2 + 3;
    const middle = Math.max(x0 + half, Math.min(x1 - half, x));
    const near = (other, room) => Math.abs(other - middle) < room;
    const behind = stems.some(stem => near(stem.x, half) && base - stem.height < y - 1);
    const on = taken.some(one => near(one.x, half + one.half) && Math.abs(one.y - y) < 14);
    if (behind || on) continue;
    taken.push({x: middle, y, half});
    textAt(root, middle, y, text, 'halo strong', 'middle');
  }
}
/** Moves the line of the sound; away where there is none. */
export function drawPlayhead(root, {layout, piece}, tick, tone) {
  root.style.display = tick === null || tick > piece.span ? 'none' : '';
  if (root.style.display) return;
  root.setAttribute('viewBox', `0 0 ${layout.W} ${layout.height}`);
  const x = layout.X(tick).toFixed(1);
  const place = {x1: x, x2: x, y1: layout.top, y2: layout.bottom, stroke: tone.ink};
  put(null, root.firstChild ?? svg(root, 'line', {'stroke-width': 2}), place);
}
