// Where the numbers of which another was made are drawn.

import {resolve} from './explaining.js';
import {signed} from '../shared/texts.js';

/**
 * @typedef {Object} Outline one frame around a part of the picture
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {boolean} self whether it is around the number itself
 * @property {string} [value] of a single number, where its cell is too narrow for one
 */

const SLENDER = 14; // pixels of a cell that cannot hold its number

// The cell of a heat that shows a number, null if none does.
function cellOf(heat, index) {
  for (let row = 0; row < heat.rows; row++) {
    const column = (index - heat.base - row * heat.rowStep) / heat.colStep;
    if (Number.isInteger(column) && column >= 0 && column < heat.cols) {
      const [w, h] = [heat.w / heat.cols, heat.h / heat.rows];
      return {x: heat.x + column * w, y: heat.y + row * h, w, h};
    }
  }
  return null;
}
function joined(a, b) {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const w = Math.max(a.x + a.w, b.x + b.w) - x;
  return {x, y, w, h: Math.max(a.y + a.h, b.y + b.h) - y};
}

/** Where numbers come from, through operations that only move them: known for a run. */
export class Origins {
  known = new Map();
  constructor(graph, numbers) {
    Object.assign(this, {graph, numbers});
  }
  of(node, index) {
    return resolve(this.graph, this.numbers, node, index);
  }
  /**
   * Where the numbers of a node lie in the one that made them.
   * @returns {{home: string, back: Map<number, number[]> | null}} `back`: from there to here; null
   * where nothing was moved
   */
  node(name) {
    if (!this.known.has(name)) this.known.set(name, this.followed(name));
    return this.known.get(name);
  }
  followed(name) {
    const size = (this.numbers.shape(name) ?? []).reduce((all, length) => all * length, 1);
    const [home] = this.of(name, 0);
    const tried = Array.from({length: 9}, (_, k) => Math.floor(((size - 1) * k) / 8));
    const stays = index => {
      const [there, place] = this.of(name, index);
      return there === home && place === index;
    };
    if (tried.every(stays)) return {home, back: null};
    const back = new Map();
    for (let index = 0; index < size; index++) {
      const [there, place] = this.of(name, index);
      if (there === home) back.set(place, [...(back.get(place) ?? []), index]);
    }
    return {home, back};
  }
}
/**
 * Frames around the inputs of a number and around itself, one for each part of the picture.
 * @param {Scene} scene
 * @param {{node: string, index: number, value?: number}[]} inputs
 * @param {{node: string, index: number}} self
 * @param {Origins} origins
 * @returns {Outline[]}
 */
export function outlinesOf({heats}, inputs, self, origins) {
  const frames = new Map();
  const wanted = new Map(); // by the node that made them
  for (const number of [...inputs, {...self, self: true}]) {
    if (number.node === undefined) continue;
    const [home, index] = origins.of(number.node, number.index);
    wanted.set(home, [...(wanted.get(home) ?? []), {...number, index}]);
  }
  heats.forEach((heat, place) => {
    const {home, back} = origins.node(heat.node);
    for (const number of wanted.get(home) ?? []) {
      const indices = back ? (back.get(number.index) ?? []) : [number.index];
      for (const index of indices) {
        const cell = cellOf(heat, index);
        const key = `${number.self ? 'self' : ''} ${heat.group ?? place}`;
        if (cell) addTo(frames, key, cell, number);
      }
    }
  });
  return [...frames.values()];
}
function addTo(frames, key, cell, {self = false, value}) {
  const before = frames.get(key);
  const text = !self && cell.w < SLENDER && Number.isFinite(value) ? {value: signed(value)} : {};
  if (!before) frames.set(key, {...cell, self, ...text});
  else frames.set(key, {...joined(before, cell), self, ...(before.value === text.value && text)});
}
