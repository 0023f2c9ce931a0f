// All heads: a thumbnail of each, roll-ups by layer and by head.

import {svg} from '../shared/nodes.js';
import {medianOf} from './costs.js';
import {cellOf, faded, gridPlan} from './grid_plan.js';
import {shareOf} from './packing.js';
import {averaged, END, enlarged, MIDDLE, pen, setOff, sized, write} from './panes.js';
import {brief, isChosen, placeOfLayer} from './places.js';
import {silentOf} from './silence.js';
import {change, level, weight} from './weights.js';

const BOARD = 128; // tiles painted from one canvas

/**
 * The box scrolls, and never the page, until the tile is in it.
 * @param {Element} box
 * @param {GridCell} tile
 */
export function showTile(box, {y, height}) {
  if (y < box.scrollTop) box.scrollTop = y - 4;
  else if (y + height + 24 > box.scrollTop + box.clientHeight) {
    box.scrollTop = y + height + 26 - box.clientHeight;
  }
}

// ---- thumbnails in colour, one under another
function thumbPictures(found, {thumbs: {rows, columns}, scale, pixels}) {
  const share = level[scale];
  const image = new ImageData(columns, rows * found.length);
  const out = new Uint32Array(image.data.buffer);
  const tables = [];
  const tableOf = peak =>
    Uint32Array.from({length: 256}, (_, byte) => {
      const place = byte ? Math.round(255 * share(shareOf(byte), 1, shareOf(peak))) : 0;
      return pixels[Math.max(0, Math.min(255, place))];
    });
  found.forEach((bytes, n) => {
    for (let r = 0, i = 0, at = n * rows * columns; r < rows; r++) {
      let peak = scale === 'row' ? 1 : 255;
      for (let c = i; peak < 255 && c < i + columns; c++) if (bytes[c] > peak) peak = bytes[c];
      const table = (tables[peak] ??= tableOf(peak));
      for (const end = i + columns; i < end; i++) out[at + i] = table[bytes[i]];
    }
  });
  return image;
}
// Some tiles of one size at a time: to draw from a canvas takes longer than to draw.
function paintTiles(drawing, cells, scene) {
  const {thumbs, tone, ratio} = scene;
  const pictureOf = ({layer, head}) => thumbs?.at.get(brief(layer, head));
  const [{width, height}] = cells;
  const found = cells.map(pictureOf).filter(Boolean);
  const large =
    found.length &&
    enlarged(thumbPictures(found, scene), width * ratio, height * ratio * found.length);
  let n = 0;
  for (const cell of cells) {
    drawing.globalAlpha = faded(scene, cell.layer, cell.head) ? 0.22 : 1;
    if (pictureOf(cell)) averaged(drawing, large, n++ / found.length, 1 / found.length, cell);
    else {
      drawing.fillStyle = tone.panel;
      drawing.fillRect(cell.x, cell.y, width, height);
    }
  }
}

// ---- the pane
/**
 * Thumbnails and names, painted when one of them changes; frames around the heads that are open and
 * the one that is previewed.
 * @param {Pane} pane
 * @param {Scene} scene
 * @param {{side: number, tile: number}} place `side` pixels across; of a thumbnail at most `tile`
 * @returns {GridPlan} where the tiles stand
 */
export function drawGrid(pane, scene, {side: width, tile}) {
  const {tone, thumbs, sort, least, rollup, scale, sheet, ratio, g, theme} = scene;
  const order = [sort, least, rollup, scene.rankingKey, Boolean(scene.ranking)];
  const key = [g, width, tile, theme, scale, sheet.axes, ratio, thumbs?.key, ...order].join();
  if (pane.key !== key) {
    const plan = (pane.plan = gridPlan(scene, width, tile));
    pane.key = key;
    sized(pane, width, plan.height);
    const drawing = pen(pane.canvas, width, plan.height, ratio);
    for (let from = 0; from < plan.cells.length; from += BOARD) {
      paintTiles(drawing, plan.cells.slice(from, from + BOARD), scene);
    }
    pane.still.replaceChildren();
    if (plan.ranked) tileLabels(pane.still, scene, plan);
    else drawNumbers(pane.still, scene, plan);
    crossOut(pane.still, scene, plan);
  }
  const {plan} = pane;
  pane.moving.replaceChildren();
  const open = isChosen(scene.head) ? scene.head : [[scene.layer, scene.head]];
  for (const [layer, head, stroke, dash] of [
    ...open.map(place => [...place, tone.focus]),
    ...(scene.pre ? [[scene.pre.layer, scene.pre.head, tone.second, '4 2']] : []),
  ]) {
    const cell = cellOf(plan, layer, head);
    if (!cell) continue;
    const {x, y, width, height} = cell;
    const box = {x: x - 1.5, y: y - 1.5, width: width + 3, height: height + 3, rx: 3};
    const look = {stroke, 'stroke-width': 2.5, ...(dash ? {'stroke-dasharray': dash} : {})};
    setOff(pane.moving, 'rect', box, look, {stroke: tone.bg, 'stroke-width': 5});
  }
  return plan;
}
// A cross over each head that is silenced.
function crossOut(node, {facts, kind, tone}, plan) {
  for (const [name, layer, head] of silentOf(facts)) {
    const cell = name === kind.name && cellOf(plan, layer, head);
    if (!cell) continue;
    const {x, y, width, height} = cell;
    const d = `M${x} ${y}l${width} ${height}M${x + width} ${y}l${-width} ${height}`;
    const look = {stroke: tone.ink, 'stroke-width': 2, 'data-silent': brief(layer, head)};
    setOff(node, 'path', {d}, look, {stroke: tone.bg, 'stroke-width': 5});
  }
}
// Numbers of layers and heads, as many as there is room for.
function drawNumbers(node, {kind: {numbers}, rollup, measure}, {L, H, x, y, t, tall, down}) {
  const across = Math.ceil((measure('00') + 4) / (x(1) - x(0)));
  const along = Math.ceil(14 / (y(1) - y(0)));
  const middle = l => y(l) + tall / 2 + 4;
  // The roll-up's name ends with its column or, if it is short, stands in the middle; numbers under
  // it give way.
  const long = rollup === 'rollout';
  const name = long ? x(H) + t : Math.max(x(H) + t / 2, x(H) + t - measure(rollup) / 2);
  const edge = name - measure(rollup) * (long ? 1 : 0.5) - 4;
  for (let h = 0; h < H; h += across) {
    const center = x(h) + t / 2;
    const fits = center + measure(String(h)) / 2 <= edge;
    if (fits) write(node, h, 'soft', {x: center, y: 13, ...MIDDLE});
  }
  const left = {x: x(0) - 6, ...END};
  for (let l = 0; l < L; l += along) write(node, numbers[l], 'soft', {...left, y: middle(l)});
  write(node, rollup, 'soft', {x: name, y: 13, ...(long ? END : MIDDLE)});
  write(node, down, 'soft', {...left, y: middle(L)});
}
// Beside what silencing costs: the same at the other tokens as a tick, and the weight of the cell.
function drawControl(node, scene, {layer, head, x, y, width, most, end}) {
  const {costOf, besideCosts, kind, tone} = scene;
  const found = costOf(layer, head);
  if (found?.others.length) {
    const middle = x + width * Math.max(0, Math.min(1, medianOf(found) / most));
    svg(node, 'rect', {x: middle - 1, y: y + 1, width: 2, height: 6, fill: tone.ink});
  }
  const read = besideCosts?.[placeOfLayer(kind, layer)][head];
  if (read === undefined) return;
  write(node, 'weight', 'soft', {x, y: y + 31});
  write(node, weight(read), 'soft', {...end, y: y + 31});
}
function tileLabels(node, scene, {cells, most}) {
  for (const {layer, head, x, y: top, width, height, score} of cells) {
    const dim = faded(scene, layer, head) ? {opacity: 0.55} : {};
    const y = top + height;
    const bar = {x, y: y + 2, width: width * Math.min(1, score / most), height: 3};
    if (score > 0) svg(node, 'rect', {...bar, fill: scene.tone.soft, ...dim});
    write(node, brief(layer, head), 'strong', {x, y: y + 17, ...dim});
    const end = {x: x + width, ...END, ...dim};
    const number = scene.sort !== 'cost' ? weight(score) : score > -Infinity ? change(score) : '…';
    write(node, number, 'soft', {...end, y: y + 17});
    if (scene.sort === 'cost') drawControl(node, scene, {layer, head, x, y, width, most, end});
  }
}
