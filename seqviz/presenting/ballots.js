// Votes as they are seen: on the wall how many, and of what only once it is told; at the desk all.
import {all, element, find} from './nodes.js';
import {hintOf} from './votes.js';

const NEXT = {first: 'talk, vote again', talk: 'second vote'};
const percent = (count, sum) => (sum ? `${Math.round((100 * count) / sum)} %` : '');
const several = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** How many have voted in the round that is open. */
export function tallyOf(phase, ballot, phones) {
  const now = ballot.find(({round}) => round === phase);
  if (!now) return '';
  const again = phase === 'second' ? 'second vote · ' : '';
  if (phones !== null) return `${again}${several(now.sum, 'vote')} · ${several(phones, 'phone')}`;
  return again || now.sum
    ? again + several(now.sum, 'vote')
    : `vote with 1 to ${now.counts.length}`;
}
/** Draws the votes of a slide: told, both rounds over each other. */
export function drawVotes(node, phase, ballot) {
  const told = phase === 'told';
  const shown = ballot.filter(({sum}) => told && sum);
  node.classList.toggle('told', told);
  node.classList.toggle('twice', shown.length > 1);
  all('.option', node).forEach((option, k) => {
    const share = r => (shown[r] ? `${(100 * shown[r].counts[k]) / shown[r].sum}%` : '0%');
    option.style.setProperty('--share', share(0));
    option.style.setProperty('--again', share(1));
    const lines = shown.map(({round, counts}) => {
      const line = element('span');
      line.append(element('small', {}, `${round} `), element('b', {}, counts[k]));
      return line;
    });
    find('.count', option).replaceChildren(...lines);
    find('.key', option).textContent = told && option.classList.contains('right') ? '✓' : k + 1;
  });
}
/** Says under a question what comes next, and how many have voted or how long there is to talk. */
export function drawTally(node, phase, says) {
  const words = phase === 'talk' ? 'Talk with your neighbours ' : says;
  find('.tally', node).replaceChildren(words, element('b', {}, phase === 'talk' ? says : ''));
  nameNext(find('.fold', node), phase);
}
function nameNext(button, phase) {
  button.hidden = !NEXT[phase];
  button.firstChild.textContent = `${NEXT[phase]} `;
}
/** Draws all votes for the lecturer, with fields for those that were counted by hand. */
export function drawPanel(box, node, slide, phase, ballot, says) {
  box.hidden = phase === 'wait';
  if (box.hidden) return;
  if (box.dataset.of !== slide.id) {
    find('table', box).replaceChildren(find('.fields', node).content.cloneNode(true));
    box.dataset.of = slide.id;
  }
  ballot.forEach(({hand, counts, sum}, r) => {
    hand.forEach((own, k) => {
      const cell = find('table', box).rows[k + 1].cells[r + 1];
      const field = find('input', cell);
      if (field !== document.activeElement) field.value = own || '';
      cell.lastChild.textContent = sum ? `${counts[k]} · ${percent(counts[k], sum)}` : '';
    });
  });
  const last = ballot.findLast(({sum}) => sum);
  find('.hint', box).textContent = last ? hintOf(last, slide.right) : '';
  find('.says', box).textContent = phase === 'talk' ? `Talk: ${says}` : says;
  nameNext(find('[data-key="v"]', box), phase);
}
