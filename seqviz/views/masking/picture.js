// A sentence with its masks, arcs and weights, and the rows of guesses, drawn into two svgs.

import {inkOn, ramp} from '../shared/colours.js';
import {freshSheet, slantedLines, squeezed, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {chance, cut, cutTo, readable, SIGNS, wrapped} from '../shared/texts.js';

const SHADE = 0.62; // how far up the scale of colours the largest weight goes

/** A box of slanted lines: the left-to-right model, whatever the colour. */
function drawHatched(root, {x, y, width, height}, tone) {
  const look = {fill: 'none', stroke: tone.second};
  svg(root, 'path', {d: slantedLines({x, y, width, height}, 4.5, 2), ...look, 'stroke-width': 1.8});
  if (width < 2) return;
  const frame = {x: x + 0.5, y: y + 0.5, width: width - 1, height: Math.max(0.5, height - 1)};
  svg(root, 'rect', {...frame, rx: 1.5, ...look});
}
const drawSolid = (root, box, look) => svg(root, 'rect', {...box, rx: 2, ...look});

// ---- the sentence
export function drawSentence(node, scene, tone) {
  const {arcs, chips, layout, size, previewing} = scene;
  const root = freshSheet(node, size.W, layout.height);
  const dash = previewing ? '7 5' : 'none';
  const arc = {
    fill: 'none',
    stroke: tone.focus,
    'stroke-linecap': 'round',
    'stroke-dasharray': dash,
  };
  for (const {d, width, opacity} of arcs) {
    svg(root, 'path', {d, ...arc, 'stroke-width': width, opacity});
  }
  for (const chip of chips) drawChip(root, chip, scene, tone);
  for (const chip of chips) drawUnder(root, chip, scene, tone);
}
function chipLook({masked, second, previewed, special, shade}, tone) {
  if (masked && !previewed) return {fill: tone.focus, ink: tone.bg};
  if (masked || second) return {fill: tone.bg, ink: tone.focus, stroke: tone.focus};
  const fill = ramp(tone.seq, SHADE * shade);
  return {fill, ink: special && shade < 0.3 ? tone.soft : inkOn(fill)};
}
function drawChip(root, chip, {size: {measure, W}}, tone) {
  const {x, y, w, h, cx, fontSize, starts, ends, special, masked, second, previewed, locked} = chip;
  const {fill, ink, stroke = 'none'} = chipLook(chip, tone);
  const inset = stroke === 'none' ? 0 : 1;
  const box = {x: x + inset, y: y + inset, width: w - 2 * inset, height: h - 2 * inset};
  const rx = starts && ends ? 6 : 3;
  const dash = previewed ? '5 3' : 'none';
  svg(root, 'rect', {...box, rx, fill, stroke, 'stroke-width': 2, 'stroke-dasharray': dash});
  if (locked) {
    const ring = {x: x - 2, y: y - 2, width: w + 4, height: h + 4, rx: 8};
    svg(root, 'rect', {...ring, fill: 'none', stroke: tone.focus, 'stroke-width': 2.5});
  }
  const weight = masked || second ? 700 : special ? 400 : 500;
  const text = cutTo(
    chip.text,
    Math.max(w - 4, masked || second ? W : 0),
    measure,
    `600 ${fontSize}px`,
  );
  const node = textAt(root, cx, y + 0.47 * h + 0.35 * fontSize, text, 'chip', 'middle');
  node.style.cssText = `font-size:${fontSize}px;font-weight:${weight};fill:${ink}`;
  const room = w - (inset ? 9 : 4);
  if (masked || second) squeezed(node, room, measure, `700 ${fontSize}px`);
}
// What stands on a chip's foot and under it, and over it while nothing is masked.
function drawUnder(root, chip, {size, layout, compared}, tone) {
  const {x, y, w, h, cx, weight, readBoth, readLeft, mini} = chip;
  const {em, small} = size;
  const low = y + h;
  if (readLeft) {
    drawHatched(root, {x, y: low - 0.32 * em, width: w, height: 0.32 * em}, tone);
  }
  if (readBoth) {
    const line = {x, y: low + 3, width: w, height: 0.18 * em};
    drawSolid(root, line, {fill: tone.focus, opacity: 0.62});
  }
  if (weight) textAt(root, cx, low + 0.35 * em + small, weight, 'halo', 'middle');
  if (mini) drawOver(root, chip, {size, layout, compared}, tone);
}
// A pair of bars over a token: its probability by each model when it alone is masked.
function drawOver(root, {cx, y, mini}, {size: {em}, layout, compared}, tone) {
  const one = layout.lines === 1;
  const room = Math.min(layout.first, layout.gutter) - (one ? 1.5 : 0.4) * em;
  const box = (p, dx) => {
    const height = Math.max(2, room * p);
    return {x: cx + dx * em, y: y - 3 - height, width: 0.8 * em, height};
  };
  const both = box(mini.both, compared ? -0.85 : -0.4);
  drawSolid(root, both, {fill: ramp(tone.seq, 0.57)});
  if (compared) drawHatched(root, box(mini.left, 0.05), tone);
  if (one) textAt(root, both.x + 0.4 * em, both.y - 0.3 * em, chance(mini.both), '', 'middle');
}

// ---- the guesses
const ROW = 1.56; // em
const ROWS = 8; // that there can be
const NARROW = 34; // em
/** Where the columns stand, in pixels. */
function guessColumns({W, em, compared}) {
  const word = 5.1 * em;
  const numbers = (compared ? 8.6 : 4) * em;
  const names = Math.max(6.5 * em, Math.min(11 * em, 0.24 * W));
  const x0 = word + names;
  return {
    rank: 2.4 * em,
    tick: 3.6 * em,
    word,
    names: names - 0.6 * em,
    x0,
    wide: Math.max(2 * em, W - numbers - x0),
    both: W - (compared ? 4.5 * em : 0),
    left: W,
  };
}
/** The rows of guesses; returns which token lies under a point, while nothing is masked. */
export function drawGuesses(node, scene, tone, W) {
  const {rows, size, title, note, compared, row, names} = scene;
  const {em, small, measure} = size;
  const wide = text => measure(text, `${small}px`);
  const key = keyOf(names.slice(0, compared ? 2 : 1), wide, em);
  const below = measure(title, `700 ${em}px`) + 2 * em + key.width > W;
  const top = (below ? 3.2 : 1.75) * em;
  const notes = wrapped(note, W, wide).map(line => line.trim());
  const least = W < NARROW * em ? 2 : 1; // lines, so that another note moves nothing
  const height = top + ROWS * ROW * em + Math.max(least, notes.length) * 1.45 * small + 0.3 * em;
  const root = freshSheet(node, W, height);
  const columns = guessColumns({W, em, compared});
  const solid = {fill: row ? tone.focus : ramp(tone.seq, 0.57)};
  const pen = {root, em, small, measure, columns, tone, solid, W, free: !row};
  textAt(root, 0, 1.1 * em, title, 'title');
  drawKey(pen, key, below ? {x: 0, y: 1.5 * em} : {x: W - key.width, y: 0});
  rows.forEach((one, n) => drawRow(pen, one, top + n * ROW * em));
  const low = top + rows.length * ROW * em + small + 0.35 * em;
  notes.forEach((line, n) => textAt(root, 0, low + n * 1.45 * small, line, 'soft'));
  return (x, y) => {
    const n = Math.floor((y - top) / (ROW * em));
    return x >= 0 && x < W && n >= 0 ? (rows[n]?.k ?? null) : null;
  };
}
// The names with how their bars look: {text, x} each, and the width of all.
function keyOf(names, wide, em) {
  let x = 0;
  const entries = names.map(name => {
    const entry = {text: readable(name, 24), x};
    x += 2 * em + wide(entry.text) + 1.2 * em;
    return entry;
  });
  return {entries, width: x - 1.2 * em};
}
function drawKey({root, em, tone, solid}, {entries}, {x, y}) {
  entries.forEach(({text, x: from}, n) => {
    const box = {x: x + from, y: y + 0.4 * em, width: 1.6 * em, height: 0.7 * em};
    if (n === 0) drawSolid(root, box, solid);
    else drawHatched(root, box, tone);
    textAt(root, box.x + 2 * em, y + 1.05 * em, text, 'soft');
  });
}
function drawRow(pen, one, y) {
  const {root, em, small, measure, columns, tone, W, free} = pen;
  const {kind, rank, lead, both, left} = one;
  const row = new Row(root, {y, tall: ROW * em, base: y + 1.15 * em});
  if (kind === 'best') {
    const room = columns.word - 0.5 * em;
    svg(root, 'path', {d: `M0 ${y}H${W}`, stroke: tone.rule});
    row.end(
      room,
      cut(lead, room, words => measure(words, `${small}px`)),
      'soft',
    );
  }
  if (rank) row.end(columns.rank, rank, 'soft');
  if (kind === 'true') drawTick(pen, y + (ROW / 2) * em);
  drawWord(pen, one, row);
  row.axis(columns.x0, 0.1 * em, {stroke: tone.soft});
  drawBars(pen, one, y);
  const look = kind === 'rest' ? 'soft' : free ? 'big' : 'big hot';
  if (both !== null) row.end(columns.both, chance(both), look);
  if (left !== null) row.end(columns.left, chance(left), kind === 'rest' ? 'soft' : 'big second');
}
function drawTick({root, em, small, columns, tone}, y) {
  svg(root, 'circle', {cx: columns.tick, cy: y, r: 0.66 * em, fill: tone.ink});
  const sign = textAt(root, columns.tick, y + 0.36 * small, SIGNS.right, '', 'middle');
  sign.style.cssText = `fill:${tone.bg};font-weight:700`;
}
// A guess; what stands there anyway of its word is soft.
function drawWord({em, measure, columns, small}, {kind, before, word, after}, row) {
  const rest = kind === 'rest';
  const font = rest ? `${small}px` : `${kind === 'true' ? 700 : 500} ${1.08 * em}px`;
  const wide = text => measure(text, font);
  const room = columns.names - wide(before) - wide(after);
  const look = rest ? 'soft' : kind === 'true' ? 'big strong' : 'big';
  const node = row.text(columns.word, '', look);
  if (before) svg(node, 'tspan', {class: 'soft'}, before);
  svg(node, 'tspan', {}, cutTo(word, Math.max(3 * em, room), wide));
  if (after) svg(node, 'tspan', {class: 'soft'}, after);
}
function drawBars({root, em, columns, tone, solid}, {kind, both, left}, y) {
  const box = (p, dy, height) => ({
    x: columns.x0 + 1,
    y: y + dy * em,
    width: Math.max(1, columns.wide * p),
    height: height * em,
  });
  const pair = both !== null && left !== null;
  if (both !== null) {
    const look = kind === 'rest' ? {fill: tone.soft, opacity: 0.5} : solid;
    drawSolid(root, box(both, pair ? 0.22 : 0.36, pair ? 0.66 : 0.95), look);
  }
  if (left !== null) drawHatched(root, box(left, pair ? 0.94 : 0.4, pair ? 0.5 : 0.85), tone);
}
