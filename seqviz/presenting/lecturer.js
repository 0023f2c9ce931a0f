// The lecturer's window: notes, the next slide, the clock and the plan.
import {clockText, minutesText, paceOf, progressOf} from './pace.js';
import {element, find} from './nodes.js';
import {titleOf} from './slides.js';

/**
 * Writes the notes of the slide that is shown, and what comes next.
 * @param {Element} root
 * @param {Object} facts of the deck
 * @param {Object} state
 */
export function drawDesk(root, facts, state) {
  const {nodes, deck} = facts;
  const node = nodes[state.i];
  const words = find('.desk .words', root);
  const key = `${state.i}.${state.step}`;
  if (words.dataset.key !== key) {
    const notes = find('.notes', node).cloneNode(true);
    const title = element('h2', {}, titleOf(node, state.step));
    words.replaceChildren(title, ...notes.childNodes);
    words.dataset.key = key;
    words.scrollTop = 0;
  }
  const next = nodes[state.i + 1];
  const {steps} = deck[state.i];
  const step = steps ? `, step ${state.step} of ${steps}` : '';
  const told = state.step < steps && find(`[data-at-step="${state.step + 1}"]`, node);
  find('.desk .next-head', root).textContent = next
    ? `Next: ${titleOf(next, 0)}`
    : 'This is the last slide';
  find('.desk .now-head', root).textContent =
    `Now ${state.i + 1} of ${nodes.length}${step}` +
    (told ? `. Next press: ${told.textContent.trim()}` : '');
  drawTime(root, facts, state);
}
/** Writes the clock, the minutes used, and where the plan is. */
export function drawTime(root, {deck, parts, total}, state) {
  const now = new Date();
  const pace = paceOf(state, deck[state.i], now.getTime());
  const share = minutes => `${Math.min(Math.max((minutes / total) * 100 || 0, 0), 100)}%`;
  const planned = `minute ${minutesText(pace.from)} to ${minutesText(pace.to)}`;
  const two = number => String(number).padStart(2, '0');
  find('.desk .clock', root).textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
  find('.desk .used', root).textContent = `${clockText(pace.used)} of ${minutesText(total)}`;
  find('.desk .pace', root).replaceChildren(
    element('b', {}, pace.words),
    ` · planned here: ${planned}`,
  );
  find('.desk .run', root).textContent = state.since ? 'Pause (t)' : 'Start (t)';
  const width = `max(6px, ${share(pace.to - pace.from)})`;
  find('.desk .track', root).replaceChildren(
    ...progressOf(parts, state.i).map(part =>
      element('i', {style: `flex:${part.minutes}`, title: part.name}),
    ),
    element('u', {style: `left:${share(pace.from)};width:${width}`}),
    element('s', {style: `left:${share(pace.used)}`}),
  );
}
