// From the state of the controls, and of pointer and keys, to a scene to draw.

import {linedUp} from './compared.js';
import {cellAt, lockOf} from './cursor.js';
import {chosenIn, isChosen, isHead, nearestLayer} from './places.js';
import {focusOf, resolved, strongestOf} from './scene.js';
import {ending, stateOf} from './shown.js';
import {momentOf, showOf} from './silence.js';
import {writtenOf} from './weights.js';

/** Whether no kind has more than one head. */
export const isSingle = ({kinds}) => kinds.every(({layers, heads}) => layers * heads === 1);

/** Makes scenes of what has come. */
export class Scenes {
  /**
   * @param {Object} model
   * @param {Facts} facts
   * @param {MapSource} source
   */
  constructor(model, facts, source) {
    Object.assign(this, {model, facts, source});
    this.single = isSingle(facts);
    this.opened = null; // kind, layer and head of the map that is open
    this.grid = null; // what the grid was drawn from
    this.busy = false;
    this.lines = {key: '', value: null};
  }
  get number() {
    const at = this.facts.kinds.findIndex(({name}) => name === this.model.get('kind'));
    return Math.max(0, at);
  }
  /** Layer and head in focus, or the nearest that a kind has. */
  placeIn(name) {
    const kind = this.facts.kinds.find(kind => kind.name === name);
    const nearest = (at, limit) => (typeof at === 'number' ? limit(at) : at);
    const layer = nearest(this.model.get('layer'), at => nearestLayer(kind, at));
    const last = kind.heads - 1;
    const head = nearest(this.model.get('head'), at => Math.max(0, Math.min(last, at)));
    if (isChosen(head)) return chosenIn(kind, head, layer);
    if (head === 'rollout') {
      if (!kind.self) return {layer, head: 'mean'};
      return {layer: typeof layer === 'string' ? kind.numbers.at(-1) : layer, head};
    }
    return {layer, head: typeof layer === 'string' && typeof head === 'string' ? layer : head};
  }
  /**
   * The scene; null until a map has come.
   * @param {{layer: Layer, head: Head} | null} previewed a head
   * @param {(sheet: Sheet) => {over: Cursor | null, zoom: Zoom | null}} handOn what pointer and
   * keys are at on this sheet
   * @returns {Scene | null}
   */
  scene(previewed, handOn) {
    const {model, facts, single} = this;
    const kind = facts.kinds[this.number];
    const screen = this.screenOf(kind);
    const maps = this.maps(kind, screen, previewed);
    if (!maps) return null;
    const {g, layer, head, open, sheet, pre} = maps;
    const {over: pointed, zoom} = handOn(sheet);
    const steps = (!kind.self && model.get('step')) || Infinity;
    const written = writtenOf(sheet, steps);
    const [side, query, key] = ['side', 'query', 'key'].map(name => model.get(name));
    const lock = lockOf(sheet, written, {side, query, key});
    const over = pointed && (cellAt(pointed).row ?? 0) < written ? pointed : null;
    const focus = focusOf({sheet, open, written}, {lock, over, pre});
    const place = pre ?? {layer, head};
    return {
      ...maps,
      ...focus,
      facts,
      kind,
      single,
      screen,
      two: facts.second && this.twoOf(g, screen, sheet, place, steps),
      moment: Math.floor(g / facts.kinds.length),
      courses: facts.checkpoints.length ? this.coursesOf(g, screen, sheet, focus, place) : null,
      lock,
      ...this.gridOf(g, screen, open, this.sortedBy(open, lock, written)),
      steps,
      written,
      zoom,
      beside: model.get('beside'),
      threshold: model.get('threshold'),
      scale: model.get('scale'),
      links: open.links,
    };
  }
  screenOf(kind) {
    const control = name => this.model.get(name);
    const [words, specials, between] = ['words', 'specials', 'between'].map(control);
    return stateOf(kind, {words, specials, between});
  }
  /**
   * The sheet on screen and that of the open head. Until a map comes, the one before stays and
   * answers, but one of another kind.
   */
  maps(kind, screen, pre) {
    const {source, facts, model} = this;
    const sheetAt = ({g, show, layer, head}) =>
      show === 'difference'
        ? source.difference(g, this.number, layer, head, screen)
        : source.sheet(g, layer, head, screen);
    const wanted = {
      g: momentOf(facts, model) * facts.kinds.length + this.number,
      show: showOf(facts, model),
      ...this.placeIn(kind.name),
    };
    const before = this.opened && source.kindOf(this.opened.g) === kind ? this.opened : null;
    const came = sheetAt(wanted);
    const previewed = pre && sheetAt({...(came ? wanted : (before ?? wanted)), ...pre});
    const open = came ?? (before && sheetAt(before));
    this.busy = !came || Boolean(pre && !previewed);
    if (!open) return null;
    this.opened = came ? wanted : before;
    return {...this.opened, open, sheet: previewed ?? open, pre: previewed ? pre : null};
  }
  /** The map on screen, of a difference the one after, and the second text's; null until then. */
  twoOf(g, screen, sheet, {layer, head}, steps) {
    const {source} = this;
    const second = g + source.ofFirst;
    const own = this.screenOf(source.kindOf(second));
    const here = sheet.signed ? source.sheet(g, layer, head, screen) : sheet;
    const there = source.sheet(second, layer, head, own);
    this.busy ||= !here || !there;
    if (!here || !there) return null;
    const key = [here.axes, there.axes, steps].join('|');
    if (this.lines.key !== key) this.lines = {key, value: linedUp(here, there, steps)};
    return {here, there, lines: this.lines.value};
  }
  /** The cell by whose weight heads are sorted: of the lock, else the strongest. */
  sortedBy(open, lock, written) {
    if (!written) return null;
    const {row, column} = strongestOf(open, written);
    return cellAt(resolved(open, lock ?? {side: 'query', at: row, far: column}, written).cursor);
  }
  /**
   * The weight in focus at each checkpoint, and the one compared; null until they come, none of a
   * roll-up.
   */
  coursesOf(g, screen, {rows, columns}, {A, B}, {layer, head}) {
    if (A.at < 0 || !isHead(layer, head)) return [];
    const courses = [A, B].filter(Boolean).map(cursor => {
      const {row, column} = cellAt(cursor);
      const place = {query: rows[row], key: columns[column]};
      const weights = this.source.course(g, layer, head, place.query, place.key, screen);
      return weights && {weights, ...place};
    });
    this.busy ||= !courses.every(Boolean);
    return courses.every(Boolean) ? courses : null;
  }
  /** What the grid is drawn from; thumbnails and order stay until the new ones come. */
  gridOf(g, screen, open, cell) {
    const {source, model} = this;
    const wanted = model.get('sort');
    const sort = wanted === 'cell' && !cell ? 'place' : wanted;
    const rolls = source.kindOf(g).self || model.get('rollup') !== 'rollout';
    const rollup = rolls ? model.get('rollup') : 'mean';
    const scores = source.scores(g, screen);
    const thumbs = source.thumbs(g, rollup, screen);
    const ranking = this.rankingOf(g, screen, open, sort, cell, scores);
    this.busy ||= !scores || !thumbs || (sort !== 'place' && !ranking);
    const same = this.grid && source.kindOf(this.grid.g) === source.kindOf(g);
    const before = same ? this.grid : {};
    const held = before.sort === sort ? before : {};
    const order = `${g} ${sort === 'cell' ? `${cell.row} ${cell.column}` : ''}${ending(screen)}`;
    this.grid = {
      g,
      sort,
      rollup,
      least: model.get('least'),
      thumbs: thumbs ?? before.thumbs,
      ranking: ranking ?? held.ranking,
      rankingKey: ranking ? order : held.rankingKey,
    };
    return {...this.grid, scores, scoresKey: scores ? ending(screen) : 'none'};
  }
  rankingOf(g, screen, {rows, columns}, sort, cell, scores) {
    if (sort === 'place') return null;
    if (sort !== 'cell') return scores?.[sort] ?? null;
    return this.source.cell(g, rows[cell.row], columns[cell.column], screen);
  }
}
