// The rows of what is on screen, for the CSV and for who hears the page.

import {rankText} from './names.js';
import {listed} from './lists.js';

const numberOr = value => (Number.isNaN(value) ? '' : value);
/** All heads with their kinds and scores, in the order of the list. */
export function atlasRows(world) {
  const {axes} = world.heads.facts;
  const scores = axes.filter(score => score !== 'layer');
  const rows = listed(world).map(({name, kinds, values}) => [
    name,
    kinds.join(', '),
    ...scores.map(score => numberOr(values[score])),
  ]);
  return [['head', 'kinds', ...scores], ...rows];
}
/** The sentences of a head, with the strongest link of each. */
export function headRows({head, heads, names}) {
  const rows = heads
    .examples(head.i)
    .map(({rank, words, links: [best], does, link}) => [
      rankText(rank, heads.facts.ranked),
      link,
      best ? words[best.query] : '',
      best ? words[best.key] : '',
      names.place(does),
      words.join(' '),
    ]);
  return [['sentence', 'strongest link', 'from', 'to', 'most weight to', 'words'], ...rows];
}
