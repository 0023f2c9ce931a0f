// A head's sentences: a row each, with the links of the word in focus.

import {ramp} from '../shared/colours.js';
import {runsLeft, turnRow} from '../shared/direction.js';
import {readable} from '../shared/texts.js';
import {rankText, scoreText} from './names.js';
import {box, curve, dot, hit, rule, word} from './strokes.js';

const ROWS_FROM = 24;
const [SPACE, DOTS] = [4.5, 12];
const [STRONG, FEW] = [0.1, 3]; // a key that gets a ground; links beside that in focus

/** Where the words of a row stand, and which of them are seen: the row is a window on them. */
function placed(example, {tx, tw, about, measure}) {
  let x = 0;
  const boxes = example.words.map(text => {
    const shown = readable(text, 24);
    const one = {x, w: measure(shown), text: shown};
    x += one.w + SPACE;
    return one;
  });
  const total = x - SPACE;
  if (runsLeft(example.words)) turnRow(boxes, 0, total);
  const middle = k => boxes[k].x + boxes[k].w / 2;
  const centre = about ? (middle(about.query) + middle(about.key)) / 2 : 0;
  const shift = shiftOf(boxes, total, tw, centre);
  const from = shift > 0.5 ? DOTS : 0;
  const to = shift + tw < total - 0.5 ? tw - DOTS : tw;
  const seen = ({x: left, w}) => left - shift >= from - 0.5 && left + w - shift <= to + 0.5;
  return boxes.map(one => ({...one, x: tx + one.x - shift, seen: seen(one)}));
}
/** How far the window is moved: to the link, and so that a word begins at its edge. */
function shiftOf(boxes, total, room, centre) {
  const wanted = total <= room ? 0 : Math.max(0, Math.min(total - room, centre - room / 2));
  if (!wanted) return 0;
  const first = boxes.map(({x}) => x).filter(x => x >= wanted + DOTS);
  return first.length ? Math.min(...first) - DOTS : wanted;
}
/** The links that are shown: of the word in focus, else the strongest and some of others. */
function linksOf({rows, links}, focused) {
  if (focused !== undefined) return rows[focused].filter(({weight}) => weight >= 0.03);
  const [best, ...others] = links;
  if (!best) return [];
  return [best, ...others.filter(({query}) => query !== best.query).slice(0, FEW)];
}
function arcStroke({query, key, weight}, main, boxes, {roof, foot, left, right, tone}) {
  const at = k => boxes[k].x + boxes[k].w / 2;
  const out = k => at(k) < left - 6 || at(k) > right + 6;
  if ((out(query) && out(key)) || (!main && (out(query) || out(key)))) return [];
  const inside = x => Math.max(left - 4, Math.min(right + 4, x));
  const [a, b] = [inside(at(query)), inside(at(key))];
  const stroke = main ? tone.focus : tone.seq[4];
  const width = (main ? 0.9 : 0.6) + 2.2 * weight;
  if (query === key) {
    return [dot(a, foot - 3, 3, {fill: 'none', stroke, 'stroke-width': width})];
  }
  const up = Math.max(roof, foot - 6 - 0.16 * Math.abs(b - a));
  const turn = 3 * Math.sign(b - a);
  const d = `M${a} ${foot}C${a + turn} ${up} ${b - turn} ${up} ${b} ${foot - 1}`;
  const opacity = main ? 0.35 + 0.65 * weight : 0.3 + 0.4 * weight;
  const head = main && weight > 0.12 ? [arrow(b, foot, tone)] : [];
  return [curve(d, {stroke, 'stroke-width': width, opacity}), ...head];
}
const arrow = (x, y, tone) => curve(`M${x} ${y + 1.5}l-3 -5h6z`, {fill: tone.focus});

/** One row. */
function rowScene(example, k, top, world) {
  const {tone, measure, plan, names, head, heads, row: current, keyed, sought} = world;
  const {w} = plan.main;
  const high = world.high;
  const base = top + high - 11;
  const narrow = plan.narrow;
  const columns = narrow ? {rank: 62, link: 28, does: 0} : {rank: 62, link: 28, does: 84};
  const tx = columns.rank + columns.link + 8;
  const tw = w - tx - columns.does;
  const focused = world.focused?.row === k ? world.focused.word : undefined;
  const boxes = placed(example, {tx, tw, about: example.links[0], measure});
  const links = linksOf(example, focused);
  const query = focused ?? example.links[0]?.query;
  const keys = new Map(
    links.filter(one => one.query === query).map(({key, weight}) => [key, weight]),
  );
  const usual = head.most[0].place;
  const place = {roof: top + 4, foot: base - 8, left: tx, right: tx + tw, tone};
  const strokes = [
    ...(k ? [rule(0, top, w, top, {stroke: tone.rule})] : []),
    ...(k === current && keyed ? [ringStroke(top, w, high, tone)] : []),
    word(0, base, rankText(example.rank, heads.facts.sentences), k < 2 ? '' : 'soft'),
    word(columns.rank + columns.link, base, scoreText(example.link), 'bold', 'end'),
    ...(columns.does
      ? [word(w, base, names.placeShort(example.does), doesLook(example.does, usual), 'end')]
      : []),
    ...[...links].reverse().flatMap(link => arcStroke(link, link.query === query, boxes, place)),
  ];
  const hits = [];
  boxes.forEach((one, n) => {
    if (!one.seen) return;
    strokes.push(...wordStrokes(one, n, {base, tone, query, keys, sought, example}));
    hits.push(hit(one.x - SPACE / 2, top, one.w + SPACE, high, {row: k, word: n}));
  });
  const first = boxes.reduce((a, b) => (b.x < a.x ? b : a), boxes[0]);
  const last = boxes.reduce((a, b) => (b.x > a.x ? b : a), boxes[0]);
  if (!first.seen) strokes.push(word(tx, base, '…', 'soft'));
  if (!last.seen) strokes.push(word(tx + tw, base, '…', 'soft', 'end'));
  return {strokes, hits};
}
const ringStroke = (top, w, high, tone) =>
  box(-4, top + 1, w + 8, high - 2, {rx: 4, fill: 'none', stroke: tone.ring, 'stroke-width': 2});
const doesLook = (does, usual) => (does === usual ? 'soft' : 'second bold');
function wordStrokes({x, w, text}, n, {base, tone, query, keys, sought, example}) {
  const asks = n === query;
  const weight = keys.get(n) ?? 0;
  const found = sought.has(example.words[n].toLowerCase());
  const soft = n === 0 || example.special.has(n);
  const ground = look => box(x - 2, base - 7.5, w + 4, 15, {rx: 3, ...look});
  return [
    ...(asks ? [ground({fill: tone.focus, opacity: 0.15})] : []),
    ...(!asks && weight >= STRONG ? [ground({fill: ramp(tone.seq, 0.12 + 0.3 * weight)})] : []),
    word(x, base, text, asks ? 'asks' : soft ? 'soft' : ''),
    ...(found
      ? [rule(x, base + 7, x + w, base + 7, {stroke: tone.second, 'stroke-width': 2})]
      : []),
  ];
}
/** The sentences as a pane: each row is drawn anew alone. */
export function examplesScene(world) {
  const {head, heads, plan, tone, measure, names} = world;
  const {w, h} = plan.main;
  const examples = heads.examples(head.i);
  const high = Math.min(60, (h - ROWS_FROM) / Math.max(6, examples.length));
  const told = ['by their strongest link between two words', 'by their strongest link'];
  const room = w - measure('Sentences ', '700 14px') - 96;
  const said = told.find(text => measure(text) <= room) ?? '';
  const heading = () => ({
    strokes: [
      word(0, 8, 'Sentences', 'text bold'),
      word(measure('Sentences ', '700 14px') + 6, 8, said, 'soft'),
      ...(plan.narrow ? [] : [word(w, 8, 'most weight to', 'soft', 'end')]),
    ],
  });
  const sought = [...world.sought];
  const rows = examples.map((example, k) => {
    const focused = world.focused?.row === k ? world.focused.word : '';
    const on = world.row === k && world.keyed;
    const key = JSON.stringify([head.name, w, h, tone.bg, focused, on, sought, names.start]);
    const make = () => rowScene(example, k, ROWS_FROM + k * high, {...world, high});
    return {name: `row ${k}`, key, make};
  });
  const key = JSON.stringify([w, tone.bg]);
  return {width: w, height: h, groups: [{name: 'heading', key, make: heading}, ...rows]};
}
