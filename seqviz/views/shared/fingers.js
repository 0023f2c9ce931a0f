// A finger covers what it points at. It takes the nearest place within its reach; where it rests a
// lens shows what lies under it, and it may slide: what it is lifted from is clicked.

import {clickAt} from './key_caps.js';
import {Lens} from './lens.js';

const RINGS = [6, 12, 18, 24]; // pixels around a finger
const WAYS = [0, 1, 2, 3, 4, 5, 6, 7].map(k => (k * Math.PI) / 4);
const RESTED = 250; // milliseconds
const STEADY = 10; // pixels
const HANDED = 'button, label, input, select, textarea, summary, a, [data-presses]';

const isNowhere = place =>
  (place ?? null) === null || (typeof place === 'object' && !Object.keys(place).length);
/**
 * What a finger takes: what lies under it, or the nearest place.
 * @template Place
 * @param {Element} node what is pointed at
 * @param {(event: PointerEvent) => Place | null} at
 * @returns {(event: PointerEvent) => Place | null}
 */
export const withinReach = (node, at) => event => {
  const place = at(event);
  const found = event.pointerType !== 'touch' || !isNowhere(place);
  if (found || event.target.closest(HANDED)) return place;
  for (const ring of RINGS) {
    for (const way of WAYS) {
      const clientX = event.clientX + ring * Math.cos(way);
      const clientY = event.clientY + ring * Math.sin(way);
      const target = node.getRootNode().elementFromPoint(clientX, clientY);
      const near = node.contains(target) ? at({clientX, clientY, target}) : null;
      if (!isNowhere(near)) return near;
    }
  }
  return place;
};

/** A finger on a view. */
class Finger {
  constructor(root) {
    this.root = root;
    this.lens = new Lens(root);
    this.touch = null; // where it is, on which stage or what a control is for; whether it rests
  }
  down({touches, target}) {
    this.end();
    const told = target.closest('[title]')?.title;
    const stage = target.closest(HANDED) ? null : target.closest('.stage');
    if (touches.length > 1 || !(told || stage)) return;
    const [{clientX, clientY}] = touches;
    const timer = setTimeout(() => this.rest(), RESTED);
    this.touch = {clientX, clientY, told, stage: told ? null : stage, timer, rests: false};
  }
  rest() {
    const {touch, lens} = this;
    touch.rests = true;
    lens.open(touch.told);
    if (touch.stage) this.send('pointermove');
    this.drawSoon();
  }
  move(event) {
    const {touch} = this;
    if (!touch) return;
    const [{clientX, clientY}] = event.touches;
    if (touch.rests) {
      event.preventDefault(); // the page stays
      Object.assign(touch, {clientX, clientY});
      this.drawSoon();
    } else if (Math.hypot(clientX - touch.clientX, clientY - touch.clientY) > STEADY) this.end();
  }
  up(event) {
    if (!this.touch?.rests) return this.end();
    event.preventDefault(); // no click of the browser's
    if (this.touch.stage) this.send('click');
    return this.end();
  }
  end() {
    clearTimeout(this.touch?.timer);
    this.lens.close();
    this.touch = null;
  }
  // After what the view draws for it.
  drawSoon() {
    requestAnimationFrame(() => {
      const {touch, lens} = this;
      if (!touch?.rests) return;
      lens.standAt(touch);
      if (touch.stage) lens.magnify(touch.stage, touch);
    });
  }
  send(kind) {
    const {clientX, clientY, stage} = this.touch;
    const node = this.root.getRootNode().elementFromPoint(clientX, clientY);
    if (!stage.contains(node)) return;
    const more = {clientX, clientY, pointerType: 'touch'};
    if (kind === 'click') clickAt(node, more);
    else node.dispatchEvent(new PointerEvent(kind, {bubbles: true, composed: true, ...more}));
  }
}
/**
 * Lets fingers rest on a view.
 * @param {Element} root
 * @param {AbortSignal} signal
 */
export function followFingers(root, signal) {
  const finger = new Finger(root);
  const on = (kind, heard) => root.addEventListener(kind, heard, {signal, passive: false});
  on('touchstart', event => finger.down(event));
  on('touchmove', event => finger.move(event));
  on('touchend', event => finger.up(event));
  on('touchcancel', () => finger.end());
  on('contextmenu', event => finger.touch && event.preventDefault());
  signal.addEventListener('abort', () => finger.end());
}
