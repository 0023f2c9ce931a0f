// How wide a text is in a view's own fonts.

import {measurer} from './texts.js';

/**
 * @typedef {((text: string, font?: string) => number) & {families: string}} Measure pixels that a
 * text is wide, in '12px' if no font is given; `families` says in which fonts
 */

/**
 * What measures texts for one drawing; ask again at the next, as fonts change with the theme.
 * A font is CSS without its family: '12px', '700 14px', '12px mono'.
 * @param {Element} root of the view
 * @returns {() => Measure}
 */
export function measuring(root) {
  const known = new Map();
  return () => {
    const style = getComputedStyle(root);
    const families = {sans: style.fontFamily, mono: style.getPropertyValue('--sv-mono')};
    const widthIn = font => {
      const size = font.replace(/ mono$/, '');
      const face = `${size} ${size === font ? families.sans : families.mono}`;
      return known.get(face) ?? known.set(face, measurer(face)).get(face);
    };
    const faces = new Map();
    const measure = (text, font = '12px') =>
      (faces.get(font) ?? faces.set(font, widthIn(font)).get(font))(text);
    return Object.assign(measure, {families: Object.values(families).join()});
  };
}
