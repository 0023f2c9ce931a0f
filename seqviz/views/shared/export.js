// Export of what is on screen, for every view: PNG, SVG, CSV and HTML.

import {closeBeneath} from './beneath.js';
import {palette} from './colours.js';
import {button} from './controls.js';
import {csv} from './csv.js';
import {fullScreen} from './full_screen.js';
import {ask, listen} from './kernel.js';
import {standForKey} from './key_caps.js';
import {onTyping} from './keys.js';
import {followLink, resetter} from './link.js';
import {menu} from './menu.js';
import {html, put, svg} from './nodes.js';
import {localBox} from './scale.js';
import {measurer, wrapped} from './texts.js';

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'visibility',
  'white-space',
  'image-rendering',
];
// Over the drawing stands the sentence, between the heading and the state of the controls where a
// view says it.
const PAD = 16;
function picture(root, state) {
  const stage = root.querySelector('.stage');
  const tone = palette(root);
  const box = localBox(stage);
  const font = getComputedStyle(root).fontFamily;
  const sentence = root.querySelector('.say').textContent;
  const texts = [
    [root.querySelector('h2')?.textContent, 14, tone.soft],
    [sentence, 18, tone.ink],
    [state, 12, tone.soft],
  ];
  const lines = placedLines(texts, box.width, font);
  const lead = (lines.at(-1)?.y ?? 0) + 20;
  const width = box.width + 2 * PAD;
  const height = box.height + lead + 2 * PAD;
  const page = svg(null, 'svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  svg(page, 'rect', {width, height, fill: tone.bg});
  svg(page, 'title', {}, sentence);
  for (const {line, size, fill, y} of lines) {
    const look = {x: PAD, y: PAD + y - 4, fill, 'font-size': size, 'font-family': font};
    svg(page, 'text', look, line);
  }
  for (const drawn of stage.querySelectorAll('svg, canvas.painted')) {
    if (drawn.getClientRects().length) copyInto(page, drawn, box, PAD + lead);
  }
  return new XMLSerializer().serializeToString(page);
}
// Texts [text, size, fill] in lines of a width, one under another.
function placedLines(texts, width, font) {
  let y = 0;
  return texts
    .filter(([text]) => text)
    .flatMap(([text, size, fill]) =>
      wrapped(text, width, measurer(`${size}px ${font}`)).map(line => {
        y += size + 6;
        return {line, size, fill, y};
      }),
    );
}
// What is drawn in the stage, with its styles, where it stands.
function copyInto(page, drawn, box, top) {
  const at = localBox(drawn);
  const place = {
    x: PAD + at.x - box.x,
    y: top + at.y - box.y,
    width: at.width,
    height: at.height,
  };
  const parent = scrolled(page, drawn, place, box, PAD, top);
  if (drawn.tagName === 'CANVAS') {
    svg(parent, 'image', {...place, href: drawn.toDataURL()});
    return;
  }
  const copy = drawn.cloneNode(true);
  const originals = [drawn, ...drawn.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((node, k) => {
    const style = getComputedStyle(originals[k]);
    for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
    node.removeAttribute('class');
    node.removeAttribute('style');
  });
  put(parent, copy, place);
}
// Of what scrolls, only what is in sight.
function scrolled(page, drawn, place, box, left, top) {
  const fall = drawn.closest('.fall');
  if (!fall) return page;
  const at = localBox(fall);
  const x = left + at.x - box.x;
  const y = top + at.y - box.y;
  Object.assign(place, {x: place.x - x, y: place.y - y});
  return svg(page, 'svg', {x, y, width: at.width, height: at.height});
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
// The page that `to_html` writes: Python or, without a kernel, stub.js makes it. A late one is
// still taken.
function pageSaver({model, signal, complain}, take) {
  let came = null;
  let failed = false;
  listen(
    model,
    'msg:custom',
    (message, buffers) => {
      if (!message.page || !came) return;
      came();
      came = null;
      if (failed) complain('');
      take(new Blob(buffers, {type: 'text/html'}));
    },
    signal,
  );
  return () => {
    if (came && !failed) return;
    came?.();
    failed = false;
    came = ask(model, {page: true}, signal, text => {
      failed = true;
      complain(text);
    });
  };
}
/**
 * What every view offers, beside its title: a menu that saves what is on screen, a reset of its
 * controls, the full screen.
 * @param {Element} row
 * @param {Object} view `root`, `model`, `signal`, `complain`; `controls` gives a reader of each
 * control, see link.js; one that is not to be taken as it stands makes itself ready in `pictured`,
 * around the taking; `numbers` says which ones a CSV has, `beneath` what stands there
 * @param {() => (string | number)[][]} table
 * @param {() => string} [state] the controls in words, for the picture
 */
export function exportButtons(row, view, table, state = () => '') {
  const {root, model, signal, complain, controls, pictured = take => take()} = view;
  const {numbers = 'the numbers', beneath} = view;
  const drawn = () => pictured(() => picture(root, state()));
  const file = kind => `${root.dataset.view}.${kind}`;
  const group = html(row, 'span', {class: 'exports', role: 'group', 'aria-label': 'this view'});
  const look = {type: 'button', class: 'freer', title: 'lets go of what is locked, key Esc'};
  const free = html(group, 'button', look, 'Free');
  standForKey(free, 'Escape');
  if (controls) {
    const back = resetter(model, Object.keys(controls()), complain);
    const reset = () => {
      back();
      root.dispatchEvent(new CustomEvent('reset')); // what is no control may go back, too
    };
    button(group, 'Reset', {title: 'all controls as at the start, key R'}, reset);
    onTyping(root, {r: reset}, signal);
    if (model.kernel === false) followLink(view, signal);
  }
  const savePage = pageSaver(view, page => save(page, file('html')));
  const saved = {
    png: async () => save(await raster(drawn()), file('png')),
    svg: () => save(new Blob([drawn()], {type: 'image/svg+xml'}), file('svg')),
    csv: () => save(new Blob([csv(table())], {type: 'text/csv'}), file('csv')),
  };
  const entries = [
    ['PNG', 'a picture', saved.png],
    ['SVG', 'a drawing', saved.svg],
    ['CSV', numbers, saved.csv],
    ['HTML', 'this page, alive', savePage],
  ];
  menu(group, 'Save', entries, signal);
  fullScreen(group, root, signal);
  closeBeneath(root, beneath, signal);
  root.exported = {svg: drawn, csv: () => csv(table())};
}
