// The pointer and the keys: hover previews, a click or Enter locks, the same again or Escape frees.

import {onKeys} from '../shared/base.js';
import {cellOf, showTile, stepped, underGrid} from './grid.js';
import {cellAt, inSight, isZoomed, panned, underHeat} from './heatmap.js';
import {underLines} from './lines.js';

export function handle({
  stage,
  heatNode,
  lineNode,
  fall,
  model,
  view,
  set,
  draw,
  later,
  signal,
  zoomBy,
  grid,
}) {
  const inside = (event, node) => {
    const box = node.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  };
  const hits = {
    heat: event => underHeat(view.place, view.scene, ...inside(event, heatNode)),
    lines: event => underLines(view.place, view.windows, ...inside(event, lineNode)),
    grid: event => underGrid(view.plan, ...inside(event, grid.node)),
  };
  const unwritten = cursor => cursor && cellAt(cursor).row >= view.scene.written;
  const over = (cursor, by) => {
    if (unwritten(cursor)) cursor = null;
    if (JSON.stringify([cursor, by]) === JSON.stringify([view.over, view.by])) return;
    Object.assign(view, {over: cursor, by});
    later();
  };
  // Words are looked from once they are written: the decoder's step goes along.
  const ahead = row =>
    row === null || row < view.scene.written ? null : {step: view.scene.sheet.rows[row].to};
  const same = (a, b) => a && b && a.side === b.side && a.at === b.at && a.far === b.far;
  function lock(cursor) {
    const {
      sheet: {rows, columns},
      lock: held,
    } = view.scene;
    const again = same(held, cursor);
    const {row, column} = cellAt(cursor);
    const from = (units, i) => (i === null ? 0 : units[i].from + 1);
    view.over = again ? cursor : null;
    set(
      again
        ? {query: 0, key: 0, side: 'query'}
        : {side: cursor.side, query: from(rows, row), key: from(columns, column), ...ahead(row)},
    );
  }
  function open(cell) {
    view.pre = null;
    set({layer: cell.layer, head: cell.head});
  }
  function preview(cell) {
    const {layer, head} = view.scene;
    const next =
      cell && !(cell.layer === layer && cell.head === head)
        ? {layer: cell.layer, head: cell.head}
        : null;
    if (JSON.stringify(next) === JSON.stringify(view.pre)) return;
    view.pre = next;
    later();
  }
  function free() {
    if (view.pre) view.pre = null;
    else if (view.over && view.scene.lock) view.over = null;
    else if (view.scene.lock) return lock(view.scene.lock);
    else view.over = null;
    draw();
  }

  // ---- pointer
  // What is on screen does not answer for another kind, whose map is under way.
  const answers = () => view.scene && view.scene.kind.name === model.get('kind');
  const on = (node, event, action, more) =>
    node.addEventListener(event, event => answers() && action(event), {signal, ...more});
  on(heatNode, 'pointermove', event => (view.drag ? drag(event) : over(hits.heat(event), 'heat')));
  on(lineNode, 'pointermove', event => over(hits.lines(event), 'lines'));
  on(fall, 'pointermove', event => preview(hits.grid(event)));
  for (const node of [heatNode, lineNode]) on(node, 'pointerleave', () => over(null, ''));
  on(fall, 'pointerleave', () => preview(null));
  on(fall, 'focusout', () => preview(null));
  on(fall, 'click', event => {
    const cell = hits.grid(event);
    if (cell) open(cell);
  });
  on(heatNode, 'click', event => {
    const cursor = hits.heat(event);
    const moved = view.moved;
    view.moved = false;
    if (cursor && !moved) lock(cursor);
  });
  on(lineNode, 'click', event => {
    const cursor = hits.lines(event);
    if (cursor) lock(cursor);
  });
  on(
    heatNode,
    'wheel',
    event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const cursor = hits.heat(event);
      const {row, column} = cursor ? cellAt(cursor) : {};
      zoomBy(Math.exp(-event.deltaY / 200), row ?? undefined, column ?? undefined);
    },
    {passive: false},
  );
  // A drag pans what is zoomed.
  on(heatNode, 'pointerdown', event => {
    view.moved = false;
    if (isZoomed(view.scene.view, view.scene.sheet) && event.button === 0) {
      view.drag = {x: event.clientX, y: event.clientY, from: view.scene.view, moved: false};
    }
  });
  function drag(event) {
    const {x, y, from, moved} = view.drag;
    const dx = event.clientX - x;
    const dy = event.clientY - y;
    if (!event.buttons) return void (view.drag = null);
    if (!moved && Math.hypot(dx, dy) < 4) return;
    if (!moved) heatNode.setPointerCapture(event.pointerId);
    view.drag.moved = view.moved = true;
    Object.assign(view, {
      zoom: panned(from, view.scene.sheet, -dy / view.place.ph, -dx / view.place.pw),
      over: null,
    });
    later();
  }
  for (const event of ['pointerup', 'pointercancel']) {
    on(heatNode, event, () => {
      view.drag = null;
    });
  }

  // ---- keys
  const keys = (node, actions) =>
    onKeys(
      node,
      Object.fromEntries(
        Object.entries(actions).map(([key, act]) => [
          key,
          event => {
            if (answers()) act(event);
          },
        ]),
      ),
      signal,
    );
  const clamp = (at, total) => Math.max(0, Math.min(total - 1, at));
  const at = () => view.scene.B ?? view.scene.A;
  function go(cursor) {
    const {sheet, view: seen} = view.scene;
    const {row, column} = cellAt(cursor);
    Object.assign(view, {over: cursor, by: 'keys'});
    if (view.zoom) view.zoom = inSight(seen, sheet, row ?? seen.q0, column ?? seen.k0);
    const more = ahead(row);
    if (more) set(more);
    else draw();
  }
  const cellBy = (dq, dk) => event => {
    const {sheet, view: seen} = view.scene;
    const {row, column} = cellAt(at());
    if (event.shiftKey && isZoomed(seen, sheet)) {
      view.zoom = panned(
        seen,
        sheet,
        dq * Math.max(1, Math.round(seen.qn / 8)),
        dk * Math.max(1, Math.round(seen.kn / 8)),
      );
      return draw();
    }
    go({
      side: 'query',
      at: clamp(row + dq, sheet.n),
      far: dk || at().keyed ? clamp(column + dk, sheet.m) : null,
      ...(dk || at().keyed ? {keyed: true} : {}),
    });
  };
  const column = c => () =>
    go({side: 'query', at: Math.max(0, cellAt(at()).row), far: c(view.scene.sheet.m), keyed: true});
  const enter = () => {
    const {lock: held} = view.scene;
    const {side, at: token, far} = view.over ?? held ?? view.scene.A;
    if (token >= 0) lock({side, at: token, far: view.over || held ? far : null});
  };
  keys(stage, {
    ArrowUp: cellBy(-1, 0),
    ArrowDown: cellBy(1, 0),
    ArrowLeft: cellBy(0, -1),
    ArrowRight: cellBy(0, 1),
    PageUp: cellBy(-10, 0),
    PageDown: cellBy(10, 0),
    Home: column(() => 0),
    End: column(m => m - 1),
    Enter: enter,
    Escape: free,
    '+': () => zoomBy(1.6),
    '=': () => zoomBy(1.6),
    '-': () => zoomBy(1 / 1.6),
    0: () => zoomBy(0),
  });
  const along = step => () => {
    const {side, at: token} = at();
    const {n, m} = view.scene.sheet;
    go({
      side,
      at: clamp(
        step === -Infinity ? 0 : step === Infinity ? Infinity : token + step,
        side === 'query' ? n : m,
      ),
      far: null,
    });
  };
  const cross = to => () => {
    const {side, far} = at();
    if (side !== to && far >= 0) go({side: to, at: far, far: null});
  };
  keys(lineNode, {
    ArrowUp: along(-1),
    ArrowDown: along(1),
    PageUp: along(-10),
    PageDown: along(10),
    Home: along(-Infinity),
    End: along(Infinity),
    ArrowRight: cross('key'),
    ArrowLeft: cross('query'),
    Enter: enter,
  });
  const heads = (dx, dy) => () => {
    const {layer, head} = view.pre ?? view.scene;
    const from = cellOf(view.plan, layer, head) ?? view.plan.cells[0];
    const next = stepped(view.plan, view.scene, from, dx, dy);
    preview(next);
    if (view.plan.ranked) showTile(fall, next);
  };
  keys(fall, {
    ArrowLeft: heads(-1, 0),
    ArrowRight: heads(1, 0),
    ArrowUp: heads(0, -1),
    ArrowDown: heads(0, 1),
    Enter: () => open(view.pre ?? view.scene),
  });
}
