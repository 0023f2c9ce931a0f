// Where the parts of the view stand, in pixels: the strip and the readout left, the picture right;
// one under another where it is narrow.

const NARROW = 640; // of the stage, below which all stands in one column
const WIDE = 940;
const GAP = 20;
const BESIDE = 0.52; // of the width that the picture may take
const TALLEST = {usual: 416, wide: 460, narrow: 420, low: 208};
const STRIP = {narrow: 290, low: 150}; // pixels down the strip over the picture
const HEAD_HEIGHT = 26; // a line over the strip, and over the picture
const PLAYER_HEIGHT = 44;
const LINE_HEIGHT = 19; // of a row of the readout
const TITLE_HEIGHT = 22;
const NOTE_HEIGHT = 18;
const CELL_GAP = 6;
const INSET = 6; // of a cell
const BROAD_CELL = 140; // the word and its number stand on one line
const LARGEST_THUMB = 120;
const SMALLEST_THUMB = 26;
const CELLS = [
  // up to how many steps: columns; whether a cell has a thumb, whether a line for its number
  {most: 2, columns: 2, thumb: true, number: true},
  {most: 4, columns: 4, thumb: true, number: true},
  {most: 6, columns: 3, thumb: true, number: true},
  {most: 8, columns: 4, thumb: true, number: true},
  {most: 18, columns: 6, thumb: true, number: false},
  {most: Infinity, columns: 5, thumb: false, number: false},
];

/**
 * Sizes of everything.
 * @param {Object} film
 * @param {{W: number, tall: number | null, low: boolean, pictured: boolean}} size pixels of the
 * stage, how high it may be where the view fills the screen, and whether the window is low
 */
export function layoutOf(film, {W, tall, low, pictured}) {
  const narrow = W < NARROW;
  const wide = W >= WIDE;
  const column = low ? 'low' : 'narrow';
  const usual = TALLEST[narrow ? column : wide ? 'wide' : 'usual'];
  const highest = tall && !narrow ? tall - HEAD_HEIGHT : usual;
  const widest = narrow ? W : BESIDE * W;
  const fits = Math.min(widest, (highest * film.w) / film.h);
  const width = Math.max(1, Math.floor(fits / film.columns)) * film.columns; // whole regions
  const height = Math.round((width * film.h) / film.w);
  const left = narrow ? W : W - width - GAP;
  const readout = readoutHeight(film);
  const player = pictured ? CELL_GAP : PLAYER_HEIGHT;
  const room = narrow ? STRIP[column] : highest - player - readout;
  const strip = stripLayout(film, left, room);
  return {
    narrow,
    wide,
    left,
    head: HEAD_HEIGHT,
    player,
    readout,
    strip,
    picture: {width, height, unit: width / film.columns, tier: height / film.rows},
  };
}
function readoutHeight(film) {
  if (film.kind === 'glimpses' && !asRows(film)) return 112;
  if (film.kind === 'drawing') return 108;
  if (film.kind === 'attention') {
    const rows = Math.max(2, Math.min(MOST_OBJECTS, 1 + film.special.length));
    return TITLE_HEIGHT + LINE_HEIGHT * rows + NOTE_HEIGHT;
  }
  const objects = film.boxes ? Math.min(MOST_OBJECTS, film.boxes.length || 3) + 1 : 0;
  const says = film.classes ? MOST_SAID : Math.max(...film.alternatives.map(row => row.length));
  const rows = Math.max(objects, Math.min(MOST_SAID, says));
  const note = film.note ? 2 * NOTE_HEIGHT - 3 : NOTE_HEIGHT;
  return TITLE_HEIGHT + LINE_HEIGHT * rows + note;
}
export const MOST_OBJECTS = 4;
export const MOST_SAID = 4;
const MOST_COLUMNS = 12;
/** Whether classes are told in rows: they are too many, or their names too long, for columns. */
export const asRows = ({classes}) =>
  classes.length > MOST_COLUMNS || classes.some(name => name.length > 3);

function stripLayout(film, left, room) {
  const {columns, thumb: pictures, number} = CELLS.find(({most}) => film.T <= most);
  const rows = Math.ceil(film.T / columns);
  const cell = Math.floor((left - (columns - 1) * CELL_GAP) / columns);
  const broad = cell >= BROAD_CELL;
  const text = 24 + 8 + (number && !broad ? 17 : 0);
  const most = (room - (rows - 1) * CELL_GAP) / rows - text - 2 * INSET;
  const ratio = film.h / film.w;
  const widest = Math.min(cell - 2 * INSET, LARGEST_THUMB, LARGEST_THUMB / ratio);
  const high = Math.min(most, widest * ratio);
  const least = Math.min(SMALLEST_THUMB, widest * ratio);
  const thumbHeight = pictures ? Math.floor(Math.max(least, high)) : 0;
  const height = text + thumbHeight + (pictures ? 2 * INSET : 8);
  const whole = rows * (height + CELL_GAP) - CELL_GAP;
  const seen = Math.max(room, 2 * (height + CELL_GAP));
  return {
    columns,
    rows,
    cell,
    height,
    broad,
    number,
    thumb: {width: Math.round(thumbHeight / ratio), height: thumbHeight},
    whole,
    tall: pictures ? whole : Math.min(whole, seen),
    scrolled: !pictures && whole > seen,
    inset: INSET,
    step: {x: cell + CELL_GAP, y: height + CELL_GAP},
  };
}
