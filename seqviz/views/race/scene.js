// The race as numbers and strings: where each node and edge stands, and what is said of a lane.

import {plotOf} from '../shared/chart.js';
import {phrase} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';

/**
 * @typedef {Object} Lane one layer type; layer 0 are the inputs, positions count from 0
 * @property {string} name
 * @property {number} n positions
 * @property {number} layers
 * @property {number} path the longest of the shortest ways from an input to an output
 * @property {number} edges all that is read
 * @property {number} seconds NaN if nobody took the time
 * @property {number} last the tick at which all outputs are there
 * @property {(layer: number, i: number) => number} tick when it is computed; 0 of an input
 * @property {(layer: number, i: number, j: number) => boolean} reads position j of the layer below
 * @property {(i: number, j: number) => boolean} own whether i reads j of the same layer
 * @property {(output: number, layer: number, i: number) => boolean} reached whether a last output
 * depends on it
 */

/**
 * @typedef {Object} LanePicture in pixels
 * @property {Object} plot of chart.js: X of a position, Y of a layer
 * @property {number} radius of a node
 * @property {{x: number, y: number, name: string, notes: string[]}} text
 * @property {{x: number, y: number, state: 'input' | 'done' | 'now' | 'waiting', reached: boolean,
 * chosen: boolean}[]} nodes
 * @property {{from: Object, to: Object, reached: boolean}[]} edges between points
 */

// A lane from the rows of numbers that values.py packs.
function laneOf(name, n, [own, ticks, reads, reach, [path], [edges], [seconds]]) {
  const layers = ticks.length / n;
  return {
    name,
    n,
    layers,
    path,
    edges,
    seconds,
    last: Math.max(...ticks.subarray(-n)),
    tick: (layer, i) => (layer ? ticks[(layer - 1) * n + i] : 0),
    reads: (layer, i, j) => reads[((layer - 1) * n + i) * n + j] > 0,
    own: (i, j) => own[i * n + j] > 0,
    reached: (output, layer, i) => reach[(output * (layers + 1) + layer) * n + i] > 0,
  };
}
/** The lanes of the point on screen. */
export const raceLanes = ({facts, point}) =>
  facts.models.map((name, k) => laneOf(name, point.T, point.models[k]));
/** When the slowest lane is done. */
export const lastTick = lanes => Math.max(...lanes.map(lane => lane.last));

const countWhere = (n, test) => Array.from({length: n}, (_, i) => i).filter(test).length;
/**
 * How many inputs an output depends on.
 * @param {Lane} lane
 * @param {number} t the output, from 0
 * @returns {number}
 */
export const inputsRead = (lane, t) => countWhere(lane.n, j => lane.reached(t, 0, j));
/** How many outputs are there after a tick. */
export const outputsReady = (lane, tick) =>
  countWhere(lane.n, i => lane.tick(lane.layers, i) <= tick);
/**
 * How many lanes are done after a tick, and which was first.
 * @param {RaceScene} scene `facts`, `lanes` and `tick` are read
 * @returns {(string | Object)[]} pieces
 */
export function raceSentence({facts, lanes, tick}) {
  const ends = lanes.map(lane => lane.last);
  const least = Math.min(...ends);
  const done = ends.filter(end => end <= tick).length;
  const winners = facts.models.filter((_, k) => ends[k] === least).map(name => readable(name));
  const count = {b: `${done} of ${lanes.length}`};
  const said = phrase`After tick ${{b: String(tick)}} of ${Math.max(...ends)}: ${count} done`;
  const first = {b: winners.join(' and ')};
  return done ? phrase`${said}, first ${first} at tick ${least}.` : phrase`${said}.`;
}

function secondsText(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(1)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toFixed(1)} ms`;
  return `${(seconds * 1e6).toFixed(0)} µs`;
}
function laneNotes(lane, t, tick) {
  const time = Number.isNaN(lane.seconds) ? '' : ` · ${secondsText(lane.seconds)}`;
  const ready = outputsReady(lane, tick);
  return [
    lane.last <= tick ? `done at tick ${lane.last}${time}` : `${ready} of ${lane.n} ready${time}`,
    `path ${lane.path} · edges ${lane.edges}`,
    `output ${t + 1} reads ${inputsRead(lane, t)} of ${lane.n}`,
  ];
}

/** A lane at an output in words. */
export function laneText(lane, t, tick) {
  const at = lane.tick(lane.layers, t);
  const there = at <= tick ? `there since tick ${at}` : `comes at tick ${at}`;
  return `${readable(lane.name)} ${there}, reads ${inputsRead(lane, t)} of ${lane.n}`;
}

// Nodes of a lane: the inputs below, the outputs above.
function laneNodes(lane, t, tick, place) {
  const nodes = [];
  for (let layer = 0; layer <= lane.layers; layer++) {
    for (let i = 0; i < lane.n; i++) {
      const at = lane.tick(layer, i);
      nodes.push({
        ...place(layer, i),
        state: layer === 0 ? 'input' : at === tick ? 'now' : at < tick ? 'done' : 'waiting',
        reached: lane.reached(t, layer, i),
        chosen: layer === lane.layers && i === t,
      });
    }
  }
  return nodes;
}
// Edges of a lane: from the layer below, and along the layer where it reads itself.
function laneEdges(lane, t, place) {
  const edges = [];
  for (let layer = 1; layer <= lane.layers; layer++) {
    for (let i = 0; i < lane.n; i++) {
      const reached = lane.reached(t, layer, i);
      const to = place(layer, i);
      for (let j = 0; j < lane.n; j++) {
        if (lane.reads(layer, i, j)) edges.push({from: place(layer - 1, j), to, reached});
        if (lane.own(i, j)) edges.push({from: place(layer, j), to, reached});
      }
    }
  }
  return edges;
}

const RACE = {names: 176, notes: 68, gap: 22, layer: 13, least: 54, axis: 26};
/**
 * Lanes under each other; their positions stand under each other too, so that one cursor serves
 * all.
 * @param {RaceScene} scene `lanes`, `t`, `tick` and `W` are read
 * @returns {{lanes: LanePicture[], plot: Object, width: number, total: number}} the last
 * `plot`, the width of texts, the height
 */
export function raceScene({lanes, t, tick, W}) {
  const narrow = W < 600;
  const left = narrow ? 0 : RACE.names;
  const over = narrow ? RACE.notes : 0;
  let y = 14;
  const drawn = lanes.map(lane => {
    const height = Math.max(RACE.least, RACE.layer * lane.layers);
    const top = y + over;
    const box = {x0: left, y0: top, width: W - left - 8, height};
    const plot = plotOf({...box, T: lane.n, low: 0, high: lane.layers});
    const place = (layer, i) => ({x: plot.X(i), y: plot.Y(layer)});
    const text = {x: 0, y: y + 4, name: lane.name, notes: laneNotes(lane, t, tick)};
    const radius = Math.max(2.5, Math.min(6.5, plot.pitch * 0.32, (height / lane.layers) * 0.32));
    y = top + height + RACE.gap;
    const nodes = laneNodes(lane, t, tick, place);
    return {plot, radius, text, nodes, edges: laneEdges(lane, t, place)};
  });
  const width = narrow ? W : RACE.names - 12;
  return {lanes: drawn, plot: drawn.at(-1).plot, width, total: y - RACE.gap + 8 + RACE.axis};
}
