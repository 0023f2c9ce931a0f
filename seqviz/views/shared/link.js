// The controls of a view as a whole: back to where they stood, and as the address of a page says,
// `page.html#step=4&layer=2`.

import {keep} from './kernel.js';
import {readable} from './texts.js';

/**
 * @typedef {(text: string) => any} Reader the value that a text means to a control, undefined if
 * it means none
 */

/** @returns {Reader} of a number from `low` to `high`, a whole one unless said otherwise */
export const numberIn =
  (low, high, whole = true) =>
  text => {
    const value = text.trim() === '' ? NaN : Number(text);
    const fits = value >= low && value <= high && (!whole || Number.isInteger(value));
    return fits ? value : undefined;
  };
/** @returns {Reader} of one of these values */
export const oneOf = values => text => values.find(value => String(value) === text);
/**
 * Sets controls back to where they stood when this was called.
 * @param {Object} model
 * @param {string[]} names
 * @param {(problem: string) => void} complain
 * @returns {() => void}
 */
export function resetter(model, names, complain) {
  const start = Object.fromEntries(names.map(name => [name, model.get(name)]));
  return () => {
    complain('');
    keep(model, start, complain);
  };
}
/**
 * Sets the controls that the address of a page names, now and when it changes. What is no value of
 * a control is told.
 * @param {Object} view `root`, `model`, `complain`, and `controls`, which gives a reader of each
 * control, or of a dictionary readers of its entries
 * @param {AbortSignal} signal
 */
export function followLink({root, model, complain, controls}, signal) {
  const follow = () => {
    const wrong = [];
    const wanted = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
    for (const name of Object.keys(controls())) take(name, wanted, wrong);
    // else another view may know it, or the page
    const alone = document.querySelectorAll('body > .seqviz-page').length === 1;
    if (alone) wrong.push(...[...wanted.keys()].map(name => `no control ${readable(name)}`));
    if (wrong.length) complain(`The link names what this view does not have: ${wrong.join(', ')}.`);
  };
  function read(reader, name, wanted, wrong) {
    if (!wanted.has(name)) return undefined;
    const text = wanted.get(name);
    wanted.delete(name);
    const value = reader(text);
    if (value === undefined) wrong.push(`no ${readable(name)} ${readable(text)}`);
    return value;
  }
  function take(name, wanted, wrong) {
    const reader = controls()[name]; // one may depend on another that has just been set
    if (!reader) return;
    if (typeof reader === 'function') {
      const value = read(reader, name, wanted, wrong);
      if (value !== undefined) keep(model, {[name]: value}, complain);
      return;
    }
    const entries = Object.entries(reader)
      .map(([entry, one]) => [entry, read(one, entry, wanted, wrong)])
      .filter(([, value]) => value !== undefined);
    const now = model.get(name);
    if (entries.length) keep(model, {[name]: {...now, ...Object.fromEntries(entries)}}, complain);
  }
  const drawn = new MutationObserver(() => {
    drawn.disconnect();
    follow();
  });
  drawn.observe(root, {attributeFilter: ['data-ready']});
  signal.addEventListener('abort', () => drawn.disconnect());
  addEventListener('hashchange', follow, {signal});
}
