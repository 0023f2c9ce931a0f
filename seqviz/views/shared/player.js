// Step by step: a clock that goes on to the last step, and the buttons beside it.

import {button} from './controls.js';

/**
 * @typedef {Object} Film what is played; steps count from 0
 * @property {() => number} step
 * @property {() => number} last
 * @property {(step: number) => void} go
 * @property {() => void} changed it plays now, or does not any more
 */

export class Player {
  /**
   * @param {Film} film
   * @param {{pause: number, first?: number}} milliseconds between steps, and before
   * the first one from where it stands
   * @param {AbortSignal} signal
   */
  constructor(film, {pause, first = pause}, signal) {
    Object.assign(this, {film, pause, first, timer: 0});
    signal.addEventListener('abort', () => this.stop());
  }
  get playing() {
    return this.timer > 0;
  }
  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
  /** From here to the end, at the end from the start; a second call stops. */
  play() {
    const {film, playing} = this;
    this.stop();
    if (!playing) {
      const again = film.step() === film.last();
      this.timer = setTimeout(() => this.tick(), again ? this.pause : this.first);
      if (again) film.go(0);
    }
    film.changed();
  }
  tick() {
    const {film} = this;
    const next = film.step() + 1;
    this.timer = next < film.last() ? setTimeout(() => this.tick(), this.pause) : 0;
    film.go(next);
    if (!this.timer) film.changed();
  }
}
/**
 * The buttons of a player: a step back, play, a step on.
 * @param {Element} parent
 * @param {Player} player
 * @returns {() => void} shows whether it plays
 */
export function stepButtons(parent, player) {
  const {film} = player;
  const mover = (text, label, by) =>
    button(parent, text, {title: label, 'aria-label': label}, () => {
      player.stop();
      film.go(film.step() + by);
    });
  mover('◀', 'one step back', -1);
  const node = button(parent, 'Play', {}, () => player.play());
  mover('▶', 'one step on', 1);
  return () => {
    node.textContent = player.playing ? 'Pause' : 'Play';
  };
}
