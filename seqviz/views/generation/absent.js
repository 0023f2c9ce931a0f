// A place of which nothing is known: why, and what leads on.

import {freshSheet, textAt} from '../shared/marks.js';
import {SIGNS, wrapped} from '../shared/texts.js';
import {tokenText} from './sentence.js';

const MOST = 6; // ways on

/** Tokens in place of the last one that are known here, likeliest first. */
export function offersOf({places, written, text, problem, known}, live) {
  const before = written.slice(0, -1);
  const place = places.at(-1);
  const ways = Array.from(place.ids, (id, r) => ({word: place.words[r], path: [...before, id]}))
    .filter(({path}) => known(path))
    .slice(0, MOST);
  const retry = live && problem ? [{retry: true, word: text.at(-1).word}] : [];
  return [...retry, ...ways];
}
/** The reason, in the room of the bars. */
export function drawAbsent(node, scene, {dist: W, em, measure}) {
  const {text, problem} = scene;
  const word = tokenText(text.at(-1).word);
  const title = problem ? 'The model stops here' : `After “${word}” nothing is computed`;
  const reason = problem
    ? `${SIGNS.wrong} ${problem}`
    : 'A page without a kernel holds some places only: along the likeliest tokens, and on the way of each method at its first setting. In a notebook the model runs at any place.';
  const lines = wrapped(reason, W - em, words => measure(words, `${em}px`)).slice(0, 8);
  const y = (4.8 + 1.5 * lines.length) * em;
  const root = freshSheet(node, W, y + 0.5 * em);
  textAt(root, 0, 2 * em, title, `title ${problem ? 'wrong' : 'bold'}`);
  lines.forEach((line, k) => textAt(root, 0, (4.2 + 1.5 * k) * em, line, 'text'));
  const next = problem ? 'Take it back, or go another way:' : 'Known in its place are:';
  textAt(root, 0, y, next, 'soft');
}
