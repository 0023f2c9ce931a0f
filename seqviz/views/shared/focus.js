// What is in focus: the pointer previews it, a click or Enter locks it, the same again or Escape
// frees it.

import {withinReach} from './fingers.js';

/**
 * What is previewed, and whether that is locked. Places are alike if they are as JSON.
 * @template Place
 * @param {() => void} changed is called when another place is previewed
 * @returns {{over: Place | null, locked: boolean, preview: (place: Place | null) => void,
 * click: (chosen: boolean) => void, lock: () => void, free: () => void}} `over` is what the
 * pointer previews, and null while nothing is; a lock takes no previews
 */
export function focusLock(changed) {
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  return {
    over: null,
    locked: false,
    preview(place) {
      if (this.locked || same(place, this.over)) return;
      this.over = place;
      changed();
    },
    /** A click on what is chosen already, if it is locked, frees it. */
    click(chosen) {
      this.locked = !(this.locked && chosen);
      this.over = null;
    },
    lock() {
      this.locked = true;
      this.over = null;
    },
    free() {
      this.locked = false;
      this.over = null;
    },
  };
}
/**
 * The pointer over a stage: it previews what is under it, and hands on what is clicked.
 * @template Place
 * @param {Element} stage
 * @param {{at: (event: PointerEvent) => Place | null, preview: (place: Place | null) => void,
 * click: (place: Place) => void}} pointer `at` says what place lies under an event, null if none
 * does
 * @param {AbortSignal} signal
 */
export function followPointer(stage, {at, preview, click}, signal) {
  const under = withinReach(stage, at);
  stage.addEventListener('pointermove', event => preview(under(event)), {signal});
  stage.addEventListener('pointerleave', () => preview(null), {signal});
  stage.addEventListener(
    'click',
    event => {
      const place = under(event);
      if (place !== null) click(place);
    },
    {signal},
  );
}
