"""What two models guess at masked positions, and what the first one attends to from there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seqviz.pieces import alone
from seqviz.views.shared.checking import different, line, shares, strings
from seqviz.views.shared.codec import packed

GUESSES, MOST_HEADS = 5, 24
FIELDS = ("tokens", "both", "left", "attention", "title", "special")


class Vocabulary:
    """The V tokens that a model can guess, all of them different; `shown` has bytes decoded."""

    def __init__(self, given: Sequence[str]) -> None:
        self.tokens = strings("vocabulary", given)
        found = alone(self.tokens)
        self.shown, self.marks = found.tokens, found.marks
        fix = "hand in the tokens as the tokenizer names them"
        self._ids = different("vocabulary", self.tokens, fix)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        return token in self._ids

    def id_of(self, where: str, token: str) -> int:
        """The place of a token."""
        if token not in self._ids:
            raise ValueError(
                f"{where} is {token!r}, which is none of the {len(self):,} tokens of the "
                "vocabulary: split it as the model's tokenizer does"
            )
        return self._ids[token]

    def listed(self, ids: np.ndarray) -> tuple[list[str], np.ndarray]:
        """The words of some ids, which are all that a page needs, and where each is among them."""
        used, places = np.unique(ids, return_inverse=True)
        return [self.shown[k] for k in used], places.reshape(ids.shape)


@dataclass(frozen=True)
class Guesses:
    """What two models say at P positions, and what the first attends to from there.

    Attributes
    ----------
    ids : array, (P, K)
        The K likeliest tokens of the first model, the likeliest first.
    p, q : array, (P, K)
        Their probabilities by the first and by the second model.
    truth, ranks : array, (P, 2)
        Probability and rank, from 1, of the true token by each.
    best : array, (P, 2)
        The second model's likeliest token and its probability.
    attention : dict of str to array, (P, T)
        Weights of the first model from the masked position, by their labels.
    compared : bool
        Whether there is a second model; without one its numbers are 0.
    """

    ids: np.ndarray
    p: np.ndarray
    q: np.ndarray
    truth: np.ndarray
    ranks: np.ndarray
    best: np.ndarray
    attention: dict[str, np.ndarray]
    compared: bool

    def at(self, rows: Sequence[int], count: int) -> "Guesses":
        """The same rows as rows of `count`; the others hold zeros."""

        def spread(array: np.ndarray) -> np.ndarray:
            whole = np.zeros((count, *array.shape[1:]), array.dtype)
            whole[list(rows)] = array
            return whole

        arrays = map(spread, (self.ids, self.p, self.q, self.truth, self.ranks, self.best))
        attention = {label: spread(array) for label, array in self.attention.items()}
        return Guesses(*arrays, attention, self.compared)

    def rows(
        self, places: Mapping[int, int], tokens, written: Collection[int], names, words
    ) -> Iterator[list]:
        """All of it: position, item, token, by which model or map, how much.

        `places` says at which of the `tokens` each row is, and where a mask is `written`, so that
        no token is the true one; `names` are those of the two models.
        """
        both = names[: 1 + self.compared]
        for row, place in places.items():
            at = str(place + 1)
            for rank, k in enumerate(self.ids[row], 1):
                for name, p in zip(both, (self.p, self.q), strict=False):
                    yield [at, f"guess {rank}", words[k], name, float(p[row, rank - 1])]
            for column, name in enumerate(both if place not in written else ()):
                item = f"true, rank {self.ranks[row, column]}"
                yield [at, item, tokens[place], name, float(self.truth[row, column])]
            if self.compared:
                best, p = self.best[row]
                yield [at, "best", words[int(best)], names[1], float(p)]
            for label, weights in self.attention.items():
                for k, weight in enumerate(weights[row].tolist()):
                    yield [at, f"attention to {k + 1}", tokens[k], label or "weight", weight]

    def packed(self, vocabulary: Vocabulary) -> bytes:
        """All of it: a row for each position, the attention by label and position."""
        best, left = self.best.T
        words, places = vocabulary.listed(np.column_stack([self.ids, best.astype(int)]))
        maps = np.array(list(self.attention.values()))
        return packed(
            words=words,
            ids=places[:, :-1],
            p=self.p,
            q=self.q,
            truth=self.truth,
            ranks=self.ranks,
            best=places[:, -1],
            left=left,
            maps=maps,
        )


def joined(parts: Sequence[Guesses]) -> Guesses:
    """Rows of several, one under another; the second model stays if all of them have it."""
    first = parts[0]
    names = ("ids", "p", "q", "truth", "ranks", "best")
    arrays = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
    attention = {
        label: np.concatenate([part.attention[label] for part in parts])
        for label in first.attention
    }
    return Guesses(*arrays, attention, all(part.compared for part in parts))


def guesses_of(where: str, given, truths: Sequence[int], tokens: int, V: int) -> Guesses:
    """Check what a model says at P positions of `tokens`; `truths` are the ids that stand there."""
    if not isinstance(given, Mapping) or "both" not in given:
        raise TypeError(
            f"{where}: expected a mapping with 'both', (positions, vocabulary), came {given!r:.80}"
        )
    if unknown := sorted(map(str, given.keys() - set(FIELDS))):
        raise ValueError(f"{where} has {unknown[0]!r}, expected {', '.join(FIELDS)}")
    P = len(truths)
    both = shares(f"{where}['both']", given["both"], (P, V), "softmax of the logits")
    order = np.argsort(-both, axis=1, kind="stable")[:, :GUESSES]
    compared = given.get("left") is not None
    left = np.zeros_like(both)
    if compared:
        name = f"{where}['left']"
        left = shares(name, given["left"], (P, V), "softmax of the logits")
    rows, right = np.arange(P), np.asarray(truths)
    favourite = left.argmax(axis=1)
    maps = _maps(f"{where}['attention']", given.get("attention"))
    return Guesses(
        order,
        np.take_along_axis(both, order, axis=1),
        np.take_along_axis(left, order, axis=1),
        np.stack([both[rows, right], left[rows, right]], axis=1),
        np.stack([_ranks(both, right), _ranks(left, right) * compared], axis=1),
        np.stack([favourite, left[rows, favourite]], axis=1),
        {
            label: shares(name, array, (P, tokens), "the weights after the softmax")
            for label, (name, array) in maps.items()
        },
        compared,
    )


def _ranks(p: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Rank of each row's right column; of equals the first comes first, as in the list."""
    own = np.take_along_axis(p, right[:, None], axis=1)
    before = (p == own) & (np.arange(p.shape[1]) < right[:, None])
    return 1 + ((p > own) | before).sum(axis=1)


def _maps(name: str, given) -> dict:
    """Each attention map by its label, with the name to say in an error."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return {"": (name, given)}
    if not 1 <= len(given) <= MOST_HEADS:
        raise ValueError(f"{name}: expected 1 to {MOST_HEADS} maps, came {len(given)}")
    return {line(f"{name}, a label", key): (f"{name}[{key!r}]", given[key]) for key in given}
