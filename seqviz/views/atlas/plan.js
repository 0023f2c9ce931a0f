// Where the panes stand, and how high they are.

export const NARROW = 660; // pixels of the stage under which the panes stand under one another
const BETWEEN = 18;
export const ROW = 19;

/**
 * @param {number} width of the stage
 * @param {number} height that it may take
 * @param {boolean} one whether one head is open
 * @returns {{narrow: boolean, columns: string, main: {w: number, h: number}, side: {w: number,
 * h: number}}}
 */
export function planOf(width, height, one) {
  if (width < NARROW) {
    const size = {w: width, h: one ? 500 : 390};
    return {narrow: true, columns: '1fr', main: size, side: {w: width, h: 520}};
  }
  const side = one
    ? Math.max(238, Math.min(0.3 * width, 330))
    : Math.max(330, Math.min(0.42 * width, 460));
  const main = width - side - BETWEEN;
  const columns = one ? `${side}px ${main}px` : `${main}px ${side}px`;
  return {narrow: false, columns, main: {w: main, h: height}, side: {w: side, h: height}};
}
