// One word in several sentences, as numbers and strings: the plane of a layer, the chart of all
// layers, the list of sentences.

import {cutTo, readable, signed, SIGNS} from '../shared/texts.js';
import {extent, lens} from './camera.js';
import {runsLeft} from '../shared/direction.js';
import {placeLabels} from '../shared/place_labels.js';
import {fontOf, shortened} from './scene.js';
import {percent} from './sentence.js';

const ROUNDS = 40; // in which coinciding marks are pushed apart
export const TONES = ['one', 'two', 'three'];

/**
 * @typedef {Object} SensesState
 * @property {number} layer that is set
 * @property {number} sentence locked, from 0; -1 if none is
 * @property {{pane: string, sentence?: number, layer?: number} | null} over what is previewed
 */
/**
 * @param {Object} given `word`, `senses`, `state`, `size`, and `at`, the layer on the way to which
 * the points are
 */
export function sensesScene({word, senses, state, size, at}) {
  const layer = state.over?.layer ?? state.layer;
  const chosen = state.over?.sentence ?? (state.sentence < 0 ? null : state.sentence);
  const accent = layer === state.layer ? 'b' : 'em';
  const scene = {word, senses, layer, chosen, accent, size};
  return {
    ...scene,
    ...planeOf(scene, at),
    chart: chartOf(scene),
    list: listed(scene),
    note: 'A number is a sentence; arrows go to its nearest. Few sentences show it, no proof.',
  };
}

// ---- the plane of a layer
/**
 * Marks between two layers. They glide from where they lie in the one to where they lie in the
 * other: pushed apart on the way, those that come to coincide would jump.
 */
function placesAt(senses, at, view, least) {
  const low = Math.floor(at);
  const of = layer => {
    const points = senses.sentences.map((_, k) => view.at(senses.point(layer, k)));
    return pushedApart(points, least);
  };
  const [from, to] = [of(low), of(Math.min(senses.layers - 1, low + 1))];
  return from.map((place, k) => place.map((v, n) => v + (to[k][n] - v) * (at - low)));
}
/** Marks that coincide lie side by side. */
export function pushedApart(points, least) {
  const places = points.map(([x, y]) => [x, y]);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < places.length; i++) {
      for (let j = 0; j < i; j++) push(places[i], places[j], least, i - j);
    }
  }
  return places;
}
function push(a, b, least, turn) {
  let dx = a[0] - b[0];
  let dy = a[1] - b[1];
  if (Math.hypot(dx, dy) < 0.01) [dx, dy] = [0.1 * Math.cos(turn), 0.1 * Math.sin(turn)];
  const apart = Math.hypot(dx, dy);
  const by = Math.max(0, least - apart) / apart / 2;
  a[0] += dx * by;
  a[1] += dy * by;
  b[0] -= dx * by;
  b[1] -= dy * by;
}
/** The corners of the smallest convex area around points. */
export function hull(points) {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = all => {
    const corners = [];
    for (const point of all) {
      while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), point) <= 0) corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  const both = [...half(sorted), ...half(sorted.toReversed())];
  return both.length ? both : sorted.slice(0, 1);
}
function planeOf(scene, at) {
  const {senses, layer, chosen, size} = scene;
  const {u, W, H} = size;
  const frame = {left: 0, right: W, top: 1.8 * u, bottom: H - 1.6 * u};
  const inner = {...frame, top: frame.top + 2 * u, bottom: frame.bottom - 2 * u};
  const all = senses.sentences.flatMap((_, k) =>
    Array.from({length: senses.layers}, (_, l) => senses.point(l, k)),
  );
  const view = lens(extent(all), inner, 2 * u);
  const places = placesAt(senses, at, view, 1.65 * u);
  const marks = places.map(([x, y], k) => ({x, y, k, sense: senses.sense[k]}));
  return {
    frame,
    marks,
    hulls: senses.names.map((_, s) => hull(places.filter((_, k) => senses.sense[k] === s))),
    arrows: arrowsOf(scene, places),
    trail: trailOf(scene, view, places, frame),
    rings: ringsAround(scene, places),
    names: namesOf(scene, places, frame),
    scale: scaleOfPlane(view.scale, size, frame),
    kept: cutTo(keptText(senses, layer), W - 12, size.measure, fontOf.small(u)),
    hits: marks,
    chosen,
  };
}
const keptText = ({shares}, layer) =>
  `two directions: ${percent(shares[layer])} of the variance after ${layer} layers, turned to match`;
function arrowsOf({senses, layer, size: {u}}, places) {
  return places.flatMap((place, k) => {
    const [first, ...others] = senses.nearest(layer, k);
    if (others.length) return [];
    const to = places[first];
    const right = senses.same(k, first);
    const touching = Math.hypot(to[0] - place[0], to[1] - place[1]) < 2.4 * u; // no room for a head
    if (touching) return [{from: place, to, right, touching}];
    return [{from: shortened(to, place, 0.85 * u), to: shortened(place, to, 0.95 * u), right}];
  });
}
// The way of a sentence through the layers, each with its number where there is room.
function trailOf({senses, layer, chosen, size: {u, measure}}, view, places, frame) {
  if (chosen === null) return {points: [], labels: []};
  const points = Array.from({length: senses.layers}, (_, l) => {
    const [x, y] = view.at(senses.point(l, chosen));
    return {x, y, here: l === layer};
  });
  const font = `700 ${fontOf.small(u)}`;
  const wanted = points.map(({x, y}, l) => {
    const mark = {x, y, r: 0.2 * u, font, height: 1.1 * u, must: false};
    return {...mark, text: String(l), tone: 'b', l};
  });
  const taken = places.map(([x, y]) => [x - u, y - u, x + u, y + u, 10]);
  const others = wanted.filter(({l}) => l !== layer);
  return {points, labels: placeLabels(others, taken, frame, measure)};
}
function ringsAround({senses, layer, chosen}, places) {
  if (chosen === null) return [];
  const ring = (k, tone) => ({x: places[k][0], y: places[k][1], r: 1.15, tone});
  return [ring(chosen, 'b'), ...senses.nearest(layer, chosen).map(k => ring(k, 'em'))];
}
function namesOf({senses, size: {u, W, measure}}, places, frame) {
  const font = `700 ${fontOf.title(u)}`;
  const wanted = senses.names.map((name, s) => {
    const own = places.filter((_, k) => senses.sense[k] === s);
    const [x, y] = own.reduce((a, b) => (b[1] < a[1] ? b : a));
    const text = cutTo(readable(name), W - 2 * u, measure, font);
    const height = 1.1 * 1.214 * u;
    return {x, y, r: 1.1 * u, text, font, height, must: true, above: true, tone: TONES[s]};
  });
  const taken = places.map(([x, y]) => [x - u, y - u, x + u, y + u, 10]);
  return placeLabels(wanted, taken, frame, measure);
}
// How far apart two states of a cosine lie, if the plane held all of it.
function scaleOfPlane(scale, {u, W}, {bottom}) {
  const cosine = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999].find(
    c => scale * Math.sqrt(2 - 2 * c) < 0.4 * W,
  );
  if (!cosine) return null;
  const length = scale * Math.sqrt(2 - 2 * cosine);
  return {x: u, y: bottom - 0.9 * u, length, text: `so far apart: cosine ${cosine}`};
}

// ---- the chart: for how many the nearest has the same sense, by layer
function chartOf({senses, layer, accent, size}) {
  const {u, side: W, chartHeight} = size;
  const {right, count, chance, layers} = senses;
  const low = chartHeight - 1.6 * u;
  const high = 2.6 * u;
  const X = l => 1.8 * u + (layers > 1 ? ((W - 5.2 * u) * l) / (layers - 1) : 0);
  const Y = n => low - ((low - high) * n) / count;
  const gap = layers > 1 ? X(1) - X(0) : W;
  const every = Math.ceil((1.6 * u) / gap);
  return {
    title: `Nearest has the same sense, of ${count}`,
    ticks: (count % 2 ? [0, count] : [0, count / 2, count]).map(n => ({text: String(n), y: Y(n)})),
    left: X(0),
    end: X(layers - 1),
    low,
    chance: {y: Y(chance), text: `by chance ${chance.toFixed(1)}`},
    points: right.map((n, l) => ({
      x: X(l),
      y: Y(n),
      text: l % every === 0 || l === layer ? String(l) : '',
      here: l === layer,
    })),
    accent,
    value: Math.abs(right[layer] % 1) < 1e-9 ? String(right[layer]) : right[layer].toFixed(1),
    below: right[layer] > 0.8 * count,
    W,
    H: chartHeight,
    hits: right.map((_, l) => ({layer: l, from: X(l) - gap / 2, to: X(l) + gap / 2})),
  };
}

// ---- the list of sentences, sense by sense
function listed({senses, layer, chosen, size}) {
  const {u, side: W, sideHeight: H, chartHeight, measure} = size;
  const top = chartHeight + 0.6 * u;
  const {names, sense, count} = senses;
  const gap = (H - top) / (count + names.length + 0.2);
  const line = k => k + sense[k] + 1; // how many lines stand before it, heads too
  const room = W - 5.8 * u;
  const wide = Math.max(...senses.sentences.map((_, k) => measure(senses.text(k), fontOf.text(u))));
  const font = wide <= room ? fontOf.text(u) : fontOf.small(u);
  const near = chosen === null ? [] : senses.nearest(layer, chosen);
  const rows = senses.sentences.map((_, k) => {
    const [first, ...others] = senses.nearest(layer, k);
    const tie = others.length > 0;
    const right = senses.same(k, first);
    const sign = SIGNS[right ? 'right' : 'wrong'];
    const note = tie ? `tie of ${others.length + 1}` : `${sign} ${first + 1}`;
    const tone = k === chosen ? 'b' : near.includes(k) ? 'em' : null;
    const pieces = piecesOf(senses, k, room, measure, font);
    const y = top + gap * line(k);
    return {k, sense: sense[k], y, gap, pieces, note, wrong: !tie && !right, tone};
  });
  const heads = names.map((name, s) => {
    const text = cutTo(readable(name), W - 5 * u, measure, `700 ${fontOf.text(u)}`);
    const first = sense.indexOf(s);
    return {text, tone: TONES[s], y: top + gap * (line(first) - 1) + 0.72 * gap};
  });
  return {rows, heads, font, gap, right: 'its nearest', top};
}
// The words of a sentence, the one that it is about marked; cut where the line ends.
function piecesOf(senses, k, room, measure, font) {
  const tokens = senses.sentences[k].map(token => readable(token, 24));
  const at = senses.at[k];
  const wide = measure(tokens.join(' '), font) + 0.1 * measure(tokens[at], font);
  let [first, last] = [0, tokens.length];
  while (measure(`…${tokens.slice(first, last).join(' ')}…`, font) > room && wide > room) {
    if (last - 1 > at && last - 1 - at >= at - first) last -= 1;
    else if (first < at) first += 1;
    else break;
  }
  const before = (first > 0 ? '…' : '') + tokens.slice(first, at).join(' ');
  const after = tokens.slice(at + 1, last).join(' ') + (last < tokens.length ? '…' : '');
  const joined = [before ? `${before} ` : '', tokens[at], after ? ` ${after}` : ''];
  const longest = cutTo(tokens[at], room, measure, `700 ${font}`);
  if (longest !== tokens[at]) return ['', longest, ''];
  return runsLeft(tokens) ? [`\u2067${joined[0]}`, joined[1], `${joined[2]}\u2069`] : joined;
}

// ---- what it holds, and what is spoken of it
/** Rows of what is on screen. */
export function sensesTable({word, senses, layer}) {
  const table = [['pane', 'item', 'word', 'quantity', 'value']];
  senses.right.forEach((n, l) =>
    table.push(['right by layer', `layer ${l}`, word, 'sentences', n]),
  );
  table.push(['right by layer', 'by chance', word, 'sentences', senses.chance]);
  senses.sentences.forEach((_, k) => {
    const row = [`layer ${layer}: ${senses.names[senses.sense[k]]}`, String(k + 1), senses.text(k)];
    const [x, y] = senses.point(layer, k);
    table.push([...row, 'x', x], [...row, 'y', y]);
    for (const j of senses.nearest(layer, k)) {
      table.push([...row, `cosine with its nearest, ${j + 1}`, senses.cosine(layer, k, j)]);
    }
  });
  return table;
}
/** The list in words, for a screen reader. */
export function sensesText({senses, layer}) {
  const rows = senses.sentences.map((_, k) => {
    const near = senses.nearest(layer, k).map(j => j + 1);
    return `${k + 1} ${senses.text(k)}: nearest ${near.join(' and ')}`;
  });
  const [right] = [senses.right[layer]];
  return `${signed(right, 1)} of ${senses.count} right after ${layer} layers. ${rows.join(', ')}`;
}
/** The mark under a point, as a sentence from 0; null if there is none. */
export function markAt(hits, x, y, reach) {
  const away = hit => Math.hypot(hit.x - x, hit.y - y);
  const best = hits.reduce((a, b) => (away(b) < away(a) ? b : a));
  return away(best) < reach ? best.k : null;
}
/** What of the chart or the list lies under a point: a layer, or a sentence; null if nothing. */
export function sideAt({chart, list}, x, y) {
  if (y < chart.H) {
    const hit = chart.hits.find(({from, to}) => x >= from && x < to);
    return hit ? {layer: hit.layer} : null;
  }
  const row = list.rows.find(one => y >= one.y && y < one.y + one.gap);
  return row ? {sentence: row.k} : null;
}
