// What stands over the picture: a step, and what differs from the earlier one it is compared with.

import {phrase} from '../shared/nodes.js';
import {readable, share} from '../shared/texts.js';

const probability = p =>
  `p\u00a0${share(p).replace(/^([<>]?)/, (_, sign) => `${sign || '='}\u00a0`)}`;
/** Pieces for `say`, from a scene. */
export function sentence({t, now, then, comparison, facts}) {
  const word = id => ({i: readable(facts.shown[id])});
  const p = id => probability(now.p[id]);
  const wrong = now.target >= 0 && now.chosen !== now.target;
  const right = wrong ? phrase`; right would be ${word(now.target)} (${p(now.target)}).` : null;
  const says = word(now.chosen);
  if (!comparison) {
    const end = right ?? (now.target < 0 ? '.' : ', right.');
    return phrase`Step ${t + 1}: reads ${word(now.id)}, says ${says} (${p(now.chosen)})${end}`;
  }
  const {differ} = comparison;
  const same = `Same ${facts.letters ? 'letter' : 'word'}, ${differ ? 'other' : 'nearly the same'} state`;
  const units = {b: `(${differ} of ${facts.units} units differ)`};
  const again = now.chosen === then.chosen ? ' both times' : phrase`, then ${says}`;
  return phrase`${same} ${units}: it says ${word(then.chosen)}${again}${right ?? '.'}`;
}
