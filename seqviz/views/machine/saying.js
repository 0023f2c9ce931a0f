// What stands around the picture in words: where the cursor is, what is answered, what keys do.

import {saidOf, saidText, spanSaid} from '../shared/scene/names.js';
import {answeredToken, answering, attentionIn, sidesOf, streamIn, tokensIn} from './standing.js';

/**
 * The way to where the cursor is, from the whole model down.
 * @param {World} world
 * @returns {{text: string, depth: number}[]}
 */
export function crumbsOf({facts, state, labels}) {
  const {side} = streamIn(facts, state);
  const part = attentionIn(facts, state);
  const way = [
    {text: facts.model, depth: 0},
    {text: `${side && `${side} `}block ${state.block}`, depth: 1},
  ];
  if (part) {
    const {asking: from, answering: to} = sidesOf(facts, state);
    const [asking, key] = [labels[from][state.token], labels[to][state.key]];
    const cross = part.cross ? 'cross-' : '';
    way.push({text: `${cross}head ${state.head}: ${asking} → ${key}`, depth: 2});
  }
  return way.slice(0, state.depth + 1);
}
/** How large the model is, in words. */
export function sizesText({facts, state}) {
  const {width, heads, blocks} = facts.sizes;
  const count = tokensIn(facts, state.stream).length;
  const many = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return `${many(blocks, 'block')} × ${many(heads, 'head')}, ${count} × ${width} numbers`;
}
/**
 * What the model says at the token in focus, before and after heads fell silent.
 * @param {World} world
 * @returns {(string | Object)[]} pieces for say()
 */
export function answerOf({facts, state, labels}) {
  const {answers, before, anatomy, spans} = facts;
  if (!answers?.length) return [];
  const {tokens} = anatomy.streams[answering(anatomy)];
  const token = answeredToken(facts, state);
  const [first] = answers[token] ?? [];
  const here = all => saidOf(facts, all[token] ?? [], first?.[0]);
  const told = one => (one ? saidText(one) : 'no number');
  const where =
    anatomy.probabilities === 'text'
      ? ['answer ']
      : ['answer at ', {b: labels[tokens][token]}, ' '];
  const span = spans?.at(-1);
  if (!before && span) return ['answer ', {strong: spanSaid(labels[tokens], span)}];
  if (!before) return [...where, {strong: told(here(answers))}];
  const now = {em: told(here(answers))};
  return [
    ...where,
    {strong: told(here(before.answers))},
    ' → ',
    now,
    ` without ${silentText(facts)}`,
  ];
}
/** The heads that are silent, by block: "head 1.3". */
function silentText({anatomy, silent}) {
  const names = silent.map(
    ([attention, head]) => `${attentionPlace(anatomy, attention).number}.${head}`,
  );
  return names.length > 3 ? `${names.length} heads` : `head ${names.join(', ')}`;
}
function attentionPlace(anatomy, attention) {
  const all = anatomy.streams.flatMap(({blocks}) =>
    blocks.flatMap(({number, parts}) => parts.map(part => ({number, part}))),
  );
  return all.find(({part}) => part.attention === attention);
}
/**
 * The line of Python that silences the same heads.
 * @param {Facts} facts
 * @returns {string}
 */
export function pythonOf({anatomy, silent, python}) {
  const several = anatomy.streams.length > 1;
  const attentions = [...new Set(silent.map(([attention]) => attention))];
  const blocks = attentions.map(attention => {
    const {number, part} = attentionPlace(anatomy, attention);
    const heads = silent.filter(one => one[0] === attention).map(one => one[1]);
    const layer = several ? JSON.stringify(part.path) : number;
    const head = heads.length > 1 ? `[${heads.join(', ')}]` : heads[0];
    return `sv.ablate(${python}, layer=${layer}, head=${head})`;
  });
  return `with ${blocks.join(', ')}: ${python}(ids)`;
}
/** The stage and the token under the cursor, for who hears them. */
export function standsAt({stages, state, labels}) {
  const {name, tokens} = stages.find(({id}) => id === state.stage);
  return `${name}, ${labels[tokens][state.token]}`;
}
/**
 * What the keys do here; in full screen Escape is the browser's.
 * @param {World} world
 * @returns {[string, string][]} a key and what it does
 */
export function keyHints({facts, state, size}) {
  const part = attentionIn(facts, state);
  const across = ['token', 'head', state.number ? 'number' : 'key'][state.depth];
  const up = state.number ? 'free' : 'up';
  const sorts = state.sort ? 'in order' : 'sort';
  return [
    ['←→', across],
    ['↑↓', state.depth ? 'token' : 'stage'],
    ['Enter', state.depth < 2 ? 'open' : 'product'],
    ...(state.depth === 2 ? [['O', sorts]] : []),
    ...(state.depth || state.number ? [[size.full ? '⌫' : 'Esc', up]] : []),
    ...(part && state.depth ? [['S', 'silence']] : []),
    ['F', 'full'],
  ];
}
/** Where the cursor is, for a saved picture. */
export const stateTextOf = world =>
  crumbsOf(world)
    .map(({text}) => text)
    .join(' › ');
