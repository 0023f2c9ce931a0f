// What the explorer says: the sentence over the picture, what stands around it, the saved table.

import {phrase, withKeys} from '../shared/nodes.js';
import {many, portion, readable} from '../shared/texts.js';
import {betweenText, limitText, SCALES, SCORES, SPECIALS} from './controls.js';
import {costText} from './costs.js';
import {cellAt} from './cursor.js';
import {lowIsBest} from './grid_plan.js';
import {label, quote} from './labels.js';
import {brief, isChosen, isHead, listed, named, placeOfLayer} from './places.js';
import {silentList, silentText} from './silence.js';
import {change, firstLargest, mostBits, series, summed, unitOf, weight} from './weights.js';

// ---- the sentence, in pieces for say()
const VERB = {query: ' attends to ', key: ' is attended to by '};
// The unit that the cursor stands on, and the one that it attends to or is attended to by.
function unitsAt({rows, columns}, {side, at, far}) {
  return side === 'query'
    ? {unit: rows[at], far: columns[far]}
    : {unit: columns[at], far: rows[far]};
}
/**
 * What a token attends to, or what attends to it, and with which weight.
 * @param {Scene} scene `sheet`, `screen`, `steps` and `weights` are read
 * @param {Cursor} cursor
 * @param {Float64Array} values the weights of its row or column
 * @returns {(string | Object)[]} pieces
 */
export function sentenceOf({sheet, screen, steps, weights}, cursor, values) {
  if (cursor.at < 0) return [noRow(steps, screen)];
  const {unit, far} = unitsAt(sheet, cursor);
  const name = {b: quote(label(unit, 40))};
  const other = {strong: quote(label(far, 40))};
  if (sheet.signed) return changeOf(cursor, name, other, values);
  if (!values.some(v => v > 0)) {
    return cursor.side === 'query'
      ? [name, ' attends to nothing here: every weight is 0']
      : [name, ' is attended to by nothing: every weight is 0'];
  }
  if (sheet.written) return writtenTold(cursor, name, other, values, weights);
  const number = {span: `\u00a0${weight(values[cursor.far])}`};
  const left = screen.specials === 'renormalised' ? ` of what is left${leftOf(screen)}` : '';
  return phrase`${name}${VERB[cursor.side]}${other}${number}${left}`;
}
// How long the vector is that one token gets of another, and with which weight.
function writtenTold(cursor, name, other, values, weights) {
  const {row, column} = cellAt(cursor);
  const length = {span: `\u00a0${weight(values[cursor.far])}`};
  const read = weights && weight(weights.values[row * weights.m + column]);
  const told = read === null ? '' : `, by a weight of ${read}`;
  return cursor.side === 'query'
    ? phrase`${name} gets most of ${other}: length${length}${told}`
    : phrase`${name} gives most to ${other}: length${length}${told}`;
}
/**
 * What the colour stands for while it is no weight, and the control: what of the column that takes
 * most weight remains of what is written.
 * @param {Scene} scene `sheet` and `weights` are read
 * @returns {string} '' of weights
 */
export function colourText({sheet, weights, written: rows}) {
  if (!sheet.written) return '';
  const what =
    'Colour: weight × |W_O v|, the length of what the head adds to the query for this key (Kobayashi and others 2020).';
  if (!weights || !rows) return what;
  const columns = [weights, sheet].map(one =>
    Float64Array.from({length: one.m}, (_, c) => summed(series(one, {side: 'key', at: c}, rows))),
  );
  const at = firstLargest(columns[0]);
  const [read, wrote] = columns.map(sums => portion(sums[at] / (summed(sums) || 1)));
  const name = quote(label(sheet.columns[at], 20));
  return `${what} ${name} has most weight here, ${read} of all; of what is written it has ${wrote}.`;
}
const leftOf = ({between}) => (between === 'all' ? ' without special tokens' : '');
// How a weight differs, after minus before.
function changeOf({side, far}, name, other, values) {
  const v = values[far];
  const [verb, to] = side === 'query' ? [' attends', ' to '] : [' is attended to', ' by '];
  if (!values.some(v => v !== 0)) {
    return [name, `${verb} as before: a silenced head changes only what is computed after it`];
  }
  const how = v === 0 ? 'as before' : v < 0 ? 'less' : 'more';
  return [name, `${verb} ${how}${to}`, other, {span: `\u00a0${change(v)}`}];
}
/**
 * Which map is on screen while heads are silenced, before the sentence.
 * @param {Scene} scene `facts` and `show` are read
 * @returns {string} '' while none is
 */
export function whenText({facts, show}) {
  if (!show) return '';
  if (show === 'before') return 'With all heads, ';
  return `Without ${silentText(facts)}, `;
}
/**
 * Whose weights these are, before the sentence, if they are not of one head or of a usual roll-up.
 * @param {Scene} scene `layer`, `head` and `pre` are read
 * @returns {string}
 */
export const whoseText = ({layer, head, pre}) =>
  isChosen(head) && !pre ? `${named(layer, head)}: ` : '';
// A decoder's first tokens can all be hidden, or pieces of a word.
function noRow(steps, {words, specials}) {
  return `no query is on screen at step ${steps}: what is written is ${[...(specials === 'shown' ? [] : ['hidden']), ...(words ? ['not yet a whole word'] : [])].join(' or ')}`;
}
const fine = v => (v > 0 && v < 0.00005 ? '<0.0001' : v === 0 ? '0' : v.toFixed(4));
const fineChange = v => (v === 0 ? '0' : `${v < 0 ? '−' : '+'}${fine(Math.abs(v))}`);
/**
 * The cell under the cursor, with the positions of its tokens and more digits.
 * @param {Scene} scene `sheet` is read
 * @param {Cursor} cursor
 * @returns {string} empty if no row is on screen
 */
export function readingOf({sheet, weights}, cursor) {
  const {row, column} = cellAt(cursor);
  if (row < 0) return '';
  const v = sheet.values[row * sheet.m + column];
  const at = unit => `${unit.from + 1} “${readable(unit.text.slice(0, 400), 120)}”`;
  const read = weights && `, weight ${fine(weights.values[row * weights.m + column])}`;
  return `query ${at(sheet.rows[row])}, key ${at(sheet.columns[column])}: ${sheet.signed ? fineChange(v) : fine(v)}${read ?? ''}`;
}

// ---- around the picture
const counted = (n, one, more = one + 's') => `${many(n)} ${n === 1 ? one : more}`;
/**
 * How many layers, heads and tokens there are.
 * @param {Kind} kind
 * @param {boolean} several whether there are other kinds, so that this one needs its name
 * @returns {string}
 */
export function headingOf(kind, several) {
  const attention = kind.self ? 'Self-attention' : 'Attention';
  const name = several ? `Attention (${readable(kind.name)})` : attention;
  const {queries, keys} = kind;
  const over = kind.self
    ? counted(queries.length, 'token')
    : `${counted(queries.length, 'query', 'queries')} on ${counted(keys.length, 'key')}`;
  if (kind.layers * kind.heads === 1) return `${name}, ${over}`;
  return `${name}, ${counted(kind.layers, 'layer')} with ${counted(kind.heads, 'head')}, ${over}`;
}
/**
 * What is locked or previewed, and what ends that.
 * @param {Scene} scene `pre`, `lock` and `sheet` are read
 * @returns {string}
 */
export function focusText({pre, lock, sheet}) {
  if (pre) return `head ${brief(pre.layer, pre.head)} · click opens`;
  if (!lock) return 'point to see · click to lock';
  const units = lock.side === 'query' ? sheet.rows : sheet.columns;
  return `Esc frees ${label(units[lock.at], 12)}`;
}
const costsTold = ({silence}) =>
  `What silencing a head alone costs ${silence.guesses ? 'of the log-probability of the likeliest word' : 'is the shift of the last state, 1 − cosine,'} at the token in focus; a tick marks the median of the other tokens. `;
/**
 * What the marks stand for, and the keys.
 * @param {Scene} scene `kind`, `facts`, `single` and `sheet` are read
 * @returns {(string | Object)[]} pieces
 */
export const footOf = ({kind, facts, single, sheet, sort}) => [
  ...(sort === 'cost' ? [costsTold(facts)] : []),
  ...(kind.gold ? [{b: 'Gold'}, ' outlines: given links, dashed for possible ones. '] : []),
  ...(sheet.written ? [] : ['A weight says where a head reads from, not why. ']),
  ...(single
    ? []
    : [`A thumbnail ${sheet.written ? 'shows weights, ' : 'is '}scaled to its own largest. `]),
  ...withKeys('[←↑↓→] move, [Enter] locks, [Space] turns, [+] [−] zoom'),
  ...(single ? [] : withKeys(', [Shift] and a click adds a head')),
  ...(facts.silence ? withKeys(', [s] silences it') : []),
  '.',
];

// ---- scores of a head; of a mean, a maximum or a rollout the number of its bar
const bitsText = (v, scene) => `${v.toFixed(1)} of ${mostBits(scene).toFixed(1)} bits`;
/**
 * All scores of a head; of a roll-up the mean entropy that its bar shows. Only the name before they
 * come.
 * @param {Scene} scene `scores`, `kind`, `sheet` and `screen` are read
 * @param {Layer} layer
 * @param {Head} head
 * @returns {string}
 */
export function scoresText(scene, layer, head) {
  const {scores, kind, screen} = scene;
  if (!scores) return named(layer, head);
  if (!isHead(layer, head)) return rolledText(scene, layer, head);
  const say = {
    entropy: v => `entropy ${bitsText(v, scene)}`,
    error: v => `alignment error rate ${v.toFixed(2)}`,
    special: v => `${screen.specials === 'shown' ? 'special' : 'hidden special'} ${weight(v)}`,
  };
  const text = name => say[name] ?? (v => `${name} ${weight(v)}`);
  const place = placeOfLayer(kind, layer);
  const told = kind.scores.map(name => text(name)(scores[name][place][head])).join(' · ');
  return told + costText(scene.costOf(layer, head));
}
function rolledText(scene, layer, head) {
  const {kind} = scene;
  const {entropy} = scene.scores;
  if (isChosen(head)) {
    const mean = summed(head.map(([l, h]) => entropy[placeOfLayer(kind, l)][h])) / head.length;
    return `${head.map(place => brief(...place)).join(', ')} · their mean entropy: ${bitsText(mean, scene)}`;
  }
  const rows = typeof layer === 'string' ? entropy : [entropy[placeOfLayer(kind, layer)]];
  const numbers = rows.flatMap(row => (typeof head === 'string' ? [...row] : [row[head]]));
  const whose =
    typeof layer === 'number'
      ? `layer ${layer}'s heads`
      : typeof head === 'number'
        ? `head ${head} in all layers`
        : 'all heads';
  const mean = summed(numbers) / numbers.length;
  return `${named(layer, head)} · mean entropy of ${whose}: ${bitsText(mean, scene)}`;
}

// ---- what is on screen as rows of a table
const PLACE = ['kind', 'layer', 'head', 'query position', 'query', 'key position', 'key'];
const HEADER = [...PLACE, 'weight'];
// A weight with the digits that its code tells: a byte is rounded by half a step of its root, a
// half in its last bit.
// What is not 0 keeps one digit.
function digitsOf(v, error) {
  if (v === 0) return '0';
  const text = v.toFixed(Math.max(0, Math.floor(-Math.log10(error))));
  return Number(text) ? text : v.toFixed(Math.ceil(-Math.log10(v)));
}
const errorOf = (v, most, pieces, precision) =>
  precision === 'half'
    ? v / 2 ** 11 + (pieces * most) / 2 ** 25
    : Math.sqrt(pieces * v * most) / 255 + (pieces * most) / 4 / 255 ** 2;
// A difference has the errors of both; what these hide is 0.
function cellText({values, peaks, apart, m, signed, parts}, r, c, pieces, precision) {
  const v = values[r * m + c];
  const most = (peaks, apart) => Math.max(peaks[r], apart[r]);
  if (!signed) return digitsOf(v, errorOf(v, most(peaks, apart), pieces, precision));
  const errors = parts.map(part =>
    errorOf(part.values[r * m + c], most(part.peaks, part.apart), pieces, precision),
  );
  const text = v.toFixed(Math.min(9, Math.max(0, Math.floor(-Math.log10(summed(errors))))));
  return Number(text); // as a number: no spreadsheet takes its minus for a formula
}
/** A header, and every cell of the map that is open as far as it is written. */
export function tableOf(scene) {
  const {moment, open, written, kind, layer, head, screen, facts, show, weights} = scene;
  const numbers = open.written ? weights : open;
  const state = {
    tokens: screen.words ? 'words' : 'pieces',
    'special tokens': screen.specials,
    ...(facts.checkpoints.length ? {checkpoint: String(facts.checkpoints[moment])} : {}),
    ...(show ? {show, silent: silentList(facts.silence.heads)} : {}),
    ...(kind.pairings.length ? {texts: screen.between} : {}),
  };
  const lengths = open.written ? [open.signed ? 'change of length' : 'length'] : [];
  const table = [[...HEADER, ...lengths, ...Object.keys(state)]];
  for (let r = 0; r < written; r++) {
    for (let c = 0; c < open.m; c++) {
      const {from, to, text} = open.rows[r];
      const column = open.columns[c];
      const pieces = (to - from) * (column.to - column.from);
      table.push([
        kind.name,
        String(layer),
        listed(head),
        String(from + 1),
        text,
        String(column.from + 1),
        column.text,
        numbers ? cellText(numbers, r, c, pieces, facts.precision) : '',
        ...lengths.map(() => Number(open.values[r * open.m + c].toPrecision(6))),
        ...Object.values(state),
      ]);
    }
  }
  return table;
}
/** The open map as a table for a screen reader: queries down, keys across. */
export function mapTable({sheet, written, layer, head, pre, A, B}) {
  const {rows, columns, m, values} = sheet;
  const {row, column} = cellAt(B ?? A);
  const name = unit => `${unit.from + 1} ${readable(unit.text, 40)}`;
  const shown = pre ?? {layer, head};
  const what = sheet.written ? 'what it writes' : 'weights';
  return {
    caption: `${named(shown.layer, shown.head)}, ${what}: queries down, keys across`,
    rows: [
      ['query', ...columns.map(name)],
      ...rows
        .slice(0, written)
        .map((unit, r) => [name(unit), ...Array.from(values.subarray(r * m, (r + 1) * m), Number)]),
    ],
    at: [row ?? 0, column ?? 0],
  };
}
const RUNS = {
  after: 'without',
  before: 'before silencing',
  difference: 'after minus before without',
};
/**
 * The controls in words, so that a saved picture tells them.
 * @param {Scene} scene
 * @param {{lines: boolean}} place whether lines are drawn
 * @returns {string}
 */
export function stateText(scene, {lines}) {
  const {kind, steps, facts, layer, head, screen, threshold, scale, sort, least, show, open} =
    scene;
  const order =
    sort === 'place'
      ? []
      : [
          `heads by ${SCORES[sort]}${least ? `, faded ${lowIsBest(sort) ? 'above' : 'below'} ${least.toFixed(2)}` : ''}`,
        ];
  return [
    ...(facts.kinds.length > 1 ? [readable(kind.name)] : []),
    isChosen(head) ? `${named(layer, head)}, ${listed(head)}` : named(layer, head),
    ...(show ? [`${RUNS[show]} ${silentText(facts)}`] : []),
    ...(steps < kind.queries.length ? [`${steps} of ${kind.queries.length} steps`] : []),
    ...(screen.words ? ['pieces merged into words'] : []),
    ...(screen.specials === 'shown' ? [] : [`special tokens ${SPECIALS[screen.specials]}`]),
    ...(screen.between === 'all' ? [] : [`from text ${betweenText(screen.between)}`]),
    ...(lines && threshold ? [`lines from ${limitText(threshold * unitOf(open))}`] : []),
    `colour ${SCALES[scale].toLowerCase()}${open.written ? ', of what is written' : ''}`,
    ...order,
  ].join(' · ');
}
