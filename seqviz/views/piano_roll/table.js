// The notes as rows of a table. And that table for those who hear it.

import {noteName} from './sentence.js';

const HEADER = ['note', 'key', 'start, s', 'length, s', 'velocity', 'motif'];

/**
 * A row for each note, with the weight that the one in focus puts on it.
 * @param {Piece} piece
 * @param {number | null} note in focus
 * @param {Float32Array | null} row its weights
 * @returns {(string | number)[][]}
 */
export function tableRows(piece, note, row) {
  const predicted = piece.notes.some(({said}) => said >= 0);
  const says = said => (said < 0 ? '' : noteName(said));
  const header = [...HEADER];
  if (predicted) header.push('model says');
  if (row) header.push(`weight from note ${note + 1}`);
  const rows = piece.notes.map(({pitch, start, end, velocity, said}, k) => [
    String(k + 1),
    noteName(pitch),
    start / 100,
    (end - start) / 100,
    velocity,
    motifText(piece, k),
    ...(predicted ? [says(said)] : []),
    ...(row ? [row[k] ?? 0] : []),
  ]);
  return [header, ...rows];
}
function motifText({places, motifs}, note) {
  if (!places[note]) return '';
  const {motif, which, k} = places[note];
  return `${motifs[motif].name} ${which}, note ${k}`;
}
