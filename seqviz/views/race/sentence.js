// What the race says.

import {readable} from '../shared/base.js';

/**
 * How many lanes are done after a tick, and which was first.
 * @param {RaceScene} scene `facts`, `lanes` and `tick` are read
 * @returns {(string | Object)[]} pieces
 */
export function raceSentence({facts, lanes, tick}) {
  const ends = lanes.map(lane => lane.last);
  const least = Math.min(...ends);
  const done = ends.filter(end => end <= tick).length;
  const winners = facts.models.filter((_, k) => ends[k] === least).map(name => readable(name));
  const said = [
    'After tick ',
    {b: String(tick)},
    ` of ${Math.max(...ends)}: `,
    {b: `${done} of ${lanes.length}`},
    ' done',
  ];
  return done
    ? [...said, ', first ', {b: winners.join(' and ')}, ` at tick ${least}.`]
    : [...said, '.'];
}
