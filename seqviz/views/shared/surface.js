// What a view stands on: its host's surface where all its text can be read there, else its own.

const TEXTS = ['ink', 'ink-2', 'focus', 'second', 'wrong'];
const LEGIBLE = 4.5; // the least contrast of a text
const HALFWAY = 0.179; // black and white stand out alike

/**
 * How light a colour is, as WCAG counts it.
 * @param {number[]} rgb each from 0 to 255
 * @returns {number} from 0 to 1
 */
export function lightness(rgb) {
  const [r, g, b] = rgb.map(v =>
    (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4,
  );
  return r * 0.2126 + g * 0.7152 + b * 0.0722;
}
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
/** What is seen of CSS colours over one another: red, green, blue, and how opaque. */
function colourOf(colours) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  for (const colour of colours) {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  }
  return [...pen.getImageData(0, 0, 1, 1).data];
}
/** The colour under a view: of the first opaque background from it up; null if there is none. */
function groundOf(root) {
  for (let node = root; node; node = node.parentElement ?? node.getRootNode().host) {
    const {backgroundColor} = getComputedStyle(node);
    if (colourOf([backgroundColor])[3] === 255) return backgroundColor;
  }
  return null;
}
/**
 * Sets `data-theme` as Jupyter says, else as the host's surface is, else as the system is; and
 * `data-surface="own"` where not all text could be read on the host's. Jupyter is believed: it
 * tells its theme before its colours are there.
 * @param {Element} root
 * @param {boolean | undefined} told whether Jupyter's theme is dark, if it says that
 * @param {boolean} system whether the system's is
 * @returns {string} changes when the view must be drawn anew
 */
export function stand(root, told, system) {
  const {dataset} = root;
  delete dataset.surface;
  dataset.theme = (told ?? system) ? 'dark' : 'light';
  if (told !== undefined) return dataset.theme;
  const ground = groundOf(root);
  if (ground) {
    dataset.theme = lightness(colourOf([ground]).slice(0, 3)) < HALFWAY ? 'dark' : 'light';
  }
  const style = getComputedStyle(root);
  const token = key => style.getPropertyValue('--sv-' + key).trim();
  const seen = colours => lightness(colourOf(colours).slice(0, 3));
  const paper = groundOf(root) ?? token('bg');
  const panel = [paper, token('panel')]; // of controls
  const pairs = [...TEXTS.map(key => [[paper], token(key)]), [panel, token('ink')]];
  const legible = pairs.every(
    ([below, text]) => contrast(seen(below), seen([...below, text])) >= LEGIBLE,
  );
  if (!legible) dataset.surface = 'own';
  return [dataset.theme, legible, ...['bg', 'panel', ...TEXTS].map(token)].join();
}
