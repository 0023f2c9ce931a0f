// Depth 0, the model as a scene: embeddings summed, what each block adds, the answers.

import {leavesOf, keyOf, rowRead, saidUnder} from './whole_plan.js';
import {drawSide} from './whole_side.js';
import {probable, written, shown} from '../shared/scene/names.js';
import {LEAST_TEXT, Sketch, STEEP, toneOf} from '../shared/scene/sketch.js';
import {answering} from './standing.js';
import {drawTrack, isPartOf, sightOf, sightText} from '../shared/scene/windows.js';

const DARKEST = 2.2; // an update so many times as long as what it is added to
const OTHERS = 0.5; // how strong a patch is that is not in focus
const FAINTEST = 0.35; // an answer that is hardly likely
const NAMES = {attention: 'attends', cross: 'cross-attends', feed: 'feed-forward'};

/**
 * @param {World} world with a `plan` that `wholePlan` made
 * @returns {Scene}
 */
export function wholeScene(world) {
  const sketch = new Sketch(world);
  const stage = world.stages.find(({id}) => id === world.state.stage);
  const all = {...world, sketch, over: world.over ?? {}, blockInFocus: stage?.block ?? null};
  drawBlocks(all);
  for (const columns of world.plan.columns) {
    drawSpines(all, columns);
    drawTokens(all, columns);
    for (const row of world.plan.rows) drawRow(all, columns, row);
    drawAnswers(all, columns);
  }
  drawCrossing(all);
  for (const row of world.plan.rows) drawRowName(all, row);
  drawSights(all);
  drawSide(all);
  return sketch.scene;
}
const streamOf = ({facts}, {stream}) => facts.anatomy.streams[stream];
const middleOf = ({x, pitch, tokens}, t) => x + pitch * (t - tokens.from + 0.5);
const isFocus = ({state}, {stream}, token) => state.stream === stream && state.token === token;

// ---- what stands in a row of a stream
/** The stages of a row, one but for beads; each with what a click there changes. */
function stagesIn(world, columns, row) {
  const {stream} = columns;
  const parts = streamOf(world, columns);
  const found = (id, place, more) => [{id: `${stream}.${id}`, place, ...more}];
  if (row.is === 'leaf') {
    const leaf = leavesOf(parts) - row.leaf;
    if (leaf < 0) return [];
    const {name, place} = parts.embedded[leaf];
    return found(`e${leaf}`, place, {name: leaf ? `+ ${name}` : name});
  }
  if (row.is === 'x') return found('x', parts.start);
  if (row.is === 'last') {
    return parts.last.node === parts.end.node ? [] : found('last', parts.last);
  }
  const block = parts.blocks[row.block];
  if (!block) return [];
  if (row.is === 'end') return found(`${row.block}.end`, block.end, {block: row.block});
  return beadsIn(block, row.key).flatMap(([part, k]) =>
    found(`${row.block}.${k}.update`, part.update, {block: row.block, part: k, adds: part}),
  );
}
const beadsIn = ({parts}, key) =>
  parts.map((part, k) => [part, k]).filter((_, k) => key === 'all' || keyOf(parts, k) === key);
const changesOf = ({id, block, part}, {stream}, token) => ({
  stream,
  token,
  stage: id,
  ...(block !== undefined && {block}),
  ...(part !== undefined && {part}),
});

// ---- rows
function drawRow(all, columns, row) {
  const stages = stagesIn(all, columns, row);
  const {sketch, facts} = all;
  const isOne = row.is === 'last' && stages[0]?.place.token === null;
  const one = answerToken(rowRead(facts), columns);
  for (const token of stages.length ? sightOf(columns.tokens) : []) {
    if (isOne && token !== one) continue;
    const width = columns.pitch / stages.length;
    const left = middleOf(columns, token) - columns.pitch / 2;
    stages.forEach((stage, k) => {
      const own = columns.patch / stages.length;
      const box = {x: left + (columns.pitch - columns.patch) / 2 + own * k, width: own};
      if (stage.adds) drawBead(all, {columns, token, stage}, bead(box, row));
      else drawPatch(all, {columns, token, stage}, {...box, ...patch(row)});
      const hit = {x: left + width * k, y: row.y, width, height: row.height};
      const does = changesOf(stage, columns, token);
      sketch.hit(hit, does, does);
    });
  }
}
const bead = ({x, width}, {y, height}) => ({
  x: x + 0.5,
  width: width - 1,
  y: y + 2,
  height: height - 4,
});
const patch = ({y, height}) => ({y: y + 1, height: height - Math.max(4, height * 0.28)});
function drawPatch(all, {columns, token, stage}, box) {
  const {sketch, numbers} = all;
  const heads = streamOf(all, columns).blocks[0]?.parts.find(part => part.heads)?.heads ?? 1;
  const rows = numbers.width(stage.place) % heads ? 1 : heads;
  const alpha = isFocus(all, columns, token) ? 1 : OTHERS;
  sketch.patch(stage.place, token, rows, box, {alpha, group: `${stage.id} ${token}`});
  frameOf(all, {columns, token, stage}, box, 2);
}
function drawBead(all, {columns, token, stage}, box) {
  const {sketch, numbers} = all;
  const size = numbers.size(stage.adds, token);
  if (size === null) return;
  const share = Math.min(1, size / DARKEST);
  sketch.rect(box, {fill: toneOf(share), r: 3, layer: 'over'});
  const text = written(size);
  const weight = isFocus(all, columns, token) ? 700 : 400;
  if (sketch.width(text, LEAST_TEXT, 700) <= box.width - 1 && box.height >= LEAST_TEXT - 1) {
    const look = {anchor: 'middle', onTone: share, weight};
    sketch.text(box.x + box.width / 2, box.y + box.height / 2 + 4.2, text, look);
  }
  frameOf(all, {columns, token, stage}, box, 1.5);
}
// Orange: the stage in focus at its token; dashed: the one under the pointer.
function frameOf({sketch, state, over}, {columns, token, stage}, box, out) {
  const isOf = place => place.stage === stage.id && place.token === token;
  const here = {stage: state.stage, token: state.stream === columns.stream ? state.token : null};
  if (isOf(here)) sketch.frame(box, 'focus', {out});
  else if (isOf(over)) sketch.preview(box, {out});
}
// Down to the answers, each token's; of a text only from what the output layer reads.
function drawSpines(all, columns) {
  const {sketch, plan, facts} = all;
  const from = plan.rows.find(row => row.is === 'x').y + 2;
  const foot = ({y, height}) => y + height;
  const to = facts.answers ? plan.answers.y : foot(plan.rows.at(-1));
  const end = plan.rows.findLast(row => row.is === 'end');
  const ofText =
    facts.anatomy.probabilities === 'text' && columns.stream === answering(facts.anatomy);
  const read = ofText ? rowRead(facts) : null;
  for (const token of sightOf(columns.tokens)) {
    const focus = isFocus(all, columns, token);
    const look = {stroke: focus ? 'focus' : 'spine', width: focus ? 4 : 2.5};
    const low = read === null || read === token ? to : foot(end);
    sketch.line(`M${middleOf(columns, token)} ${from} V${low}`, look);
  }
}
/** The token under which the answer to a text stands: that which is read, or the one amidst. */
const answerToken = (row, {tokens}) => row ?? tokens.from + Math.floor(tokens.count / 2);

// ---- names
function drawTokens(all, columns) {
  const {sketch, plan, labels, over} = all;
  const names = labels[streamOf(all, columns).tokens];
  const {side} = streamOf(all, columns);
  if (plan.heading && side) {
    const look = {weight: 700, fill: columns.stream === all.state.stream ? 'focus' : 'ink'};
    sketch.text(columns.x, 11, side, look);
  }
  for (const token of sightOf(columns.tokens)) {
    const focus = isFocus(all, columns, token);
    const pointed = over.stream === columns.stream && over.token === token;
    const x = middleOf(columns, token);
    sketch.text(x - 2, plan.labels, names[token], {
      rotate: -STEEP,
      size: focus ? 15 : 13,
      weight: focus ? 700 : 400,
      fill: focus ? 'focus' : pointed ? 'second' : 'ink',
      room: plan.labelRoom,
    });
    const place = {stream: columns.stream, token};
    const top = plan.heading + 4;
    const box = {x: x - columns.pitch / 2, y: top, width: columns.pitch, height: plan.labels - top};
    sketch.hit(box, place, place, {foot: plan.labels - 9});
  }
}
function drawRowName(all, row) {
  const {sketch, plan, state} = all;
  const order = [...plan.columns].sort(({stream}) => (stream === state.stream ? -1 : 1));
  const columns = order.find(one => stagesIn(all, one, row).length);
  const stages = stagesIn(all, columns, row);
  const on = stages.some(({id}) => id === state.stage);
  const strong = row.is === 'x' || row.is === 'end';
  const first = row.is === 'beads' && plan.rows.find(({block}) => block === row.block) === row;
  const y = row.y + (row.is === 'beads' ? row.height / 2 : patch(row).height / 2 + 1) + 4;
  sketch.text(plan.gutter - 8, y, nameOfRow(all, columns, row, stages), {
    anchor: 'end',
    fill: on ? 'focus' : strong ? 'ink' : 'ink2',
    weight: on || strong ? 700 : 400,
    room:
      plan.gutter - (first ? sketch.width(blockTitle(all, row.block), LEAST_TEXT, 700) + 24 : 10),
  });
}
function nameOfRow(all, columns, {is, key}, [{adds, name}]) {
  const stream = streamOf(all, columns);
  const isLast = columns.stream === answering(all.facts.anatomy);
  if (is === 'leaf') return name;
  if (is === 'x') return leavesOf(stream) ? `= x${stream.norm ? ', normed' : ''}` : 'x';
  if (is === 'end') return 'x after it';
  if (is === 'last') return isLast ? 'h, to the answer' : 'to the decoder';
  if (key === 'all') return 'adds';
  return adds.is === 'box' ? adds.name : NAMES[adds.cross ? 'cross' : adds.is];
}

// ---- blocks, and what goes from one stream to the other
const blockTitle = ({plan}, block) => (plan.right.width ? `block ${block} ›` : `${block} ›`);
function drawBlocks(all) {
  const {sketch, plan, size, over, blockInFocus} = all;
  const {blocks} = plan;
  const left = isPartOf(blocks) ? 8 : 0;
  for (const {block, y, height} of plan.frames) {
    const focus = block === blockInFocus;
    const box = {x: left + 0.5, y, width: size.width - left - 1, height};
    const stroke = {stroke: focus ? 'focus' : 'rule', strokeWidth: focus ? 1.6 : 1};
    sketch.rect(box, {fill: 'panel', r: 6, ...stroke});
    const opened = over.block === block && over.stage === undefined && over.head === undefined;
    const first = plan.rows.find(row => row.block === block);
    const look = {weight: 700, fill: opened ? 'second' : 'ink'};
    sketch.text(left + 8, first.y + first.height / 2 + 4, blockTitle(all, block), look);
    const does = {depth: 1, stream: streamWith(all, block), block};
    sketch.hit({...box, width: plan.gutter - left - 4}, {block}, does);
  }
}
// The stream in focus, unless it has fewer blocks.
function streamWith({facts, state}, block) {
  const {streams} = facts.anatomy;
  const has = one => streams[one].blocks.length > block;
  return has(state.stream) ? state.stream : streams.findIndex((_, one) => has(one));
}
// Keys and values of cross-attention are made of the encoder's last vectors.
function drawCrossing(all) {
  const {sketch, plan} = all;
  const [from, to] = plan.columns;
  if (!to) return;
  const crossing = plan.rows.filter(row => stagesIn(all, to, row).some(({adds}) => adds?.cross));
  if (!crossing.length) return;
  const middle = ({y, height}) => y + height / 2;
  const last = plan.rows.findLast(row => row.is !== 'beads' && stagesIn(all, from, row).length);
  const x = to.x - 12;
  const edge = from.x + from.pitch * from.tokens.count;
  const top = Math.min(middle(crossing[0]), middle(last));
  const low = Math.max(middle(crossing.at(-1)), middle(last));
  sketch.line(`M${edge - 2} ${middle(last)} H${x} M${x} ${top} V${low}`, {width: 1.8});
  for (const row of crossing) {
    sketch.line(`M${x} ${middle(row)} h9 m-4 -3.5 l4 3.5 l-4 3.5`, {width: 1.8});
  }
}
function drawSights(all) {
  const {sketch, plan, facts} = all;
  const {columns, blocks, frames, heading} = plan;
  const notes = [];
  for (const {stream, tokens, x, pitch} of columns.filter(one => isPartOf(one.tokens))) {
    const {side} = facts.anatomy.streams[stream];
    notes.push([columns.length > 1 ? side : 'tokens', sightText(tokens, 1)]);
    const box = {x, y: heading, width: pitch * tokens.count, height: 3};
    drawTrack(sketch, box, tokens, token => ({stream, token}));
  }
  if (isPartOf(blocks)) {
    notes.push(['blocks', sightText(blocks)]);
    const last = frames.at(-1);
    const box = {x: 0, y: frames[0].y, width: 3, height: last.y + last.height - frames[0].y};
    const endOf = block => `${streamWith(all, block)}.${block}.end`;
    drawTrack(sketch, box, blocks, block => ({block, stage: endOf(block)}));
  }
  notes.forEach(([what, sight], k) => {
    const whole = `${what} ${sight}`;
    const fits = sketch.width(whole) < plan.gutter - 4;
    sketch.text(0, 11 + 14 * k, fits ? whole : sight);
  });
}

// ---- answers under the tokens
function drawAnswers(all, columns) {
  const {sketch, plan, facts} = all;
  const {answers, anatomy} = facts;
  if (!answers || columns.stream !== answering(anatomy)) return;
  const y = plan.answers.y + 14;
  const ofText = anatomy.probabilities === 'text';
  const look = {anchor: 'end', weight: 700, room: plan.gutter - 8};
  sketch.text(plan.gutter - 8, y, ofText ? 'answer' : 'answers', look);
  if (ofText) {
    drawAnswer(all, columns, y);
    return;
  }
  drawSpan(all, columns);
  for (const token of sightOf(columns.tokens)) {
    const said = saidUnder(facts, token);
    if (!said) continue; // not a number, or nothing begins or ends here
    const [word, p] = said;
    const focus = isFocus(all, columns, token);
    sketch.text(middleOf(columns, token) + 4, plan.answers.y + 12, shown(word), {
      rotate: -STEEP,
      anchor: 'end',
      weight: focus ? 700 : 400,
      fill: focus ? 'focus' : 'ink',
      alpha: FAINTEST + (1 - FAINTEST) * Math.sqrt(p),
      room: plan.answers.room,
    });
  }
}
// The answer to a text, under what is read for it, as far as there is room on its right.
function drawAnswer({sketch, facts}, columns, y) {
  const [word, p] = facts.answers[0][0] ?? ['no number', NaN];
  const text = [shown(word), ...(p >= 0 ? [probable(p)] : [])].join(' ');
  const room = columns.pitch * columns.tokens.count;
  const end = columns.x + room;
  const wide = Math.min(room, sketch.width(text, LEAST_TEXT, 700));
  const left = middleOf(columns, answerToken(rowRead(facts), columns)) - columns.pitch / 2;
  const x = Math.max(columns.x, Math.min(left, end - wide));
  sketch.text(x, y, text, {weight: 700, fill: 'focus', room});
}
// A bar from the first to the last token of the span, as far as they are in sight.
function drawSpan({sketch, plan, facts}, columns) {
  const span = facts.spans?.at(-1);
  if (!span) return;
  const {from, count} = columns.tokens;
  const [first, last] = [Math.max(span[0], from), Math.min(span[1], from + count - 1)];
  if (last < first) return;
  const x = columns.x + columns.pitch * (first - from) + 1;
  const width = columns.pitch * (last - first + 1) - 2;
  sketch.rect({x, y: plan.answers.y - 2, width, height: 4}, {fill: 'focus', r: 2, layer: 'over'});
}
