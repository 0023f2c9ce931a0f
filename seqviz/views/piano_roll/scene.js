// What is on screen, as numbers and strings, from a piece, the weights of a note and the size.

import {share} from '../shared/texts.js';
import {layoutOf, secondsAt} from './layout.js';
import {noteName, statementName, strongest} from './sentence.js';

const BLACK = [1, 3, 6, 8, 10]; // keys of an octave
const MOST_BAR = 18;
const BRIEF = 360; // pixels of the lane under which its words are few
const LEAST_BAR = {width: 2, height: 3};
const STRONGEST = 31; // velocity
const FAINT = 0.1; // of the largest weight: less has no arc
const MOST_ARCS = 60;
const WIDEST = 9; // an arc of weight 1
const MOST_NUMBERS = 3; // in the lane
const NEAR = 14; // pixels from a bar, within which it is pointed at

/**
 * @typedef {Object} Focus what the controls, the pointer or the sound point at, from 0
 * @property {number | null} note
 * @property {boolean} locked
 * @property {boolean} previewing whether the pointer or the sound says so, not the controls
 */

/**
 * What is in focus: the pointer and the sound stand in for the note, unless it is locked.
 * @param {{note: number | null, locked: boolean, over: number | null, sounding: number | null}}
 * state
 * @returns {Focus}
 */
export function focusOf({note, locked, over, sounding}) {
  const held = locked && note !== null;
  const other = held ? null : (sounding ?? over);
  return {note: other ?? note, locked: held, previewing: other !== null && other !== note};
}
/** The note after or before one; from none to the first or the last. */
export function besideNote(n, note, by) {
  const from = note ?? (by > 0 ? -1 : n);
  return Math.max(0, Math.min(n - 1, from + by));
}
/** The note that began last, at a tick; null before the first. */
export function soundingAt({notes}, tick) {
  const k = notes.findLastIndex(({start}) => start <= tick);
  return k < 0 ? null : k;
}
/** The note whose bar lies nearest to a point, if it is near. */
export function noteNear({bars}, [x, y]) {
  const away = ({box: {x: left, y: top, width, height}}) =>
    Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
  const far = bars.map(away);
  const least = Math.min(...far);
  return least <= NEAR ? far.indexOf(least) : null;
}
/**
 * @param {{piece: Piece, row: Float32Array | null, focus: Focus, size: Object}} given `row` are the
 * weights of the note in focus
 */
export function sceneOf({piece, row, focus, size}) {
  const layout = layoutOf(piece, size);
  const best = row ? strongest(row) : null;
  const targets = row ? targetsOf(row, focus.note) : [];
  const bars = barsOf(piece, layout, focus, targets);
  return {
    piece,
    focus,
    row,
    layout,
    keys: keysOf(layout, markedKeys(piece, focus, best)),
    seconds: secondsAt(piece.span, layout.x1 - layout.x0).map(tick => ({
      x: layout.X(tick),
      text: `${tick / 100} s`,
    })),
    bars,
    ghosts: ghostsOf(piece, layout),
    brackets: bracketsOf(piece, layout, focus),
    arcs: targets.map(j => arcOf(bars[focus.note].box, bars[j].box, row[j], best === j, layout)),
    lane: layout.lane && laneOf(piece, layout, focus, row, targets),
  };
}
/** The earlier notes that get an arc, the heaviest first. */
export function targetsOf(row, note) {
  const most = Math.max(...row);
  return Array.from(row.keys())
    .filter(j => j !== note && row[j] > 0 && row[j] >= FAINT * most)
    .sort((a, b) => row[b] - row[a])
    .slice(0, MOST_ARCS);
}
function markedKeys({notes}, {note}, best) {
  if (note === null) return new Map();
  const other = best === null || best === note ? [] : [[notes[best].pitch, 'second']];
  return new Map([...other, [notes[note].pitch, 'focus']]);
}
function keysOf({low, high, row, Y}, marked) {
  return Array.from({length: high - low + 1}, (_, k) => {
    const pitch = low + k;
    const black = BLACK.includes(((pitch % 12) + 12) % 12);
    const look = marked.get(pitch) ?? null;
    const said = pitch >= 0 && (look || pitch % 12 === 0 || (row >= 13 && !black));
    const hidden = !look && [...marked.keys()].some(other => Math.abs(Y(other) - Y(pitch)) < 13);
    return {
      y: Y(pitch) - row / 2,
      height: row,
      black,
      octave: pitch % 12 === 0,
      look,
      text: said && !hidden ? noteName(pitch) : '',
    };
  });
}
function boxOf({X, Y, row}, {start, end, velocity}, pitch) {
  const share = velocity / STRONGEST;
  const height = Math.max(LEAST_BAR.height, Math.min(MOST_BAR, row) * (0.5 + 0.4 * share));
  const width = Math.max(LEAST_BAR.width, X(end) - X(start) - 1);
  return {x: X(start), y: Y(pitch) - height / 2, width, height};
}
function barsOf(piece, layout, {note}, targets) {
  const hit = new Set(targets);
  return piece.notes.map((one, k) => ({
    box: boxOf(layout, one, one.pitch),
    opacity: 0.45 + (0.55 * one.velocity) / STRONGEST,
    look: k === note ? 'focus' : hit.has(k) ? 'target' : note !== null && k > note ? 'later' : '',
    motif: piece.places[k]?.motif ?? null,
    mark: one.said < 0 ? null : one.said === one.pitch ? 'right' : 'wrong',
  }));
}
const ghostsOf = ({notes}, layout) =>
  notes
    .filter(({said, pitch}) => said >= 0 && said !== pitch)
    .map(note => boxOf(layout, note, note.said));

function bracketsOf(piece, {X, bracket}, {note}) {
  const own = note === null ? null : piece.places[note];
  return piece.motifs.flatMap(({statements}, motif) =>
    statements.map((notes, s) => {
      const which = s + 1;
      const played = notes.map(k => piece.notes[k]);
      return {
        motif,
        x: X(played[0].start),
        end: X(Math.max(...played.map(({end}) => end))) - 1,
        y: motif * bracket + 10,
        text: statementName(piece, {motif, which}),
        short: String(which),
        own: own?.motif === motif && own.which === which,
      };
    }),
  );
}
// It bows upwards, the more the farther it goes, and stays under the brackets.
function arcOf(from, to, weight, best, {top}) {
  const [x0, y0] = [from.x, from.y + from.height / 2];
  const [x1, y1] = [to.x, to.y + to.height / 2];
  const apex = Math.min(y0, y1, Math.max(top + 4, Math.min(y0, y1) - 10 - 0.16 * (x0 - x1)));
  const control = apex - Math.sqrt((y0 - apex) * (y1 - apex)); // the curve touches the apex
  return {
    d: `M${round(x0)} ${round(y0)}Q${round((x0 + x1) / 2)} ${round(control)} ${round(x1)} ${round(y1)}`,
    width: Math.max(0.75, WIDEST * weight),
    end: {x: x1, y: y1},
    best,
  };
}
const round = v => Math.round(10 * v) / 10;

function laneOf(piece, {X, lane, x0, x1}, {note}, row, targets) {
  const frame = {...lane, x0, x1};
  if (!row) return {...frame, caption: 'Point at a note: here stands what it attends to.'};
  const most = Math.max(...row);
  const total = row.reduce((all, weight) => all + weight, 0);
  const high = most > 0 ? (lane.base - lane.top) / most : 0;
  const hit = new Set(targets);
  const stems = Array.from(row, (weight, j) => ({
    x: X(piece.notes[j].start) + 3 * chordPlace(piece, j),
    height: weight * high,
    strong: hit.has(j) || j === note,
  }));
  const heaviest = targets.slice(0, MOST_NUMBERS).map(j => ({
    x: stems[j].x,
    y: lane.base - stems[j].height - 4,
    text: `${noteName(piece.notes[j].pitch)} ${share(row[j])}`,
  }));
  return {
    ...frame,
    caption: captionOf(noteName(piece.notes[note].pitch), note, total, x1 - x0 < BRIEF),
    stems,
    numbers: heaviest,
    most: most > 0 ? share(most) : '',
  };
}
function captionOf(name, note, total, brief) {
  if (!note) return `Weight of ${name}: no note comes before it.`;
  const rest = total < 0.995 ? `, ${share(1 - total)} elsewhere` : '';
  const whole = brief ? 'it and notes before' : 'itself and the notes before it';
  return `Weight of ${name}: ${share(Math.min(1, total))} on ${whole}${rest}.`;
}
// How many notes that begin with it stand before it.
function chordPlace({notes}, j) {
  return j - notes.findIndex(({start}) => start === notes[j].start);
}
