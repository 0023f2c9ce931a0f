// A way from one state of the picture to another; who wants no motion sees the end at once.

const EASE = t => t * t * (3 - 2 * t);

export class Motion {
  constructor(signal) {
    this.frame = 0;
    this.step = null;
    signal.addEventListener('abort', () => cancelAnimationFrame(this.frame));
  }
  get moving() {
    return this.step !== null;
  }
  /** @param {(share: number) => void} step is called from 0 to 1, at last with 1 */
  start(time, step) {
    cancelAnimationFrame(this.frame);
    this.step = step;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.finish();
    const begun = performance.now();
    const tick = now => {
      const share = Math.min(1, Math.max(0, now - begun) / time);
      if (share === 1) return this.finish();
      step(EASE(share));
      this.frame = requestAnimationFrame(tick);
      return undefined;
    };
    this.frame = requestAnimationFrame(tick);
    return undefined;
  }
  finish() {
    if (!this.step) return;
    cancelAnimationFrame(this.frame);
    const {step} = this;
    this.step = null;
    step(1);
  }
}
