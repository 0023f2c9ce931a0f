// The sentence over the picture: what is carried and what becomes of the answer; who wrote what is
// pointed at; what the control says.

import {inMarks, probable, written} from '../machine/names.js';
import {partName, streamLabels} from './answer_panel.js';
import {countsOf} from './control_strip.js';
import {answersAt, sideOf, stageName, tellsWords} from './cursor.js';
import {partTold, plus} from './wrote_panel.js';

const quoted = text => inMarks(text);
const tellOf = (world, [, word, p]) => `${quoted(world.shown(word))} ${probable(p)}`;
const percent = share => `${Math.round(100 * share)} %`.replace('-', '−');

/**
 * @param {Object} world
 * @returns {(string | Object)[]} pieces for say()
 */
export function sentenceOf(world) {
  const {over, bar, controls, lead, state, carried} = world;
  const id = over?.bar ?? (over ? null : bar);
  if (id) return ofPart(world, id);
  if (controls && over?.control !== undefined) return ofControl(world, controls[over.control]);
  if (controls && lead === 'control' && !over) return ofControls(world);
  if (state.tone === 'carries' && !world.previewed) {
    const found = ofEffects(world);
    if (found) return found;
  }
  if (carried.length) return ofCarried(world);
  return ofTexts(world);
}
function ofTexts(world) {
  const {facts, grids, answering, labels} = world;
  if (!facts.says) {
    return ['Drag a state of the other text into this one: what does the last state depend on?'];
  }
  const [was] = answersAt(facts, facts.grids[0].answers, answering[0]);
  const [other] = answersAt(facts, facts.grids[1].answers, answering[1]);
  const where = facts.says === 'text' ? ['This text'] : [{b: quoted(labels[2][answering[0]])}];
  const now = grids[0] && tellOf(world, was);
  return [...where, ' says ', {strong: now}, ', in the other text ', {em: tellOf(world, other)}];
}
function ofCarried(world) {
  const {facts, grids, carried, answering, allLabels} = world;
  const one = carried.at(-1);
  const [here, there] = streamLabels({allLabels, facts}, one.stream);
  const from = there[one.from_token];
  const to = here[one.token];
  const place = one.from_stage || one.head ? ` ${placeText(world, one)}` : ' as embedded';
  const start =
    carried.length > 1
      ? [`${carried.length} states carried: `]
      : [
          ...(one.head ? [{em: partName(world, one)}, ' of '] : []),
          {em: quoted(from)},
          one.head ? '' : place,
          ...(from === to ? [': '] : [' in place of ', {strong: quoted(to)}, ': ']),
        ];
  if (!facts.says) return [...start, ...ofShift(world)];
  const [was] = answersAt(facts, facts.grids[0].answers, answering[0]);
  const [now] = answersAt(facts, grids.now.answers, answering[0]);
  const turns = was[0] !== now[0];
  return turns
    ? [...start, {strong: tellOf(world, was)}, ' turns to ', {b: tellOf(world, now)}]
    : [
        ...start,
        {b: quoted(world.shown(now[1]))},
        ' stays, ',
        {strong: `${probable(was[2])} → ${probable(now[2])}`},
      ];
}
const placeText = (world, {from_stage: stage, stream}) => stageName(world, stage, stream);
function ofShift({far}) {
  if (!far) return ['the last state moves'];
  return ['the last state goes ', {b: percent(far.real)}, " of the way to the other text's"];
}
function ofPart(world, id) {
  const {wrote, costs, words, choices, state, shown} = world;
  const found = wrote?.parts.find(one => world.idOf(one) === id);
  const cost = costs?.get(id);
  const name = {b: partTold(world, id)};
  const [one, less] = choices[state.weighed];
  const target = less === null ? quoted(shown(words.get(one))) : ofTwo(world, one, less);
  const plural = id.startsWith('bias');
  if (!found) {
    const end = cost === undefined ? [] : ['; silencing it costs ', {strong: written(cost)}];
    return [name, ' writes before the carried state: ', {strong: 'overwritten'}, ...end];
  }
  const start = [
    name,
    plural ? ' give ' : ' writes ',
    {strong: plus(found.value)},
    ' for ',
    {strong: target},
  ];
  if (cost === undefined) return start;
  const verb = cost < 0 ? 'gains' : 'costs';
  return [...start, `; silencing it ${verb} `, {strong: written(Math.abs(cost))}];
}
const ofTwo = ({words, shown}, one, less) =>
  `${quoted(shown(words.get(one)))} over ${quoted(shown(words.get(less)))}`;
function ofControl(world, one) {
  const {far, labels, facts, state, shown} = world;
  const says = one.says ? [`, says ${quoted(shown(one.says[1]))}`] : [];
  const moved = [': ', {strong: written(one.difference)}, `, not ${written(far.real)}`, ...says];
  if (one.kind === 'place') {
    const [{stage, token}] = one.from;
    const where = stage ? `after block ${stage - 1}` : 'as embedded';
    return ['Control: ', {em: quoted(labels[1][token])}, ` ${where} instead`, ...moved];
  }
  const tokens = sideOf(facts, 1, state.carried[0].stream);
  const start = one.order
    .filter(k => !facts.special[1][facts.streams[state.carried[0].stream].tokens].includes(k))
    .slice(0, 4)
    .map(k => shown(tokens[k]))
    .join(' ');
  return ['Control: from “', {em: `${start} …`}, '”', ...moved];
}
function ofControls(world) {
  const {far, controls, state, allLabels, facts} = world;
  const {also, all, moved} = countsOf(world);
  const sorted = [...moved].sort((a, b) => a - b);
  const median = (sorted[(all - 1) >> 1] + sorted[all >> 1]) / 2;
  const real = Math.abs(far.real - far.low);
  const one = state.carried.at(-1);
  const from = {em: quoted(streamLabels({allLabels, facts}, one.stream)[1][one.from_token])};
  const tail = `, moved ${written(median)} against ${written(real)}`;
  if (!facts.says) {
    return [from, ' moves it ', {strong: written(real)}, `, the ${all} others ${written(median)}`];
  }
  const word = {b: quoted(world.shown(world.words.get(world.says)))};
  const many = {strong: `${also} of ${all}`};
  if (also >= all / 2) {
    return [word, ' comes without ', from, ' too: ', many, ' other states say it', tail];
  }
  if (also) return [word, ' comes with ', from, ', and with ', many, ' other states', tail];
  return [
    from,
    ' brings ',
    word,
    ': ',
    {strong: `0 of ${controls.length}`},
    ' other states say it',
    tail,
  ];
}
// Which state carries the answer at each stage, and where that is another one.
function ofEffects(world) {
  const {effects, far, labels} = world;
  if (!effects || !far || Math.abs(far.high - far.low) < 0.02) return null;
  const share = v => (v - far.low) / (far.high - far.low);
  const tops = effects.map((row, stage) => {
    const token = row.reduce((best, v, k) => (share(v) > share(row[best]) ? k : best), 0);
    return {stage, token, share: share(row[token])};
  });
  const name = token => quoted(labels[1][token]);
  const [first] = tops;
  const best = tops.reduce((a, b) => (b.share > a.share ? b : a));
  if (best.share < 0.5 || first.share < 0.5) {
    const start = 'No embedding carries the answer alone: ';
    return [
      start,
      {em: name(first.token)},
      ' brings it ',
      {strong: percent(first.share)},
      ' of the way',
    ];
  }
  const turn = tops.find(({token}) => token !== first.token);
  const far0 = {strong: percent(first.share)};
  if (!turn) return [{em: name(first.token)}, ' carries the answer through all blocks, ', far0];
  return [
    {em: name(first.token)},
    ' carries the answer at first, ',
    far0,
    `; from block ${turn.stage - 1} on `,
    {b: name(turn.token)},
    ' does, ',
    {strong: percent(turn.share)},
  ];
}
/** What is under the pointer, or at the cursor of the keys, for the line under the picture. */
export function noteOf(world) {
  const {over, keyed, state, held, grids, labels, facts, before} = world;
  const at = keyed ? state.at : over;
  if (at?.stage !== undefined && labels[at.text][at.token] !== undefined) {
    const which = at.text ? 'other' : 'this';
    const head = [
      `${which} text, `,
      {b: labels[at.text][at.token]},
      ` ${stageName(world, at.stage)}`,
    ];
    const grid = grids[at.text];
    const moved = at.text === 0 && grid !== before && grid.moved?.[at.stage][at.token];
    const end = moved ? ` · moved ${probable(moved)}` : '';
    if (!tellsWords(world)) return [...head, end];
    const top = facts.streams[state.stream].blocks.length === at.stage && grid.answers;
    const all = top
      ? grid.answers[at.token].slice(0, 3).map(one => one.slice(1))
      : [grid.words[at.stage][at.token]];
    const says = all.map(([word, p]) => `${world.shown(word)} ${probable(p)}`).join(', ');
    return [...head, `: ${says}${end}`];
  }
  if (held) {
    const where = held.stage ? `after block ${held.stage - 1}` : 'as embedded';
    return [
      'holding ',
      {em: quoted(labels[1][held.token])},
      ` ${where}: point at a cell of this text`,
    ];
  }
  return ['A state carried over is a cause tried, not a weight seen.'];
}
