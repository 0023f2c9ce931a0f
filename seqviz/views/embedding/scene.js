// The map of words and the list beside it, as numbers and strings.

import {cutTo, readable, SIGNS} from '../shared/texts.js';
import {closer, extent, lens} from './camera.js';
import {placeLabels} from '../shared/place_labels.js';
import {LETTERS, quoted} from './sentence.js';

/**
 * @typedef {Object} MapState
 * @property {number} focus the word that is locked, or the one to begin with
 * @property {boolean} locked
 * @property {{pane: string, id: number} | null} over what is previewed, on the map or in the list
 * @property {boolean} zoom
 */
/**
 * @typedef {Object} Size pixels
 * @property {number} u one em
 * @property {number} W of the map
 * @property {number} H of both panes
 * @property {number} side width of the list
 * @property {Measure} measure
 */

export const fontOf = {
  small: u => `${Math.max(12, 0.857 * u)}px`,
  text: u => `${u}px`,
  name: u => `${1.071 * u}px`,
  title: u => `${1.214 * u}px`,
};
const bold = font => `700 ${font}`;
const heightOf = font => parseFloat(font.replace(/^700 /, '')) * 1.1;
const textOf = (lexicon, id, most = LETTERS) => readable(lexicon.words[id], most);
const SHORTER = [12, 7]; // letters of a word whose name would lie over another

// ---- what is asked, and what is seen of it
/** The word whose neighbours are listed: what the pointer is over, as long as none is locked. */
export function shownWord(lexicon, {focus, locked, over}) {
  const free = !locked && over?.pane === 'map' && lexicon.ten(over.id);
  return free ? over.id : focus;
}
/** The word that it is compared with, null if none is. */
export function comparedWord(lexicon, state, sum) {
  const {focus, locked, over} = state;
  if (!over) return null;
  if (sum) return over.id;
  if (over.pane === 'list') return over.id;
  if (locked && over.id !== focus) return over.id;
  return null;
}
function comparison(lexicon, me, id, sum) {
  if (id === null) return null;
  const word = lexicon.words[id];
  if (sum) return {id, word, cos: sum.rows.find(row => row.id === id)?.cos ?? null};
  const nearer = lexicon.nearer(me, id);
  const cos = lexicon.cosine(me, id);
  const looksNear = nearer < lexicon.far;
  const isNear = cos !== null && lexicon.isNear(me, id);
  return {id, word, cos, nearer, looksNear, isNear};
}
function wordRows(lexicon, me, other) {
  const rows = lexicon.ten(me).map(({id, cos}, k) => ({id, cos, rank: k + 1}));
  if (other && !rows.some(row => row.id === other.id)) {
    rows.push({id: other.id, cos: other.cos, rank: null});
  }
  return rows.map(row => {
    const nearer = lexicon.nearer(me, row.id);
    const far = nearer >= lexicon.far;
    const note = far ? `${nearer} nearer` : row.rank ? 'close' : 'looks near';
    const loud = far || !row.rank;
    const mine = row.id === other?.id;
    return {...row, text: lexicon.words[row.id], nearer, far, note, loud, mine};
  });
}
function sumRows(lexicon, sum, other) {
  return sum.rows.map(({id, rank, cos}) => {
    const input = rank === 0;
    const right = id === sum.expected;
    const wrong = rank === 1 && sum.expected !== null && !right;
    const verdict = right ? `${SIGNS.right} expected` : wrong ? `${SIGNS.wrong} wrong` : '';
    const note = input ? 'left out' : verdict;
    const row = {id, cos, rank: rank || null, input, right, wrong, note, loud: right || wrong};
    return {...row, text: lexicon.words[id], far: false, mine: id === other?.id};
  });
}

// ---- where the camera goes
/** The fourth corner of the parallelogram: exact, as the plane is linear. */
const fourth = (lexicon, [plus, minus, added]) =>
  [0, 1].map(k => lexicon.points[plus][k] - lexicon.points[minus][k] + lexicon.points[added][k]);
/** The part of the plane that is to be seen: all of it, or what is locked or asked. */
export function cameraOf(lexicon, {focus, locked, zoom}, sum) {
  const known = lexicon.points.slice(0, lexicon.walk);
  const whole = extent(known);
  if (!zoom || !(sum || locked)) return whole;
  const at = id => lexicon.points[id];
  if (sum) {
    const points = [...sum.rows.map(row => at(row.id)), ...sum.inputs.map(at)];
    return closer([...points, fourth(lexicon, sum.inputs)], whole);
  }
  return closer([focus, ...lexicon.ten(focus).map(({id}) => id)].map(at), whole);
}

// ---- the picture
/**
 * @param {Object} given `facts`, `lexicon`, `sum` (null if none is asked), `state`, `size`, the
 * `camera` and whether it is `moving`
 */
export function mapScene({facts, lexicon, sum, state, size, camera, moving}) {
  const {u, W, H} = size;
  const me = sum ? null : shownWord(lexicon, state);
  const other = comparison(lexicon, me, comparedWord(lexicon, state, sum), sum);
  const rows = sum ? sumRows(lexicon, sum, other) : wordRows(lexicon, me, other);
  const frame = {left: 0, right: W, top: 1.8 * u, bottom: H - 1.6 * u};
  const view = lens(camera, frame, 1.6 * u);
  const accent = sum || me === state.focus ? 'b' : 'em';
  const scene = {
    sum,
    word: sum ? null : lexicon.words[me],
    texts: sum ? sum.inputs.map(id => lexicon.words[id]) : [],
    main: sum ? sum.inputs : [me],
    accent,
    other,
    rows,
    size,
    frame,
    view,
  };
  const marks = marksOf(scene, lexicon, facts);
  const labels = labelsOf(scene, lexicon, facts, marks, moving);
  const boxes = new Map(labels.map(label => [label.id, label.box]));
  return {
    ...scene,
    marks,
    labels,
    rays: sum ? [] : raysOf(scene, lexicon),
    square: sum ? squareOf(scene, lexicon) : null,
    rings: ringsOf(scene, lexicon),
    legend: legendOf(facts, size),
    axes: facts.shares.map((share, k) => axisOf(share, k, size.W)),
    hits: marks.map(({id, x, y}) => ({id, x, y, box: boxes.get(id)})),
    heads: headsOf(scene, facts),
    note: noteOf(scene, facts),
  };
}
const BOTH_AXES = 440; // pixels that both names of the axes take, whole
const axisOf = (share, k, W) =>
  `direction ${k + 1}, ${(100 * share).toFixed(0)}\u00a0%${W < BOTH_AXES ? '' : ' of the variance'}`;

/** The mark of a word: its shape, or a ring for a guest. */
function markOf(lexicon, id) {
  return lexicon.onMap(id) ? lexicon.groups[id] : 'guest';
}
function marksOf({main, rows, other, view}, lexicon, facts) {
  const stars = new Set([...main, ...rows.map(row => row.id), ...(other ? [other.id] : [])]);
  const own = Array.from({length: facts.shown}, (_, k) => k).filter(k => !stars.has(k));
  return [...own, ...stars]
    .map(id => {
      const [x, y] = view.at(lexicon.points[id]);
      const star = stars.has(id);
      return {id, x, y, kind: markOf(lexicon, id), star, large: main.includes(id)};
    })
    .filter(({x, y}) => view.sees([x, y]));
}
const toneOf = ({main, accent, other, rows}, id) => {
  if (main.includes(id)) return accent;
  if (id === other?.id) return 'em';
  return rows.find(row => row.id === id)?.wrong ? 'u' : 'strong';
};
function labelsOf(scene, lexicon, facts, marks, moving) {
  const {main, other, rows, size, frame, view, sum} = scene;
  const {u, measure} = size;
  const seen = new Map(marks.map(mark => [mark.id, mark]));
  const named = [
    ...main,
    ...(other ? [other.id] : []),
    ...rows.filter(row => !row.input).map(row => row.id),
  ];
  const label = (id, font, must) => {
    const {x, y, large} = seen.get(id);
    const r = (large || id === sum?.expected ? 0.72 : 0.3) * u;
    const text = textOf(lexicon, id);
    const shorter = must ? SHORTER.map(most => textOf(lexicon, id, most)) : [];
    return {
      id,
      x,
      y,
      r,
      text,
      shorter,
      font,
      height: heightOf(font),
      must,
      tone: must ? toneOf(scene, id) : 'soft',
    };
  };
  const must = [...new Set(named)].filter(id => seen.has(id));
  const quiet = moving
    ? []
    : importance(facts, lexicon).filter(id => seen.has(id) && !must.includes(id));
  const wanted = [
    ...must.map(id => label(id, bold(main.includes(id) ? fontOf.title(u) : fontOf.name(u)), true)),
    ...quiet.map(id => label(id, fontOf.small(u), false)),
  ];
  const near = ([x, y], r, price) => [x - r, y - r, x + r, y + r, price];
  const taken = marks.map(({x, y, star}) => near([x, y], (star ? 0.32 : 0.2) * u, star ? 10 : 1));
  if (sum) taken.push(near(view.at(fourth(lexicon, sum.inputs)), 0.5 * u, 10));
  return placeLabels(wanted, taken, frame, measure);
}
// The words of the sums first, then as they were handed in.
function importance({sums, shown}, lexicon) {
  const asked = sums.flatMap(({inputs, expected}) => [...inputs, expected ?? '']);
  const first = asked.map(word => lexicon.ids.get(word)).filter(id => id < shown);
  return [...new Set([...first, ...Array.from({length: shown}, (_, k) => k)])];
}
function raysOf({main: [me], rows, accent, view, size: {u}}, lexicon) {
  const [x, y] = view.at(lexicon.points[me]);
  return rows.map(({id, cos, far, mine}) => {
    const [x2, y2] = shortened([x, y], view.at(lexicon.points[id]), 0.4 * u);
    const width = u * (0.05 + 0.2 * Math.max(0, cos ?? 0) ** 1.5);
    return {x1: x, y1: y, x2, y2, width, far, tone: mine ? 'em' : accent};
  });
}
/** The end of a line, so far before the point that it goes to. */
export function shortened([x1, y1], [x2, y2], by) {
  const long = Math.hypot(x2 - x1, y2 - y1);
  const share = Math.min(1, by / (long || 1));
  return [x2 + (x1 - x2) * share, y2 + (y1 - y2) * share];
}
function squareOf({sum, view, rows}, lexicon) {
  const at = id => view.at(lexicon.points[id]);
  const [plus, minus, added] = sum.inputs.map(at);
  const corner = view.at(fourth(lexicon, sum.inputs));
  const first = rows.find(row => row.rank === 1);
  const goals = [{to: at(first.id), tone: first.wrong ? 'u' : 'strong'}];
  if (first.wrong) goals.push({to: at(sum.expected), tone: 'strong'});
  return {plus, minus, added, corner, goals};
}
function ringsOf({main, other, sum, view, accent}, lexicon) {
  const ring = (id, tone, r) => {
    const [x, y] = view.at(lexicon.points[id]);
    return {x, y, tone, r};
  };
  const rings = main.map(id => ring(id, accent, 0.72));
  if (sum && sum.expected !== null) rings.push(ring(sum.expected, 'strong', 0.72));
  if (other) rings.push(ring(other.id, 'em', 0.6));
  return rings.filter(({x, y}) => view.sees([x, y]));
}
function legendOf({groups}, {u, W, measure}) {
  const font = fontOf.small(u);
  const names = [...groups, 'guest'];
  const room = (W - 0.4 * u) / names.length - 1.65 * u;
  const long = names.reduce((sum, name) => sum + measure(name, font) + 1.65 * u, 0) > W - 0.4 * u;
  let x = 0.4 * u;
  return names.map((name, k) => {
    const text = long ? cutTo(readable(name), Math.max(u, room), measure, font) : readable(name);
    const item = {x, kind: k < groups.length ? k : 'guest', text};
    x += measure(text, font) + 1.65 * u;
    return item;
  });
}
function headsOf({sum, word}, {words, directions}) {
  if (sum) {
    const ranked = (words - 3).toLocaleString('en');
    return {title: 'Nearest to the sum', left: `cosine; rank among ${ranked} words`, right: ''};
  }
  const left = `cosine in all ${directions} directions`;
  return {title: `Nearest to ${quoted(word)}`, left, right: 'on the map'};
}
function noteOf({sum}, {far, shown}) {
  return sum
    ? 'Cross: the sum. Dots: from there to the answer.'
    : `Dashed: ${far} or more of the map's ${shown} words lie nearer. Ring: a guest.`;
}

// ---- what it holds, and what is spoken of it
/** Rows of what is on screen. */
export function mapTable({sum, word, rows, texts}, lexicon, {groups, shown}) {
  const table = [['pane', 'item', 'word', 'quantity', 'value']];
  for (const {text, rank, cos, nearer} of rows) {
    if (sum) {
      const [plus, minus, added] = texts;
      const pane = `near ${plus} - ${minus} + ${added}`;
      table.push([pane, rank ? `rank ${rank}` : 'left out', text, 'cosine', cos]);
    } else if (rank) {
      table.push([`nearest to ${word}`, String(rank), text, 'cosine', cos]);
      table.push([`nearest to ${word}`, String(rank), text, 'words nearer', nearer]);
    }
  }
  for (let k = 0; k < shown; k++) {
    const group = groups[lexicon.groups[k]] ?? '';
    const [x, y] = lexicon.points[k];
    const own = lexicon.words[k];
    table.push(['map', group, own, 'x', x], ['map', group, own, 'y', y]);
  }
  return table;
}
/** The word of the map nearest to one in a direction, within 45 degrees of it; null if none is. */
export function stepFrom(hits, id, [dx, dy]) {
  const from = hits.find(hit => hit.id === id) ?? hits[0];
  const cost = hit => {
    const along = (hit.x - from.x) * dx + (hit.y - from.y) * dy;
    const aside = Math.abs((hit.x - from.x) * dy) + Math.abs((hit.y - from.y) * dx);
    return along > 1 && aside <= along ? along + aside : Infinity;
  };
  const best = hits.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  return cost(best) < Infinity ? best.id : null;
}
/**
 * The word under a point, by its name or its mark, and the box in which it stays so: its name may
 * move when it is previewed, and a click must not go to what comes there. Null if there is none.
 * A name lies over the marks that it covers; of names over one another it is the one whose middle
 * is nearest.
 */
export function wordAt(hits, x, y) {
  const nearest = (some, away) => some.reduce((a, b) => (away(b) < away(a) ? b : a));
  const named = hits.filter(({box}) => box && isIn(box, x, y));
  if (named.length) return nearest(named, ({box}) => fromMiddle(box, x, y));
  const away = hit => Math.hypot(hit.x - x, hit.y - y);
  const marked = nearest(hits, away);
  return away(marked) < 16 ? {id: marked.id, box: [x - 8, y - 8, x + 8, y + 8]} : null;
}
const fromMiddle = ([x0, y0, x1, y1], x, y) => Math.hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y);
export const isIn = ([x0, y0, x1, y1], x, y) => x >= x0 && x <= x1 && y >= y0 && y <= y1;
