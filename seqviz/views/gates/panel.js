// Beside the stage: the valves of one unit at one step, and what the model answers there.

import {freshSheet, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {share, signed, SIGNS, wrapped} from '../shared/texts.js';
import {HUE} from './cells.js';
import {equationOf} from './equation.js';
import {flowOf} from './flow.js';
import {seenAnswers} from './scene.js';
import {clipped} from './words.js';

const LEFT = 12; // of the pipe of the memory
const RIGHT = 33; // of the pipe of what is new
const LABEL = 49;
const HALF = 32; // pixels of a bar to one side
const NUMBER = 40; // pixels of the numbers at the end
const FLOW = 80; // where the rows begin
const ANSWER = 17;
const MOST_ANSWERS = 6;

/**
 * The panel.
 * @param {Element} node
 * @param {Scene} scene
 */
export function drawPanel(node, scene) {
  const {place, u, t, facts, measure} = scene;
  const {side, panel} = place;
  const root = freshSheet(node, side, panel);
  const title = `Unit ${u + 1} at ${t + 1}`;
  const room = side - measure(title, '700 17px') - 10;
  const word = clipped(facts.tokens[t], room - measure('“”', '700 14px'), measure, '700 14px');
  textAt(root, 0, 16, title, 'title hot');
  textAt(root, side, 16, `“${word}”`, 'mid bold', 'end');
  const flow = flowOf(scene);
  const track = scene.tracks.find(({focused}) => focused);
  const rows = track ? likeliest(track, facts.targets[t]) : [];
  const answers = rows.length ? 30 + rows.length * ANSWER : 0;
  const pitch = Math.max(20, Math.min(29, (panel - FLOW - answers) / 9));
  drawEquation(root, scene);
  drawPipes(root, scene, flow, pitch);
  drawFlow(root, scene, flow, pitch);
  if (rows.length) drawShares(root, scene, track, rows, panel - answers + 14);
}
/**
 * Six labels at most: the right one, and those that reach the highest probability at any step, in
 * their own order.
 * @param {{answers: Answer[], answersAfter: Answer[], labels: string[]}} model
 * @param {string | null} target
 * @returns {number[]} which labels, from 0
 */
export function likeliest({answers, answersAfter, labels}, target) {
  const best = k => Math.max(...answers.map(({p}) => p[k]), ...answersAfter.map(({p}) => p[k]));
  const rank = labels.map((label, k) => (label === target ? 2 : best(k)));
  return labels
    .map((_, k) => k)
    .sort((a, b) => rank[b] - rank[a])
    .slice(0, MOST_ANSWERS)
    .sort((a, b) => a - b);
}
function drawEquation(root, scene) {
  const {measure, place} = scene;
  const [letters, numbers] = equationOf(scene);
  const lines = wrapped(letters, place.side, measure).map(text => ({text, kind: 'soft'}));
  const result = numbers.lastIndexOf(' = ');
  const fits = measure(numbers, '700 12px') <= place.side;
  lines.push({text: fits ? numbers : numbers.slice(0, result), kind: 'bold'});
  lines.forEach(({text, kind}, k) => textAt(root, 0, 36 + 17 * k, text, kind));
}
// A bar from zero for what flows, a filled track for a gate.
function drawFlow(root, scene, flow, pitch) {
  const {tone, scales, place, layer} = scene;
  const zero = place.side - NUMBER - HALF;
  const most = mostOf(flow);
  flow.forEach(({at, label, value, gate, held}, k) => {
    const y = FLOW + k * pitch;
    const row = new Row(root, {y, tall: pitch, base: y + pitch / 2 + 4});
    const name = held && !label.startsWith('1') ? `${gate} held` : label;
    const kind = held ? 'second' : at === 'now' ? 'hot' : gate ? 'bold' : 'soft';
    row.axis(zero, 0, {stroke: tone.rule});
    row.text(LABEL, name, kind);
    row.end(place.side, signed(value), kind === 'soft' ? '' : kind);
    if (gate && value >= 0) {
      const track = {fill: tone.bg, stroke: held ? tone.second : tone.soft, rx: 4.5};
      const open = {fill: held ? tone.second : tone.cat[HUE[gate]], rx: 4.5};
      row.bar(zero - HALF, 2 * HALF, 9, track);
      row.bar(zero - HALF, 2 * HALF * Math.min(1, value), 9, open, {least: 0});
    } else {
      const fill = at === 'now' ? tone.focus : scales.seq.shades[36];
      row.bar(zero, (HALF * value) / most, 11, {fill}, {least: 1.5});
    }
  });
  if (layer.kind.holds) return;
  const y = FLOW + pitch * flow.length + 20;
  const text = 'No valve: each step rewrites the state.';
  wrapped(text, place.side, scene.measure).forEach((line, k) =>
    textAt(root, 0, y + 16 * k, line, 'soft'),
  );
}
const mostOf = flow =>
  Math.max(1, ...flow.filter(({gate}) => !gate).map(({value}) => Math.abs(value)));
// The width of a pipe is how much flows in it. A disc turns with its gate: upright is open.
function drawPipes(root, scene, flow, pitch) {
  const {tone, scales} = scene;
  const most = mostOf(flow);
  const y = at => FLOW + (flow.findIndex(row => row.at === at) + 0.5) * pitch;
  const value = at => flow.find(row => row.at === at)?.value;
  const pipe = (x1, y1, x2, y2, what) => {
    const width = Math.max(1.5, 13 * Math.min(1, Math.abs(what) / most));
    const line = {x1, y1, x2, y2, stroke: scales.seq.shades[36], 'stroke-width': width};
    svg(root, 'line', line);
  };
  const end = FLOW + pitch * (flow.length - 0.25);
  const valve = value('keep') === undefined ? y('now') : y('keep');
  const join = value('letIn') === undefined ? y('kept') : y('now');
  pipe(LEFT, FLOW, LEFT, valve, value('state'));
  pipe(LEFT, valve, LEFT, y('now'), value('kept') ?? value('state'));
  if (value('side') !== undefined) {
    const gate = value('let') === undefined ? y('side') : y('let');
    const comes = value('letIn') ?? value('side');
    pipe(RIGHT, y('side'), RIGHT, gate, value('side'));
    pipe(RIGHT, gate, RIGHT, join, comes);
    pipe(RIGHT, join, LEFT, join, comes);
  }
  if (value('open') !== undefined) pipe(RIGHT, y('open'), RIGHT, y('side'), value('side'));
  pipe(LEFT, y('now'), LEFT, end, value('out') ?? value('now'));
  for (const row of flow.filter(({gate}) => gate)) {
    const x = row.at === 'keep' || row.at === 'show' ? LEFT : RIGHT;
    drawValve(root, tone, {x, y: y(row.at), ...row});
  }
  if (value('side') === undefined) return;
  const plus = {cx: LEFT, cy: join, r: 8, fill: tone.bg, stroke: tone.ink, 'stroke-width': 1.5};
  svg(root, 'circle', plus);
  const d = `M${LEFT - 4} ${join}h8m-4 -4v8`;
  svg(root, 'path', {d, stroke: tone.ink, 'stroke-width': 1.5});
}
function drawValve(root, tone, {x, y, value, gate, held}) {
  const stroke = tone.cat[HUE[gate]];
  const turn = ((1 - value) * Math.PI) / 2;
  const dx = 6.5 * Math.sin(turn);
  const dy = 6.5 * Math.cos(turn);
  const disc = {cx: x, cy: y, r: 9, fill: tone.bg, stroke, 'stroke-width': 2.5};
  if (held) svg(root, 'circle', {...disc, r: 12, stroke: tone.second, 'stroke-width': 2});
  svg(root, 'circle', disc);
  const line = {x1: x - dx, x2: x + dx, y1: y - dy, y2: y + dy};
  svg(root, 'line', {...line, stroke, 'stroke-width': 4, 'stroke-linecap': 'round'});
}
// The answers after this step; a black line is where one stood before the hold.
function drawShares(root, scene, track, rows, y0) {
  const {place, facts, t, hold, show, measure, tone, scales} = scene;
  const {labels, answers} = track;
  const seen = seenAnswers(track)[t];
  const target = facts.targets[t];
  const some = rows.length < labels.length ? `, ${rows.length} of ${labels.length}` : '';
  textAt(root, 0, y0, `It answers here${some}`, 'mid bold');
  if (hold && show !== 'before') textAt(root, place.side, y0, '| before', 'soft', 'end');
  const x = 84;
  const room = place.side - NUMBER - x;
  rows.forEach((k, at) => {
    const y = y0 + 10 + ANSWER * at;
    const row = new Row(root, {y, tall: 11, base: y + 10});
    const right = labels[k] === target;
    const best = k === seen.best;
    const wrong = best && !right && target !== null;
    const sign = right ? `${SIGNS.right} ` : wrong ? `${SIGNS.wrong} ` : '';
    const kind = wrong ? 'wrong' : best || right ? 'bold' : 'soft';
    const font = kind === 'soft' ? '12px' : '700 12px';
    const name = sign + clipped(labels[k], x - 8 - measure(sign, font), measure, font);
    row.end(x - 7, name, kind);
    const fill = wrong ? tone.wrong : scales.seq.shades[best ? 40 : 18];
    row.bar(x, room * seen.p[k], 11, {fill});
    if (hold && show !== 'before') {
      row.bar(x + room * answers[t].p[k] - 1, 2, 14, {fill: tone.ink});
    }
    row.end(place.side, share(seen.p[k]), kind === 'soft' ? '' : kind);
  });
}
