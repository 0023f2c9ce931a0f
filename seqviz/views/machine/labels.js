// The tokens as they are shown: as people read them, one that comes twice with its place.

import {readable} from '../shared/texts.js';

const LONGEST = 18; // letters
const lowered = place => String(place).replace(/\d/g, digit => '₀₁₂₃₄₅₆₇₈₉'[digit]);
const isSign = text => /^[^\p{L}\p{N}]$/u.test(text);
/**
 * A token in quotation marks, which it may have already.
 * @param {string} label
 * @returns {string}
 */
export const quoted = label => (label.startsWith('“') ? label : `“${label}”`);
function namesOf(tokens) {
  const names = tokens.map(token => readable(token, LONGEST));
  return names.map((name, place) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return `${isSign(name) ? quoted(name) : name}${lowered(place)}`;
  });
}
/**
 * What the tokens of both sides are called.
 * @param {{source: string[], target?: string[]}} tokens
 * @returns {{source: string[], target: string[]}}
 */
export const labelsOf = ({source, target = []}) => ({
  source: namesOf(source),
  target: namesOf(target),
});
