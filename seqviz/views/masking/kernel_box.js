// The box beside the guesses: a second mask and the reader's own sentence, which run the model.

import {tick} from '../shared/controls.js';
import {onKeys} from '../shared/keys.js';
import {html, setText} from '../shared/nodes.js';

const LABEL = 'your own sentence';
const WRITE = 'Tick the box and click a second token, or write a sentence';
const MEANWHILE = 'The picture is the last answer. Single masks work meanwhile.';
const STATES = {
  none: ['○ no kernel', 'Needs a kernel: open this in a running notebook. Single masks need none.'],
  ready: ['● kernel', WRITE],
  waiting: ['◐ the kernel is asked', MEANWHILE],
  running: ['◐ the model runs', MEANWHILE],
  failed: ['▲ no answer', ''],
};
const IN_THE_PAGE = {
  ready: ['● in this page', `The model is in this page. ${WRITE}`],
  waiting: ['◐ the model is asked', MEANWHILE],
};
const BESIDE_THE_PAGE = {
  none: ['○ not loaded', 'Needs the model: load it below. Single masks need none.'],
};
const TWO = 'Two masks, one answer: click the other one for its guesses. Esc frees both.';

export class KernelBox {
  /**
   * @param {Questions} questions
   * @param {{text: string, mask: string}} facts the last text, and what masks a token in it
   * @param {{ask: (text: string) => void, two: (on: boolean) => void}} hands
   */
  constructor(parent, questions, {text, mask}, {ask, two}, signal) {
    Object.assign(this, {questions, mask});
    const box = {class: 'kernel beneath', 'aria-label': 'ask the model'};
    this.form = html(parent, 'form', box);
    const head = html(this.form, 'p', {class: 'head'});
    html(head, 'b', {}, 'Ask the model');
    this.state = html(head, 'span', {role: 'status'});
    this.two = tick(this.form, 'Mask two tokens at once', two);
    const field = {rows: 3, spellcheck: 'false', autocapitalize: 'off', 'aria-label': LABEL};
    this.field = html(this.form, 'textarea', {...field, dir: 'auto', placeholder: LABEL});
    this.field.value = text;
    const line = html(this.form, 'p', {class: 'line'});
    this.steps = html(line, 'span');
    this.button = html(line, 'button', {type: 'submit'}, 'Ask');
    this.run = html(this.form, 'div', {class: 'run'});
    this.told = html(this.form, 'p', {class: 'told', role: 'status'});
    onKeys(this.field, {Enter: () => this.form.requestSubmit()}, signal);
    const frees = ({key, target}) => key === 'Escape' && target !== this.field;
    this.form.addEventListener('keydown', e => frees(e) || e.stopPropagation(), {signal});
    this.form.addEventListener(
      'submit',
      event => {
        event.preventDefault();
        if (questions.busy) questions.drop();
        else if (this.field.value.trim()) ask(this.field.value);
        else this.field.focus();
      },
      {signal},
    );
  }
  /**
   * @param {{two: boolean, second: boolean, unread: string}} now whether two masks are wanted, and
   * are there; what of the sentence the model cannot read
   */
  show({two, second, unread}) {
    const {questions} = this;
    const {state, busy, able, problem, note, steps} = questions;
    const [words, hint] = this.saysOf(state);
    setText(this.state, words);
    this.form.classList.toggle('off', state === 'none');
    this.two.show(two);
    this.two.box.firstChild.disabled = this.field.disabled = !able;
    this.button.disabled = state === 'none';
    this.button.textContent = busy ? 'Stop waiting' : state === 'failed' ? 'Try again' : 'Ask';
    this.steps.textContent = steps?.of ? `${steps.done} of ${steps.of} masks` : '';
    this.run.hidden = !busy;
    this.told.classList.toggle('bad', state === 'failed');
    const text = problem || note || (busy ? hint : second ? TWO : unread || hint);
    if (this.told.textContent !== text) this.told.textContent = text;
  }
  // What the state is called, and what can be done.
  saysOf(state) {
    const {answers, offers} = this.questions.model;
    const [words, hint] =
      (offers && BESIDE_THE_PAGE[state]) || (answers && IN_THE_PAGE[state]) || STATES[state];
    if (state !== 'ready') return [words, hint];
    return [words, `${hint}${this.mask ? `: ${this.mask} in it is guessed.` : ' and ask.'}`];
  }
}
