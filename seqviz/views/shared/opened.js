// A view as a saved notebook opens it: what it showed last is in there, or its first picture is.

const PATIENCE = 1200; // milliseconds, in which a kernel that has a part hands it over
const FIRST_SAID =
  'The notebook was saved without the last picture, so this is the first one: run the cell again.';
const SAVED_MOST = 8e6; // bytes that are saved beside the parts of the first picture

const unmoved = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Saves a part that came later with the notebook, as one of the first; of many the last ones.
 * @param {Object<string, DataView>} first what the model holds from the start
 * @returns {(name: string, bytes: DataView) => void}
 */
export function saver(first) {
  const own = new Set(Object.keys(first));
  let total = 0;
  const leave = name => {
    total -= first[name].byteLength;
    delete first[name];
  };
  return (name, bytes) => {
    if (own.has(name)) return;
    if (name in first) leave(name);
    first[name] = bytes;
    total += bytes.byteLength;
    const others = Object.keys(first).filter(other => other !== name && !own.has(other));
    while (total > SAVED_MOST && others.length) leave(others.shift());
  };
}
/**
 * A view that has nothing to show, as what its controls ask for does not come: they go back to
 * where its first parts are enough; forth again, if the answer does come and nobody touched them.
 * @param {Element} root
 * @param {Object} model whose `start` are the controls of the first parts
 * @param {AbortSignal} signal
 */
export function openAnyhow(root, model, signal) {
  const start = model.get('start') ?? {};
  const names = Object.keys(start);
  if (!names.length) return; // a page that holds all
  const now = () => Object.fromEntries(names.map(name => [name, model.get(name)]));
  const set = controls => names.forEach(name => model.set(name, controls[name]));
  const say = text => {
    root.querySelector('.problem').textContent = text;
  };
  let [timer, last] = [0, null];
  const back = () => {
    last = now();
    if (unmoved(last, start)) return;
    set(start); // one after another: what stood between is asked for, and does not come
    say(FIRST_SAID);
    const asked = () => unmoved(now(), start) && say(FIRST_SAID);
    timer = setTimeout(asked, PATIENCE);
  };
  const forth = message => {
    if (!message.part || !last || !unmoved(now(), start)) return;
    clearTimeout(timer);
    set(last);
    say('');
  };
  const watcher = new MutationObserver(() => {
    if (!last) clearTimeout(timer);
    if (root.dataset.ready) watcher.disconnect();
    else if (!last && root.getAttribute('aria-busy') === 'true') timer = setTimeout(back, PATIENCE);
  });
  watcher.observe(root, {attributes: true, attributeFilter: ['aria-busy', 'data-ready']});
  model.on('msg:custom', forth);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    watcher.disconnect();
    model.off('msg:custom', forth);
  });
}
