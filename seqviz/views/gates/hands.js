// What pointer and keys ask of the gates.

import {localPoint} from '../shared/scale.js';
import {lowest} from './scene.js';
import {under} from './map.js';

const bounded = (value, low, high) => Math.max(low, Math.min(high, value));

/** The pointer over the map; it may drag where a hold begins, or the window over a long text. */
export class Hand {
  /** @param {Gates} gates */
  constructor(gates) {
    this.gates = gates;
    this.drag = null; // 'edge' of the hold or 'window'
    const {map, signal} = gates;
    const given = () => {
      this.drag = null;
    };
    map.addEventListener('pointerdown', event => this.pressed(event), {signal});
    map.addEventListener('pointermove', event => this.moved(event), {signal});
    map.addEventListener('pointercancel', given, {signal});
  }
  /** What lies under it, null beside the map. */
  at(event) {
    const {map, scene} = this.gates;
    return map.contains(event.target) ? under(scene, ...localPoint(map, event)) : null;
  }
  pressed(event) {
    const place = this.at(event);
    this.drag = place.edge ? 'edge' : place.share === undefined ? null : 'window';
    if (this.drag) this.gates.map.setPointerCapture(event.pointerId);
    if (this.drag === 'window') slide(this.gates, place);
  }
  moved(event) {
    const {drag, gates} = this;
    const place = this.at(event);
    const look = drag === 'edge' || place.edge ? 'ew-resize' : place.row ? 'pointer' : '';
    gates.stage.style.cursor = look;
    if (!drag || !event.buttons) return;
    if (drag === 'window' && place.share !== undefined) slide(gates, place);
    if (drag === 'edge' && place.t !== undefined) gates.set({since: place.t + 1});
  }
  preview(place) {
    if (this.drag) return;
    this.gates.focus.preview(place?.t === undefined ? null : {t: place.t, u: place.u});
  }
  click(place) {
    if (!this.drag) clicked(this.gates, place);
    this.drag = null;
  }
}
// The window goes where the hand is, the cursor along with it.
function slide(gates, {share}) {
  gates.focus.free();
  gates.set({step: bounded(Math.floor(share * gates.T), 0, gates.T - 1) + 1});
}
function clicked(gates, {t, u, row}) {
  const {model, focused, focus} = gates;
  if (row) return gates.set({row});
  if (t === undefined) return undefined;
  const sameUnit = u === undefined || u === gates.unitOf(focused);
  focus.click(sameUnit && t === model.get('step') - 1);
  return gates.set({step: t + 1, ...(u === undefined ? {} : {[focused.unitTrait]: u + 1})});
}
function go(gates, t) {
  gates.focus.over = null;
  gates.set({step: bounded(t + 1, 1, gates.T)});
}
// Up and down go through the units as they stand in the block.
function chooseUnit(gates, by) {
  const {focused, scene, focus} = gates;
  const {H} = focused.layer;
  const at = scene.units.indexOf(gates.unitOf(focused));
  focus.over = null;
  gates.set({[focused.unitTrait]: scene.units[(at + by + H) % H] + 1});
}
function openRow(gates, by) {
  const {rows} = gates.focused.layer.kind;
  const at = rows.indexOf(gates.scene.row);
  gates.set({row: rows[(at + by + rows.length) % rows.length]});
}
function hold(gates, changes) {
  if (gates.canHold) gates.set({hold: true, ...changes});
}
/**
 * What the keys of the stage do.
 * @param {Gates} gates
 * @returns {Object<string, () => void>}
 */
export function keysOf(gates) {
  const {model} = gates;
  const turn = show => model.get('hold') && gates.set({show});
  return {
    ArrowLeft: () => go(gates, gates.step - 1),
    ArrowRight: () => go(gates, gates.step + 1),
    Home: () => go(gates, 0),
    End: () => go(gates, gates.T - 1),
    ArrowUp: () => chooseUnit(gates, -1),
    ArrowDown: () => chooseUnit(gates, 1),
    Enter() {
      const t = gates.step;
      gates.focus.lock();
      go(gates, t);
    },
    Escape() {
      gates.focus.free();
      gates.draw();
    },
    ' ': () => hold(gates, {hold: !model.get('hold')}),
    h: () => hold(gates, {since: gates.step + 1}),
    0: () => hold(gates, {value: lowest(model.get('gate'))}),
    1: () => hold(gates, {value: 1}),
    d: () => turn(model.get('show') === 'change' ? 'after' : 'change'),
    n: () => openRow(gates, 1),
    p: () => openRow(gates, -1),
    m: () => gates.facts.models.length > 1 && gates.focusOn(gates.models[1 - gates.number].label),
  };
}
