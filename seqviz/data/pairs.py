"""A sentence and its translation, with the links between their words."""

import re
from dataclasses import dataclass

from seqviz.arguments import checked_type

POSITIONS = r"(\d+(?:,\d+)*)"
LINKED = re.compile(rf"([^/\s]+)(?:/(?=[\d?]){POSITIONS}?(?:\?{POSITIONS})?)?")
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

    @property
    def line(self) -> str:
        """The pair as a line of a data set's file: source, tab, target words with their links.

        "du/3?4" is linked to source word 3 for sure and possibly to 4, "a/?7" possibly to 7.
        """
        return f"{' '.join(self.source)}\t{' '.join(map(self._linked, range(len(self.target))))}"

    def _linked(self, t: int) -> str:
        sure = ",".join(str(s) for s in sorted(s for at, s in self.sure if at == t))
        extra = sorted(s for at, s in self.possible - self.sure if at == t)
        possible = f"?{','.join(map(str, extra))}" if extra else ""
        return f"{self.target[t]}/{sure}{possible}" if sure or extra else self.target[t]

    @classmethod
    def from_line(cls, line: str) -> "Pair":
        """The pair of a line of a data set's file.

        Raises
        ------
        ValueError
            If the line is no such pair, or a link points outside of the source.
        """
        checked_type("line", line, str, "a line of the data set's file")
        source, *targets = line.split("\t")
        words = source.split()
        found = [LINKED.fullmatch(token) for token in " ".join(targets).split()]
        if not (len(targets) == 1 and words and found and all(found)):
            raise ValueError(
                "line must be a source, a tab and target words, each with its links or without "
                f"(word, word/3, word/3?4 or word/?4), got {line!r}"
            )
        sure = {(t, s) for t, match in enumerate(found) for s in _positions(match[2])}
        possible = sure | {(t, s) for t, match in enumerate(found) for s in _positions(match[3])}
        outside = [s for _, s in possible if s >= len(words)]
        if outside:
            raise ValueError(
                f"line must have links to source words 0 to {len(words) - 1}, "
                f"one is to {max(outside)}, got {line!r}"
            )
        return cls(tuple(words), tuple(m[1] for m in found), frozenset(sure), frozenset(possible))


def _positions(text: str | None) -> list[int]:
    return [int(number) for number in text.split(",")] if text else []
