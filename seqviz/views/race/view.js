// The race of the layer types: lanes over positions, a cursor on an output, a clock.

import {gridView} from '../shared/grid_view.js';
import {numberIn} from '../shared/link.js';
import {raceClock} from './clock.js';
import {drawRace} from './picture.js';
import {inputsRead, lastTick, outputsReady, raceLanes} from './scene.js';
import {raceSentence} from './sentence.js';

/**
 * @typedef {GridScene & {lanes: Lane[], tick: number}} RaceScene `tick` from 0, when nothing is
 * computed yet
 */

// What gridView knows, with the lanes of this point and a tick that they have.
function raceNow(now) {
  const lanes = raceLanes(now);
  return {...now, lanes, tick: Math.min(now.tick, lastTick(lanes))};
}
function raceRows(now) {
  const {facts, lanes, t, tick} = raceNow(now);
  const header = [
    'lane',
    'output',
    'inputs read',
    'tick',
    'outputs ready',
    'ticks',
    'longest path',
    'edges',
    'seconds',
  ];
  const row = (lane, k) => [
    facts.models[k],
    ...[
      t + 1,
      inputsRead(lane, t),
      tick,
      outputsReady(lane, tick),
      lane.last,
      lane.path,
      lane.edges,
    ].map(String),
    Number.isNaN(lane.seconds) ? '' : lane.seconds,
  ];
  return [header, ...lanes.map(row)];
}
function turnClock(now, by) {
  const {tick, lanes} = raceNow(now);
  return {tick: Math.max(0, Math.min(lastTick(lanes), tick - by))};
}
export default {
  render: context => {
    const {model, el} = context;
    const clock = raceClock(model, text => {
      el.querySelector('.problem').textContent = text;
    });
    const end = gridView(context, {
      name: 'race',
      label: 'race of layer types',
      controls: {tick: now => numberIn(0, lastTick(raceLanes(now)))},
      chooses: 'tick',
      up: turnClock,
      heading: () => '',
      notes: () =>
        'Filled: computed; with a ring: at this tick. Thick lines: what the chosen output reads.',
      sentence: now => raceSentence(raceNow(now)),
      rows: raceRows,
      draw: (stage, now) => {
        clock.show(raceNow(now));
        return drawRace(stage, raceNow(now));
      },
    });
    el.querySelector('.bar').prepend(clock.node);
    return () => {
      clock.stop();
      end();
    };
  },
};
