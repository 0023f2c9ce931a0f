// The race of the layer types: lanes over positions, a cursor on an output, a clock.

import {button, slider} from '../shared/controls.js';
import {framedView} from '../shared/frame.js';
import {GridFrame} from '../shared/grid_view.js';
import {numberIn} from '../shared/link.js';
import {html} from '../shared/nodes.js';
import {Player} from '../shared/player.js';
import {drawRace} from './picture.js';
import {inputsRead, lastTick, laneText, outputsReady, raceLanes, raceSentence} from './scene.js';

/**
 * @typedef {GridScene & {lanes: Lane[], tick: number}} RaceScene `tick` from 0, when nothing is
 * computed yet
 */

const RACE_PAUSE = 500; // milliseconds from tick to tick
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
  sentence = raceSentence;
  rowsOf = raceRows;
  picture = drawRace;

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
    const node = html(this.bar, 'span', {class: 'clock'});
    const film = {
      step: () => this.now().tick,
      last: () => lastTick(this.now().lanes),
      go: tick => this.set({tick}),
      changed: () => this.draw(),
    };
    this.player = new Player(film, {pause: RACE_PAUSE}, this.signal);
    this.run = button(node, 'Run', {}, () => this.player.play());
    const slide = tick => {
      this.player.stop();
      this.set({tick});
    };
    this.ticks = slider(node, 'tick', slide, {min: 0, step: 1});
    super.addControls();
  }
  showOwn({tick, lanes}) {
    const last = lastTick(lanes);
    this.ticks.show(tick, `${tick} of ${last}`, {max: last});
    this.run.textContent = this.player.playing ? 'Stop' : 'Run';
  }
  cursorText() {
    const {lanes, t, tick} = this.now();
    return `output ${t + 1}, tick ${tick}: ${lanes.map(lane => laneText(lane, t, tick)).join('; ')}`;
  }
  /** With the lanes of this point, and a tick that they have. */
  complete(now) {
    const lanes = raceLanes(now);
    return {...now, lanes, tick: Math.min(now.tick, lastTick(lanes))};
  }
  notes() {
    return 'Filled: computed; with a ring: at this tick. Thick lines: what the chosen output reads.';
  }
}
export default framedView(Race, {name: 'race', label: 'race of layer types'});
