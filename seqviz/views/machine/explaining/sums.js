// Sums: of two numbers, or of all along some axes; their mean.

import {realAxis, stridesOf} from '../../shared/graph/tensors.js';
import {indexAt, placesAt} from './moves.js';
import {made} from './reader.js';

const explainedSum = (terms, over = 1) => ({kind: 'sum', terms, over, inputs: made(terms)});
const twoTerms = sign => reader => {
  const [a, b, times = 1] = reader.args;
  const terms = [{...reader.stretched(a), times: 1}];
  return explainedSum([...terms, {...reader.stretched(b), times: sign * times}]);
};
/** The numbers of an argument along some axes, or all, that an operation makes one of. */
export function rowOver(reader, arg, axes, keeps) {
  const shape = reader.shapeOf(arg);
  const strides = stridesOf(shape);
  const given = [axes ?? []].flat().map(axis => realAxis(axis, shape.length));
  const gone = given.length ? given : shape.map((_, axis) => axis);
  const rest = shape.map((_, axis) => axis).filter(axis => !gone.includes(axis));
  const places = keeps ? reader.places.filter((_, axis) => rest.includes(axis)) : reader.places;
  const start = indexAt(
    rest.map(axis => strides[axis]),
    places,
  );
  const lengths = gone.map(axis => shape[axis]);
  const steps = gone.map(axis => strides[axis]);
  const count = lengths.reduce((product, length) => product * length, 1);
  return Array.from({length: count}, (_, k) =>
    reader.input(arg, start + indexAt(steps, placesAt(lengths, k))),
  );
}
const overAxes = mean => reader => {
  const [arg, axes, keeps] = reader.args;
  const terms = rowOver(reader, arg, axes, keeps).map(term => ({...term, times: 1}));
  return explainedSum(terms, mean ? terms.length : 1);
};
/** What explains sums, by operation. */
export const sumExplanations = {
  'add.Tensor': twoTerms(1),
  'add.Scalar': twoTerms(1),
  'sub.Tensor': twoTerms(-1),
  'sub.Scalar': twoTerms(-1),
  'sum.dim_IntList': overAxes(false),
  sum: overAxes(false),
  'mean.dim': overAxes(true),
  mean: overAxes(true),
};
