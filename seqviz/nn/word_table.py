"""A table of words and their vectors, to be asked: which are near, what is a to b as c is to?"""

from collections.abc import Sequence
from difflib import get_close_matches

import torch
from torch import Tensor

from seqviz.arguments import (
    checked_floats,
    checked_integer,
    checked_type,
    checked_words,
    refuse_meta,
)


class WordVectors:
    """Words and their vectors; near means a large cosine.

    Parameters
    ----------
    words : sequence of str
        Each once.
    vectors : Tensor
        (words, dim), float: a row for each, none of them zero, which has no direction.

    Raises
    ------
    TypeError
        If `words` is no list of strings, or `vectors` no float tensor.
    ValueError
        If there is no word, one comes twice, the numbers of words and rows differ, or a row is
        zero or not finite.
    """

    def __init__(self, words: Sequence[str], vectors: Tensor):
        self.words = checked_words("words", words)
        checked_floats("vectors", vectors, " (words, dim)")
        refuse_meta("vectors", vectors)
        if not self.words or vectors.dim() != 2 or len(vectors) != len(self.words):
            raise ValueError(
                f"vectors must be (words, dim) with a row for each of {len(self.words)} words, at "
                f"least one, got {tuple(vectors.shape)}"
            )
        self.vectors = vectors.detach()
        self._row = {word: row for row, word in enumerate(self.words)}
        if len(self._row) < len(self.words):
            twice = next(word for row, word in enumerate(self.words) if self._row[word] != row)
            raise ValueError(f"words must hold each word once, got {twice!r} twice")
        length = self.vectors.norm(dim=1, keepdim=True)
        for row in (~(length.isfinite() & (length > 0))).flatten().nonzero().flatten()[:1].tolist():
            raise ValueError(
                f"vectors must be finite and none zero, got {self.vectors[row, :3].tolist()} ... "
                f"for {self.words[row]!r}: leave this word out"
            )
        unit = bool((length - 1).abs().max() < 1e-6)  # then they are their own directions
        self._directions = self.vectors if unit else self.vectors / length

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._row

    def __repr__(self) -> str:
        return f"WordVectors: {len(self):,} words, {self.vectors.shape[1]} numbers each"

    def vector(self, word: str) -> Tensor:
        """Return the vector of a word, (dim,).

        Raises
        ------
        TypeError
            If `word` is no string.
        ValueError
            If it is not in the table; the message has the words that are spelled most alike.
        """
        return self.vectors[self._find("word", word)]

    def similarity(self, a: str, b: str) -> float:
        """Return the cosine of two words, from -1 to 1.

        Raises
        ------
        TypeError, ValueError
            As from :meth:`vector`.
        """
        return float(self._directions[self._find("a", a)] @ self._directions[self._find("b", b)])

    def nearest(self, to: str | Tensor, k: int = 10) -> list[tuple[str, float]]:
        """Return the k words with the largest cosine, nearest first.

        Parameters
        ----------
        to : str or Tensor
            A word of the table, which is then left out, or a vector (dim,).
        k : int
            How many; all that there are where that is less.

        Returns
        -------
        list of (str, float)
            Words and their cosines.

        Raises
        ------
        TypeError
            If `to` is neither, or `k` no integer.
        ValueError
            If the word is not in the table, the vector has another size or is zero, or `k` is below
            one.
        """
        if isinstance(to, Tensor):
            return self._first(self._cosines(to), k)
        row = self._find("to", to)
        return self._first(self._cosines(self.vectors[row], [row]), k)

    def analogy(self, a: str, b: str, c: str, k: int = 10) -> list[tuple[str, float]]:
        """Return the k words nearest to b - a + c: a is to b as c is to which?

        a, b and c themselves are left out; without that, one of them is nearly always the nearest.
        The vectors are taken at length 1 (Mikolov et al. 2013, "Linguistic Regularities").

        Parameters
        ----------
        a, b, c : str
            "man", "king", "woman" ask for "queen".
        k : int
            How many.

        Returns
        -------
        list of (str, float)
            Words and their cosines with the sum.

        Raises
        ------
        TypeError
            If a word is no string, or `k` no integer.
        ValueError
            If a word is not in the table, `k` is below one, or a is b or c: then the sum is the
            third word itself.
        """
        return self._first(self._sum_cosines(a, b, c), k)

    def rank(self, a: str, b: str, c: str, expected: str) -> int:
        """Return the place of a word among the answers of :meth:`analogy`, from 1.

        Of words that are equally near it is the last place.

        Raises
        ------
        TypeError
            If a word is no string.
        ValueError
            If one is not in the table, or `expected` is one of the other three.
        """
        row = self._find("expected", expected)
        cosines = self._sum_cosines(a, b, c)
        if expected in (a, b, c):
            raise ValueError(f"expected must be none of {a!r}, {b!r} and {c!r}, got {expected!r}")
        return int((cosines >= cosines[row]).sum())

    def centred(self) -> "WordVectors":
        """Return the table with the mean of all vectors taken off, and each of length 1.

        Most tables have a direction that all words share; it makes every cosine larger and says
        nothing (Mu and Viswanath 2018).
        """
        moved = self.vectors - self.vectors.mean(dim=0)
        return WordVectors(self.words, moved / moved.norm(dim=1, keepdim=True))

    def _sum_cosines(self, a: str, b: str, c: str) -> Tensor:
        rows = [self._find(name, word) for name, word in (("a", a), ("b", b), ("c", c))]
        if a in (b, c):
            raise ValueError(
                f"a must be another word than b and c, got {a!r} twice: then b - a + c is an input "
                "word itself"
            )
        from_, to, start = self._directions[rows]
        return self._cosines(to - from_ + start, rows)

    def _cosines(self, vector: Tensor, without: Sequence[int] = ()) -> Tensor:
        """The cosine of each word with a vector, -inf for words that are left out."""
        dim = self.vectors.shape[1]
        if vector.shape != (dim,) or not vector.is_floating_point():
            raise ValueError(
                f"to must be a float vector ({dim},), got {vector.dtype} {tuple(vector.shape)}"
            )
        length = vector.norm()
        if not 0 < length < torch.inf:
            raise ValueError(f"to must be finite and not zero, got a vector of length {length:g}")
        cosines = self._directions @ (vector.to(self._directions) / length)
        cosines[list(without)] = -torch.inf
        return cosines

    def _first(self, cosines: Tensor, k: int) -> list[tuple[str, float]]:
        there = int((cosines > -torch.inf).sum())
        values, rows = cosines.topk(min(checked_integer("k", k, 1), there))
        return [(self.words[r], v) for r, v in zip(rows.tolist(), values.tolist(), strict=True)]

    def _find(self, name: str, word: str) -> int:
        checked_type(name, word, str, "a word of the table")
        if word not in self._row:
            alike = get_close_matches(word, self.words, n=3, cutoff=0.6)
            fix = f"spelled alike: {', '.join(alike)}" if alike else "no word is spelled alike"
            raise ValueError(
                f"{name} must be one of the {len(self):,} words of the table, got {word!r}; {fix}"
            )
        return self._row[word]
