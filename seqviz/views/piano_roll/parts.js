// What travels of a piece: rows of numbers for its notes, and a triangle of weights a head.

/**
 * @typedef {Object} Piece
 * @property {string} name
 * @property {number} n notes
 * @property {{pitch: number, start: number, end: number, velocity: number, said: number}[]} notes
 * in ticks of 10 ms; `said` is the pitch that a model said there, -1 if none did
 * @property {string[]} heads
 * @property {{name: string, statements: number[][]}[]} motifs
 * @property {{motif: number, which: number, k: number}[]} places of the notes that lie in a motif,
 * counted from 1
 * @property {number} span the tick at which the last note ends
 * @property {boolean} sound whether it can be heard
 */

const floatsOf = view =>
  new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

/**
 * A piece from its facts and its notes.
 * @param {Object} facts what values.py tells of it
 * @param {DataView} view
 * @returns {Piece}
 */
export function pieceOf(facts, view) {
  const numbers = floatsOf(view);
  const notes = Array.from({length: facts.notes}, (_, k) => {
    const [pitch, start, end, velocity, said] = numbers.subarray(5 * k, 5 * k + 5);
    return {pitch, start, end, velocity, said};
  });
  const motifs = facts.motifs.map(([name, statements]) => ({name, statements}));
  const span = Math.max(...notes.map(({end}) => end));
  return {...facts, n: notes.length, notes, motifs, places: placesOf(motifs), span};
}
function placesOf(motifs) {
  const places = [];
  for (let motif = motifs.length - 1; motif >= 0; motif--) {
    motifs[motif].statements.forEach((statement, s) =>
      statement.forEach((note, k) => {
        places[note] = {motif, which: s + 1, k: k + 1};
      }),
    );
  }
  return places;
}
/**
 * The weights of each note on itself and those before it.
 * @param {DataView} view
 * @returns {(note: number) => Float32Array}
 */
export function rowsOf(view) {
  const triangle = floatsOf(view);
  return note => triangle.subarray((note * (note + 1)) / 2, ((note + 1) * (note + 2)) / 2);
}
