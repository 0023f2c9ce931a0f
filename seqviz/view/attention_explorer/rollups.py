"""Means, rollout and scores of heads, computed from the floats."""

import math
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from seqviz.view.attention_explorer.values import Attention

SHIFTS = {"previous": -1, "itself": 0, "next": 1}


def mean(maps: Iterable[np.ndarray]) -> np.ndarray:
    """Mean of maps (Q, K) in float64, one map at a time, from the first to the last."""
    first, *rest = maps
    total = first.astype(float)
    for weights in rest:
        total += weights
    total /= 1 + len(rest)
    return total


class Rollups:
    """What one kind of attention gives beside its heads; all but the scores is made anew."""

    def __init__(self, attention: Attention) -> None:
        self.attention = attention
        self._rolled: tuple[int, np.ndarray | None] = (-1, None)

    def members(self, layer: int | str, head: int | str) -> list[tuple[int, int]]:
        """Layer and head of the maps that a map is the mean or maximum of."""
        layers = range(self.attention.depth) if isinstance(layer, str) else [layer]
        heads = range(self.attention.heads) if isinstance(head, str) else [head]
        return [(one, other) for one in layers for other in heads]

    def map(self, layer: int | str, head: int | str) -> np.ndarray:
        """A head's map (Q, K), or the mean over heads, layers or both where "mean" stands."""
        if head == "rollout":
            return self.rollout(layer)
        maps = [self.attention.layers[one][other] for one, other in self.members(layer, head)]
        return maps[0] if len(maps) == 1 else mean(maps)

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

    @cached_property
    def scores(self) -> np.ndarray:
        """Scores (names, layers, heads) of every head, in the order of `score_names`."""
        names = score_names(self.attention)
        table = np.empty((len(names), self.attention.depth, self.attention.heads))
        for layer, heads in enumerate(self.attention.layers):
            for head, weights in enumerate(heads):
                totals = weights.sum(axis=1, dtype=float)
                for k, name in enumerate(names):
                    table[k, layer, head] = score(name, weights, totals, self.attention)
        return table


def score_names(attention: Attention) -> list[str]:
    """The scores that make sense here."""
    names = ["entropy"]
    if attention.same and len(attention.queries) > 1:
        names += ["previous", "itself"] if attention.causal else list(SHIFTS)
    names.append("first")
    if attention.keys.special:
        names.append("special")
    return [*names, "error"] if attention.gold else names


def score(name: str, weights: np.ndarray, totals: np.ndarray, attention: Attention) -> float:
    """One head's score: mean entropy in bits, a mean weight, or the error rate of its links.

    Means are over the queries that have such a key and whose row is not all zeros.
    """
    if name == "error":
        return error_rate(best_links(weights, attention), *attention.gold)
    looks = totals > 0
    if name == "entropy":
        values = entropy(weights, totals)
    elif name in SHIFTS:
        shift = SHIFTS[name]
        values = np.diagonal(weights, shift)
        looks = looks[max(0, -shift) : len(looks) - max(0, shift)]
    elif name == "first":
        values = weights[:, 0]
    else:
        values = weights[:, attention.keys.special].sum(axis=1, dtype=float)
    values = values[looks]
    return float(values.sum(dtype=float)) / len(values) if len(values) else 0.0


def entropy(weights: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Entropy of each row in bits, scaled to 1 first; 0 for a row of zeros."""
    weights = weights.astype(np.float32) if weights.dtype.itemsize < 4 else weights
    logs = np.log(np.maximum(weights, np.finfo(np.float32).tiny))
    sums, some = np.einsum("qk,qk->q", weights, logs), np.where(totals > 0, totals, 1)
    return np.maximum(np.log(some) - sums / some, 0) / math.log(2)


def best_links(weights: np.ndarray, attention: Attention) -> set[tuple[int, int]]:
    """The link of each query to its strongest key, special tokens and rows of zeros left out."""
    best = weights.argmax(axis=1).tolist()
    queries = set(range(len(best))) - set(attention.queries.special)
    special = set(attention.keys.special)
    return {(q, best[q]) for q in queries if best[q] not in special and weights[q, best[q]] > 0}


def error_rate(links: set, sure: set, possible: set) -> float:
    """Alignment error rate 1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003, section 6).

    0 where there are neither links nor sure ones.
    """
    size = len(links) + len(sure)
    return 1 - (len(links & sure) + len(links & possible)) / size if size else 0.0
