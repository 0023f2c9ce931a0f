// All numbers of the vector in focus, large: the strip under the picture.

import {written} from './names.js';

/** Pixels that the strip takes. */
export const STRIP = 44;
const TITLE_DOWN = 12; // pixels down to the base line of the title
const CELLS = {from: 18, high: 20};
const BAND = 3; // pixels of a head's hue
const HEADS = {gap: 6, least: 52}; // pixels between heads, and of one that has room for its name
const GAPPED = 4; // pixels of a cell from which on there are gaps

/**
 * Whose numbers they are: those under the pointer, else those of the stage in focus.
 * @param {World} world
 * @returns {{stage: Stage, token: number, previewed: boolean} | null}
 */
export function vectorOf({stages, state, over}) {
  const stage = stages.find(({id}) => id === (over?.stage ?? state.stage));
  if (!stage) return null;
  const own = stage.stream === state.stream ? state.token : 0;
  const isKeys = stage.tokens !== stages.find(({stream}) => stream === stage.stream).tokens;
  const token = over?.token ?? (isKeys ? state.key : own);
  const previewed = stage.id !== state.stage || token !== (isKeys ? state.key : own);
  return {stage, token, previewed: Boolean(over) && previewed};
}
/**
 * The strip as a scene.
 * @param {World} world
 * @param {number} top pixels
 * @returns {Scene} without anything where no vector is in focus
 */
export function stripScene(world, top) {
  const scene = {heats: [], rects: [], lines: [], texts: [], marks: [], hits: []};
  const vector = vectorOf(world);
  if (!vector) return scene;
  const title = stripTitle(world, vector);
  scene.texts.push({x: 0, y: top + TITLE_DOWN, size: 13, spans: title});
  drawVector(scene, world, vector, {top, title: widthOf(title, world.size.measure)});
  return scene;
}
const widthOf = (spans, measure) =>
  spans.reduce((sum, {text, weight = 400}) => sum + measure(text, `${weight} 13px`), 0);
// As much as there is room for.
function stripTitle({facts, numbers, labels, size}, {stage, token, previewed}) {
  const fill = previewed ? 'second' : 'focus';
  const {place, tokens, name, stream, block, part, role} = stage;
  const {blocks} = facts.anatomy.streams[stream];
  const added = role === 'update' ? numbers.size(blocks[block].parts[part], token) : null;
  const told = [
    `\u2003${numbers.width(place)} numbers`,
    `, ±${written(numbers.range(place))}`,
    added === null ? '' : `, ${written(added)} times the length of x`,
  ];
  const named = [
    {text: name, fill, weight: 700},
    {text: ' of ', fill: 'ink2'},
    {text: labels[tokens][token], fill, weight: 700},
  ];
  const titles = [3, 2, 1, 0].map(count => [
    ...named,
    {text: told.slice(0, count).join(''), fill: 'ink2'},
  ]);
  return titles.find(title => widthOf(title, size.measure) <= size.width) ?? titles.at(-1);
}
function drawVector(scene, world, {stage, token}, {top, title}) {
  const {numbers, state, size} = world;
  const {place, stream} = stage;
  const heads = numbers.length(place, 'head');
  const cols = numbers.length(place, 'number');
  const wide = (size.width - HEADS.gap * (heads - 1)) / heads;
  for (let head = 0; head < heads; head++) {
    const x = head * (wide + HEADS.gap);
    const box = {x, y: top + CELLS.from, w: wide, h: CELLS.high};
    scene.heats.push({
      ...box,
      node: place.node,
      base: numbers.at(place, token, head * cols),
      rows: 1,
      cols,
      rowStep: 0,
      colStep: numbers.step(place, 'number'),
      max: numbers.range(place),
      grid: wide / cols > GAPPED,
      live: true,
    });
    const at = {stage: stage.id, token};
    scene.hits.push({
      ...box,
      place: at,
      does: {stage: stage.id, stream, ...tokenIn(stage, world, token)},
    });
    if (heads === 1) continue;
    const hue = {x, y: box.y + box.h + 1, w: wide, h: BAND, fill: `cat ${head}`};
    const on = head === state.head;
    scene.rects.push({...hue, alpha: on ? 1 : 0.5});
    const name = {x: x + wide, y: top + TITLE_DOWN, text: `head ${head}`, anchor: 'end'};
    if (wide < HEADS.least || x + wide - HEADS.least < title) continue;
    scene.texts.push({...name, fill: on ? 'ink' : 'ink2', weight: on ? 700 : 400});
  }
}
// A click on the keys of another text is not on a token of this stream.
function tokenIn({tokens, stream}, {facts}, token) {
  return tokens === facts.anatomy.streams[stream].tokens ? {token} : {};
}
