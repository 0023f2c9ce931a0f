"""Means and rollout, computed from the floats; maxima of what is shown."""

from collections.abc import Iterable

import numpy as np

from seqviz.view.attention_explorer.values import Attention

PRODUCT = 256  # tokens up to which a page multiplies matrices
WHOLE = 2**20  # parts of the largest of a row or a column
UNTHREADED = 2**18  # multiplications for which BLAS wakes no threads


def mean(maps: Iterable[np.ndarray]) -> np.ndarray:
    """Mean of maps (Q, K) in float64, one map at a time, from the first to the last."""
    maps = iter(maps)
    total, count = next(maps).astype(float), 1
    for weights in maps:
        total += weights
        count += 1
    total /= count
    return total


def largest(maps: Iterable[np.ndarray]) -> np.ndarray:
    """Maximum of maps (Q, K), one map at a time."""
    maps = iter(maps)
    most = next(maps).copy()
    for weights in maps:
        np.maximum(most, weights, out=most)
    return most


def rollout(weights: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """Attention rollout one layer further (Abnar and Zuidema 2020, section 3).

    The product of 0.5 mean over heads + 0.5 identity; the identity is the residual path.

    Parameters
    ----------
    weights : numpy.ndarray
        The mean over the heads of a layer (T, T).
    before : numpy.ndarray or None
        The rollout to the layer below (T, T), None at the first layer.
    """
    step = 0.5 * weights
    step.flat[:: len(step) + 1] += 0.5
    return step if before is None else product(step, before)


def near_rollout(weights: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """About what `rollout` gives, number for number as in the page.

    Up to `PRODUCT` tokens it is within a millionth, for each row and each column of its largest:
    the product is of whole numbers, whose sums no order of summing changes. A browser would take
    seconds for a larger one: there, of what a token reads through the others it takes their mean.
    """
    if before is None:
        return rollout(weights, None)
    if len(before) <= PRODUCT:
        rows, of_rows = _whole(weights, 1)
        columns, of_columns = _whole(before, 0)
        through = product(rows, columns) * (of_rows * of_columns / WHOLE**2)
        return 0.5 * before + 0.5 * through
    own = before.diagonal().copy()
    others = (before.sum(axis=0) - own) / max(1, len(own) - 1)
    sums = np.ascontiguousarray(weights.T).sum(axis=0)  # of rows, from the first to the last key
    through = sums[:, None] - weights
    return 0.5 * before + 0.5 * (weights * own + through * others)


def _whole(values: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers up to `WHOLE` along an axis, and the largest value that they are shares of."""
    largest = values.max(axis=axis, keepdims=True)
    shares = values / np.where(largest > 0, largest, 1)
    return np.floor(shares * WHOLE + 0.5), largest


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Matrix product of two (T, T).

    A small one is taken some rows at a time: to wake the threads of BLAS takes a hundred times
    longer than the product.
    """
    T = len(a)
    rows = UNTHREADED // T**2 if T <= 256 else T
    return np.concatenate([a[start : start + rows] @ b for start in range(0, T, rows)])


class Rollups:
    """What one kind of attention gives beside its heads, made anew each time."""

    def __init__(self, attention: Attention) -> None:
        self.attention = attention
        self._rolled: tuple[int, np.ndarray | None] = (-1, None)

    def members(self, layer: int | str, head: int | str) -> list[tuple[int, int]]:
        """Layer and head of the heads that a map is the mean or maximum of."""
        layers = self.attention.numbers if isinstance(layer, str) else [layer]
        heads = range(self.attention.heads) if isinstance(head, str) else [head]
        return [(one, other) for one in layers for other in heads]

    def map(self, layer: int | str, head: int | str) -> np.ndarray:
        """A head's map (Q, K), the mean over heads, layers or both, or a rollout."""
        if head == "rollout":
            return self.rollout(layer)
        if layer == "mean":
            return mean(self.map(one, head) for one in self.attention.numbers)
        heads = self.attention.layers[self.attention.place(layer)]
        return heads.mean(axis=0, dtype=float) if head == "mean" else heads[head]

    def rollout(self, layer: int) -> np.ndarray:
        """Attention rollout through the layers from the first to `layer`."""
        numbers, last = self.attention.numbers, self.attention.place(layer)
        at, rolled = self._rolled if self._rolled[0] <= last else (-1, None)
        for number in numbers[at + 1 : last + 1]:
            rolled = rollout(self.map(number, "mean"), rolled)
        self._rolled = last, rolled
        return rolled
