// The answer in numbers: the strongest with the rest, of the head in focus or of two heads or
// cursors side by side.

import {plainText} from '../shared/nodes.js';
import {Row} from '../shared/rows.js';
import {cutTo} from '../shared/texts.js';
import {fitted, label, quote} from './labels.js';
import {blank, END, write} from './panes.js';
import {brief, isChosen, named} from './places.js';
import {sentenceOf} from './sentence.js';
import {massOf} from './shown.js';
import {isShare, numberOf, ranked, summed} from './weights.js';

const PITCH = 23;
const FROM = 40; // where the first row begins
const TOP = 5;

// ---- the strongest, the others, the hidden: together the row's total, but for the rounding of the
// strongest
function sumsOf({sheet, cursor: {side, at}, values}, top) {
  const masses = values.map((_, i) =>
    side === 'query' ? massOf(sheet, at, i) : massOf(sheet, i, at),
  );
  const rest = summed(masses.filter((_, i) => !top.includes(i)));
  return side === 'query'
    ? {rest, hidden: sheet.hidden[at], total: sheet.totals[at]}
    : {rest, hidden: 0, total: summed(masses)};
}
// Of one list, or of two beside each other: {sheet, cursor, values}.
function partsOf(lists, count) {
  const [{sheet, cursor, values}] = lists;
  const units = cursor.side === 'query' ? sheet.columns : sheet.rows;
  const best = values.map((_, i) => Math.max(...lists.map(one => Math.abs(one.values[i]))));
  const gone = lists.some(({sheet, cursor}) => cursor.side === 'query' && sheet.hidden[cursor.at]);
  const free = count - (gone ? 1 : 0);
  const most = Math.min(TOP, best.length > free ? free - 1 : free);
  const top = ranked(best, most).filter((i, k) => !k || best[i] > 0);
  const rest = best.length - top.length;
  const sums = lists.map(one => sumsOf(one, top));
  const rows = top.map(i => ({
    name: units[i],
    values: lists.map(one => one.values[i]),
    strong: i === cursor.far,
  }));
  if (rest) {
    const text = rest === 1 ? '1 other' : `${rest} others`;
    rows.push({text, values: sums.map(({rest}) => rest)});
  }
  if (sums.some(({hidden}) => hidden !== 0)) {
    rows.push({text: 'hidden', values: sums.map(({hidden}) => hidden)});
  }
  return {rows, total: sums[0].total, shown: top.length};
}

// ---- the same as a table
/**
 * @param {Scene} scene
 * @param {number} count rows at most
 * @returns {Told}
 */
export function listTable(scene, count) {
  const {lists, sheet, A, values} = scene;
  const {rows, shown} = partsOf(lists, count);
  const title = questionOf(sheet, A, label(unitIn(sheet, A), 40));
  const which = countText(shown, values.length, othersOf(A), sheet.signed);
  const numbers = lists.length > 1 ? ['first', 'second'] : ['weight'];
  const name = row => row.text ?? label(row.name, 40);
  return {
    caption: [title, which, comparison(scene)].filter(Boolean).join('; '),
    rows: [
      ['token', ...numbers],
      ...rows.map(row => [name(row), ...row.values.map(numberOf(sheet))]),
    ],
  };
}
const unitIn = ({rows, columns}, {side, at}) => (side === 'query' ? rows : columns)[at];
const othersOf = ({side}) => (side === 'query' ? 'keys' : 'queries');
function questionOf(sheet, {side}, name) {
  const verb = sheet.written ? 'reads of' : 'attends to';
  const what = side === 'query' ? `hat ${quote(name)} ${verb}` : `hat ${verb} ${quote(name)}`;
  return sheet.signed ? `Change: w${what}` : `W${what}`;
}

// ---- the picture
/**
 * Bars and numbers of one list, or of two side by side: the strongest, the sum of the others, the
 * sum of what is hidden.
 * @param {SVGElement} node
 * @param {Scene} scene
 * @param {number} width pixels
 * @param {number} count rows at most
 */
export function drawList(node, scene, width, count) {
  blank(node, width, FROM + count * PITCH + 4);
  if (scene.A.at < 0) return;
  const {rows, total, shown} = partsOf(scene.lists, count);
  drawTitle(node, scene, {total, shown}, width);
  const names = rows.map(row => scene.measure(row.text ?? label(row.name, 16), '600 15px'));
  const room = Math.min(116, Math.max(72, ...names)) + 2;
  const bars = barsOf(scene, rows, room + 10, width);
  rows.forEach((row, k) => {
    const y = FROM + k * PITCH;
    const line = new Row(node, {y, tall: PITCH, base: y + PITCH / 2 + 5});
    const kind = row.text ? 'mid soft' : row.strong ? 'large strong' : 'large plain';
    line.end(room, row.text ?? fitted(row.name, room, scene.measure, '600 15px'), kind);
    line.axis(bars.zero, 2, {stroke: scene.tone.rule});
    row.values.forEach((v, i) => drawNumber(line, scene, row, {v, i, width, ...bars}));
  });
}
// Where bars begin, how long one is, and what the longest stands for.
function barsOf({lists, sheet, A}, rows, x, width) {
  const {signed} = sheet;
  const second = lists.length > 1;
  const long = (width - x - (second ? 116 : 52) - 4) * (signed ? 0.5 : 1);
  const sizes = rows.flatMap(row => row.values.map(Math.abs));
  const most = Math.max(isShare(sheet) ? 1 : 1e-9, ...sizes);
  return {
    second,
    long,
    zero: x + (signed ? long : 0),
    top: A.side === 'query' && isShare(sheet) ? 1 : most,
  };
}
// A bar and its number, of two lists one over the other.
function drawNumber(line, {sheet, tone, accent}, {text}, {v, i, width, second, long, zero, top}) {
  const first = sheet.signed ? tone.div[v < 0 ? 1 : 5] : second ? tone.focus : accent;
  const look = {rx: 2, fill: i ? tone.second : text ? tone.soft : first, opacity: text ? 0.5 : 1};
  const size = Math.max(1, long * Math.min(1, Math.abs(v) / top));
  const place = second ? {top: PITCH / 2 - 8 + 8 * i} : {};
  if (v) line.bar(zero, v < 0 ? -size : size, second ? 7 : 14, look, place);
  const kind = i ? 'second' : text ? 'soft' : 'plain';
  line.end(i || !second ? width : width - 66, numberOf(sheet)(v), `large ${kind}`);
}
function drawTitle(node, scene, {total, shown}, width) {
  const {sheet, A, values, measure} = scene;
  const query = A.side === 'query';
  const whole = sheet.signed ? 0 : sheet.written ? NaN : 1;
  const sum = query && Math.abs(total - whole) < 5e-4 ? '' : `sum ${numberOf(sheet)(total)}`;
  if (sum) write(node, sum, 'soft', {x: width, y: 16, ...END});
  const title = titleOf(scene, width - (sum ? measure(sum, '600 13px') + 12 : 0));
  write(node, title, 'large strong', {x: 0, y: 16});
  const note = comparison(scene);
  const text = note || countText(shown, values.length, othersOf(A), sheet.signed);
  const short = cutTo(text, width, measure, '700 13px');
  write(node, short, note ? 'mid second' : 'soft', {x: 0, y: 33});
}
// The question that the list answers, with as much of the token's name as there is room for.
function titleOf({sheet, A, measure}, width) {
  const ask = name => questionOf(sheet, A, name);
  const room = width - measure(ask(''), '700 15px');
  return ask(fitted(unitIn(sheet, A), room, measure, '700 15px'));
}
// What stands beside the first list.
function comparison(scene) {
  const {B, pre, compared, layer, head} = scene;
  if (B) return compared ? plainText(sentenceOf(scene, B, compared)) : '';
  const open = isChosen(head) ? `the ${named(layer, head).toLowerCase()}` : brief(layer, head);
  return pre ? `head ${brief(pre.layer, pre.head)} beside ${open}` : '';
}
function countText(shown, count, others, signed) {
  const which = signed ? 'after minus before, the largest' : 'the strongest';
  if (count > shown) return `${which} ${shown} of ${count} ${others}`;
  return `all ${count === 1 ? 'there is' : `${count} ${others}`}`;
}
