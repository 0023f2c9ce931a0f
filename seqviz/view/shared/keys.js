// Letters that mean something to every view, wherever its focus is, but where text is written.

const WRITES = 'textarea, select, input:is([type="text"], [type="number"], :not([type]))';

/**
 * Letters that a view takes; with Ctrl, Alt or Meta they stay the page's.
 * @param {Element} root of the view
 * @param {Object<string, () => void>} actions by small letter
 * @param {AbortSignal} signal
 * @param {() => boolean} [alone] whether the view has the screen, so that all keys are for it
 */
export function onTyping(root, actions, signal, alone = () => false) {
  const typed = event => {
    const {target, key, ctrlKey, metaKey, altKey, defaultPrevented} = event;
    const mine = root.contains(target) || alone();
    const action = key.length === 1 && actions[key.toLowerCase()];
    if (!mine || !action || defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (target.closest?.(WRITES)) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', typed, {signal});
}
