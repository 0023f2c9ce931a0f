// What keys do, under a picture.

import {keyCap} from './key_caps.js';
import {html} from './nodes.js';

/**
 * Shows what keys do.
 * @param {Element} node
 * @param {[string, string][]} hints a key and what it does
 */
export function showHints(node, hints) {
  const key = JSON.stringify(hints);
  if (node.dataset.hints === key) return;
  node.dataset.hints = key;
  node.replaceChildren();
  for (const [name, does] of hints) {
    const hint = html(node, 'span');
    hint.append(keyCap(name), ` ${does}`);
  }
}
