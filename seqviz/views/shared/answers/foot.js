// What stands under a view that answers: what is in the page, and what goes wrong with it.

import {html} from '../nodes.js';

const MEGA = 1e6;

export class Foot {
  /** @param {Element} host the line that page.py wrote stands in there */
  constructor(host) {
    this.line = host.querySelector(':scope > .seqviz-says');
    const style = this.line.getAttribute('style');
    this.problem = html(null, 'p', {class: 'seqviz-problem', role: 'status', style, hidden: ''});
    this.told = '';
    host.append(this.line, this.problem);
  }
  /** Says what is wrong, in place of what was; nothing if the text is empty. */
  tell(text) {
    if (text !== this.told) this.problem.textContent = text && `✗ ${text}`;
    this.problem.hidden = !text;
    this.told = text;
  }
  /**
   * A button that loads what lies beside the page.
   * @param {number} size bytes
   * @param {() => Promise<void>} load
   */
  offer(size, load) {
    const text = `Load the model, ${Math.max(1, Math.round(size / MEGA))} MB`;
    const button = html(null, 'button', {type: 'button'}, text);
    const press = async () => {
      button.disabled = true;
      this.tell('');
      try {
        await load();
      } catch (error) {
        this.tell(`The model was not loaded: ${error.message}.`);
      }
      button.disabled = false;
    };
    button.addEventListener('click', press);
    this.line.append(' ', button);
    this.button = button;
  }
  /** What was offered has come. */
  served() {
    this.button.previousSibling.remove();
    this.button.remove();
  }
}
