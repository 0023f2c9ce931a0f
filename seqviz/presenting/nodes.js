// Nodes of the page; text goes in as textContent only.

/** The first element under another that a selector names. */
export const find = (selector, under) => under.querySelector(selector);
/** All of them. */
export const all = (selector, under) => [...under.querySelectorAll(selector)];
/**
 * A new element with attributes and text.
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, text = '') {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}
