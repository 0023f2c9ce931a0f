// Where everything stands, in local pixels: the columns of steps, the rows from the words down to
// the line, the panel beside or under them.

const EM = 14;
/** Pixels left of the columns. */
export const GUTTER = 82;
/** Pixels right of them. */
export const MARGIN = 34;
/** Pixels down one row of the chosen unit. */
export const ROW = 16;
/** Pixels down a strip of answers, and the bars under it. */
export const STRIP = 18;
export const BARS = 25;
const CAPTION = 28; // pixels down that of the block, and of the unit's rows
const LOW = 460; // pixels of the stage under which captions are low
const LOW_CAPTION = 21;
const CONTROLS = 32; // pixels down the controls of the block, where they stand under its caption
/** Pixels down the changes under the block. */
export const CHANGE = 14;
const GAP = 17; // between stage and panel
const LEAST = 14; // pixels of a column, else the text moves through a window
const IN_WINDOW = 19; // pixels of a column there
const MOST = 96;
const TRACK = STRIP + BARS + 6;
const OVERVIEW = 27;
const PANEL = 400; // pixels that the panel needs, answers and all
const ROOMY = 470;

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/**
 * @typedef {Object} Columns
 * @property {boolean} stacked whether the panel stands under the stage
 * @property {number} side pixels of the panel
 * @property {number} W pixels of the stage
 * @property {number} n steps in sight
 * @property {number} cw pixels of a step
 */
/**
 * How many steps stand beside each other, and how wide.
 * @param {number} width pixels of stage and panel
 * @param {number} T steps
 * @returns {Columns}
 */
export function columns(width, T) {
  const stacked = width < 44 * EM;
  const side = stacked ? Math.min(width, 26 * EM) : clamp(0.27 * width, 15.4 * EM, 19 * EM);
  const W = stacked ? width : width - side - GAP;
  const room = Math.max(LEAST, W - GUTTER - MARGIN);
  const n = room / T >= LEAST ? T : Math.max(1, Math.floor(room / IN_WINDOW));
  return {stacked, side, W, n, cw: Math.floor(Math.min(room / n, MOST))};
}
/**
 * @typedef {Object} Plan
 * @property {number} answers where the first strip of answers begins, under the words
 * @property {number[]} tracks where the strip of each model that answers begins
 * @property {number} caption of the block
 * @property {number} controls of the block
 * @property {number} title where the text of a caption stands in it
 * @property {number} block the first row of the block
 * @property {number} pitch pixels down a unit of the block
 * @property {number} change
 * @property {number} unit the caption of the chosen unit
 * @property {number} rows its first row
 * @property {number} line
 * @property {number} lineHeight
 * @property {number} overview
 * @property {number} height of the stage
 * @property {number} panel pixels down the panel
 * @property {number} end where the last step in sight ends
 * @property {(t: number) => number} x where a step begins, from 0
 */
/**
 * The plan of a model: what is left of the height goes to the block, then to the line.
 * @param {Columns} across
 * @param {{height: number, words: number, answering: number, units: number, rows: number,
 * holds: boolean, T: number, from: number}} given `words` pixels down the words, `answering` how
 * many models have a strip of answers, `holds` whether a gate can be held
 * @returns {Plan & Columns}
 */
export function plan(across, {height, words, answering, units, rows, holds, T, from}) {
  const {n, cw, stacked} = across;
  const tracks = Array.from({length: answering}, (_, k) => words + k * TRACK);
  const title = height < LOW ? LOW_CAPTION : CAPTION;
  const caption = words + answering * TRACK + (answering ? 0 : 6);
  const block = caption + title + (stacked ? CONTROLS : 0);
  const change = holds ? CHANGE + 3 : 3;
  const overview = n < T ? OVERVIEW : 6;
  const fixed = block + change + title + rows * ROW + 8 + overview;
  const free = height - fixed;
  const tall = clamp(free - 3 * EM, Math.min(60, 6 * units), units * 18);
  const pitch = tall > 6 * units ? Math.floor(tall / units) : tall / units;
  const unit = block + pitch * units + change;
  const line = unit + title + rows * ROW + 8;
  const lineHeight = clamp(height - line - overview, 3 * EM, 9 * EM);
  const end = line + lineHeight + overview;
  return {
    ...across,
    T,
    from,
    answers: words,
    tracks,
    caption,
    controls: caption + (stacked ? title : 0),
    title: title - 9,
    block,
    pitch,
    change: block + pitch * units + 3,
    unit,
    rows: unit + title,
    line,
    lineHeight,
    overview: line + lineHeight + 8,
    height: end,
    panel: stacked ? ROOMY : Math.max(PANEL, end),
    x: t => GUTTER + (t - from) * cw,
    end: GUTTER + n * cw,
  };
}
