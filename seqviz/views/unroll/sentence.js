// What stands over the picture: a step, and what differs from the earlier one it is compared with.

import {readable, share} from '../shared/texts.js';

const probability = p =>
  `p\u00a0${share(p).replace(/^([<>]?)/, (_, sign) => `${sign || '='}\u00a0`)}`;
/** Pieces for `say`, from a scene. */
export function sentence({t, now, then, comparison, facts}) {
  const word = id => ({i: readable(facts.shown[id])});
  const wrong = now.target >= 0 && now.chosen !== now.target;
  const end = wrong
    ? ['; right would be ', word(now.target), ` (${probability(now.p[now.target])}).`]
    : null;
  if (!comparison) {
    return [
      `Step ${t + 1}: reads `,
      word(now.id),
      ', says ',
      word(now.chosen),
      ` (${probability(now.p[now.chosen])})`,
      ...(end ?? [now.target < 0 ? '.' : ', right.']),
    ];
  }
  const {differ} = comparison;
  return [
    `Same ${facts.letters ? 'letter' : 'word'}, ${differ ? 'other state' : 'nearly the same state'} `,
    {b: `(${differ} of ${facts.units} units differ)`},
    ': it says ',
    word(then.chosen),
    ...(now.chosen === then.chosen ? [' both times'] : [', then ', word(now.chosen)]),
    ...(end ?? ['.']),
  ];
}
