"""Scores of heads, of what is on screen: words merged, special tokens hidden, rows rescaled."""

import math
from collections import defaultdict

import numpy as np

from seqviz.views.attention.packing import wide
from seqviz.views.attention.screen import Screen, Side
from seqviz.views.attention.values import Attention

Rows = dict[str, tuple[np.ndarray, np.ndarray]]  # name: weights or bits, row totals (heads, rows)
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


def scores(attention: Attention, words: bool) -> dict[str, np.ndarray]:
    """Scores of every head with words or pieces, for each state of the special tokens.

    Tables (names, layers, heads), in the order of `score_names`.
    """
    shown, hidden = (Screen(attention, words, state) for state in ("shown", "hidden"))
    found: dict[str, list[Rows]] = defaultdict(list)
    gone, stay = hidden.gone, hidden.kept[1]
    logs = None  # one array for all layers: a new one costs as much as its logarithms
    for heads in attention.layers:
        weights = shown.merged_weights(wide(heads))
        logs = np.add(weights, np.finfo(np.float32).tiny, out=logs)
        np.log(logs, out=logs)
        left = sums(weights[..., stay], logs[..., stay])
        whole = left + sums(weights[..., gone], logs[..., gone])
        found["shown"].append(rows_of(attention, shown, weights, *whole))
        if hidden.specials == "hidden":
            rows = rows_of(attention, hidden, weights, *left)
            found["hidden"].append(rows)
            found["renormalised"].append(renormalised(rows))
    return {state: table(rows, score_names(attention)) for state, rows in found.items()}


def sums(weights: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """The sums of a and of a ln a of each row, (2, heads, Q)."""
    return np.array([np.einsum("hqk->hq", weights), np.einsum("hqk,hqk->hq", weights, logs)])


def rows_of(
    attention: Attention,
    screen: Screen,
    weights: np.ndarray,
    totals: np.ndarray,
    logarithms: np.ndarray,
) -> Rows:
    """What each score of a layer is the mean of, as is on screen.

    Parameters
    ----------
    attention : Attention
    screen : Screen
    weights : numpy.ndarray
        The layer (heads, Q, K), words merged, special keys still there.
    totals, logarithms : numpy.ndarray
        The sums of a and of a ln a over the keys on screen (heads, Q).
    """
    queries, keys = (np.array(kept) for kept in screen.kept)
    special = weights[..., np.flatnonzero(screen.merged[1].special)].sum(axis=-1, dtype=float)
    bits = entropy(logarithms, totals)
    rows = {
        "entropy": (bits[:, queries], totals[:, queries]),
        "first": (weights[:, queries, keys[0]], totals[:, queries]),
        "special": (special[:, queries], (totals + special)[:, queries]),
    }
    for name, shift in SHIFTS.items() if attention.same else ():
        some = queries[max(0, -shift) : len(queries) - max(0, shift)]
        reached = keys[max(0, shift) : len(keys) - max(0, -shift)]
        rows[name] = weights[:, some, reached], totals[:, some]
    if attention.gold:
        gold = [_between(links, screen) for links in attention.gold]
        maps = weights[:, queries][..., keys]
        rates = np.array([[error_rate(best_links(one, screen), *gold)] for one in maps])
        rows["error"] = rates, np.ones_like(rates)
    return rows


def entropy(sums: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Entropy of each row (heads, Q) in bits, scaled to 1 first; 0 for a row of zeros.

    From the sums of a ln a and of a.
    """
    some = np.where(totals > 0, totals, 1)
    return np.maximum(np.log(some) - sums / some, 0) / math.log(2)


def renormalised(rows: Rows) -> Rows:
    """The same rows scaled to 1; the weight on special tokens is the one before."""
    return {
        name: (values / np.where(totals > 0, totals, 1), totals)
        if name in (*SHIFTS, "first")
        else (values, totals)
        for name, (values, totals) in rows.items()
    }


def table(layers: list[Rows], names: list[str]) -> np.ndarray:
    """Mean of each score over the rows whose total is above 0; 0 without any. The others add 0."""
    scores = []
    for name in names:
        values, totals = (np.stack([rows[name][k] for rows in layers]) for k in (0, 1))
        scores.append(
            values.sum(axis=-1, dtype=float) / np.maximum(np.count_nonzero(totals, axis=-1), 1)
        )
    return np.array(scores)


def best_links(weights: np.ndarray, screen: Screen) -> set[tuple[int, int]]:
    """The link of each query on screen to its strongest key, of a map (rows, columns).

    Special tokens and rows of zeros are left out.
    """
    return {
        (q, k)
        for q, k in enumerate(weights.argmax(axis=1).tolist())
        if not (screen.queries.special[q] or screen.keys.special[k]) and weights[q, k] > 0
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
