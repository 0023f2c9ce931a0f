// A sentence that keeps to one line: a long one is written smaller, a longer one in two lines.

const SMALLEST = 0.6;

/**
 * Sets `--fit`, by which the sentence is smaller than `--size`, which the style sheet says.
 * @param {HTMLElement} said with the class `line`
 * @param {Measure} measure
 */
export function fitLine(said, measure) {
  const size = getComputedStyle(said).getPropertyValue('--size').trim();
  const fit = said.clientWidth / measure(said.textContent, `600 ${size}`);
  said.classList.toggle('long', fit < SMALLEST);
  said.style.setProperty('--fit', Math.max(SMALLEST, Math.min(1, fit)).toFixed(3));
}
