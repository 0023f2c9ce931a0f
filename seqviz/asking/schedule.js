// When a question comes back: later each time it was right, tomorrow when it was wrong. Pure.

const DAYS = [1, 3, 7, 21, 60];
/** Milliseconds of a day. */
export const DAY = 24 * 60 * 60 * 1000;

/**
 * What is kept of a question after an answer.
 * @param {{level: number} | undefined} before
 * @param {boolean} right
 * @param {number} now milliseconds
 * @returns {{level: number, due: number, right: boolean}}
 */
export function answered(before, right, now) {
  const level = right ? Math.min((isKept(before) ? before.level : -1) + 1, DAYS.length - 1) : 0;
  return {level, due: now + (right ? DAYS[level] : 1) * DAY, right};
}
/** Whether a record is one of this file. */
export const isKept = record =>
  Number.isInteger(record?.level) && record.level in DAYS && Number.isFinite(record.due);
/**
 * The questions that are asked now: those that are due, the longest waiting first, then new ones.
 * @param {string[]} names all of them, in the order of the course
 * @param {(name: string) => Object} of what is kept of one
 * @param {number} now
 * @param {number} most
 * @returns {string[]}
 */
export function dueOf(names, of, now, most) {
  const old = names.filter(name => isKept(of(name)) && of(name).due <= now);
  old.sort((a, b) => of(a).due - of(b).due);
  const fresh = names.filter(name => !isKept(of(name)));
  return [...old, ...fresh].slice(0, most);
}
/** How many were right the last time, how many wait, and when the next one comes (0: none). */
export function countsOf(names, of, now) {
  const known = names.map(of).filter(isKept);
  const later = known.map(({due}) => due).filter(due => due > now);
  return {
    right: known.filter(({right}) => right).length,
    asked: known.length,
    next: later.length ? Math.min(...later) : 0,
  };
}
