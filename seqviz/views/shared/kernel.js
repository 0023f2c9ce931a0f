// The model that Python holds: its controls, its parts, what it is asked. The kernel may be gone:
// then Jupyter throws, or nothing comes back.

import {saver} from './opened.js';

const GONE =
  'No answer: this needs a running kernel. Run the cell again, or wait if the kernel is busy.';
/** What is said when the model in a page has not answered yet. */
export const SLOW = 'No answer yet: the model runs in this page, and takes long.';
// Milliseconds: in which Python hears and what is kept comes, in which what is computed does.
const [SOON, LATE] = [1000, 10000];
/**
 * Whether nobody answers: in a page without a kernel, and without a model of its own.
 * @param {Object} model
 * @returns {boolean}
 */
export const needsKernel = model => model.kernel === false && !model.answers;
/** What is said of a control that nobody answers: the model may lie beside the page. */
export const lackOf = model =>
  model.offers ? 'needs the model: load it below' : 'needs a running kernel';
/**
 * Hears an event of the model until the signal ends it.
 * @param {Object} model
 * @param {string} event
 * @param {Function} action
 * @param {AbortSignal} signal
 */
export function listen(model, event, action, signal) {
  model.on(event, action);
  signal.addEventListener('abort', () => model.off(event, action));
}
function floats(view) {
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}
/**
 * Values by name; what did not come along is asked for once.
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {(problem: string, name?: string) => void} complain is told why a part does not come, and
 * which one; a late one is taken
 * @param {(view: DataView) => any} [read] makes values of bytes, float32 if nothing else is said
 * @returns {(name: string, patience?: number) => any | Promise<any>} `patience` in milliseconds
 */
export function supply(model, signal, complain, read = floats) {
  const have = new Map(
    Object.entries(model.get('first')).map(([name, bytes]) => [name, read(bytes)]),
  );
  const asked = new Map();
  const save = saver(model.get('first'));
  listen(
    model,
    'msg:custom',
    (message, buffers) => {
      if (!asked.has(message.part)) return;
      const {resolvers, came, told} = asked.get(message.part);
      asked.delete(message.part);
      came?.();
      if (!buffers?.length) return complain(message.problem ?? '');
      have.set(message.part, read(buffers[0]));
      save(message.part, buffers[0]);
      if (told) complain('');
      resolvers.forEach(resolve => resolve(have.get(message.part)));
    },
    signal,
  );
  return (name, patience = model.answers ? LATE : SOON) =>
    have.has(name)
      ? have.get(name)
      : new Promise(resolve => {
          const wait = asked.get(name) ?? {resolvers: [], failed: true};
          asked.set(name, wait);
          wait.resolvers.push(resolve);
          if (!wait.failed) return;
          wait.failed = false;
          const failed = text => {
            wait.failed = wait.told = true;
            complain(text, name);
          };
          wait.came = ask(model, {want: name}, signal, failed, patience);
        });
}
/**
 * Sends a message, and complains if nobody hears it, or hears it and sends nothing; a late answer
 * is still taken.
 * @returns {() => void} to be called when the answer is there
 */
export function ask(model, message, signal, complain, patience = LATE) {
  let late = 0;
  const wait = time => {
    clearTimeout(late);
    late = setTimeout(() => complain(model.answers ? SLOW : GONE), time);
  };
  // Whether somebody is there is answered by that. Who left as this came is told still, by Jupyter.
  const hear = ({heard}) => {
    if (!heard || late === null) return;
    if (message.there) came();
    else wait(patience);
  };
  const came = () => {
    if (late === null) return;
    clearTimeout(late);
    late = null;
    model.off('msg:custom', hear);
    signal.removeEventListener('abort', came);
  };
  signal.addEventListener('abort', came);
  model.on('msg:custom', hear);
  wait(SOON);
  try {
    model.send(message);
  } catch (error) {
    came();
    complain(`${GONE} (${error.message})`);
  }
  return came;
}
/**
 * Writes traits of the model.
 * @param {Object} model
 * @param {Object<string, any>} changes
 * @param {(problem: string) => void} complain
 */
export function keep(model, changes, complain) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  try {
    model.save_changes();
  } catch (error) {
    complain(`Python does not hear this: that needs a running kernel. (${error.message})`);
  }
}
/**
 * What a view writes itself it does not hear; what others write it does.
 * @param {Object} model
 * @param {AbortSignal} signal
 * @param {(problem: string) => void} complain
 * @returns {{write: (changes: Object) => void,
 * hear: (names: string[], action: () => void) => void}}
 */
export function dialogue(model, signal, complain) {
  let own = false;
  return {
    write(changes) {
      own = true;
      try {
        keep(model, changes, complain);
      } finally {
        own = false;
      }
    },
    hear(names, action) {
      for (const name of names) listen(model, 'change:' + name, () => own || action(), signal);
    },
  };
}
