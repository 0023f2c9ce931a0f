"""One word in several sentences, through the layers of a model: where its senses part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seqviz.pieces import pieces_of
from seqviz.views.embedding.plane import plane_of, turned
from seqviz.views.shared.checking import line, numbers, strings, whole, within
from seqviz.views.shared.codec import packed

LEAST_SENTENCES, MOST_SENTENCES, MOST_SENSES, MOST_WORDS = 3, 16, 3, 20
FIELDS = ("sentence", "at", "sense", "states")


@dataclass(frozen=True)
class Senses:
    """S sentences with one word, and its L states in each.

    Attributes
    ----------
    sentences : tuple of tuple of str
        Their tokens.
    at : tuple of int
        Where the word stands in each.
    names : tuple of str
        The senses, in the order in which they first come.
    sense : tuple of int
        Which one each sentence has.
    cosines : array, (L, S, S)
    points : array, (L, S, 2)
        The first two principal components of each layer, turned to the layer above.
    shares : array, (L,)
        How much of the variance the plane keeps.
    """

    sentences: tuple[tuple[str, ...], ...]
    at: tuple[int, ...]
    names: tuple[str, ...]
    sense: tuple[int, ...]
    cosines: np.ndarray
    points: np.ndarray
    shares: np.ndarray

    def told(self) -> dict:
        """What a page is told before it gets any numbers."""
        return {
            "sentences": [list(tokens) for tokens in self.sentences],
            "at": list(self.at),
            "names": list(self.names),
            "sense": list(self.sense),
            "layers": len(self.shares),
        }

    def packed(self) -> bytes:
        """Its numbers, layer by layer."""
        return packed(shares=self.shares, points=self.points, cosines=self.cosines)

    def rows(self, word: str) -> Iterator[list]:
        """Each sentence's place in the plane of a layer, and its cosine with each other one."""
        texts = [f"{k} {' '.join(tokens)}" for k, tokens in enumerate(self.sentences, 1)]
        for layer, (cosines, points) in enumerate(zip(self.cosines, self.points, strict=True)):
            start = [f"senses of {word}", str(layer)]
            for text, row, (x, y) in zip(texts, cosines, points.tolist(), strict=True):
                yield [*start, text, "", "x", x]
                yield [*start, text, "", "y", y]
                for other, cosine in zip(texts, row.tolist(), strict=True):
                    yield [*start, text, other, "cosine", cosine]


def senses_of(given) -> dict[str, Senses]:
    """Check the sentences of each word; all have states of one shape."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not 1 <= len(given) <= MOST_WORDS:
        raise TypeError(
            f"senses: expected a mapping from 1 to {MOST_WORDS} words to their sentences, came "
            f"{given!r:.80}"
        )
    found, shapes = {}, {}
    for word, sentences in given.items():
        line("senses, a word", word)
        found[word], shapes[word] = _of_word(f"senses[{word!r}]", sentences)
    if len(set(shapes.values())) > 1:
        raise ValueError(f"senses: expected states of one shape for all words, came {shapes}")
    return found


def _of_word(where: str, given) -> tuple[Senses, tuple[int, int]]:
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise TypeError(f"{where}: expected a list of mappings with {FIELDS}, came {given!r:.80}")
    if not LEAST_SENTENCES <= len(given) <= MOST_SENTENCES:
        raise ValueError(
            f"{where}: expected {LEAST_SENTENCES} to {MOST_SENTENCES} sentences, came {len(given)}"
        )
    for k, one in enumerate(given):
        if not isinstance(one, Mapping) or set(one) != set(FIELDS):
            raise TypeError(f"{where}[{k}]: expected a mapping with {FIELDS}, came {one!r:.80}")
    tokens = [_tokens(f"{where}[{k}]", one) for k, one in enumerate(given)]
    at = [within(f"{where}[{k}]['at']", one["at"], 0, len(tokens[k]) - 1)
          for k, one in enumerate(given)]  # fmt: skip
    called = [line(f"{where}[{k}]['sense']", one["sense"]) for k, one in enumerate(given)]
    names = tuple(dict.fromkeys(called))
    if not 2 <= len(names) <= MOST_SENSES:
        raise ValueError(f"{where}: expected 2 to {MOST_SENSES} senses, came {list(names)}")
    for name in names:
        if called.count(name) < 2:
            raise ValueError(
                f"{where}: the sense {name!r} has one sentence, which no other can be nearest to: "
                "add one"
            )
    states = [_states(f"{where}[{k}]['states']", one["states"]) for k, one in enumerate(given)]
    if len({array.shape for array in states}) > 1:
        raise ValueError(
            f"{where}: expected states of one shape (layers, d), came "
            f"{sorted({array.shape for array in states})}"
        )
    layers = np.stack(states, axis=1)  # (L, S, d)
    order = sorted(range(len(called)), key=lambda k: names.index(called[k]))
    cosines, points, shares = _seen(layers[:, order])
    senses = Senses(
        tuple(tuple(pieces_of(tokens[k]).bare) for k in order),
        tuple(at[k] for k in order),
        names,
        tuple(names.index(called[k]) for k in order),
        cosines,
        points,
        shares,
    )
    return senses, (layers.shape[0], layers.shape[2])


def _tokens(where: str, one: Mapping) -> list[str]:
    """The tokens of a sentence, given as a text or as a list."""
    given = one["sentence"]
    tokens = given.split() if isinstance(given, str) else strings(f"{where}['sentence']", given)
    whole(f"{where}['at']", one["at"])
    if not tokens:
        raise ValueError(f"{where}['sentence'] is empty, expected a sentence")
    return tokens


def _states(name: str, given) -> np.ndarray:
    array = numbers(name, given)
    if array.ndim != 2 or array.shape[1] < 2 or len(array) < 1:
        raise ValueError(f"{name}: expected shape (layers, d), came {array.shape}")
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    for layer in np.flatnonzero(lengths == 0):
        raise ValueError(f"{name}[{layer}] is zero, which has no direction")
    return array / lengths


def _seen(layers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cosines, points of the plane and its share for states (L, S, d) of length 1."""
    planes = [plane_of(states) for states in layers]
    points = [plane.at(states) for plane, states in zip(planes, layers, strict=True)]
    for k in range(len(points) - 2, -1, -1):
        points[k] = turned(points[k], points[k + 1])
    shares = np.array([plane.shares.sum() for plane in planes])
    cosines = np.einsum("lsd,ltd->lst", layers, layers)
    return cosines, np.stack(points), shares
