// A value of a graph by token.

import {selected} from './shaping.js';
import {inOrder, vectorsOf} from './tensors.js';

/** A value as (token, number): all other axes are read at 0. */
export function byToken({token, number}, value) {
  const axes = value.shape.map((_, axis) => axis).toReversed();
  const others = axes.filter(axis => axis !== token && axis !== number);
  const rows = others.reduce((so, axis) => selected(so, axis, 0), value);
  return token !== null && token > number ? inOrder(rows, [1, 0]) : rows;
}
/** The numbers of a value by token. */
export const rowsOf = (place, value) => vectorsOf(byToken(place, value));
