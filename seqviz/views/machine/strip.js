// All numbers of the vector in focus, large: the strip under the picture.

import {written} from '../shared/scene/names.js';
import {Sketch} from '../shared/scene/sketch.js';

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
  const sketch = new Sketch(world);
  const vector = vectorOf(world);
  if (!vector) return sketch.scene;
  const look = {size: 13, room: world.size.width};
  const title = sketch.firstThatFits(0, top + TITLE_DOWN, stripTitles(world, vector), look);
  drawVector(sketch, vector, {top, title});
  return sketch.scene;
}
// The longest first.
function stripTitles({facts, numbers, labels}, {stage, token, previewed}) {
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
    {text: ' of '},
    {text: labels[tokens][token], fill, weight: 700},
  ];
  return [3, 2, 1, 0].map(count => [...named, {text: told.slice(0, count).join('')}]);
}
function drawVector(sketch, {stage, token}, {top, title}) {
  const {numbers, state, size, facts} = sketch.world;
  const {place, stream, tokens} = stage;
  const heads = numbers.length(place, 'head');
  const cols = numbers.length(place, 'number');
  const width = (size.width - HEADS.gap * (heads - 1)) / heads;
  // a click on the keys of another text is not on a token of this stream
  const own = tokens === facts.anatomy.streams[stream].tokens ? {token} : {};
  for (let head = 0; head < heads; head++) {
    const x = head * (width + HEADS.gap);
    const box = {x, y: top + CELLS.from, width, height: CELLS.high};
    sketch.heat(box, {
      node: place.node,
      base: numbers.at(place, token, head * cols),
      rows: 1,
      cols,
      rowStep: 0,
      colStep: numbers.step(place, 'number'),
      max: numbers.range(place),
      grid: width / cols > GAPPED,
      live: true,
    });
    sketch.hit(box, {stage: stage.id, token}, {stage: stage.id, stream, ...own});
    if (heads === 1) continue;
    const on = head === state.head;
    const hue = {x, y: box.y + box.height + 1, width, height: BAND};
    sketch.rect(hue, {fill: `cat ${head}`, alpha: on ? 1 : 0.5, layer: 'over'});
    if (width < HEADS.least || x + width - HEADS.least < title) continue;
    const look = {anchor: 'end', fill: on ? 'ink' : 'ink2', weight: on ? 700 : 400};
    sketch.text(x + width, top + TITLE_DOWN, `head ${head}`, look);
  }
}
