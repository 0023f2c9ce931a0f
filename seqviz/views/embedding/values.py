"""The whole table of word vectors, checked; cosines are counted here, in all its directions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from seqviz.pieces import distinct
from seqviz.views.shared.checking import different, line, numbers, strings

LEAST_WORDS, MOST_SHOWN, FIRST_SHOWN = 4, 500, 150
MOST_GROUPS = 5
BLOCK = 32  # words whose cosines with all the others are held at once


@dataclass(frozen=True)
class Lexicon:
    """n words, all different, and their vectors at length 1.

    Attributes
    ----------
    words : tuple of str
        Without the marks of their tokenizer, as far as they differ without them.
    units : array, (n, d)
        float32.
    given : tuple of str
        With marks.
    """

    words: tuple[str, ...]
    units: np.ndarray
    given: tuple[str, ...] = ()

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each word, with its marks and without."""
        return {word: k for words in (self.given, self.words) for k, word in enumerate(words)}

    def place(self, where: str, word: str) -> int:
        """The place of a word."""
        if not isinstance(word, str):
            raise TypeError(f"{where}: expected a word, came {type(word).__name__} {word!r}")
        if word in self.places:
            return self.places[word]
        close = get_close_matches(word.lower(), self.words, n=3, cutoff=0.6)
        fix = (
            f"nearest in spelling: {', '.join(map(repr, close))}" if close else "check its letters"
        )
        raise ValueError(f"{where}: {word!r} is none of the {len(self.words):,} words: {fix}")

    def cosines(self, vector: np.ndarray) -> np.ndarray:
        """Cosine of every word with a vector, (n,)."""
        return self.units @ (vector / np.linalg.norm(vector))

    def nearest(self, rows: Sequence[int], k: int) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest words of each of R words, itself left out: places and cosines, (R, k)."""
        n = len(self.words)
        ids = np.empty((len(rows), k), int)
        cosines = np.empty((len(rows), k), np.float32)
        for start in range(0, len(rows), BLOCK):
            block = np.asarray(rows[start : start + BLOCK])
            found = self.units[block] @ self.units.T
            found[np.arange(len(block)), block] = -2  # a word is not its own neighbour
            best = np.sort(np.argpartition(found, n - k, axis=1)[:, n - k :], axis=1)
            values = np.take_along_axis(found, best, axis=1)
            order = np.argsort(-values, axis=1, kind="stable")
            ids[start : start + BLOCK] = np.take_along_axis(best, order, axis=1)
            cosines[start : start + BLOCK] = np.take_along_axis(values, order, axis=1)
        return ids, cosines


def lexicon_of(words, vectors) -> Lexicon:
    """Check words and vectors."""
    words = strings("words", words)
    if "" in different("words", words, "keep one of both rows"):
        k = words.index("")
        raise ValueError(f"words[{k}] is empty, expected a word: leave its row of vectors out")
    array = numbers("vectors", vectors)
    if array.ndim != 2 or len(array) != len(words) or array.shape[1] < 2:
        raise ValueError(
            f"vectors: expected a row for each of {len(words):,} words, of at least 2 numbers, "
            f"came shape {array.shape}"
        )
    if len(words) < LEAST_WORDS:
        raise ValueError(f"words: expected at least {LEAST_WORDS}, came {len(words)}")
    lengths = np.sqrt(np.einsum("nd,nd->n", array, array))[:, None]
    for k in np.flatnonzero(lengths == 0):
        raise ValueError(
            f"vectors[{k}], of {words[k]!r}, is zero, which has no direction: leave the word out"
        )
    array /= lengths  # a copy of ours: a large table stands in memory once
    return Lexicon(tuple(distinct(words)), array, tuple(words))


def groups_of(given, lexicon: Lexicon) -> dict[str, list[int]]:
    """Check the groups: the places of the words of each."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"groups: expected a mapping from names to words, came {given!r:.80}")
    if len(given) > MOST_GROUPS:
        raise ValueError(f"groups: expected at most {MOST_GROUPS}, came {len(given)}")
    found, owner = {}, {}
    for name, words in given.items():
        where = f"groups[{name!r}]"
        line("groups, a name", name)
        found[name] = [lexicon.place(where, word) for word in strings(where, words)]
        if not found[name]:
            raise ValueError(f"{where}: expected at least one word, came none")
        for k in found[name]:
            if owner.setdefault(k, name) != name:
                raise ValueError(
                    f"{where}: {lexicon.words[k]!r} is in groups[{owner[k]!r}], too: a word has "
                    "one shape"
                )
    return found


def shown_of(given, groups: Mapping[str, list[int]], lexicon: Lexicon) -> list[int]:
    """Check the words of the map: those that were named, else of the groups, else the first."""
    members = [k for places in groups.values() for k in places]
    if given is not None:
        places = [lexicon.place("shown", word) for word in strings("shown", given)]
    else:
        places = members or list(range(min(FIRST_SHOWN, len(lexicon.words))))
    shown = list(dict.fromkeys(places))
    if not LEAST_WORDS <= len(shown) <= MOST_SHOWN:
        raise ValueError(
            f"shown: expected {LEAST_WORDS} to {MOST_SHOWN} different words, came {len(shown)}"
        )
    for name, places in groups.items():
        if lacking := set(places) - set(shown):
            word = lexicon.words[min(lacking)]
            raise ValueError(f"groups[{name!r}]: {word!r} is not in shown: name it there, too")
    return shown
