// The two grids: what the output layer would say of each state, what a carried one reaches.

import {percents, probable, shown} from '../shared/scene/names.js';
import {toneOf} from '../shared/scene/sketch.js';
import {drawTrack, inSight, isPartOf, sightOf} from '../shared/scene/windows.js';
import {shareOf} from './asking.js';
import {stageName, tellsWords} from './cursor.js';
import {cellBox} from './plan.js';

const TEXT_SIZE = {least: 12, most: 14};
const QUIET = 0.3; // of the tone of what is not reached
const LEAST_MOVED = 0.02; // less is not told
const SAME = 0.005;

/**
 * Draws both grids.
 * @param {Sketch} sketch
 * @param {Object} world `facts`, `state`, `labels`, `plan`, `grids`, `before`, `carried`, `held`,
 * `at`, `over`, `effects`, `far`, `asked`
 */
export function drawGrids(sketch, world) {
  for (const text of [0, 1]) drawGrid(sketch, world, text);
  for (const one of world.carried) drawCarry(sketch, world, one);
  drawCursor(sketch, world);
}
function drawGrid(sketch, world, text) {
  const {plan} = world;
  for (const stage of sightOf(plan.stages)) drawName(sketch, world, text, stage);
  for (const token of sightOf(plan.tokens)) {
    if (token >= world.labels[text].length) continue;
    drawToken(sketch, world, text, token);
    for (const stage of sightOf(plan.stages)) drawCell(sketch, world, {text, stage, token});
  }
  if (text === 0 && world.carried.length) drawReach(sketch, world);
  drawAnswer(sketch, world, text);
  drawTracks(sketch, world, text);
}
function drawName(sketch, world, text, stage) {
  const {plan} = world;
  const {y, height} = cellBox(plan, {text, stage, token: plan.tokens.from});
  const grid = plan.grids[text];
  const name = stageName(world, stage);
  sketch.text(grid.x - 8, y + height / 2 + 4, plan.narrow ? name.replace('after ', '') : name, {
    anchor: 'end',
    weight: name === 'answer' ? 700 : 400,
    room: grid.x - grid.left - 8,
  });
}
function drawToken(sketch, world, text, token) {
  const {plan, labels, tokens, asked, facts, state} = world;
  const {x, width} = cellBox(plan, {text, stage: 0, token});
  const {names} = plan.grids[text];
  const hot = asked[text] === token;
  const differs = text === 1 && tokens[0][token] !== tokens[1][token];
  const fill = hot ? (text ? 'second' : 'focus') : differs ? 'second' : 'ink';
  const box = {x: x + 1, y: names + 1, width: width - 2, height: 18};
  if (hot) sketch.rect(box, {fill: text ? 'secondbg' : 'focusbg', r: 4});
  sketch.text(x + width / 2, names + 14, labels[text][token], {
    anchor: 'middle',
    weight: hot || differs ? 700 : 400,
    fill,
    room: width - 1,
  });
  const does = facts.says !== 'text' && state.stream === facts.streams.length - 1;
  sketch.hit(box, {text, token}, does && text === 0 ? {answer: token} : null);
}
// A word by how likely it is; a state by how far it carries, or how far it moved.
function lookOf(world, {text, stage, token}) {
  const {state, effects, far, grids} = world;
  if (text === 1 && state.tone === 'carries') {
    const share = shareOf(far, effects?.[stage]?.[token]);
    if (share === null) return {tone: 0, words: ''};
    if (Math.abs(share) < SAME) return {tone: 0, words: '0', quiet: true};
    const words = percents(share);
    return share < 0 ? {tone: 0, words, against: true} : {tone: Math.min(1, share), words};
  }
  const grid = grids[text];
  if (tellsWords(world)) {
    const [word, p] = grid.words[stage][token];
    return {tone: p, words: shown(word)};
  }
  const moved = grid.moved?.[stage]?.[token] ?? 0;
  return {tone: moved, words: moved > LEAST_MOVED ? probable(moved) : ''};
}
function drawCell(sketch, world, spot) {
  const {plan, carried, grids, before, state} = world;
  const {text, stage, token} = spot;
  const box = cellBox(plan, spot);
  const {tone, words, quiet, against} = lookOf(world, spot);
  const changed = text === 0 && carried.length > 0;
  const put = changed && carried.some(one => isAt(one, state, stage, token));
  const reached = !changed || grids[0].reach[stage][token];
  const pale = reached || put ? tone : tone * QUIET;
  const inner = {x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1};
  sketch.rect(inner, {fill: put ? 'second' : toneOf(pale), r: 2});
  const turned = changed && tellsWords(world) && turns(grids[0], before, stage, token);
  const moved = changed && tellsWords(world) ? grids[0].moved[stage][token] : 0;
  const bar = moved > LEAST_MOVED;
  const weight = put || turned ? 700 : 400;
  const most = Math.min(TEXT_SIZE.most, Math.max(TEXT_SIZE.least, box.height * 0.46));
  const size = sketch.width(words, most, weight) <= box.width - 5 ? most : TEXT_SIZE.least;
  const ink = put ? {fill: 'bg'} : quiet || against ? {fill: 'ink2'} : {onTone: pale};
  const aside = put && sketch.width(words, size, weight) < box.width - 22 ? 6 : 0; // of an arrow
  sketch.text(
    box.x + box.width / 2 + aside,
    box.y + box.height / 2 + size * 0.36 - (bar ? 1.5 : 0),
    words,
    {
      size,
      anchor: 'middle',
      weight,
      room: box.width - 2,
      ...ink,
    },
  );
  if (bar) {
    const track = {x: box.x + 4, y: box.y + box.height - 5, height: 3};
    const width = (box.width - 8) * moved;
    sketch.rect({...track, width: width + 2, x: track.x - 1}, {fill: 'bg'});
    sketch.rect({...track, width}, {fill: put ? 'focus' : 'second'});
  }
  sketch.hit(box, spot);
}
const isAt = (one, {stream}, stage, token) =>
  one.stream === stream && one.stage === stage && one.token === token;
const turns = (now, before, stage, token) =>
  now.words[stage][token][0] !== before.words[stage][token][0];
// One line around all that a change reaches, and a frame where the word is another.
function drawReach(sketch, world) {
  const {plan, grids, before} = world;
  const {reach} = grids[0];
  const on = (stage, token) =>
    inSight(plan.stages, stage) && inSight(plan.tokens, token) && Boolean(reach[stage]?.[token]);
  let d = '';
  for (const stage of sightOf(plan.stages)) {
    for (const token of sightOf(plan.tokens)) {
      if (!on(stage, token)) continue;
      const {x, y, width, height} = cellBox(plan, {text: 0, stage, token});
      const [right, bottom] = [x + width, y + height];
      if (!on(stage + 1, token)) d += `M${x} ${y}H${right}`;
      if (!on(stage - 1, token)) d += `M${x} ${bottom}H${right}`;
      if (!on(stage, token - 1)) d += `M${x} ${y}V${bottom}`;
      if (!on(stage, token + 1)) d += `M${right} ${y}V${bottom}`;
      if (tellsWords(world) && turns(grids[0], before, stage, token)) {
        const box = {x: x + 2, y: y + 2, width: width - 4, height: height - 4};
        sketch.frame(box, 'second', {strokeWidth: 2, r: 2});
      }
    }
  }
  if (d) sketch.line(d, {stroke: 'second', width: 1.6, dash: '5 3', layer: 'over'});
}
function drawAnswer(sketch, world, text) {
  const {plan, asked, state, facts} = world;
  const top = facts.streams[state.stream].blocks.length;
  if (!inSight(plan.tokens, asked[text]) || !inSight(plan.stages, top)) return;
  const box = cellBox(plan, {text, stage: top, token: asked[text]});
  sketch.frame(box, 'bg', {strokeWidth: 5});
  sketch.frame(box, text ? 'second' : 'focus', {
    strokeWidth: 2.5,
    ...(text && {dash: '5 3'}),
  });
}
function drawTracks(sketch, {plan, state}, text) {
  const grid = plan.grids[text];
  if (isPartOf(plan.tokens)) {
    const box = {x: grid.x, y: grid.names + 20, width: grid.width, height: 4};
    drawTrack(sketch, box, plan.tokens, token => ({at: {text, stage: state.at.stage, token}}));
  }
  if (isPartOf(plan.stages)) {
    const {from, count, total} = plan.stages;
    const upside = {from: total - from - count, count, total};
    const box = {x: grid.x + grid.width + 1, y: grid.y, width: 4, height: grid.height};
    const to = k => ({at: {text, stage: total - 1 - k, token: state.at.token}});
    drawTrack(sketch, box, upside, to);
  }
}
// The way of a state, along the gap between columns.
function drawCarry(sketch, {plan, state, previewed}, one) {
  const inBoth = (stage, token) => inSight(plan.stages, stage) && inSight(plan.tokens, token);
  const seen = inBoth(one.from_stage, one.from_token) && inBoth(one.stage, one.token);
  if (one.stream !== state.stream || !seen) return;
  const from = cellBox(plan, {text: 1, stage: one.from_stage, token: one.from_token});
  const to = cellBox(plan, {text: 0, stage: one.stage, token: one.token});
  const {d, head} = wayOf(plan.beside, from, to, one.token === one.from_token);
  const dash = one === previewed ? '5 3' : undefined;
  sketch.line(d, {stroke: 'bg', width: 5, alpha: 0.85, layer: 'over'});
  sketch.line(d, {stroke: 'second', width: 2.2, dash, layer: 'over'});
  sketch.line(head, {stroke: 'bg', fill: 'second', layer: 'over'});
  const around = {x: from.x + 0.5, y: from.y + 0.5, width: from.width - 1, height: from.height - 1};
  sketch.frame(around, 'second', {strokeWidth: 2, dash: dash && '4 3'});
}
function wayOf(beside, from, to, same) {
  const middle = to.y + to.height / 2;
  if (!beside && same) {
    const x = from.x - 0.5;
    const start = from.y + from.height / 2;
    const d = `M${x} ${start}V${middle + 5}Q${x} ${middle} ${x + 4} ${middle}`;
    return {d, head: `M${x + 10} ${middle}l-7 -4.5v9Z`};
  }
  if (!beside) {
    const [x1, y1] = [from.x + from.width / 2, from.y];
    const [x2, y2] = [to.x + to.width / 2, to.y + to.height + 4];
    const half = (y1 + y2) / 2;
    const d = `M${x1} ${y1}C${x1} ${half} ${x2} ${half} ${x2} ${y2}`;
    return {d, head: `M${x2} ${y2 - 5}l4.5 7h-9Z`};
  }
  const [x1, y1] = [from.x, from.y + from.height / 2];
  const x2 = to.x + to.width + 5;
  const d = `M${x1} ${y1}C${x1 - 60} ${y1 + 26} ${x2 + 60} ${middle + 26} ${x2} ${middle}`;
  return {d, head: `M${x2 - 5} ${middle}l7 -4.5v9Z`};
}
function drawCursor(sketch, {plan, held, over, keyed, state}) {
  const seen = held && inSight(plan.stages, held.stage) && inSight(plan.tokens, held.token);
  if (seen) {
    const box = cellBox(plan, {text: 1, stage: held.stage, token: held.token});
    sketch.frame(box, 'second', {strokeWidth: 3, out: 0.5});
  }
  if (keyed) sketch.frame(cellBox(plan, state.at), 'ring', {strokeWidth: 2, out: -3});
  else if (over?.stage !== undefined) sketch.frame(cellBox(plan, over), 'ink', {strokeWidth: 1.5});
}
