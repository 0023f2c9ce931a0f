// Depth 2, why this weight, as a scene: q times k number by number, their sum, the softmax over all
// keys, and what is carried.

import {many, share, signed} from '../shared/texts.js';
import {hiddenScore, probable} from '../shared/scene/names.js';
import {Sketch, STEEP} from '../shared/scene/sketch.js';
import {sidesOf} from './standing.js';
import {totalOf, whyOf} from './why_numbers.js';
import {NAME_MOST} from './why_plan.js';
import {inSight, isPartOf, sightOf} from '../shared/scene/windows.js';

const TELLING = 0.25; // of the largest product: bold, and named where cells are narrow
const LARGE = 1e7; // not written in figures
const HINTS = [
  'Point at another key below: its row comes here, its products beside these.',
  'Point at another key to compare it.',
];
const CENTRED = {anchor: 'middle'};
const RING = {stroke: 'focus', strokeWidth: 1.8, r: 3, layer: 'over'};
const COMPARED = {...RING, stroke: 'second', strokeWidth: 1.6, dash: '5 4'};

/**
 * The scene of a weight, without anything while its numbers are under way.
 * @param {World} world with a `plan` that `whyPlan` made
 * @returns {Scene}
 */
export function whyScene(world) {
  const sketch = new Sketch(world);
  const why = whyOf(world);
  if (!why) return sketch.scene;
  const all = {...world, why, sketch, names: whyNames(world), ...orderOf(world, why)};
  if (why.query) {
    drawQueryAndKeys(all);
    drawProducts(all);
  }
  drawSum(all);
  drawKeys(all);
  drawCarried(all);
  return sketch.scene;
}
/**
 * The equation of one product of q and k, as `equationOf` gives one; null while parts are missing.
 * @param {World} world
 * @param {number} dim which number of q and k
 */
export function productEquation(world, dim) {
  const why = whyOf(world);
  if (!why?.query) return null;
  const {asking, answering} = whyNames(world);
  const [q, k] = [why.query, why.keys[0]].map(({node, base, step, values}) => ({
    node,
    index: base + dim * step,
    value: values[dim],
  }));
  const value = q.value * k.value;
  const sum = totalOf(why.products[0]);
  const part = value > 0 && sum >= value ? `: ${Math.round((100 * value) / sum)} %` : '';
  const second = k.value < 0 ? `(${inFigures(k.value)})` : inFigures(k.value);
  return {
    title: `number ${dim} of head ${world.state.head}: ${asking} asks, ${answering(why.key)} answers`,
    pieces: [
      [inFigures(value), 'focus'],
      [` = ${inFigures(q.value)} × ${second}`, ''],
      [` of the sum ${inFigures(sum)}${part}`, 'quiet'],
    ],
    inputs: [q, k],
    best: [],
    value,
  };
}

// ---- words
/** A number in three figures. */
function inFigures(value) {
  if (value < -LARGE) return hiddenScore(value);
  const size = Math.abs(value);
  return signed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}
/** A number with two decimals or one, as its cell has room for; none in a narrower one. */
function inCell(sketch, value, width) {
  const fits = widest => sketch.width(widest) <= width;
  if (!fits('−8.8')) return '';
  return fits('−8.88') || value < -LARGE ? inFigures(value) : shortly(value);
}
const shortly = value => signed(value, Math.abs(value) < 9.95 ? 1 : 0).replace(/^0\.0$/, '0');
function addedText({added, masked, reads}, key) {
  if (masked[key]) return hiddenScore(reads[key]);
  return Math.abs(added[key]) < 1e-4 ? '+ 0' : (added[key] > 0 ? '+ ' : '') + inFigures(added[key]);
}
/** What is added is a mask if it changes nothing but what it hides. */
const addedName = ({added, masked}) =>
  added.every((value, key) => masked[key] || Math.abs(value) < 1e-4) ? 'mask' : 'added';
/** How the scores are divided: "÷ √16", "÷ 3.20", or "" where they are not. */
function scaleText({part: {scale}, query}) {
  const root = query && Math.abs(scale - Math.sqrt(query.values.length)) < 1e-3;
  return scale === 1 ? '' : `÷ ${root ? `√${query.values.length}` : inFigures(scale)}`;
}
function whyNames({facts, state, labels}) {
  const sides = sidesOf(facts, state);
  return {
    asking: labels[sides.asking][state.token],
    answering: key => labels[sides.answering][key],
  };
}
const textLine = ({y, height}) => y + height / 2 + 4.3;
function drawName({sketch, plan}, row, words, look) {
  const right = {anchor: 'end', weight: 700, fill: 'ink', room: plan.label - 10};
  sketch.text(plan.label - 8, textLine(row), words, {...right, ...look});
}

// ---- q and k
/** The order of the numbers, and which of them is in focus, under the pointer or held. */
function orderOf({state, over}, {query, keys, products}) {
  if (!query) return {dim: null, order: []};
  const order = query.values.map((_, c) => c);
  if (state.sort) order.sort((a, b) => products[0][b] - products[0][a]);
  const [node, index] = state.number.split(' ');
  const held = dimensionAt([query, keys[0]], {node, index: Number(index)});
  const dim = over?.dim ?? (over && dimensionAt([query, keys[0]], over)) ?? held;
  return {dim, order};
}
function dimensionAt(lines, {node, index}) {
  const places = lines
    .filter(line => line.node === node)
    .map(line => (index - line.base) / line.step);
  const length = lines[0].values.length;
  return places.find(c => Number.isInteger(c) && c >= 0 && c < length) ?? null;
}
function drawQueryAndKeys(all) {
  const {plan, why, names, numbers, order, sketch, state, size} = all;
  const {rows, cell} = plan;
  const {query, keys, part} = why;
  const row = (at, line, place) => {
    drawCells(all, line, {row: rows[at], cell, order, max: numbers.range(place)});
    order.forEach((dim, k) => {
      const box = {x: plan.label + k * cell, y: rows[at].y, width: cell, height: rows[at].height};
      sketch.hit(box, {dim}, {});
    });
  };
  drawColumnNumbers(all);
  row('query', query, part.query);
  row('key', keys[0], part.key);
  drawName(all, rows.numbers, state.sort ? 'largest first' : 'number', {fill: 'ink2', weight: 400});
  drawName(all, rows.query, `q of ${names.asking}`, {fill: 'focus'});
  drawName(all, rows.key, `k of ${names.answering(why.key)}`);
  if (keys[1]) {
    row('other', keys[1], part.key);
    drawName(all, rows.other, `k of ${names.answering(why.other)}`, {fill: 'second'});
    const {y, height} = rows.other;
    sketch.rect({x: plan.label - 1, y, width: cell * order.length + 1, height}, COMPARED);
  } else {
    sketch.firstThatFits(plan.label, textLine(rows.other), HINTS, {room: size.width - plan.label});
  }
}
// Over the columns their numbers, as many as do not touch.
function drawColumnNumbers({plan, order, dim, sketch}) {
  const {label, cell, rows} = plan;
  const every = [1, 2, 4, 8, 16, 32].find(gap => gap * cell >= sketch.width('888')) ?? 64;
  const focus = order.indexOf(dim);
  order.forEach((c, at) => {
    const free = at % every === 0 && (dim === null || Math.abs(at - focus) >= every);
    if (!free && c !== dim) return;
    const look = c === dim ? {fill: 'focus', weight: 700} : {};
    sketch.text(label + (at + 0.5) * cell, textLine(rows.numbers), String(c), {
      ...CENTRED,
      ...look,
    });
  });
}
/** A row of numbers as cells: one heat, or in another order one for each. */
function drawCells({plan, sketch}, {node, base, step, values}, {row, cell, order, max, times = 1}) {
  const {label} = plan;
  const look = {node, rows: 1, rowStep: 0, colStep: step, max, times, group: `row ${row.y}`};
  const down = {y: row.y + 1, height: row.height - 2};
  const width = cell * values.length;
  const inPlace = order.every((c, at) => c === at);
  if (inPlace) {
    const whole = {...look, base, cols: values.length, grid: cell >= 4};
    sketch.heat({...down, x: label, width}, whole);
  }
  order.forEach((c, at) => {
    const x = label + at * cell;
    const box = {...down, x, width: cell - (cell >= 4 ? 1 : 0)};
    if (!inPlace) sketch.heat(box, {...look, base: base + c * step, cols: 1});
    const value = times * values[c];
    const number = inCell(sketch, value, cell);
    const onHeat = [value, max];
    if (number) sketch.text(x + cell / 2, textLine(row), number, {...CENTRED, onHeat});
  });
  sketch.hit({x: label, y: row.y, width, height: row.height}, {});
}

// ---- their products
function drawProducts(all) {
  const {plan, why, order, dim, sketch} = all;
  const {cell, label, rows} = plan;
  const [own, other] = why.products;
  const {zero, long} = heightsOf(why.products.flat(), rows.bars);
  const width = cell * (other ? 0.38 : 0.62);
  const bar = (value, x, look) => {
    const height = Math.max(1, long(value));
    const y = value < 0 ? zero : zero - height;
    sketch.rect({x, y, width, height}, {layer: 'over', ...look});
  };
  drawName(all, {y: zero - 13, height: 26}, 'q × k');
  sketch.line(`M${label} ${zero}H${label + cell * order.length}`, {width: 1});
  order.forEach((c, at) => {
    const x = label + at * cell + (cell - (other ? 0.8 * cell : width)) / 2;
    bar(own[c], x, {fill: 'focus', alpha: dim === null || dim === c ? 1 : 0.45});
    const look = {fill: 'secondbg', stroke: 'second', strokeWidth: 1.2, dash: '3 2'};
    if (other) bar(other[c], x + 0.42 * cell, look);
  });
  for (const {at, c, words} of namedProducts(all, own)) {
    const sign = own[c] < 0 ? -1 : 1;
    const far = long(Math.max(sign * own[c], other ? sign * other[c] : 0));
    const y = own[c] < 0 ? zero + far + 12.5 : zero - far - 4;
    const look = {...CENTRED, fill: 'ink', weight: isTelling(own, c) ? 700 : 400};
    const half = sketch.width(words, 12, 700) / 2;
    const end = label + cell * order.length - half;
    const x = Math.max(label + half, Math.min(end, label + (at + 0.5) * cell));
    sketch.text(x, y, words, look);
  }
  hitProducts(all);
}
function hitProducts({plan, why, order, dim, sketch}) {
  const {cell, label, rows} = plan;
  const {query, scores, key} = why;
  const {y, height} = rows.bars;
  const score = {node: scores.node, index: scores.base + key * scores.step};
  order.forEach((c, at) => {
    const held = {number: `${query.node} ${query.base + c * query.step}`};
    sketch.hit({x: label + at * cell, y, width: cell, height}, {...score, dim: c}, held);
  });
  if (dim === null) return;
  const top = rows.numbers.y;
  const x = label + order.indexOf(dim) * cell - 1;
  sketch.rect({x, y: top, width: cell + 1, height: y + height - top}, RING);
}
// Where zero lies, and how long a bar is.
function heightsOf(values, {y, height}) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = (height - 30) / (high - low || 1);
  return {zero: y + 15 + scale * high, long: value => scale * Math.abs(value)};
}
const isTelling = (values, c) => Math.abs(values[c]) >= TELLING * Math.max(...values.map(Math.abs));
// Which products have their number: those that do not touch, the largest first; in narrow cells
// only those that tell most.
function namedProducts({plan, order, sketch}, values) {
  const roomy = inCell(sketch, 0, plan.cell) !== '';
  const named = order
    .map((c, at) => ({c, at, words: inCell(sketch, values[c], plan.cell) || shortly(values[c])}))
    .filter(({c}) => roomy || isTelling(values, c))
    .sort((a, b) => Math.abs(values[b.c]) - Math.abs(values[a.c]));
  const chosen = [];
  for (const one of named) {
    const room = sketch.width(one.words, 12, 700) + 1;
    if (chosen.every(({at}) => Math.abs(at - one.at) * plan.cell >= room)) chosen.push(one);
  }
  return chosen;
}

// ---- the sum, and the softmax over the keys
function drawSum(all) {
  const {plan, why, names, sketch, size} = all;
  const {query, key, other, products, scores, scaled, added, weights} = why;
  const row = plan.rows.sum ?? plan.rows.without;
  const scale = scaleText(why) && ` ${scaleText(why)} = ${inFigures(scaled[key])}`;
  const {cap} = why.part;
  const less = cap ? `, capped at ${inFigures(cap)} = ${inFigures(why.capped[key])}` : '';
  const more = added.length ? `, ${addedName(why)} ${addedText(why, key)}` : '';
  const start = query ? '' : 'no q and k: a score is no product here. ';
  const score = inFigures(query ? totalOf(products[0]) : scores.values[key]);
  const over = `softmax over the keys${why.part.sinks ? ' and a sink' : ''}`;
  const told = (words, more = []) => [
    {text: words, fill: 'ink'},
    {text: probable(weights.values[key]), fill: 'focus', weight: 700},
    ...more,
  ];
  const compared = [];
  if (other !== null) {
    const second = inFigures(query ? totalOf(products[1]) : scores.values[other]);
    const words = `\u2003${names.answering(other)}: ${second}, ${probable(weights.values[other])}`;
    compared.push({text: words, fill: 'second', weight: 700});
  }
  drawName(all, row, query ? 'their sum' : 'score');
  const texts = [
    told(`${start}${score}${scale}${less}${more}, ${over}: `, compared),
    told(`${score}${scale}, softmax: `, compared),
    told(`${score}${scale}, softmax: `),
    told(`${score}${scale} → `),
  ];
  sketch.firstThatFits(plan.label, textLine(row), texts, {size: 15, room: size.width - plan.label});
}
function drawKeys(all) {
  const {plan, why, sketch} = all;
  const {label, rows, keys, pitch, slanted} = plan;
  const {scores, part} = why;
  sketch.text(label - 8, rows.names.y + rows.names.height - 5, 'keys', {anchor: 'end'});
  drawName(all, rows.score, scaleText(why) || 'score');
  if (rows.mask) drawName(all, rows.mask, addedName(why));
  drawName(all, rows.weights, 'weight');
  const width = pitch * keys.count;
  const {y, height} = rows.score;
  const max = Math.max(...sightOf(keys).map(of => Math.abs(why.scaled[of]))) || 1;
  const steps = {rows: 1, rowStep: 0, cols: keys.count, colStep: scores.step};
  const look = {max, times: 1 / part.scale, grid: true, group: 'scores'};
  const base = scores.base + keys.from * scores.step;
  const box = {x: label, y: y + 1, width, height: height - 2};
  sketch.heat(box, {node: scores.node, base, ...steps, ...look});
  const across = {across: ['key', keys.from, keys.count]};
  const named = {x: label, y: rows.names.y, width, height: y + height - rows.names.y};
  const foot = slanted ? rows.names.y + rows.names.height - 8 : undefined;
  sketch.hit(named, {}, {}, {...across, foot});
  for (const key of sightOf(keys)) drawKey(all, key, max);
  const top = slanted ? y : rows.names.y;
  const high = rows.weights.y + rows.weights.height - top;
  const framed = [
    [why.key, RING],
    [why.other, COMPARED],
  ];
  for (const [key, look] of framed.filter(([key]) => key !== null && inSight(keys, key))) {
    const x = label + (key - keys.from) * pitch - 1;
    sketch.rect({x, y: top, width: pitch + 1, height: high + 1}, look);
  }
  if (isPartOf(keys)) drawOthers(all);
}
function drawKey({plan, why, names, sketch}, key, max) {
  const {label, rows, pitch, slanted, keys} = plan;
  const {scaled, added, masked, weights} = why;
  const [own, other] = [key === why.key, key === why.other];
  const x = label + (key - keys.from) * pitch;
  const middle = x + pitch / 2;
  const fill = own ? 'focus' : other ? 'second' : masked[key] ? 'ink2' : 'ink';
  const lean = slanted ? {rotate: -STEEP, room: NAME_MOST} : {...CENTRED, room: pitch};
  const name = {...lean, fill, weight: own || other ? 700 : 400};
  const low = rows.names.y + rows.names.height - 5;
  sketch.text(middle + (slanted ? 3 : 0), low, names.answering(key), name);
  const onHeat = [scaled[key], max];
  const score = inCell(sketch, scaled[key], pitch);
  if (score) sketch.text(middle, textLine(rows.score), score, {...CENTRED, onHeat});
  if (rows.mask) {
    const hides = masked[key] && hiddenScore(why.reads[key]);
    const fits = hides && sketch.width(hides) <= pitch;
    const words = hides ? fits && hides : inCell(sketch, added[key], pitch).replace(/^0\.00$/, '0');
    const narrow = masked[key] ? '–' : '';
    const look = {...CENTRED, fill: masked[key] ? 'ink' : 'ink2'};
    sketch.text(middle, textLine(rows.mask), words || narrow, look);
  }
  const look = {
    fill: own ? 'focus' : other ? 'secondbg' : 'mark',
    ...(other && {...COMPARED, r: 0}),
  };
  const {y} = drawWeight({sketch}, rows.weights, middle, 0.7 * pitch, weights.values[key], look);
  if (score || own) {
    const weight = weights.values[key];
    const words = sketch.width('0.888') < pitch ? probable(weight) : weight ? share(weight) : '0';
    const strong = own ? {fill: 'focus', weight: 700, halo: true} : {fill: 'ink'};
    sketch.text(middle, y - 4, words, {...CENTRED, ...strong});
  }
  const top = (rows.mask ?? rows.weights).y;
  const height = rows.weights.y + rows.weights.height - top;
  const place = {key, node: weights.node, index: weights.base + key * weights.step};
  sketch.hit({x, y: top, width: pitch, height}, place, {key});
}
function drawWeight({sketch}, row, middle, width, weight, look) {
  const height = Math.max(1, (row.height - 16) * (weight || 0)); // NaN of a row that is all masked
  const box = {x: middle - width / 2, y: row.y + row.height - height, width, height};
  sketch.rect(box, {layer: 'over', ...look});
  return box;
}
// The keys that are not in sight, summed up.
function drawOthers({plan, why, names, sketch, size}) {
  const {label, rows, keys, pitch} = plan;
  const {values} = why.weights;
  const seen = sightOf(keys);
  const rest = Math.max(0, totalOf(values) - totalOf(seen.map(of => values[of])));
  const left = many(keys.total - keys.count);
  const x = label + keys.count * pitch + 12;
  sketch.text(x, textLine(rows.score), `${left} more`);
  const {y} = drawWeight({sketch}, rows.weights, x + 17, 26, rest, {fill: 'mark', alpha: 0.6});
  sketch.text(x + 17, y - 4, probable(rest), {...CENTRED, fill: 'ink'});
  const around = `Keys ${keys.from + 1} to ${seen.at(-1) + 1} of ${many(keys.total)}, around ${names.answering(why.key)}`;
  const texts = [
    `${around}; the other ${left} have ${probable(rest)} together.`,
    `Keys ${keys.from + 1} to ${seen.at(-1) + 1} of ${many(keys.total)}; the others have ${probable(rest)}.`,
  ];
  sketch.firstThatFits(label, textLine(rows.note), texts, {room: size.width - label});
}

// ---- what is carried
function drawCarried(all) {
  const {plan, why, names, numbers, state, sketch} = all;
  const {rows, valueCell: cell} = plan;
  const {carried, other, weights, value, context, part, silent} = why;
  const fill = other === null ? 'ink' : 'second';
  const max = numbers.range(part.value);
  const common = {cell, order: value.values.map((_, c) => c), max};
  const times = weights.values[carried];
  const end = silent
    ? `head ${state.head} is silent: zeros go on in place of the sum`
    : 'below it, the sum over all keys';
  const told = (start, rest) => [
    {text: start},
    {text: names.answering(carried), fill, weight: 700},
    {text: rest},
  ];
  const texts = [
    told('What is carried: the value of ', ` times its weight; ${end}`),
    told('What is carried: v of ', ' times its weight'),
  ];
  sketch.firstThatFits(0, textLine(rows.caption), texts, {room: all.size.width});
  drawName(all, rows.value, `${probable(times)} × v`, {fill});
  drawCells(all, value, {...common, row: rows.value, times});
  drawName(all, rows.context, silent ? 'silent' : 'sum');
  drawCells(all, context, {...common, row: rows.context});
  const {y, height} = rows.context;
  const box = {x: plan.label, y, w: cell * value.values.length, h: height};
  if (silent) sketch.mark('strike', box);
}
