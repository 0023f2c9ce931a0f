// Beside the map: the kinds with their rules, and the list of the heads.

import {cutTo} from '../shared/texts.js';
import {NO_KIND, percentText, scoreText} from './names.js';
import {ROW} from './plan.js';
import {box, hit, word} from './strokes.js';

const COLUMNS = ['head', 'kind', 'x', 'y', 'usual'];

/**
 * The kinds as they are listed: most heads first, those of none last.
 * @param {Heads} heads
 * @returns {{name: string, score?: string, least?: number, of: Object[], best?: Object}[]}
 */
export function kindRows(heads) {
  const of = name => heads.list.filter(({kinds}) => kinds.includes(name));
  const rows = heads.facts.kinds.map(([name, score, least]) => {
    const known = heads.list.filter(({values}) => !Number.isNaN(values[score]));
    const best = known.reduce(
      (a, b) => (a && a.values[score] >= b.values[score] ? a : b),
      undefined,
    );
    return {name, score, least, best, of: of(name)};
  });
  const sorted = rows.sort((a, b) => b.of.length - a.of.length);
  return [...sorted, {name: NO_KIND, of: of(NO_KIND)}];
}
function kindStrokes(row, y, most, world) {
  const {names, tone, kind, plan, measure} = world;
  const {w} = plan.side;
  const on = kind === row.name;
  const bar = (Math.min(44, w * 0.13) * row.of.length) / Math.max(1, most);
  const at = {bar: 0.31 * w, rule: 0.53 * w};
  const strokes = [
    word(0, y, row.name, on ? 'bold' : row.of.length ? '' : 'soft'),
    box(at.bar, y - 5, bar, 10, {fill: tone.seq[4]}),
    word(at.bar + bar + 4, y, row.of.length),
  ];
  if (on) strokes.unshift(box(-5, y - ROW / 2, w + 10, ROW, bandOf(tone)));
  if (row.score) {
    const {best} = row;
    const text = best ? `${best.name}  ${scoreText(best.values[row.score])}` : '–';
    const least = ` ≥ ${scoreText(row.least)}`;
    const room = w - at.rule - measure(text) - measure(least) - 6;
    const rule = cutTo(names.short(row.score), room, measure) + least;
    strokes.push(word(at.rule, y, rule, 'soft'), word(w, y, text, '', 'end'));
  }
  return strokes;
}
const bandOf = tone => ({rx: 4, fill: tone.focus, opacity: 0.15});
/** The kinds as a pane. */
export function kindsScene(world) {
  const {heads, plan, tone, kind} = world;
  const {w} = plan.side;
  const rows = kindRows(heads);
  const most = Math.max(...rows.map(({of}) => of.length));
  const middle = k => 8 + (k + 1) * ROW;
  const make = () => ({
    strokes: [
      word(0, 8, 'Kind', 'bold'),
      word(0.31 * w, 8, 'heads', 'soft'),
      word(0.53 * w, 8, 'rule: mean', 'soft'),
      word(w, 8, 'most', 'soft', 'end'),
      ...rows.flatMap((row, k) => kindStrokes(row, middle(k), most, world)),
    ],
    hits: rows.map(({name}, k) => hit(0, middle(k) - ROW / 2, w, ROW, {kind: name})),
  });
  const key = JSON.stringify([kind, w, tone.bg]);
  return {
    width: w,
    height: middle(rows.length - 1) + ROW / 2 + 2,
    groups: [{name: 'kinds', key, make}],
  };
}
/**
 * The heads in the order of the list, those that are lit.
 * @param {Object} world `heads`, `lit`, `sort`, `x`, `y`
 * @returns {Object[]}
 */
export function listed({heads, lit, sort, x, y}) {
  const turned = sort.startsWith('-') ? -1 : 1;
  const column = sort.replace('-', '');
  const value = {
    head: head => head.i,
    kind: head => (head.kinds[0] === NO_KIND ? '~' : head.kinds[0]),
    x: head => -head.values[x],
    y: head => -head.values[y],
    usual: head => -head.values.usual,
  }[column];
  const rank = head => (Number.isNaN(value(head)) ? Infinity : value(head));
  const compare = (a, b) => (rank(a) > rank(b) ? 1 : rank(a) < rank(b) ? -1 : 0);
  return heads.list
    .filter(({i}) => !lit || lit.has(i))
    .sort((a, b) => turned * compare(a, b) || a.i - b.i);
}
const lefts = w => ({head: 0, kind: 0.145 * w, x: 0.43 * w, y: 0.57 * w, usual: 0.74 * w});
/** The heading of the list as a pane: a click sorts. */
export function headingScene({names, x, y, sort, plan, tone, measure}) {
  const {w} = plan.side;
  const at = lefts(w);
  const text = {
    head: 'Head',
    kind: 'kind',
    x: names.short(x),
    y: names.short(y),
    usual: 'usual in',
  };
  const column = sort.replace('-', '');
  const arrow = sort.startsWith('-') ? ' ▴' : ' ▾';
  const make = () => ({
    strokes: COLUMNS.map((name, n) => {
      const on = name === column;
      const room = (at[COLUMNS[n + 1]] ?? w) - at[name] - (on ? measure(arrow) : 0) - 4;
      const told = cutTo(text[name], room, measure, `${on ? 700 : 400} 12px`);
      return word(at[name], 10, told + (on ? arrow : ''), on ? 'bold' : 'soft');
    }),
    hits: COLUMNS.map(name => hit(at[name] - 4, 0, 0.14 * w, 20, {sort: name})),
  });
  const key = JSON.stringify([x, y, sort, w, tone.bg]);
  return {width: w, height: 20, groups: [{name: 'heading', key, make}]};
}
const shortKind = kind => kind.replace(/ (word|token|distance)$/, '');
/** A row of the list, as texts. */
export function rowTexts(head, {names, heads, x, y}) {
  const [kind, ...more] = head.kinds;
  const [usual] = head.most;
  return {
    head: head.name,
    kind: kind === NO_KIND ? '–' : shortKind(kind) + (more.length ? ` +${more.length}` : ''),
    x: scoreText(head.values[x]),
    y: scoreText(head.values[y]),
    usual: `${percentText(usual.n / heads.facts.sentences)} ${names.placeShort(usual.place)}`,
  };
}
/** The list as a pane, which scrolls. */
export function listScene(world) {
  const {x, y, plan, tone, over, sort, lit, measure} = world;
  const {w} = plan.side;
  const at = lefts(w);
  const ends = COLUMNS.map((_, k) => (k + 1 < COLUMNS.length ? at[COLUMNS[k + 1]] - 4 : w));
  const rows = listed(world);
  const middle = k => (k + 0.5) * ROW;
  const key = JSON.stringify([x, y, sort, w, tone.bg, lit && [...lit]]);
  const make = () => ({
    strokes: rows.flatMap((head, k) => {
      const texts = rowTexts(head, world);
      const look = name => (name === 'head' ? 'bold' : name === 'kind' ? 'soft' : '');
      return COLUMNS.map((name, n) => {
        const text = cutTo(texts[name], ends[n] - at[name], measure);
        return word(at[name], middle(k), text, look(name));
      });
    }),
    hits: rows.map(({name}, k) => hit(0, k * ROW, w, ROW, {head: name})),
  });
  const row = rows.findIndex(({name}) => name === over?.head);
  const band = () => ({strokes: row < 0 ? [] : [box(-4, row * ROW, w + 8, ROW, bandOf(tone))]});
  return {
    width: w,
    height: Math.max(1, rows.length) * ROW + 2,
    row,
    groups: [
      {name: 'band', key: `${key} ${row}`, make: band},
      {name: 'rows', key, make},
    ],
  };
}
