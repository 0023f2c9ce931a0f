// What the unrolled net says of a step.

import {readable, share} from '../shared/base.js';

const chance = p => `p\u00a0${share(p).replace(/^([<>]?)/, (_, sign) => `${sign || '='}\u00a0`)}`;
export function sentence({run, t, other, facts}) {
  const now = run[t];
  const word = id => ({i: readable(facts.vocabulary[id])});
  const wrong = now.target >= 0 && now.chosen !== now.target;
  const end = wrong
    ? ['; right would be ', word(now.target), ` (${chance(now.p[now.target])}).`]
    : null;
  if (other < 0) {
    return [
      `Step ${t + 1}: reads `,
      word(now.id),
      ', says ',
      word(now.chosen),
      ` (${chance(now.p[now.chosen])})`,
      ...(end ?? [now.target < 0 ? '.' : ', right.']),
    ];
  }
  const then = run[other];
  const differ = now.h.filter((v, k) => Math.abs(v - then.h[k]) > 0.5).length;
  return [
    `Same ${facts.letters ? 'letter' : 'word'}, ${differ ? 'other state' : 'nearly the same state'} `,
    {b: `(${differ} of ${facts.units} units differ)`},
    ': it says ',
    word(then.chosen),
    ...(now.chosen === then.chosen ? [' both times'] : [', then ', word(now.chosen)]),
    ...(end ?? ['.']),
  ];
}
