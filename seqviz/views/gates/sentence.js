// The one sentence over the gates, made from the numbers on screen.

import {phrase} from '../shared/nodes.js';
import {readable, signed} from '../shared/texts.js';

const LONGEST = 20; // letters of a word
const digits = number => String(number).replace(/\d/g, d => '₀₁₂₃₄₅₆₇₈₉'[d]);
const rounded = value => signed(value).replace(/\.?0+$/, '');

// A word in quotation marks; one that comes twice has its place.
function quoter(tokens) {
  const times = new Map();
  for (const token of tokens) times.set(token, (times.get(token) ?? 0) + 1);
  return k => ({
    strong: `“${readable(tokens[k], LONGEST)}”${times.get(tokens[k]) > 1 ? digits(k + 1) : ''}`,
  });
}
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
function memoryPieces({layer, u}, t, word) {
  const {kind, curves, H, order} = layer;
  const unit = {b: `unit ${u + 1}`};
  const what = kind.memory === 'c' ? 'cell' : 'state';
  const value = signed(curves[kind.memory][t * H + u]);
  const found = keptSince(layer, t, u);
  const start = phrase`at ${word(t)} ${unit}`;
  if (!found) return phrase`${start} is ${value}: no gate, rewritten at every step`;
  if (found.since !== t) {
    return phrase`${start} still has ${signed(found.left)} of its ${what} of ${word(found.since)}`;
  }
  if (t === order[0]) return phrase`${start} starts: its ${what} is ${value}`;
  return phrase`${start} lets go: ${signed(curves[kind.keeps][t * H + u])} of its ${what} stays`;
}
const askedAt = targets => targets.flatMap((target, t) => (target === null ? [] : [t]));
function rightAt({labels}, answers, targets) {
  return askedAt(targets).filter(t => labels[answers[t].best] === targets[t]);
}
function scorePieces(models, focus, targets, of) {
  const asked = askedAt(targets).length;
  const count = model => rightAt(model, of(model), targets).length;
  const model = models[focus];
  if (!asked || !model.labels.length) return [];
  const others = models.filter(other => other !== model && other.labels.length);
  const rest = others.map(other => `, ${readable(other.label)} ${count(other)}`).join('');
  return phrase`, ${{strong: `${count(model)} of ${asked} right`}}${rest}`;
}
// Labels that were answered right somewhere after the hold begins, and now nowhere.
function lostLabels({layer, labels, answers, answersAfter}, {since}, targets) {
  const late = t => layer.order.indexOf(t) >= layer.order.indexOf(since);
  const held = answered => {
    const right = rightAt({labels}, answered, targets).filter(late);
    return new Set(right.map(t => targets[t]));
  };
  const now = held(answersAfter);
  const before = held(answers);
  return labels.filter(label => before.has(label) && !now.has(label));
}
const counted = (n, what) => `${n} ${what}${n > 1 ? 's' : ''}`;
function effectPieces(model, hold, t, {targets}, word) {
  const {layer, u, after, labels, answers, answersAfter} = model;
  if (!labels.length) {
    const row = layer.kind.memory;
    const [was, now] = [layer.curves, after].map(curves => signed(curves[row][t * layer.H + u]));
    return phrase`${row} of unit ${u + 1} at ${word(t)} ${was} → ${{strong: now}}`;
  }
  if (!askedAt(targets).length) {
    const changed = answers.filter(({best}, k) => best !== answersAfter[k].best).length;
    if (!changed) return ['no answer changes'];
    return [{strong: `${changed} of ${counted(answers.length, 'answer')} change`}];
  }
  const before = rightAt(model, answers, targets);
  const now = rightAt(model, answersAfter, targets);
  const lost = lostLabels(model, hold, targets).map(label => ({em: `“${readable(label)}”`}));
  if (lost.length > 2) return phrase`${{em: `${lost.length} kinds of answers`}} are lost`;
  if (lost.length === 2) return phrase`${lost[0]} and ${lost[1]} are lost`;
  if (lost.length === 1) return phrase`${lost[0]} is lost`;
  const turn = n => `turn${n > 1 ? '' : 's'}`;
  const wrong = before.filter(k => !now.includes(k)).length;
  if (wrong) return phrase`${{em: counted(wrong, 'answer')}} ${turn(wrong)} wrong`;
  const gained = now.filter(k => !before.includes(k)).length;
  if (gained) return phrase`${{strong: counted(gained, 'answer')}} ${turn(gained)} right`;
  return ['no answer turns wrong'];
}
function heldPieces(hold, layer, word) {
  const {gate, value, unit, since} = hold;
  const what = `${gate}${unit === null ? '' : ` of unit ${unit + 1}`} held at ${rounded(value)}`;
  return phrase`${{b: what}} from ${word(since)} ${layer.reverse ? 'leftwards' : 'on'}: `;
}
const capital = ([first, ...rest]) => [first[0].toUpperCase() + first.slice(1), ...rest];
/**
 * How long the unit in focus keeps what it holds; with a hold, what that breaks.
 * @param {{models: Scene[], focus: number, hold: Hold | null, t: number, facts: Facts}} now `focus`
 * is the place of the model in focus
 * @returns {(string | Object)[]} pieces
 */
export function headline({models, focus, hold, t, facts}) {
  const word = quoter(facts.tokens);
  const model = models[focus];
  const name = models.length > 1 ? [`${readable(model.label)}: `] : [];
  if (hold) {
    const effect = effectPieces(model, hold, t, facts, word);
    const score = scorePieces(models, focus, facts.targets, one => one.answersAfter);
    return [...name, ...heldPieces(hold, model.layer, word), ...effect, ...score];
  }
  const memory = memoryPieces(model, t, word);
  const said = name.length ? [...name, ...memory] : capital(memory);
  if (model.labels.length && !askedAt(facts.targets).length) {
    const answer = readable(model.labels[model.answers[t].best]);
    return [...said, ', it answers ', {strong: `“${answer}”`}];
  }
  return [...said, ...scorePieces(models, focus, facts.targets, one => one.answers)];
}
