// The pointer and the keys: they preview, lock, turn and free, no more.

import {onKeys} from '../shared/base.js';
import {followPointer} from '../shared/focus.js';
import {localPoint} from '../shared/scale.js';
import {rowAt} from './list.js';
import {isIn, stepFrom, wordAt} from './scene.js';
import {markAt, sideAt} from './senses_scene.js';

/** @param {EmbeddingMap} view of view.js */
export function followHands(view) {
  const {stage, side, map, signal, focus} = view;
  const preview = place => focus.preview(place);
  const click = ({id, sentence, layer}) => {
    if (id !== undefined) view.pickWord(id);
    else if (layer !== undefined) view.set({layer});
    else view.pickSentence(sentence);
  };
  followPointer(map, {at: event => onPlane(view, event), preview, click}, signal);
  followPointer(side, {at: event => onSide(view, event), preview, click}, signal);
  const onMap = ([dx, dy]) => {
    const id = stepFrom(view.scene.hits, focus.over?.id ?? view.mapState.focus, [dx, dy]);
    if (id !== null) focus.preview({pane: 'map', id});
  };
  const inList = ([, dy]) => {
    const {rows} = view.list;
    const now = rows.findIndex(row => row.id === focus.over?.id);
    const next = Math.max(0, Math.min(rows.length - 1, now + dy));
    if (dy) focus.preview({pane: 'list', id: rows[next].id});
  };
  onKeys(stage, keysOf(view, onMap), signal);
  onKeys(side, keysOf(view, inList), signal);
  stage.addEventListener('focusout', () => focus.preview(null), {signal});
}
/** What lies under the pointer in the map or in the plane of a layer; null if nothing. */
function onPlane(view, event) {
  const {scene, senses, map} = view;
  if (!scene) return null;
  const [x, y] = localPoint(map, event);
  if (senses) {
    const sentence = markAt(scene.hits, x, y, 1.2 * scene.size.u);
    return sentence === null ? null : {by: 'pointer', sentence};
  }
  if (!view.held || !isIn(view.held.box, x, y)) view.held = wordAt(scene.hits, x, y);
  return view.held && {by: 'pointer', pane: 'map', id: view.held.id};
}
/** The same of the list, or of the chart over it. */
function onSide(view, event) {
  const {scene, senses, side, list} = view;
  if (!scene) return null;
  const [x, y] = localPoint(side, event);
  if (senses) {
    const place = sideAt(scene, x, y);
    return place && {by: 'pointer', ...place};
  }
  const row = rowAt(list, y);
  return row && {by: 'pointer', pane: 'list', id: row.id};
}
function keysOf(view, step) {
  const to = way => () => (view.senses ? turn(view, way) : step(way));
  const lock = () => (view.senses ? lockSentence(view) : lockWord(view));
  return {
    ArrowLeft: to([-1, 0]),
    ArrowRight: to([1, 0]),
    ArrowUp: to([0, -1]),
    ArrowDown: to([0, 1]),
    Enter: lock,
    ' ': () => (view.senses ? view.play(!view.playing) : lock()),
    Escape: () => view.free(),
    Home: () => view.senses && view.setLayer(0),
    End: () => view.senses && view.setLayer(view.senses.layers - 1),
  };
}
/** Another layer, or another sentence. */
function turn(view, [dx, dy]) {
  const {model, focus, senses} = view;
  if (dx) {
    view.play(false);
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
