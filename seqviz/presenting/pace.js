// The minutes of a lecture: what is planned, what is used. Pure.

/**
 * The sections as parts of a bar.
 * @param {Object[]} parts {name, minutes, first, count}: its slides are count ones from the first
 * @param {number} i the slide that is shown
 * @returns {{name: string, minutes: number, from: number, on: boolean, share: number}[]}
 */
export function progressOf(parts, i) {
  let from = 0;
  return parts.map(({name, minutes, first, count}) => {
    const share = Math.min(Math.max((i - first + 1) / count, 0), 1);
    const part = {name, minutes, from, share, on: i >= first && i < first + count};
    from += minutes;
    return part;
  });
}
/**
 * Whether a lecture is on time: inside a slide's own minutes it is.
 * @param {Object} state
 * @param {Object} slide {at, minutes}
 * @param {number} now milliseconds
 * @returns {{used: number, from: number, to: number, words: string}} minutes
 */
export function paceOf(state, slide, now) {
  const used = (state.used + (state.since ? now - state.since : 0)) / 60000;
  const from = slide.at;
  const to = from + slide.minutes;
  const off = used > to ? used - to : Math.min(used - from, 0);
  const late = off > 0 ? 'behind' : 'ahead';
  const words = Math.abs(off) < 1 ? 'on time' : `${Math.round(Math.abs(off))} min ${late}`;
  return {used, from, to, words};
}
/** Minutes and seconds: 3:07. */
export function clockText(minutes) {
  const seconds = Math.floor(minutes * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
/** Whole minutes, for a class. */
export const wholeMinutes = minutes => String(Math.round(minutes) || 'under 1');
/** A number of minutes as the lecturer needs it. */
export const minutesText = minutes => String(Math.round(minutes * 10) / 10);
