// The sentence over the picture: what is carried and what becomes of the answer; who wrote what is
// pointed at; what the control says.

import {asRead} from '../shared/direction.js';
import {inMarks, percents, probable, saidText, shown, written} from '../shared/scene/names.js';
import {partName, streamLabels} from './answer_panel.js';
import {partId, shareOf} from './asking.js';
import {countsOf} from './control_strip.js';
import {answersAt, sideOf, stageName, tellsWords} from './cursor.js';
import {headOf, partTold, plus} from './wrote_panel.js';

const tellOf = ([, word, p]) => saidText([word, p]);

/**
 * @param {Object} world
 * @returns {(string | Object)[]} pieces for say()
 */
export function sentenceOf(world) {
  const {over, bar, controls, lead, state, carried, wrote} = world;
  const id = over?.bar ?? (over ? null : bar);
  if (id && wrote) return ofPart(world, id);
  if (controls && over?.control !== undefined) return ofControl(world, controls[over.control]);
  if (controls && lead === 'control' && !over) return ofControls(world);
  if (state.tone === 'carries' && !world.previewed && (tellsWords(world) || !carried.length)) {
    const found = ofEffects(world);
    if (found) return found;
  }
  if (carried.length) return ofCarried(world);
  return ofTexts(world);
}
function ofTexts(world) {
  const {facts, grids, answering, labels} = world;
  if (!facts.says) {
    const start = 'Drag a state of the other text into this one: what does ';
    return [start, ...askedState(world), ' depend on?'];
  }
  const [was] = answersAt(facts, facts.grids[0].answers, answering[0]);
  const [other] = answersAt(facts, facts.grids[1].answers, answering[1]);
  const where = facts.says === 'text' ? ['This text'] : [{b: inMarks(labels[2][answering[0]])}];
  const now = grids[0] && tellOf(was);
  return [...where, ' says ', {strong: now}, ', in the other text ', {em: tellOf(other)}];
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
          {em: inMarks(from)},
          one.head ? '' : place,
          ...(from === to ? [': '] : [' in place of ', {strong: inMarks(to)}, ': ']),
        ];
  if (!facts.says) return [...start, ...ofShift(world)];
  const [was] = answersAt(facts, facts.grids[0].answers, answering[0]);
  const [now] = answersAt(facts, grids.now.answers, answering[0]);
  const turns = was[0] !== now[0];
  return turns
    ? [...start, {strong: tellOf(was)}, ' turns to ', {b: tellOf(now)}]
    : [
        ...start,
        {b: inMarks(shown(now[1]))},
        ' stays, ',
        {strong: `${probable(was[2])} → ${probable(now[2])}`},
      ];
}
const placeText = (world, {from_stage: stage, stream}) => stageName(world, stage, stream);
function ofShift(world) {
  const {far} = world;
  if (!far) return [...askedState(world), ' moves'];
  const end = " of the way to the other text's";
  return [...askedState(world), ' goes ', {b: percents(far.real)}, end];
}
/** The state that is looked at where no words are told. */
const askedState = ({labels, answering}) => [
  'the last state of ',
  {b: inMarks(labels[2][answering[0]])},
];
function ofPart(world, id) {
  const {wrote, costs, words, choices, state} = world;
  const found = wrote?.parts.find(one => partId(one) === id);
  const cost = costs?.get(id);
  const name = {b: partTold(world, id)};
  const [one, less] = choices[state.weighed];
  const target = less === null ? inMarks(shown(words.get(one))) : ofTwo(world, one, less);
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
const ofTwo = ({words}, one, less) =>
  `${inMarks(shown(words.get(one)))} over ${inMarks(shown(words.get(less)))}`;
function ofControl(world, one) {
  const {far, facts, state, allLabels} = world;
  const {stream} = state.carried[0];
  const says = one.says ? [`, says ${inMarks(shown(one.says[1]))}`] : [];
  const moved = [': ', {strong: written(one.difference)}, `, not ${written(far.real)}`, ...says];
  if (one.kind === 'place') {
    const from = one.from.flatMap(({stage, token}, k) => {
      const [, there] = streamLabels({allLabels, facts}, state.carried[k].stream);
      const where = stage ? `after block ${stage - 1}` : 'as embedded';
      return [k ? ', ' : '', {em: inMarks(there[token])}, ` ${where}`];
    });
    return ['Control: ', ...from, ' instead', ...moved];
  }
  const tokens = sideOf(facts, 1, stream);
  const first = one.order
    .filter(k => !facts.special[1][facts.streams[stream].tokens].includes(k))
    .slice(0, 4)
    .map(k => shown(tokens[k]));
  return ['Control: from “', {em: asRead(`${first.join(' ')} …`, first)}, '”', ...moved];
}
function ofControls(world) {
  if (!world.controls.length) {
    return ['No control: the other text has neither other states nor words to shuffle'];
  }
  const {far, controls, state, allLabels, facts} = world;
  const {also, all, moved} = countsOf(world);
  const sorted = [...moved].sort((a, b) => a - b);
  const median = (sorted[(all - 1) >> 1] + sorted[all >> 1]) / 2;
  const real = Math.abs(far.real - far.low);
  const [one, ...more] = state.carried;
  const name = inMarks(streamLabels({allLabels, facts}, one.stream)[1][one.from_token]);
  const these = start => ({em: more.length ? `${start} ${more.length + 1} states` : name});
  const from = these('the');
  const s = more.length ? '' : 's';
  const tail = `, moved ${written(median)} against ${written(real)}`;
  if (!facts.says || isSame(world)) {
    const what = facts.says ? ['the answer'] : askedState(world);
    const size = facts.says ? written : percents;
    const others = ` by ${size(median)} (the middle of ${all})`;
    return [
      these('The'),
      ` move${s} `,
      ...what,
      ' by ',
      {strong: size(real)},
      ', other states',
      others,
    ];
  }
  const word = {b: inMarks(shown(world.words.get(world.says)))};
  const many = {strong: `${also} of ${all}`};
  if (also >= all / 2) {
    return [word, ' comes without ', from, ' too: ', many, ' other states say it', tail];
  }
  if (also) return [word, ' comes with ', from, ', and with ', many, ' other states', tail];
  return [
    these('The'),
    ` bring${s} `,
    word,
    ': ',
    {strong: `0 of ${controls.length}`},
    ' other states say it',
    tail,
  ];
}
// Whether the answer is that of this text as it is.
const isSame = ({facts, says, answering}) =>
  answersAt(facts, facts.grids[0].answers, answering[0])[0][0] === says;
// Which state carries the answer at each stage, and where that is another one.
function ofEffects(world) {
  const {effects, far, labels, come, facts} = world;
  const what = facts.says ? ['the answer'] : askedState(world);
  if (far && shareOf(far, far.low) === null) {
    return ['Both texts answer alike: no state can carry the one to the other'];
  }
  if (come.effects) {
    const [came, all] = come.effects;
    return ['How far does each state carry ', ...what, ` alone? Runs ${came} of ${all} …`];
  }
  if (!effects || !far) return null;
  const share = v => shareOf(far, v);
  const tops = effects.map((row, stage) => {
    const token = row.reduce((best, v, k) => (share(v) > share(row[best]) ? k : best), 0);
    return {stage, token, share: share(row[token])};
  });
  const name = token => inMarks(labels[1][token]);
  const [first] = tops;
  const best = tops.reduce((a, b) => (b.share > a.share ? b : a));
  if (best.share < 0.5 || first.share < 0.5) {
    return [
      'No embedding carries ',
      ...what,
      ' alone: ',
      {em: name(first.token)},
      ' brings it ',
      {strong: percents(first.share)},
      ' of the way',
    ];
  }
  const turn = tops.find(({token}) => token !== first.token);
  const far0 = {strong: percents(first.share)};
  const start = [{em: name(first.token)}, ' carries ', ...what];
  if (!turn) {
    const least = percents(Math.min(...tops.map(one => one.share)));
    return [...start, ' through all blocks, at least ', {strong: least}];
  }
  return [
    ...start,
    ' at first, ',
    far0,
    `; from block ${turn.stage - 1} on `,
    {b: name(turn.token)},
    ' does, ',
    {strong: percents(turn.share)},
  ];
}
/** What is under the pointer, or at the cursor of the keys, for the line under the picture. */
export function noteOf(world) {
  const {over, keyed, state, held, grids, labels, facts, before, bar} = world;
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
    const copies = headOf(world, bar);
    const ends = [
      moved && `moved ${probable(moved)}`,
      at.text === 1 && !held && copies && `C copies ${copies} alone`,
    ].filter(Boolean);
    const end = ends.map(one => ` · ${one}`).join('');
    if (!tellsWords(world)) return [...head, end];
    const top = facts.streams[state.stream].blocks.length === at.stage && grid.answers;
    const all = top
      ? grid.answers[at.token].slice(0, 3).map(one => one.slice(1))
      : [grid.words[at.stage][at.token]];
    const says = all.map(([word, p]) => `${shown(word)} ${probable(p)}`).join(', ');
    return [...head, `: ${says}${end}`];
  }
  if (held) {
    const {stream} = state;
    const part = held.head
      ? `${partName(world, {...held, stream, from_stage: held.stage})} of `
      : '';
    const where = held.head ? '' : held.stage ? ` after block ${held.stage - 1}` : ' as embedded';
    const from = {em: inMarks(labels[1][held.token])};
    return [`holding ${part}`, from, `${where}: point at a cell of this text`];
  }
  const head = headOf(world, over?.bar ?? bar);
  if (head && over?.bar && over.bar !== bar) return [`Click: C then copies ${head} alone.`];
  if (head) return [`C, or a drag, copies ${head} alone: what it gives a token of the other text.`];
  return ['A state carried over is a cause tried, not a weight seen.'];
}
