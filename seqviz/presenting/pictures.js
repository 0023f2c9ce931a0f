// Views and figures, as large as their slides let them be.
import {all, find} from './nodes.js';

const TEXT = 14; // pixels: a view's own text
const WIDE = 840; // pixels: a view that fills a slide, in its own text
const ROUNDS = 4;
const LATE = 600; // frames

const frames = async count => {
  for (let k = 0; k < count; k++) await new Promise(requestAnimationFrame);
};
const overflow = box => box.scrollHeight / box.clientHeight;
let latest = 0;

/**
 * Gives each view the largest text with which it fits its slide; one that never fits scrolls.
 * A view takes the size of text from its surroundings and draws itself anew, some frames later.
 * @param {Element} root
 */
export async function fitViews(root) {
  const run = ++latest;
  const boxes = all('.picture', root).filter(box => find('.seqviz-page', box));
  const drawn = () => boxes.every(box => find('.seqviz[data-ready="true"]', box));
  const sizes = new Map(boxes.map(box => [box, Math.max(1, box.clientWidth / WIDE)]));
  for (const [box, size] of sizes) enlarge(box, size);
  for (let k = 0; k < LATE && !drawn(); k++) await frames(1);
  for (let round = 0; round < ROUNDS; round++) {
    await frames(4);
    if (run !== latest) return; // the window has another size by now
    for (const box of boxes.filter(one => overflow(one) > 1.005)) {
      sizes.set(box, Math.max(1, sizes.get(box) / Math.min(overflow(box), 1.25)));
      enlarge(box, sizes.get(box));
    }
  }
  await frames(4);
  for (const box of boxes) box.classList.toggle('scrolls', overflow(box) > 1.005);
}
function enlarge(box, size) {
  box.style.setProperty('--jp-content-font-size1', `${(size * TEXT).toFixed(2)}px`);
}
/** On paper nothing scrolls: what is too high is drawn smaller. */
export function shrinkForPaper(root, printing) {
  for (const box of all('.picture.scrolls', root)) {
    box.scrollTop = 0;
    const page = find('.seqviz-page', box);
    page.style.transformOrigin = '0 0';
    page.style.transform = printing ? `scale(${0.99 / overflow(box)})` : '';
  }
}
/**
 * Draws the figures of plotly, with type for a hall.
 * @param {Element} root
 * @param {number} rem pixels
 */
export function drawFigures(root, rem) {
  for (const host of all('.plotly-figure', root)) {
    const {data, layout} = JSON.parse(find('script', host).textContent);
    const rest = {...layout, autosize: true, font: {...layout.font, size: 1.17 * rem}};
    delete rest.title; // it is the slide's headline
    delete rest.width;
    delete rest.height;
    for (const axis of ['xaxis', 'yaxis']) rest[axis] = {...rest[axis], automargin: true};
    globalThis.Plotly.react(host, data, rest, {displayModeBar: false, displaylogo: false});
  }
}
