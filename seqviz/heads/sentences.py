"""A sentence as heads are scored on it: its words, and which pairs of them are what."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqviz.pieces import pieces_of

RELATIONS = (
    "previous",
    "next",
    "itself",
    "first",
    "separator",
    "punctuation",
    "same",
    "induction",
)
# What a pair of query and key counts as: the first of these that holds.
PLACES = (
    "first",
    "separator",
    "itself",
    "same",
    "previous",
    "next",
    "induction",
    "punctuation",
    "near",
    "far",
)
NEAR = 4  # words away


@dataclass(frozen=True)
class Sentence:
    """The words of a sentence.

    Attributes
    ----------
    texts : list of str
        As people read them.
    special : array of bool
        Which ones are of no text, such as [CLS].
    starts : array of int
        The token with which each begins.
    """

    texts: list[str]
    special: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def queries(self) -> np.ndarray:
        """Places of the words that are asked about: all but the first token and special ones."""
        return np.flatnonzero(~self.special & (np.arange(len(self)) > 0))

    @cached_property
    def same(self) -> list[str]:
        """What is equal for the same word, however it is written."""
        return [text.casefold() for text in self.texts]

    def joined(self, maps: np.ndarray) -> np.ndarray:
        """Weights (head, token, token) as (head, word, word).

        A word is attended to with the weights of all its pieces, and attends as they do on average.
        """
        tokens = maps.shape[-1]
        if len(self) == tokens:
            return maps
        sizes = np.diff([*self.starts, tokens])
        columns = np.add.reduceat(maps, self.starts, axis=2)
        return np.add.reduceat(columns, self.starts, axis=1) / sizes[:, None]

    @cached_property
    def offsets(self) -> np.ndarray:
        """How many words the key stands behind the query, negative in front of it."""
        place = np.arange(len(self))
        return place - place[:, None]

    def relations(self) -> np.ndarray:
        """Which pairs (relation, query, key) are in each of `RELATIONS`."""
        pairs = self._pairs()
        return np.stack([pairs[name] for name in RELATIONS])

    def places(self) -> np.ndarray:
        """Which one of `PLACES` each pair (query, key) is, by number."""
        pairs = self._pairs()
        rest = np.abs(self.offsets) <= NEAR
        pairs |= {"near": rest, "far": ~rest}
        return np.select([pairs[name] for name in PLACES], range(len(PLACES)))

    def _pairs(self) -> dict[str, np.ndarray]:
        """By name the pairs of two places that are in a relation; keys are words where it says."""
        n, offsets, special = len(self), self.offsets, self.special
        word = np.zeros(n, bool)
        word[self.queries] = True
        _, number = np.unique(self.same, return_inverse=True)
        marks = np.array([not any(map(str.isalnum, text)) for text in self.texts])
        to_word = np.broadcast_to(word, (n, n))
        same = (number == number[:, None]) & to_word & word[:, None] & (offsets != 0)
        after = np.zeros((n, n), bool)
        after[:, 1:] = (same & (offsets < 0))[:, :-1]
        first = np.arange(n) == 0
        return {
            "previous": (offsets == -1) & to_word,
            "next": (offsets == 1) & to_word,
            "itself": offsets == 0,
            "first": np.broadcast_to(first, (n, n)),
            "separator": np.broadcast_to(special & ~first, (n, n)),
            "punctuation": (marks & word) & (offsets != 0),
            "same": same,
            "induction": after & to_word & (offsets != 0),
        }


def sentence_of(
    tokens: Sequence[str],
    special: Collection[str] = (),
    words: Sequence[int | None] | None = None,
) -> Sentence:
    """Return a sentence with its pieces joined to words.

    Parameters
    ----------
    tokens : sequence of str
        With the marks of their tokenizer.
    special : collection of str
        Tokens that are of no text.
    words : sequence of int or None, optional
        The number of the word of each token; without it the marks of pieces tell.

    Examples
    --------
    >>> sentence_of(["[CLS]", "un", "##seen", "films", "[SEP]"], ["[CLS]", "[SEP]"]).texts
    ['[CLS]', 'unseen', 'films', '[SEP]']
    """
    marked = [k for k, token in enumerate(tokens) if token in special]
    found = pieces_of(tokens, marked)
    starts = found.starts
    if words is not None:
        before = [None, *words[:-1]]
        starts = [one is None or one != last for one, last in zip(words, before, strict=True)]
    at = np.flatnonzero(starts)
    return Sentence(found.words(starts), np.isin(at, marked), at)
