// Bars by rank with the cumulated curve beside them, and the strip on which a number falls.

import {chance, many} from '../shared/texts.js';
import {ROWS, othersAfter, tailOf, tokenText} from './sentence.js';

const PITCH = 1.22; // of a row, in em
const TAIL = 2.8; // height of the ranks below the rows
const CURVE_ROWS = 20; // ranks of the curve that are all drawn
const TIGHT = 28; // em of the pane, under which the curve leaves the bars more room
const TIGHTEST = 25; // and under which words, numbers and curve stand closer
const NARROWEST = 3; // pixels of a segment of the strip
const MOST_SEGMENTS = 40;

/**
 * Where everything stands, and the rows.
 * @param {Object} scene `place`, `kept`, `method`, `knob`, `at`, `facts`, `open`: what leads on
 * @param {{em: number, small: number, dist: number, measure: Function}} size
 */
export function barsOf(scene, size) {
  const {em, dist: W} = size;
  const {place, kept, facts, method, knob, at, open} = scene;
  const {vocabulary: V} = facts;
  const count = Math.min(ROWS, V);
  const pitch = PITCH * em;
  const [wide, bar, numbers] =
    W < TIGHTEST * em ? [4.5, 6.4, 4.2] : [W < TIGHT * em ? 7 : 8.6, 7.4, 5.4];
  const curve = W - wide * em;
  const model = curve - numbers * em;
  const x = {word: 1.9 * em, bar: bar * em, model, after: curve - (wide < 5 ? 0.6 : 1) * em, curve};
  const top = 2.65 * em;
  const tail = {y: top + ROWS * pitch, h: TAIL * em};
  const span = x.model - 3 * em - x.bar;
  const highest = [0, 1, 2].map(r => Math.max(place.p[r] ?? 0, kept.after[r] ?? 0));
  const rows = Array.from({length: count}, (_, r) => ({
    r,
    y: top + r * pitch,
    word: tokenText(place.words[r]),
    p: place.p[r],
    q: kept.after[r],
    kept: r < kept.n,
    at: r === at,
    leads: open(place.ids[r]),
  }));
  const yOf = rank =>
    rank <= ROWS
      ? top + rank * pitch
      : tail.y + (tail.h * Math.log(rank / ROWS)) / Math.log(V / ROWS);
  const xOf = q => x.curve + q * (W - x.curve - 2);
  const layout = {W, H: tail.y + tail.h + 0.2 * em, em, pitch, x, top, tail, span, xOf, yOf, V};
  const all = kept.n === V;
  return {
    ...layout,
    rows,
    scale: Math.max(0.1, ...highest),
    others: V > ROWS ? othersOf(scene) : null,
    curves: curvesOf(scene, layout),
    cut: all ? null : cutOf(kept, method, knob, layout),
    legend: legendOf(method, knob, kept),
  };
}
function othersOf({place, kept, facts: {vocabulary: V}}) {
  return {
    n: V - ROWS,
    p: tailOf(place),
    q: kept.n > ROWS ? othersAfter(kept) : 0,
    kept: kept.n > ROWS,
  };
}
function legendOf(method, knob, {n, mass}) {
  if (method === 'temperature') return `after T = ${knob.toFixed(1)}`;
  if (method === 'sample') return 'after: the same';
  return n === 1 && method === 'greedy' ? 'after greedy' : `kept, ÷ ${chance(mass)}`;
}
function cutOf({n, mass}, method, knob, {yOf, xOf}) {
  const asks = method === 'nucleus' ? 'p' : 'rank';
  return {n, mass, asks, y: yOf(n), x: xOf(mass), p: xOf(knob), knob};
}

// ---- the curve: cumulated probability to each rank
/** Ranks and sums [rank, probability] of the model; after the named tokens those of the tail. */
function modelCurve({place, facts: {tail}}) {
  const named = Array.from(place.cumulated, (sum, r) => [r + 1, sum]);
  return [...named, ...tail.map((rank, k) => [rank, place.tail[k]])];
}
/**
 * The same at a temperature. Between two ranks of the tail only the sum is known: there all
 * tokens count as alike, and the end is exact.
 */
export function warmCurve({place, kept, knob, facts: {tail}}) {
  let sum = 0;
  const named = Array.from(kept.after, (q, r) => [r + 1, (sum += q)]);
  let [rank, mass] = [named.length, place.cumulated.at(-1)];
  const shares = tail.map((next, k) => {
    const alike = Math.max(0, place.tail[k] - mass) / (next - rank);
    const share = (next - rank) * alike ** (1 / knob);
    [rank, mass] = [next, place.tail[k]];
    return share;
  });
  const scale = Math.max(0, 1 - sum) / (shares.reduce((a, b) => a + b, 0) || 1);
  return [...named, ...tail.map((next, k) => [next, (sum += scale * shares[k])])];
}
function curvesOf(scene, {xOf, yOf, top, V}) {
  const {kept, method, facts} = scene;
  const point = ([rank, q]) => `${xOf(Math.min(1, q)).toFixed(1)} ${yOf(rank).toFixed(1)}`;
  const drawn = ([rank]) =>
    rank < CURVE_ROWS || rank % 8 === 0 || rank >= facts.keep || rank === kept.n;
  const start = `M${xOf(0).toFixed(1)} ${top}`;
  const line = points => start + points.map(one => `L${point(one)}`).join('');
  const model = modelCurve(scene);
  const known = model.some(([rank]) => rank === kept.n) ? [] : [[kept.n, kept.mass]];
  const points = [...model, ...known].sort((a, b) => a[0] - b[0]).filter(drawn);
  if (method === 'temperature') {
    return [
      {kind: 'before', d: line(model.filter(drawn))},
      {kind: 'kept', d: line(warmCurve(scene).filter(drawn))},
    ];
  }
  const inside = points.filter(([rank]) => rank <= kept.n);
  const outside = points.filter(([rank]) => rank >= kept.n);
  const out = kept.n === V ? '' : 'M' + outside.map(point).join('L');
  return [
    {kind: 'kept', d: line(inside)},
    {kind: 'out', d: out},
  ];
}
/** Which row, from 0, lies at a height; null if none does. */
export function rowAt({top, pitch, rows}, y) {
  const r = Math.floor((y - top) / pitch);
  return r >= 0 && r < rows.length ? r : null;
}

// ---- the strip: what is kept, one segment a token, as wide as its probability
/** Segments {x, w, word, at, tail} in pixels. */
export function stripOf({place, kept, at, facts}, {dist: W, em, measure}) {
  const font = `${Math.max(12, 0.858 * em)}px`;
  const wide = kept.after.subarray(0, MOST_SEGMENTS).filter(q => q * W > NARROWEST);
  let x = 0;
  const segments = Array.from(wide, (q, r) => {
    const text = tokenText(place.words[r], 14);
    const word = measure(text, font) + 0.4 * em < q * W ? text : '';
    const segment = {x, w: q * W, word, at: r === at, tail: false, r};
    x += q * W;
    return segment;
  });
  const rest = kept.n - segments.length;
  if (rest <= 0 || x >= W - 0.5) return segments;
  const text = `${many(rest)} more`;
  const word = measure(text, font) + em < W - x ? text : '';
  const named = facts.keep > segments.length;
  return [...segments, {x, w: W - x, word, at: at >= segments.length, tail: true, named}];
}
/** The rank, from 0, of the segment at a point of the strip; null if none or no single one. */
export function stripAt(segments, x, y) {
  const found = y > 0 && y < 40 ? segments.find(one => x >= one.x && x < one.x + one.w) : null;
  return found && !found.tail && found.r < ROWS ? found.r : null;
}
