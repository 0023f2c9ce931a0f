// The race of the layer types: lanes over positions, a cursor on an output, a clock.

import {framedView} from '../shared/frame.js';
import {GridFrame} from '../shared/grid_view.js';
import {numberIn} from '../shared/link.js';
import {raceClock} from './clock.js';
import {drawRace} from './picture.js';
import {inputsRead, lastTick, outputsReady, raceLanes, raceSentence} from './scene.js';

/**
 * @typedef {GridScene & {lanes: Lane[], tick: number}} RaceScene `tick` from 0, when nothing is
 * computed yet
 */

const COUNTS = ['output', 'inputs read', 'tick', 'outputs ready', 'ticks', 'longest path', 'edges'];

function raceRows({lanes, t, tick}) {
  const row = lane => {
    const {name, last, path, edges, seconds} = lane;
    const counts = [t + 1, inputsRead(lane, t), tick, outputsReady(lane, tick), last, path, edges];
    return [name, ...counts.map(String), Number.isNaN(seconds) ? '' : seconds];
  };
  return [['lane', ...COUNTS, 'seconds'], ...lanes.map(row)];
}
class Race extends GridFrame {
  get chooses() {
    return this.facts.models.length > 1 ? 'tick' : '';
  }
  turned({tick, lanes}, by) {
    return {tick: Math.max(0, Math.min(lastTick(lanes), tick - by))};
  }
  ownReaders({lanes}) {
    return {tick: numberIn(0, lastTick(lanes))};
  }
  addControls() {
    this.clock = raceClock(this.model, this.complain);
    this.bar.append(this.clock.node);
    this.signal.addEventListener('abort', () => this.clock.stop());
    super.addControls();
  }
  showOwn(scene) {
    this.clock.show(scene);
  }
  /** With the lanes of this point, and a tick that they have. */
  complete(now) {
    const lanes = raceLanes(now);
    return {...now, lanes, tick: Math.min(now.tick, lastTick(lanes))};
  }
  sentence(scene) {
    return raceSentence(scene);
  }
  notes() {
    return 'Filled: computed; with a ring: at this tick. Thick lines: what the chosen output reads.';
  }
  rowsOf(scene) {
    return raceRows(scene);
  }
  picture(stage, scene) {
    return drawRace(stage, scene);
  }
}
export default framedView(Race, {name: 'race', label: 'race of layer types'});
