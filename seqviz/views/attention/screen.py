"""What the scores and thumbnails of heads are of: words merged, special tokens hidden."""

from dataclasses import dataclass

import numpy as np

from seqviz.views.attention.values import Attention
from seqviz.views.attention.words import ALL, Segments, Tokens, sides_of


@dataclass(frozen=True)
class Side:
    """The rows or columns: the tokens of each, and whether all of these are special."""

    runs: list[range]
    special: list[bool]

    def part(self, which: list[int]) -> "Side":
        """Some of the rows."""
        return Side([self.runs[k] for k in which], [self.special[k] for k in which])


class Screen:
    """Makes of maps of a kind what is on screen.

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
        self.gone = sorted(set(range(len(self.merged[1].runs))) - set(self.kept[1]))
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

    def shown(self, weights: np.ndarray) -> np.ndarray:
        """Return what is shown (..., rows, columns) of maps (..., Q, K)."""
        if self.words:
            weights = self.merged_weights(weights.astype(float))
        rows, columns = self.kept
        if (self.specials, self.between) != ("shown", ALL):
            weights = weights[..., rows, :][..., columns]
        if self.specials == "renormalised":
            totals = np.cumsum(weights, axis=-1, dtype=float)[..., -1]
            weights = weights / np.where(totals > 0, totals, 1)[..., None]
        return weights


def _side(tokens: Tokens, words: bool) -> Side:
    size = len(tokens)
    starts = list(range(size))
    if words and tokens.words:
        starts = [k for k in starts if k == 0 or tokens.words[k] != tokens.words[k - 1]]
    runs = [range(*ends) for ends in zip(starts, [*starts[1:], size], strict=True)]
    marked = set(tokens.special)
    return Side(runs, [marked.issuperset(run) for run in runs])


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
    return [k for k in plain if segments[side.runs[k][0]] == text] or plain
