"""Checked distributions, the vocabulary they are over, and what a view holds of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from seqviz.pieces import alone, running, together
from seqviz.views.generation.stops import NUCLEUS, TEMPERATURES, kept_by_mass, ranks_of_tail
from seqviz.views.shared.checking import array_of, holds_several, line, spare_of, strings, within
from seqviz.views.shared.codec import packed

SUM = "take the softmax of the logits at the last position"


@dataclass(frozen=True)
class Vocabulary:
    """V tokens by their ids; two ids may have one text. `joiner` stands between two tokens.

    `shown` are the tokens as a text has them: bytes decoded, blanks in place of marks.
    """

    tokens: tuple[str, ...]
    joiner: str
    shown: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for k, token in enumerate(self.tokens):
            places.setdefault(token, []).append(k)
        return places

    @property
    def span(self) -> int:
        """How many tokens make a repeat: two, of single characters four."""
        return 4 if max(map(len, self.tokens)) <= 1 else 2

    def text_of(self, ids: Sequence[int]) -> str:
        """The text of some ids; bytes are characters there."""
        _, letters = together([self.shown[k] for k in ids])
        return self.joiner.join(letters)

    def ids(self, name: str, given) -> tuple[int, ...]:
        """Return the ids of ids or of tokens."""
        if isinstance(given, str) or not holds_several(given):
            raise TypeError(f"{name}: expected a list of ids or of tokens, came {given!r:.80}")
        return tuple(self._id(f"{name}[{k}]", one) for k, one in enumerate(given))

    def _id(self, where: str, one) -> int:
        if not isinstance(one, str):
            return within(where, one, 0, len(self) - 1)
        places = self._places.get(one, [])
        if len(places) == 1:
            return places[0]
        if places:
            raise ValueError(
                f"{where} is {one!r}, which has {len(places)} ids in the vocabulary, "
                f"{places[0]} and {places[1]}: hand in the id"
            )
        near = ", ".join(map(repr, get_close_matches(one, self._places, 3, 0)))
        raise ValueError(
            f"{where} is {one!r}, which is none of the {len(self):,} tokens of the vocabulary; "
            f"near are {near}: split the text as the model's tokenizer does"
        )


def vocabulary_of(given: Sequence[str], joiner: str) -> Vocabulary:
    """Check the vocabulary."""
    tokens = tuple(strings("vocabulary", given))
    if not tokens:
        raise ValueError("vocabulary: expected at least one token, came none")
    found = alone(tokens)
    return Vocabulary(tokens, "" if found.marks else line("joiner", joiner), tuple(running(found)))


def chances_of(name: str, given, V: int) -> np.ndarray:
    """Check a distribution over V tokens, as float64; it is divided by its sum, which is near 1."""
    p = array_of(name, given).astype(float)
    if p.shape != (V,):
        raise ValueError(
            f"{name}: expected shape ({V},), a probability for each token of the vocabulary, came "
            f"{p.shape}: return those of the last position only"
        )
    if not np.isfinite(p).all():
        k = int(np.flatnonzero(~np.isfinite(p))[0])
        raise ValueError(f"{name}[{k}] is {p[k]}, expected finite probabilities")
    total = p.sum()
    if p.min() < 0:
        raise ValueError(
            f"{name}: expected probabilities, came numbers from {p.min():.4g} to {p.max():.4g}, "
            f"as logits are: {SUM}"
        )
    if abs(total - 1) > spare_of(given):
        raise ValueError(f"{name}: sums to {total:.4g}, expected 1: {SUM}")
    return p / total


@dataclass(frozen=True)
class Place:
    """A place in a text: what the model expects after it, as far as a view holds it.

    Attributes
    ----------
    ids, p : array, (K,)
        The K likeliest tokens and their probabilities, the likeliest first.
    doubt : float
        Entropy in bits.
    tail : array, (R,)
        Probability of the tokens up to each of the ranks of `ranks_of_tail`, beyond K.
    counts, masses : array, (N,)
        At each stop of p, how many tokens nucleus sampling keeps and what they have together;
        zero where these are among the K.
    sums : array, (T,)
        At each stop of the temperature, the sum of p^(1/T) over all tokens.
    rank, chance : int, float
        How the model ranked the last token of the text, from 1, and its probability.
    """

    ids: np.ndarray
    p: np.ndarray
    doubt: float
    tail: np.ndarray
    counts: np.ndarray
    masses: np.ndarray
    sums: np.ndarray
    rank: int
    chance: float

    def packed(self, tokens: Sequence[str], last: str) -> bytes:
        """All of it with the words, `last` is the text's last."""
        words = [tokens[k] for k in self.ids]
        return packed(exact=True, **vars(self), words=words, last=last)


def bits_of(p: np.ndarray) -> float:
    """Entropy in bits."""
    some = p[p > 0]
    return abs(float(-(some * np.log2(some)).sum()))


def place_of(p: np.ndarray, keep: int, rank: int, chance: float) -> Place:
    """What a view holds of a distribution p, (V,); `keep` tokens by name."""
    order = np.argsort(-p, kind="stable")
    ranked = p[order]
    cumulated = np.cumsum(ranked)
    counts = np.array([kept_by_mass(cumulated, stop) for stop in NUCLEUS])
    with np.errstate(under="ignore"):
        sums = np.array([(ranked ** (1 / T)).sum() for T in TEMPERATURES])
    tail = cumulated[ranks_of_tail(len(p), keep) - 1]
    beyond = counts > keep
    return Place(
        order[:keep],
        ranked[:keep],
        bits_of(p),
        tail,
        counts * beyond,
        cumulated[counts - 1] * beyond,
        sums,
        rank,
        chance,
    )


def rank_of(p: np.ndarray, k: int) -> int:
    """Rank of a token, from 1; of equals the first comes first, as in the order."""
    return 1 + int((p > p[k]).sum() + (p[:k] == p[k]).sum())
