// A row of a list: texts on one line, bars from zero, a number, a note.

import {textAt} from './marks.js';
import {svg} from './nodes.js';

/** What is drawn of a row: each view says at which x, and in which look. */
export class Row {
  /**
   * @param {Element} root
   * @param {{y: number, tall: number, base: number}} place its top, its height, the base line of
   * its texts
   */
  constructor(root, {y, tall, base}) {
    Object.assign(this, {root, y, tall, base});
  }
  /** What is behind all of it. */
  band(x, width, look) {
    svg(this.root, 'rect', {x, y: this.y, width, height: this.tall, rx: 4, ...look});
  }
  /** A label from here on. */
  text(x, text, kind) {
    return textAt(this.root, x, this.base, text, kind);
  }
  /** A label, a number, a note that ends here. */
  end(x, text, kind) {
    return textAt(this.root, x, this.base, text, kind, 'end');
  }
  /**
   * A bar to either side of zero, in the middle of the row unless its top is given.
   * @param {number} zero where it begins
   * @param {number} length pixels, negative to the left
   * @param {number} height
   * @param {Object} look
   * @param {{top?: number, least?: number}} [more] pixels from the top of the row; pixels that are
   * seen even of nothing
   */
  bar(zero, length, height, look, {top = (this.tall - height) / 2, least = 1} = {}) {
    const box = {x: Math.min(zero, zero + length), y: this.y + top, height};
    svg(this.root, 'rect', {...box, width: Math.max(least, Math.abs(length)), ...look});
  }
  /** The line from which bars go. */
  axis(x, inset, look) {
    const {y, tall} = this;
    svg(this.root, 'path', {d: `M${x} ${y + inset}V${y + tall - inset}`, ...look});
  }
}
