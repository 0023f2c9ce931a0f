// Where the grids and the panels stand, from sizes alone.

import {windowAround, windowKept} from '../shared/scene/windows.js';

/**
 * @typedef {Object} GridPlan
 * @property {number} x pixels, of its first column
 * @property {number} left of the names of its rows
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} names the top of its tokens
 */
/**
 * @typedef {Object} CausePlan
 * @property {boolean} beside whether the grids stand side by side
 * @property {Window} tokens in sight
 * @property {Window} stages in sight
 * @property {{width: number, height: number}} cell
 * @property {[GridPlan, GridPlan]} grids of this text and the other
 * @property {Box} answers, wrote, control: where the panels are
 */
const GUTTER = {wide: 92, narrow: 84};
const COLUMN = {least: 44, spare: 6}; // a token's room, and around its name
const LABELS = 20; // the tokens' names
const TRACK = 8;
const GAP = 8;
const BESIDE = 20;
const ROW = {least: 18, stacked: 28, beside: 38, most: 8}; // pixels, and rows on a narrow page
const PANELS = {narrow: 196, wordless: 128, apart: 20, share: 0.3, left: [232, 360]};
const WROTE = {frame: 52, row: 14, rows: [5, 7]}; // who wrote the answer: at least so many rows
const CONTROL = 84;
export const NARROW = 620;

/**
 * @param {{width: number, height: number}} size
 * @param {{tokens: [number, number], stages: number, widest: number, parts: number,
 * at: {stage: number, token: number}, before?: CausePlan}} told how many tokens the texts have, how
 * many stages, how wide the widest token, of how many parts a block it is told what they write,
 * what the cursor is at, and what was in sight
 * @returns {CausePlan}
 */
export function causePlan({width, height}, {tokens, stages, widest, parts, at, before}) {
  const narrow = width < NARROW;
  const gutter = narrow ? GUTTER.narrow : GUTTER.wide;
  const count = Math.max(...tokens);
  const need = Math.max(COLUMN.least, widest + COLUMN.spare);
  const half = (width - BESIDE) / 2;
  const beside = !narrow && (half - gutter) / count >= need;
  const across = beside ? half : width;
  const wide = (across - gutter) / COLUMN.least;
  const sight = windowKept(windowAround(count, at.token, wide), at.token, before?.tokens);
  const track = sight.count < count ? TRACK : 0;
  const frame = LABELS + track + GAP;
  const panels = narrow ? narrowPanels(parts) : widePanels(parts);
  const room = height - panels - (beside ? frame : 2 * frame);
  const rows = beside ? room / ROW.least : room / 2 / ROW.least;
  const fits = windowAround(stages, at.stage, Math.max(2, rows));
  const seen = windowKept(fits, at.stage, before?.stages);
  const most = beside || !parts ? ROW.beside : ROW.stacked;
  const each = room / (beside ? seen.count : 2 * seen.count);
  const cell = {
    width: (across - gutter) / sight.count,
    height: Math.floor(Math.max(ROW.least, Math.min(most, each))),
  };
  const grid = (left, y) => ({
    x: left + gutter,
    left,
    y,
    width: across - gutter,
    height: cell.height * seen.count,
    names: y + cell.height * seen.count,
  });
  const first = grid(0, 0);
  const second = beside ? grid(half + BESIDE, 0) : grid(0, first.names + frame);
  const top = second.names + frame;
  return {
    beside,
    narrow,
    tokens: sight,
    stages: seen,
    cell,
    track,
    grids: [first, second],
    ...panelsBelow({width, height}, top, narrow, parts),
  };
}
function panelsBelow({width, height}, y, narrow, parts) {
  if (narrow) {
    const answers = {x: 0, y, width, height: PANELS.narrow};
    const wrote = {x: 0, y: y + PANELS.narrow, width, height: parts ? PANELS.narrow : 0};
    return {answers, wrote, control: {x: 0, y: wrote.y + wrote.height, width, height: CONTROL}};
  }
  const [least, most] = PANELS.left;
  const left = Math.max(least, Math.min(most, width * PANELS.share));
  const x = left + PANELS.apart;
  const tall = height - y;
  return {
    answers: {x: 0, y, width: left, height: tall},
    wrote: {x, y, width: width - x, height: tall - CONTROL - 6},
    control: {x, y: parts ? height - CONTROL : y + 4, width: width - x, height: CONTROL},
  };
}
/** How high all is where the panels stand one under the other. */
export function narrowHeight(stages, parts) {
  const grid = Math.min(stages, ROW.most) * ROW.stacked + LABELS + TRACK + GAP;
  return 2 * grid + narrowPanels(parts);
}
const narrowPanels = parts => (parts ? 2 : 1) * PANELS.narrow + CONTROL;
function widePanels(parts) {
  if (!parts) return PANELS.wordless;
  const [least, most] = WROTE.rows;
  return CONTROL + WROTE.frame + WROTE.row * Math.max(least, Math.min(most, parts));
}
/** The box of a cell; one out of sight lies at the edge. */
export function cellBox({grids, cell, tokens, stages}, {text, stage, token}) {
  const grid = grids[text];
  const column = Math.max(0, Math.min(tokens.count - 1, token - tokens.from));
  const row = Math.max(0, Math.min(stages.count - 1, stage - stages.from));
  return {
    x: grid.x + column * cell.width,
    y: grid.y + (stages.count - 1 - row) * cell.height,
    width: cell.width,
    height: cell.height,
  };
}
