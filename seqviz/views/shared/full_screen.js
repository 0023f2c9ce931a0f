// A view that fills the screen: the browser's full screen, or where that is refused, as in a frame
// of another page, a layer over the window. What is secondary is folded away.

import {button} from './controls.js';
import {onTyping} from './keys.js';
import {fitView} from './scale.js';

const isLayer = host => host.classList.contains('seqviz-layer');
const fills = host => isLayer(host) || host.getRootNode().fullscreenElement === host;

function layer(host, on) {
  host.classList.toggle('seqviz-layer', on);
  if (on) host.popover = 'manual'; // over whatever stands on the page
  if (on) host.showPopover?.();
  else host.removeAttribute('popover');
  host.dispatchEvent(new Event('fullscreenchange', {bubbles: true}));
}
function fillScreen(host) {
  const refused = () => layer(host, true);
  return document.fullscreenEnabled ? host.requestFullscreen().catch(refused) : refused();
}
const leaveScreen = host => (isLayer(host) ? layer(host, false) : document.exitFullscreen());
/**
 * The button that fills the screen and leaves it, with the keys F, C (unfolds the controls) and
 * Escape. The view's parent fills the screen, as a live view may be drawn anew in there.
 * @param {Element} group where the button goes
 * @param {Element} root of the view
 * @param {AbortSignal} signal
 */
export function fullScreen(group, root, signal) {
  const host = () => root.parentElement;
  const toggle = () => (fills(host()) ? leaveScreen(host()) : fillScreen(host()));
  const node = button(group, '', {class: 'filler', title: 'key F'}, toggle);
  const unfold = () => {
    root.classList.toggle('folded');
    show();
    fitView(root);
  };
  const folder = button(root, '', {class: 'unfold'}, unfold);
  signal.addEventListener('abort', () => folder.remove());
  function show() {
    node.textContent = fills(host()) ? 'Leave full screen' : 'Full screen';
    folder.textContent = root.classList.contains('folded') ? 'Controls · C' : 'Fold · C';
  }
  function change() {
    const full = fills(host());
    if (full === root.classList.contains('full')) return;
    root.classList.toggle('full', full);
    root.classList.toggle('folded', full);
    show();
    fitView(root);
    const next = full ? root.querySelector('.stage') : node;
    next?.focus({preventScroll: true, focusVisible: false});
  }
  document.addEventListener('fullscreenchange', change, {signal});
  window.addEventListener('resize', () => fills(host()) && fitView(root), {signal});
  const keys = {f: toggle, c: () => fills(host()) && unfold()};
  onTyping(root, keys, signal, () => fills(host()));
  const escape = event => {
    if (event.key !== 'Escape' || !isLayer(host())) return;
    if (event.target.closest('[role="menu"]')) return; // closes that
    event.stopPropagation();
    layer(host(), false);
  };
  root.addEventListener('keydown', escape, {signal, capture: true});
  show();
  change();
}
