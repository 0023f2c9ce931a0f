// Numbers as people read them, and texts cut to their room.

/**
 * A probability with two decimals, three where it is small: never a round 0 or 1 for one that is
 * not.
 * @param {number} p
 * @returns {string}
 */
export function chance(p) {
  if (p > 0 && p < 0.0005) return '<0.001';
  if (p >= 0.995 && p < 1) return '>0.99';
  return p.toFixed(p > 0 && p < 0.0095 ? 3 : 2);
}
/**
 * A share with two decimals, never a round 0 or 1 for one that is not.
 * @param {number} value
 * @returns {string}
 */
export function portion(value) {
  if (value > 0 && value < 0.005) return '<0.01';
  if (value >= 0.995 && value < 1) return '>0.99';
  return value.toFixed(2);
}
/**
 * A count with a comma at the thousands.
 * @param {number} count
 * @returns {string}
 */
export const many = count => count.toLocaleString('en-US');
/**
 * A text, cut where there is no more room.
 * @param {string} text
 * @param {number} room pixels
 * @param {Measure} measure
 * @param {string} [font]
 * @returns {string}
 */
export function cutTo(text, room, measure, font) {
  if (measure(text, font) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && measure(letters.join('') + '…', font) > room) letters.pop();
  return letters.join('') + '…';
}
