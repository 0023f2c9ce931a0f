// Keys that are named on the page can be pressed there: by a finger, where there is no keyboard.

const KEY_NAMES = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '⏎': 'Enter',
  '⌫': 'Backspace',
  '−': '-',
  Esc: 'Escape',
  Space: ' ',
};
const CAPS = /[←→↑↓]|\s+|[^←→↑↓\s]+/gu;

const keyNamed = name => KEY_NAMES[name] ?? (name.length === 1 ? name.toLowerCase() : name);
/**
 * Makes a node stand for a key, or for none.
 * @param {Element} node
 * @param {string | null} key as KeyboardEvent has it
 */
export function standForKey(node, key) {
  if (key === null) {
    delete node.dataset.presses;
    node.removeAttribute('role');
    return;
  }
  node.dataset.presses = key;
  const byFinger = matchMedia('(any-pointer: coarse)').matches;
  if (byFinger) node.setAttribute('role', 'button');
}
/**
 * Keys in a frame; each may be pressed.
 * @param {string} text such as 'Esc' or '←→'
 * @returns {Element}
 */
export function keyCap(text) {
  const frame = document.createElement('kbd');
  for (const name of text.match(CAPS) ?? []) {
    const cap = document.createElement('span');
    cap.textContent = name;
    if (name.trim()) standForKey(cap, keyNamed(name));
    frame.append(name.trim() ? cap : name);
  }
  return frame;
}
/**
 * A click of our own.
 * @param {Element} node
 * @param {Object} more of the event
 */
export function clickAt(node, more) {
  const look = {bubbles: true, composed: true, cancelable: true};
  node.dispatchEvent(new PointerEvent('click', {...look, ...more}));
}
/**
 * Hands keys that are pressed on the page to the stage; Shift is held for the next click.
 * @param {Element} root
 * @param {AbortSignal} signal
 */
export function pressKeyCaps(root, signal) {
  const held = () => root.querySelector('[data-presses="Shift"][aria-pressed="true"]');
  const shifted = event => {
    const {target, clientX, clientY, pointerType} = event;
    const cap = held();
    if (!cap || event.shiftKey || target.closest('[data-presses]')) return;
    event.stopPropagation();
    event.preventDefault();
    cap.setAttribute('aria-pressed', false);
    clickAt(target, {clientX, clientY, pointerType, shiftKey: true});
  };
  const pressed = ({target}) => {
    const cap = target.closest('[data-presses]');
    if (!cap) return;
    const key = cap.dataset.presses;
    if (key === 'Shift') {
      cap.setAttribute('aria-pressed', cap !== held());
      return;
    }
    const press = {key, bubbles: true, composed: true, cancelable: true};
    root.querySelector('.stage').dispatchEvent(new KeyboardEvent('keydown', press));
  };
  root.addEventListener('click', shifted, {signal, capture: true});
  root.addEventListener('click', pressed, {signal});
}
