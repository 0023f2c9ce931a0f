// What is on screen, as numbers and strings, from a film, the controls and the size.

import {portion} from '../shared/texts.js';
import {CANVASES} from './canvases.js';
import {placeName, wrongAt} from './film.js';
import {GLIMPSES} from './glimpses.js';
import {HEADS} from './heads.js';
import {layoutOf} from './layout.js';
import {WORDS} from './words.js';

/**
 * @typedef {Object} Focus what the controls and the pointer point at, from 0, null for none
 * @property {number} at the step on screen
 * @property {number | null} other the step that is compared with it
 * @property {number | null} region
 * @property {boolean} locked
 * @property {boolean} previewing whether the pointer says so, not the controls
 */

/**
 * How a film of this kind is told: `noun`, `title`, `bar` and `key` in words; the `lights` to
 * choose and the `range` of their scale; `cell` of a step, `marks` over the picture and `readout`
 * of what is in focus; sentences for one step, two, and a region (`there`); `rows` of a table for
 * every step, and for one that is looked at (`looked`). Where regions attend, `asked` gives the
 * film as one of them sees it; it is then the `query` of the focus, and no region.
 */
export const kindOf = ({kind}) =>
  ({glimpses: GLIMPSES, drawing: CANVASES, attention: HEADS})[kind] ?? WORDS;
/** The sentence over a film, in pieces for say(). */
export function sentenceOf(film, focus) {
  const {there, one, two} = kindOf(film);
  if (focus.region !== null) return there(film, focus);
  return focus.other === null ? one(film, focus.at) : two(film, focus);
}
const HEADER = ['pane', 'step', 'item', 'quantity', 'value'];
/** Rows of what is on screen: every step, the readout of those in focus, the region. */
export function tableRows(film, {at, other, region}) {
  const {rows, looked} = kindOf(film);
  const every = film.regions.map((_, k) => k);
  const shown = [at, other].filter(k => k !== null);
  const there = k => [
    'region',
    String(k + 1),
    placeName(film, region),
    'share',
    film.regions[k][region],
  ];
  return [
    HEADER,
    ...every.flatMap(k => rows(film, k)),
    ...shown.flatMap(k => looked(film, k)),
    ...(region === null ? [] : every.map(there)),
  ];
}
/**
 * What is in focus: free, a preview stands in for the step; locked, it is compared with it.
 * @param {{step: number, compare: number | null, region: number | null, locked: boolean,
 * over: number | null, spot: number | null}} state `over` and `spot` are what the pointer previews
 * @returns {Focus}
 */
export function focusOf({step, compare, region, locked, over, spot}) {
  const at = locked ? step : (over ?? step);
  const second = locked ? (over ?? compare) : compare;
  return {
    at,
    other: second === at ? null : second,
    region: spot ?? region,
    locked,
    previewing: over !== null || spot !== null,
  };
}
/** What the picture has in focus: the region, or the token that attends. */
export const spotOf = ({query, region}) => query ?? region;
/** The region beside one. */
export function besideRegion({rows, columns}, r, [dx, dy]) {
  const limited = (v, most) => Math.max(0, Math.min(most - 1, v));
  const x = limited((r % columns) + dx, columns);
  const y = limited(Math.floor(r / columns) + dy, rows);
  return y * columns + x;
}
/** The region in the middle of the picture, where keys begin. */
export const middleRegion = ({rows, columns}) =>
  Math.floor((rows - 1) / 2) * columns + Math.floor((columns - 1) / 2);
/** The region under a point of the picture. */
export function regionUnder({rows, columns}, {unit, tier}, [x, y]) {
  const column = Math.max(0, Math.min(columns - 1, Math.floor(x / unit)));
  const row = Math.max(0, Math.min(rows - 1, Math.floor(y / tier)));
  return row * columns + column;
}
export function sceneOf({film: whole, state, light, size}) {
  const kind = kindOf(whole);
  const pointed = focusOf(state);
  const focus = kind.asked ? {...pointed, query: pointed.region, region: null} : pointed;
  const film = kind.asked ? kind.asked(whole, focus.query) : whole;
  const layout = layoutOf(film, size);
  const scale = light === 'one' && !kind.lights.one ? 'own' : light;
  return {
    film,
    focus,
    layout,
    scale,
    title: kind.title(film),
    hint: hintOf(kind, film, focus),
    key: kind.key(film),
    cells: cellsOf(kind, film, focus, state),
    picture: pictureOf(kind, film, focus, layout.picture, scale),
    readout: kind.readout(film, focus),
  };
}
function hintOf(kind, film, {region, locked}) {
  if (region !== null) return `bar: ${film.words ? 'weight on' : 'share of'} this region`;
  return locked ? 'locked · Esc frees' : kind.bar(film);
}
function cellsOf(kind, film, {at, region}, {step, over}) {
  const on = region === null ? [] : film.regions.map(row => row[region]);
  const top = Math.max(...on);
  return film.regions.map((_, k) => ({
    ...kind.cell(film, k),
    ...(region !== null && {share: top > 0 ? on[k] / top : 0, value: portion(on[k])}),
    wrong: film.words || film.classes?.length ? wrongAt(film, k) : false,
    now: k === step,
    over: k === over && k !== step,
    active: k === at,
    region: region !== null,
  }));
}
function pictureOf(kind, film, focus, {unit, tier, width, height}, scale) {
  const {outlines = [], boxes = [], path = [], frame = null} = kind.marks(film, focus);
  const lit = scale !== 'off';
  const [across, down] = [width / film.w, height / film.h];
  const boxOf = (x, y, w, h) => ({x: x * across, y: y * down, width: w * across, height: h * down});
  const framed = ([x, y, w, h]) => boxOf(x - w / 2, y - h / 2, w, h);
  const spot = spotOf(focus);
  const region = spot < film.R ? spot : null;
  const cellOf = r => {
    const [row, column] = [Math.floor(r / film.columns), r % film.columns];
    return {x: column * unit, y: row * tier, width: unit, height: tier};
  };
  return {
    boxes: boxes.map(({corners: [x0, y0, x1, y1], ...box}) => ({
      ...box,
      ...boxOf(x0, y0, x1 - x0, y1 - y0),
    })),
    outlines: outlines
      .filter(() => lit)
      .map(({set, kind: how}) => ({
        kind: how,
        d: outlineOf(set, film, unit, tier),
        cells: Array.from(set, cellOf),
      })),
    path: path.map(({x, y}) => ({x: x * across, y: y * down})),
    frame: frame && framed(frame),
    region: region === null ? null : cellOf(region),
    range: lit ? kind.range(film, focus.at, scale) : null,
  };
}
/** The edges between regions inside and outside of a set, as a path. */
export function outlineOf(set, {rows, columns}, unit, tier) {
  const members = new Set(set);
  const has = (x, y) => x >= 0 && y >= 0 && x < columns && y < rows && members.has(y * columns + x);
  return Array.from(members, r => {
    const x = r % columns;
    const y = Math.floor(r / columns);
    const edges = [
      [has(x, y - 1), `M${x * unit} ${y * tier}h${unit}`],
      [has(x, y + 1), `M${x * unit} ${(y + 1) * tier}h${unit}`],
      [has(x - 1, y), `M${x * unit} ${y * tier}v${tier}`],
      [has(x + 1, y), `M${(x + 1) * unit} ${y * tier}v${tier}`],
    ];
    return edges
      .filter(([inner]) => !inner)
      .map(([, d]) => d)
      .join('');
  }).join('');
}
