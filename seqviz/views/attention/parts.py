"""What the page is told at once, and what it may ask for by name, made when it asks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, product

import numpy as np

from seqviz.views.attention.packing import Layout, coded, thumbnails
from seqviz.views.attention.scores import score_names, scores
from seqviz.views.attention.screen import Screen
from seqviz.views.attention.values import Attention, State
from seqviz.views.attention.words import ALL

IN_PAGE = 256  # tokens up to which a page multiplies rollouts itself


class Parts(Mapping):
    """Names to bytes: "g l h" for a map of kind g, "g scores", "g thumbs", "g row q".

    Scores and thumbnails are of what is on screen: their names end as `ending` says. Scores are of
    all texts: a head is what it is, whichever part of it is shown.
    Iteration gives what a page without a kernel needs: the heads, the scores, and rollouts where
    there are too many tokens for a page to multiply. All else it makes of the heads.
    """

    def __init__(self, kinds: Sequence[Attention], half: bool) -> None:
        self.kinds, self.half = kinds, half
        self.rollups = [_Rollups(kind) for kind in kinds]
        self.layouts = [
            Layout(kind.shape, kind.sums, half, tuple(kind.keys.can_leave)) for kind in kinds
        ]
        self._tables = cache(self._of_heads)
        self._pictures = cache(self._of_maps)
        self._makers: dict[str, Callable[[], bytes]] = {}
        self._scores: dict[str, None] = {}  # their names, in order
        for g, kind in enumerate(kinds):
            self._add(g, kind)

    def _add(self, g: int, kind: Attention) -> None:
        """The functions that make the parts of a kind, by name."""
        makers = {
            f"{g} {layer} {head}": (self.map, g, layer, head) for layer, head in _places(kind)
        }
        for words, specials, between in _states(kind):
            name = f"{g} scores{ending(words, specials)}"
            self._scores[name] = None
            makers[name] = self._score, g, words, specials
            state = words, specials, between
            makers[f"{g} thumbs{ending(*state)}"] = self._pictures, g, *state
        makers |= {f"{g} row {query}": (_row, kind, query) for query in range(kind.shape[0])}
        self._makers |= {name: partial(*call) for name, call in makers.items()}

    def __iter__(self) -> Iterator[str]:
        for g, kind in enumerate(self.kinds):
            yield from (f"{g} {layer} {h}" for layer in kind.numbers for h in range(kind.heads))
            if kind.same and len(kind.queries) > IN_PAGE:
                yield from (f"{g} {layer} rollout" for layer in kind.numbers)
        yield from self._scores

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Names and bytes of all that a page without a kernel needs; a layer is coded at once."""
        heads = chain.from_iterable(
            coded(weights, layout)
            for kind, layout in zip(self.kinds, self.layouts, strict=True)
            for weights in kind.layers
        )
        for name in self:
            yield name, next(heads) if name.rsplit(" ", 1)[-1].isdigit() else self[name]

    @property
    def size(self) -> int:
        """Bytes of all heads."""
        return sum(
            kind.depth * kind.heads * layout.size
            for kind, layout in zip(self.kinds, self.layouts, strict=True)
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name) -> bool:
        return isinstance(name, str) and name in self._makers

    def __getitem__(self, name: str) -> bytes:
        return self._makers[name]()

    def map(self, g: int, layer: int | str, head: int | str) -> bytes:
        """One map of a kind, packed."""
        return coded(self.rollups[g].map(layer, head)[None], self.layouts[g])[0]

    def _score(self, g: int, words: bool, specials: str) -> bytes:
        return self._tables(g, words)[specials]

    def _of_heads(self, g: int, words: bool) -> dict[str, bytes]:
        """Scores of all heads of a kind, float32, in each state of the special tokens."""
        tables = scores(self.kinds[g], words)
        return {state: table.astype("<f4").tobytes() for state, table in tables.items()}

    def _of_maps(self, g: int, *state) -> bytes:
        """Thumbnails of a kind: all heads, then means, maxima and rollouts."""
        kind = self.kinds[g]
        screen = Screen(kind, *state)

        def small(maps: np.ndarray) -> bytes:
            return thumbnails(screen.shown(maps))

        heads, means, maxima, rollouts = [], [], [], []
        whole, most, rolled = np.zeros(kind.shape), None, None
        for weights in kind.layers:
            own = weights.mean(axis=0, dtype=float)
            shown = screen.shown(weights)
            heads.append(thumbnails(shown))
            means.append(small(own[None]))
            maxima.append(thumbnails(shown.max(axis=0, keepdims=True)))
            most = shown if most is None else np.maximum(most, shown)
            if kind.same:
                rolled = rollout(own, rolled)
                rollouts.append(small(rolled[None]))
            whole += own
        for head in range(kind.heads):
            means.append(small(mean(weights[head] for weights in kind.layers)[None]))
        means.append(small(whole[None] / kind.depth))
        maxima += [thumbnails(most), thumbnails(most.max(axis=0, keepdims=True))]
        return b"".join([*heads, *means, *maxima, *rollouts])


def ending(words: bool, specials: str, between: str = ALL) -> str:
    """What the names of parts end with: " words", " hidden", " words hidden A to B"."""
    rest = [*([specials] if specials != "shown" else []), *([between] if between != ALL else [])]
    return "".join(f" {one}" for one in [*["words"] * words, *rest])


def _states(kind: Attention) -> list[State]:
    """The states of a kind's screen that differ."""
    controls = product((False, True), ("shown", "hidden", "renormalised"), (ALL, *kind.pairings))
    return list(dict.fromkeys(kind.state(*state) for state in controls))


def _row(kind: Attention, query: int) -> bytes:
    """The weights of one query in every head, float32 (layers, heads, K)."""
    return np.array([layer[:, query] for layer in kind.layers], "<f4").tobytes()


def _places(kind: Attention) -> list[tuple[int | str, int | str]]:
    """Layer and head of every map: heads and means, then rollouts."""
    heads = [*range(kind.heads), "mean"]
    places = [(layer, head) for layer in [*kind.numbers, "mean"] for head in heads]
    return places + [(layer, "rollout") for layer in kind.numbers if kind.same]


def described(kind: Attention) -> dict:
    """What the page needs to know of a kind."""
    gold = kind.gold and {
        name: sorted(map(list, pairs))
        for name, pairs in zip(("sure", "possible"), kind.gold, strict=True)
    }
    return {
        "name": kind.name,
        "layers": kind.depth,
        "numbers": list(kind.numbers),
        "heads": kind.heads,
        "queries": kind.queries.tokens,
        "keys": kind.keys.tokens,
        "self": kind.same,
        "causal": kind.causal,
        "sums": kind.sums,
        "specialQueries": kind.queries.special,
        "specialKeys": kind.keys.special,
        "wordQueries": kind.queries.words,
        "wordKeys": kind.keys.words,
        "wordTextQueries": kind.queries.texts,
        "wordTextKeys": kind.keys.texts,
        "segmentQueries": kind.queries.segments,
        "segmentKeys": kind.keys.segments,
        "pairings": kind.pairings,
        "scores": score_names(kind),
        "gold": gold,
    }


def mean(maps: Iterable[np.ndarray]) -> np.ndarray:
    """Mean of maps (Q, K) in float64, one map at a time, from the first to the last."""
    maps = iter(maps)
    total, count = next(maps).astype(float), 1
    for weights in maps:
        total += weights
        count += 1
    total /= count
    return total


def rollout(weights: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """Attention rollout one layer further (Abnar and Zuidema 2020, section 3).

    The product of 0.5 mean over heads + 0.5 identity; the identity is the residual path.

    Parameters
    ----------
    weights : numpy.ndarray
        The mean over the heads of a layer (T, T).
    before : numpy.ndarray or None
        The rollout to the layer below (T, T), None at the first layer.
    """
    step = 0.5 * weights
    step.flat[:: len(step) + 1] += 0.5
    return step if before is None else step @ before


class _Rollups:
    """What one kind of attention gives beside its heads, made anew each time."""

    def __init__(self, kind: Attention) -> None:
        self.kind = kind
        self._rolled: tuple[int, np.ndarray | None] = (-1, None)

    def map(self, layer: int | str, head: int | str) -> np.ndarray:
        """A head's map (Q, K), the mean over heads, layers or both, or a rollout."""
        if head == "rollout":
            return self.rollout(layer)
        if layer == "mean":
            return mean(self.map(one, head) for one in self.kind.numbers)
        heads = self.kind.layers[self.kind.place(layer)]
        return heads.mean(axis=0, dtype=float) if head == "mean" else heads[head]

    def rollout(self, layer: int) -> np.ndarray:
        """Attention rollout through the layers from the first to `layer`."""
        numbers, last = self.kind.numbers, self.kind.place(layer)
        at, rolled = self._rolled if self._rolled[0] <= last else (-1, None)
        for number in numbers[at + 1 : last + 1]:
            rolled = rollout(self.map(number, "mean"), rolled)
        self._rolled = last, rolled
        return rolled
