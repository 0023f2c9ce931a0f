// The answer in words: the sentence, the strongest five with the rest, the value under the cursor.

import {readable, svg} from '../shared/base.js';
import {SCALES, SCORES, SPECIALS, limitText} from './controls.js';
import {blank, lowIsBest} from './grid.js';
import {cellAt, fitted, label} from './heatmap.js';
import {brief, named} from './places.js';
import {massOf} from './shown.js';
import {ranked, summed, weight} from './weights.js';

const PITCH = 27;
const TOP = 5;

// ---- the sentence, in pieces for say()
const VERB = {query: ' looks at ', key: ' is looked at by '};
export function sentenceOf({sheet, screen, steps}, cursor, values) {
  if (cursor.at < 0) return [noRow(steps, screen)];
  const own = cursor.side === 'query' ? sheet.rows : sheet.columns;
  const other = cursor.side === 'query' ? sheet.columns : sheet.rows;
  const v = values[cursor.far];
  const name = {b: label(own[cursor.at], 40)};
  if (!values.some(v => v > 0)) {
    return cursor.side === 'query'
      ? [name, ' looks at nothing here: every weight is 0']
      : [name, ' is looked at by nothing: every weight is 0'];
  }
  return [
    name,
    VERB[cursor.side],
    {strong: label(other[cursor.far], 40)},
    {span: `\u00a0${weight(v)}`},
    ...(screen.specials === 'renormalised' ? [' of what is left without special tokens'] : []),
  ];
}
// A decoder's first tokens can all be hidden, or pieces of a word.
function noRow(steps, {words, specials}) {
  return `no query is on screen at step ${steps}: what is written is ${[...(specials === 'shown' ? [] : ['hidden']), ...(words ? ['not yet a whole word'] : [])].join(' or ')}`;
}
const plain = pieces =>
  pieces.map(piece => (typeof piece === 'string' ? piece : Object.values(piece)[0])).join('');
// The cell under the cursor, with the positions of its tokens and more digits.
export function readingOf({sheet}, cursor) {
  const {row, column} = cellAt(cursor);
  if (row < 0) return '';
  const v = sheet.values[row * sheet.m + column];
  const at = unit => `${unit.from + 1} “${readable(unit.text.slice(0, 400), 120)}”`;
  return `query ${at(sheet.rows[row])}, key ${at(sheet.columns[column])}: ${v > 0 && v < 0.00005 ? '<0.0001' : v === 0 ? '0' : v.toFixed(4)}`;
}

// ---- the strongest five, the others, the hidden: together the row's total, but for the rounding
// of the five
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
function partsOf(lists) {
  const [{sheet, cursor, values}] = lists;
  const units = cursor.side === 'query' ? sheet.columns : sheet.rows;
  const best = values.map((_, i) => Math.max(...lists.map(one => one.values[i])));
  const top = ranked(best, TOP).filter((i, k) => !k || best[i] > 0);
  const rest = best.length - top.length;
  const sums = lists.map(one => sumsOf(one, top));
  const rows = top.map(i => ({
    name: units[i],
    values: lists.map(one => one.values[i]),
    strong: i === cursor.far,
  }));
  if (rest) {
    rows.push({
      text: rest === 1 ? '1 other' : `${rest} others`,
      values: sums.map(({rest}) => rest),
    });
  }
  if (sums.some(({hidden}) => hidden > 0)) {
    rows.push({text: 'hidden', values: sums.map(({hidden}) => hidden)});
  }
  return {rows, total: sums[0].total};
}
export function drawList(node, scene, width) {
  const {sheet, A, B, values, lists, tone, measure, accent, pre, compared} = scene;
  const height = 46 + 7 * PITCH;
  const second = lists.length > 1;
  blank(node, width, height);
  if (A.at < 0) return;
  const {rows, total} = partsOf(lists);
  const own = A.side === 'query' ? sheet.rows : sheet.columns;
  const name = label(own[A.at], 16);
  svg(
    node,
    'text',
    {x: 0, y: 16, class: 'large strong'},
    A.side === 'query' ? `Where ${quote(name)} looks` : `Who looks at ${quote(name)}`,
  );
  const sum = A.side === 'query' && Math.abs(total - 1) < 5e-4 ? '' : `sum ${weight(total)}`;
  if (sum) svg(node, 'text', {x: width, y: 16, 'text-anchor': 'end', class: 'soft'}, sum);
  const note = B
    ? compared
      ? plain(sentenceOf(scene, B, compared))
      : ''
    : pre
      ? `head ${brief(pre.layer, pre.head)} beside ${brief(scene.layer, scene.head)}`
      : '';
  const count = values.length;
  const others = A.side === 'query' ? 'keys' : 'queries';
  svg(
    node,
    'text',
    {x: 0, y: 35, class: note ? 'mid second' : 'soft'},
    cutTo(
      note ||
        (count > TOP
          ? `the strongest ${TOP} of ${count} ${others}`
          : `all ${count === 1 ? 'there is' : `${count} ${others}`}`),
      width,
      measure,
      '700 13px',
    ),
  );
  const room =
    Math.min(
      116,
      Math.max(72, ...rows.map(row => measure(row.text ?? label(row.name, 16), '600 15px'))),
    ) + 2;
  const numbers = second ? 116 : 52;
  const x = room + 10;
  const long = width - x - numbers - 4;
  const top = A.side === 'query' ? 1 : Math.max(1, ...rows.flatMap(row => row.values));
  rows.forEach((row, k) => {
    const y = 46 + k * PITCH;
    const mid = y + PITCH / 2;
    const rest = Boolean(row.text);
    svg(
      node,
      'text',
      {
        x: room,
        y: mid + 5,
        'text-anchor': 'end',
        class: rest ? 'mid soft' : row.strong ? 'large strong' : 'large plain',
      },
      row.text ?? fitted(row.name, room, measure, '600 15px'),
    );
    svg(node, 'line', {x1: x, x2: x, y1: y + 2, y2: y + PITCH - 2, stroke: tone.rule});
    row.values.forEach((v, i) => {
      const tall = second ? 8 : 16;
      const fill = rest && !i ? tone.soft : i ? tone.second : tone.focus;
      if (v > 0) {
        svg(node, 'rect', {
          x,
          y: mid - (second ? 9 - 10 * i : 8),
          width: Math.max(1, long * Math.min(1, v / top)),
          height: tall,
          rx: 2,
          fill: i === 0 && !rest ? (second ? tone.focus : accent) : fill,
          opacity: rest ? 0.5 : 1,
        });
      }
      svg(
        node,
        'text',
        {
          x: i || !second ? width : width - 66,
          y: mid + 5,
          'text-anchor': 'end',
          class: `large ${i ? 'second' : rest ? 'soft' : 'plain'}`,
        },
        weight(v),
      );
    });
  });
}
const quote = text => `“${text}”`;
export function cutTo(text, room, measure, font) {
  let letters = [...text];
  if (measure(text, font) <= room) return text;
  while (letters.length > 1 && measure(letters.join('') + '…', font) > room) {
    letters = letters.slice(0, -1);
  }
  return letters.join('') + '…';
}

// ---- what is on screen as rows of a table
// A weight with the digits that its code tells: a byte is rounded by half a step of its root, a
// half in its last bit.
// What is not 0 keeps one digit.
function digitsOf(v, most, pieces, precision) {
  if (v === 0) return '0';
  const error =
    precision === 'half'
      ? v / 2 ** 11 + (pieces * most) / 2 ** 25
      : Math.sqrt(pieces * v * most) / 255 + (pieces * most) / 4 / 255 ** 2;
  const text = v.toFixed(Math.max(0, Math.floor(-Math.log10(error))));
  return Number(text) ? text : v.toFixed(Math.ceil(-Math.log10(v)));
}
export function tableOf({moment, own, written, kind, layer, head, screen, facts}) {
  const table = [
    [
      'kind',
      'layer',
      'head',
      'query position',
      'query',
      'key position',
      'key',
      'weight',
      'tokens',
      'special tokens',
    ],
  ];
  const state = [screen.words ? 'words' : 'pieces', screen.specials];
  if (facts.checkpoints.length) {
    table[0].push('checkpoint');
    state.push(String(facts.checkpoints[moment]));
  }
  for (let r = 0; r < written; r++) {
    for (let c = 0; c < own.m; c++) {
      const {from, to, text} = own.rows[r];
      const column = own.columns[c];
      const pieces = (to - from) * (column.to - column.from);
      table.push([
        kind.name,
        String(layer),
        String(head),
        String(from + 1),
        text,
        String(column.from + 1),
        column.text,
        digitsOf(own.values[r * own.m + c], own.peaks[r], pieces, facts.precision),
        ...state,
      ]);
    }
  }
  return table;
}
// The controls in words, so that a saved picture tells them.
export function stateText({
  kind,
  steps,
  facts,
  layer,
  head,
  screen,
  threshold,
  scale,
  sort,
  least,
}) {
  const order =
    sort === 'place'
      ? []
      : [
          `heads by ${SCORES[sort] ?? sort}${least ? `, faded ${lowIsBest(sort) ? 'above' : 'below'} ${least.toFixed(2)}` : ''}`,
        ];
  return [
    ...(facts.kinds.length > 1 ? [readable(kind.name)] : []),
    named(layer, head),
    ...(steps < kind.queries.length ? [`${steps} of ${kind.queries.length} steps`] : []),
    ...(screen.words ? ['pieces merged into words'] : []),
    ...(screen.specials === 'shown' ? [] : [`special tokens ${SPECIALS[screen.specials]}`]),
    ...(threshold ? [`lines from ${limitText(threshold)}`] : []),
    `colour ${SCALES[scale].toLowerCase()}`,
    ...order,
  ].join(' · ');
}
