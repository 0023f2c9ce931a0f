// The sentence over the picture has the same height, whatever it says: a long one is written
// smaller, and what is too long even then is cut.

const STEPS = 10; // sizes between the largest and the smallest
const SMALLEST = {wide: 0.54, narrow: 0.71}; // of the largest: 14 and 12 pixels

/**
 * Gives a sentence the largest type with which it fits its box.
 * @param {HTMLElement} node it reads `--fit`, a share of its largest type, and `--lines`
 * @param {number} width of the view
 */
export function fitHeadline(node, width) {
  const key = JSON.stringify([node.textContent, width, node.clientWidth, node.clientHeight]);
  if (node.dataset.fitted === key) return;
  const least = width > 640 ? SMALLEST.wide : SMALLEST.narrow;
  const fits = fit => {
    node.style.setProperty('--fit', fit.toFixed(3));
    const lines = Math.floor(
      node.clientHeight / parseFloat(getComputedStyle(node).lineHeight) + 0.1,
    );
    node.style.setProperty('--lines', lines);
    return node.scrollHeight <= node.clientHeight + 1;
  };
  for (let k = 0; k <= STEPS && !fits(1 - (k / STEPS) * (1 - least)); k++);
  node.dataset.fitted = key;
}
