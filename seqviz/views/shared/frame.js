// The frame that views share: heading, sentence, controls and problems above the stage, a picture
// without what is only for the hand, and what draws a view again.

import {followSize, followTheme, html, mount} from './base.js';

/**
 * What stands above the stage, from the top down.
 * @param {Element} root of the view
 * @returns {{top: Element, heading: Element, said: Element, bar: Element, problem: Element}}
 */
export function headOf(root) {
  const top = html(root, 'div', {class: 'top'});
  return {
    top,
    heading: html(top, 'h2'),
    said: html(root, 'p', {class: 'say', 'aria-live': 'polite'}),
    bar: html(root, 'div', {class: 'bar'}),
    problem: html(root, 'p', {class: 'problem', role: 'alert'}),
  };
}
/**
 * Takes a picture of a view without what is only for the hand.
 * @template T
 * @param {{root: Element, draw: () => void}} view
 * @param {() => T} take
 * @returns {T}
 */
export function pictured(view, take) {
  view.root.classList.add('pictured');
  view.draw();
  try {
    return take();
  } finally {
    view.root.classList.remove('pictured');
    view.draw();
  }
}
/**
 * Shows a view: drawn now, and again with the theme and the size, until its end.
 * @param {{model: Object, el: Element}} place
 * @param {Function} View a class whose views have `stage`, `listen` and `draw`
 * @param {string} name what `data-view` says
 * @param {string} label what a screen reader says
 * @returns {() => void} ends the view
 */
export function showView({model, el}, View, name, label) {
  const {root, signal, end} = mount(el, name, label, model);
  const view = new View({model, root, signal});
  view.listen();
  followTheme(root, () => view.draw(), signal);
  followSize(view.stage, () => view.draw(), signal);
  view.draw();
  return end;
}
