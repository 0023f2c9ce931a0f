// Nodes of a page: text goes in as textContent only.

import {keyCap} from './key_caps.js';

/**
 * A new HTML element with attributes and text, under a parent if one is given.
 * @param {Element | null} parent
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {string} [text] goes in as textContent
 * @returns {Element}
 */
export function html(parent, tag, attributes = {}, text) {
  return put(parent, document.createElement(tag), attributes, text);
}
/** The same of an SVG element. */
export function svg(parent, tag, attributes = {}, text) {
  return put(parent, document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, text);
}
/**
 * Sets attributes and text of a node and adds it to a parent.
 * @param {Element | null} parent
 * @param {Element} node
 * @param {Object<string, any>} attributes
 * @param {string} [text]
 * @returns {Element} the node
 */
export function put(parent, node, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent?.appendChild(node);
  return node;
}
/** Writes a text unless it stands there: a live region must not say it again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
/** Pieces of a sentence as one text. */
export const plainText = pieces =>
  pieces.map(piece => (typeof piece === 'string' ? piece : Object.values(piece)[0])).join('');
/**
 * Writes a sentence, unless it stands there.
 * @param {Element} paragraph
 * @param {(string | {b: string} | {i: string} | {kbd: string})[]} pieces plain, in focus, a token
 */
export function say(paragraph, pieces) {
  if (paragraph.textContent === plainText(pieces)) return;
  paragraph.replaceChildren(
    ...pieces.map(piece => {
      if (typeof piece === 'string') return document.createTextNode(piece);
      const [tag, text] = Object.entries(piece)[0];
      return tag === 'kbd' ? keyCap(text) : html(null, tag, {}, text);
    }),
  );
  paragraph.dispatchEvent(new CustomEvent('said', {bubbles: true}));
}
/**
 * Pieces of a sentence for say(), from a template: what stands in it is text, or is in pieces.
 * @example phrase`${{i: token}} stays with ${{b: score}}.`
 * @returns {(string | Object)[]}
 */
export const phrase = (texts, ...given) =>
  texts
    .flatMap((text, k) => [text, given[k] ?? ''].flat())
    .map(piece => (typeof piece === 'object' ? piece : String(piece)))
    .filter(Boolean);
/**
 * Pieces of a text for say(): what stands in brackets is a key.
 * @param {string} text
 * @returns {(string | {kbd: string})[]}
 */
export const withKeys = text =>
  text
    .split(/(\[[^\]]+\])/)
    .filter(Boolean)
    .map(part => (part.startsWith('[') ? {kbd: part.slice(1, -1)} : part));
/**
 * Texts that grow and shrink must not move what is under the pointer. All are measured at
 * once: each measuring lays the page out.
 * @param {HTMLElement[]} nodes
 * @param {number} width of the view; at another one they begin anew
 */
export function holdHeights(nodes, width) {
  for (const node of nodes) {
    if (node.dataset.width !== String(width)) node.style.minHeight = '';
    node.dataset.width = width;
  }
  const heights = nodes.map(({offsetHeight}) => offsetHeight);
  nodes.forEach((node, i) => {
    node.style.minHeight = `${heights[i]}px`;
  });
}
