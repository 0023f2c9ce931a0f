// Operations on numbers one by one, and on numbers of two or three tensors that broadcast.

import {floorMod} from './lengths.js';
import {Tensor, asTensor, flat, joinedShape, sizeOf, stretchedStrides, walk} from './tensors.js';

/** f of each number: a tensor of the same shape. */
export function mapped(Kind, a, f) {
  const numbers = flat(a);
  const out = new Kind(numbers.length);
  for (let i = 0; i < out.length; i++) out[i] = f(numbers[i]);
  return new Tensor(out, a.shape);
}
// Tensors that broadcast, walked together; `row` writes so many numbers from `at` of the result on.
function broadcast(Kind, tensors, row) {
  const shape = joinedShape(...tensors.map(a => a.shape));
  const strides = tensors.map(a => stretchedStrides(a, shape));
  const offsets = tensors.map(a => a.offset);
  const out = new Kind(sizeOf(shape));
  let at = 0;
  walk(shape, strides, offsets, (count, starts, steps) => {
    row(out, at, count, starts, steps);
    at += count;
  });
  return new Tensor(out, shape);
}
/** f of each pair of numbers of tensors, or of a tensor and a number: of the shape of both. */
export function zipped(Kind, a, b, f) {
  const [first, second] = [asTensor(a, b), asTensor(b, a)];
  const [x, y] = [first.values, second.values];
  return broadcast(Kind, [first, second], (out, at, count, [p, q], [stepA, stepB]) => {
    for (let i = at; i < at + count; i++, p += stepA, q += stepB) out[i] = f(x[p], y[q]);
  });
}
const each = f => (Kind, a) => mapped(Kind, a, f);
const ofPairs = f => (Kind, a, b) => zipped(Kind, a, b, f);

/** The logistic function. */
export const logistic = x => 1 / (1 + Math.exp(-x));
// The nearest whole number, of two the even one.
function nearestEven(x) {
  const near = Math.round(x);
  return near - x === 0.5 && near % 2 ? near - 1 : near;
}
const ROOT_PI = Math.sqrt(Math.PI);
/**
 * The error function: Maclaurin's series, for large x a continued fraction of 1 - erf
 * (Abramowitz and Stegun 1964, 7.1.5 and 7.1.14).
 */
function errorFunction(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size < 2.5) {
    let [term, sum] = [x, x];
    for (let n = 1; Math.abs(term) > 1e-9; n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (2 / ROOT_PI) * sum;
  }
  let fraction = 0;
  for (let k = 24; k > 0; k--) fraction = k / 2 / (size + fraction);
  return Math.sign(x) * (1 - Math.exp(-x * x) / (size + fraction) / ROOT_PI);
}
// Hendrycks and Gimpel 2016: x times the normal distribution at x, or a tanh near it.
function gelu(Kind, a, approximate = 'none') {
  const rate = Math.sqrt(2 / Math.PI);
  const byTanh = x => 0.5 * x * (1 + Math.tanh(rate * (x + 0.044715 * x ** 3)));
  const exact = x => 0.5 * x * (1 + errorFunction(x * Math.SQRT1_2));
  return mapped(Kind, a, approximate === 'tanh' ? byTanh : exact);
}
function elu(Kind, a, alpha = 1, scale = 1, inner = 1) {
  return mapped(Kind, a, x => (x > 0 ? x * scale : alpha * scale * Math.expm1(x * inner)));
}
function clamped(Kind, a, low, high) {
  const [least, most] = [low ?? -Infinity, high ?? Infinity];
  return mapped(Kind, a, x => Math.min(most, Math.max(least, x)));
}
function clampedByTensors(Kind, a, low, high) {
  const raised = low ? zipped(Kind, a, low, Math.max) : a;
  return high ? zipped(Kind, raised, high, Math.min) : raised;
}
function added(Kind, a, b, times = 1) {
  if (Kind === Uint8Array) return zipped(Kind, a, b, (x, y) => x | y);
  return zipped(Kind, a, b, times === 1 ? (x, y) => x + y : (x, y) => x + times * y);
}
function divided(Kind, a, b, rounding) {
  const round = {floor: Math.floor, trunc: Math.trunc}[rounding];
  return zipped(Kind, a, b, round ? (x, y) => round(x / y) : (x, y) => x / y);
}
function where(Kind, condition, a, b) {
  const all = [condition, asTensor(a, b), asTensor(b, a)];
  const [c, x, y] = all.map(one => one.values);
  return broadcast(Kind, all, (out, at, count, [p, q, r], [stepC, stepA, stepB]) => {
    for (let i = 0; i < count; i++) {
      out[at + i] = c[p + i * stepC] ? x[q + i * stepA] : y[r + i * stepB];
    }
  });
}
// JavaScript's own bits end at 32.
const ofBits = f =>
  ofPairs((x, y) => {
    const fits = (x | 0) === x && (y | 0) === y;
    return fits ? f(x, y) : Number(f(BigInt(x), BigInt(y)));
  });
const bitNot = (Kind, a) => mapped(Kind, a, Kind === Uint8Array ? x => +!x : x => -x - 1);
const isTrue = x => x !== 0; // NaN is true, too

const withScalars = {
  add: added,
  sub: (Kind, a, b, times = 1) => zipped(Kind, a, b, (x, y) => x - times * y),
  mul: ofPairs((x, y) => x * y),
  div: divided,
  remainder: ofPairs(floorMod),
  fmod: ofPairs((x, y) => x % y),
  eq: ofPairs((x, y) => +(x === y)),
  ne: ofPairs((x, y) => +(x !== y)),
  lt: ofPairs((x, y) => +(x < y)),
  le: ofPairs((x, y) => +(x <= y)),
  gt: ofPairs((x, y) => +(x > y)),
  ge: ofPairs((x, y) => +(x >= y)),
  bitwise_and: ofBits((x, y) => x & y),
  bitwise_or: ofBits((x, y) => x | y),
  bitwise_xor: ofBits((x, y) => x ^ y),
};
// Functions of Math that torch calls by the same names.
const OF_MATH = 'abs ceil cos exp expm1 floor log log1p log2 sin sqrt tan tanh trunc';
const power = ofPairs((x, y) => x ** y);
/** Operations on numbers one by one. */
export const elementwiseOperations = {
  ...Object.fromEntries(
    Object.entries(withScalars).flatMap(([name, f]) => [
      [`${name}.Tensor`, f],
      [`${name}.Scalar`, f],
    ]),
  ),
  'div.Tensor_mode': divided,
  'pow.Tensor_Tensor': power,
  'pow.Tensor_Scalar': power,
  'pow.Scalar': power,
  atan2: ofPairs(Math.atan2),
  maximum: ofPairs(Math.max),
  minimum: ofPairs(Math.min),
  'where.self': where,
  logical_and: ofPairs((x, y) => +(isTrue(x) && isTrue(y))),
  logical_or: ofPairs((x, y) => +(isTrue(x) || isTrue(y))),
  logical_xor: ofPairs((x, y) => +(isTrue(x) !== isTrue(y))),
  logical_not: each(x => +!isTrue(x)),
  bitwise_not: bitNot,
  ...Object.fromEntries(OF_MATH.split(' ').map(name => [name, each(Math[name])])),
  neg: each(x => -x),
  rsqrt: each(x => 1 / Math.sqrt(x)),
  reciprocal: each(x => 1 / x),
  erf: each(errorFunction),
  sigmoid: each(logistic),
  sign: each(x => (x > 0) - (x < 0)),
  round: each(nearestEven),
  isnan: each(x => +Number.isNaN(x)),
  isinf: each(x => +(Math.abs(x) === Infinity)),
  relu: each(x => Math.max(0, x)),
  gelu,
  elu,
  leaky_relu: (Kind, a, slope = 0.01) => mapped(Kind, a, x => (x > 0 ? x : slope * x)),
  hardtanh: (Kind, a, low = -1, high = 1) => clamped(Kind, a, low, high),
  clamp: clamped,
  'clamp.Tensor': clampedByTensors,
};
