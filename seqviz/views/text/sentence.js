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
/** What the unit does at the token in focus, or over the whole text where `t` is -1. */
export function headline({reading, values, unit, t}) {
  const label = unitLabel(reading, unit);
  const name = label[0].toUpperCase() + label.slice(1);
  if (t < 0) return overall(name, reading, values);
  const is = {b: `${name} is ${number(values[t])}`};
  const start = phrase`${is} at ${quoted(reading.tokens[t])}`;
  const next = reading.expected(t);
  if (!next) return phrase`${start}, ${reading.kind} ${t + 1} of ${reading.T}.`;
  const [{token, p}] = next.guesses;
  return phrase`${start}; next the model expects ${quoted(token)} (${share(p)})${surprise(next)}`;
}
const quoted = token => phrase`“${{i: readable(token, 12)}}”`;
function overall(name, reading, values) {
  const far = values.reduce(
    (best, value, t) => (Math.abs(value) > Math.abs(values[best]) ? t : best),
    0,
  );
  const ends = `from ${number(Math.min(...values))} to ${number(Math.max(...values))}`;
  const place = phrase`${quoted(reading.tokens[far])}, ${reading.kind} ${far + 1}`;
  return phrase`${{b: `${name} goes ${ends}`}}; it is strongest at ${place}.`;
}
function surprise({came, p, rank}) {
  if (came === undefined) return '.';
  if (rank === 1) return ', and it came.';
  const chance = Number.isNaN(p) ? 'unknown to it' : share(p);
  return phrase`, but ${quoted(came)} came (${chance}).`;
}
