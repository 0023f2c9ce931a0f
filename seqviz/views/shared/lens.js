// What a resting finger sees over itself: the stage, larger, or what a control is for.

import {html} from './nodes.js';
import {localBox, localPoint} from './scale.js';

const OVER_FINGER = 40; // pixels from the finger
const LARGER = 2.4;

export class Lens {
  constructor(root) {
    this.root = root;
    this.node = html(null, 'div', {class: 'lens', 'aria-hidden': true, inert: ''});
    this.node.popover = 'manual'; // over whatever stands on the page
  }
  /** @param {string} [told] in place of what is larger */
  open(told = '') {
    this.node.classList.toggle('told', told !== '');
    this.node.textContent = told;
    this.root.append(this.node);
    this.node.showPopover?.();
  }
  close() {
    this.node.remove();
    this.node.replaceChildren();
  }
  /** Stands over the finger, at the upper edge of the window beside it. */
  standAt(event) {
    const {node, root} = this;
    const [dx, dy] = localPoint(root, event);
    const box = localBox(root);
    const [x, y] = [box.x + dx, box.y + dy];
    const {offsetWidth: width, offsetHeight: height} = node;
    const most = localBox(document.documentElement).width - width - 4;
    const top = y - OVER_FINGER - height;
    const beside = x < most / 2 ? OVER_FINGER : -OVER_FINGER - width;
    const left = x + (top < 4 ? beside : -width / 2);
    node.style.left = `${Math.max(4, Math.min(most, left))}px`;
    node.style.top = `${Math.max(4, top)}px`;
  }
  magnify(stage, event) {
    const [x, y] = localPoint(stage, event);
    const {clientWidth, clientHeight} = this.node;
    const copy = stage.cloneNode(true);
    Object.assign(copy.style, {
      position: 'absolute',
      inset: '0 auto auto 0',
      margin: 0,
      width: `${stage.offsetWidth}px`,
      height: `${stage.offsetHeight}px`,
      transformOrigin: '0 0',
      translate: `${clientWidth / 2 - LARGER * x}px ${clientHeight / 2 - LARGER * y}px`,
      scale: LARGER,
    });
    // radio buttons of one name are one choice
    for (const control of copy.querySelectorAll('[name]')) control.removeAttribute('name');
    this.node.replaceChildren(copy);
    const copies = copy.querySelectorAll('*');
    [...stage.querySelectorAll('*')].forEach((node, k) => completeCopy(node, copies[k]));
  }
}
// What cloning leaves behind.
function completeCopy(node, copy) {
  if (node.scrollTop) copy.scrollTop = node.scrollTop;
  const painted = node.localName === 'canvas' && node.width && node.height;
  if (painted) copy.getContext('2d').drawImage(node, 0, 0);
}
