// Colours of the theme, and between them.

import {lightness} from './surface.js';

/**
 * The colours of the theme: scales `seq`, `div`, `cat` as lists, the others by name.
 * @param {Element} root
 * @returns {Object}
 */
export function palette(root) {
  const style = getComputedStyle(root);
  const token = name => style.getPropertyValue('--sv-' + name).trim();
  const tone = Object.fromEntries(
    ['seq', 'div', 'cat'].map(name => [
      name,
      token(name)
        .split(',')
        .map(s => s.trim()),
    ]),
  );
  for (const name of ['bg', 'panel', 'rule', 'ink', 'focus', 'second', 'wrong', 'ring']) {
    tone[name] = token(name);
  }
  return {...tone, soft: token('ink-2')};
}
/**
 * Red, green and blue of `#rrggbb`.
 * @param {string} hex
 * @returns {number[]}
 */
export const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
/**
 * The colour at a share of a scale.
 * @param {string[]} scale
 * @param {number} share from 0 to 1
 * @returns {string} `#rrggbb`
 */
export function ramp(scale, share) {
  const x = Math.max(0, Math.min(1, share)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(x));
  const from = channels(scale[i]);
  const to = channels(scale[i + 1]);
  return (
    '#' +
    from
      .map((v, k) =>
        Math.round(v + (to[k] - v) * (x - i))
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  );
}
/**
 * Black or white, whichever is legible on a colour.
 * @param {string} hex
 * @returns {string}
 */
export const inkOn = hex => (lightness(channels(hex)) > 0.179 ? '#000000' : '#ffffff');
