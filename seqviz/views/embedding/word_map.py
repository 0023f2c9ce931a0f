"""The words of the map and their neighbours, of which some are not among them: guests."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqviz.views.embedding.plane import Plane, plane_of
from seqviz.views.embedding.questions import Answer
from seqviz.views.embedding.values import Lexicon
from seqviz.views.shared.codec import packed

NEIGHBOURS = 10
FAR = 10  # a neighbour looks far if a tenth of the map's words lie nearer
LEAST_FAR = 3  # of a small map as many words as this


@dataclass(frozen=True)
class WordMap:
    """S words in a plane, and what is near them in all directions.

    Attributes
    ----------
    lexicon : Lexicon
    plane : Plane
        Of the S words.
    ids : array, (W,)
        Places in the lexicon: the S words, then their neighbours, then the neighbours of those.
    points : array, (W, 2)
        Where they lie in the plane, float32.
    near : array, (K, k)
        Places of the nearest words of the first K of `ids`, which are the words and their guests.
    cosines : array, (K, k)
        float32.
    count : int
        S.
    """

    lexicon: Lexicon
    plane: Plane
    ids: np.ndarray
    points: np.ndarray
    near: np.ndarray
    cosines: np.ndarray
    count: int

    @cached_property
    def local(self) -> dict[int, int]:
        """The number here of a place in the lexicon."""
        return {place: k for k, place in enumerate(self.ids.tolist())}

    @cached_property
    def far(self) -> int:
        """So many words of the map lie nearer to a word than one that looks far."""
        return max(LEAST_FAR, round(self.count / FAR))

    def holds(self, place: int) -> bool:
        """Whether the neighbours of a word were counted beforehand."""
        return self.local.get(place, len(self.near)) < len(self.near)

    def at(self, place: int) -> np.ndarray:
        """Where a word lies in the plane."""
        if place in self.local:
            return self.points[self.local[place]]
        return self.plane.at(self.lexicon.units[place : place + 1])[0]

    def ten(self, place: int) -> tuple[list[int], list[float]]:
        """The nearest words, places and cosines."""
        if self.holds(place):
            k = self.local[place]
            return self.near[k].tolist(), self.cosines[k].tolist()
        ids, cosines = self.lexicon.nearest([place], self.near.shape[1])
        return ids[0].tolist(), cosines[0].tolist()

    def packed(self, groups: list[int]) -> bytes:
        """All words with their points; the neighbours of the first; the groups of the map's."""
        near = np.vectorize(self.local.__getitem__)(self.near)
        return self._packed(self.ids, near=near, cosines=self.cosines, groups=np.array(groups))

    def packed_pairs(self) -> bytes:
        """Cosines of two words of the map: those of the second with the first, and so on."""
        units = self.lexicon.units[self.ids[: self.count]]
        return packed(cosines=(units @ units.T)[np.tril_indices(self.count, -1)])

    def packed_word(self, place: int) -> bytes:
        """A word and its neighbours, with the cosines of these."""
        ids, cosines = self.ten(place)
        return self._packed([place, *ids], cosines=np.array(cosines))

    def packed_answer(self, answer: Answer) -> bytes:
        """The words of an answer, the three inputs first, and its rows."""
        ids = [*dict.fromkeys([*answer.question.inputs, *answer.ids.tolist()])]
        rows = np.array([ids.index(k) for k in answer.ids])
        return self._packed(ids, rows=rows, ranks=answer.ranks, cosines=answer.cosines)

    def _packed(self, ids: Sequence[int], **values) -> bytes:
        """Words with where they lie in the plane, and more."""
        words = [self.lexicon.words[k] for k in ids]
        return packed(words=words, points=np.array([self.at(k) for k in ids]), **values)


def map_of(lexicon: Lexicon, shown: Sequence[int]) -> WordMap:
    """Lay words in a plane, and count their neighbours and those of their guests."""
    k = min(NEIGHBOURS, len(lexicon.words) - 1)
    own, own_cosines = lexicon.nearest(shown, k)
    guests = new(own, shown)
    theirs, their_cosines = lexicon.nearest(guests, k)
    walk = [*shown, *guests]
    ids = np.array([*walk, *new(theirs, walk)])
    plane = plane_of(lexicon.units[list(shown)])
    return WordMap(
        lexicon,
        plane,
        ids,
        plane.at(lexicon.units[ids]),
        np.concatenate([own, theirs]),
        np.concatenate([own_cosines, their_cosines]),
        len(shown),
    )


def new(ids: np.ndarray, known: Sequence[int]) -> list[int]:
    """Those that are not known, each once."""
    return np.setdiff1d(ids, known).tolist()
