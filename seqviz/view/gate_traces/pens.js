// What pipes and valves are drawn with, for the values of one unit at one step.

import {signed, svg} from '../shared/base.js';
import {HUE, stateBefore} from './cells.js';

/** Numbers and pens of the cell of unit `u` at step `t`. */
export class Pens {
  /**
   * `q` holds the value of each row by its letter, `h0` and `c0` the unit's state before, `h` that
   * of all units.
   * @param {SVGElement} root
   * @param {Scene} scene
   */
  constructor(root, scene) {
    const {layer, u, t, after, show, hold, tone, measure, scales} = scene;
    const curves = hold && show === 'before' ? layer.curves : after;
    const {h, c} = stateBefore(layer, curves, t);
    const rows = [...layer.kind.rows];
    Object.assign(this, {root, layer, u, t, show, hold, tone, measure, scales, curves, h});
    this.q = Object.fromEntries(rows.map(row => [row, curves[row][t * layer.H + u]]));
    this.most = layer.most;
    this.h0 = h[u];
    this.c0 = c[u];
  }
  /**
   * Whether a hand holds this gate here.
   * @param {string} row
   * @returns {boolean}
   */
  held(row) {
    const {hold, show, layer, t, u} = this;
    if (!hold || show === 'before' || hold.gate !== row) return false;
    const since = layer.order.indexOf(t) >= layer.order.indexOf(hold.since);
    return since && (hold.unit === null || hold.unit === u);
  }
  write(x, y, text, kind = 'mid', anchor = 'middle') {
    svg(this.root, 'text', {x, y, class: kind, 'text-anchor': anchor}, text);
  }
  /**
   * @param {number} v
   * @param {number} [most] the end of the scale, which begins at -most
   * @returns {string}
   */
  colour(v, most = 1) {
    return this.scales.div.shades[Math.max(0, Math.min(64, Math.round(32 * (1 + v / most))))];
  }
  /**
   * @param {string} points of a polyline
   * @param {number} v what flows
   * @param {number} [most] the end of its scale
   */
  pipe(points, v, most) {
    for (const [stroke, width] of [
      [this.tone.soft, 20],
      [this.colour(v, most), 16],
    ]) {
      svg(this.root, 'polyline', {
        points,
        fill: 'none',
        stroke,
        'stroke-width': width,
        'stroke-linejoin': 'round',
      });
    }
  }
  /**
   * A disc in the pipe: along it is open, across it is shut.
   * @param {number} x
   * @param {number} y
   * @param {string} row
   * @param {number} open from 0 to 1
   * @param {boolean} upright whether the pipe is
   */
  valve(x, y, row, open, upright) {
    const turn = (upright ? Math.PI / 2 : 0) + ((1 - open) * Math.PI) / 2;
    const dx = 15 * Math.cos(turn);
    const dy = 15 * Math.sin(turn);
    const stroke = this.tone.cat[HUE[row]];
    svg(this.root, 'circle', {
      cx: x,
      cy: y,
      r: 19,
      fill: this.tone.bg,
      stroke,
      'stroke-width': this.held(row) ? 6 : 4,
    });
    svg(this.root, 'line', {
      x1: x - dx,
      y1: y - dy,
      x2: x + dx,
      y2: y + dy,
      stroke,
      'stroke-width': 7,
      'stroke-linecap': 'round',
    });
  }
  /** Where two flows are added. */
  join(x, y) {
    const {bg, ink} = this.tone;
    svg(this.root, 'circle', {cx: x, cy: y, r: 15, fill: bg, stroke: ink, 'stroke-width': 2});
    const d = `M${x - 8} ${y}h16m-8 -8v16`;
    svg(this.root, 'path', {d, stroke: ink, 'stroke-width': 3});
  }
  box(x, y, text, stroke = this.tone.soft) {
    const width = Math.max(36, this.measure(text, '14px mono') + 14);
    svg(this.root, 'rect', {
      x: x - width / 2,
      y: y - 14,
      width,
      height: 28,
      rx: 4,
      fill: this.tone.bg,
      stroke,
      'stroke-width': stroke === this.tone.soft ? 1.5 : 4,
    });
    this.write(x, y + 5, text, 'mid mono');
  }
  /**
   * The value of a gate, and whether a hand holds it.
   * @param {number} x
   * @param {number} y
   * @param {string} row
   * @param {'start' | 'middle' | 'end'} anchor
   */
  tag(x, y, row, anchor) {
    const held = this.held(row);
    const text = `${row} ${signed(this.q[row])}`;
    this.write(x, y, text, held ? 'mid mono second' : 'mid mono bold', anchor);
    if (held) this.write(x, y + 16, 'by hand', 'second', anchor);
  }
}
