// The pointer and the keys: they tell the explorer what they mean. Hover previews, a click or Enter
// locks, the same again or Escape frees.

import {withinReach} from '../shared/fingers.js';
import {localPoint} from '../shared/scale.js';
import {cellAt} from './cursor.js';
import {showTile} from './grid.js';
import {cellOf, stepped, underGrid} from './grid_plan.js';
import {underHeat} from './heatmap.js';
import {isRead, underLines} from './lines.js';
import {everyHead} from './places.js';
import {isZoomed} from './zoom.js';

const NEARER = 1.6;

/** Lets pointer and keys move an explorer. */
export function handle(explorer) {
  const {heat, lines, fall, mini} = explorer.nodes;
  for (const pane of [heat, lines]) pointAt(explorer, pane);
  pointAtGrid(explorer, fall);
  if (explorer.comparer) pointAtWords(explorer);
  zoomAndPan(explorer, heat.node);
  explorer.on(heat.node, 'dblclick', () => explorer.whyPane.open());
  explorer.onKeys(explorer.stage, heatKeys(explorer));
  explorer.onKeys(lines.node, lineKeys(explorer));
  explorer.onKeys(fall, gridKeys(explorer));
  dragMini(explorer);
  explorer.onKeys(mini, miniKeys(explorer));
}
function under(explorer, pane, event) {
  const {place, scene, nodes} = explorer;
  const [x, y] = localPoint(pane.node, event);
  return pane === nodes.heat ? underHeat(place, scene, x, y) : underLines(place, x, y);
}
// A cell that no line leads to is not locked, but its row.
function lockable(cursor, {sheet}) {
  const {row, column} = cellAt(cursor);
  const known = row !== null && column !== null;
  return known && !isRead(sheet, sheet.values[row * sheet.m + column])
    ? {...cursor, far: null}
    : cursor;
}

// ---- pointer
function pointAt(explorer, pane) {
  const {node} = pane;
  const by = pane === explorer.nodes.heat ? 'heat' : 'lines';
  const at = withinReach(node, event => under(explorer, pane, event));
  explorer.on(node, 'pointermove', event => {
    if (explorer.drag && by === 'heat') drag(explorer, event);
    else explorer.preview(at(event), by);
  });
  explorer.on(node, 'pointerleave', () => explorer.preview(null, ''));
  explorer.on(node, 'click', event => {
    const cursor = at(event);
    const moved = by === 'heat' && explorer.moved;
    if (by === 'heat') explorer.moved = false;
    if (cursor && !moved) explorer.lock(lockable(cursor, explorer.scene));
  });
}
// Words of two texts: a word of the second one stands for the one over it.
function pointAtWords(explorer) {
  const {nodes, comparer} = explorer;
  const at = withinReach(nodes.texts, event =>
    comparer.under(explorer.scene, ...localPoint(nodes.texts, event)),
  );
  explorer.on(nodes.texts, 'pointermove', event => explorer.preview(at(event), 'texts'));
  explorer.on(nodes.texts, 'pointerleave', () => explorer.preview(null, ''));
  explorer.on(nodes.texts, 'click', event => {
    const cursor = at(event);
    if (cursor) explorer.lock(cursor);
  });
}
function pointAtGrid(explorer, fall) {
  const cell = withinReach(fall, event =>
    underGrid(explorer.gridPlan, ...localPoint(explorer.nodes.grid.node, event)),
  );
  explorer.on(fall, 'pointermove', event => explorer.previewHead(cell(event)));
  explorer.on(fall, 'pointerleave', () => explorer.previewHead(null));
  explorer.on(fall, 'focusout', () => explorer.previewHead(null));
  explorer.on(fall, 'click', event => {
    const place = cell(event);
    if (place && event.shiftKey) explorer.choose(place);
    else if (place) explorer.open(place);
  });
}
// The wheel with Control zooms where it stands; a drag pans what is zoomed.
function zoomAndPan(explorer, node) {
  const zoom = event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const cursor = under(explorer, explorer.nodes.heat, event);
    const {row, column} = cursor ? cellAt(cursor) : {};
    explorer.zoomBy(Math.exp(-event.deltaY / 200), row ?? undefined, column ?? undefined);
  };
  explorer.on(node, 'wheel', zoom, {passive: false});
  explorer.on(node, 'pointerdown', event => {
    const {view, sheet} = explorer.scene;
    explorer.moved = false;
    if (isZoomed(view, sheet) && event.button === 0) {
      const [x, y] = localPoint(node, event);
      explorer.drag = {x, y, from: view};
    }
  });
  for (const event of ['pointerup', 'pointercancel']) {
    explorer.on(node, event, () => {
      explorer.drag = null;
    });
  }
}
function drag(explorer, event) {
  const {x, y, from} = explorer.drag;
  const [toX, toY] = localPoint(explorer.nodes.heat.node, event);
  const [dx, dy] = [toX - x, toY - y];
  if (!event.buttons) {
    explorer.drag = null;
    return;
  }
  if (!explorer.moved && Math.hypot(dx, dy) < 4) return;
  if (!explorer.moved) explorer.nodes.heat.node.setPointerCapture(event.pointerId);
  explorer.moved = true;
  const {cell} = explorer.place;
  explorer.over = null;
  explorer.pan(from, -dy / cell, -dx / cell);
}
// The map in little: the part in sight goes where the hand is.
function dragMini(explorer) {
  const {small, mini} = explorer.nodes;
  const follow = event => {
    const {view, sheet} = explorer.scene;
    const [x, y] = localPoint(small, event);
    const at = (share, total, count, from) => share * total - count / 2 - from;
    const rows = at(y / small.clientHeight, sheet.n, view.qn, view.q0);
    explorer.pan(view, rows, at(x / small.clientWidth, sheet.m, view.kn, view.k0));
  };
  explorer.on(mini, 'pointerdown', event => {
    mini.setPointerCapture(event.pointerId);
    follow(event);
  });
  explorer.on(mini, 'pointermove', event => {
    if (event.buttons) follow(event);
  });
}

// ---- keys
const clamp = (at, total) => Math.max(0, Math.min(total - 1, at));
const cursorOf = ({scene}) => scene.B ?? scene.A;

function lockHere(explorer) {
  const {scene, over} = explorer;
  const held = over ?? scene.lock;
  const {side, at, far} = held ?? scene.A;
  if (at >= 0) explorer.lock({side, at, far: held ? far : null});
}
// An arrow goes to the next cell; with Shift it pans what is zoomed by an eighth.
function moveCell(explorer, event, rows, columns) {
  const {sheet, view} = explorer.scene;
  if (event.shiftKey && isZoomed(view, sheet)) return panByKey(explorer, rows, columns);
  const cursor = cursorOf(explorer);
  const {row, column} = cellAt(cursor);
  const keyed = Boolean(columns || cursor.keyed); // the column stays where keys have put it
  explorer.go({
    side: 'query',
    at: clamp(row + rows, sheet.n),
    far: keyed ? clamp(column + columns, sheet.m) : null,
    ...(keyed && {keyed}),
  });
}
function panByKey(explorer, rows, columns) {
  const {view} = explorer.scene;
  const eighth = count => Math.max(1, Math.round(count / 8));
  explorer.pan(view, rows * eighth(view.qn), columns * eighth(view.kn));
  explorer.draw();
}
const miniKeys = explorer => ({
  ArrowUp: () => panByKey(explorer, -1, 0),
  ArrowDown: () => panByKey(explorer, 1, 0),
  ArrowLeft: () => panByKey(explorer, 0, -1),
  ArrowRight: () => panByKey(explorer, 0, 1),
});
// From a query to the key that it attends to most, and back.
function turn(explorer) {
  const {side, far} = cursorOf(explorer);
  if (far >= 0) explorer.go({side: side === 'query' ? 'key' : 'query', at: far, far: null});
}
// The next head of the model, or the one before.
function nextHead(explorer, by) {
  const {kind, layer, head} = explorer.scene;
  const heads = everyHead(kind);
  const at = heads.findIndex(([l, h]) => l === layer && h === head);
  const next = heads[clamp(at + by, heads.length)];
  explorer.open({layer: next[0], head: next[1]});
}
function moveToColumn(explorer, column) {
  const {row} = cellAt(cursorOf(explorer));
  explorer.go({side: 'query', at: Math.max(0, row), far: column, keyed: true});
}
const heatKeys = explorer => ({
  ArrowUp: event => moveCell(explorer, event, -1, 0),
  ArrowDown: event => moveCell(explorer, event, 1, 0),
  ArrowLeft: event => moveCell(explorer, event, 0, -1),
  ArrowRight: event => moveCell(explorer, event, 0, 1),
  PageUp: event => moveCell(explorer, event, -10, 0),
  PageDown: event => moveCell(explorer, event, 10, 0),
  Home: () => moveToColumn(explorer, 0),
  End: () => moveToColumn(explorer, explorer.scene.sheet.m - 1),
  Enter: () => lockHere(explorer),
  Escape: () => explorer.free(),
  '+': () => explorer.zoomBy(NEARER),
  '=': () => explorer.zoomBy(NEARER),
  '-': () => explorer.zoomBy(1 / NEARER),
  0: () => explorer.zoomBy(0),
  ' ': () => turn(explorer),
  w: () => explorer.whyPane.open(),
  n: () => nextHead(explorer, 1),
  p: () => nextHead(explorer, -1),
  ...(explorer.silencer ? {s: () => explorer.silencer.toggle(explorer.pre)} : {}),
});
// Along the tokens of a side.
function moveAlong(explorer, to) {
  const {side, at} = cursorOf(explorer);
  const {n, m} = explorer.scene.sheet;
  explorer.go({side, at: clamp(to(at), side === 'query' ? n : m), far: null});
}
// Over to the token that the strongest line leads to.
function cross(explorer, to) {
  const {side, far} = cursorOf(explorer);
  if (side !== to && far >= 0) explorer.go({side: to, at: far, far: null});
}
const lineKeys = explorer => ({
  ArrowUp: () => moveAlong(explorer, at => at - 1),
  ArrowDown: () => moveAlong(explorer, at => at + 1),
  PageUp: () => moveAlong(explorer, at => at - 10),
  PageDown: () => moveAlong(explorer, at => at + 10),
  Home: () => moveAlong(explorer, () => 0),
  End: () => moveAlong(explorer, () => Infinity),
  ArrowRight: () => cross(explorer, 'key'),
  ArrowLeft: () => cross(explorer, 'query'),
  Enter: () => lockHere(explorer),
});
function moveHead(explorer, dx, dy) {
  const {gridPlan, scene, pre, nodes} = explorer;
  const {layer, head} = pre ?? scene;
  const from = cellOf(gridPlan, layer, head) ?? gridPlan.cells[0];
  const next = stepped(gridPlan, scene, from, dx, dy);
  explorer.previewHead(next);
  if (gridPlan.ranked) showTile(nodes.fall, next);
}
const gridKeys = explorer => ({
  ArrowLeft: () => moveHead(explorer, -1, 0),
  ArrowRight: () => moveHead(explorer, 1, 0),
  ArrowUp: () => moveHead(explorer, 0, -1),
  ArrowDown: () => moveHead(explorer, 0, 1),
  Enter: event => explorer[event.shiftKey ? 'choose' : 'open'](explorer.pre ?? explorer.scene),
});
