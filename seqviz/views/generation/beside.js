// What the methods write side by side with the same random numbers, in lines that fit.

import {runsLeft, turnRow} from '../shared/direction.js';
import {together} from '../shared/pieces.js';
import {inText} from '../shared/texts.js';
import {repeatsIn} from './decoding.js';

const LINES = 2; // of a text
const LINE = 1.36; // height
const BOX = 4.5; // of a method
const HEADING = 1.25;
const LONGEST = 24; // letters of a token

export const TITLES = {
  greedy: 'Greedy',
  sample: 'Sample',
  temperature: 'Temperature',
  'top-k': 'Top-k',
  nucleus: 'Nucleus',
};
/** A knob as people read it; empty for a method without one. */
export function knobText(method, knob) {
  if (method === 'temperature') return knob.toFixed(1);
  if (method === 'nucleus') return knob.toFixed(2);
  return method === 'top-k' ? String(knob) : '';
}
/** A run in numbers: the model's surprise in bits a token, the share of stretches that are new. */
export function measuresOf({p, ids}, span) {
  let bits = 0;
  for (const one of p) bits -= Math.log2(one);
  const repeats = repeatsIn(ids, span);
  const stretches = Math.max(1, ids.length - span + 1);
  return {
    repeats,
    surprise: p.length ? bits / p.length : 0,
    distinct: 1 - repeats.filter(Boolean).length / stretches,
  };
}
/**
 * Tokens in lines; what does not fit begins the next one, a word's pieces together if they can.
 * @param {{text: string, mark: boolean}[]} pieces each with its blank before it
 * @returns {{text: string, mark: boolean, x: number, w: number, line: number}[]}
 */
export function placedPieces(pieces, W, measure) {
  const words = [];
  for (const piece of pieces) {
    if (piece.text.startsWith(' ') || !words.length) words.push([]);
    words.at(-1).push(piece);
  }
  const placed = [];
  let x = 0;
  let line = 0;
  const put = (piece, starts) => {
    const text = starts ? piece.text.replace(/^ +/, '') : piece.text;
    const w = measure(text);
    placed.push({...piece, text, x, w, line});
    x += w;
  };
  for (const word of words) {
    const whole = word.reduce((sum, {text}) => sum + measure(text), 0);
    if (x > 0 && x + whole > W) [x, line] = [0, line + 1];
    for (const piece of word) {
      if (x > 0 && x + measure(piece.text) > W) [x, line] = [0, line + 1];
      put(piece, x === 0);
    }
  }
  return placed;
}
// In a running text a blank is a blank.
function runningText(word) {
  if (/^ *$/.test(word)) return word;
  return word === '\n' ? ' ↵ ' : inText(word, LONGEST);
}
/** Pieces of a run: tokens with what joins them. */
const piecesOf = ({words}, repeats, joiner) =>
  together(words).letters.map((word, k) => ({
    text: (k ? joiner : '') + (word && runningText(word)),
    mark: repeats[k],
  }));

// The last lines that fit, with an ellipsis where something stands before.
function lastLines(pieces, W, measure) {
  let from = 0;
  for (;;) {
    const lead = from ? [{text: '…', mark: false}] : [];
    const placed = placedPieces([...lead, ...pieces.slice(from)], W, measure);
    if ((placed.at(-1)?.line ?? 0) < LINES) return placed;
    from += Math.max(1, Math.floor((pieces.length - from) / 12));
  }
}
/**
 * @param {Object} scene `beside`: {method, knob, run} each, `method` that is on, `facts`
 * @param {{em: number, side: number, measure: Function}} size
 */
export function besideOf({beside, method, facts}, {em, side: W, measure}) {
  const text = words => measure(words, `${em}px`);
  const boxes = beside.map((one, k) => {
    const box = {...one, y: (HEADING + k * BOX) * em, on: one.method === method};
    const title = `${TITLES[one.method]} ${knobText(one.method, one.knob)}`.trim();
    if (!one.run) return {...box, title, pieces: [], waiting: true};
    const measures = measuresOf(one.run, facts.span);
    const pieces = piecesOf(one.run, measures.repeats, facts.joiner);
    const placed = lastLines(pieces, W - em, text);
    if (runsLeft(one.run.words)) turnRow(placed, 0, W - em);
    return {...box, title, ...measures, pieces: placed};
  });
  const names = ['surprise, bits', facts.span === 2 ? 'distinct pairs' : 'distinct fours'];
  const H = (HEADING + beside.length * BOX) * em;
  return {boxes, names, W, H, em, line: LINE * em, most: Math.log2(facts.vocabulary)};
}
