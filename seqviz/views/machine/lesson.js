// The sentence over the picture: what its numbers say, at each depth.

import {phrase} from '../shared/nodes.js';
import {
  inMarks,
  probable,
  saidOf,
  saidText,
  shown,
  spanSaid,
  written,
} from '../shared/scene/names.js';
import {partName, replaces} from './stages.js';
import {lessonOfWeight} from './why_lesson.js';

const CHANGED = 0.05; // by which a probability has changed
const HALF_MORE = 1.5;

/**
 * What is to be learnt from the picture.
 * @param {World} world its `state.compared` is the key that is held against the one in focus, its
 * `without` are the answers without the head in focus, null while they are unknown
 * @returns {(string | Object)[]} pieces for say(): {b: in focus}, {strong}, {em: compared}; none
 * while parts are under way
 */
export function lessonOf(world) {
  const {depth} = world.state;
  const seen = new Seen(world);
  if (depth === 0) return seen.speaks ? lessonOfModel(seen) : lessonOfStream(seen);
  if (seen.part?.is !== 'attention') return lessonOfLayer(seen);
  return depth === 1 ? lessonOfHead(seen) : lessonOfWeight(seen);
}
// What is in focus, by the names that sentences use.
class Seen {
  constructor({facts, numbers, labels, state, without = null}) {
    const stream = facts.anatomy.streams[state.stream];
    const part = stream.blocks[state.block]?.parts[state.part];
    Object.assign(this, {facts, numbers, state, without, stream, part});
    this.keys = labels[part?.cross ? 'source' : stream.tokens];
    this.token = {b: inMarks(labels[stream.tokens][state.token])};
    this.own = facts.tokens[stream.tokens][state.token];
    this.oneAnswer = facts.anatomy.probabilities === 'text';
    // whether the stream in focus is the one that answers
    this.speaks = Boolean(facts.answers) && state.stream === facts.anatomy.streams.length - 1;
    this.place = this.oneAnswer ? 0 : state.token;
  }
  key(k) {
    return inMarks(this.keys[k]);
  }
}
const said = answer => ({strong: saidText(answer)});

// ---- the model
// The first block from which on the answer stays.
function lessonOfModel(seen) {
  const {facts, place, oneAnswer} = seen;
  if (facts.spans) return lessonOfSpan(seen);
  const answer = facts.answers[place]?.[0];
  if (!answer) return [];
  const lens = facts.lens.map(row => row[place]);
  let stage = lens.length - 1;
  while (stage > 0 && lens[stage - 1]?.[0] === answer[0]) stage--;
  const start = phrase`${openingOf(seen, answer)} ${said(answer)}`;
  if (stage > 0) {
    const before = lens[stage - 1] ? phrase`; before it, ${said(lens[stage - 1])}` : [];
    return phrase`${start}${sinceBlock(stage, lens)}${before}`;
  }
  if (oneAnswer) return phrase`${start}, as the embeddings say already`;
  if (facts.kind === 'next') return phrase`${start}: the token alone says so`;
  return phrase`${start}, as its embedding says already`;
}
// The first block from which on it is the same span.
function lessonOfSpan({facts, keys}) {
  const {spans} = facts;
  const told = span => ({strong: spanSaid(keys, span)});
  const isSame = (a, b) => a && b && a[0] === b[0] && a[1] === b[1];
  const end = spans.at(-1);
  if (!end) return [];
  let stage = spans.length - 1;
  while (stage > 0 && isSame(spans[stage - 1], end)) stage--;
  const start = phrase`The answer is ${told(end)}`;
  if (!stage) return phrase`${start}, as the embeddings say already`;
  const before = spans[stage - 1] ? phrase`; before it, ${told(spans[stage - 1])}` : [];
  return phrase`${start}${sinceBlock(stage, spans)}${before}`;
}
const sinceBlock = (stage, stages) =>
  stage === stages.length - 1 ? `: block ${stage - 1} says so` : `, from block ${stage - 1} on`;
function openingOf({facts, token, own, oneAnswer}, [word]) {
  if (oneAnswer) return ['The text is'];
  if (facts.kind === 'next') return phrase`After ${token} comes`;
  if (facts.kind !== 'masked') return phrase`${token} is`;
  return phrase`${token} ${word === own ? 'stays' : 'becomes'}`;
}
// A stream that gives no answers: which of its layers changes the token most.
function lessonOfStream({numbers, stream, state, token}) {
  const sizes = stream.blocks.flatMap(block =>
    block.parts.map(part => ({block, part, size: numbers.size(part, state.token)})),
  );
  if (!sizes.length || sizes.some(({size}) => size === null)) return [];
  const {block, part, size} = sizes.reduce((most, one) => (one.size > most.size ? one : most));
  const layer = `${layerName(part)} of block ${block.number}`;
  return phrase`${token} is changed most by the ${layer}: it adds ${{strong: written(size)}} times its length`;
}

const layerName = part => (part.is === 'feed' ? 'feed-forward layer' : partName(part));

// ---- a block
function lessonOfLayer({numbers, part, state, token}) {
  const size = part && numbers.size(part, state.token);
  if (!size) return [];
  const times = {strong: written(size)};
  const layer = `The ${layerName(part)}`;
  if (replaces(part)) return phrase`${layer} makes ${token} anew, ${times} times as long`;
  const adds = phrase`${layer} adds ${times} times the length of ${token}`;
  const hidden = part.hidden && numbers.row(part.hidden, state.token);
  if (!hidden) return adds;
  const on = hidden.filter(value => value > 0).length;
  return phrase`${adds}: ${{strong: on}} of ${hidden.length} hidden numbers are above 0`;
}
function lessonOfHead(seen) {
  const {facts, numbers, part, state, token} = seen;
  const {silent} = facts;
  const isSilent = silent.some(([k, head]) => k === part.attention && head === state.head);
  if (isSilent && facts.before && facts.answers) return silencedPieces(seen);
  const weights = numbers.attended(part, state.head, state.token);
  if (!weights) return [];
  const best = weights.indexOf(Math.max(...weights));
  const head = `${part.cross ? 'Cross-attention, head' : 'Head'} ${state.head}: `;
  if (!(weights[best] > 0)) return phrase`${head}${token} attends to nothing: all is masked`;
  const most = {strong: `${seen.key(best)} ${probable(weights[best])}`};
  return phrase`${head}${token} attends to ${most}${withoutPieces(seen)}`;
}
function silencedPieces(seen) {
  const {facts, state} = seen;
  const count = facts.silent.length;
  const start = count > 1 ? `${count} heads are silent: ` : `Head ${state.head} is silent: `;
  if (!answersAt(seen)) {
    return phrase`${start}${changedAnswers(facts.before.answers, facts.answers)}`;
  }
  const [before] = facts.before.answers[seen.place];
  const now = saidOf(facts, facts.answers[seen.place], before[0]);
  if (before[0] !== now[0]) return phrase`${start}${said(before)} becomes ${said(now)}`;
  const [from, to] = [before, now].map(([, p]) => ({strong: probable(p)}));
  return phrase`${start}${{strong: inMarks(shown(now[0]))}} goes from ${from} to ${to}`;
}
// Whether there is an answer to the token in focus.
const answersAt = ({facts, speaks, oneAnswer, place}) =>
  (speaks || oneAnswer) && Boolean(facts.answers[place]?.length);
// What the head is for: the answer without it.
function withoutPieces(seen) {
  const {facts, without, place} = seen;
  if (!facts.answers || !without) return [];
  if (!answersAt(seen)) return phrase`; without the head ${changedAnswers(facts.answers, without)}`;
  const [[word, p]] = facts.answers[place];
  const other = saidOf(facts, without[place], word);
  if (other[0] !== word) return phrase`; without the head the answer is ${said(other)}`;
  if (!differs(other[1], p)) return ['; without the head the answer is the same'];
  const change = other[1] < p ? 'falls' : 'rises';
  return phrase`; without the head ${inMarks(shown(word))} ${change} to ${{strong: probable(other[1])}}`;
}
// A small probability has changed, too, once it is another by half.
const differs = (a, b) => Math.abs(a - b) >= CHANGED || Math.max(a, b) > HALF_MORE * Math.min(a, b);
function changedAnswers(before, now) {
  const changed = before.filter(([[word] = []], k) => now[k]?.[0]?.[0] !== word).length;
  if (!changed) return ['no answer changes'];
  return phrase`${{strong: changed}} of ${before.length} answers ${changed > 1 ? 'change' : 'changes'}`;
}
