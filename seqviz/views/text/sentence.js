// The words over the text, and the names and numbers in them.

import {phrase} from '../shared/nodes.js';
import {readable, share, signed} from '../shared/texts.js';

/** A value with two decimals. */
export const number = value =>
  Math.abs(value) < 1000 ? signed(value) : value.toExponential(1).replace(/^-/, '−');

/** A unit by its name, of which there is room for `most` letters; a lone one has no number. */
export function unitLabel({name, units}, unit, most = Infinity) {
  const short = readable(name, most);
  return units > 1 ? `${short} ${unit}` : short;
}
/** What the unit does at the token in focus, or which tokens carry it where `t` is -1. */
export function headline({reading, values, unit, t}) {
  const label = unitLabel(reading, unit);
  if (t < 0) return overall(label, reading, values);
  const name = label[0].toUpperCase() + label.slice(1);
  const is = {b: `${name} is ${number(values[t])}`};
  const start = phrase`${is} at ${quoted(reading.tokens[t])}`;
  const next = reading.expected(t);
  if (!next) return phrase`${start}, ${placeAmong(values, t)} of ${reading.T} ${reading.kind}s.`;
  const [{token, p}] = next.guesses;
  return phrase`${start}; next the model expects ${quoted(token)} (${share(p)})${surprise(next)}`;
}
const quoted = token => phrase`“${{i: readable(token, 12)}}”`;
/** How large a value is among all, whatever its sign. */
function placeAmong(values, t) {
  const larger = values.filter(value => Math.abs(value) > Math.abs(values[t])).length;
  return larger ? `number ${larger + 1} in size` : 'the largest';
}
/** How many of the values make up half of all, whatever their signs. */
function countOfHalf(values) {
  const sizes = Array.from(values, Math.abs).sort((a, b) => b - a);
  const half = sizes.reduce((sum, size) => sum + size, 0) / 2;
  let carried = 0;
  return 1 + sizes.findIndex(size => (carried += size) >= half);
}
function overall(label, {tokens, kind, T}, values) {
  const far = values.reduce(
    (best, value, t) => (Math.abs(value) > Math.abs(values[best]) ? t : best),
    0,
  );
  if (!values[far]) return [{b: `${label} is 0 at every ${kind}`}, '.'];
  const count = countOfHalf(values);
  const carry = `${count} of ${T} ${kind}s ${count > 1 ? 'carry' : 'carries'} half of ${label}`;
  const most = phrase`${quoted(tokens[far])} (${number(values[far])})`;
  return phrase`${{b: carry}}${count > 1 ? ', most of all ' : ': '}${most}.`;
}
function surprise({came, p, rank}) {
  if (came === undefined) return '.';
  if (rank === 1) return ', and it came.';
  const chance = Number.isNaN(p) ? 'unknown to it' : share(p);
  return phrase`, but ${quoted(came)} came (${chance}).`;
}
