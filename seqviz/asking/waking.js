// What is asked, in a page or in a cell, wakes up: choices are kept, lines can be moved.

import {KEPT, PREDICTIONS, predictions} from './choices.js';
import {memoryOf} from './memory.js';
import {hearLines} from './ordering.js';
import {hearAnswer, hearPrediction} from './questions.js';
import {drawRecap} from './recap.js';

/** Where the questions that come back lie in the browser's store. */
export const RETURNING = 'seqviz questions';
/** What this browser keeps of them. */
export const returning = memoryOf(RETURNING);

/**
 * Wakes all that is asked under a node.
 * @param {Element} root
 * @param {(box: Element, told: string) => void} tell what was predicted, and what it is
 * @returns {() => void} what ends it
 */
export function wake(root, tell = () => {}) {
  root.querySelectorAll('.sv-order').forEach(hearLines);
  root
    .querySelectorAll('.sv-again .sv-ask[data-question]')
    .forEach(box => hearAnswer(box, returning));
  const asked = [...root.querySelectorAll('.sv-ask[data-question]:not(.sv-order, .sv-again *)')];
  const marks = asked.map(box => hearPrediction(box, predictions, told => tell(box, told)));
  const recaps = [...root.querySelectorAll('.sv-recap')].map(place => () => {
    drawRecap(place, predictions, place.dataset.names?.split(' ') ?? null);
  });
  const draw = () => [...marks, ...recaps].forEach(one => one());
  const ended = new AbortController();
  const {signal} = ended;
  document.addEventListener(KEPT, draw, {signal});
  const fromOtherTab = ({key}) => (key === PREDICTIONS || key === null) && draw();
  addEventListener('storage', fromOtherTab, {signal});
  draw();
  return () => ended.abort();
}
