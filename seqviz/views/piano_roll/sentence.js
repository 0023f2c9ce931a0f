// The sentence over a piano roll.

import {phrase} from '../shared/nodes.js';
import {readable, share} from '../shared/texts.js';

const NAMES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];
const LETTERS = 16; // of a motif's or a head's name
const SMALL = 0.005; // a row with less on each note attends to none

/** The name of a key: C4 is the middle one, 60. */
export const noteName = pitch => `${NAMES[pitch % 12]}${Math.floor(pitch / 12) - 1}`;
/** Ticks of 10 ms as seconds, with one or two decimals. */
export function secondsOf(ticks) {
  const text = `${Math.floor(ticks / 100)}.${String(ticks % 100).padStart(2, '0')}`;
  return `${text.replace(/0$/, '')} s`;
}
/** A name as people read it. */
export const named = text => readable(text, LETTERS);
const headName = name =>
  name.toLowerCase().startsWith('head') ? named(name) : `head ${named(name)}`;
/** A statement of a motif; a number only where there are several. */
export function statementName({motifs}, {motif, which}) {
  const {name, statements} = motifs[motif];
  return statements.length > 1 ? `${named(name)} ${which}` : named(name);
}
/** Which note of which statement it is, in brackets; nothing outside of motifs. */
export function placeText(piece, note) {
  const place = piece.places[note];
  return place ? ` (note ${place.k} of ${statementName(piece, place)})` : '';
}
const timeOf = (piece, note) =>
  ` at ${secondsOf(piece.notes[note].start)}${placeText(piece, note)}`;
const keyOf = (piece, note) => noteName(piece.notes[note].pitch);

/**
 * The sentence for a note, from 0, or for the whole piece.
 * @param {Piece} piece
 * @param {{note: number | null, head: number, row: Float32Array | null}} focus `row` are the
 * weights of the note on itself and those before it
 * @returns {(string | Object)[]} pieces for `say`
 */
export function headline(piece, {note, head, row}) {
  if (note === null) return wholeText(piece);
  const start = {b: keyOf(piece, note)};
  const time = timeOf(piece, note);
  if (!row) {
    const {start: from, end, velocity} = piece.notes[note];
    const lasts = `sounds for ${secondsOf(end - from)}, velocity ${velocity}`;
    return phrase`${start}${time} ${lasts}.${saidText(piece, note)}`;
  }
  const which = piece.heads.length > 1 ? `In ${headName(piece.heads[head])}, ` : '';
  const attends = attendedText(piece, note, row);
  return phrase`${which}${start}${time} attends ${attends}.${saidText(piece, note)}`;
}
/** The note with the largest weight of a row, null if all are small. */
export function strongest(row) {
  const most = Math.max(...row);
  return most < SMALL ? null : row.indexOf(most);
}
function attendedText(piece, note, row) {
  const best = strongest(row);
  if (best === null) return 'to no earlier note';
  const weight = {strong: share(row[best])};
  if (best === note) return phrase`most to itself: ${weight}`;
  return phrase`most to ${{em: keyOf(piece, best)}}${timeOf(piece, best)}: ${weight}`;
}
function saidText({notes}, note) {
  const {pitch, said} = notes[note];
  if (said < 0) return '';
  if (said === pitch) return ' The model says it, too.';
  return phrase` The model says ${{u: `${noteName(said)}: wrong`}}.`;
}
function wholeText({notes, n, span, motifs}) {
  const pitches = notes.map(({pitch}) => pitch);
  const low = noteName(Math.min(...pitches));
  const high = noteName(Math.max(...pitches));
  const keys = low === high ? `on ${low}` : `from ${low} to ${high}`;
  const said = [{b: `${n} note${n > 1 ? 's' : ''}`}, ` in ${secondsOf(span)}, ${keys}.`];
  for (const {name, statements} of motifs.slice(0, 1)) {
    const times = statements.length === 1 ? 'once' : `${statements.length} times`;
    said.push(` ${named(name)} comes ${times}.`);
  }
  const predicted = notes.filter(note => note.said >= 0);
  const right = predicted.filter(note => note.said === note.pitch);
  if (predicted.length) {
    said.push(` The model says ${right.length} of ${predicted.length} notes right.`);
  }
  return said;
}
