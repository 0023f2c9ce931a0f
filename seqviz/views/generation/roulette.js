// A random number runs along the strip, rests on a token, and takes it.

import {unpacked} from '../shared/codec.js';
import {fallenOn, luckOf, seedOf} from './decoding.js';
import {runName} from './names.js';

const RUN = 1000; // milliseconds on the way
const REST = 700; // on its token
const STILL = 900; // both, where motion is not wanted

const drawnAt = ({ranks, ids, words, p}, k) => ({
  rank: ranks[k] - 1,
  id: ids[k],
  word: words[k],
  p: p[k],
});

export class Roulette {
  /**
   * @param {Object} hands `changed`, `take` what was drawn, `again` for a scene once its token has
   * come
   */
  constructor(store, signal, hands) {
    Object.assign(this, {store, hands});
    this.roll = null; // {u, rank, id, word, p} while the number runs
    this.fell = null; // {u, word, path} of the last one, `word` empty where it cannot be named
    this.tries = new Map(); // how often a number was drawn at a place
    this.timer = 0;
    this.drawn = '';
    signal.addEventListener('abort', () => this.stop());
  }
  /** Draws a number for a place; a second press lands it at once. */
  spin(scene) {
    if (this.roll) {
      this.land();
      return;
    }
    const {written, method, knob, state, place} = scene;
    const key = written.join(' ');
    const tries = this.tries.get(key) ?? 0;
    const seed = seedOf(state.luck, tries);
    const u = luckOf(seed, written.length);
    const r = fallenOn(scene.kept, u);
    const named = r >= 0 && {rank: r, id: place.ids[r], word: place.words[r], p: place.p[r]};
    const found = named || this.beyond(scene, {method, knob, seed});
    if (found instanceof Promise) {
      found.then(() => this.hands.again(scene)); // it is under way
      return;
    }
    this.tries.set(key, tries + 1);
    if (!found) {
      this.fell = {u, word: '', path: key};
      this.hands.changed();
      return;
    }
    const rests = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.roll = {u, ...found, rests, path: [...written, found.id].join(' ')};
    this.fell = null;
    this.timer = setTimeout(() => (rests ? this.land() : this.rest()), rests ? STILL : RUN);
    this.hands.changed();
  }
  /**
   * The token below the named ones on which the number falls: it stands in what Python wrote, from
   * here or from the prompt. Null if nobody knows it, a promise while it is under way.
   */
  beyond({written, facts}, draw) {
    const {store} = this;
    const start = runName(draw, [], facts.steps);
    const whole = store.known.has(start) ? store.fetch(start, unpacked) : null;
    if (whole instanceof Promise) return whole;
    if (whole && written.every((id, k) => whole.ids[k] === id)) {
      if (written.length < whole.ids.length) return drawnAt(whole, written.length);
    }
    const run = store.live ? store.fetch(runName(draw, written, 1), unpacked) : null;
    return run instanceof Promise || !run?.ids.length ? run : drawnAt(run, 0);
  }
  /** Lets the mark of the number run to its place. */
  run(ball, W) {
    const {u, rests} = this.roll;
    if (rests) return;
    const to = share => `translateX(${((share - u) * W).toFixed(1)}px)`;
    const way = [
      {transform: to(0)},
      {transform: to(1), offset: 0.35},
      {transform: to(0), offset: 0.7},
      {transform: to(u)},
    ];
    ball.animate(way, {duration: RUN, easing: 'cubic-bezier(.3,0,.2,1)'});
  }
  /** The number has come to its place: all panes show what it fell on. */
  rest() {
    this.roll = {...this.roll, rests: true};
    this.timer = setTimeout(() => this.land(), REST);
    this.hands.changed();
  }
  land() {
    if (!this.roll) return;
    const {roll} = this;
    this.stop();
    this.fell = roll;
    this.hands.take(roll);
  }
  stop() {
    clearTimeout(this.timer);
    Object.assign(this, {roll: null, drawn: ''});
  }
  forget() {
    this.stop();
    this.fell = null;
    this.tries.clear();
  }
}
