"""What the page shows of a map: words merged, special tokens hidden; step by step as there."""

from dataclasses import dataclass, replace

import numpy as np

from seqviz.views.attention.segments import ALL, Segments, sides_of
from seqviz.views.attention.values import Attention
from seqviz.views.attention.words import Tokens


@dataclass(frozen=True)
class Side:
    """The rows or columns on screen: the first token of each, its text, whether it is special."""

    starts: list[int]
    texts: list[str]
    special: list[bool]
    runs: list[range]

    def part(self, which: list[int]) -> "Side":
        """Some of the rows."""
        return Side(*([values[k] for k in which] for values in vars(self).values()))

    def place(self, token: int) -> int | None:
        """The row that holds a token, None if it is hidden."""
        return next((k for k, run in enumerate(self.runs) if token in run), None)


@dataclass(frozen=True)
class Shown:
    """Maps as they stand on screen, (..., rows, columns).

    `words`, `specials` and `between` say what was done; a difference is `signed`.
    """

    weights: np.ndarray
    queries: Side
    keys: Side
    words: bool = False
    specials: str = "shown"
    between: str = ALL
    signed: bool = False

    def minus(self, other: "Shown") -> "Shown":
        """The difference of two maps over the same rows and columns."""
        return replace(self, weights=self.weights.astype(float) - other.weights, signed=True)

    def written(self, step: int) -> "Shown":
        """The rows that a decoder has written by a step; a word counts when all its pieces do."""
        which = [k for k, run in enumerate(self.queries.runs) if run.stop <= step]
        weights = self.weights[..., : len(which), :]
        return replace(self, weights=weights, queries=self.queries.part(which))


class Screen:
    """Makes of any map of a kind what is on screen, in the order and arithmetic of the page.

    Words are merged (keys added, then queries averaged); special rows and columns leave, and those
    of other texts than `between` says; for "renormalised" the rest of a row is scaled to 1.
    """

    def __init__(self, kind: Attention, words: bool, specials: str, between: str = ALL) -> None:
        self.words, self.specials, self.between = kind.state(words, specials, between)
        texts = kind.queries, kind.keys
        self.merged = [_side(tokens, self.words) for tokens in texts]
        self.kept = [
            _kept(side, self.specials != "shown", tokens.segments, text)
            for side, tokens, text in zip(self.merged, texts, sides_of(self.between), strict=True)
        ]
        self.gone = tuple(sorted(set(range(len(self.merged[1].runs))) - set(self.kept[1])))
        self.queries, self.keys = (
            side.part(which) for side, which in zip(self.merged, self.kept, strict=True)
        )

    def merged_weights(self, weights: np.ndarray) -> np.ndarray:
        """Maps (..., Q, K) with pieces added up and averaged to words, if these are shown."""
        if not self.words:
            return weights
        queries, keys = (side.runs for side in self.merged)
        counts = np.array([len(run) for run in queries], weights.dtype)
        merged = _added(_added(weights, keys, -1), queries, -2)
        merged /= counts[:, None]
        return merged

    def shown(self, weights: np.ndarray) -> Shown:
        """Return what is shown of maps (..., Q, K)."""
        if self.words:
            weights = self.merged_weights(weights.astype(float))
        rows, columns = self.kept
        if (self.specials, self.between) != ("shown", ALL):
            weights = weights[..., rows, :][..., columns]
        if self.specials == "renormalised":
            totals = np.cumsum(weights, axis=-1, dtype=float)[..., -1]
            weights = weights / np.where(totals > 0, totals, 1)[..., None]
        return self.named(weights)

    def named(self, weights: np.ndarray) -> Shown:
        """Weights (..., rows, columns) with the names of their rows and columns."""
        return Shown(weights, self.queries, self.keys, self.words, self.specials, self.between)


def _side(tokens: Tokens, words: bool) -> Side:
    runs = [range(k, k + 1) for k in range(len(tokens))]
    texts = tokens.tokens
    if words and tokens.words:
        starts = [k for k in range(len(tokens)) if k == 0 or tokens.words[k] != tokens.words[k - 1]]
        runs = [range(*ends) for ends in zip(starts, [*starts[1:], len(tokens)], strict=True)]
        texts = tokens.texts
    marked = set(tokens.special)
    special = [marked.issuperset(run) for run in runs]
    return Side([run[0] for run in runs], texts, special, runs)


def _added(weights: np.ndarray, runs: list[range], axis: int) -> np.ndarray:
    """The entries of each run along an axis added up, in order."""
    total = weights.take([run[0] for run in runs], axis)
    onto, each = np.moveaxis(total, axis, 0), np.moveaxis(weights, axis, 0)
    for step in range(1, max(map(len, runs))):
        longer = [k for k, run in enumerate(runs) if len(run) > step]
        onto[longer] += each[[runs[k][step] for k in longer]]
    return total


def _kept(side: Side, hides: bool, segments: Segments | None, text: int | None) -> list[int]:
    """What is left without special tokens, if it `hides` them, and of one text alone, if one is
    said; each as long as anything is left.
    """
    kept = list(range(len(side.runs)))
    plain = [k for k in kept if not (hides and side.special[k])] or kept
    if text is None:
        return plain
    return [k for k in plain if segments[side.starts[k]] == text] or plain
