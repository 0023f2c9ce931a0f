"""Means, maxima and rollout, computed from the floats."""

from collections.abc import Iterable

import numpy as np

from seqviz.view.attention_explorer.values import Attention


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
    """Maximum of maps (Q, K) in float64, one map at a time."""
    maps = iter(maps)
    most = next(maps).astype(float)
    for weights in maps:
        np.maximum(most, weights, out=most)
    return most


class Rollups:
    """What one kind of attention gives beside its heads, made anew each time."""

    def __init__(self, attention: Attention) -> None:
        self.attention = attention
        self._rolled: tuple[int, np.ndarray | None] = (-1, None)

    def members(self, layer: int | str, head: int | str) -> list[tuple[int, int]]:
        """Layer and head of the maps that a map is the mean or maximum of."""
        layers = range(self.attention.depth) if isinstance(layer, str) else [layer]
        heads = range(self.attention.heads) if isinstance(head, str) else [head]
        return [(one, other) for one in layers for other in heads]

    def map(self, layer: int | str, head: int | str) -> np.ndarray:
        """A head's map (Q, K), or the mean or maximum over heads, layers or both."""
        if head == "rollout":
            return self.rollout(layer)
        maps = [self.attention.layers[one][other] for one, other in self.members(layer, head)]
        if len(maps) == 1:
            return maps[0]
        return largest(maps) if "max" in (layer, head) else mean(maps)

    def rollout(self, layer: int) -> np.ndarray:
        """Attention rollout through layers 0 to `layer` (Abnar and Zuidema 2020, section 3).

        The product of 0.5 mean over heads + 0.5 identity; the identity is the residual path.
        """
        at, rolled = self._rolled if self._rolled[0] <= layer else (-1, None)
        for k in range(at + 1, layer + 1):
            step = mean(self.attention.layers[k])
            step *= 0.5
            step.flat[:: len(step) + 1] += 0.5
            rolled = step if rolled is None else step @ rolled
        self._rolled = layer, rolled
        return rolled
