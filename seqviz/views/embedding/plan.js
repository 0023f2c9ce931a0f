// How high the panes are.

// Pixels of the stage: under the one it has one column, from the other on a wide list.
export const NARROW = 660;
export const WIDE = 1060;

/**
 * @param {Object} given `room`, the width of the stage; `free`, the height that is left of a
 * screen that the view fills, else null; `rows` of the list of sentences, 0 for words; `u`, one em
 * @returns {{H: number, sideHeight: number, chartHeight: number}} pixels
 */
export function heightsOf({room, free, rows, u}) {
  const narrow = room < NARROW;
  const usual = (room >= WIDE ? 38 : 31) * u;
  const least = rows ? (12 + 1.4 * rows) * u : 0;
  const fill = free === null || narrow ? usual : Math.max(26 * u, free);
  const sideHeight = Math.max(fill, least);
  return {
    H: narrow ? Math.min(sideHeight, 0.9 * room) : sideHeight,
    sideHeight,
    chartHeight: Math.max(11 * u, Math.min(0.38 * sideHeight, sideHeight - 1.4 * u * rows)),
  };
}
