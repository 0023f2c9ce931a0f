// What a film is drawn on.

/** Empties a drawing and gives it a size. */
export function cleared(root, width, height) {
  root.replaceChildren();
  root.setAttribute('viewBox', `0 0 ${width} ${height}`);
}
/** Where a node stands in its parent, in pixels. */
export function placeAt({style}, left, top, width, height) {
  const sizes = Object.entries({left, top, width, height});
  for (const [name, value] of sizes) style[name] = `${value}px`;
}
/**
 * Paints pixels, each enlarged to whole ones of the device; the browser averages what is too many.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8ClampedArray} rgba
 * @param {[number, number]} size of it
 * @param {number} across pixels of the device that the canvas is wide
 */
export function paintPixels(canvas, rgba, [width, height], across) {
  const times = Math.max(1, Math.ceil(across / width));
  const small = new OffscreenCanvas(width, height);
  small.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0);
  canvas.width = width * times;
  canvas.height = height * times;
  const pen = canvas.getContext('2d');
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, canvas.width, canvas.height);
}
