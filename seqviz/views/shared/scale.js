// How large a view is. Its arithmetic is in local pixels, those of a text of 14; CSS zoom makes
// them as large as the reader's text, or as the screen that the view fills. Boxes and pointers
// come in pixels of the window: what compares them with a drawing asks for them here.

const TEXT = 14;
const SHEET = {width: 840, height: 476}; // local pixels that fill a screen: 60 x 34 em
const UNFOLDED = 0.75; // of that, with the controls or a part of the view unfolded
const SPARE = 1.2; // a sheet that is longer by no more than this is made smaller, else it scrolls

const texts = new WeakMap(); // of a root, the reader's size of text over ours
// WebKit does not tell the zoom of a node, and its boxes are in the node's local pixels.
const tellsZoom = 'currentCSSZoom' in Element.prototype;
const zoomOf = node => node.currentCSSZoom ?? zoomAbove(node);
function zoomAbove(node) {
  let zoom = 1;
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    zoom *= Number(getComputedStyle(at).zoom) || 1;
  }
  return zoom;
}

/**
 * Zooms a view to the reader's text, or to the screen that it fills; tells it with `resized`.
 * @param {Element} root
 */
export function fitView(root) {
  const text = Math.max(1, texts.get(root) ?? 1);
  const {innerWidth: width, innerHeight: height} = window;
  const hall = Math.min(width / SHEET.width, height / SHEET.height);
  const {classList} = root;
  const folded = classList.contains('folded') && !classList.contains('opened');
  const fills = classList.contains('full') ? hall * (folded ? 1 : UNFOLDED) : 0;
  const zoom = Math.max(text, fills);
  classList.remove('scrolls');
  zoomTo(root, zoom);
  const over = root.scrollHeight / root.clientHeight;
  if (fills && over > 1 && over <= SPARE) zoomTo(root, Math.max(text, zoom / over));
  classList.toggle('scrolls', fills > 0 && root.scrollHeight > root.clientHeight + 4);
}
function zoomTo(root, zoom) {
  root.style.setProperty('--sv-zoom', zoom.toFixed(4));
  root.dispatchEvent(new CustomEvent('resized'));
}
// The columns of a view stay beside each other: it grows with the text as far as they have room.
function growthIn(el, root) {
  const room = el.clientWidth / parseFloat(getComputedStyle(root).getPropertyValue('--sv-columns'));
  return room >= 1 ? room : Infinity;
}
/**
 * Follows the size of the reader's text, which Lab's presentation mode and its menu change.
 * @param {Element} el the parent of the root, which has no zoom
 * @param {Element} root
 * @param {AbortSignal} signal
 */
export function followText(el, root, signal) {
  const probe = document.createElement('span');
  const size = 'var(--jp-content-font-size1, 14px)';
  probe.style.cssText = `position:absolute;visibility:hidden;height:0;width:${size}`;
  el.append(probe);
  const watcher = new ResizeObserver(() => {
    const width = parseFloat(getComputedStyle(probe).width);
    const text = Math.min(width / TEXT, growthIn(el, root));
    if (!(width > 0) || text === (texts.get(root) ?? 1)) return; // hidden, or as before
    texts.set(root, text);
    fitView(root);
  });
  for (const node of [probe, el]) watcher.observe(node);
  signal.addEventListener('abort', () => {
    watcher.disconnect();
    probe.remove();
  });
}
/**
 * Where a node stands in the window, in local pixels.
 * @param {Element} node
 * @returns {DOMRect}
 */
export function localBox(node) {
  const {x, y, width, height} = node.getBoundingClientRect();
  const zoom = tellsZoom ? zoomOf(node) : 1;
  return new DOMRect(x / zoom, y / zoom, width / zoom, height / zoom);
}
/**
 * Where an event of the pointer lies in a node, in local pixels from its corner.
 * @param {Element} node
 * @param {{clientX: number, clientY: number}} event
 * @returns {[number, number]}
 */
export function localPoint(node, {clientX, clientY}) {
  const {x, y} = localBox(node);
  const zoom = zoomOf(node);
  return [clientX / zoom - x, clientY / zoom - y];
}
/**
 * Whether an event of the pointer lies in a node.
 * @param {Element} node
 * @param {{clientX: number, clientY: number}} event
 * @returns {boolean}
 */
export function liesIn(node, event) {
  const [x, y] = localPoint(node, event);
  const {width, height} = localBox(node);
  return x >= 0 && x < width && y >= 0 && y < height;
}
/**
 * Pixels of the device to a local one: what a canvas needs to be sharp.
 * @param {Element} node
 * @returns {number}
 */
export const sharpness = node => (window.devicePixelRatio || 1) * zoomOf(node);
/**
 * Local pixels from the top of a node to the end of the screen that its view fills; null if it
 * fills none. What stands under the node may need some of them.
 * @param {Element} node
 * @returns {number | null}
 */
export function heightLeft(node) {
  const root = node.closest('.seqviz');
  if (!root.classList.contains('full')) return null;
  const {paddingBottom} = getComputedStyle(root);
  const top = localBox(node).y - localBox(root).y + root.scrollTop;
  return window.innerHeight / zoomOf(root) - top - parseFloat(paddingBottom);
}
