// What all views share: nodes, the life of a view, values from the kernel, colours, and tokens as
// people read them.

import {escapeAnywhere, keepPlainKeys, runsTheCell} from './keys.js';
import {openAnyhow, saver} from './opened.js';
import {followText} from './scale.js';
import {lightness, stand} from './surface.js';

// ---- nodes: text goes in as textContent only
/**
 * A new HTML element with attributes and text, under a parent if one is given.
 * @param {Element | null} parent
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {string} [text] goes in as textContent
 * @returns {Element}
 */
export function html(parent, tag, attributes = {}, text) {
  return put(parent, document.createElement(tag), attributes, text);
}
/** The same of an SVG element. */
export function svg(parent, tag, attributes = {}, text) {
  return put(parent, document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, text);
}
/**
 * Sets attributes and text of a node and adds it to a parent.
 * @param {Element | null} parent
 * @param {Element} node
 * @param {Object<string, any>} attributes
 * @param {string} [text]
 * @returns {Element} the node
 */
export function put(parent, node, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent?.appendChild(node);
  return node;
}
/**
 * Writes a sentence, unless it stands there: a live region must not say it again.
 * @param {Element} paragraph
 * @param {(string | {b: string} | {i: string} | {kbd: string})[]} pieces plain, in focus, a token
 */
export function say(paragraph, pieces) {
  const text = pieces
    .map(piece => (typeof piece === 'string' ? piece : Object.values(piece)[0]))
    .join('');
  if (paragraph.textContent === text) return; // a live region must not say it again
  paragraph.replaceChildren(
    ...pieces.map(piece => {
      if (typeof piece === 'string') return document.createTextNode(piece);
      const [tag, text] = Object.entries(piece)[0];
      return html(null, tag, {}, text);
    }),
  );
  paragraph.dispatchEvent(new CustomEvent('said', {bubbles: true}));
}
/**
 * Tells Python what the picture says, but for what is only pointed at. Where nobody is there to
 * hear it, nobody needs it.
 * @param {Element} root
 * @param {Object} model
 * @param {AbortSignal} signal
 */
function report(root, model, signal) {
  const told = ({target}) => {
    if (!target.matches('.say')) return;
    queueMicrotask(() => {
      if (signal.aborted || target.getAttribute('aria-live') === 'off') return;
      model.set('said', target.textContent);
      try {
        model.save_changes();
      } catch {
        // no kernel
      }
    });
  };
  root.addEventListener('said', told, {signal});
}

// ---- one view's life: everything that listens ends with the signal
/**
 * The root of a view, and its life: everything that listens ends with the signal.
 * @param {Element} el where the view goes
 * @param {string} name what `data-view` says
 * @param {string} label what a screen reader says
 * @param {Object} model
 * @returns {{root: Element, signal: AbortSignal, end: () => void}}
 */
export function mount(el, name, label, model) {
  const life = new AbortController();
  const root = html(el, 'div', {
    class: 'seqviz',
    'data-view': name,
    role: 'group',
    'aria-label': label,
  });
  keepPlainKeys(root, life.signal);
  escapeAnywhere(root, life.signal);
  openAnyhow(root, model, life.signal);
  report(root, model, life.signal);
  followText(el, root, life.signal);
  return {
    root,
    signal: life.signal,
    end: () => {
      life.abort();
      root.remove();
    },
  };
}
/**
 * Stands on its host's surface, see surface.js; draws again when that changes.
 * @param {Element} root
 * @param {() => void} redraw
 * @param {AbortSignal} signal
 */
export function followTheme(root, redraw, signal) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const settle = () => {
    const {jpThemeLight: light} = document.body.dataset;
    return stand(root, light ? light === 'false' : undefined, system.matches);
  };
  let now = settle();
  const update = always => {
    const before = now;
    now = settle();
    if (now === before && !always) return;
    requestAnimationFrame(() => {
      if (signal.aborted) return;
      now = settle();
      if (root.clientWidth) redraw(); // Jupyter hides the page for a moment
    });
  };
  const watcher = new MutationObserver(changes =>
    update(changes.some(({attributeName}) => attributeName.startsWith('data-jp'))),
  );
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, {attributes: true, attributeFilter: THEMED});
  }
  system.addEventListener('change', () => update(true), {signal});
  signal.addEventListener('abort', () => watcher.disconnect());
}
// Where hosts say which theme they have.
const THEMED = [
  'data-jp-theme-light',
  'data-jp-theme-name',
  'data-vscode-theme-kind',
  'data-theme',
  'class',
  'style',
];
/**
 * Draws again at a new width, and when the view is zoomed or fills the screen; a hidden view waits
 * until it is shown.
 * @param {Element} node
 * @param {() => void} redraw
 * @param {AbortSignal} signal
 */
export function followSize(node, redraw, signal) {
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    if (width) redraw();
  });
  watcher.observe(node);
  signal.addEventListener('abort', () => watcher.disconnect());
  const resized = () => {
    width = node.clientWidth;
    if (width) redraw();
  };
  node.closest('.seqviz').addEventListener('resized', resized, {signal});
}
/**
 * Keys that a view takes for itself; with Ctrl, Alt or Meta they stay the page's, as what runs a
 * cell does; while signs are composed into a letter they are the composer's.
 * @param {Element} node
 * @param {Object<string, (event: KeyboardEvent) => void>} actions by the name of the key
 * @param {AbortSignal} signal
 */
export function onKeys(node, actions, signal) {
  node.addEventListener(
    'keydown',
    event => {
      const action = actions[event.key];
      const {ctrlKey, metaKey, altKey, isComposing} = event;
      if (!action || ctrlKey || metaKey || altKey || isComposing || runsTheCell(event)) return;
      event.preventDefault();
      event.stopPropagation();
      action(event);
    },
    {signal},
  );
}
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

// ---- values by name, float32 unless `read` says other; what did not come along is asked for once
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
 * @returns {(name: string) => any | Promise<any>}
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
      const {resolvers, came, failed} = asked.get(message.part);
      asked.delete(message.part);
      came?.();
      if (message.problem) return complain(message.problem);
      have.set(message.part, read(buffers[0]));
      save(message.part, buffers[0]);
      if (failed) complain('');
      resolvers.forEach(resolve => resolve(have.get(message.part)));
    },
    signal,
  );
  return name =>
    have.has(name)
      ? have.get(name)
      : new Promise(resolve => {
          const wait = asked.get(name) ?? {resolvers: [], failed: true};
          asked.set(name, wait);
          wait.resolvers.push(resolve);
          if (!wait.failed) return;
          wait.failed = false;
          const failed = text => {
            wait.failed = true;
            complain(text, name);
          };
          wait.came = ask(model, {want: name}, signal, failed, SOON);
        });
}
// ---- the kernel: it may be gone, then Jupyter throws or nothing comes back
const GONE =
  'No answer: this needs a running kernel. Run the cell again, or wait if the kernel is busy.';
// Milliseconds: in which Python hears and what is kept comes, in which what is computed does.
const [SOON, LATE] = [1000, 10000];
/**
 * Sends a message, and complains if nobody hears it, or hears it and sends nothing; a late answer
 * is still taken.
 * @returns {() => void} to be called when the answer is there
 */
export function ask(model, message, signal, complain, patience = LATE) {
  let late = 0;
  const wait = time => {
    clearTimeout(late);
    late = setTimeout(() => complain(GONE), time);
  };
  const hear = ({heard}) => heard && wait(patience);
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

// ---- colour
/**
 * The colours of the theme: scales `seq`, `div`, `cat` as lists, the others by name.
 * @param {Element} root
 * @returns {Object}
 */
export function palette(root) {
  const style = getComputedStyle(root);
  const token = name => style.getPropertyValue('--sv-' + name).trim();
  const tone = Object.fromEntries(
    ['seq', 'div', 'cat'].map(name => [
      name,
      token(name)
        .split(',')
        .map(s => s.trim()),
    ]),
  );
  for (const name of ['bg', 'panel', 'rule', 'ink', 'focus', 'second', 'wrong', 'ring']) {
    tone[name] = token(name);
  }
  return {...tone, soft: token('ink-2')};
}
/**
 * Red, green and blue of `#rrggbb`.
 * @param {string} hex
 * @returns {number[]}
 */
export const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
/**
 * The colour at a share of a scale.
 * @param {string[]} scale
 * @param {number} share from 0 to 1
 * @returns {string} `#rrggbb`
 */
export function ramp(scale, share) {
  const x = Math.max(0, Math.min(1, share)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(x));
  const from = channels(scale[i]);
  const to = channels(scale[i + 1]);
  return (
    '#' +
    from
      .map((v, k) =>
        Math.round(v + (to[k] - v) * (x - i))
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  );
}
/**
 * Black or white, whichever is legible on a colour.
 * @param {string} hex
 * @returns {string}
 */
export const inkOn = hex => (lightness(channels(hex)) > 0.179 ? '#000000' : '#ffffff');
/**
 * A number with a real minus, and none before a zero.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export const signed = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? '−' + text : text;
};
/**
 * A probability: never a round 0 or 1 for one that is not.
 * @param {number} p
 * @returns {string}
 */
export const share = p =>
  p > 0 && p < 0.005 ? '<.01' : p < 1 && p >= 0.995 ? '>.99' : p.toFixed(2).replace(/^0/, '');
// What turns the direction of its neighbours is isolated.
const TURNED = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
/**
 * A token as people read it: white space and control characters (no XML holds those) get a
 * mark, what has no shape of its own gets one, a long one is cut, and what turns the direction of
 * its neighbours is isolated.
 * @param {string} token
 * @param {number} [most] letters
 * @returns {string}
 */
export function readable(token, most = 40) {
  const text =
    token
      .replace(/\n/g, '↵')
      .replace(/\t/g, '⇥')
      .replace(/^ +$/, all => '␣'.repeat(all.length))
      .replace(/[\ufffe\uffff]/g, '\ufffd')
      .replace(/[\x00-\x1f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0))) || '∅';
  if (/^[\p{Cc}\p{Cf}\p{Z}]+$/u.test(text)) {
    return 'U+' + text.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
  }
  const letters = [...(/^\p{M}/u.test(text) ? '◌' + text : text)];
  const short =
    letters.length > most ? letters.slice(0, most - 1).join('') + '…' : letters.join('');
  return TURNED.test(short) ? `\u2068${short}\u2069` : short;
}
/**
 * Texts that grow and shrink must not move what is under the pointer. All are measured at
 * once: each measuring lays the page out.
 * @param {HTMLElement[]} nodes
 * @param {number} width of the view; at another one they begin anew
 */
export function holdHeights(nodes, width) {
  for (const node of nodes) {
    if (node.dataset.width !== String(width)) node.style.minHeight = '';
    node.dataset.width = width;
  }
  const heights = nodes.map(({offsetHeight}) => offsetHeight);
  nodes.forEach((node, i) => {
    node.style.minHeight = `${heights[i]}px`;
  });
}
/**
 * How wide texts are.
 * @param {string} font as CSS writes it
 * @returns {(text: string) => number} pixels
 */
export function measurer(font) {
  const pen = document.createElement('canvas').getContext('2d');
  const known = new Map();
  pen.font = font;
  return text => known.get(text) ?? known.set(text, pen.measureText(text).width).get(text);
}
/**
 * Lines that fit: broken after a space, or in a word that is longer than a line.
 * @param {string} text
 * @param {number} width
 * @param {(text: string) => number} measure
 * @returns {string[]}
 */
export function wrapped(text, width, measure) {
  const lines = [];
  let line = '';
  for (const letter of text) {
    if (line && letter !== ' ' && measure(line + letter) > width) {
      const stop = line.lastIndexOf(' ') + 1 || line.length;
      lines.push(line.slice(0, stop));
      line = line.slice(stop);
    }
    line += letter;
  }
  return [...lines, line];
}
