// What stands in the stage: the text, the next token with its strip, the tree or side by side.

import {button, segments} from '../shared/controls.js';
import {html} from '../shared/nodes.js';
import {many} from '../shared/texts.js';
import {offersOf} from './absent.js';
import {tokenText} from './sentence.js';

export class Panes {
  /** @param {Object} hands what the buttons do; `live` whether there is a kernel */
  constructor(stage, hands) {
    this.hands = hands;
    this.text = html(stage, 'div', {class: 'text'});
    const panes = html(stage, 'div', {class: 'panes'});
    const next = html(panes, 'div', {class: 'next'});
    this.dist = html(next, 'div', {class: 'dist'});
    this.offers = this.headOf(next);
    this.offers.classList.add('offers');
    this.addDeeds(next);
    this.strip = html(next, 'div', {class: 'strip'});
    this.side = html(panes, 'div', {class: 'side beneath'});
    const head = this.headOf(this.side);
    this.kind = segments(head, '', {tree: 'Tree', lines: 'Side by side'}, value =>
      hands.compare(value === 'lines'),
    );
    this.kind.group.setAttribute('aria-label', 'beside the next token');
    this.again = button(head, 'Other luck', {class: 'again'}, hands.again);
    this.again.disabled = !hands.live;
    if (!hands.live) this.again.title = 'needs a running kernel';
    this.tree = html(this.side, 'div', {class: 'tree'});
    this.lines = html(this.side, 'div', {class: 'lines'});
    this.third = html(panes, 'div', {class: 'third'});
    this.heads = [head, this.headOf(this.third)];
    html(this.heads[1], 'b', {}, 'Side by side, same luck');
  }
  /** A row of controls in the stage: its keys are its own, but letters and Escape. */
  headOf(parent) {
    const row = html(parent, 'div', {class: 'head'});
    const own = key => key.length > 1 && key !== 'Escape';
    row.addEventListener('keydown', event => own(event.key) && event.stopPropagation());
    return row;
  }
  addDeeds(next) {
    const {hands} = this;
    this.deeds = this.headOf(next);
    this.deeds.classList.add('deeds');
    this.fell = html(this.deeds, 'span', {class: 'fell', role: 'status'});
    const deed = (text, key, kind, action) => {
      const node = button(this.deeds, text + ' ', {class: kind}, action);
      html(node, 'kbd', {}, key);
      return node;
    };
    this.take = deed('Take', '⏎', '', hands.take);
    this.sample = deed('Sample', 'S', 'go', hands.sample);
    this.back = deed('Back', '⌫', '', hands.back);
  }
  /** Which panes there are: side by side in place of the tree, or beside it. */
  show(columns, compare) {
    const both = compare && columns === 3;
    this.kind.show(compare ? 'lines' : 'tree');
    this.tree.hidden = compare && !both;
    this.lines.hidden = !compare;
    this.again.hidden = !compare;
    this.third.hidden = !both;
    const home = both ? this.third : this.side;
    if (this.lines.parentElement === home) return;
    home.append(this.lines);
    this.heads[Number(both)].append(this.again);
  }
  /** What the buttons and the texts beside them say. */
  tell(scene, {roll, fell}) {
    const {place, written, kept} = scene;
    const here = fell?.path === written.join(' ') ? fell : null; // what fell elsewhere is over
    this.take.hidden = this.sample.hidden = !place;
    this.take.disabled = Boolean(roll);
    this.back.disabled = !written.length;
    this.fell.textContent = place ? fellText(roll, here, kept, this.hands.live) : '';
    this.offer(scene);
  }
  /** Where nothing is known: ways on that are. */
  offer(scene) {
    const offers = scene.place ? [] : offersOf(scene, this.hands.live);
    const key = JSON.stringify(offers);
    this.offers.hidden = !offers.length;
    if (this.offers.dataset.key === key) return;
    this.offers.dataset.key = key;
    this.offers.replaceChildren();
    for (const {word, path, retry} of offers) {
      if (retry) button(this.offers, 'Try again', {class: 'go'}, this.hands.retry);
      else button(this.offers, tokenText(word, 16), {}, () => this.hands.go(path));
    }
  }
}
function fellText(roll, fell, {n}, live) {
  if (roll && !roll.rests) return `${roll.u.toFixed(3)} …`;
  if (roll) return `${roll.u.toFixed(3)} falls on “${tokenText(roll.word, 12)}”`;
  if (!fell) return '';
  if (fell.word) return `${fell.u.toFixed(3)} fell on “${tokenText(fell.word, 12)}”`;
  return `${fell.u.toFixed(3)} falls far down (of ${many(n)})${live ? '' : ': needs a kernel'}`;
}
