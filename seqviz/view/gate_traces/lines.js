// Under the heat maps, on the same axis: one unit as lines, and what the model answers at each
// step.

import {share, signed, svg} from '../shared/base.js';
import {HUE, signedRow} from './cells.js';
import {GUTTER, clipped, ringed} from './marks.js';

export const MEMORY = 86;
export const GATES = 74; // heights of the two charts
export function drawLines(root, scene, place) {
  const {
    layer: {kind, H, curves},
    after,
    hold,
    u,
    from,
    n,
    show,
  } = scene;
  const {memory} = kind;
  const now = hold && show === 'before' ? curves : after;
  const states = memory === 'c' ? ['c', 'h'] : ['h'];
  const inSight = Array.from({length: n}, (_, k) => (from + k) * H + u);
  const high = inSight.reduce(
    (high, i) => Math.max(high, Math.abs(now[memory][i]), Math.abs(curves[memory][i])),
    1,
  );
  svg(root, 'text', {x: 0, y: place.lines - 8, class: 'mid hot'}, `unit ${u + 1}`);
  const words = `${memory === 'c' ? 'c thick, h thin' : 'state h'}${hold ? ', dashed: before the hold' : ''}`;
  chart(root, scene, place, {
    y0: place.lines,
    height: MEMORY,
    low: -high,
    high,
    rows: states,
    now,
    words,
  });
  if (kind.holds) {
    chart(root, scene, place, {
      y0: place.lines + MEMORY + 34,
      height: GATES,
      low: [...kind.holds].some(signedRow) ? -1 : 0,
      high: 1,
      rows: [...kind.holds],
      now,
      words: 'gates',
    });
  }
}
function chart(root, scene, {cw, x, end}, {y0, height, low, high, rows, now, words}) {
  const {
    layer: {kind, H, curves},
    hold,
    u,
    t,
    from,
    n,
    tone,
  } = scene;
  const y = v => y0 + (height * (high - v)) / (high - low);
  const mid = k => x(k) + cw / 2;
  const path = values =>
    Array.from(
      {length: n},
      (_, k) =>
        `${k ? 'L' : 'M'}${mid(from + k).toFixed(1)} ${y(values[(from + k) * H + u]).toFixed(1)}`,
    ).join('');
  const line = (values, row, width, more = {}) =>
    svg(root, 'path', {
      d: path(values),
      fill: 'none',
      stroke: tone.cat[HUE[row]],
      'stroke-width': width,
      'stroke-linejoin': 'round',
      ...more,
    });
  const weight = row => (row === kind.memory ? 4.5 : hold?.gate === row ? 3.5 : 2);
  svg(root, 'text', {x: GUTTER, y: y0 - 8, class: 'soft halo'}, words);
  for (const v of [low, 0, high]) {
    svg(root, 'line', {
      x1: GUTTER,
      x2: end,
      y1: y(v),
      y2: y(v),
      stroke: tone.rule,
      'stroke-width': v ? 1 : 2,
    });
    svg(
      root,
      'text',
      {x: GUTTER - 14, y: y(v) + 4, 'text-anchor': 'end', class: 'soft mono'},
      signed(v, Number.isInteger(v) ? 0 : 1),
    );
  }
  const held = hold && rows.includes(kind.memory);
  const last = [...rows].sort((a, b) => weight(a) - weight(b));
  if (held) line(curves[kind.memory], kind.memory, 3, {'stroke-dasharray': '5 4'});
  for (const row of last) {
    if (row === kind.memory) line(now[row], row, 8, {stroke: tone.bg});
    line(now[row], row, weight(row));
    svg(root, 'circle', {
      cx: mid(t),
      cy: y(now[row][t * H + u]),
      r: row === kind.memory ? 6 : 4,
      fill: tone.cat[HUE[row]],
      stroke: tone.bg,
      'stroke-width': 1.5,
    });
  }
  // letters at the end of each line, pushed apart
  const ends = rows
    .map(row => ({row, at: y(now[row][(from + n - 1) * H + u])}))
    .sort((a, b) => a.at - b.at);
  ends.forEach((label, k) => {
    if (k) label.at = Math.max(label.at, ends[k - 1].at + 15);
  });
  const over = Math.max(0, ends.at(-1).at - y0 - height - 4);
  for (const {row, at} of ends) {
    svg(root, 'line', {
      x1: end + 3,
      x2: end + 13,
      y1: at - over,
      y2: at - over,
      stroke: tone.cat[HUE[row]],
      'stroke-width': weight(row),
    });
    svg(root, 'text', {x: end + 17, y: at - over + 5, class: 'mid bold'}, row);
  }
}

// ---- the answers: a row for each label, its probability as colour; right or wrong below
export function likeliest({answers, answersAfter, labels}) {
  const best = k => Math.max(...answers.map(({p}) => p[k]), ...answersAfter.map(({p}) => p[k]));
  return labels
    .map((_, k) => k)
    .sort((a, b) => best(b) - best(a))
    .slice(0, 6)
    .sort((a, b) => a - b);
}
export function drawAnswers(root, scene, {cw, x}, rows, y0) {
  const {
    answers,
    answersAfter,
    labels,
    facts,
    hold,
    show,
    from,
    n,
    tone,
    measure,
    t,
    scales: {seq},
  } = scene;
  const now = hold && show !== 'before' ? answersAfter : answers;
  svg(root, 'text', {x: 0, y: y0 - 8, class: 'mid bold'}, 'answer');
  svg(
    root,
    'text',
    {x: GUTTER, y: y0 - 8, class: 'soft halo'},
    `probability of each label${rows.length < labels.length ? `, ${rows.length} of ${labels.length}` : ''}`,
  );
  rows.forEach((label, row) => {
    const y = y0 + row * 17;
    const on = now[t].best === label;
    svg(
      root,
      'text',
      {x: GUTTER - 14, y: y + 12, 'text-anchor': 'end', class: on ? 'hot' : ''},
      clipped(labels[label], GUTTER - 16, measure, on ? '700 12px' : '12px'),
    );
    for (let k = from; k < from + n; k++) {
      const p = now[k].p[label];
      const shade = Math.round(58 * p);
      const text = share(p);
      const said = now[k].best === label;
      svg(root, 'rect', {
        x: x(k) + 0.7,
        y: y + 0.7,
        width: cw - 1.4,
        height: 15,
        rx: 2,
        fill: seq.shades[shade],
        stroke: tone.rule,
        'stroke-width': 0.5,
      });
      if (measure(text, '12px mono') < cw - 4) {
        svg(root, 'text', {x: x(k) + cw / 2, y: y + 12.5, class: `value ${seq.inks[shade]}`}, text);
      }
      if (said && hold && answers[k].best !== answersAfter[k].best) {
        ringed(root, x(k) + 1, y + 1, cw - 2, 14.5, tone.second, tone, 3);
      }
    }
  });
  const y = y0 + rows.length * 17 + 14;
  facts.targets.forEach((target, k) => {
    if (target === null || k < from || k >= from + n) return;
    judged(root, x(k) + cw / 2, y, Math.min(8, cw / 2 - 1.5), labels[now[k].best] === target, tone);
  });
  if (facts.targets.some(target => target !== null)) {
    svg(root, 'text', {x: GUTTER - 14, y: y + 4, 'text-anchor': 'end', class: 'soft'}, 'right?');
  }
}
// Right: a ring with a tick. Wrong: a filled diamond with a cross.
function judged(root, x, y, r, right, tone) {
  if (right) {
    svg(root, 'circle', {cx: x, cy: y, r, fill: 'none', stroke: tone.ink, 'stroke-width': 1.5});
  } else {
    svg(root, 'path', {
      d: `M${x} ${y - r * 1.4}l${r * 1.4} ${r * 1.4}l${-r * 1.4} ${r * 1.4}l${-r * 1.4} ${-r * 1.4}z`,
      fill: tone.second,
    });
  }
  const s = r / 2;
  svg(
    root,
    'path',
    right
      ? {
          d: `M${x - s} ${y}l${s * 0.8} ${s * 0.8}l${s * 1.2} ${-s * 1.6}`,
          fill: 'none',
          stroke: tone.ink,
          'stroke-width': 2,
        }
      : {
          d: `M${x - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}`,
          stroke: tone.bg,
          'stroke-width': 2,
        },
  );
}
