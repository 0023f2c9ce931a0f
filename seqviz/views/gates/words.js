// On top: the words, and under them what each model answers and how likely the right answer is.

import {leaning, textAt} from '../shared/marks.js';
import {svg} from '../shared/nodes.js';
import {cutTo, readable} from '../shared/texts.js';
import {BARS, GUTTER, STRIP} from './plan.js';
import {seenAnswers} from './scene.js';

const STEEP = 58; // degrees
const SLOPE = (STEEP * Math.PI) / 180;
const SLANT_MOST = 66; // pixels of a slanted word
const SHADES = [6, 30, 50, 18, 40, 60]; // of 64: the answers' own, by the place of their label
const MARK = /^[\p{Pi}\p{Pf}"'„‚]$/u; // a quotation mark is upright and large: slanted it clings

/**
 * A token that fits, cut if it must be.
 * @param {string} token
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} font
 * @returns {string}
 */
export const clipped = (token, room, measure, font) =>
  cutTo(readable(token, 200), room, measure, font);
const font = on => (on ? '700 14px' : '400 14px');
/**
 * Whether all words stand upright in their columns.
 * @param {string[]} tokens
 * @param {number} cw pixels of a column
 * @param {Measure} measure
 * @returns {boolean}
 */
export const standUpright = (tokens, cw, measure) =>
  tokens.every(token => measure(readable(token), font(true)) < cw - 4);
/**
 * Pixels down the words.
 * @param {string[]} tokens
 * @param {number} cw pixels of a column
 * @param {Measure} measure
 * @returns {number}
 */
export function wordsHeight(tokens, cw, measure) {
  if (standUpright(tokens, cw, measure)) return 26;
  const longest = Math.max(...tokens.map(token => measure(readable(token), font(true))));
  return Math.ceil(14 + Math.sin(SLOPE) * Math.min(SLANT_MOST, longest));
}
/**
 * By how much a slanted word has moved right at a height over the strip of answers.
 * @param {number} up pixels
 * @returns {number}
 */
export const slanted = up => leaning(Math.max(0, up - 6), STEEP);
/**
 * The words; the one in focus and the one from which on a gate is held stand out.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawWords(root, scene) {
  const {facts, t, hold, place, layer, measure} = scene;
  const upright = standUpright(facts.tokens, place.cw, measure);
  const y = place.answers - 7;
  for (let k = place.from; k < place.from + place.n; k++) {
    const kind = k === t ? ' hot' : k === hold?.since ? ' second' : '';
    const middle = place.x(k) + place.cw / 2;
    const token = facts.tokens[k];
    const room = Math.min(SLANT_MOST, (place.W - middle - 8) / Math.cos(SLOPE));
    if (upright) {
      textAt(root, middle, y, readable(token), `mid${kind}`, 'middle');
    } else if (MARK.test(token)) {
      textAt(root, middle, y + 7, token, `mark${kind}`, 'middle');
    } else {
      const text = clipped(token, room, measure, font(kind));
      const word = textAt(root, middle + 2, y, text, `mid${kind}`);
      word.setAttribute('transform', `rotate(${-STEEP} ${middle + 2} ${y})`);
    }
  }
  textAt(root, 0, y, layer.reverse ? '← reads' : 'reads →', 'soft');
}
/**
 * A strip of answers for each model that answers, and bars of the right one.
 * @param {Element} root
 * @param {Scene} scene
 */
export function drawAnswers(root, scene) {
  const named = scene.tracks.length > 1;
  scene.tracks.forEach((track, k) => {
    const y = scene.place.tracks[k];
    const seen = seenAnswers(track);
    const room = GUTTER - 6;
    const name = named ? clipped(track.label, room, scene.measure, '700 12px') : 'it answers';
    const kind = named && track.focused ? 'hot' : named ? 'bold' : '';
    textAt(root, 0, y + 13, name, kind);
    drawStrip(root, scene, track, seen, y);
    drawBars(root, scene, track, seen, y + STRIP + 2);
  });
}
// Equal answers side by side are one strip with one label.
function drawStrip(root, {place, measure, scales}, {labels}, seen, y) {
  const {from, n, cw, end} = place;
  for (let first = from, k = from; k < from + n; k++) {
    if (k + 1 < from + n && seen[k + 1].best === seen[k].best) continue;
    const {best} = seen[k];
    const shade = SHADES[best % SHADES.length];
    const width = (k + 1 - first) * cw;
    const x = place.x(first);
    const box = {x: x + 0.5, y, width: width - 1, height: STRIP, rx: 3};
    svg(root, 'rect', {...box, fill: scales.seq.shades[shade]});
    const label = readable(labels[best]);
    const inside = measure(label) <= width - 4;
    first = k + 1;
    if (inside) {
      textAt(root, x + width / 2, y + 13, label, scales.seq.inks[shade], 'middle');
    } else if (first === place.T) {
      textAt(root, end + 4, y + 13, clipped(label, place.W - end, measure, '700 12px'), 'bold');
    }
  }
}
// The height of a bar is how likely the right answer is, or without one that which is given; a
// black line is where it stood before the hold.
function drawBars(root, scene, track, seen, y) {
  const {place, facts, tone, scales} = scene;
  const asks = facts.targets.some(target => target !== null);
  textAt(root, 0, y + 17, asks ? 'p(right)' : 'p(answer)', 'soft');
  const line = {x1: GUTTER, x2: place.end, y1: y + BARS, y2: y + BARS};
  svg(root, 'line', {...line, stroke: tone.rule});
  for (let k = place.from; k < place.from + place.n; k++) {
    const target = facts.targets[k];
    if (asks && target === null) continue;
    const label = asks ? track.labels.indexOf(target) : seen[k].best;
    const wrong = asks && label !== seen[k].best;
    const x = place.x(k) + 0.14 * place.cw;
    const width = 0.72 * place.cw;
    const tall = p => (BARS - 1) * p;
    const p = seen[k].p[label];
    const bar = {x, y: y + BARS - Math.max(1, tall(p)), width, height: Math.max(1, tall(p))};
    svg(root, 'rect', {...bar, fill: wrong ? tone.wrong : scales.seq.shades[28]});
    const was = track.answers[k].p[label];
    if (track.hold && Math.abs(track.answersAfter[k].p[label] - was) > 0.04) {
      const top = y + BARS - tall(was);
      const level = {x1: x - 1, x2: x + width + 1, y1: top, y2: top};
      svg(root, 'line', {...level, stroke: tone.ink, 'stroke-width': 1.5});
    }
    if (wrong) crossed(root, x + width / 2, y + 9, 4, tone);
  }
}
// A cross: what is wrong.
function crossed(parent, x, y, r, tone) {
  const d = `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
  const line = {d, fill: 'none', 'stroke-linecap': 'round'};
  svg(parent, 'path', {...line, stroke: tone.bg, 'stroke-width': 4.5});
  svg(parent, 'path', {...line, class: 'cross', stroke: tone.wrong, 'stroke-width': 2.3});
}
