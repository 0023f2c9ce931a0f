// All steps in one strip over the chain: right ones stand, wrong ones hang.

import {ramp} from '../shared/colours.js';
import {textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {drawFrame} from './marks.js';

const MIDDLE = 18;
const BAR = 12; // the height of a bin that is all right, or all wrong

export function drawStrip(root, {strip, chain, steps, t, from, n, tone}) {
  const {left, room} = chain;
  textAt(root, 0, 14, strip.steps, 'soft');
  textAt(root, 0, 30, strip.right, 'soft');
  const pitch = room / strip.bins.length;
  const bar = (k, height) => {
    const x = (left + k * pitch).toFixed(1);
    const width = Math.max(0.8, pitch - 1).toFixed(1);
    return `M${x} ${MIDDLE}h${width}v${height.toFixed(1)}H${x}z`;
  };
  const right = strip.bins.map((share, k) => (share > 0 ? bar(k, -BAR * share) : ''));
  const wrong = strip.bins.map((share, k) => (share < 1 ? bar(k, BAR * (1 - share)) : ''));
  svg(root, 'path', {d: right.join(''), fill: ramp(tone.seq, 0.6)});
  svg(root, 'path', {d: wrong.join(''), fill: tone.wrong});
  const X = k => left + (k / steps) * room;
  const seen = {x: X(from) - 1.5, y: 2, width: Math.max(5, X(n) - X(0) + 3), height: 32};
  drawFrame(root, seen, tone.ink, tone, 1.5);
  svg(root, 'rect', {x: X(t + 0.5) - 1.5, y: 0, width: 3, height: 37, fill: tone.focus});
}
export function underStrip({chain, steps}, x) {
  const share = (x - chain.left) / chain.room;
  return share >= 0 && share < 1 ? {step: Math.floor(share * steps)} : {};
}
