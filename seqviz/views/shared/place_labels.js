// Names beside marks: the most important first, none over another. One that must be there moves
// away and gets a leader; any other that finds no place waits for the pointer.

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
// Boxes around a mark in the order in which they are tried: [left, top, right, bottom, away].
function around({x, y, r, above, must}, w, h) {
  const box = (dx, dy, away) => [x + dx, y + dy, x + dx + w, y + dy + h, away];
  const gap = r + 3;
  const slant = 0.6 * gap;
  const places = [
    [gap, -h / 2],
    [-gap - w, -h / 2],
    [-w / 2, -gap - h],
    [-w / 2, gap],
    [slant, -h - 0.5 * gap],
    [slant, 0.5 * gap],
    [-w - slant, -h - 0.5 * gap],
    [-w - slant, 0.5 * gap],
  ].map(([dx, dy]) => box(dx, dy, 0));
  if (above) places.unshift(box(-w / 2, -gap - h, 0));
  for (let k = 0; must && k < 72; k++) {
    const away = 1 + Math.floor(k / 12);
    const turn = (k * Math.PI) / 6;
    const apart = gap + h * (0.8 * away - 0.1);
    places.push(
      box(Math.cos(turn) * (apart + w / 2) - w / 2, Math.sin(turn) * apart - h / 2, away),
    );
  }
  return places;
}
/**
 * @param {Object[]} wanted each with `x`, `y`, `r` of its mark, `text`, `font`, `height`, `must`;
 * perhaps `shorter` texts, for where the whole one finds no place
 * @param {number[][]} taken boxes [left, top, right, bottom, price of covering it]
 * @param {{left: number, right: number, top: number, bottom: number}} frame
 * @returns {Object[]} those that found a place, with `box` and `leader`, a point or null
 */
export function placeLabels(wanted, taken, frame, measure) {
  const boxes = [...taken];
  const price = box => boxes.reduce((sum, other) => sum + (overlap(box, other) ? other[4] : 0), 0);
  const inside = ([x0, y0, x1, y1]) =>
    x0 >= frame.left + 2 && x1 <= frame.right - 2 && y0 >= frame.top + 2 && y1 <= frame.bottom - 2;
  return wanted.flatMap(label => {
    const {x, y, must, shorter = []} = label;
    const cost = place => price(place) + 2.5 * place[4];
    const tries = [label.text, ...shorter].map(text => {
      const places = around(label, measure(text, label.font), label.height).filter(inside);
      const best = places.reduce((a, b) => (a && cost(a) <= cost(b) ? a : b), null);
      return {text, best};
    });
    const fits = tries.find(({best}) => best && price(best) === 0);
    const {text, best} = fits ?? tries.findLast(one => one.best) ?? tries[0];
    if (!best || (!must && cost(best) > 0)) return [];
    const [x0, y0, x1, y1, away] = best;
    boxes.push([x0, y0, x1, y1, 10]);
    const edge = [Math.max(x0, Math.min(x1, x)), Math.max(y0, Math.min(y1, y))];
    const leader = away > 0 && !label.above ? edge : null;
    return [{...label, text, box: [x0, y0, x1, y1], leader}];
  });
}
