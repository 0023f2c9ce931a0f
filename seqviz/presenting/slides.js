// The slides as they stand in the page: what they say of themselves, and how a step shows.
import {all, find} from './nodes.js';
import {fit} from './fitting.js';

/**
 * The deck as numbers: for `moves.js` and `pace.js`.
 * @param {Element} root
 * @returns {{nodes: HTMLElement[], deck: Object[], parts: Object[], total: number}}
 */
export function factsOf(root) {
  const nodes = all('.slide', root);
  const deck = nodes.map(node => ({
    id: node.id,
    steps: +node.dataset.steps,
    options: all('.option', node).length,
    question: find('h1, h2', node).textContent.trim(),
    texts: all('.option .text', node).map(text => text.textContent),
    right: all('.option', node).findIndex(option => option.classList.contains('right')),
    at: +node.dataset.at,
    minutes: +node.dataset.minutes,
    focus: JSON.parse(node.dataset.focus ?? '[]'),
  }));
  const parts = all('.part', root).map(part => ({
    name: find('h3', part).firstChild.textContent.trim(),
    minutes: +part.dataset.minutes,
    first: nodes.indexOf(find('.slide', part)),
    count: all('.slide', part).length,
  }));
  return {nodes, deck, parts, total: parts.reduce((sum, part) => sum + part.minutes, 0)};
}
/** What a slide is called, at a step. */
export function titleOf(node, step) {
  const head = find(':scope > h1, :scope > h2', node);
  const only = find(`[data-at-step="${step}"]`, head);
  return (only ?? head).textContent.trim().replace(/\s+/g, ' ');
}
/**
 * Shows a step of a slide: what is told, which lines are in focus, the headline of the step, the
 * picture of a view that has some; there it stays until the next step, whatever a hand does.
 * @param {HTMLElement} node
 * @param {Object} slide of the deck
 * @param {number} step
 */
export function drawStep(node, slide, step) {
  for (const part of all('[data-told]', node)) {
    part.classList.toggle('later', +part.dataset.told > step);
  }
  for (const part of all('[data-at-step]', node)) {
    part.classList.toggle('later', +part.dataset.atStep !== step);
  }
  const [from, to] = slide.focus[step - 1] ?? [];
  for (const line of all('.body > .code-lines > .line', node)) {
    const lit = +line.dataset.n >= from && +line.dataset.n <= to;
    line.classList.toggle('lit', lit);
    line.classList.toggle('dim', Boolean(from) && !lit);
  }
  const view = find('.picture .seqviz', node);
  if (!view?.toStep || view.dataset.step === String(step)) return;
  view.dataset.step = step;
  view.toStep(step);
}
/** Brings the lines in focus into sight. */
export function scrollToFocus(node) {
  const line = find('.code-lines > .line.lit', node);
  const box = line?.closest('.fits');
  if (box) box.scrollTop = line.offsetTop - box.clientHeight / 4;
}
/**
 * Fits the boxes of a slide, once for a size of the window and once for print.
 * @param {HTMLElement} node
 * @param {string} size
 * @param {boolean} printing
 */
export function fitSlide(node, size, printing) {
  const key = `${size} ${printing} ${node.className}`;
  if (node.dataset.fitted === key) return;
  node.dataset.fitted = key;
  const boxes = all(':scope > .fits, :scope > .whole > .fits, .options .words', node);
  boxes.forEach(box => fit(box, printing));
}
