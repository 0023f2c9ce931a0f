// A box that is too full: its type shrinks to the floor, then its lines wrap, then it scrolls. A
// headline shrinks a little to stay in one line.

const FINE = 0.04; // rem
const PRINTED = 0.56; // rem: paper does not scroll

function isFull(box) {
  return box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
}

/**
 * Gives a box the largest type with which its content fits, between its `data-sizes`: the most,
 * the floor and, where one line is wanted, the least for that.
 * @param {HTMLElement} box
 * @param {boolean} printing
 */
export function fit(box, printing) {
  const [most, lowest, single] = box.dataset.sizes.split(' ').map(Number);
  const fits = size => {
    box.style.fontSize = `${size}rem`;
    return !isFull(box);
  };
  box.classList.remove('scrolls', 'wraps');
  box.classList.toggle('single', Boolean(single));
  if (single && !fits(single)) box.classList.remove('single');
  const floor = box.classList.contains('single') ? single : lowest;
  let least = floor;
  let large = most;
  if (fits(most)) return;
  if (!fits(floor)) box.classList.add('wraps');
  if (!fits(floor)) {
    if (!printing || !fits(PRINTED)) {
      box.classList.add('scrolls');
      return;
    }
    least = PRINTED;
    large = floor;
  }
  while (large - least > FINE) {
    const size = (large + least) / 2;
    if (fits(size)) least = size;
    else large = size;
  }
  fits(least);
}
/** The box of a slide that scrolls and has something below its end. */
export function scrollable(slide) {
  const boxes = [...slide.querySelectorAll('.scrolls')].filter(
    box => getComputedStyle(box).visibility === 'visible',
  );
  return boxes.find(box => box.scrollTop + box.clientHeight < box.scrollHeight - 2);
}
