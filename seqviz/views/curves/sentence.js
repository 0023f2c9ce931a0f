// What the curves say; sentence.py says the same.

import {readable} from '../shared/base.js';
import {decimals, figures} from '../shared/chart.js';

/**
 * A value with as many places as the axis needs: 0.001 beside 0.224.
 * @param {number} value NaN for none
 * @param {number | null} places null where only powers of ten are short
 * @returns {string}
 */
export function valueText(value, places) {
  if (Number.isNaN(value)) return 'no value';
  return places === null ? figures(value) : decimals(value, places);
}
/**
 * The value of each curve at the cursor.
 * @param {GridScene} scene
 * @returns {(string | Object)[]} pieces for say()
 */
export function curveSentence({facts, point, t}) {
  const token = point.tokens ? [', ', {i: readable(point.tokens[t])}] : [];
  const values = point.models.flatMap(([curve], k) => [
    k ? ', ' : '',
    readable(facts.models[k]) + ' ',
    {b: valueText(curve[t], facts.places)},
  ]);
  return [`At ${readable(facts.x)} ${t + 1}`, ...token, ': ', ...values, '.'];
}
