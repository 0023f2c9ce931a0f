// All operations, by the names that torch has for them. Each is called as f(Kind, ...arguments):
// Kind is the typed array that holds the numbers of the result.

import {convolvingOperations} from './convolving.js';
import {elementwiseOperations} from './elementwise.js';
import {anyKind, lengthOperations} from './lengths.js';
import {makingOperations} from './making.js';
import {placeOperations} from './places.js';
import {productOperations} from './products.js';
import {recurrentOperations} from './recurrent.js';
import {reducingOperations} from './reducing.js';
import {rowOperations} from './rows.js';
import {shapingOperations} from './shaping.js';
import {flat} from './tensors.js';

const nothing = () => null; // what torch checks, it has checked when the graph was written
// A model that decides by numbers went one way when the graph was written.
function holds(condition) {
  if (condition) return null;
  throw new Error('the model decides by its numbers, and would go a way that this graph has not');
}
const readingOperations = anyKind({
  _local_scalar_dense: a => flat(a)[0],
  _assert_async: nothing,
  '_assert_async.msg': nothing,
  _assert_scalar: holds,
  _assert_tensor_metadata: nothing,
  sym_constrain_range: nothing,
  sym_constrain_range_for_size: nothing,
});
/** @type {Object<string, Function>} */
export const operations = {
  ...lengthOperations,
  ...shapingOperations,
  ...makingOperations,
  ...elementwiseOperations,
  ...rowOperations,
  ...reducingOperations,
  ...productOperations,
  ...convolvingOperations,
  ...placeOperations,
  ...recurrentOperations,
  ...readingOperations,
};
