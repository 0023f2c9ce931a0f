// What the unrolled net shows now, as numbers and strings: which steps are in sight, what each
// reads and says, and what is compared.

import {share, signed} from '../shared/texts.js';
import {dot} from './net.js';
import {plan} from './plan.js';

const DIFFERS = 0.5; // a unit that moved by more differs
const BIN = 3; // pixels at least of a bin of steps in the strip

// ---- which steps are seen
/** The latest step before t that read the same and had to answer, or did, otherwise; else −1. */
export function twinOf(run, t) {
  const {id, target, chosen} = run[t];
  for (let s = t - 1; s >= 0; s--) {
    const step = run[s];
    if (step.id === id && (step.target !== target || step.chosen !== chosen)) return s;
  }
  return -1;
}
/** Whether twins stand apart somewhere: lanes above and below the chain then join them. */
export function needsLanes(run) {
  return run.some((_, t) => {
    const earlier = twinOf(run, t);
    return earlier >= 0 && t - earlier > 1;
  });
}
/**
 * The first of n steps in sight: it moves no more than it must to show t, and beside it the
 * earlier step, or the one before.
 */
export function firstInSight(from, {t, earlier, n, steps}) {
  const beside = earlier >= 0 && earlier > t - n ? earlier : Math.max(t - 1, t - n + 1);
  return Math.max(0, t - n + 1, Math.min(from, beside, steps - n));
}

// ---- what the panes say
/** What the net says after a step: every token, or the likeliest where there are many. */
export function answersOf({p, chosen}, words, rows) {
  const ids = [...words.keys()];
  if (words.length > rows) ids.sort((i, j) => p[j] - p[i]);
  return ids.slice(0, rows).map(id => {
    return {word: words[id], p: p[id], text: share(p[id]), chosen: id === chosen};
  });
}
/** What a step reads, says and should say, in words. */
function wordsOf({id, target, chosen, p}, words, rows) {
  return {
    id,
    token: words[id],
    answers: answersOf({p, chosen}, words, rows),
    chosen: words[chosen],
    target: words[target],
    right: chosen === target,
  };
}
/** The same token read twice: equal in, unequal inside, unequal out. */
export function comparisonOf({now, then, t, earlier, from, facts}) {
  const inSight = earlier >= from;
  const changes = Array.from(now.h, (v, k) => Math.abs(v - then.h[k]));
  const link = (same, what) => {
    const words = [same ? 'same' : 'other', what];
    const where = inSight ? '' : ` ${same ? 'as' : 'than'} at step ${earlier + 1}`;
    return {sign: same ? '=' : '≠', words, text: words.join(' ') + where};
  };
  return {
    inSight,
    beside: inSight && t - earlier === 1,
    changes: changes.map(size => ({size, differs: size > DIFFERS})),
    differ: changes.filter(size => size > DIFFERS).length,
    title: `change from step ${earlier + 1}`,
    input: link(true, facts.letters ? 'letter' : 'word'),
    answer: link(now.chosen === then.chosen, 'answer'),
  };
}
/** All steps in a strip: the share of right answers in each bin. */
export function stripOf(run, room) {
  const T = run.length;
  const count = Math.min(T, Math.floor(room / BIN));
  const countRight = steps => steps.filter(step => step.chosen === step.target).length;
  const bin = k => run.slice(Math.floor((k * T) / count), Math.floor(((k + 1) * T) / count));
  return {
    bins: Array.from({length: count}, (_, k) => countRight(bin(k)) / bin(k).length),
    steps: `${T} steps`,
    right: `${Math.round((100 * countRight(run)) / T)} % right`,
  };
}
/** The sums of one unit in the equation of a step. */
export function sumsOf(net, {h, before, id}, u) {
  const V = net.b_y.length;
  return {
    h: h[u],
    recurrence: dot(net.W_hh, u, before),
    input: net.W_xh[u * V + id],
    b: net.b[u],
  };
}
/**
 * All that is to be seen, except colours.
 * @param {{facts: Object, net: Object, run: Object[], lanes: boolean}} read what the net read
 * @param {{W: number, height: number | null, open: boolean, t: number, u: number, from: number}}
 * state the stage's width, its height if it fills a screen, whether the equation is open, step and
 * unit in focus, the first step that was in sight
 */
export function sceneOf({facts, net, run, lanes}, state, measure) {
  const {W, height, open, t, u, from: wasFirst} = state;
  const panes = plan({W, facts, steps: run.length, lanes, measure, height, open});
  const {n, chain} = panes;
  const earlier = twinOf(run, t);
  const from = firstInSight(wasFirst, {t, earlier, n, steps: run.length});
  const seen = run.slice(from, from + n);
  const now = run[t];
  const then = run[earlier];
  const columnOf = (step, k) => ({
    k,
    h: step.h,
    ...wordsOf(step, facts.shown, chain.rows),
    compared: Boolean(then) && (k === t || k === earlier),
    recurrence: !(then && k === t + 1), // what changed stands there instead
  });
  return {
    ...panes,
    facts,
    net,
    open,
    t,
    u,
    from,
    earlier,
    now,
    then,
    steps: run.length,
    X: k => (k < from ? chain.startX : chain.left + chain.pitch * (k - from + 0.5)),
    columns: seen.map((step, i) => columnOf(step, from + i)),
    states: [seen[0].before, ...seen.map(step => step.h)],
    comparison: then ? comparisonOf({now, then, t, earlier, from, facts}) : null,
    strip: run.length > n ? stripOf(run, chain.room) : null,
    sums: sumsOf(net, now, u),
  };
}
export function headingOf(facts, steps) {
  const times = steps === 1 ? 'once' : `${steps} times with the same weights`;
  return facts.title || `One cell, used ${times}`;
}
/** The state of the unit in focus, beside the controls. */
export const readingOf = ({u, now}, locked) =>
  `unit ${u + 1} = ${signed(now.h[u])}${locked ? ', locked' : ''}`;
/** What is saved as a table: every step. */
export function tableOf({shown: words, units}, run) {
  const header = ['step', 'input', 'target', 'chosen', 'p(chosen)'];
  return [
    [...header, ...Array.from({length: units}, (_, k) => `h_${k + 1}`)],
    ...run.map(({id, target, chosen, p, h}, t) => [
      String(t + 1),
      words[id],
      words[target] ?? '',
      words[chosen],
      p[chosen],
      ...h,
    ]),
  ];
}
