// What places and runs are called, as writing.py calls them.

export const placeName = path => ['after', ...path].join(' ');
export const runName = ({method, knob, seed}, path, length) =>
  ['run', method, knob, seed, length, placeName(path)].join(' ');
/**
 * What a name is of: a place, "after 3 5", or a run, "run METHOD KNOB SEED LENGTH after 3 5".
 * @param {string} name
 * @returns {{path: number[], length?: number,
 * draw?: {method: string, knob: number, seed: number}}}
 */
export function meantBy(name) {
  const words = name.split(' ');
  const at = words.indexOf('after');
  const path = words.slice(at + 1).map(Number);
  if (at === 0) return {path};
  const [, method, ...numbers] = words.slice(0, at);
  const [knob, seed, length] = numbers.map(Number);
  return {path, length, draw: {method, knob, seed}};
}
