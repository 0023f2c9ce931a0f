// Depth 0, right of the tokens: the maps of all heads, what the output layer would say after each
// block, and the likeliest answers at the token in focus.

import {probable, written, shown, spanText} from '../shared/scene/names.js';
import {LEAST_TEXT} from '../shared/scene/sketch.js';
import {answeredToken, answering} from './standing.js';
import {rowRead} from './whole_plan.js';
import {drawTrack, isPartOf, sightOf, windowAround} from '../shared/scene/windows.js';

const THUMB = {least: 11.5, gap: 3};
const APART = 6; // between the maps of two attentions
const MOST_ANSWERS = 4;
const LINE = {least: 13.5, most: 18};
const FIGURES = 40; // pixels for a probability

/**
 * @param {Object} all the world of depth 0, and its `sketch`
 */
export function drawSide(all) {
  const {plan, facts} = all;
  if (!plan.right.width) return;
  for (const {block} of plan.frames) drawMaps(all, block);
  if (facts.lens) for (const row of plan.rows) drawLens(all, row);
  if (facts.answers) drawLikeliest(all);
}
// ---- maps
function drawMaps(all, block) {
  const {plan, facts, state} = all;
  const parts = facts.anatomy.streams[state.stream].blocks[block]?.parts ?? [];
  const rows = plan.rows.filter(row => row.is === 'beads' && row.block === block);
  const height = rows.reduce((sum, row) => sum + row.height, 0);
  const attentions = parts.filter(({is}) => is === 'attention').length;
  const {x, width} = plan.right;
  const each = (width - 4 - APART * (attentions - 1)) / attentions;
  const band = {x, y: rows[0].y, width: each, height};
  parts.forEach((part, k) => {
    if (part.is === 'attention') band.x += drawThumbs(all, {part, k, block}, band) + APART;
  });
  if (plan.compact) drawSizes(all, parts, rows[0], x + width - 4 - band.x);
}
function drawThumbs(all, {part, k, block}, band) {
  const {sketch, state} = all;
  const at = state.block === block && state.part === k ? state.head : 0;
  const heads = windowAround(part.heads, at, (band.width + THUMB.gap) / (THUMB.least + THUMB.gap));
  const low = band.height - (isPartOf(heads) ? 5 : 2);
  const step = Math.min(low + THUMB.gap, (band.width + THUMB.gap) / heads.count);
  const side = step - THUMB.gap;
  for (const head of sightOf(heads)) {
    const x = band.x + (head - heads.from) * step;
    drawThumb(all, {part, k, block, head}, {x, y: band.y + 1, width: side, height: side});
  }
  const width = heads.count * step - THUMB.gap;
  if (isPartOf(heads)) {
    const track = {x: band.x, y: band.y + side + 2.5, width, height: 2};
    drawTrack(sketch, track, heads, head => ({stream: state.stream, block, part: k, head}));
  }
  return width;
}
function drawThumb({sketch, numbers, state, over}, {part, k, block, head}, box) {
  const {weights, maps} = part;
  const all = axis => ({from: 0, count: numbers.shape(weights)[maps[axis]]});
  sketch.map(part, head, {rows: all('query'), keys: all('key')}, box);
  sketch.strike(part, head, box);
  const own = {stream: state.stream, block, part: k, head};
  const isOf = place => Object.keys(own).every(name => place[name] === own[name]);
  if (isOf(over)) sketch.preview(box, {r: 2});
  else if (isOf(state)) sketch.frame(box, 'focus', {r: 2});
  else sketch.frame(box, 'rule', {r: 2, strokeWidth: 1});
  sketch.hit(box, own, {...own, depth: 1});
}
// Where beads are too narrow for numbers, those of the token in focus stand beside the maps.
function drawSizes({sketch, plan, numbers, state}, parts, row, room) {
  const sizes = parts.map(part => numbers.size(part, state.token));
  if (!sizes.length || sizes.includes(null)) return;
  const text = `+ ${sizes.map(written).join(', ')}`;
  if (sketch.width(text) > room) return;
  const x = plan.right.x + plan.right.width - 4;
  sketch.text(x, row.y + row.height / 2 + 4, text, {anchor: 'end'});
}

// ---- what it would say
function drawLens(all, row) {
  const {sketch, plan} = all;
  const at = row.is === 'x' ? 0 : row.is === 'end' ? row.block + 1 : null;
  const said = at === null ? null : saidAt(all, at);
  if (!said) return;
  const [word, p] = said;
  const {x, width} = plan.right;
  const y = row.y + row.height * 0.36 + 5;
  const opening = all.facts.spans ? 'says ' : 'would say '; // a span is long
  const spans = [{text: opening}, {text: word, fill: 'ink', weight: 700}];
  sketch.text(x, y, spans, {room: width - FIGURES - 6});
  sketch.text(x + width - 4, y, probable(p), {anchor: 'end', fill: 'ink'});
}
// What the output layer would say after so many blocks, and how likely: a word, or a span.
function saidAt(all, at) {
  const {facts, labels} = all;
  if (facts.spans) {
    const span = facts.spans[at];
    return span && [spanText(labels[facts.anatomy.streams.at(-1).tokens], span), span[2]];
  }
  const said = facts.lens[at]?.[answeredToken(facts, all.state)];
  return said && [shown(said[0]), said[1]];
}
function drawLikeliest(all) {
  const {sketch, plan, facts, labels} = all;
  const {anatomy} = facts;
  const token = answeredToken(facts, all.state);
  const last = plan.rows.at(-1);
  const top = last.is === 'last' ? last.y : plan.answers.y;
  const {x, width} = plan.right;
  const room = plan.bottom - top - 15;
  const lines = Math.max(1, Math.min(MOST_ANSWERS, Math.floor(room / LINE.least)));
  const step = Math.min(LINE.most, Math.max(LINE.least, room / lines));
  const ofText = anatomy.probabilities === 'text';
  const asked = ofText ? rowRead(facts) : token;
  const name = labels[anatomy.streams[answering(anatomy)].tokens][asked];
  const title =
    asked === null
      ? [{text: 'answer'}]
      : [
          {text: ofText ? 'answer, read at ' : 'answer at '},
          {text: name, fill: 'focus', weight: 700},
        ];
  sketch.text(x, top + 11, title, {room: width - 4});
  const answers = facts.answers[token].map(([word, p]) => [shown(word), p]);
  const wide = answers.map(([word]) => sketch.width(word, LEAST_TEXT, 700));
  const words = Math.min(Math.max(...wide) + 2, width * 0.45);
  answers.slice(0, lines).forEach(([word, p], k) => {
    const y = top + 15 + (k + 0.5) * step;
    const weight = k ? 400 : 700;
    sketch.text(x + words, y + 4, word, {anchor: 'end', fill: 'ink', weight, room: words});
    const bar = {x: x + words + 6, y: y - 5, height: 10};
    const longest = width - words - FIGURES - 14;
    sketch.rect({...bar, width: Math.max(1, longest * p)}, {fill: k ? 'mark' : 'focus'});
    sketch.text(x + width - 4, y + 4, probable(p), {anchor: 'end', fill: 'ink', weight});
  });
}
