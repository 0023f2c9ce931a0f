// The points of a view over a grid of settings: rows of numbers in blocks, see Grid.packed.

/**
 * @typedef {Object} GridFacts what the page knows of a grid, see Grid.packed
 * @property {string} title empty if the caller gave none
 * @property {Setting[]} choices
 * @property {string[]} models their labels
 * @property {number} arrays how many each model has
 * @property {number[]} starts the first point of each block, from 0; the last setting turns fastest
 * @property {(string[] | null)[]} tokens what points name by number
 * @property {[number, string][][]} marks the same
 */

/**
 * @typedef {Object} GridPoint what was computed with one setting
 * @property {Float32Array[][]} models the arrays of each
 * @property {number} T steps
 * @property {string[] | null} tokens one for each step
 * @property {[number, string][]} marks step from 1, and text
 */

/**
 * What finds the point of a setting: its models' arrays, its tokens and its marks.
 * @param {GridFacts} facts
 * @param {(b: number) => Float32Array | null} block the numbers of a block, null while they come
 * @returns {(at: Object<string, number | string>) => GridPoint | null} null while its block comes
 */
export function pointReader(facts, block) {
  const index = at =>
    facts.choices.reduce((k, {name, values}) => k * values.length + values.indexOf(at[name]), 0);
  const count = facts.models.length * facts.arrays;
  return at => {
    const k = index(at);
    const b = facts.starts.findLastIndex(start => start <= k);
    const values = block(b);
    if (!values) return null;
    let from = 0;
    for (let i = facts.starts[b]; i < k; i++) from += values[from];
    let next = from + 4 + count;
    const arrays = Array.from(values.subarray(from + 4, next), size =>
      values.subarray(next, (next += size)),
    );
    const models = facts.models.map((_, m) =>
      arrays.slice(m * facts.arrays, (m + 1) * facts.arrays),
    );
    return {
      models,
      T: values[from + 1],
      tokens: facts.tokens[values[from + 2]],
      marks: facts.marks[values[from + 3]],
    };
  };
}
