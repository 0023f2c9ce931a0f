// What is asked of the model in Python, one thing at a time: how far it is, and what came of it.

import {ask, listen, needsKernel} from '../shared/kernel.js';

/**
 * `state` is 'none' without a kernel, 'ready', 'waiting' until Python hears, 'running', 'failed'.
 */
export class Questions {
  /** @param {() => void} changed the state is another */
  constructor(model, signal, changed) {
    Object.assign(this, {model, signal, changed});
    this.state = needsKernel(model) ? 'none' : 'ready';
    this.number = 0; // of the last question; others are over
    this.problem = '';
    this.note = ''; // what became of an answer that nobody waits for
    this.steps = null; // {done, of} while it runs
    this.then = null;
    this.came = () => {};
    listen(model, 'msg:custom', message => this.hear(message), signal);
    if (this.able) this.call();
  }
  get able() {
    return this.state === 'ready' || this.state === 'failed';
  }
  get busy() {
    return this.state === 'waiting' || this.state === 'running';
  }
  /** Says that nobody is there before anything is asked, until somebody is. */
  call() {
    const silent = problem => this.become('failed', {problem});
    this.came = ask(this.model, {there: true}, this.signal, silent);
  }
  become(state, more) {
    Object.assign(this, {state, problem: '', note: '', steps: null}, more);
    this.changed();
  }
  /** @param {(message: Object) => string} then takes the answer; returns what is to be said */
  ask(message, then) {
    this.came();
    this.number += 1;
    this.then = then;
    this.become('waiting');
    const failed = problem => this.become('failed', {problem});
    this.came = ask(this.model, {ask: this.number, ...message}, this.signal, failed);
  }
  /** The answer is not waited for any more; the kernel goes on. */
  drop() {
    this.number += 1;
    this.came();
    this.become('ready');
  }
  hear(message) {
    if (message.heard && !this.number && this.state === 'failed') this.become('ready');
    if ((message.asked ?? message.ask) !== this.number) return;
    this.came();
    if (message.problem) this.become('failed', {problem: message.problem});
    else if (message.sentence === undefined) this.become('running', {steps: message});
    else this.become('ready', {note: this.then(message)});
  }
}
