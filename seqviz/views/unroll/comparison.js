// The same token read twice, over the chain: equal in, unequal inside, unequal out.

import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {drawFrame} from './marks.js';
import {STATE_WIDTH} from './plan.js';

const SECOND = 'second halo';

export function drawComparison(root, scene) {
  const {chain, comparison, facts} = scene;
  const {input, answer, beside} = comparison;
  const g = svg(root, 'g');
  if (beside) {
    const word = chain.pitch / 2 - 22; // half of what the widest word leaves free
    const gaps = facts.letters ? [34, 38] : [word, word];
    const answerGaps = facts.letters ? [18, 18] : [word, word + 12];
    joinBeside(g, scene, {...input, y: chain.inputY + chain.inputHeight / 2, gaps, below: true});
    joinBeside(g, scene, {...answer, y: chain.chosenY + chain.wordHeight / 2, gaps: answerGaps});
  } else {
    joinByLane(g, scene, {...input, y: chain.top - 14, foot: 12});
    joinByLane(g, scene, {...answer, y: chain.height - 16, foot: -14});
  }
  frameStates(g, scene);
  drawChanges(g, scene);
}
// A line in the gap between two steps that stand beside each other.
function joinBeside(g, scene, {sign, words, text, y, gaps, below}) {
  const {t, earlier, chain, tone, X} = scene;
  const start = X(earlier) + gaps[0];
  const end = X(t) - gaps[1];
  const x = (start + end) / 2;
  drawLink(g, tone, `M${start} ${y}H${end}`, {x, y, sign});
  if (chain.tight) {
    textAt(g, x, y - 15, words[0], SECOND, 'middle');
    if (below) textAt(g, x, y + 24, words[1], SECOND, 'middle');
  } else textAt(g, x, y - 16, text, SECOND, 'middle');
}
// A line in a lane above or below the chain, from the left edge if the earlier step is out of
// sight; `foot` reaches from the lane to a step.
function joinByLane(g, scene, {sign, text, y, foot}) {
  const {t, earlier, chain, comparison, tone, X, measure} = scene;
  const {inSight} = comparison;
  const start = inSight ? X(earlier) : 4;
  const end = X(t);
  const x = inSight ? (start + end) / 2 : chain.left;
  const d = `M${start} ${y + (inSight ? foot : 0)}V${y}H${end}v${foot}`;
  drawLink(g, tone, d, {x, y, sign});
  const width = measure(text, '600 12px') + 6;
  svg(g, 'rect', {x: x + 13, y: y - 8, width, height: 16, fill: tone.bg});
  textAt(g, x + 16, y + 4, text, SECOND);
}
function drawLink(g, tone, d, {x, y, sign}) {
  const style = `fill:${tone.bg};font-size:16px;font-weight:700`;
  svg(g, 'path', {d, fill: 'none', stroke: tone.second, 'stroke-width': 2});
  svg(g, 'circle', {cx: x, cy: y, r: 10, fill: tone.second});
  svg(g, 'text', {x, y: y + 5.5, 'text-anchor': 'middle', style}, sign);
}
function frameStates(g, {columns, H, chain, tone, X}) {
  const sizes = {y: chain.stateY - 4, width: STATE_WIDTH + 12, height: chain.unitHeight * H + 7};
  for (const {k} of columns.filter(({compared}) => compared)) {
    drawFrame(g, {x: X(k) - STATE_WIDTH / 2 - 6, ...sizes}, tone.second, tone);
  }
}
// By how much each unit moved, in the gap after the step in focus.
function drawChanges(g, {W, t, from, n, chain, comparison, tone, X, measure}) {
  const {stateY, unitHeight} = chain;
  const {changes, title} = comparison;
  const x = X(t) + STATE_WIDTH / 2 + 10;
  const end = t === from + n - 1 ? W : X(t + 1) - STATE_WIDTH / 2 - 8;
  const scale = Math.min(40, end - x) / 2; // a change is 2 at most
  changes.forEach(({size, differs}, k) =>
    svg(g, 'rect', {
      x,
      y: stateY + k * unitHeight + unitHeight * 0.22,
      width: Math.max(1, size * scale),
      height: unitHeight * 0.5,
      fill: tone.second,
      opacity: differs ? 1 : 0.45,
    }),
  );
  const width = text => measure(text, '600 12px');
  const label = width(title) < end - x ? title : 'change';
  textAt(g, Math.min(x - 2, W - width(label)), stateY - 5, label, SECOND);
}
