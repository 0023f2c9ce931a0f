"""Scores of heads, of what is on screen: words merged, special tokens hidden, rows rescaled."""

import math

import numpy as np

from seqviz.view.attention_explorer.shown import Screen, Shown, Side
from seqviz.view.attention_explorer.values import Attention

SHIFTS = {"previous": -1, "itself": 0, "next": 1}


def score_names(attention: Attention) -> list[str]:
    """The scores that make sense here."""
    names = ["entropy"]
    if attention.same and len(attention.queries) > 1:
        names += ["previous", "itself"] if attention.causal else list(SHIFTS)
    names.append("first")
    if attention.keys.special:
        names.append("special")
    return [*names, "error"] if attention.gold else names


def scores(attention: Attention, screen: Screen) -> np.ndarray:
    """Scores (names, layers, heads) of every head, in the order of `score_names`."""
    names = score_names(attention)
    gold = attention.gold and [_between(links, screen) for links in attention.gold]
    table = np.empty((len(names), attention.depth, attention.heads))
    for layer, heads in enumerate(attention.layers):
        for head, weights in enumerate(heads):
            picture = screen.shown(weights)
            totals = picture.weights.sum(axis=1, dtype=float)
            for k, name in enumerate(names):
                table[k, layer, head] = score(name, picture, totals, gold)
    return table


def score(name: str, picture: Shown, totals: np.ndarray, gold) -> float:
    """One head's score: mean entropy in bits, a mean weight, or the error rate of its links.

    Means are over the queries that have such a key and whose row is not all zeros. The weight on
    special tokens is the one before these left and the rest was scaled to 1.
    """
    if name == "error":
        return error_rate(best_links(picture), *gold)
    weights, looks = picture.weights, totals > 0
    if name == "entropy":
        values = entropy(weights, totals)
    elif name in SHIFTS:
        shift = SHIFTS[name]
        values = np.diagonal(weights, shift)
        looks = looks[max(0, -shift) : len(looks) - max(0, shift)]
    elif name == "first":
        values = weights[:, 0]
    else:
        values, looks = picture.special, looks | (picture.special > 0)
    values = values[looks]
    return float(values.sum(dtype=float)) / len(values) if len(values) else 0.0


def entropy(weights: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Entropy of each row in bits, scaled to 1 first; 0 for a row of zeros."""
    weights = weights.astype(np.float32) if weights.dtype.itemsize < 4 else weights
    logs = np.log(np.maximum(weights, np.finfo(np.float32).tiny))
    sums, some = np.einsum("qk,qk->q", weights, logs), np.where(totals > 0, totals, 1)
    return np.maximum(np.log(some) - sums / some, 0) / math.log(2)


def best_links(picture: Shown) -> set[tuple[int, int]]:
    """The link of each query to its strongest key, special tokens and rows of zeros left out."""
    best = picture.weights.argmax(axis=1).tolist()
    return {
        (q, k)
        for q, k in enumerate(best)
        if not (picture.queries.special[q] or picture.keys.special[k]) and picture.weights[q, k] > 0
    }


def error_rate(links: set, sure: set, possible: set) -> float:
    """Alignment error rate 1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003, section 6).

    0 where there are neither links nor sure ones.
    """
    size = len(links) + len(sure)
    return 1 - (len(links & sure) + len(links & possible)) / size if size else 0.0


def _between(links: frozenset, screen: Screen) -> set[tuple[int, int]]:
    """Links between the rows and columns on screen; those of hidden tokens are left out."""
    queries, keys = _places(screen.queries), _places(screen.keys)
    return {(queries[q], keys[k]) for q, k in links if q in queries and k in keys}


def _places(side: Side) -> dict[int, int]:
    return {token: place for place, run in enumerate(side.runs) for token in run}
