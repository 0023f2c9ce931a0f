// All heads: a thumbnail of each, roll-ups by layer and by head, entropy as bars; by place, or the
// highest score first.

import {html, put, svg} from '../shared/base.js';
import {shareOf} from './packing.js';
import {brief, named, placeOfLayer} from './places.js';
import {level, summed, weight} from './weights.js';

const GAP = 2;
const NUMBERS = 44;
const HEADING = 20;
const BARS = 34;
const TILE = 66;
const BOARD = 128;

// ---- a canvas under an SVG: what is painted once, and what follows the cursor
export function layers(node) {
  return {
    node,
    canvas: html(node, 'canvas', {class: 'painted', 'aria-hidden': true}),
    still: svg(node, 'svg', {'aria-hidden': true, overflow: 'visible'}),
    moving: svg(node, 'svg', {'aria-hidden': true, overflow: 'visible'}),
    key: '',
  };
}
// An empty SVG of this size.
export function blank(node, width, height) {
  if (node.getAttribute('viewBox') !== `0 0 ${width} ${height}`) {
    put(null, node, {width, height, viewBox: `0 0 ${width} ${height}`});
  }
  node.replaceChildren();
}
export function sized(pane, width, height) {
  for (const drawn of [pane.still, pane.moving]) {
    put(null, drawn, {width, height, viewBox: `0 0 ${width} ${height}`});
  }
  Object.assign(pane.node.style, {width: `${width}px`, height: `${height}px`});
}
export function pen(canvas, width, height, ratio) {
  Object.assign(canvas, {
    width: Math.max(1, Math.round(width * ratio)),
    height: Math.max(1, Math.round(height * ratio)),
  });
  Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
  const drawing = canvas.getContext('2d');
  drawing.scale(ratio, ratio);
  return drawing;
}

// ---- where each cell stands
const ROUNDED = 2 ** -13; // a score, of itself
export const lowIsBest = sort => sort === 'error' || sort === 'entropy';
function faded({kind, sort, least, ranking}, layer, head) {
  if (
    sort === 'place' ||
    !least ||
    !ranking ||
    typeof layer === 'string' ||
    typeof head === 'string'
  ) {
    return false;
  }
  const score = ranking[placeOfLayer(kind, layer)][head];
  return lowIsBest(sort) ? score > least * (1 + ROUNDED) : score < least * (1 - ROUNDED);
}
function gridPlan(scene, width) {
  return scene.sort === 'place' || !scene.ranking ? byPlace(scene, width) : byScore(scene, width);
}
function byPlace({kind: {layers: L, numbers, heads: H, queries, keys}, rollup, wide}, width) {
  const t = Math.max(
    4,
    Math.min(64, Math.floor((width - NUMBERS - 8 - 10 - BARS) / (H + 1)) - GAP),
  );
  const shape = Math.max(0.5, Math.min(1.5, queries.length / keys.length));
  const tall = Math.max(
    4,
    Math.min(Math.round(t * (wide ? 1.2 : 1) * shape), Math.floor(340 / (L + 1)) - GAP, 64),
  );
  const x = h => NUMBERS + h * (t + GAP) + (h === H ? 8 : 0);
  const y = l => HEADING + l * (tall + GAP) + (l === L ? 8 : 0);
  const cells = [];
  const down = rollup === 'max' ? 'max' : 'mean';
  for (let l = 0; l <= L; l++) {
    for (let h = 0; h <= H; h++) {
      const layer = l < L ? numbers[l] : down;
      const head = h < H ? h : l < L ? rollup : down;
      const bar =
        h === H && l < L
          ? {right: 10 + BARS, under: 0}
          : l === L && h < H
            ? {right: 0, under: 34}
            : {right: 0, under: 0};
      cells.push({layer, head, l, h, x: x(h), y: y(l), width: t, height: tall, bar});
    }
  }
  const height = y(L) + tall + GAP + 34;
  const move = (at, dx, dy) => {
    const row = Math.max(0, Math.min(L, at.l + dy));
    const column = Math.max(0, Math.min(H, at.h + dx));
    return cells[row * (H + 1) + column];
  };
  return {cells, t, tall, x, y, L, H, height, move, down, ranked: false, ends: x(H) + t + 10};
}
// A tile is as wide as the longest name and the longest value side by side.
function byScore({kind: {numbers, heads: H}, ranking, sort, measure}, width) {
  const longest =
    measure(brief(numbers.at(-1), H - 1).replace(/\d/g, 0), '700 12px') + measure('<0.001');
  const per = Math.max(1, Math.floor(width / Math.max(TILE, longest + 16)));
  const step = width / per;
  const tall = 46;
  const pitch = tall + 24;
  const order = [];
  for (const [l, layer] of numbers.entries()) {
    for (let h = 0; h < H; h++) order.push({layer, head: h, score: ranking[l][h]});
  }
  const way = lowIsBest(sort) ? 1 : -1;
  order.sort((a, b) => way * (a.score - b.score) || a.layer - b.layer || a.head - b.head);
  const cells = order.map((cell, i) => ({
    ...cell,
    i,
    x: (i % per) * step + 2,
    y: 4 + Math.floor(i / per) * pitch,
    width: step - 8,
    height: tall,
    bar: {right: 0, under: 19},
  }));
  const move = ({i}, dx, dy) => cells[Math.max(0, Math.min(cells.length - 1, i + dx + dy * per))];
  return {
    cells,
    height: 4 + Math.ceil(order.length / per) * pitch,
    pitch,
    move,
    ranked: true,
    most: Math.max(...order.map(({score}) => score)),
  };
}
export const cellOf = (plan, layer, head) =>
  plan.cells.find(cell => cell.layer === layer && cell.head === head);
export function underGrid(plan, x, y) {
  const inside = ({x: left, y: top, width, height, bar}) =>
    x >= left - GAP / 2 &&
    x < left + width + GAP / 2 + bar.right &&
    y >= top - GAP / 2 &&
    y < top + height + GAP / 2 + bar.under;
  return plan.cells.find(inside) ?? null;
}
// The box scrolls, and never the page, until the tile is in it.
export function showTile(box, {y, height}) {
  if (y < box.scrollTop) box.scrollTop = y - 4;
  else if (y + height + 24 > box.scrollTop + box.clientHeight) {
    box.scrollTop = y + height + 26 - box.clientHeight;
  }
}
// The next cell that is not faded, or where one stands.
export function stepped(plan, scene, from, dx, dy) {
  for (let at = from, next; ; at = next) {
    next = plan.move(at, dx, dy);
    if (next === at) return from;
    if (!faded(scene, next.layer, next.head)) return next;
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
// Enlarged hard, so that averaging it down to this size gives neither blur nor moire.
export function enlarged(image, width, height) {
  const fx = Math.max(1, Math.ceil(width / image.width));
  const fy = Math.max(1, Math.ceil(height / image.height));
  const board = html(null, 'canvas', {width: image.width, height: image.height});
  const large = html(null, 'canvas', {width: image.width * fx, height: image.height * fy});
  board.getContext('2d').putImageData(image, 0, 0);
  const copy = large.getContext('2d');
  copy.imageSmoothingEnabled = false;
  copy.drawImage(board, 0, 0, large.width, large.height);
  return large;
}
// This part of its height.
export function averaged(drawing, large, from, part, {x, y, width, height}) {
  drawing.imageSmoothingEnabled = true;
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(
    large,
    0,
    from * large.height,
    large.width,
    part * large.height,
    x,
    y,
    width,
    height,
  );
}

// ---- the pane
export function drawGrid(pane, scene, width) {
  const {tone, thumbs, sort, least, rollup, scale, axes, ratio, g, theme} = scene;
  const key = [
    g,
    width,
    theme,
    sort,
    least,
    rollup,
    scale,
    axes.axes,
    ratio,
    thumbs?.key,
    scene.rankingKey,
    Boolean(scene.ranking),
    scene.scoresKey,
  ].join();
  if (pane.key !== key) {
    const plan = (pane.plan = gridPlan(scene, width));
    pane.key = key;
    sized(pane, width, plan.height);
    const drawing = pen(pane.canvas, width, plan.height, ratio);
    for (let from = 0; from < plan.cells.length; from += BOARD) {
      paintTiles(drawing, plan.cells.slice(from, from + BOARD), scene);
    }
    pane.still.replaceChildren();
    if (plan.ranked) tileLabels(pane.still, scene, plan);
    else placeLabels(pane.still, scene, plan, width);
  }
  const {plan} = pane;
  pane.moving.replaceChildren();
  for (const [layer, head, stroke, dash] of [
    [scene.layer, scene.head, tone.focus],
    ...(scene.pre ? [[scene.pre.layer, scene.pre.head, tone.second, '4 2']] : []),
  ]) {
    const cell = cellOf(plan, layer, head);
    if (!cell) continue;
    const box = {
      x: cell.x - 1.5,
      y: cell.y - 1.5,
      width: cell.width + 3,
      height: cell.height + 3,
      rx: 3,
      fill: 'none',
    };
    svg(pane.moving, 'rect', {...box, stroke: tone.bg, 'stroke-width': 5});
    svg(pane.moving, 'rect', {
      ...box,
      stroke,
      'stroke-width': 2.5,
      ...(dash ? {'stroke-dasharray': dash} : {}),
    });
  }
  return plan;
}
function placeLabels(
  node,
  {kind: {numbers}, scores, axes, rollup, tone, measure},
  {L, H, x, y, t, tall, height, down, ends},
  width,
) {
  const text = (at, more, words) => svg(node, 'text', {...at, class: 'soft', ...more}, words);
  const across = Math.ceil((measure('00') + 4) / (t + GAP));
  const along = Math.ceil(14 / (tall + GAP));
  const middle = l => y(l) + tall / 2 + 4;
  // The roll-up's name ends with its column or, if it is short, stands in the middle; numbers under
  // it give way.
  const long = rollup === 'rollout';
  const name = long ? x(H) + t : Math.max(x(H) + t / 2, x(H) + t - measure(rollup) / 2);
  const edge = name - measure(rollup) * (long ? 1 : 0.5) - 4;
  for (let h = 0; h < H; h += across) {
    if (x(h) + t / 2 + measure(String(h)) / 2 <= edge) {
      text({x: x(h) + t / 2, y: 13}, {'text-anchor': 'middle'}, h);
    }
  }
  for (let l = 0; l < L; l += along) {
    text({x: NUMBERS - 6, y: middle(l)}, {'text-anchor': 'end'}, numbers[l]);
  }
  text({x: name, y: 13}, {'text-anchor': long ? 'end' : 'middle'}, rollup);
  text({x: NUMBERS - 6, y: middle(L)}, {'text-anchor': 'end'}, down);
  const most = Math.log2(axes.m) || 1;
  const entropy = scores?.entropy;
  if (!entropy) return;
  const mean = list => list.reduce((a, b) => a + b, 0) / list.length;
  const room = Math.min(BARS, width - ends);
  const deep = 22;
  const top = height - 30;
  text({x: ends + room, y: 13}, {'text-anchor': 'end'}, 'bits');
  text({x: NUMBERS - 6, y: top + 14}, {'text-anchor': 'end'}, 'bits');
  const bar = (box, share, along) => {
    svg(node, 'rect', {...box, fill: tone.rule});
    svg(node, 'rect', {
      ...box,
      fill: tone.soft,
      ...(along
        ? {width: box.width * share}
        : {y: box.y + box.height * (1 - share), height: box.height * share}),
    });
  };
  for (let l = 0; l < L; l++) {
    bar(
      {x: ends, y: middle(l) - 4 - Math.min(8, tall) / 2, width: room, height: Math.min(8, tall)},
      Math.min(1, mean(entropy[l]) / most),
      true,
    );
  }
  for (let h = 0; h < H; h++) {
    bar(
      {x: x(h) + t / 2 - Math.min(8, t) / 2, y: top, width: Math.min(8, t), height: deep},
      Math.min(1, mean(entropy.map(row => row[h])) / most),
      false,
    );
  }
}
function tileLabels(node, {tone, ranking, sort, ...scene}, {cells, most}) {
  for (const cell of cells) {
    const dim = faded({ranking, sort, ...scene}, cell.layer, cell.head) ? {opacity: 0.55} : {};
    const y = cell.y + cell.height;
    if (cell.score > 0) {
      svg(node, 'rect', {
        x: cell.x,
        y: y + 2,
        width: cell.width * Math.min(1, cell.score / most),
        height: 3,
        fill: tone.soft,
        ...dim,
      });
    }
    svg(
      node,
      'text',
      {x: cell.x, y: y + 17, class: 'strong', ...dim},
      brief(cell.layer, cell.head),
    );
    svg(
      node,
      'text',
      {x: cell.x + cell.width, y: y + 17, 'text-anchor': 'end', class: 'soft', ...dim},
      weight(cell.score),
    );
  }
}
// A head's scores in words; of a mean, a maximum or a rollout the number of its bar.
export function scoresText({scores, kind, sheet, screen}, layer, head) {
  const bits = v => `${v.toFixed(1)} of ${Math.log2(sheet.m).toFixed(1)} bits`;
  if (!scores) return named(layer, head);
  if (typeof layer === 'string' || typeof head === 'string') {
    const rows =
      typeof layer === 'string' ? scores.entropy : [scores.entropy[placeOfLayer(kind, layer)]];
    const members = rows.flatMap(row => (typeof head === 'string' ? [...row] : [row[head]]));
    return `${named(layer, head)} · mean entropy of ${typeof layer === 'number' ? `layer ${layer}'s heads` : typeof head === 'number' ? `head ${head} in all layers` : 'all heads'}: ${bits(summed(members) / members.length)}`;
  }
  const say = {
    entropy: v => `entropy ${bits(v)}`,
    error: v => `alignment error rate ${v.toFixed(2)}`,
    previous: v => `previous ${weight(v)}`,
    itself: v => `itself ${weight(v)}`,
    next: v => `next ${weight(v)}`,
    first: v => `first ${weight(v)}`,
    special: v => `${screen.specials === 'shown' ? 'special' : 'hidden special'} ${weight(v)}`,
  };
  return kind.scores
    .map(name =>
      (say[name] ?? (v => `${name} ${weight(v)}`))(scores[name][placeOfLayer(kind, layer)][head]),
    )
    .join(' · ');
}
