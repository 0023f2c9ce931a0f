// Where everything stands: the chain, as high as there is room for, below it the equation with the
// trace.

export const STATE_WIDTH = 46;
const PAGE = 440; // pixels of the chain on a page, of the 640 that a cell of a notebook has
const ROW = 13; // pixels of a unit that is written as a number
const STATES = 104; // pixels at least of many units

/**
 * The plan of the panes: the chain, below it the equation, below or beside that the trace.
 * @param {{W: number, facts: Object, steps: number, lanes: boolean, measure: Function,
 * height: number | null, open: boolean}} given the width of the stage, how many steps there are,
 * how wide a text is, pixels that the stage may be high if it fills a screen, whether the equation
 * is open
 */
export function plan({W, facts, steps, lanes, measure, height, open}) {
  const H = facts.units;
  const V = facts.vocabulary.length;
  const left = 128;
  const room = W - left - (W < 760 ? 22 : 44);
  const n = Math.max(1, Math.min(steps, Math.floor(room / (facts.letters ? 104 : 124))));
  const sizes = {W, H, V, n};
  const equation = equationPlan(sizes, measure('= tanh(', '14px'), height === null ? 16 : ROW);
  const trace = tracePlan(sizes, equation);
  const below = open ? equationHeight(equation, trace) : 0;
  const most = height === null ? PAGE : height - below;
  return {
    ...sizes,
    chain: {
      left,
      room,
      ...chainColumns(sizes, left, room),
      ...chainRows(sizes, {letters: facts.letters, strip: steps > n, lanes, most}),
    },
    equation,
    trace,
  };
}
function chainColumns({H, V, n}, left, room) {
  const pitch = Math.min(320, room / n);
  return {
    pitch,
    tight: pitch < 150,
    startX: left - STATE_WIDTH / 2 - 28, // of the state before the first step
    feedWidth: Math.max(12, Math.min(40, 4 * V)), // of W_xh
    readWidth: Math.max(16, Math.min(40, 4 * H)), // of W_hy
  };
}
/** Whether the input is drawn as a vector, and how many answers the output lists. */
function shownOf(V, {letters, strip, lanes}) {
  const few = strip || lanes ? 4 : 6;
  return {oneHot: letters && V <= few, rows: V <= few ? V : Math.min(5, few)};
}
/** What the chain consists of, from the top: [pixels at least, pixels at ease]. */
function partsOf({H, V}, {letters, strip, lanes}) {
  const {oneHot, rows} = shownOf(V, {letters, strip, lanes});
  return {
    strip: strip ? [38, 52] : [0, 0],
    lane: lanes ? [24, 30] : [0, 0], // one above, one below
    label: [25, 29],
    input: oneHot ? [12 * V, 14 * V] : [46, 54],
    feed: [42, 60], // W_xh
    states: [Math.min(ROW * H, STATES), H > 16 ? 288 : 18 * H],
    read: [38, 54], // W_hy
    output: [15 * rows, 18 * rows],
    gap: [13, 16],
    word: [25, 28], // chosen, and target
    between: [3, 6],
  };
}
const totalOf = (parts, k) =>
  Object.values(parts).reduce((sum, part) => sum + part[k], 0) + parts.lane[k] + parts.word[k] + 8;
/** Heights of the parts: what there is beyond the least first gives each unit its number. */
function heightsOf(sizes, given) {
  const parts = partsOf(sizes, given);
  const numbered = ROW * sizes.H;
  const spare = given.most - totalOf(parts, 0);
  if (numbered <= parts.states[0] + spare) parts.states[0] = numbered;
  const [least, ease] = [totalOf(parts, 0), totalOf(parts, 1)];
  const share = Math.max(0, Math.min(1, (given.most - least) / Math.max(1, ease - least)));
  return Object.fromEntries(
    Object.entries(parts).map(([name, [low, high]]) => [
      name,
      Math.floor(low + share * (high - low)),
    ]),
  );
}
function chainRows(sizes, given) {
  const {H, V} = sizes;
  const size = heightsOf(sizes, given);
  const {oneHot, rows} = shownOf(V, given);
  const numbers = size.states >= ROW * H;
  const unitHeight = numbers ? Math.floor(size.states / H) : size.states / H;
  const states = H * unitHeight;
  const top = size.strip + size.lane;
  const inputY = top + size.label;
  const feedY = inputY + size.input + 2;
  const stateY = feedY + size.feed - 2;
  const readY = stateY + states + 2; // W_hy
  const outputY = stateY + states + size.read;
  const chosenY = outputY + size.output + size.gap;
  const targetY = chosenY + size.word + size.between;
  return {
    oneHot,
    rows,
    top,
    inputY,
    inputHeight: size.input,
    feedY,
    stateY,
    unitHeight,
    numbers,
    middleY: stateY + states / 2,
    readY,
    outputY,
    rowHeight: size.output / rows,
    chosenY,
    targetY,
    wordHeight: size.word,
    height: targetY + size.word + 8 + size.lane,
  };
}
function equationPlan({W, H, V}, bracket, most) {
  const small = W < 480;
  const narrow = W < 760;
  const column = small ? 42 : STATE_WIDTH;
  const opening = Math.max(bracket + 12, narrow ? 60 : 70);
  const widest = small
    ? {W_hh: Math.min(80, 144 - opening), W_xh: 36}
    : narrow
      ? {W_hh: 96, W_xh: 60}
      : {W_hh: 128, W_xh: 112};
  const widths = {
    h: column,
    tanh: opening,
    W_hh: Math.min(widest.W_hh, 16 * H),
    before: column,
    plus: small ? 16 : 24,
    W_xh: Math.min(widest.W_xh, 16 * V),
    x: 16,
    bias: small ? 16 : 24,
    b: column,
    close: small ? 10 : 18,
  };
  const y = 36;
  const blocks = {};
  let x = 4;
  for (const [name, width] of Object.entries(widths)) {
    blocks[name] = {x, width};
    x += width + (name.startsWith('W') ? 6 : 0);
  }
  const unitHeight = H > 16 ? 160 / H : Math.max(ROW, Math.min(most, 160 / H));
  const oneHot = V <= 6 ? 14 * V : 0; // pixels
  return {
    y,
    blocks,
    end: x,
    unitHeight,
    numbers: unitHeight >= ROW,
    height: H * unitHeight, // of the blocks
    sumY: y + Math.max(H * unitHeight, oneHot) + 22,
  };
}
function tracePlan({W}, {y, sumY, end, height}) {
  return W - end >= 210
    ? {x: end + 54, y, width: W - end - 84, height: Math.max(80, height)}
    : {x: 30, y: sumY + 56, width: W - 60, height: 120};
}
/** Pixels of the equation with the trace. */
export const equationHeight = ({sumY}, trace) => Math.max(sumY + 20, trace.y + trace.height + 28);
