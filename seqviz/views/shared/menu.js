// A button that opens a small menu.

import {button} from './controls.js';
import {onKeys} from './keys.js';
import {html} from './nodes.js';

/**
 * A button that opens a menu under itself: arrows move in there, Escape and what is outside
 * close it.
 * @param {Element} parent
 * @param {string} text of the button
 * @param {[string, string, () => void][]} entries name, what it is, what it does
 * @param {AbortSignal} signal
 */
export function menu(parent, text, entries, signal) {
  const box = html(parent, 'span', {class: 'menu'});
  const show = open => {
    list.hidden = !open;
    opener.setAttribute('aria-expanded', open);
  };
  const opener = button(box, text, {'aria-haspopup': 'menu', 'aria-expanded': false}, () => {
    show(list.hidden);
    if (!list.hidden) items[0].focus();
  });
  const list = html(box, 'span', {role: 'menu', 'aria-label': text, hidden: ''});
  const close = () => {
    show(false);
    opener.focus();
  };
  const items = entries.map(([name, what, action]) => {
    const chosen = () => {
      close();
      action();
    };
    const item = button(list, name, {role: 'menuitem', tabindex: -1}, chosen);
    html(item, 'small', {}, what);
    return item;
  });
  const move = by => {
    const at = items.indexOf(document.activeElement);
    items[(at + by + items.length) % items.length].focus();
  };
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => items[0].focus(),
    End: () => items.at(-1).focus(),
    Escape: close,
  };
  onKeys(list, keys, signal);
  const left = ({relatedTarget}) => box.contains(relatedTarget) || show(false);
  box.addEventListener('focusout', left, {signal});
}
