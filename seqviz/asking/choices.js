// Predictions: the first option that is opened is the choice. Pure, but for the memory handed in.

import {memoryOf} from './memory.js';

/** Where predictions lie in the browser's store. */
export const PREDICTIONS = 'seqviz predictions';
/** The event of a document in which a prediction was made or forgotten. */
export const KEPT = 'seqviz-kept';
/** What this browser keeps of predictions. */
export const predictions = memoryOf(PREDICTIONS);

/**
 * Keeps a choice, unless one was kept before: what is opened later is only read.
 * @param {Object} memory
 * @param {string} name of the question
 * @param {{question: string, said: string, was: string, place: string}} choice
 * @param {Date} [now]
 * @returns {Object} what is kept
 */
export function kept(memory, name, choice, now = new Date()) {
  const before = memory.of(name);
  if (isChoice(before)) return before;
  const record = {...choice, when: now.toISOString()};
  memory.keep(name, record);
  return record;
}
/** Whether a record is one: another page may have written anything. */
export const isChoice = record =>
  ['question', 'said', 'was', 'place', 'when'].every(part => typeof record?.[part] === 'string');

/** What is said of a choice beside the result. */
export function toldOf({said, was}) {
  return said === was ? `You said “${said}”, and so it is.` : `You said “${said}”. It is “${was}”.`;
}
/**
 * Predictions as a table for a spreadsheet; a cell never starts a formula.
 * @param {Object<string, Object>} all records by name
 * @returns {string}
 */
export function csvOf(all) {
  const rows = Object.values(all)
    .filter(isChoice)
    .sort((a, b) => a.when.localeCompare(b.when))
    .map(({place, question, said, was, when}) => [place, question, said, was, when]);
  const lines = [['place', 'question', 'said', 'was', 'when'], ...rows];
  return lines.map(row => row.map(cellOf).join(',') + '\r\n').join('');
}
const cellOf = text => `"${text.replace(/^(?=[=+\-@\t\r\n])/, "'").replaceAll('"', '""')}"`;
