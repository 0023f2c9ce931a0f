// The atlas of heads: its state, and what is drawn of it.

import {unpacked} from '../shared/codec.js';
import {button, choice} from '../shared/controls.js';
import {Frame, framedView} from '../shared/frame.js';
import {onTyping} from '../shared/keys.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html, say, withKeys} from '../shared/nodes.js';
import {fitLine} from '../shared/one_line.js';
import {liesIn, localBox} from '../shared/scale.js';
import {chartsScene} from './charts.js';
import {examplesScene} from './examples.js';
import {foundHeads, foundWords} from './finding.js';
import {Heads} from './heads.js';
import {headingScene, kindsScene, listed, listScene} from './lists.js';
import {mapScene, plotOf} from './map.js';
import {Names, NO_KIND} from './names.js';
import {Pane} from './picture.js';
import {planOf, ROW} from './plan.js';
import {atlasSentence, noteOf} from './sentence.js';
import {atlasRows, headRows} from './table.js';

const ABOUT = {
  name: 'atlas',
  label: 'every head over many sentences',
  beneath: 'More of the heads',
  read: unpacked,
};
const LABELS = [
  'a map of all heads: arrows move to the nearest, Enter opens, X and Y change the axes, Escape frees',
  'a head and its sentences: left and right change the head, up and down the sentence, Escape goes back',
];
const KEYS = [
  withKeys('[←↑↓→] head [Enter] open [X] [Y] axes'),
  withKeys('[←→] head [↑↓] sentence [Esc] back'),
];
const HIGH = {view: 640, foot: 36, least: 300};
const ACROSS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

class AtlasView extends Frame {
  constructor(place, about) {
    super(place, about);
    this.cursor = null; // the head that stays in focus on the map, by name
    this.held = null; // the word that is locked: {row, word}
    this.keyed = false; // whether a sentence was reached by keys
    this.names = new Names(this.facts);
  }

  // ---- what stands there
  addControls() {
    const {bar, signal, root} = this;
    this.said.classList.add('line');
    this.back = button(bar, '‹ All heads', {class: 'back'}, () => {
      this.close();
      this.stage.focus();
    });
    this.axes = ['y', 'x'].map(name => [
      name,
      choice(bar, name, value => this.set({[name]: value}), `${name} axis`),
    ]);
    const label = html(bar, 'label', {class: 'setting'}, 'Find ');
    const hint = 'previous > .3, not -> dumb';
    this.field = html(label, 'input', {type: 'text', 'aria-label': 'Find', placeholder: hint});
    this.field.addEventListener('input', () => this.set({find: this.field.value}), {signal});
    onTyping(root, {x: () => this.turn('x'), y: () => this.turn('y')}, signal);
  }
  addStage() {
    const {stage} = this;
    const main = html(stage, 'div', {class: 'main'});
    const side = html(stage, 'div', {class: 'side beneath'});
    const kinds = html(side, 'div');
    const heading = html(side, 'div', {class: 'heading'});
    this.scroller = html(side, 'div', {
      class: 'fall',
      tabindex: 0,
      role: 'group',
      'aria-label': 'the list of heads',
    });
    this.panes = {
      main: new Pane(main),
      side: new Pane(kinds),
      heading: new Pane(heading),
      list: new Pane(this.scroller),
    };
  }
  build() {
    super.build();
    this.heading.textContent = this.facts.title || `Atlas of ${this.facts.model}`;
    this.note = html(this.foot, 'span', {class: 'note'});
    this.hint = html(this.foot, 'span', {class: 'keys'});
    this.stage.shown = () => this.scene; // for whoever checks the picture
  }
  readers() {
    const {facts} = this;
    const {axes, names, kinds} = facts;
    const sorts = ['head', 'kind', 'x', 'y', 'usual'];
    return {
      x: oneOf(axes),
      y: oneOf(axes),
      head: oneOf(['', ...names]),
      kind: oneOf(['', ...kinds.map(([kind]) => kind), NO_KIND]),
      find: text => text,
      sort: oneOf(sorts.flatMap(one => [one, `-${one}`])),
      sentence: numberIn(0, facts.ranks.length - 1),
    };
  }
  showControls(gathered) {
    const options = Object.fromEntries(
      this.facts.axes.map(score => [score, this.names.long(score)]),
    );
    for (const [name, {box, show}] of this.axes) {
      show(this.model.get(name), options);
      box.hidden = Boolean(gathered?.head);
    }
    this.back.hidden = !gathered?.head;
    const find = this.model.get('find');
    if (this.field.value !== find) this.field.value = find;
  }

  // ---- the state
  get state() {
    const given = ['x', 'y', 'head', 'kind', 'find', 'sort', 'sentence'];
    return Object.fromEntries(given.map(name => [name, this.model.get(name)]));
  }
  turn(name) {
    if (this.model.get('head')) return;
    const {axes} = this.facts;
    this.set({[name]: axes[(axes.indexOf(this.model.get(name)) + 1) % axes.length]});
  }
  open(name) {
    this.rest();
    this.cursor = name;
    this.set({head: name, sentence: 0});
  }
  close() {
    this.rest();
    this.set({head: '', sentence: 0});
  }
  /** Nothing is pointed at or locked any more. */
  rest() {
    Object.assign(this, {held: null, keyed: false});
    this.focus.free();
  }
  escape() {
    const {head, kind, find} = this.state;
    if (this.held) {
      this.held = null;
      return this.draw();
    }
    if (head) return this.close();
    this.cursor = null;
    this.focus.free();
    if (kind) return this.set({kind: ''});
    return find ? this.set({find: ''}) : this.draw();
  }

  // ---- from the state to the picture
  size() {
    const {W, tall, tone, measure} = super.size();
    const {stage, root} = this;
    const top = localBox(stage).y - localBox(root).y + root.scrollTop;
    const all = tall === null ? HIGH.view - top : tall;
    return {width: W, height: Math.max(HIGH.least, Math.floor(all - HIGH.foot)), tone, measure};
  }
  gather() {
    const heads = this.part('atlas', found => new Heads(this.facts, found));
    if (!heads) return null;
    const {state, names, focus} = this;
    const {width, height, tone, measure} = this.size();
    const head = heads.byName.get(state.head) ?? null;
    const over = focus.over?.kind || focus.over?.sort ? null : focus.over;
    const pointed = over?.head ? over : head ? null : this.cursor && {head: this.cursor};
    const kind = focus.over?.kind ?? state.kind;
    return {
      ...state,
      heads,
      names,
      tone,
      measure,
      kind,
      head,
      over: pointed,
      lit: this.lit(heads, kind, state.find),
      plan: planOf(width, height, Boolean(head)),
      row: state.sentence,
      keyed: this.keyed,
      focused: head ? (over?.row !== undefined ? over : this.held) : null,
      sought: foundWords(state.find),
    };
  }
  /** The heads that are lit: of a kind, and found. */
  lit(heads, kind, find) {
    if (this.sought !== find) {
      this.sought = find;
      this.found = foundHeads(find, heads);
    }
    if (!kind) return this.found;
    const of = heads.list.filter(one => one.kinds.includes(kind)).map(({i}) => i);
    return new Set(this.found ? of.filter(i => this.found.has(i)) : of);
  }
  paint(world) {
    const {root, stage, said, panes, scroller} = this;
    const {head, plan, over, focused} = world;
    root.classList.toggle('one', Boolean(head));
    root.classList.toggle('narrow', plan.narrow);
    stage.style.gridTemplateColumns = plan.columns;
    const scenes = head
      ? {main: examplesScene(world), side: chartsScene(world)}
      : {main: mapScene(world), side: kindsScene(world)};
    if (!head) Object.assign(scenes, {heading: headingScene(world), list: listScene(world)});
    Object.assign(this, {world, scene: scenes});
    for (const node of [panes.heading.root.parentNode, scroller]) node.hidden = Boolean(head);
    const room = plan.side.h - scenes.side.height - 24;
    scroller.style.height = `${Math.max(6, Math.floor(room / ROW)) * ROW}px`;
    for (const [name, scene] of Object.entries(scenes)) panes[name].draw(scene);
    if (!head) this.keepInSight(scenes.list.row);
    const previewing = Boolean(this.focus.over);
    said.classList.toggle('line', !plan.narrow);
    say(said, atlasSentence(world));
    said.setAttribute('aria-live', previewing ? 'off' : 'polite');
    if (!plan.narrow) fitLine(said, world.measure);
    say(this.note, noteOf(world));
    say(this.hint, KEYS[Number(Boolean(head))]);
    this.label(LABELS[Number(Boolean(head))]);
    const {x, y, kind, find, sort, sentence} = this.state;
    const word = focused ? `${focused.row} ${focused.word}` : '';
    const told = {x, y, head: head?.name ?? '', kind, find, sort, sentence, word};
    this.mark({...told, over: over?.head ?? '', locked: Boolean(this.held)});
  }
  /** The row of the head in focus, unless the pointer is in the list. */
  keepInSight(row) {
    const {scroller} = this;
    if (row < 0 || scroller.matches(':hover')) return;
    const top = row * ROW;
    const {scrollTop, clientHeight} = scroller;
    if (top >= scrollTop && top + ROW <= scrollTop + clientHeight) return;
    scroller.scrollTop = top - clientHeight / 2;
  }
  rows() {
    return this.world.head ? headRows(this.world) : atlasRows(this.world);
  }
  stateText() {
    const {x, y, head, kind, find} = this.state;
    if (head) return `head ${head}`;
    const axes = `${this.names.long(y)} by ${this.names.long(x)}`;
    return [axes, kind && `kind: ${kind}`, find && `found: ${find}`].filter(Boolean).join('; ');
  }

  // ---- pointer, keys
  under(event) {
    const near = Object.values(this.panes).filter(pane => liesIn(pane.root.parentNode, event));
    return near.map(pane => pane.under(event)).find(Boolean) ?? null;
  }
  preview(place) {
    this.stage.style.cursor = place ? 'pointer' : '';
    this.focus.preview(place);
  }
  click(place) {
    const {kind, sort} = this.state;
    if (place.head) return this.open(place.head);
    this.focus.free();
    if (place.kind) return this.set({kind: kind === place.kind ? '' : place.kind});
    if (place.sort) return this.set({sort: sort === place.sort ? `-${sort}` : place.sort});
    const same = JSON.stringify(this.held) === JSON.stringify(place);
    this.held = same ? null : place;
    this.keyed = false;
    return this.set({sentence: place.row});
  }
  get isLocked() {
    return Boolean(this.held || this.state.head);
  }
  keys() {
    const moves = Object.entries(ACROSS).map(([key, by]) => [key, () => this.move(by)]);
    return {
      ...Object.fromEntries(moves),
      Home: () => this.end(0),
      End: () => this.end(-1),
      Enter: () => !this.state.head && this.cursor && this.open(this.cursor),
      Escape: () => this.escape(),
    };
  }
  move([right, down]) {
    const {head, sentence} = this.state;
    if (!this.world) return;
    this.focus.free();
    if (!head) {
      this.cursor = nearest(this.world, this.cursor, [right, down]);
      return this.draw();
    }
    if (right) {
      const order = listed(this.world);
      const at = order.findIndex(({name}) => name === head);
      const next = order.at((at + right + order.length) % order.length);
      return next && this.open(next.name);
    }
    Object.assign(this, {held: null, keyed: true});
    const last = this.facts.ranks.length - 1;
    return this.set({sentence: Math.max(0, Math.min(last, sentence + down))});
  }
  /** The first or the last head of the list, or sentence of a head. */
  end(at) {
    if (!this.world) return;
    if (this.state.head) {
      this.keyed = true;
      this.set({sentence: at ? this.facts.ranks.length - 1 : 0});
      return;
    }
    this.cursor = listed(this.world).at(at)?.name ?? null;
    this.draw();
  }
  heard() {
    if (this.state.head !== (this.world?.head?.name ?? '')) this.rest();
    super.heard();
  }
  listen() {
    super.listen();
    const reset = () => {
      this.rest();
      this.cursor = null;
      this.draw();
    };
    this.root.addEventListener('reset', reset, {signal: this.signal});
  }
}
/** The nearest head in a direction; the one at the upper left where none is in focus. */
function nearest(world, cursor, [right, down]) {
  const points = plotOf(world).points.filter(
    point => point && (!world.lit || world.lit.has(point.i)),
  );
  const name = ({i}) => world.heads.list[i].name;
  const here = points.find(point => name(point) === cursor);
  const price = ({x, y}) => {
    if (!here) return x + y;
    const ahead = (x - here.x) * right + (y - here.y) * down;
    const aside = Math.abs((x - here.x) * down) + Math.abs((y - here.y) * right);
    return ahead > 0.5 ? ahead + 2.2 * aside : Infinity;
  };
  const best = points.reduce((a, b) => (a && price(a) <= price(b) ? a : b), null);
  return best && price(best) < Infinity ? name(best) : cursor;
}
export default framedView(AtlasView, ABOUT);
