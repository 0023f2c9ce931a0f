"""Means and rollout, computed from the floats."""

from collections.abc import Iterable

import numpy as np

from seqviz.views.attention.values import Attention

IN_PAGE = 256  # tokens up to which a page multiplies rollouts itself


def mean(maps: Iterable[np.ndarray]) -> np.ndarray:
    """Mean of maps (Q, K) in float64, one map at a time, from the first to the last."""
    maps = iter(maps)
    total, count = next(maps).astype(float), 1
    for weights in maps:
        total += weights
        count += 1
    total /= count
    return total


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
    return step if before is None else step @ before


class Rollups:
    """What one kind of attention gives beside its heads, made anew each time."""

    def __init__(self, attention: Attention) -> None:
        self.attention = attention
        self._rolled: tuple[int, np.ndarray | None] = (-1, None)

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
