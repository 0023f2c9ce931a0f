// Arithmetic of lengths: plain numbers that a graph works out from the shapes that it meets.

import {realAxis} from './tensors.js';

/** The remainder with the sign of the divisor, as in Python. */
export function floorMod(a, b) {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}
function entry(list, i) {
  if (list[i] !== undefined) return list[i];
  throw new Error(`result ${i} is not made here, only the first ${list.length}`);
}
const plain = {
  'sym_size.int': (a, axis) => a.shape[realAxis(axis, a.shape.length)],
  'sym.getitem': entry,
  'sym.add': (a, b) => a + b,
  'sym.sub': (a, b) => a - b,
  'sym.mul': (a, b) => a * b,
  'sym.neg': a => -a,
  'sym.floordiv': (a, b) => Math.floor(a / b),
  'sym.truediv': (a, b) => a / b,
  'sym.mod': floorMod,
  'sym.pow': (a, b) => a ** b,
  'sym.eq': (a, b) => a === b,
  'sym.ne': (a, b) => a !== b,
  'sym.ge': (a, b) => a >= b,
  'sym.gt': (a, b) => a > b,
  'sym.le': (a, b) => a <= b,
  'sym.lt': (a, b) => a < b,
  'sym.and_': (a, b) => a && b,
  'sym.or_': (a, b) => a || b,
  'sym.sym_not': a => !a,
  'sym.sym_ite': (a, b, c) => (a ? b : c),
  'sym.sym_max': (...all) => Math.max(...all),
  'sym.sym_min': (...all) => Math.min(...all),
  'sym.sym_sum': all => all.reduce((a, b) => a + b, 0),
  'sym.sym_float': a => a,
  'sym.trunc': a => Math.trunc(a),
  'sym.ceil': a => Math.ceil(a),
  'sym.floor': a => Math.floor(a),
  'sym._sym_sqrt': a => Math.sqrt(a),
};
/** Operations that work alike on every kind of numbers, as the table takes them: the kind first. */
export const anyKind = functions =>
  Object.fromEntries(
    Object.entries(functions).map(([name, f]) => [name, (_, ...given) => f(...given)]),
  );
/** Operations on lengths. */
export const lengthOperations = anyKind(plain);
