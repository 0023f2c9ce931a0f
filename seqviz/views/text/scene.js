// What a coloured text shows, as numbers: where its tokens stand and which are in sight, how far up
// the scale a value is, the rows of the table.

import {runsLeft, turnRow} from '../shared/direction.js';
import {cutTo, inText} from '../shared/texts.js';

export const PITCH = 30; // from line to line
export const EDGE = 5; // beside the text, for the frame of a token

export const limited = (value, low, high) => Math.max(low, Math.min(high, value));

/**
 * Tokens in lines, which break after a new line and before a word that does not fit; pieces of a
 * word touch. A line follows the direction of the text.
 * @returns {{cells: {text: string, w: number, x: number, row: number}[], lines: number[][],
 * width: number, left: boolean, height: number}} of a line: its first token, and the one after its
 * last; `left` says that the text runs to the left
 */
export function arrange({tokens, joined}, width, measure) {
  const words = tokens.some(token => [...token].length > 1);
  const gap = words ? 3 : 0;
  const pad = words ? 8 : 0;
  const line = width - 2 * EDGE;
  const room = line - pad - gap;
  const cells = tokens.map((token, t) => {
    const text = fittingText(token, room, measure);
    const w = Math.min(room, Math.max(measure('0'), measure(text))) + pad;
    return {text, w, gap: joined[t + 1] ? 0 : gap};
  });
  const lines = brokenLines({tokens, joined}, cells, {line, words});
  lines.forEach(([from, to], row) => {
    let x = 0;
    for (const cell of cells.slice(from, to)) {
      Object.assign(cell, {x, row});
      x += cell.w + cell.gap;
    }
  });
  const left = runsLeft(tokens);
  if (left) turnRow(cells, 0, line);
  return {cells, lines, width, left, height: lines.length * PITCH};
}
function fittingText(token, room, measure) {
  return token === ' ' ? ' ' : cutTo(inText(token), room, measure);
}
function brokenLines({tokens, joined}, cells, {line, words}) {
  const lines = [];
  let from = 0;
  let wordEnd = 0;
  let x = 0;
  const close = to => {
    lines.push([from, to]);
    from = to;
  };
  tokens.forEach((token, t) => {
    if (x + cells[t].w > line && t > from) {
      close(wordEnd > from ? wordEnd : t);
      x = cells.slice(from, t).reduce((sum, {w, gap}) => sum + w + gap, 0);
    }
    x += cells[t].w + cells[t].gap;
    if (words ? !joined[t + 1] : /\s$/.test(token)) wordEnd = t + 1;
    if (token.endsWith('\n')) {
      close(t + 1);
      x = 0;
    }
  });
  if (from < tokens.length) close(tokens.length);
  return lines;
}

// ---- the window on the text, which is `height` high and starts `top` below its first line
/** The first token in sight, and the one after the last. */
export function rangeInSight({lines}, top, height) {
  const lineAt = y => lines[limited(Math.floor(y / PITCH), 0, lines.length - 1)];
  return [lineAt(top + 1)[0], lineAt(top + height - 1)[1]];
}
/** Where the window starts when it is moved as little as brings a row into sight. */
export const revealing = (row, top, height) =>
  limited(top, PITCH * row + PITCH - height, PITCH * row);
/** The token at a point of the text, null if there is none. */
export function tokenUnder({cells, lines, left}, x, y) {
  const [from, to] = lines[Math.floor(y / PITCH)] ?? [0, 0];
  for (let t = from; t < to; t++) {
    if (left ? x - EDGE >= cells[t].x : x - EDGE < cells[t].x + cells[t].w) return t;
  }
  return null;
}

/**
 * The one scale of text, chart and panel, from `low` to `limit`.
 * @returns {{signed: boolean, low: number, limit: number, share: (value: number) => number}}
 * `share` is 0 at `low` and 1 at `limit`
 */
export function valueScale({signed}, values) {
  const limit = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  const share = value => (signed ? value / limit + 1 : (2 * value) / limit) / 2;
  return {signed, low: signed ? -limit : 0, limit, share};
}

/** What is saved as a table. */
export function textTable({reading, values, unit}) {
  const header = ['position', 'token', `${reading.name} ${unit}`];
  if (reading.forecast) {
    header.push('expected next', 'its probability', 'came next', 'probability of that');
  }
  const rowOf = (token, t) => [String(t + 1), token, values[t], ...expectedCells(reading, t)];
  return [header, ...reading.tokens.map(rowOf)];
}
function expectedCells(reading, t) {
  const next = reading.expected(t);
  if (!next) return [];
  const [{token, p}] = next.guesses;
  return [token, p, next.came ?? '', Number.isNaN(next.p) ? '' : next.p];
}
