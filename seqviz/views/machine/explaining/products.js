// Products: of a row and a column, or of two numbers.

import {made} from './reader.js';

// The numbers of row and column, pair by pair; matrices may stand in a batch.
function pairsOf(reader, a, b) {
  const [rows, depth] = reader.shapeOf(a).slice(-2);
  const columns = reader.shape.at(-1);
  const [row, column] = reader.places.slice(-2);
  const batch = reader.places.length > 2 ? reader.places[0] : 0;
  return Array.from({length: depth}, (_, k) => [
    reader.input(a, (batch * rows + row) * depth + k),
    reader.input(b, (batch * depth + k) * columns + column),
  ]);
}
const explainedProduct = (pairs, bias = null, times = 1, biasTimes = 1) => ({
  kind: 'product',
  pairs,
  bias,
  times,
  biasTimes,
  inputs: made([...pairs.flat(), ...(bias ? [bias] : [])]),
});
const product = reader => explainedProduct(pairsOf(reader, ...reader.args));
function addedProduct(reader) {
  const [bias, a, b, beta = 1, alpha = 1] = reader.args;
  return explainedProduct(pairsOf(reader, a, b), beta ? reader.stretched(bias) : null, alpha, beta);
}
/** a times b. */
export const productOfTwo = reader =>
  explainedProduct([reader.args.slice(0, 2).map(arg => reader.stretched(arg))]);
/** What explains products, by operation. */
export const productExplanations = {
  mm: product,
  bmm: product,
  addmm: addedProduct,
  baddbmm: addedProduct,
};
