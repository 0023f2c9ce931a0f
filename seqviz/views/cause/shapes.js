// Shapes that the panels are drawn with, as paths.

/** A circle around a point. */
export const circleAt = (x, y, r) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
/** A diamond around a point. */
export const diamondAt = (x, y, r) => `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
/** A straight line. */
export const straight = (x1, y1, x2, y2) => `M${x1} ${y1}L${x2} ${y2}`;
/** A small push button in the picture: a box with a text. */
export function chip(sketch, {x, y, text, on = false, fill = 'ink', live = true}, place, does) {
  const width = sketch.width(text, 12, on ? 700 : 400) + 16;
  const box = {x, y: y - 10, width, height: 20};
  sketch.rect(box, {fill: on ? 'ink' : 'bg', stroke: on ? 'ink' : 'rule', r: 5});
  sketch.text(x + width / 2, y + 4, text, {
    anchor: 'middle',
    weight: on ? 700 : 400,
    fill: on ? 'bg' : live ? fill : 'ink2',
  });
  if (live) sketch.hit(box, place, does);
  return width;
}
