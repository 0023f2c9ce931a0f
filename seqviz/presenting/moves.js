// What a press does to the state of a lecture. Pure: a state and the deck in, the next state out.
// A deck is a list of {id, steps, options, at, minutes}.
import {phaseOf, phased} from './votes.js';

/** A lecture that has not begun; `used` and `since` are milliseconds. */
export const FRESH = {
  i: 0,
  step: 0,
  over: false,
  black: false,
  open: false,
  used: 0,
  since: 0,
  votes: {}, // by hand, by slide and round
  presses: [], // the votes by keys, to be taken back
  rounds: {}, // by slide
  talk: 0,
  join: false,
  left: {}, // by slide: the step at which it was last shown
};

const within = (x, least, most) => Math.min(Math.max(x, least), most);

/**
 * Shows a slide at a step; the first move forward starts the time.
 * @param {Object} state
 * @param {Object[]} deck
 * @param {number} to
 * @param {number} [step]
 * @param {number} [now] milliseconds
 * @returns {Object} state
 */
export function turned(state, deck, to, step = 0, now = 0) {
  const i = within(Math.trunc(to) || 0, 0, deck.length - 1);
  const starts = i > state.i && !state.since && !state.used;
  const at = within(Math.trunc(step) || 0, 0, deck[i].steps);
  return {
    ...state,
    i,
    step: at,
    left: {...state.left, [deck[i].id]: at},
    open: false,
    join: false,
    since: starts ? now : state.since,
  };
}
/** The next step, or the next slide; a talk ends in the second vote. The end is the end. */
export function forward(state, deck, now = 0) {
  if (!state.over && phaseOf(state, deck[state.i]) === 'talk') return polled(state, deck, now);
  if (!state.over && state.step < deck[state.i].steps) {
    return turned(state, deck, state.i, state.step + 1, now);
  }
  return state.i + 1 < deck.length ? turned(state, deck, state.i + 1, 0, now) : state;
}
/** The step before, or the slide before with all its steps open. */
export function back(state, deck, now = 0) {
  const before = {second: 'talk', talk: 'first'}[phaseOf(state, deck[state.i])];
  if (before && !state.over) return phased(state, deck[state.i], before, now);
  if (state.step > 0 && !state.over) return turned(state, deck, state.i, state.step - 1);
  if (state.i === 0) return state;
  return turned(state, deck, state.i - 1, state.over ? 0 : deck[state.i - 1].steps);
}
/** From the first vote to the talk, from there to the second vote. */
export function polled(state, deck, now) {
  const after = {first: 'talk', talk: 'second'}[phaseOf(state, deck[state.i])];
  return after ? phased(state, deck[state.i], after, now) : state;
}
/** The time, started or stopped. */
export function clocked(state, now) {
  return state.since
    ? {...state, used: state.used + now - state.since, since: 0}
    : {...state, since: now};
}
/**
 * What an address names: `#one-matrix.2` is step 2 of a slide, `#7` the seventh.
 * @param {string} hash
 * @param {Object[]} deck
 * @returns {{i: number, step: number, unknown: string}} the first slide where it names none
 */
export function placeOf(hash, deck) {
  let text = hash.replace(/^#/, '');
  try {
    text = decodeURIComponent(text);
  } catch {
    // a lone % is no address: it is told as it stands
  }
  const [, id, step] = /^(.*?)(?:\.(\d+))?$/s.exec(text);
  const named = deck.findIndex(slide => slide.id === id);
  const i = named < 0 && /^\d+$/.test(id) ? id - 1 : named;
  if (deck[i]) return {i, step: within(+(step ?? 0), 0, deck[i].steps), unknown: ''};
  return {i: 0, step: 0, unknown: text};
}
/** The address of what is shown. */
export function addressOf(state, deck) {
  return `#${deck[state.i].id}${state.step ? '.' + state.step : ''}`;
}
/** A state that came from the other window, with all that it must have. */
export function checked(state, deck) {
  return {...turned({...FRESH, ...state}, deck, state.i, state.step), open: Boolean(state.open)};
}
