// Where the keyboard, the notes, the time and the weights stand, in pixels.

const NARROW = 600;
const HEIGHT = {usual: 414, narrow: 384};
const KEYS = {usual: 46, narrow: 38};
const BRACKET = 20; // a line of statements
const AXIS = 22;
const LANE = 92; // weights, with the line that says of what
const LANE_HEAD = 34; // of it, the line and the numbers over the tallest stem
const LEAST_ROWS = 13;
const RIGHT = 10;
const GAP = 6;

/**
 * @param {Piece} piece
 * @param {{W: number, tall: number | null}} size pixels of the stage, and how high it may be where
 * the view fills the screen
 */
export function layoutOf(piece, {W, tall}) {
  const size = W < NARROW ? 'narrow' : 'usual';
  const height = tall ?? HEIGHT[size];
  const lane = piece.heads.length ? LANE : 0;
  const top = piece.motifs.length ? BRACKET * piece.motifs.length + GAP : GAP;
  const bottom = height - lane - AXIS;
  const {low, high} = rangeOf(piece);
  const row = (bottom - top) / (high - low + 1);
  const x0 = KEYS[size] + GAP;
  const x1 = W - RIGHT;
  return {
    W,
    height,
    keys: KEYS[size],
    bracket: BRACKET,
    x0,
    x1,
    top,
    bottom,
    low,
    high,
    row,
    axis: bottom + 16,
    lane: lane
      ? {line: bottom + AXIS + 13, top: height - lane + LANE_HEAD, base: height - 4}
      : null,
    X: tick => x0 + (tick / piece.span) * (x1 - x0),
    Y: pitch => top + (high - pitch + 0.5) * row,
  };
}
/** Keys from one under the lowest to one over the highest, an octave at least. */
export function rangeOf({notes}) {
  const pitches = notes.flatMap(({pitch, said}) => (said < 0 ? [pitch] : [pitch, said]));
  const low = Math.min(...pitches) - 1;
  const high = Math.max(...pitches) + 1;
  const lacking = Math.max(0, LEAST_ROWS - (high - low + 1));
  return {low: low - Math.floor(lacking / 2), high: high + Math.ceil(lacking / 2)};
}
/** Ticks of the axis: whole seconds, or more of them where they stand close. */
export function secondsAt(span, width) {
  const least = (48 * span) / width; // ticks that a label needs
  const by = [50, 100, 200, 500, 1000, 2000, 5000, 10000].find(step => step >= least) ?? 20000;
  return Array.from({length: Math.floor(span / by) + 1}, (_, k) => k * by);
}
