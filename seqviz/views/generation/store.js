// Places and runs by name: in the page, from the kernel, or nowhere.

import {unpacked} from '../shared/codec.js';
import {listen, needsKernel, supply} from '../shared/kernel.js';
import {placeName, runName} from './names.js';
import {placeOf} from './parts.js';

const SETTLED = 180; // milliseconds after which what is only pointed at is asked for

export class Store {
  /** @param {() => void} changed something came, or failed */
  constructor(model, signal, complain, changed) {
    const facts = model.get('facts');
    Object.assign(this, {model, facts, signal, changed, live: !needsKernel(model)});
    this.known = new Set([
      ...['places', 'runs'].flatMap(name => facts[name]),
      ...Object.keys(model.get('first')),
    ]);
    this.failed = new Map(Object.entries(facts.stopped)); // name: why
    this.made = new Map();
    this.wanted = new Set(); // what is asked for when all has settled
    this.writing = ''; // the run that the kernel is at
    this.timer = 0;
    listen(model, 'msg:custom', message => this.hear(message), signal);
    this.get = supply(
      model,
      signal,
      (text, name) => this.told.has(text) || this.ahead.has(name) || complain(text),
      view => view,
    );
    this.told = new Set(); // what is said in its place
    this.ahead = new Set(); // places that may stay away: a look ahead
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }
  hear({part, problem}) {
    if (part === this.writing) this.writing = '';
    if (!problem || part === undefined) return;
    this.failed.set(part, problem);
    this.told.add(problem);
    setTimeout(() => this.signal.aborted || this.changed());
  }
  can(name) {
    return !this.failed.has(name) && (this.live || this.known.has(name));
  }
  /** What `make` gives for a part; null while it is under way or where it cannot come. */
  part(name, make) {
    if (this.made.has(name)) return this.made.get(name);
    if (!this.can(name)) return null;
    const view = this.get(name);
    if (view instanceof Promise) {
      view.then(() => this.signal.aborted || this.changed());
      return null;
    }
    this.made.set(name, make(view));
    return this.made.get(name);
  }
  /** The same, with a promise while it is under way. */
  fetch(name, make) {
    if (!this.can(name)) return null;
    const made = this.part(name, make);
    return made ?? this.get(name).then(() => this.part(name, make));
  }
  /** The same, but the kernel is asked only when nothing has changed for a moment. */
  later(name, make) {
    if (this.made.has(name) || !this.live || this.known.has(name)) return this.part(name, make);
    if (this.can(name)) this.wanted.add([name, make]);
    return null;
  }
  /** All that the last drawing wanted, once it has settled. */
  settle() {
    clearTimeout(this.timer);
    const wanted = [...this.wanted];
    this.wanted.clear();
    if (!wanted.length) return;
    this.timer = setTimeout(() => {
      const came = wanted.map(([name, make]) => this.turn(name, make));
      if (came.some(Boolean)) this.changed();
    }, SETTLED);
  }
  /** One run at a time: a kernel that writes run after run keeps a click waiting. */
  turn(name, make) {
    if (make === placeOf) return this.part(name, make);
    if (this.writing) return null;
    const made = this.part(name, make);
    if (!made) this.writing = name;
    return made;
  }
  /** Nothing more is asked for: what is on screen is over. */
  rest() {
    clearTimeout(this.timer);
    this.wanted.clear();
  }
  place(path) {
    this.ahead.delete(placeName(path));
    return this.part(placeName(path), placeOf);
  }
  placeLater(path) {
    if (!this.made.has(placeName(path))) this.ahead.add(placeName(path));
    return this.later(placeName(path), placeOf);
  }
  get prompt() {
    return this.part('prompt', unpacked);
  }
  run(draw, path, length = this.facts.steps) {
    return this.part(runName(draw, path, length), unpacked);
  }
  runLater(draw, path) {
    return this.later(runName(draw, path, this.facts.steps), unpacked);
  }
  /** Why there is nothing at a place; empty where it can come. */
  problem(path) {
    return this.failed.get(placeName(path)) ?? '';
  }
  again(path) {
    this.failed.delete(placeName(path));
    this.changed();
  }
}
