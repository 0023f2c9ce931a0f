// The one sentence over the gate traces, made from the numbers on screen; Python's gate_sentence.py
// says the same.

import {readable, share, signed} from '../shared/base.js';

const chance = p => `p\u00a0${share(p).replace(/^([<>]?)/, (_, sign) => `${sign || '='}\u00a0`)}`;

// The earliest position whose memory is still there by half, and how much: the product of the
// forget (update) gates since.
function keptSince({kind, curves, order, H}, t, u) {
  if (!kind.keeps) return null;
  const gate = curves[kind.keeps];
  let k = order.indexOf(t);
  let product = 1;
  for (; k > 0 && product * gate[order[k] * H + u] >= 0.5; k--) product *= gate[order[k] * H + u];
  return {since: order[k], left: product};
}
function memoryPieces({layer, label, u}, named, t, word) {
  const {kind, curves, H, order} = layer;
  const who = named ? `${label} unit ${u + 1}` : `Unit ${u + 1}`;
  const what = kind.memory === 'c' ? 'cell' : 'state';
  const value = signed(curves[kind.memory][t * H + u]);
  const found = keptSince(layer, t, u);
  if (!found) {
    return [`${who} is `, {b: value}, ' at ', word(t), ': no gate, rewritten at every step'];
  }
  if (found.since !== t) {
    return [
      `${who} keeps at least half of its ${what} of step ${found.since + 1} (`,
      word(found.since),
      '): ',
      {b: signed(found.left)},
      ' at ',
      word(t),
    ];
  }
  if (t === order[0]) return [`${who} starts at `, word(t), `: its ${what} is `, {b: value}];
  return [
    `${who} lets go at `,
    word(t),
    ': ',
    {b: signed(curves[kind.keeps][t * H + u])},
    ` of its ${what} stays`,
  ];
}
function rights(answers, labels, targets) {
  const asked = targets.flatMap((target, t) => (target === null ? [] : [t]));
  return {
    asked: asked.length,
    right: asked.filter(t => labels[answers[t].best] === targets[t]).length,
  };
}
/**
 * How long a unit keeps what it holds, and what the model answers; with a hold, what that changes.
 * @param {{models: Scene[], focus: number, hold: Hold | null, t: number, facts: Facts}} now `focus`
 * is the place of the model in focus
 * @returns {(string | Object)[]} pieces
 */
export function headline({models, focus, hold, t, facts}) {
  const word = k => ({i: readable(facts.tokens[k])});
  const said = ({labels}, {best}) => ({i: readable(labels[best])});
  const p = ({p, best}) => ` (${chance(p[best])})`;
  if (hold) {
    const model = models[focus];
    const {layer, label, u, after, labels, answers, answersAfter} = model;
    const memory = layer.kind.memory;
    const held = [
      `${models.length > 1 ? `${label}: ` : ''}`,
      {b: `${hold.gate} = ${signed(hold.value)} by hand`},
      `, ${hold.unit === null ? 'all units' : `unit ${hold.unit + 1}`}, from step ${hold.since + 1} (`,
      word(hold.since),
      layer.reverse ? ') leftwards. ' : ') on. ',
    ];
    if (!labels.length) {
      return [
        ...held,
        `${memory} of unit ${u + 1} at `,
        word(t),
        `: ${signed(layer.curves[memory][t * layer.H + u])} → `,
        {b: signed(after[memory][t * layer.H + u])},
        '.',
      ];
    }
    const before = rights(answers, labels, facts.targets);
    const now = rights(answersAfter, labels, facts.targets);
    const other =
      answers[t].best !== answersAfter[t].best
        ? [said(model, answers[t]), p(answers[t]), ' → ']
        : [];
    return [
      ...held,
      'Answer at ',
      word(t),
      ': ',
      ...other,
      said(model, answersAfter[t]),
      other.length ? '' : ' as before',
      p(answersAfter[t]),
      ...(now.asked ? [`, ${before.right} → `, {b: `${now.right} of ${now.asked} right`}] : []),
      '.',
    ];
  }
  return models.flatMap((model, k) => {
    const named = models.length > 1;
    const clause = memoryPieces(model, named, t, word);
    const answer = model.answers?.[t];
    if (answer) {
      const {right, asked} = rights(model.answers, model.labels, facts.targets);
      const count = asked ? [', ', {b: `${right} of ${asked} right`}] : [];
      clause.push(...(named ? count : ['. Answer: ', said(model, answer), p(answer), ...count]));
    }
    return [...clause, k < models.length - 1 ? '; ' : '.'];
  });
}
