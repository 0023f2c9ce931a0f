// A head's sentences: a row each, with the links of the word in focus.

import {ramp} from '../shared/colours.js';
import {rankText, scoreText} from './names.js';
import {box, curve, dot, hit, rule, word} from './strokes.js';
import {cutTo} from '../shared/texts.js';
import {placedWords, SPACE} from './window.js';

const ROWS_FROM = 24;
const [STRONG, FEW] = [0.1, 3]; // a key that gets a ground; links beside that in focus

/** The links that are shown: of the word in focus, else the strongest and some of others. */
function linksOf({rows, links}, focused) {
  if (focused !== undefined) return rows[focused].filter(({weight}) => weight >= 0.03);
  const [best, ...others] = links;
  if (!best) return [];
  return [best, ...others.filter(({query}) => query !== best.query).slice(0, FEW)];
}
function arcStroke({query, key, weight}, main, words, {roof, foot, tone}) {
  if (!words[query] || !words[key]) return [];
  const at = k => words[k].x + words[k].w / 2;
  const [a, b] = [at(query), at(key)];
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
  const [about] = example.links;
  const ends = about ? [about.query, about.key] : [0];
  const {words, dots} = placedWords(example.words, {from: tx, room: tw, ends, measure});
  const links = linksOf(example, focused);
  const query = focused ?? example.links[0]?.query;
  const keys = new Map(
    links.filter(one => one.query === query).map(({key, weight}) => [key, weight]),
  );
  const usual = head.most[0].place;
  const does = cutTo(names.placeShort(example.does), columns.does - 6, measure, '700 12px');
  const place = {roof: top + 4, foot: base - 8, tone};
  const strokes = [
    ...(k ? [rule(0, top, w, top, {stroke: tone.rule})] : []),
    ...(k === current && keyed ? [ringStroke(top, w, high, tone)] : []),
    word(0, base, rankText(example.rank, heads.facts.ranked), k < 2 ? '' : 'soft'),
    word(columns.rank + columns.link, base, scoreText(example.link), 'bold', 'end'),
    ...(columns.does ? [word(w, base, does, doesLook(example.does, usual), 'end')] : []),
    ...[...links].reverse().flatMap(link => arcStroke(link, link.query === query, words, place)),
  ];
  const hits = [];
  for (const [name, one] of Object.entries(words)) {
    const n = Number(name);
    strokes.push(...wordStrokes(one, n, {base, tone, query, keys, sought, example}));
    hits.push(hit(one.x - SPACE / 2, top, one.w + SPACE, high, {row: k, word: n}));
  }
  strokes.push(...dots.map(x => word(x, base, '…', 'soft')));
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
