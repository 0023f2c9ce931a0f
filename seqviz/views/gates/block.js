// One row of the net, all units: the first cut. What a hold changes stands as bars at its right and
// under it.

import {ringed, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {CALLED} from './cells.js';
import {CHANGE, GUTTER, MARGIN} from './plan.js';
import {heat} from './shades.js';

const LINES = 6; // pixels of a cell from which on there are gaps between them
const NAMED = 11; // pixels of a row from which on each has its number

/**
 * Where a unit of the block stands.
 * @param {Scene} scene
 * @param {number} u from 0
 * @returns {number} its top
 */
export const unitTop = ({place, units}, u) => place.block + units.indexOf(u) * place.pitch;
/**
 * The block of the row that is open.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawBlock(root, scene) {
  const {place, row, layer, tone, u} = scene;
  const {block, pitch, end} = place;
  const tall = pitch * layer.H;
  const name = `${row} ${CALLED[row]}`;
  textAt(root, 0, place.caption + place.title, name, 'mid bold');
  svg(root, 'image', {
    href: heat(scene, row),
    x: GUTTER,
    y: block,
    width: end - GUTTER,
    height: tall,
    preserveAspectRatio: 'none',
    style: pitch >= 1 ? 'image-rendering: pixelated' : '',
  });
  drawGaps(root, scene, tall);
  nameUnits(root, scene);
  if (scene.hold) drawChanges(root, scene);
  const height = Math.max(pitch, 3);
  const frame = {x: GUTTER - 1, y: unitTop(scene, u) - 1, width: end - GUTTER + 2, rx: 1.5};
  ringed(root, {...frame, height: height + 1}, tone.focus, tone);
}
function drawGaps(root, scene, tall) {
  const {place, layer, tone, split} = scene;
  const {block, pitch, n, cw, from, x, end} = place;
  const across = Array.from(
    {length: n - 1},
    (_, k) => `M${x(from + k + 1) - 0.5} ${block}v${tall}`,
  );
  const down = Array.from(
    {length: pitch > LINES ? layer.H - 1 : 0},
    (_, k) => `M${GUTTER} ${block + (k + 1) * pitch - 0.5}h${n * cw}`,
  );
  const d = [...across, ...down].join('');
  if (d) svg(root, 'path', {d, stroke: tone.bg, 'stroke-width': 1});
  if (!split) return;
  const y = block + split * pitch - 0.5;
  svg(root, 'line', {x1: GUTTER, x2: end, y1: y, y2: y, stroke: tone.ink, 'stroke-width': 1.5});
  const clear = top => Math.abs(unitTop(scene, scene.u) + pitch / 2 + 4 - top) > NAMED;
  const name = (text, top) => clear(top) && textAt(root, 0, top, text, 'soft');
  name('turn', block + 11);
  if (split * pitch >= 13) name('keep', y + 13);
}
// The number of each unit where there is room, else of that in focus and some clear of it.
function nameUnits(root, scene) {
  const {place, units, u} = scene;
  const {pitch} = place;
  const middle = unit => unitTop(scene, unit) + pitch / 2 + 4;
  const every = Math.ceil(NAMED / pitch);
  units.forEach((unit, k) => {
    const clear = Math.abs(units.indexOf(u) - k) * pitch >= NAMED;
    if (unit !== u && (k % every || !clear)) return;
    const text = unit === u ? `unit ${u + 1}` : unit + 1;
    textAt(root, GUTTER - 7, middle(unit), text, unit === u ? 'hot' : 'soft', 'end');
  });
}
function drawChanges(root, {place, layer, after, row, units, tone}) {
  const {T, n, from, cw, pitch, block, change, x, end} = place;
  const {H} = layer;
  const moved = (t, u) => Math.abs(after[row][t * H + u] - layer.curves[row][t * H + u]);
  const steps = Array.from({length: T}, (_, t) => t);
  const sum = values => values.reduce((a, b) => a + b, 0);
  const ofUnits = units.map(u => sum(steps.map(t => moved(t, u))));
  const ofSteps = steps.map(t => sum(units.map(u => moved(t, u))));
  const most = Math.max(...ofUnits, 1e-9);
  const bar = {class: 'change', fill: tone.second};
  units.forEach((_, k) => {
    const width = ((MARGIN - 8) * ofUnits[k]) / most;
    const height = Math.max(0.5, pitch - (pitch > LINES ? 3 : 0));
    svg(root, 'rect', {...bar, x: end + 4, y: block + k * pitch + 1, width, height});
  });
  const highest = Math.max(...ofSteps, 1e-9);
  for (let k = from; k < from + n; k++) {
    const height = ((CHANGE - 2) * ofSteps[k]) / highest;
    svg(root, 'rect', {...bar, x: x(k) + 1, y: change, width: cw - 2, height});
  }
  textAt(root, GUTTER - 7, change + 10, 'change', 'second', 'end');
}
