// The sound: a button and the time over an audio element, which is the clock.

import {button} from '../shared/controls.js';
import {html} from '../shared/nodes.js';
import {secondsOf} from './sentence.js';

const TICKS = 100; // a second

export class Playback {
  /**
   * @param {Element} parent
   * @param {{load: () => Promise<DataView>, from: () => number | null, moved: () => void,
   * complain: (problem: string) => void}} piece `load` gives its WAV file, `from` the tick at which
   * to begin, null to go on; `moved` is called when the time or the state has changed
   * @param {AbortSignal} signal
   */
  constructor(parent, piece, signal) {
    Object.assign(this, {piece, address: '', frame: 0, turn: 0});
    this.box = html(parent, 'div', {class: 'player', role: 'group', 'aria-label': 'sound'});
    this.button = button(this.box, 'Play', {title: 'key Space; begins at a locked note'}, () =>
      this.toggle(),
    );
    this.time = html(this.box, 'output', {'aria-live': 'off'});
    this.audio = html(this.box, 'audio', {preload: 'auto'});
    for (const event of ['play', 'pause', 'ended']) {
      this.audio.addEventListener(event, () => this.follow());
    }
    signal.addEventListener('abort', () => this.stop());
  }
  get playing() {
    return !this.audio.paused && !this.audio.ended;
  }
  /** Ticks from the start. */
  get tick() {
    return Math.round(this.audio.currentTime * TICKS);
  }
  /** @param {number} span of the piece, in ticks */
  show(span) {
    const tick = Math.min(span, this.tick);
    this.time.textContent = `${(tick / TICKS).toFixed(1)} of ${secondsOf(span)}`;
    this.button.textContent = this.playing ? 'Pause' : 'Play';
  }
  async loaded() {
    const {turn} = this;
    if (this.address) return;
    const bytes = await this.piece.load();
    if (this.address || this.turn !== turn) return;
    this.address = URL.createObjectURL(new Blob([bytes], {type: 'audio/wav'}));
    this.audio.src = this.address;
  }
  async toggle() {
    const {audio, piece} = this;
    if (this.playing) return audio.pause();
    await this.loaded();
    if (!this.address) return; // another piece has come since
    const from = piece.from();
    if (from !== null) audio.currentTime = from / TICKS;
    try {
      await audio.play();
    } catch (error) {
      // a pause that comes before the sound has begun ends it, too
      if (error.name !== 'AbortError') piece.complain(`The sound does not play: ${error.message}`);
    }
  }
  /** Silence, and the next sound is another one. */
  stop() {
    this.turn += 1;
    cancelAnimationFrame(this.frame);
    this.audio.pause();
    this.audio.removeAttribute('src');
    this.audio.load();
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = '';
  }
  follow() {
    cancelAnimationFrame(this.frame);
    this.piece.moved();
    if (this.playing) this.frame = requestAnimationFrame(() => this.follow());
  }
}
