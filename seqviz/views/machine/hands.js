// What pointer and keys ask of the machine.

import {onTyping} from '../shared/keys.js';
import {entered, moved} from './cursor.js';
import {tokensIn} from './standing.js';

/**
 * What the keys of the stage do.
 * @param {Machine} machine `around`, `state`; `go` takes the next state
 * @returns {Object<string, () => void>}
 */
export function stageKeys(machine) {
  const arrow = (across, down) => () =>
    machine.go(moved(machine.around, machine.state, across, down));
  const toToken = last => () => {
    const {state, around} = machine;
    const count = tokensIn(around.facts, state.stream).length;
    const by = (last ? count - 1 : 0) - state.token;
    machine.go(moved(around, state, ...(state.depth ? [0, by] : [by, 0])));
  };
  const up = () => machine.goUp();
  return {
    ArrowLeft: arrow(-1, 0),
    ArrowRight: arrow(1, 0),
    ArrowUp: arrow(0, -1),
    ArrowDown: arrow(0, 1),
    Home: toToken(false),
    End: toToken(true),
    Enter: () => machine.go(entered(machine.around, machine.state)),
    Escape: up,
    Backspace: up,
  };
}
/**
 * Letters that mean something wherever the focus is, and Escape in full screen: it frees and goes
 * up before it leaves.
 * @param {Machine} machine
 */
export function letterKeys(machine) {
  const {root, signal} = machine;
  const sort = () => machine.go({...machine.state, sort: !machine.state.sort});
  onTyping(root, {s: () => machine.silence(), o: sort}, signal);
  const escape = event => {
    const own = event.target.closest('[role="menu"], input');
    if (event.key !== 'Escape' || own || !root.classList.contains('full')) return;
    if (!machine.goUp()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  root.addEventListener('keydown', escape, {signal, capture: true});
}
