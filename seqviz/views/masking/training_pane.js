// The folded second pane: its controls, and the draws that come one after another.

import {button, slider} from '../shared/controls.js';
import {html} from '../shared/nodes.js';
import {Drawn} from './parts.js';
import {percent} from './sentence.js';
import {humpOf, trainingScene} from './training.js';
import {drawTraining} from './training_picture.js';

const FRAME_MS = 40;
const FRAMES = 50; // that all draws take

export class TrainingPane {
  /**
   * @param {Object} facts of the second pane: rates, those of the hump, the draws
   * @param {(name: string, make: Function) => any} part what is made of a part, null until it comes
   * @param {(changes: Object) => void} set
   * @param {() => void} redraw
   */
  constructor(parent, facts, {part, set, redraw, signal}) {
    Object.assign(this, {facts, part, set, redraw});
    this.draw = 0; // while draws come one after another, how many have
    this.timer = 0;
    this.box = html(parent, 'details', {class: 'training'});
    const summary = html(this.box, 'summary');
    html(summary, 'b', {}, facts.draws ? 'How training corrupts a text' : 'How much to mask');
    this.summed = html(summary, 'span');
    this.said = html(this.box, 'p', {class: 'lesson', 'aria-live': 'polite'});
    this.bar = html(this.box, 'div', {class: 'bar'});
    if (Math.max(...(facts.draws?.counts ?? [1])) > 1) this.addDraws();
    const turn = k => {
      this.stop();
      const count = facts.draws?.counts[k] ?? 0;
      set({rate: facts.rates[k], draw: Math.min(count, this.now.draw)});
    };
    this.rates = slider(this.bar, 'chosen', turn, {min: 0, max: facts.rates.length - 1, step: 1});
    this.sheet = html(this.box, 'div');
    const stays = event => event.key !== 'Escape' && event.stopPropagation();
    this.box.addEventListener('keydown', stays, {signal});
    this.box.addEventListener('toggle', () => this.toggled(), {signal});
    signal.addEventListener('abort', () => clearInterval(this.timer));
  }
  addDraws() {
    button(this.bar, 'Draw again', {}, () => {
      this.stop();
      const {draw} = this.now;
      this.set({draw: draw < this.count ? draw + 1 : 1});
    });
    this.many = button(this.bar, 'Draw on', {}, () => (this.timer ? this.stop() : this.play()));
  }
  toggled() {
    if (this.box.open === this.now.training) return;
    this.stop();
    this.set({training: this.box.open});
  }
  get count() {
    const {facts, now} = this;
    return facts.draws.counts[facts.rates.indexOf(now.rate)];
  }
  /** One draw after another to the last; at once where motion is not wanted. */
  play() {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const by = still ? this.count : Math.ceil(this.count / FRAMES);
    this.draw = this.now.draw < this.count ? this.now.draw : 1;
    this.timer = setInterval(() => {
      this.draw = Math.min(this.count, this.draw + by);
      if (this.draw === this.count) this.stop();
      else this.redraw();
    }, FRAME_MS);
  }
  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.set({draw: this.draw});
  }
  /**
   * The scene, null while its parts are under way.
   * @param {{training: boolean, rate: number, draw: number}} now
   */
  scene(now) {
    this.now = now;
    if (!now.training) return null;
    const {facts, part} = this;
    const k = facts.rates.indexOf(now.rate);
    const {draws} = facts;
    const drawn = draws && part(draws.parts[k], made => new Drawn(made, draws.tokens.length));
    const hump = facts.hump.length > 0 && part('rates', made => humpOf(made, facts.hump));
    if (drawn === null && draws) return null;
    if (hump === null) return null;
    return trainingScene({
      draws: draws && {...draws, drawn},
      hump: hump || null,
      rate: now.rate,
      draw: this.timer ? this.draw : now.draw,
    });
  }
  show(scene, size, tone) {
    const {now, facts} = this;
    this.box.open = now.training;
    this.summed.textContent = summaryOf(facts, now.rate);
    if (!scene) return;
    const k = facts.rates.indexOf(now.rate);
    this.rates.show(k, percent(now.rate));
    if (this.many) this.many.textContent = this.timer ? 'Stop' : `Draw all ${this.count}`;
    this.said.setAttribute('aria-live', this.timer ? 'off' : 'polite');
    if (this.said.textContent !== scene.lesson) this.said.textContent = scene.lesson;
    drawTraining(this.sheet, scene, {...size, W: this.sheet.clientWidth || size.W}, tone);
  }
}
function summaryOf({draws}, rate) {
  if (!draws) return 'right guesses by the share of tokens that is masked';
  const [masked, replaced, kept] = draws.shares.map(share => `${Math.round(100 * share)} %`);
  const chosen = `${percent(rate).replace('.0', '')} of the tokens are chosen`;
  return `${chosen}: ${masked} become [MASK], ${replaced} another, ${kept} stay`;
}
