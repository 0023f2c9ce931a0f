// What the views share: plain functions, no import, no export. A view's module is this text, then its own.

// ---- nodes: text goes in as textContent only
function html(parent, tag, attributes = {}, text) {
  return put(parent, document.createElement(tag), attributes, text);
}
function svg(parent, tag, attributes = {}, text) {
  return put(parent, document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, text);
}
function put(parent, node, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent?.appendChild(node);
  return node;
}
// A sentence in pieces: 'plain', {b: 'in focus'}, {i: 'a token'}.
function say(paragraph, pieces) {
  paragraph.replaceChildren(...pieces.map(piece => {
    if (typeof piece === 'string') return document.createTextNode(piece);
    const [tag, text] = Object.entries(piece)[0];
    return html(null, tag, {}, text);
  }));
}

// ---- one view's life: everything that listens ends with the signal
function mount(el, name, label) {
  const life = new AbortController();
  const root = html(el, 'div', {class: 'seqviz', 'data-view': name, role: 'group', 'aria-label': label});
  return {root, signal: life.signal, end: () => { life.abort(); root.remove(); }};
}
// Jupyter's theme comes first, then the system's.
function followTheme(root, redraw, signal) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const update = () => {
    const jupyter = document.body.dataset.jpThemeLight;
    const theme = (jupyter ? jupyter === 'false' : dark.matches) ? 'dark' : 'light';
    const first = root.dataset.theme === undefined;
    root.dataset.theme = theme;
    if (!first) requestAnimationFrame(() => { if (root.clientWidth) redraw(); });  // Jupyter hides the page for a moment
  };
  const watcher = new MutationObserver(update);
  watcher.observe(document.body, {attributes: true, attributeFilter: ['data-jp-theme-light', 'data-jp-theme-name']});
  dark.addEventListener('change', update, {signal});
  signal.addEventListener('abort', () => watcher.disconnect());
  update();
}
// Draws again at a new width; a hidden view waits until it is shown.
function followSize(node, redraw, signal) {
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    if (width) redraw();
  });
  watcher.observe(node);
  signal.addEventListener('abort', () => watcher.disconnect());
}
function onKeys(node, actions, signal) {
  node.addEventListener('keydown', event => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }, {signal});
}
function listen(model, event, action, signal) {
  model.on(event, action);
  signal.addEventListener('abort', () => model.off(event, action));
}

// ---- values: float32 by name; what did not come along is asked for once
function floats(view) {
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}
function supply(model, signal) {
  const have = new Map(Object.entries(model.get('first')).map(([name, bytes]) => [name, floats(bytes)]));
  const asked = new Map();
  listen(model, 'msg:custom', (message, buffers) => {
    if (!asked.has(message.part)) return;
    have.set(message.part, floats(buffers[0]));
    asked.get(message.part).forEach(resolve => resolve(have.get(message.part)));
    asked.delete(message.part);
  }, signal);
  return name => have.has(name) ? have.get(name) : new Promise(resolve => {
    if (asked.has(name)) return asked.get(name).push(resolve);
    asked.set(name, [resolve]);
    model.send({want: name});
  });
}

// ---- colour
function palette(root) {
  const style = getComputedStyle(root), token = name => style.getPropertyValue('--sv-' + name).trim();
  const tone = Object.fromEntries(['seq', 'div', 'cat'].map(name => [name, token(name).split(',').map(s => s.trim())]));
  for (const name of ['bg', 'panel', 'rule', 'ink', 'focus', 'second', 'ring']) tone[name] = token(name);
  return {...tone, soft: token('ink-2')};
}
const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
function ramp(scale, share) {
  const x = Math.max(0, Math.min(1, share)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(x));
  const from = channels(scale[i]), to = channels(scale[i + 1]);
  return '#' + from.map((v, k) => Math.round(v + (to[k] - v) * (x - i)).toString(16).padStart(2, '0')).join('');
}
function inkOn(hex) {
  const linear = channels(hex).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722 > 0.18 ? '#10151c' : '#ffffff';
}
const signed = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? '−' + text : text;
};
// A token as people read it: white space and control characters (no XML holds those) get a mark, a long one is cut.
function shown(token, most = 12) {
  const text = token.replace(/\n/g, '↵').replace(/\t/g, '⇥').replace(/^ $/, '␣').replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[\x00-\x1f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0))) || '∅';
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : text;
}

// ---- export of what is on screen
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'opacity', 'paint-order',
  'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'visibility', 'white-space'];
function picture(root) {
  const stage = root.querySelector('.stage'), tone = palette(root), pad = 16, lead = 44;
  const box = stage.getBoundingClientRect(), width = box.width + 2 * pad, height = box.height + lead + 2 * pad;
  const page = svg(null, 'svg', {xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`});
  svg(page, 'rect', {width, height, fill: tone.bg});
  const sentence = root.querySelector('.say').textContent;
  svg(page, 'title', {}, sentence);
  const fit = Math.min(20, box.width / Math.max(1, [...sentence].length) * 1.9);
  svg(page, 'text', {x: pad, y: pad + 22, fill: tone.ink, 'font-size': fit, 'font-family': getComputedStyle(root).fontFamily}, sentence);
  for (const drawn of stage.querySelectorAll('svg')) {
    const at = drawn.getBoundingClientRect(), copy = drawn.cloneNode(true);
    const originals = [drawn, ...drawn.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((node, k) => {
      const style = getComputedStyle(originals[k]);
      for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
      node.removeAttribute('class');
      node.removeAttribute('style');
    });
    put(page, copy, {x: pad + at.x - box.x, y: pad + lead + at.y - box.y, width: at.width, height: at.height});
  }
  return new XMLSerializer().serializeToString(page);
}
// A cell that a spreadsheet would run as a formula is made text.
function csv(rows) {
  const cell = value => typeof value === 'number' ? value.toFixed(6) : quoted(/^[=+\-@\t\r]/.test(value) ? "'" + value : value);
  const quoted = text => /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  return rows.map(row => row.map(cell).join(',') + '\n').join('');
}
async function raster(source, scale = 2) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([source], {type: 'image/svg+xml'}));
  await image.decode();
  const canvas = html(null, 'canvas', {width: image.width * scale, height: image.height * scale});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}
function save(blob, name) {
  const link = html(null, 'a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
function exportButtons(bar, root, table) {
  const group = html(bar, 'span', {class: 'exports', role: 'group', 'aria-label': 'save what is on screen'});
  const button = (kind, blob) => html(group, 'button', {type: 'button', title: `save as ${kind}`}, kind).addEventListener('click',
    async () => save(await blob(), `${root.dataset.view}.${kind.toLowerCase()}`));
  button('PNG', () => raster(picture(root)));
  button('SVG', () => new Blob([picture(root)], {type: 'image/svg+xml'}));
  button('CSV', () => new Blob([csv(table())], {type: 'text/csv'}));
  root.exported = {svg: () => picture(root), csv: () => csv(table())};
}
