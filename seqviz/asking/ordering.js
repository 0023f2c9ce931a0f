// Lines that are put in order: by a click, by keys, by dragging their handle.

import {html} from '../views/shared/nodes.js';
import {judged, laid} from './lines.js';

const HELP =
  'Click a line, or press Enter, to use it or to lay it back. Shift+↑ and Shift+↓ move it.';
const AWAY = 5; // pixels that a hand moves before it drags

/**
 * Lets a reader put the lines of a box in order.
 * @param {Element} box with its puzzle
 */
export function hearLines(box) {
  const puzzle = JSON.parse(box.dataset.puzzle);
  const desk = html(null, 'div', {class: 'sv-desk'});
  const [given, used] = ['Lines', 'Your program'].map(name => listOf(desk, name));
  box.querySelector('.given').replaceWith(desk);
  const help = html(null, 'p', {class: 'sv-help'}, HELP);
  const verdict = html(null, 'p', {class: 'sv-verdict', role: 'status'});
  const check = html(null, 'button', {type: 'button'}, 'Check');
  desk.after(help, check, verdict);
  let program = [];
  function change(line, at, focus = true) {
    program = laid(program, line, at);
    verdict.textContent = '';
    draw();
    if (focus) desk.querySelector(`[data-line="${line}"]`).focus();
  }
  function draw(fault = -1) {
    const left = puzzle.given.filter(line => !program.includes(line));
    drawLines(given, left, puzzle, -1);
    drawLines(used, program, puzzle, fault);
  }
  check.addEventListener('click', () => {
    const {right, line, text} = judged(program, puzzle);
    draw(line);
    const lead = line < 0 ? '' : `Line ${program.indexOf(line) + 1}: `;
    sayMarked(verdict, `${right ? '✓ Right.' : '✗ Not yet.'} ${lead}${text}`);
  });
  desk.addEventListener('click', event => onClick(event, () => program, change));
  desk.addEventListener('keydown', event => onKey(event, () => program, change));
  hearDrags(desk, used, change);
  draw();
}
function listOf(desk, name) {
  const part = html(desk, 'div');
  html(part, 'p', {}, name);
  return html(part, 'ol', {class: 'sv-list', 'aria-label': name});
}
function drawLines(list, lines, {lines: texts}, fault) {
  list.replaceChildren();
  for (const line of lines) {
    const item = html(list, 'li', line === fault ? {class: 'fault'} : {});
    html(item, 'span', {class: 'sv-handle', 'aria-hidden': 'true'}, '⠿');
    const button = html(item, 'button', {type: 'button', 'data-line': line});
    html(button, 'code', {}, texts[line]);
    if (list.ariaLabel === 'Lines') continue;
    html(item, 'button', {type: 'button', 'data-by': -1, 'aria-label': 'up'}, '▲');
    html(item, 'button', {type: 'button', 'data-by': 1, 'aria-label': 'down'}, '▼');
  }
}
const lineIn = item => Number(item.querySelector('[data-line]').dataset.line);

function onClick(event, program, change) {
  const button = event.target.closest('button');
  if (!button) return;
  const line = lineIn(button.closest('li'));
  const at = program().indexOf(line);
  if (button.dataset.by) change(line, within(at + Number(button.dataset.by), program()));
  else change(line, at < 0 ? program().length : -1);
}
const within = (at, program) => Math.max(0, Math.min(at, program.length - 1));

function onKey(event, program, change) {
  const by = {ArrowUp: -1, ArrowDown: 1}[event.key];
  const button = event.target.closest('[data-line]');
  if (!by || !button) return;
  event.preventDefault();
  event.stopPropagation();
  const line = Number(button.dataset.line);
  const at = program().indexOf(line);
  if (event.shiftKey && at >= 0) change(line, within(at + by, program()));
  else if (!event.shiftKey) neighbour(button, by)?.focus();
}
function neighbour(button, by) {
  const all = [...button.closest('.sv-desk').querySelectorAll('[data-line]')];
  return all[all.indexOf(button) + by];
}
// A line follows the hand by its handle; let go outside of both lists it stays where it was.
function hearDrags(desk, used, change) {
  desk.addEventListener('pointerdown', event => {
    if (!event.target.matches('.sv-handle')) return;
    const item = event.target.closest('li');
    const handle = event.target;
    const from = [event.clientX, event.clientY];
    handle.setPointerCapture(event.pointerId);
    const move = ({clientX, clientY}) => {
      const by = [clientX - from[0], clientY - from[1]];
      if (Math.hypot(...by) > AWAY) item.style.translate = `${by[0]}px ${by[1]}px`;
    };
    const drop = ({clientX, clientY, type}) => {
      handle.removeEventListener('pointermove', move);
      const dragged = item.style.translate !== '';
      item.style.translate = '';
      if (dragged && type === 'pointerup') dropped(desk, used, item, clientX, clientY, change);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', drop, {once: true});
    handle.addEventListener('pointercancel', drop, {once: true});
  });
}
function dropped(desk, used, item, x, y, change) {
  const part = [...desk.children].find(one => holds(one, x, y));
  if (!part) return;
  const others = [...used.children].filter(other => other !== item);
  const above = others.filter(other => middleOf(other) < y).length;
  change(lineIn(item), part.contains(used) ? above : -1);
}
function holds(node, x, y) {
  const box = node.getBoundingClientRect();
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}
function middleOf(node) {
  const box = node.getBoundingClientRect();
  return box.top + box.height / 2;
}
/** Writes a text; what stands between backticks is code. */
function sayMarked(node, text) {
  node.replaceChildren(
    ...text.split(/\u0060/).map((part, k) => (k % 2 ? html(null, 'code', {}, part) : part)),
  );
}
