// What the table of positions says.

import {readable} from '../shared/base.js';
import {decimals} from '../shared/chart.js';

/**
 * How much of the rows the matrices of a shift miss.
 * @param {TableScene} scene `table` and `shift` are read
 * @returns {(string | Object)[]} pieces
 */
export function tableSentence({table, shift}) {
  const miss = decimals(100 * table.wholes[shift - 1], 0);
  return [
    `${readable(table.label)}: the matrix for “${shift} later” misses the half it was not fitted on by `,
    {b: `${miss} %`},
    '.',
  ];
}
