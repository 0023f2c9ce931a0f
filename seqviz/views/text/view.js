// A text coloured by one unit: its state, pointer and keys. Text, chart and panel share one cursor.

import {exportButtons} from '../shared/export.js';
import {withinReach} from '../shared/fingers.js';
import {Frame, framedView} from '../shared/frame.js';
import {listen, supply} from '../shared/kernel.js';
import {onKeys} from '../shared/keys.js';
import {numberIn} from '../shared/link.js';
import {html, say, svg, withKeys} from '../shared/nodes.js';
import {localBox, localPoint} from '../shared/scale.js';
import {chartOf, drawChart} from './chart_pane.js';
import {ownText} from './own_text.js';
import {drawPanel, panelOf} from './panel.js';
import {drawLetters, moveFrames, shadesOf} from './picture.js';
import {Reading} from './reading.js';
import {
  arrange,
  limited,
  PITCH,
  rangeInSight,
  revealing,
  textTable,
  tokenUnder,
  valueScale,
} from './scene.js';
import {headline} from './sentence.js';
import {UnitControls} from './unit_controls.js';

const FOOT = withKeys(
  'Colour and height say the same. Point at the text or the chart; click locks. [← →] move  [↑ ↓] unit  [Home End] first, last  [Enter] locks  [Esc] frees  ',
);
const ABOUT = {
  name: 'text',
  label: 'a text coloured by one unit of a model',
  stage:
    'coloured text: left and right arrows move the cursor, up and down change the unit, Enter locks, Escape frees',
  foot: FOOT,
};
const MOST_BUSY = 5; // units that Python names at a token

class ColouredText extends Frame {
  reading = null;
  life = null; // of the reading
  due = false; // whether another reading is to come
  unitControls = null; // where there are several units
  place = null; // where the tokens stand at this width
  range = null; // the tokens in sight
  over = null; // the token under the pointer
  spot = ''; // where the pointer was
  revealed = null; // the locked token that was scrolled to

  // ---- what stands there
  addControls() {
    const {model, bar, problem, signal, complain} = this;
    bar.before(problem);
    if (model.get('facts').live) ownText(problem, model, signal, complain);
  }
  addExports() {} // a reading brings its own
  addStage() {
    this.left = html(this.stage, 'div');
    this.scroll = html(this.left, 'div', {class: 'scroll', tabindex: -1});
    this.sheet = html(this.scroll, 'div');
    this.letters = svg(this.sheet, 'svg', {class: 'letters', 'aria-hidden': true});
    this.frames = [];
    this.chart = svg(this.left, 'svg', {class: 'chart', 'aria-hidden': true});
    this.tokenAt = () => null; // along the chart
    this.panel = html(this.stage, 'div', {class: 'panel'});
    this.card = svg(this.panel, 'svg', {'aria-hidden': true});
    const button = () => html(this.panel, 'button', {type: 'button'});
    this.buttons = Array.from({length: MOST_BUSY}, button);
  }
  build() {
    super.build();
    this.open();
  }
  readers() {
    const {units, T} = this.reading;
    return {unit: numberIn(1, units), cursor: numberIn(0, T)};
  }
  showControls(now) {
    if (now) this.unitControls?.show();
  }
  rows() {
    return textTable(this.scene);
  }
  tables() {
    const [told] = super.tables();
    return [{...told, at: [Math.max(0, this.inFocus), 0]}];
  }

  // ---- the state; a run may have left fewer tokens or units than the model's controls count
  get unit() {
    return limited(this.model.get('unit'), 1, this.reading.units);
  }
  /** The locked token, -1 for none. */
  get locked() {
    return limited(this.model.get('cursor'), 0, this.reading.T) - 1;
  }
  /** The token in focus: what the pointer previews, also over a locked one. */
  get inFocus() {
    return this.over ?? this.locked;
  }
  set(changes) {
    this.dialogue.write(changes);
    this.draw();
  }
  chooseUnit(unit) {
    if (Number.isInteger(unit)) this.set({unit: limited(unit, 1, this.reading.units)});
  }
  lock(t) {
    this.over = null;
    this.set({cursor: t + 1});
  }
  free() {
    this.stage.focus({preventScroll: true});
    this.lock(-1);
  }
  move(t) {
    this.lock(limited(t, 0, this.reading.T - 1));
  }

  // ---- another text
  /** A new text brings facts and numbers: they are taken up together. */
  renew() {
    if (!this.due) {
      queueMicrotask(() => {
        this.due = false;
        if (this.signal.aborted) return;
        this.open();
        this.draw();
      });
    }
    this.due = true;
  }
  open() {
    const {model, complain} = this;
    this.life?.abort();
    this.life = new AbortController();
    this.over = this.range = this.place = null;
    this.made.clear();
    this.get = supply(model, this.life.signal, complain);
    const reading = new Reading(model.get('facts'), this.get);
    this.reading = reading;
    this.said.className = `say ${reading.kind} ${reading.forecast ? 'long' : 'short'}`;
    this.complain(model.get('problem') ?? '');
    this.fillBar();
  }
  fillBar() {
    const {bar, reading, root, model, life, complain} = this;
    const {signal} = life;
    const chosen = () => this.unit;
    const choose = unit => this.chooseUnit(unit);
    bar.replaceChildren();
    this.unitControls = reading.units > 1 ? new UnitControls(bar, reading, chosen, choose) : null;
    const controls = () => this.controls();
    exportButtons(bar, {root, model, signal, complain, controls}, () => this.rows());
  }

  // ---- from the state to the picture: from the most that can change to the least
  gather() {
    const {reading, model, unit} = this;
    if (reading.facts !== model.get('facts')) return null; // another is to come
    const values = this.part(`unit ${unit}`, numbers => numbers);
    return values && {reading, unit, values};
  }
  paint(now) {
    const {scroll, range, place} = this;
    const {tone} = this.size();
    if (scroll.clientWidth !== place?.width) this.layOut(range);
    const scale = valueScale(now.reading, now.values);
    this.scene = {...now, scale, tone, measure: this.place.inMono, ...shadesOf(scale, tone)};
    if (this.locked !== this.revealed) this.reveal();
    this.revealed = this.locked;
    this.drawText();
    this.mark({});
  }
  layOut(range) {
    const {scroll} = this;
    this.arrange();
    if (scroll.clientWidth !== this.place.width) this.arrange(); // it has got a scroll bar
    if (!range) this.revealed = null;
    // else the reader stays where he was
    scroll.scrollTop = range ? PITCH * this.place.cells[range[0]].row : 0;
  }
  arrange() {
    const measure = this.measure();
    const inMono = text => measure(text, '16px mono');
    this.place = {...arrange(this.reading, this.scroll.clientWidth, inMono), inMono};
    this.sheet.style.height = `${this.place.height}px`;
  }
  drawText() {
    if (!this.scene) return; // the first values are still on their way
    const {scroll, place, scene} = this;
    const {scrollTop: top, clientHeight: height} = scroll;
    const range = rangeInSight(place, top, height);
    this.range = range;
    this.frames = drawLetters(this.letters, {place, range, top, height}, scene);
    this.drawCursor();
  }
  drawCursor() {
    if (!this.scene) return;
    const {root, left, panel, card, place, range, locked, inFocus: t} = this;
    const scene = {...this.scene, t};
    const chart = chartOf(scene, range, left.clientWidth);
    this.tokenAt = chart.tokenAt;
    moveFrames(this.frames, place, locked, t, scene.tone);
    drawChart(this.chart, chart, scene);
    drawPanel(card, this.buttons, panelOf(scene, panel.clientWidth), scene);
    say(this.said, headline(scene));
    Object.assign(root.dataset, {cursor: t + 1, unit: scene.unit, locked: locked >= 0});
  }
  /** Scrolls to the token in focus. */
  reveal() {
    const {scroll, place, inFocus: t} = this;
    if (t < 0) return;
    scroll.scrollTop = revealing(place.cells[t].row, scroll.scrollTop, scroll.clientHeight);
  }

  // ---- pointer and keys
  listen() {
    const {stage, panel, scroll, signal, model} = this;
    this.nearest = withinReach(stage, event => this.under(event));
    stage.addEventListener('pointermove', event => this.pointed(event), {signal});
    stage.addEventListener('pointerleave', () => this.preview(null), {signal});
    stage.addEventListener('click', event => this.clicked(event), {signal});
    scroll.addEventListener('scroll', () => this.drawText(), {signal});
    onKeys(stage, this.keys(), signal);
    const toButton = event => event.key === 'Enter' && event.stopPropagation();
    panel.addEventListener('keydown', toButton, {signal});
    signal.addEventListener('abort', () => this.life.abort());
    const renew = () => this.renew();
    for (const name of ['first', 'facts']) listen(model, `change:${name}`, renew, signal);
    listen(model, 'change:problem', () => this.complain(model.get('problem')), signal);
    this.dialogue.hear(['unit', 'cursor'], () => this.draw());
  }
  /** The token under the pointer, in the text or the chart; null if there is none. */
  under(event) {
    const {scroll, chart, place} = this;
    const pointIn = node => {
      const [x, y] = localPoint(node, event);
      const {width, height} = localBox(node);
      return x >= 0 && x < width && y >= 0 && y < height ? [x, y] : null;
    };
    const along = pointIn(chart);
    if (along) return this.tokenAt(along[0]);
    const over = pointIn(scroll);
    return over && tokenUnder(place, over[0], over[1] + scroll.scrollTop);
  }
  pointed(event) {
    const spot = `${event.clientX} ${event.clientY}`;
    if (spot === this.spot) return; // a move is told, too, when the text scrolls under the pointer
    this.spot = spot;
    this.preview(this.nearest(event));
  }
  preview(t) {
    if (t === this.over) return;
    this.over = t;
    this.drawCursor();
  }
  clicked(event) {
    const button = event.target.closest('button');
    if (button) return this.chooseUnit(Number(button.dataset.unit));
    const t = this.nearest(event);
    this.stage.focus({preventScroll: true});
    if (t !== null) this.set({cursor: this.locked === t ? 0 : t + 1});
  }
  keys() {
    const beside = by => () => this.move(this.inFocus + (this.place.left ? -by : by));
    return {
      ArrowLeft: beside(-1),
      ArrowRight: beside(1),
      Home: () => this.move(0),
      End: () => this.move(Infinity),
      ArrowUp: () => this.chooseUnit(this.unit - 1),
      ArrowDown: () => this.chooseUnit(this.unit + 1),
      Enter: () => this.lock(this.inFocus),
      Escape: () => this.free(),
    };
  }
}
export default framedView(ColouredText, ABOUT);
