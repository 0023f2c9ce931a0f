// Two votes on a question, with a minute to talk between. Pure: a state in, the next state out.
import {csv} from '../views/shared/csv.js';

const TALK = 60; // seconds
const BOTH = ['first', 'second'];
const none = slide => new Array(slide.options).fill(0);
/** Where the question of a slide stands at a step: first, talk, second, told; or wait: none. */
export function phaseOf(state, {id, options}, step = state.step) {
  if (!options) return 'wait';
  return step > 0 ? 'told' : (state.rounds[id] ?? 'first');
}
/** The question of a slide in another round; a talk begins now. */
export function phased(state, {id}, phase, now) {
  return {...state, rounds: {...state.rounds, [id]: phase}, talk: now};
}
/** The seconds that are left to talk: 0:47. */
export function talkText(state, now) {
  const left = Math.max(0, TALK - Math.floor((now - state.talk) / 1000));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}
/** A state in which an option of a round has a count of votes by hand. */
export function counted(state, slide, round, option, count) {
  const both = state.votes[slide.id] ?? {};
  const row = (both[round] ?? none(slide)).with(option, Math.min(Math.max(0, count || 0), 9999));
  return {...state, votes: {...state.votes, [slide.id]: {...both, [round]: row}}};
}
const byHand = (state, slide, round) => state.votes[slide.id]?.[round] ?? none(slide);
/** A vote by hand for an option of an open round. */
export function voted(state, slide, option) {
  const round = phaseOf(state, slide);
  if (!BOTH.includes(round) || !(option >= 0 && option < slide.options)) return state;
  const count = byHand(state, slide, round)[option] + 1;
  const presses = [...state.presses, {id: slide.id, round, option}];
  return {...counted(state, slide, round, option, count), presses};
}
/** The last vote by hand of an open round, taken back. */
export function unvoted(state, slide) {
  const {id, round, option} = state.presses.at(-1) ?? {};
  if (id !== slide.id || round !== phaseOf(state, slide)) return state;
  const count = byHand(state, slide, round)[option] - 1;
  return {...counted(state, slide, round, option, count), presses: state.presses.slice(0, -1)};
}
/** Both rounds of a slide: votes by hand and by phones, and their sums. */
export function ballotOf(state, phones, slide) {
  return BOTH.map(round => {
    const hand = byHand(state, slide, round);
    const counts = (phones[slide.id]?.[round] ?? none(slide)).map((n, k) => n + hand[k]);
    return {round, hand, counts, sum: counts.reduce((a, b) => a + b, 0)};
  });
}
/** What a lecturer does after a vote, by the share that is right: Mazur's custom. */
export function hintOf({round, counts, sum}, right) {
  if (!sum) return '';
  const share = Math.round((100 * counts[right]) / sum);
  const talk = share < 35 ? 'explain it again' : share > 70 ? 'go on' : 'let them talk';
  return `${share} % are right${round === 'first' ? `: ${talk}` : ''}`;
}
/** All votes of a lecture as a table: counts, nobody. */
export function votesTable(lecture, deck, ballots) {
  const rows = deck.flatMap(({question, texts}, i) =>
    texts.map((text, k) => [question, text, ...ballots[i].map(({counts}) => String(counts[k]))]),
  );
  const kept = rows.map(row => [lecture, ...row]);
  return csv([['lecture', 'question', 'option', ...BOTH], ...kept]);
}
