// Panes: groups of marks that are drawn anew only where something else is to be seen.

import {put, svg} from '../shared/nodes.js';
import {localPoint} from '../shared/scale.js';

/** A drawing in a node. */
export class Pane {
  constructor(node) {
    this.root = svg(node, 'svg', {'aria-hidden': true});
    this.groups = new Map();
    this.names = '';
  }
  /**
   * @param {{width: number, height: number, groups: Group[]}} scene
   */
  draw({width, height, groups}) {
    const viewBox = `0 0 ${width} ${height}`;
    if (this.root.getAttribute('viewBox') !== viewBox) {
      put(null, this.root, {viewBox, width, height}); // the same again would lay it out anew
    }
    const names = groups.map(({name}) => name).join();
    if (names !== this.names) {
      this.root.replaceChildren();
      this.groups.clear();
      this.names = names;
    }
    for (const {name, key, make} of groups) this.show(name, key, make);
  }
  show(name, key, make) {
    const known = this.groups.get(name);
    if (known?.key === key) return;
    const node = known?.node ?? svg(this.root, 'g');
    const {strokes, hits = []} = make();
    node.replaceChildren(...strokes.map(({tag, look, text}) => svg(null, tag, look, text)));
    this.groups.set(name, {node, key, hits});
  }
  /** The place under the pointer, null if none is; of dots that overlap the nearest. */
  under(event) {
    if (!this.root.clientWidth) return null;
    const [x, y] = localPoint(this.root, event);
    const inside = ({x: left, y: top, w, h}) =>
      x >= left && x < left + w && y >= top && y < top + h;
    const found = [...this.groups.values()].flatMap(({hits}) => hits.filter(inside));
    const far = one => Math.hypot(x - one.x - one.w / 2, y - one.y - one.h / 2);
    return found.reduce((a, b) => (a && far(a) <= far(b) ? a : b), null)?.place ?? null;
  }
}
