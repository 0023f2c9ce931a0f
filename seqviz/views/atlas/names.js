// What scores, places and kinds are called on screen.

import {readable} from '../shared/texts.js';

// What axes, columns and rules call a score; `to` goes on with "n × as much as evenly".
const SCORES = {
  previous: {long: 'weight to the word before', short: 'before', to: 'to the word before'},
  next: {long: 'weight to the word after', short: 'after', to: 'to the word after'},
  itself: {long: 'weight to itself', short: 'itself', to: 'to itself'},
  first: {long: 'weight to {first}', short: '{start}'},
  separator: {long: 'weight to {separator}', short: '{end}', to: 'to {separator}'},
  punctuation: {long: 'weight to punctuation', short: 'punct.', to: 'to punctuation'},
  same: {long: 'weight to the same word elsewhere', short: 'same', to: 'to the same word'},
  induction: {long: 'weight to what followed the word', short: 'followed', to: 'to what followed'},
  apart: {long: 'weight at its best fixed distance', short: 'fixed'},
  distance: {long: 'mean distance, in words', short: 'distance'},
  entropy: {long: 'entropy, bits', short: 'entropy'},
  evenness: {long: 'evenness: entropy of the most possible', short: 'even'},
  position: {long: 'by position: variance that distance explains', short: 'position'},
  usual: {long: 'sentences in which it does its usual', short: 'usual'},
  layer: {long: 'layer', short: 'layer'},
};
const PLACES = {
  first: '{first}',
  separator: '{separator}',
  itself: 'the word itself',
  same: 'the same word elsewhere',
  previous: 'the word before',
  next: 'the word after',
  induction: 'what followed the word earlier',
  punctuation: 'punctuation',
  near: 'words 2 to 4 away',
  far: 'words 5 or more away',
};
export const NO_KIND = 'none of these';

/** The names, with what this model calls its first token and its separator. */
export class Names {
  constructor({first, separator}) {
    this.first = first ? readable(first, 12) : 'the first token';
    this.separator = separator ? readable(separator, 12) : 'a separator';
    this.start = first ? this.first : 'first';
    this.end = separator ? this.separator : 'sep.';
  }
  filled(text) {
    return text?.replace(/\{(\w+)\}/g, (_, name) => this[name]);
  }
  /** Of a score, for an axis. */
  long(score) {
    return this.filled(SCORES[score]?.long ?? score);
  }
  /** Of a score, for a column. */
  short(score) {
    return this.filled(SCORES[score]?.short ?? score);
  }
  /** What a head does beyond an even spread; undefined of scores that are no share of a place. */
  to(score) {
    return this.filled(SCORES[score]?.to);
  }
  /** Of a place that has most weight, in a sentence. */
  place(name) {
    return this.filled(PLACES[name] ?? name);
  }
  /** The same, in a row. */
  placeShort(name) {
    return {first: this.start, separator: this.end, same: 'same word'}[name] ?? name;
  }
}
/** A number of a score: .05, 1.00, 12.3; – where there is none. */
export function scoreText(value) {
  if (Number.isNaN(value)) return '–';
  if (value >= 9.95) return value.toFixed(1);
  const small = value !== 0 && Math.abs(value) < 0.005;
  if (small && Math.abs(value) < 0.0005) return '0';
  return value.toFixed(small ? 3 : 2).replace(/^0\./, '.');
}
/** A share in per cent, never a round 0 or 100 for one that is not. */
export function percentText(share) {
  if (share > 0 && share < 0.005) return '<1\u00a0%';
  if (share < 1 && share >= 0.995) return '>99\u00a0%';
  return `${Math.round(100 * share)}\u00a0%`;
}
/** Where an example stands among all sentences of its head. */
export function rankText(rank, sentences) {
  if (rank < 2) return ['strongest', 'second'][rank];
  if (rank === sentences - 1) return 'weakest';
  return percentText(1 - rank / (sentences - 1));
}
