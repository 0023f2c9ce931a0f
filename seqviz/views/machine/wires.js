// Depth 1: what goes where: arrows from column to column, from band to band, and the shortcuts
// around each part, which end in a plus.

const ARROW = 'm-4 -3.5 l4 3.5 l-4 3.5';
const LANE = {within: 8, shortcut: 13, wire: 18}; // pixels under a band
const CORNER = 5;
const SHORTCUT = {stroke: 'focus', width: 2.5, alpha: 0.75};
const PLUS = 6; // its radius
const CAPTION = 44; // pixels of a short one, behind which arrow and plus come down

/** @param {Object} all the world of depth 1, and its `sketch` */
export function drawWires({sketch, plan, block, size}) {
  const {columns} = plan;
  columns.forEach((column, k) => {
    const before = columns[k - 1];
    if (!before) return;
    if (before.band !== column.band) drawTurn(sketch, plan, before, column);
    else if (!column.tight) drawArrow(sketch, before, column);
  });
  block.parts.forEach((part, k) => {
    const node = part.before.node;
    const from = columns.find(({place}) => place?.node === node);
    const to = columns.find(({part: own, role}) => own === k && role === 'after');
    if (from && to) drawShortcut({sketch, plan, size}, from, to);
  });
}
function drawArrow(sketch, from, to) {
  const y = to.y + to.height / 2;
  sketch.line(`M${from.x + from.width + 2} ${y} H${to.x - 3} ${ARROW}`);
}
// From the end of a band to the column that begins the next.
function drawTurn(sketch, plan, from, to) {
  const lane = laneUnder(from, LANE.wire);
  const x = to.x + Math.max(CAPTION, to.width - PLUS);
  const start = from.x + from.width / 2;
  const points = [
    [start, from.y + from.height + 2],
    [start, lane],
    [x, lane],
    [x, to.y - (plan.cap > 20 ? 19 : 5)],
  ];
  sketch.line(`${rounded(points)} m-3.5 -4 l3.5 4 l3.5 -4`);
}
function drawShortcut({sketch, plan, size}, from, to) {
  const start = [from.x + from.width / 2, from.y + from.height + 2];
  const two = plan.cap > 20;
  const plus = {
    x: to.x + Math.max(CAPTION - PLUS, to.width - PLUS - 1),
    y: to.y - (two ? 24 : 10),
    r: PLUS,
  };
  sketch.mark('plus', plus);
  if (from.band === to.band) {
    const lane = laneUnder(from, LANE.within);
    const end = to.x + to.width / 2;
    const points = [start, [start[0], lane], [end, lane], [end, to.y + to.height + 3]];
    sketch.line(rounded(points), SHORTCUT);
    return;
  }
  const lane = laneUnder(from, LANE.shortcut);
  const points = [start, [start[0], lane]];
  if (to.band > from.band + 1) {
    const last = plan.bands[to.band - 1];
    const edge = size.width - 1.5;
    points.push([edge, lane], [edge, laneUnder(last, LANE.shortcut)]);
  }
  points.push([plus.x, points.at(-1)[1]], [plus.x, plus.y - PLUS]);
  sketch.line(rounded(points), SHORTCUT);
}
const laneUnder = ({y, height}, lane) => y + height + lane;
/** A path through points with rounded corners. */
function rounded(points) {
  const toward = ([x, y], [to, down]) => {
    const length = Math.hypot(to - x, down - y) || 1;
    const share = Math.min(CORNER, length / 2) / length;
    return `${x + (to - x) * share} ${y + (down - y) * share}`;
  };
  const inner = points.slice(1, -1).map((point, k) => {
    const [before, after] = [points[k], points[k + 2]];
    return `L${toward(point, before)} Q${point.join(' ')} ${toward(point, after)}`;
  });
  return `M${points[0].join(' ')} ${inner.join(' ')} L${points.at(-1).join(' ')}`;
}
