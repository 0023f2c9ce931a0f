// Beside the stage: the valves of one unit at one step, and what the model answers there.

import {svg} from '../shared/nodes.js';
import {share, signed, wrapped} from '../shared/texts.js';
import {HUE} from './cells.js';
import {equationOf} from './equation.js';
import {flowOf} from './flow.js';
import {clipped} from './marks.js';
import {seenAnswers} from './scene.js';

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
  const box = {viewBox: `0 0 ${side} ${panel}`, width: side, height: panel, 'aria-hidden': true};
  const root = svg(null, 'svg', box);
  const title = `Unit ${u + 1} at ${t + 1}`;
  const room = side - measure(title, '700 17px') - 10;
  const word = clipped(facts.tokens[t], room - measure('“”', '700 14px'), measure, '700 14px');
  svg(root, 'text', {x: 0, y: 16, class: 'title hot'}, title);
  svg(root, 'text', {x: side, y: 16, class: 'mid bold', 'text-anchor': 'end'}, `“${word}”`);
  const flow = flowOf(scene);
  const track = scene.tracks.find(({focused}) => focused);
  const rows = track ? likeliest(track, facts.targets[t]) : [];
  const answers = rows.length ? 30 + rows.length * ANSWER : 0;
  const pitch = Math.max(20, Math.min(29, (panel - FLOW - answers) / 9));
  drawEquation(root, scene);
  drawPipes(root, scene, flow, pitch);
  drawFlow(root, scene, flow, pitch);
  if (rows.length) drawShares(root, scene, track, rows, panel - answers + 14);
  node.replaceChildren(root);
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
  lines.forEach(({text, kind}, k) => {
    svg(root, 'text', {x: 0, y: 36 + 17 * k, class: kind}, text);
  });
}
// A bar from zero for what flows, a filled track for a gate.
function drawFlow(root, scene, flow, pitch) {
  const {tone, scales, place, layer} = scene;
  const zero = place.side - NUMBER - HALF;
  const most = mostOf(flow);
  const axis = {x1: zero, x2: zero, y1: FLOW, y2: FLOW + pitch * flow.length};
  svg(root, 'line', {...axis, stroke: tone.rule});
  flow.forEach(({at, label, value, gate, held}, k) => {
    const y = FLOW + (k + 0.5) * pitch;
    const name = held && !label.startsWith('1') ? `${gate} held` : label;
    const kind = held ? 'second' : at === 'now' ? 'hot' : gate ? 'bold' : 'soft';
    svg(root, 'text', {x: LABEL, y: y + 4, class: kind}, name);
    const end = {x: place.side, y: y + 4, 'text-anchor': 'end'};
    svg(root, 'text', {...end, class: kind === 'soft' ? '' : kind}, signed(value));
    const signedGate = gate && value < 0;
    if (gate && !signedGate) {
      const track = {x: zero - HALF, y: y - 4.5, height: 9, rx: 4.5};
      const stroke = held ? tone.second : tone.soft;
      svg(root, 'rect', {...track, width: 2 * HALF, fill: tone.bg, stroke});
      const fill = held ? tone.second : tone.cat[HUE[gate]];
      svg(root, 'rect', {...track, width: 2 * HALF * Math.min(1, value), fill});
      return;
    }
    const width = (HALF * value) / most;
    const bar = {x: Math.min(zero, zero + width), y: y - 5.5, height: 11};
    const fill = at === 'now' ? tone.focus : scales.seq.shades[36];
    svg(root, 'rect', {...bar, width: Math.max(1.5, Math.abs(width)), fill});
  });
  if (layer.kind.holds) return;
  const y = FLOW + pitch * flow.length + 20;
  const text = 'No valve: each step rewrites the state.';
  wrapped(text, place.side, scene.measure).forEach((line, k) => {
    svg(root, 'text', {x: 0, y: y + 16 * k, class: 'soft'}, line);
  });
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
  svg(root, 'text', {x: 0, y: y0, class: 'mid bold'}, `It answers here${some}`);
  const legend = {x: place.side, y: y0, 'text-anchor': 'end', class: 'soft'};
  if (hold && show !== 'before') svg(root, 'text', legend, '| before');
  const x = 84;
  const room = place.side - NUMBER - x;
  rows.forEach((k, at) => {
    const y = y0 + 10 + ANSWER * at;
    const right = labels[k] === target;
    const best = k === seen.best;
    const wrong = best && !right && target !== null;
    const sign = right ? '✓ ' : wrong ? '✗ ' : '';
    const kind = wrong ? 'wrong' : best || right ? 'bold' : 'soft';
    const font = kind === 'soft' ? '12px' : '700 12px';
    const name = sign + clipped(labels[k], x - 8 - measure(sign, font), measure, font);
    svg(root, 'text', {x: x - 7, y: y + 10, class: kind, 'text-anchor': 'end'}, name);
    const fill = wrong ? tone.wrong : scales.seq.shades[best ? 40 : 18];
    svg(root, 'rect', {x, y, width: Math.max(1, room * seen.p[k]), height: 11, fill});
    if (hold && show !== 'before') {
      const was = {x: x + room * answers[t].p[k] - 1, y: y - 1.5, width: 2, height: 14};
      svg(root, 'rect', {...was, fill: tone.ink});
    }
    const number = {x: place.side, y: y + 10, class: kind === 'soft' ? '' : kind};
    svg(root, 'text', {...number, 'text-anchor': 'end'}, share(seen.p[k]));
  });
}
