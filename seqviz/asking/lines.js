// Lines of a program that a reader puts in order. Pure: a puzzle and a program in, a verdict out.
// A puzzle has lines (the right ones first, `size` of them), `pairs` whose order matters, and for
// each right line the one that opens its block. A program is a list of their numbers.

/** A program with a line put at a place, or taken out where the place is below 0. */
export function laid(program, line, at) {
  const others = program.filter(other => other !== line);
  return at < 0 ? others : [...others.slice(0, at), line, ...others.slice(at)];
}
/**
 * What is wrong with a program, first things first.
 * @param {number[]} program
 * @param {Object} puzzle
 * @returns {{right: boolean, line: number, text: string}} `line` is -1 where none is at fault
 */
export function judged(program, puzzle) {
  const stray = program.find(line => line >= puzzle.size);
  if (stray !== undefined) return wrong(stray, puzzle.strays[stray - puzzle.size]);
  const pair = puzzle.pairs.find(({above, below}) => isTurned(program, above, below));
  if (pair) return wrong(pair.below, reasonOf(pair, puzzle));
  const loose = program.find((line, at) => openerAt(program, at, puzzle) !== puzzle.openers[line]);
  if (loose !== undefined) {
    return wrong(loose, 'It stands in another block than it is indented for.');
  }
  const missing = puzzle.size - program.length;
  if (missing) {
    return wrong(-1, missing === 1 ? 'One line is missing.' : `${missing} lines are missing.`);
  }
  return {right: true, line: -1, text: puzzle.because};
}
const wrong = (line, text) => ({right: false, line, text});
function isTurned(program, above, below) {
  const [first, second] = [program.indexOf(above), program.indexOf(below)];
  return first >= 0 && second >= 0 && second < first;
}
function reasonOf({above, names, makes}, {lines}) {
  const what = names.map(name => `\`${name}\``).join(', ');
  const other = `\`${lines[above].trim()}\``;
  return makes
    ? `It uses ${what}, which ${other} makes.`
    : `It changes ${what} before ${other} is done.`;
}
function openerAt(program, at, {lines}) {
  const depth = line => lines[line].search(/\S/);
  const above = program.slice(0, at).findLast(line => depth(line) < depth(program[at]));
  return above ?? -1;
}
