// A narrow view in a low window shows its picture; what stands under that is closed until a button
// at the end of the view opens it, one part at a time. Which those are the style sheet says.

import {button} from './controls.js';
import {html, svg} from './nodes.js';

/** Whether the window is low, so that a narrow view shows less at once; as tokens.css has it. */
export const lowWindow = () => matchMedia('(max-height: 640px)');

/**
 * The buttons: one for the nodes of the class `beneath`, if a view has some, one for its foot.
 * @param {Element} root
 * @param {string} [name] of what stands under the picture
 * @param {AbortSignal} signal
 */
export function closeBeneath(root, name, signal) {
  const label = {role: 'group', 'aria-label': 'more of this view'};
  const row = html(null, 'div', {class: 'openers', ...label});
  const redraw = () => root.dispatchEvent(new CustomEvent('resized'));
  const open = part => {
    root.dataset.beneath = root.dataset.beneath === part ? '' : part;
    show();
    redraw();
    const seen = [row, root.querySelector({part: '.beneath', foot: '.foot'}[part])];
    for (const node of seen) node.scrollIntoView({block: 'nearest'});
  };
  const parts = Object.entries({...(name && {part: name}), foot: 'Legend and keys'});
  const nodes = parts.map(([part, text]) => [
    part,
    button(row, text, {'data-part': part}, () => open(part)),
  ]);
  const show = () =>
    nodes.forEach(([part, node]) =>
      node.setAttribute('aria-expanded', root.dataset.beneath === part),
    );
  queueMicrotask(() => {
    if (signal.aborted) return;
    show(); // a view made anew may have a part open
    root.append(row); // after what is made by then
  });
  lowWindow().addEventListener('change', redraw, {signal});
  signal.addEventListener('abort', () => row.remove());
}

/**
 * A drawing that goes on where that of the picture ends, in its coordinates.
 * @param {Element} stage
 * @param {number} W pixels across
 * @param {number} from pixels down
 * @param {number} to pixels down
 * @returns {SVGElement}
 */
export const drawnBeneath = (stage, W, from, to) =>
  svg(stage, 'svg', {
    class: 'beneath',
    'aria-hidden': true,
    viewBox: `0 ${from} ${W} ${to - from}`,
    height: to - from,
  });
