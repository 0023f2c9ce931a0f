"""What the page shows of a map: words merged, special tokens hidden; step by step as there."""

from dataclasses import dataclass

import numpy as np

from seqviz.view.attention_explorer.values import Attention
from seqviz.view.attention_explorer.words import Tokens


@dataclass(frozen=True)
class Side:
    """The rows or columns on screen: the first token of each, its text, whether it is special."""

    starts: list[int]
    texts: list[str]
    special: list[bool]
    runs: list[range]

    def place(self, token: int) -> int | None:
        """The row that holds a token, None if it is hidden."""
        return next((k for k, run in enumerate(self.runs) if token in run), None)


@dataclass(frozen=True)
class Shown:
    """A map as it stands on screen, float64 (rows, columns); `how` says what was done to it."""

    weights: np.ndarray
    queries: Side
    keys: Side
    how: tuple[str, ...] = ()


def shown(kind: Attention, weights: np.ndarray, words: bool, specials: str) -> Shown:
    """Make what the page makes of a decoded map (Q, K), in the same order and arithmetic.

    Merge words (keys added, then queries averaged); drop special rows and columns; scale rows to
    1 again for "renormalised".
    """
    sides = [_side(tokens, words) for tokens in (kind.queries, kind.keys)]
    if words:
        queries, keys = (side.runs for side in sides)
        weights = _added(weights.T, keys).T
        weights = _added(weights, queries) / np.array([len(run) for run in queries])[:, None]
    if specials != "shown":
        kept = [_kept(side) for side in sides]
        weights = weights[np.ix_(*kept)]
        sides = [_part(side, which) for side, which in zip(sides, kept, strict=True)]
    if specials == "renormalised":
        totals = np.cumsum(weights, axis=1)[:, -1:]
        weights = np.where(totals > 0, weights / np.where(totals > 0, totals, 1), weights)
    how = {"words": words, "hidden": specials != "shown", "scaled": specials == "renormalised"}
    return Shown(weights, *sides, tuple(name for name, done in how.items() if done))


def _side(tokens: Tokens, words: bool) -> Side:
    runs = [range(k, k + 1) for k in range(len(tokens))]
    texts = tokens.tokens
    if words and tokens.words:
        starts = [k for k in range(len(tokens)) if k == 0 or tokens.words[k] != tokens.words[k - 1]]
        runs = [range(*ends) for ends in zip(starts, [*starts[1:], len(tokens)], strict=True)]
        texts = tokens.texts
    special = [all(k in tokens.special for k in run) for run in runs]
    return Side([run[0] for run in runs], texts, special, runs)


def _added(weights: np.ndarray, runs: list[range]) -> np.ndarray:
    """Rows of each run added up, in order."""
    total = weights[[run[0] for run in runs]]
    for k, run in enumerate(runs):
        for row in run[1:]:
            total[k] += weights[row]
    return total


def _kept(side: Side) -> list[int]:
    """What is left without special tokens; if that is nothing, everything."""
    plain = [k for k, special in enumerate(side.special) if not special]
    return plain or list(range(len(side.runs)))


def _part(side: Side, which: list[int]) -> Side:
    return Side(*([values[k] for k in which] for values in vars(side).values()))
