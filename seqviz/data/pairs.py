"""A sentence and its translation, with the links between their words."""

from dataclasses import dataclass

from seqviz.arguments import checked_type

Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation.

    Parameters
    ----------
    source, target : tuple of str
        The sentence and its translation, split.
    sure, possible : frozenset of (int, int)
        Links (target, source), positions from 0: what a person is sure of, and what may be linked
        as well. `possible` contains `sure` (Och and Ney 2003). Both are empty where nobody has
        written links down.

    Raises
    ------
    TypeError
        If a sentence is no tuple of words, or the links no frozenset.
    ValueError
        If a sure link is not among the possible ones.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: Links = frozenset()
    possible: Links = frozenset()

    def __post_init__(self):
        for name in ("source", "target"):
            checked_type(name, getattr(self, name), tuple, "a tuple of words: use tuple(...)")
        for name in ("sure", "possible"):
            checked_type(
                name, getattr(self, name), frozenset, "a frozenset of links (target, source)"
            )
        if not self.sure <= self.possible:
            raise ValueError(
                "possible must contain every sure link, "
                f"missing are {sorted(self.sure - self.possible)}; use sure | possible"
            )
