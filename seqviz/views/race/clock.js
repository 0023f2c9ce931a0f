// The clock of the race: a slider over the ticks and a button that runs it.

import {html, keep} from '../shared/base.js';
import {button, slider} from '../shared/controls.js';
import {lastTick} from './scene.js';

const RACE_PAUSE = 500; // milliseconds from tick to tick

/**
 * A slider and a button, which write `tick`; two ticks a second.
 * @param {Object} model
 * @param {(problem: string) => void} complain
 * @returns {{node: Element, stop: () => void, show: (scene: RaceScene) => void}}
 */
export function raceClock(model, complain) {
  const node = html(null, 'span', {class: 'clock'});
  let running = null;
  let last = 0;
  const set = tick => keep(model, {tick}, complain);
  function stop() {
    clearInterval(running);
    running = null;
    play.textContent = 'Run';
  }
  function forward() {
    if (model.get('tick') >= last) return stop();
    set(model.get('tick') + 1);
  }
  function run() {
    if (running) return stop();
    if (model.get('tick') >= last) set(0);
    play.textContent = 'Stop';
    running = setInterval(forward, RACE_PAUSE);
  }
  const play = button(node, 'Run', {}, run);
  const slide = tick => {
    stop();
    set(tick);
  };
  const ticks = slider(node, 'tick', slide, {min: 0, step: 1});
  function show({tick, lanes}) {
    last = lastTick(lanes);
    ticks.show(tick, `${tick} of ${last}`, {max: last});
  }
  return {node, stop, show};
}
