// The second pane as numbers and strings: a text as training corrupts it, the shares, the hump.

import {many, readable} from '../shared/texts.js';
import {MASK} from './chips.js';
import {lesson, percent} from './sentence.js';

const FATES = ['', 'masked', 'replaced', 'kept'];
const WIDEST = 0.12; // how far from its target a share may lie on the scale

/** Rates with how many are guessed right, from the part and the facts. */
export const humpOf = ({accuracy, error}, rates) =>
  rates.map((rate, k) => ({rate, accuracy: accuracy[k], error: error[k]}));
const nearestTo = (hump, rate) =>
  hump.reduce(
    (best, one, k) => (Math.abs(one.rate - rate) < Math.abs(hump[best].rate - rate) ? k : best),
    0,
  );
/**
 * All that is to be seen of the second pane.
 * @param {Object | null} draws the facts of the draws, with the `Drawn` of the rate as `drawn`
 * @param {Object[] | null} hump
 */
export function trainingScene({draws, hump, rate, draw}) {
  const here = hump && nearestTo(hump, rate);
  const counts = draws && draws.drawn.counts(draw);
  return {
    rate,
    hump,
    here,
    draw,
    lesson: lesson({counts, hump, here}),
    tokens: draws && tokensOf(draws, draw),
    shares: draws && sharesOf(draws, counts, rate, draw),
    total: draws && totalOf(counts, draw),
    table: tableRows({draws, counts, draw, hump, here}),
  };
}
function totalOf(counts, draw) {
  const n = counts.reduce((a, b) => a + b);
  return `${many(n)} token${n === 1 ? '' : 's'} in ${many(draw)} draw${draw === 1 ? '' : 's'}`;
}
function tokensOf({bare, starts, drawn}, draw) {
  return drawn.draw(draw).map(({fate, other}, k) => {
    const own = readable(bare[k], 24);
    const shown = {masked: MASK, replaced: `≠ ${readable(other ?? '', 24)}`, kept: `= ${own}`};
    return {own, fate: FATES[fate], text: shown[FATES[fate]] ?? own, joins: !starts[k]};
  });
}
// (k + 1) / (n + 2), else the standard error of 0 of 7 would be 0.
function shareOf(k, n, target) {
  const p = n ? k / n : 0;
  const q = (k + 1) / (n + 2);
  const error = n ? Math.sqrt((q * (1 - q)) / n) : 0;
  const place = v => Math.max(-1, Math.min(1, (v - target) / WIDEST));
  return {
    p,
    outside: Math.abs(p - target) > WIDEST,
    at: place(p),
    from: place(p - error),
    to: place(p + error),
    value: percent(p).replace(' %', ''),
    beside: `± ${percent(error).replace(' %', '')} of ${Math.round(100 * target)} %`,
  };
}
function sharesOf({tokens, special, shares}, counts, rate, draw) {
  const n = counts.reduce((a, b) => a + b);
  const rows = counts.map((k, j) => ({fate: FATES[j + 1], ...shareOf(k, n, shares[j])}));
  return [{fate: '', ...shareOf(n, draw * (tokens.length - special.length), rate)}, ...rows];
}

// ---- rows of the table
function tableRows({draws, counts, draw, hump, here}) {
  const rows = draws ? drawRows(draws, counts, draw) : [];
  (hump ?? []).forEach(({rate, accuracy, error}, k) => {
    const item = k === here ? 'here' : '';
    rows.push(['accuracy', item, '', `at ${percent(rate)}`, accuracy]);
    rows.push(['accuracy', item, '', `standard error at ${percent(rate)}`, error]);
  });
  return rows;
}
function drawRows({tokens, special, drawn}, counts, draw) {
  const candidates = draw * (tokens.length - special.length);
  const rows = [['draws', 'could be chosen', '', 'count', candidates]];
  counts.forEach((n, j) => rows.push(['draws', FATES[j + 1], '', 'count', n]));
  drawn.draw(draw).forEach(({fate, other}, k) => {
    const read = fate === 1 ? MASK : (other ?? tokens[k]);
    if (fate) rows.push(['draw', String(k + 1), tokens[k], `${FATES[fate]}: ${read}`, fate]);
  });
  return rows;
}
