// The player: a step back, play, a step on, and a slider over all steps.

import {html} from '../shared/base.js';
import {button, slider} from '../shared/controls.js';

const STEP_TIME = 1200;
const FIRST_TIME = 700;

export class Player {
  /**
   * @param {Element} parent
   * @param {{step: () => number, last: () => number, go: (k: number) => void}} film steps count
   * from 0
   */
  constructor(parent, film) {
    Object.assign(this, {film, timer: 0});
    this.box = html(parent, 'div', {class: 'player', role: 'group', 'aria-label': 'player'});
    const move = by => () => {
      this.stop();
      film.go(film.step() + by);
    };
    const named = label => ({title: label, 'aria-label': label});
    button(this.box, '◀', named('one step back'), move(-1));
    this.button = button(this.box, 'Play', {}, () => this.play());
    button(this.box, '▶', named('one step on'), move(1));
    const slide = k => {
      this.stop();
      film.go(k - 1);
    };
    this.slider = slider(this.box, 'step', slide, {min: 1, step: 1});
  }
  show(noun) {
    const {film} = this;
    const text = `${film.step() + 1} of ${film.last() + 1}`;
    this.slider.show(film.step() + 1, text, {max: film.last() + 1});
    this.slider.input.setAttribute('aria-valuetext', `${noun} ${text}`);
    this.button.textContent = this.timer ? 'Pause' : 'Play';
  }
  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
  /** From here to the end; at the end from the start; a second call stops. */
  play() {
    const {film} = this;
    const running = this.timer > 0;
    this.stop();
    if (!running) {
      this.timer = setTimeout(() => this.tick(), FIRST_TIME);
      if (film.step() === film.last()) return film.go(0);
    }
    return film.go(film.step());
  }
  tick() {
    const {film} = this;
    const next = film.step() + 1;
    this.timer = next < film.last() ? setTimeout(() => this.tick(), STEP_TIME) : 0;
    film.go(next);
  }
}
