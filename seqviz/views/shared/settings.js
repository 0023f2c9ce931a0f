// The settings of a point in words, for what is drawn and saved.

import {textAt} from './marks.js';
import {cutTo, readable} from './texts.js';

/**
 * Settings in words, so that a saved picture tells them.
 * @param {Object} facts
 * @param {Object} at the value of each setting
 * @returns {string}
 */
export const settingsText = (facts, at) =>
  facts.choices
    .map(
      ({name, values, texts}) => `${readable(name)} ${readable(texts[values.indexOf(at[name])])}`,
    )
    .join(', ');

/**
 * Writes the settings under a plot, beside its title or in a row of their own.
 * @returns {number} the height of that row
 */
export function settingsRow(root, {facts, at, W, measure}, x, y, room) {
  if (!facts.choices.length) return 0;
  const text = settingsText(facts, at);
  const own = measure(text) > room;
  const below = own ? 18 : 0;
  textAt(root, own ? 0 : x, y + below, cutTo(text, own ? W : room, measure), 'soft');
  return below;
}
