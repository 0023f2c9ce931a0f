// The picture, lit, with what is drawn over it; and the lines over the strip and over the picture.

import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {sharpness} from '../shared/scale.js';
import {cut, cutTo} from '../shared/texts.js';
import {paintedStep, rampColour} from './lighting.js';
import {cleared, paintPixels} from './marks.js';

const PALE = '#ffffff';
const BLACK = '#0b1120';
const SMALL_REGION = 24; // pixels
const LEAST_HINT = 60; // pixels, or it is left out

/** Draws the picture and its marks into a canvas and two drawings over it. */
export function drawPicture({box, canvas, framed, marks}, scene, measure) {
  const {film, focus, layout, scale, picture} = scene;
  const {width, height} = layout.picture;
  Object.assign(box.style, {width: `${width}px`, height: `${height}px`});
  const across = width * sharpness(canvas);
  const key = `${film.part} ${focus.at} ${scale} ${across} ${film.query}`;
  if (canvas.dataset.key !== key) {
    canvas.dataset.key = key;
    paintPixels(canvas, paintedStep(film, focus.at, scale), [film.w, film.h], across);
  }
  moveFrame(framed, picture.frame, width, height);
  cleared(marks, width, height);
  drawTwice(marks, picture.boxes, [BLACK, 3.5], [PALE, 1.5]);
  picture.outlines.forEach(outline => drawOutline(marks, outline, layout.picture));
  const labels = placedLabels(picture, width, height, measure);
  labels.forEach(label => drawObjectLabel(marks, label));
  drawSteps(marks, picture.path);
  if (picture.region) drawTwice(marks, [picture.region], [PALE, 6], ['var(--sv-second)', 3]);
}
// Rectangles in two lines, the narrow one over the wide one, so that one is seen on any picture.
function drawTwice(root, boxes, ...lines) {
  for (const [stroke, size] of lines) {
    for (const {x, y, width, height} of boxes) {
      svg(root, 'rect', {x, y, width, height, fill: 'none', stroke, 'stroke-width': size});
    }
  }
}
// The same two rectangles, so that they glide.
function moveFrame(framed, frame, width, height) {
  framed.setAttribute('viewBox', `0 0 ${width} ${height}`);
  framed.style.display = frame ? '' : 'none';
  if (!frame) return;
  if (!framed.firstChild) {
    drawTwice(framed, [frame], [PALE, 6], ['var(--mark)', 3]);
    for (const rect of framed.children) rect.setAttribute('rx', 5);
  }
  for (const rect of framed.children) {
    for (const [name, value] of Object.entries(frame)) {
      rect.setAttribute(name, value);
      rect.style[name] = `${value}px`;
    }
  }
}
// Around many regions, or small ones, a thick line would be a maze.
function drawOutline(root, {kind, d}, {unit, tier}) {
  const line = {d, fill: 'none', 'stroke-linecap': 'square'};
  const size = Math.min(unit, tier) < SMALL_REGION ? 1.5 : 3;
  const thin = kind === 'thin';
  svg(root, 'path', {...line, stroke: PALE, 'stroke-width': thin ? 1 : 2 * size});
  if (thin) return;
  const second = kind === 'second';
  const stroke = second ? 'var(--sv-second)' : 'var(--mark)';
  const dashes = second ? {'stroke-dasharray': '6 5'} : {};
  svg(root, 'path', {...line, stroke, 'stroke-width': size, ...dashes});
}
const meets = (one, {x, y, width, height}) =>
  one.x < x + width && x < one.x + one.width && one.y < y + height && y < one.y + one.height;
// A label stands over its box and what is lit there, under it where there is no room, and no two
// on each other.
function placedLabels({boxes, outlines}, width, height, measure) {
  const taken = [];
  const lit = outlines.flatMap(({cells}) => cells);
  return boxes.flatMap(({x, y, height: tall, value, name, says}) => {
    const text = cut(name, 0.6 * width, t => measure(t, '700 14px'), 24);
    const wide = measure(value, '700 20px') + 5 + measure(text, '700 14px');
    const at = Math.max(4, Math.min(width - wide - 4, x));
    const free = base =>
      base >= 20 &&
      base <= height - 5 &&
      !taken.some(one => Math.abs(one.base - base) < 22 && one.at < at + wide && at < one.end);
    const under = base => {
      const place = {x: at, y: base - 16, width: wide, height: 20};
      return lit.filter(cell => meets(place, cell));
    };
    const dark = base => free(base) && !under(base).length;
    const top = Math.min(y, ...under(y - 7).map(cell => cell.y));
    const bases = [y - 7, top - 7, y + tall + 20, y + 22, y + tall - 7, y - 29];
    const base = bases.find(dark) ?? bases.find(free) ?? Math.max(20, y - 7);
    taken.push({base, at, end: at + wide});
    const label = {x: at, y: base, value, text};
    if (!says) return [label];
    const below = [y + tall + 20, y + tall - 7].find(free) ?? base + 22;
    taken.push({base: below, at, end: at + measure(says, '700 14px')});
    return [label, {x: at, y: below, value: '', text: says}];
  });
}
function drawObjectLabel(root, {x, y, value, text}) {
  const node = svg(root, 'text', {x, y, class: 'over'});
  if (value) svg(node, 'tspan', {class: 'large'}, `${value} `);
  svg(node, 'tspan', {}, text);
}
function drawSteps(root, path) {
  if (!path.length) return;
  const d = path.map(({x, y}, i) => `${i ? 'L' : 'M'}${x} ${y}`).join('');
  svg(root, 'path', {d, fill: 'none', stroke: PALE, 'stroke-width': 1.5, opacity: 0.75});
  path.forEach(({x, y}, i) => {
    const last = i === path.length - 1;
    const fill = last ? 'var(--mark)' : BLACK;
    svg(root, 'circle', {cx: x, cy: y, r: 10, fill, stroke: PALE, 'stroke-width': 1.5});
    textAt(root, x, y + 4.5, String(i + 1), last ? 'here' : 'been', 'middle');
  });
}
/** The line over the strip: what it is, and what its bars are. */
export function drawHead(root, scene, measure) {
  const {left, head} = scene.layout;
  const {locked, region} = scene.focus;
  const title = cut(scene.title, left, text => measure(text, '700 14px'), 120);
  const room = left - measure(title, '700 14px') - 14;
  const look = region !== null ? 'second' : locked ? 'hot' : 'soft';
  const font = look === 'soft' ? '12px' : '700 12px';
  cleared(root, left, head);
  root.style.height = `${head}px`;
  textAt(root, 0, 16, title, 'title');
  if (room < LEAST_HINT) return;
  const hint = cutTo(scene.hint, room, measure, font);
  textAt(root, left, 16, hint, look, 'end');
}
const RAMP = {width: 72, bands: 24};
/** The line over the picture: the scale of its light. */
export function drawLegend(root, scene, measure, tone) {
  const {picture, head} = scene.layout;
  cleared(root, picture.width, head);
  Object.assign(root.style, {width: `${picture.width}px`, height: `${head}px`});
  if (!scene.picture.range) return textAt(root, 0, 16, 'the plain picture', 'soft');
  const [from, to] = scene.picture.range;
  const start = measure(from) + 8;
  const {width, bands} = RAMP;
  textAt(root, 0, 16, from, 'soft');
  for (let k = 0; k < bands; k++) {
    const x = start + (k * width) / bands;
    const box = {x, y: 6, width: width / bands + 0.4, height: 11};
    svg(root, 'rect', {...box, fill: `rgb(${rampColour((k + 0.5) / bands)})`});
  }
  const edge = {x: start, y: 6, width, height: 11, fill: 'none', stroke: tone.rule};
  svg(root, 'rect', edge);
  return textAt(root, start + width + 8, 16, to, 'soft');
}
