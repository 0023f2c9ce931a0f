// What the pointer and the keys mean on the map, in the list, among the sentences.

import {localPoint} from '../shared/scale.js';
import {rowAt} from './list.js';
import {isIn, stepFrom, wordAt} from './scene.js';
import {markAt, sideAt} from './senses_scene.js';

/** What lies under the pointer, in the pane that it is over; null if nothing. */
export function placeUnder(view, event) {
  const place = view.side.contains(event.target) ? inSide(view, event) : onPlane(view, event);
  return place && {by: 'pointer', ...place};
}
function onPlane(view, event) {
  const {scene, senses, map} = view;
  const [x, y] = localPoint(map, event);
  if (senses) {
    const sentence = markAt(scene.hits, x, y, 1.2 * scene.size.u);
    return sentence === null ? null : {sentence};
  }
  if (!view.held || !isIn(view.held.box, x, y)) view.held = wordAt(scene.hits, x, y);
  return view.held && {pane: 'map', id: view.held.id};
}
function inSide({scene, senses, side, list}, event) {
  const [x, y] = localPoint(side, event);
  if (senses) return sideAt(scene, x, y);
  const row = rowAt(list, y);
  return row && {pane: 'list', id: row.id};
}
/** Another word, in a direction on the map. */
export function onMap({scene, focus, mapState}, way) {
  const id = stepFrom(scene.hits, focus.over?.id ?? mapState.focus, way);
  if (id !== null) focus.preview({pane: 'map', id});
}
/** Another row of the list. */
export function inList({list: {rows}, focus}, [, dy]) {
  const now = rows.findIndex(row => row.id === focus.over?.id);
  const next = Math.max(0, Math.min(rows.length - 1, now + dy));
  if (dy) focus.preview({pane: 'list', id: rows[next].id});
}
/** @param {Function} step what an arrow does among words: `onMap` or `inList` */
export function keysOf(view, step) {
  const to = way => () => (view.senses ? turn(view, way) : step(view, way));
  const lock = () => (view.senses ? lockSentence(view) : lockWord(view));
  return {
    ArrowLeft: to([-1, 0]),
    ArrowRight: to([1, 0]),
    ArrowUp: to([0, -1]),
    ArrowDown: to([0, 1]),
    Enter: lock,
    ' ': () => (view.senses ? view.player.play() : lock()),
    Escape: () => view.free(),
    Home: () => view.senses && view.setLayer(0),
    End: () => view.senses && view.setLayer(view.senses.layers - 1),
  };
}
/** Another layer, or another sentence. */
function turn(view, [dx, dy]) {
  const {model, focus, senses} = view;
  if (dx) {
    view.player.stop();
    view.setLayer(Math.max(0, Math.min(senses.layers - 1, model.get('layer') + dx)));
    return;
  }
  const now = focus.over?.sentence ?? model.get('sentence') - 1;
  focus.preview({sentence: Math.max(0, Math.min(senses.count - 1, now + dy))});
}
function lockWord(view) {
  const {focus, locked} = view.mapState;
  const first = view.sum && !locked ? view.sum.inputs[0] : focus;
  view.pickWord(view.focus.over?.id ?? first);
}
function lockSentence(view) {
  const sentence = view.focus.over?.sentence;
  if (sentence !== undefined) view.pickSentence(sentence);
}
