// The words over the text, and the names and numbers in them.

import {readable, share, signed} from '../shared/texts.js';

/** A value with two decimals. */
export const number = value =>
  Math.abs(value) < 1000 ? signed(value) : value.toExponential(1).replace(/^-/, '−');

/** A unit by its name, of which there is room for `most` letters; a lone one has no number. */
export function unitLabel({name, units}, unit, most = Infinity) {
  const short = name.length > most ? name.slice(0, most - 1) + '…' : name;
  return units > 1 ? `${short} ${unit}` : short;
}
/** What the unit does at the token in focus, or over the whole text where `t` is -1. */
export function headline({reading, values, unit, t}) {
  const label = unitLabel(reading, unit);
  const name = label[0].toUpperCase() + label.slice(1);
  if (t < 0) return overall(name, reading, values);
  const pieces = [{b: `${name} is ${number(values[t])}`}, ' at ', ...quoted(reading.tokens[t])];
  const next = reading.expected(t);
  if (!next) return [...pieces, `, ${reading.kind} ${t + 1} of ${reading.T}.`];
  const [{token, p}] = next.guesses;
  return [
    ...pieces,
    '; next the model expects ',
    ...quoted(token),
    ` (${share(p)})`,
    ...surprise(next),
  ];
}
const quoted = token => ['“', {i: readable(token, 12)}, '”'];
function overall(name, reading, values) {
  const far = values.reduce(
    (best, value, t) => (Math.abs(value) > Math.abs(values[best]) ? t : best),
    0,
  );
  return [
    {b: `${name} goes from ${number(Math.min(...values))} to ${number(Math.max(...values))}`},
    '; it is strongest at ',
    ...quoted(reading.tokens[far]),
    `, ${reading.kind} ${far + 1}.`,
  ];
}
function surprise({came, p, rank}) {
  if (came === undefined) return ['.'];
  if (rank === 1) return [', and it came.'];
  const chance = Number.isNaN(p) ? 'unknown to it' : share(p);
  return [', but ', ...quoted(came), ` came (${chance}).`];
}
