// Products of matrices. Numbers are read where they lie, in tiles, as each is needed several times.

import {mapped} from './elementwise.js';
import {copied, expanded, concatenated, selected, sliced, unsqueezed} from './shaping.js';
import {Tensor, flat, shapeText} from './tensors.js';

// Rows of numbers side by side in x: the first begins at `start`, each next one `step` further.
const rowsIn = (a, batch, axis) => ({
  x: a.values,
  start: a.offset + batch * a.strides[0],
  step: a.strides[axis],
});

// out[i, j] += sum over k of a[i, k] b[j, k]
function addDots(a, b, [rows, depth, columns], out) {
  const [tiledRows, tiledColumns] = [rows - (rows % 4), columns - (columns % 2)];
  for (let i = 0; i < rows; i++) {
    const start = i < tiledRows ? tiledColumns : 0;
    if (start && i % 4 === 0) {
      for (let j = 0; j < start; j += 2) addTile(a, i, b, j, depth, out);
    }
    for (let j = start; j < columns; j++) {
      const [p, q] = [a.start + i * a.step, b.start + j * b.step];
      out.x[out.start + i * out.step + j] += dotProduct(a.x, p, b.x, q, depth);
    }
  }
}
// Four sums side by side: none waits for the one before.
function dotProduct(x, p, y, q, depth) {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < depth; k += 4) {
    s0 += x[p + k] * y[q + k];
    s1 += x[p + k + 1] * y[q + k + 1];
    s2 += x[p + k + 2] * y[q + k + 2];
    s3 += x[p + k + 3] * y[q + k + 3];
  }
  for (; k < depth; k++) s0 += x[p + k] * y[q + k];
  return s0 + s1 + (s2 + s3);
}
// Four rows of a with two of b: eight sums of six numbers read.
function addTile({x, start, step}, i, {x: y, start: startB, step: stepB}, j, depth, out) {
  const p0 = start + i * step;
  const [p1, p2, p3] = [p0 + step, p0 + 2 * step, p0 + 3 * step];
  const q0 = startB + j * stepB;
  const q1 = q0 + stepB;
  let [s00, s01, s10, s11, s20, s21, s30, s31] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < depth; k++) {
    const a0 = x[p0 + k];
    const a1 = x[p1 + k];
    const a2 = x[p2 + k];
    const a3 = x[p3 + k];
    const b0 = y[q0 + k];
    const b1 = y[q1 + k];
    s00 += a0 * b0;
    s01 += a0 * b1;
    s10 += a1 * b0;
    s11 += a1 * b1;
    s20 += a2 * b0;
    s21 += a2 * b1;
    s30 += a3 * b0;
    s31 += a3 * b1;
  }
  const sums = [s00, s01, s10, s11, s20, s21, s30, s31];
  sums.forEach((sum, k) => (out.x[out.start + (i + (k >> 1)) * out.step + j + (k & 1)] += sum));
}
// out[i, :] += sum over k of a[i, k] b[k, :], four rows of b at a time
function addRows(a, b, [rows, depth, columns], out) {
  const fours = depth - (depth % 4);
  for (let i = 0; i < rows; i++) {
    const [p, o] = [a.start + i * a.step, out.start + i * out.step];
    for (let k = 0; k < fours; k += 4) addFour(a.x, p + k, b, k, columns, out.x, o);
    for (let k = fours; k < depth; k++) {
      const q = b.start + k * b.step;
      for (let j = 0; j < columns; j++) out.x[o + j] += a.x[p + k] * b.x[q + j];
    }
  }
}
function addFour(x, p, {x: y, start, step}, k, columns, out, o) {
  const [a0, a1, a2, a3] = [x[p], x[p + 1], x[p + 2], x[p + 3]];
  const q0 = start + k * step;
  const [q1, q2, q3] = [q0 + step, q0 + 2 * step, q0 + 3 * step];
  for (let j = 0; j < columns; j++) {
    out[o + j] += a0 * y[q0 + j] + a1 * y[q1 + j] + (a2 * y[q2 + j] + a3 * y[q3 + j]);
  }
}
/**
 * The products of matrices.
 * @param {Function} Kind the typed array of the result
 * @param {Tensor} a (batch, row, depth)
 * @param {Tensor} b (batch, depth, column)
 * @param {Tensor} [onto] numbers in order that they are added to
 * @returns {Tensor} (batch, row, column)
 */
export function batchProducts(Kind, a, b, onto) {
  const [batch, rows, depth] = a.shape;
  const columns = b.shape[2];
  if (b.shape[0] !== batch || b.shape[1] !== depth) {
    throw new Error(`shapes ${shapeText(a.shape)} and ${shapeText(b.shape)} have no product`);
  }
  const out = onto ?? new Tensor(new Kind(batch * rows * columns), [batch, rows, columns]);
  const left = a.strides[2] === 1 ? a : copied(Kind, a);
  const columnsLieAlong = b.strides[1] === 1;
  const right = columnsLieAlong || b.strides[2] === 1 ? b : copied(Kind, b);
  const add = columnsLieAlong ? addDots : addRows;
  for (let i = 0; i < batch; i++) {
    const read = rowsIn(right, i, columnsLieAlong ? 2 : 1);
    add(rowsIn(left, i, 1), read, [rows, depth, columns], rowsIn(out, i, 1));
  }
  return out;
}
/** The product of two matrices, added to one that may be given. */
export function matrixProduct(Kind, a, b, onto) {
  const one = c => c && unsqueezed(c, 0);
  return selected(batchProducts(Kind, one(a), one(b), one(onto)), 0, 0);
}
// beta * c + alpha * (a b), where c is stretched to the shape of the product
function addedProduct(Kind, c, a, b, beta = 1, alpha = 1) {
  const onto = copied(Kind, expanded(c, [a.shape[0], b.shape[1]]));
  const scaled = (d, factor) => (factor === 1 ? d : mapped(Kind, d, x => factor && factor * x));
  return matrixProduct(Kind, scaled(a, alpha), b, scaled(onto, beta));
}
// Rows of a with one matrix each: those before ends[0] with the first, and so on.
function groupedProduct(Kind, a, matrices, ends) {
  const bounds = [0, ...flat(ends)];
  const parts = Array.from({length: bounds.length - 1}, (_, i) =>
    matrixProduct(Kind, sliced(a, 0, bounds[i], bounds[i + 1]), selected(matrices, 0, i)),
  );
  return concatenated(Kind, parts);
}
/** Products. */
export const productOperations = {
  mm: matrixProduct,
  bmm: batchProducts,
  addmm: addedProduct,
  'transformers.grouped_mm_fallback': groupedProduct,
};
