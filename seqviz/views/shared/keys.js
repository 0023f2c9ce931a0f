// Which keys are the view's, and letters that mean something to every view, wherever its focus is,
// but where text is written.

const TYPED = 'textarea, input:is([type="text"], [type="number"], :not([type]))';
const WRITES = `select, ${TYPED}`;

/**
 * Letters that a view takes; with Ctrl, Alt or Meta they stay the page's.
 * @param {Element} root of the view
 * @param {Object<string, () => void>} actions by small letter
 * @param {AbortSignal} signal
 * @param {() => boolean} [alone] whether the view has the screen, so that all keys are for it
 */
export function onTyping(root, actions, signal, alone = () => false) {
  const typed = event => {
    const {key, ctrlKey, metaKey, altKey, defaultPrevented} = event;
    const [target] = event.composedPath(); // inside a shadow root too
    const mine = root.contains(target) || alone();
    const action = key.length === 1 && actions[key.toLowerCase()];
    if (!mine || !action || defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (target.closest?.(WRITES)) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', typed, {signal});
}

/**
 * Escape frees from wherever the focus is, as from a slider or a button: the stage hears it. In a
 * text it stays there, in a menu it closes that.
 * @param {Element} root
 * @param {AbortSignal} signal
 */
export function escapeAnywhere(root, signal) {
  const heard = event => {
    const {key, target, ctrlKey, metaKey, altKey, defaultPrevented} = event;
    const stage = root.querySelector('.stage');
    const mine = key === 'Escape' && !defaultPrevented && !ctrlKey && !metaKey && !altKey;
    if (!mine || !stage || target.closest(TYPED)) return;
    const again = new KeyboardEvent('keydown', {key, cancelable: true});
    if (!stage.dispatchEvent(again)) event.preventDefault();
  };
  root.addEventListener('keydown', heard, {signal});
}

const SUPPRESS = 'data-lm-suppress-shortcuts';
const EDIT = /^([acvxyz]|Arrow.+|Home|End|Backspace|Delete|Insert)$/i;

const SHIFTED = '[data-shift-enter]'; // takes Shift and Enter for itself

/**
 * Whether a key runs Jupyter's cell: Shift and Enter do, but where text is written.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export function runsTheCell(event) {
  const [target] = event.composedPath();
  return event.shiftKey && event.key === 'Enter' && !target.closest(`${WRITES}, ${SHIFTED}`);
}

/**
 * Plain keys are the view's, as Jupyter takes them for commands to the cell; with Ctrl, Alt or
 * Meta they are Jupyter's, but for what edits or types a text in a field; so are Shift and Enter,
 * which run the cell.
 * @param {Element} root
 * @param {AbortSignal} signal
 */
export function keepPlainKeys(root, signal) {
  const before = event => {
    const [target] = event.composedPath();
    if (!root.contains(target)) return;
    const {key, ctrlKey, metaKey, altKey, shiftKey} = event;
    const chord = ctrlKey || metaKey || altKey || runsTheCell(event);
    const typed = altKey && key.length === 1;
    const edits = target.closest(WRITES) && (typed || (!shiftKey && EDIT.test(key)));
    root.querySelectorAll(`[${SUPPRESS}]`).forEach(node => node.removeAttribute(SUPPRESS));
    if (!chord || edits) target.setAttribute(SUPPRESS, 'true');
  };
  window.addEventListener('keydown', before, {capture: true, signal}); // before Jupyter hears it
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
