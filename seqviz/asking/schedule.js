// When a question comes back: later each time it was right, tomorrow when it was wrong. Pure: a day
// is a whole number.

const STEPS = [1, 3, 7, 21, 60]; // days
const DAY = 24 * 60 * 60 * 1000; // milliseconds

/** The day of a date, from midnight to midnight where the reader is. */
export const dayOf = date => Math.floor((date.getTime() - date.getTimezoneOffset() * 60000) / DAY);
/** A day as people write it. */
export const dayText = day => new Date(day * DAY).toUTCString().slice(0, 11);

/**
 * What is kept of a question after an answer.
 * @param {{level: number} | undefined} before
 * @param {boolean} right
 * @param {number} today
 * @returns {{level: number, due: number, on: number, right: boolean}}
 */
export function answered(before, right, today) {
  const level = right ? Math.min((isKept(before) ? before.level : -1) + 1, STEPS.length - 1) : 0;
  return {level, due: today + (right ? STEPS[level] : 1), on: today, right};
}
/** Whether a record is one of this file. */
export const isKept = record =>
  Number.isInteger(record?.level) && record.level in STEPS && Number.isInteger(record.due);
/**
 * The questions that are asked now: those that are due, the longest waiting first, then new ones;
 * with those of today that are answered no more than `most`.
 * @param {string[]} names all of them, in the order of the course
 * @param {(name: string) => Object} of what is kept of one
 * @param {number} today
 * @param {number} most
 * @returns {string[]}
 */
export function dueOf(names, of, today, most) {
  const kept = names.filter(name => isKept(of(name)));
  const old = kept.filter(name => of(name).due <= today);
  old.sort((a, b) => of(a).due - of(b).due);
  const fresh = names.filter(name => !isKept(of(name)));
  const done = kept.filter(name => of(name).on === today).length;
  return [...old, ...fresh].slice(0, Math.max(0, most - done));
}
/** How many were right the last time, how many were asked, when the next one comes (0: none). */
export function countsOf(names, of, today) {
  const known = names.map(of).filter(isKept);
  const later = known.map(({due}) => due).filter(due => due > today);
  const isNew = known.length < names.length;
  return {
    right: known.filter(({right}) => right).length,
    asked: known.length,
    next: isNew ? today + 1 : later.length ? Math.min(...later) : 0,
  };
}
