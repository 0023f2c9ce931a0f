// The life of a view: everything that listens ends with its signal. It follows the theme and the
// size of its place, and tells Python what its picture says.

import {followFingers} from './fingers.js';
import {pressKeyCaps} from './key_caps.js';
import {escapeAnywhere, keepPlainKeys} from './keys.js';
import {html} from './nodes.js';
import {openAnyhow} from './opened.js';
import {followText} from './scale.js';
import {stand} from './surface.js';

/**
 * The root of a view, and its life: everything that listens ends with the signal.
 * @param {Element} el where the view goes
 * @param {string} name what `data-view` says
 * @param {string} label what a screen reader says
 * @param {Object} model
 * @returns {{root: Element, signal: AbortSignal, end: () => void}}
 */
export function mount(el, name, label, model) {
  const life = new AbortController();
  const root = html(el, 'div', {
    class: 'seqviz',
    'data-view': name,
    role: 'group',
    'aria-label': label,
  });
  keepPlainKeys(root, life.signal);
  escapeAnywhere(root, life.signal);
  pressKeyCaps(root, life.signal);
  followFingers(root, life.signal);
  openAnyhow(root, model, life.signal);
  report(root, model, life.signal);
  followText(el, root, life.signal);
  return {
    root,
    signal: life.signal,
    end: () => {
      life.abort();
      root.remove();
    },
  };
}
/**
 * Tells Python what the picture says, but for what is only pointed at. Where nobody is there to
 * hear it, nobody needs it.
 * @param {Element} root
 * @param {Object} model
 * @param {AbortSignal} signal
 */
function report(root, model, signal) {
  const told = ({target}) => {
    if (!target.matches('.say')) return;
    queueMicrotask(() => {
      if (signal.aborted || target.getAttribute('aria-live') === 'off') return;
      model.set('said', target.textContent);
      try {
        model.save_changes();
      } catch {
        // no kernel
      }
    });
  };
  root.addEventListener('said', told, {signal});
}
/**
 * Stands on its host's surface, see surface.js; draws again when that changes.
 * @param {Element} root
 * @param {() => void} redraw
 * @param {AbortSignal} signal
 */
export function followTheme(root, redraw, signal) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const settle = () => {
    const {jpThemeLight: light} = document.body.dataset;
    return stand(root, light ? light === 'false' : undefined, system.matches);
  };
  let now = settle();
  const update = always => {
    const before = now;
    now = settle();
    if (now === before && !always) return;
    requestAnimationFrame(() => {
      if (signal.aborted) return;
      now = settle();
      if (root.clientWidth) redraw(); // Jupyter hides the page for a moment
    });
  };
  const watcher = new MutationObserver(changes =>
    update(changes.some(({attributeName}) => attributeName.startsWith('data-jp'))),
  );
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, {attributes: true, attributeFilter: THEMED});
  }
  system.addEventListener('change', () => update(true), {signal});
  signal.addEventListener('abort', () => watcher.disconnect());
}
// Where hosts say which theme they have.
const THEMED = [
  'data-jp-theme-light',
  'data-jp-theme-name',
  'data-vscode-theme-kind',
  'data-theme',
  'class',
  'style',
];
/**
 * Draws again, and so asks again, where a view that lacks something comes into sight: some hosts
 * lose what is said out of it.
 * @param {Element} root
 * @param {() => void} redraw
 * @param {AbortSignal} signal
 */
export function followSight(root, redraw, signal) {
  const problem = root.querySelector('.problem');
  const watcher = new IntersectionObserver(changes => {
    const lacks = root.getAttribute('aria-busy') === 'true' || problem.textContent;
    if (lacks && changes.at(-1).isIntersecting) redraw();
  });
  watcher.observe(root);
  signal.addEventListener('abort', () => watcher.disconnect());
}
/**
 * Draws again at a new width, and when the view is zoomed or fills the screen; a hidden view waits
 * until it is shown.
 * @param {Element} node
 * @param {() => void} redraw
 * @param {AbortSignal} signal
 */
export function followSize(node, redraw, signal) {
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    if (width) redraw();
  });
  watcher.observe(node);
  signal.addEventListener('abort', () => watcher.disconnect());
  const resized = () => {
    width = node.clientWidth;
    if (width) redraw();
  };
  node.closest('.seqviz').addEventListener('resized', resized, {signal});
}
