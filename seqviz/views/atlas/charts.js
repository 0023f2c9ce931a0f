// Of one head: where it stands among all, what it does most, how far it reaches, from and to what.

import {ramp} from '../shared/colours.js';
import {cutTo, many, readable} from '../shared/texts.js';
import {percentText, scoreText} from './names.js';
import {box, hit, rule, word} from './strokes.js';

const [TITLE_ROW, PLACE_ROW, WORD_ROW] = [20, 16, 15.5];
const MOST_PLACES = 5; // places that are listed
const TITLE_FONT = '700 14px';

const extremes = list => [Math.min(...list), Math.max(...list)];
function title(y, text, more, {measure}) {
  return [
    word(0, y, text, 'text bold'),
    ...(more ? [word(measure(`${text} `, TITLE_FONT) + 6, y, more, 'soft')] : []),
  ];
}
/** All heads, a cell each, toned by the score of the map's y axis. */
function gridPart(top, head, world) {
  const {heads, y: score, tone, plan, names, over} = world;
  const {layers} = heads;
  const most = Math.max(...heads.list.map(({name}) => Number(name.split('.')[1]))) + 1;
  const wide = Math.min(plan.side.w / most, 44);
  const high = Math.min(13, 150 / layers.length);
  const [low, up] = extremes(
    heads.list.map(({values}) => values[score]).filter(value => !Number.isNaN(value)),
  );
  const y0 = top + 11;
  const cells = heads.list.map(one => ({
    one,
    x: Number(one.name.split('.')[1]) * wide,
    y: y0 + layers.indexOf(one.layer) * high,
  }));
  const gap = Math.min(1, high / 6);
  const tint = value =>
    Number.isNaN(value) ? tone.panel : ramp(tone.seq, (value - low) / (up - low || 1));
  const framed = (name, look) => {
    const {x, y} = cells.find(({one}) => one.name === name);
    return box(x, y, wide, high, {fill: 'none', rx: 2, ...look});
  };
  const strokes = [
    ...title(top, 'All heads', `toned by ${names.short(score)}`, world),
    ...cells.map(({one, x, y}) =>
      box(x + gap / 2, y + gap / 2, wide - gap, high - gap, {fill: tint(one.values[score])}),
    ),
    framed(head.name, {stroke: tone.bg, 'stroke-width': 5}),
    framed(head.name, {stroke: tone.focus, 'stroke-width': 2.4}),
  ];
  if (over?.head) {
    strokes.push(
      framed(over.head, {stroke: tone.second, 'stroke-width': 2, 'stroke-dasharray': '4 2'}),
    );
  }
  const hits = cells.map(({one, x, y}) => hit(x, y, wide, high, {head: one.name}));
  return {strokes, hits, height: 11 + layers.length * high + TITLE_ROW};
}
function placesPart(top, head, world) {
  const {heads, tone, plan, names, measure} = world;
  const {sentences} = heads.facts;
  const {w} = plan.side;
  const [from, room] = [0.39 * w, 0.61 * w - 48];
  const rows = head.most.slice(0, MOST_PLACES);
  const strokes = rows.flatMap(({place, n}, k) => {
    const y = top + 2 + (k + 1) * PLACE_ROW;
    const fill = k ? tone.seq[4] : tone.focus;
    const share = n / sentences;
    const font = `${k ? 400 : 700} 12px`;
    return [
      word(
        from - 6,
        y,
        cutTo(names.placeShort(place), from - 6, measure, font),
        k ? '' : 'bold',
        'end',
      ),
      box(from, y - 5, room * share, 10, {fill}),
      word(w, y, percentText(share), k ? '' : 'hot', 'end'),
    ];
  });
  const said = title(top, 'Most weight', `by sentence, of ${many(sentences)}`, world);
  return {strokes: [...said, ...strokes], height: rows.length * PLACE_ROW + TITLE_ROW};
}
/** Bars over numbers, the highest in focus. */
function barsPart(top, values, {label, tone, w, high}) {
  const known = [...values].map(value => (Number.isNaN(value) ? 0 : value));
  const most = Math.max(...known, 1e-9);
  const wide = w / known.length;
  const zero = top + high;
  const strokes = known.map((value, k) =>
    box(k * wide + 0.7, zero - (high * value) / most, wide - 1.4, (high * value) / most, {
      fill: value === most ? tone.focus : tone.seq[4],
    }),
  );
  const labels = known.flatMap((_, k) => {
    const text = label(k);
    if (!text) return [];
    const x = Math.max(11, Math.min(w - 12, (k + 0.5) * wide));
    return [word(x, zero + 9, text, 'soft', 'middle')];
  });
  return [...strokes, rule(0, zero, w, zero, {stroke: tone.rule}), ...labels];
}
function reachPart(top, head, high, world) {
  const {tone, plan} = world;
  const {w} = plan.side;
  const {profile, reach} = head;
  const around = (profile.length - 1) / 2;
  const known = [...profile].map(value => (Number.isNaN(value) ? -1 : value));
  const best = known.indexOf(Math.max(...known)) - around;
  const sign = n => (n > 0 ? `+${n}` : String(n).replace('-', '−'));
  const offsets = k => ((k - around) % 4 === 0 ? sign(k - around) : '');
  const last = reach.length - 1;
  const distances = k => (k === last ? `${last}+` : k % 4 === 0 && k < last - 1 ? String(k) : '');
  const second = top + 11 + high + 28;
  const most = `most at ${sign(best)}: ${scoreText(profile[best + around])}`;
  return {
    strokes: [
      ...title(top, 'Weight by offset', most, world),
      ...barsPart(top + 11, profile, {label: offsets, tone, w, high}),
      ...title(second, 'Distances', `mean ${scoreText(head.values.distance)}`, world),
      ...barsPart(second + 11, reach, {label: distances, tone, w, high: 0.75 * high}),
    ],
    height: 11 + high + 28 + 11 + 0.75 * high + 28,
  };
}
function wordsPart(top, head, rows, {measure, plan}) {
  const half = plan.side.w / 2 + 4;
  const columns = [
    [0, 'Queries', 'link', head.queries, scoreText],
    [half, 'Keys', '× even', head.keys, value => value.toFixed(1)],
  ];
  const strokes = columns.flatMap(([x, name, unit, list, text]) => {
    const end = x + half - (x ? 8 : 16);
    return [
      word(x, top, name, 'text bold'),
      word(end, top, unit, 'soft', 'end'),
      ...list.slice(0, rows).flatMap(([token, value], k) => {
        const y = top + (k + 1.1) * WORD_ROW;
        return [
          word(x, y, cutTo(readable(token), half - 54, measure)),
          word(end, y, text(value), 'soft', 'end'),
        ];
      }),
    ];
  });
  return {strokes, height: (rows + 1) * WORD_ROW};
}
/** One head's charts as a pane; what height is left goes to the bars. */
export function chartsScene(world) {
  const {head, plan, tone, over, y} = world;
  const {w, h} = plan.side;
  const make = () => {
    const grid = gridPart(8, head, world);
    const places = placesPart(8 + grid.height, head, world);
    const rows = 7;
    const fixed = grid.height + places.height + 2 * 28 + 22 + (rows + 1.5) * WORD_ROW;
    const high = Math.max(26, Math.min(90, (h - 8 - fixed) / 1.75));
    const reach = reachPart(8 + grid.height + places.height, head, high, world);
    const top = 8 + grid.height + places.height + reach.height;
    const fit = Math.max(0, Math.min(rows, Math.floor((h - top) / WORD_ROW - 1)));
    const words = fit ? wordsPart(top, head, fit, world).strokes : [];
    const strokes = [...grid.strokes, ...places.strokes, ...reach.strokes, ...words];
    return {strokes, hits: grid.hits};
  };
  const key = JSON.stringify([head.name, plan.side, tone.bg, over?.head, y]);
  return {width: w, height: h, groups: [{name: 'charts', key, make}]};
}
