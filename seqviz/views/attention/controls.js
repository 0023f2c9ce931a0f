// What the bars over the panes change.

import {button, choice, segments, slider, tick} from '../shared/controls.js';
import {needsKernel} from '../shared/kernel.js';
import {html, put} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {lowIsBest} from './grid_plan.js';
import {isChosen} from './places.js';
import {isZoomed} from './zoom.js';

/** What a scale of colours is called, by the value of its control. */
export const SCALES = {linear: 'Linear', log: 'Log', row: 'Per row'};
/** What the cells of a map are, by the value of their control. */
const CELLS = {weights: 'weights', written: 'what is written'};
/** What is done to special tokens, in words. */
export const SPECIALS = {shown: 'shown', hidden: 'hidden', renormalised: 'hidden, rescaled'};
/** What heads are ordered by, in words. */
export const SCORES = {
  place: 'place',
  entropy: 'entropy',
  previous: 'previous token',
  itself: 'itself',
  next: 'next token',
  first: 'first token',
  special: 'special tokens',
  error: 'alignment error',
  cell: 'weight at cursor',
  cost: 'cost of silencing',
};
/** A weight as a limit: two decimals, below 0.01 two figures. */
export const limitText = least =>
  least < 0.01 ? String(Number(least.toPrecision(2))) : least.toFixed(2);

/** What one text reads of another, in short: an arrow goes from the query to the key. */
export const betweenText = between => between.replace(' to ', ' → ');
// Whether a decoder writes the queries of a kind, one after another.
const hasSteps = ({self, queries}) => !self && queries.length > 1;
const BEAMS = {1: 'greedily', 2: 'by a beam of 2', 4: 'by a beam of 4', 8: 'by a beam of 8'};
const SHORT = 60; // letters of a text in a list
/**
 * A list of texts beside the field of one: the one that is chosen runs.
 * @param {Element} form of the text
 * @param {Facts} facts `texts` and `text` are read
 * @param {Object} model
 * @param {(text: string) => void} want
 * @returns {() => void} shows which one that is
 */
export function textsChoice(form, {texts, text}, model, want) {
  if (!texts) return () => {};
  const list = choice(form, `${texts.length} texts`, value => want(texts[Number(value)]));
  list.box.classList.add('several');
  form.prepend(list.box);
  Object.assign(list.select, {disabled: needsKernel(model)}).dataset.focus = 'texts';
  const names = texts.map((one, k) => [k, `${k + 1} ${readable(one, SHORT)}`]);
  const own = texts.includes(text) ? [] : [['own', 'your own']];
  return () =>
    list.show(own.length ? 'own' : texts.indexOf(text), Object.fromEntries([...names, ...own]));
}
/**
 * How a translator writes the target, beside its source.
 * @param {Element} form of the text
 * @param {Facts} facts
 * @param {Object} model
 * @param {(beams: number) => void} want
 * @returns {() => void} shows it
 */
export function beamsChoice(form, {writes}, model, want) {
  if (!writes) return () => {};
  const list = choice(form, 'written', value => want(Number(value)));
  list.select.disabled = needsKernel(model);
  return () => {
    const beams = model.get('beams');
    list.show(String(beams), {...BEAMS, [beams]: BEAMS[beams] ?? `by a beam of ${beams}`});
  };
}
/**
 * The bar over the panes.
 * @param {Element} bar
 * @param {Facts} facts
 * @param {(changes: Object) => void} set takes changes of the controls
 * @param {(kind: string) => Object} placeIn layer and head that a kind has, the nearest to now
 * @param {() => boolean} canWrite whether lengths of what heads write can be had
 * @returns {(now: {kind: Kind, model: Object, unit: number}) => void} shows the controls as they
 * stand; lines are hidden below a share of `unit`
 */
export function controlBar(bar, facts, set, placeIn, canWrite) {
  const changeKind = name =>
    set({
      kind: name,
      query: 0,
      key: 0,
      step: 0,
      side: 'query',
      sort: 'place',
      least: 0,
      ...placeIn(name),
    });
  const names = Object.fromEntries(facts.kinds.map(({name}) => [name, readable(name)]));
  const kinds = facts.kinds.length > 1 ? segments(bar, 'attention', names, changeKind) : null;
  const hide = value => set({threshold: value});
  const threshold = slider(bar, 'Hide lines below', hide, {min: 0, max: 1, step: 0.01});
  const scale = segments(bar, 'Colour', SCALES, value => set({scale: value}));
  const cells = choice(bar, 'Cells', value => set({cells: value}));
  const specials = choice(bar, 'Special tokens', value => set({specials: value}));
  const between = choice(bar, 'Texts', value => set({between: value}));
  const words = tick(bar, 'Pieces as words', on => set({words: on}));
  const takeStep = t => set({step: t, query: t, key: 0, side: 'query'});
  const step = slider(bar, 'Decoder step', takeStep, {min: 1, step: 1}); // last, see below
  const some = test => facts.kinds.some(test);
  step.box.hidden = !some(hasSteps);
  words.box.hidden = !some(({wordQueries, wordKeys}) => wordQueries || wordKeys);
  between.box.hidden = !some(({pairings}) => pairings.length);
  specials.box.hidden = !some(
    ({specialQueries, specialKeys}) => specialQueries.length + specialKeys.length,
  );
  return ({kind, model, unit}) => {
    kinds?.show(kind.name);
    const least = model.get('threshold');
    const n = kind.queries.length;
    const t = model.get('step') || n;
    step.box.style.visibility = hasSteps(kind) ? '' : 'hidden'; // its room stays, the row as well
    step.show(t, `${t} of ${n}`, {max: n});
    threshold.show(least, least ? limitText(least * unit) : 'off');
    scale.show(model.get('scale'));
    cells.box.hidden = cells.select.disabled = !canWrite();
    cells.show(model.get('cells'), CELLS);
    specials.show(model.get('specials'), SPECIALS);
    const pairs = kind.pairings.map(name => [name, betweenText(name)]);
    between.show(model.get('between'), {all: 'all', ...Object.fromEntries(pairs)});
    words.show(model.get('words'));
  };
}
/**
 * The bar over the grid: what stands beside the heads, their order, and where they fade.
 * @param {Element} bar
 * @param {(changes: Object) => void} set
 * @param {() => Head} headNow chosen heads are rolled up as well
 * @param {() => boolean} costsCome whether costs of silencing have come
 * @returns {(now: {kind: Kind, model: Object, ranking: Ranking}) => void} shows the controls
 */
export function gridBar(bar, set, headNow, costsCome) {
  const sort = choice(bar, 'Order by', value => set({sort: value, least: 0}));
  const rollup = choice(bar, 'Roll up', value => {
    const chosen = isChosen(headNow()) && value !== 'rollout';
    set({rollup: value, ...(chosen && {layer: value})});
  });
  let all = 0; // where the slider fades no head: at the end of the worst
  const fade = value => set({least: value === all ? 0 : value});
  const least = slider(bar, 'At least', fade, {step: 0.01});
  return ({kind, model, ranking}) => {
    const order = model.get('sort');
    const rolls = {mean: 'mean', max: 'max', ...(kind.self && {rollout: 'rollout'})};
    rollup.show(model.get('rollup'), rolls);
    rollup.select.disabled = order !== 'place'; // roll-ups have no score to stand by
    const names = ['place', ...kind.scores, 'cell', ...(costsCome() ? ['cost'] : [])];
    sort.show(order, Object.fromEntries(names.map(name => [name, SCORES[name]])));
    least.box.hidden = order === 'place' || order === 'cost';
    if (!ranking) return;
    const limit = model.get('least');
    const worst = Math.ceil(100 * Math.max(...ranking.flatMap(row => [...row]))) / 100;
    const most = Math.max(0.02, limit, worst);
    all = lowIsBest(order) ? most : 0;
    showLimit(least, {limit, all, most, low: lowIsBest(order)});
  };
}
function showLimit({box, input, show}, {limit, all, most, low}) {
  const name = low ? 'At most' : 'At least';
  box.firstChild.textContent = name + ' ';
  put(null, input, {'aria-label': name});
  show(limit || all, limit ? limit.toFixed(2) : 'all', {min: low ? 0.01 : 0, max: most});
}
/**
 * What stands beside the map where there is not room for both.
 * @param {Element} bar
 * @param {boolean} single whether there is only one head
 * @param {Facts} facts `second` is read
 * @param {(changes: Object) => void} set
 * @returns {(place: Plan) => void} shows it
 */
export function tabBar(bar, single, {second}, set) {
  const texts = second ? {texts: 'Texts'} : {};
  const names = {...texts, heads: single ? 'List' : 'Heads', lines: 'Lines'};
  const tabs = segments(bar, 'beside the map', names, value => set({beside: value}));
  return place => {
    bar.hidden = !place.tabs;
    tabs.show(['lines', 'texts', 'heads'].find(name => place[name]));
  };
}
/**
 * Zoom by hand, beneath the heatmap.
 * @param {Element} bar
 * @param {(factor: number) => void} zoom above 1 is nearer; 0 shows the whole map
 * @returns {(view: MapView, sheet: Sheet, lens: boolean) => void} shows how many tokens are in
 * sight; hidden without a `lens`; what would change nothing is disabled
 */
export function zoomBar(bar, zoom) {
  const group = html(bar, 'span', {class: 'segs', role: 'group', 'aria-label': 'zoom the heatmap'});
  const by = (text, label, factor) =>
    button(group, text, {'aria-label': label, title: label}, () => zoom(factor));
  const out = by('−', 'zoom out', 1 / 1.6);
  const nearer = by('+', 'zoom in', 1.6);
  const all = by('all', 'show all tokens', 0);
  const told = html(bar, 'span', {class: 'told'});
  return (view, sheet, lens) => {
    bar.hidden = !lens;
    const most = Math.max(sheet.n, sheet.m);
    const zoomedIn = isZoomed(view, sheet);
    told.textContent = zoomedIn ? `${Math.max(view.qn, view.kn)} of ${most}` : `all ${most}`;
    out.disabled = all.disabled = !zoomedIn;
    nearer.disabled = view.qn <= Math.min(4, sheet.n) && view.kn <= Math.min(4, sheet.m);
  };
}
