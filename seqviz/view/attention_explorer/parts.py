"""What the page is told at once, and what it may ask for by name, made when it asks."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from seqviz.view.attention_explorer.packing import (
    Layout,
    packed,
    rest,
    rounded,
    thumbnail,
    unpacked,
)
from seqviz.view.attention_explorer.rollups import Rollups, largest, mean
from seqviz.view.attention_explorer.scores import score_names, scores
from seqviz.view.attention_explorer.shown import Screen
from seqviz.view.attention_explorer.values import Attention

ROW = re.compile(r"(\d{1,4}) row (\d{1,6})")


class Parts(Mapping):
    """Names to bytes: "g l h" for a map of kind g, "g scores", "g thumbs", "g row q".

    Scores and thumbnails are of what is on screen: their names end as `ending` says.
    Iteration gives what a page without a kernel needs: no thumbnails and rows, which it makes
    itself, and "rest" of a mean, which is short beside the heads, in place of the mean.
    """

    def __init__(self, kinds: Sequence[Attention], half: bool) -> None:
        self.kinds, self.half = kinds, half
        self.rollups = [Rollups(kind) for kind in kinds]
        self.layouts = [
            Layout(kind.shape, kind.sums, half, tuple(kind.keys.can_leave)) for kind in kinds
        ]
        maps = [(g, *place) for g, kind in enumerate(kinds) for place in _places(kind)]
        self._maps = {f"{g} {layer} {head}": (g, layer, head) for g, layer, head in maps}
        self._scores, self._thumbs = (
            {
                f"{g} {what}{ending(*state)}": (g, *state)
                for g, kind in enumerate(kinds)
                for state in _states(kind)
            }
            for what in ("scores", "thumbs")
        )
        self._made = cache(self._of_screen)

    def __iter__(self) -> Iterator[str]:
        for name, (_, layer, head) in self._maps.items():
            yield f"{name} rest" if not self.half and has_rest(layer, head) else name
        yield from self._scores

    def __len__(self) -> int:
        return len(self._maps) + len(self._scores)

    def __contains__(self, name) -> bool:
        try:
            self._maker(name)
        except KeyError:
            return False
        return True

    def __getitem__(self, name: str) -> bytes:
        return self._maker(name)()

    def _maker(self, name: str) -> Callable[[], bytes]:
        """The function that makes a part."""
        if not isinstance(name, str):
            raise KeyError(name)
        if name in self._scores or name in self._thumbs:
            return lambda: self._made(name)
        whole = name.removesuffix(" rest")
        if whole in self._maps:
            g, layer, head = self._maps[whole]
            if whole == name:
                return lambda: self.map(g, layer, head)
            if has_rest(layer, head) and not self.half:
                return lambda: self._rest(g, layer, head)
        if row := ROW.fullmatch(name):
            g, query = map(int, row.groups())
            known = g < len(self.kinds) and query < self.kinds[g].shape[0]
            if known and name == f"{g} row {query}":
                return lambda: _row(self.kinds[g], query)
        raise KeyError(name)

    def map(self, g: int, layer: int | str, head: int | str) -> bytes:
        """One map of a kind, packed."""
        return packed(self.rollups[g].map(layer, head), self.layouts[g])

    def read(self, g: int, layer: int | str, head: int | str) -> tuple[np.ndarray, np.ndarray]:
        """One map as the page decodes it, and what its rows lost; a maximum is of decoded maps."""
        if "max" not in (layer, head):
            return unpacked(self.map(g, layer, head), self.layouts[g])
        most = largest(self._members(g, layer, head))
        return most, np.zeros(len(most))

    def decoded(self, g: int, layer: int | str, head: int | str) -> np.ndarray:
        """One map as the page decodes it, float64 (Q, K)."""
        return self.read(g, layer, head)[0]

    def _members(self, g: int, layer: int | str, head: int | str) -> Iterator[np.ndarray]:
        """The decoded heads that a map is the mean or maximum of."""
        for place in self.rollups[g].members(layer, head):
            yield rounded(self.rollups[g].map(*place), self.layouts[g])

    def _rest(self, g: int, layer: int | str, head: int | str) -> bytes:
        """A mean as the difference of its bytes to those that the decoded heads give."""
        expected = mean(self._members(g, layer, head))
        return rest(self.map(g, layer, head), expected, self.layouts[g])

    def _of_screen(self, name: str) -> bytes:
        """Scores or thumbnails of all heads of a kind."""
        g, *state = self._scores.get(name) or self._thumbs[name]
        kind = self.kinds[g]
        screen = Screen(kind, *state)
        if name in self._scores:
            return scores(kind, screen).astype("<f4").tobytes()
        maps = (self.rollups[g].map(*place) for place in thumb_places(kind))
        return b"".join(thumbnail(screen.shown(weights).weights) for weights in maps)


def ending(words: bool, specials: str) -> str:
    """What the names of scores and thumbnails end with: " words", " hidden", " words hidden"."""
    return " words" * words + (f" {specials}" if specials != "shown" else "")


def _states(kind: Attention) -> list[tuple[bool, str]]:
    """The states of a kind's screen that differ."""
    controls = [(w, s) for w in (False, True) for s in ("shown", "hidden", "renormalised")]
    return list(dict.fromkeys(kind.state(*state) for state in controls))


def _row(kind: Attention, query: int) -> bytes:
    """The weights of one query in every head, float32 (layers, heads, K)."""
    return np.array([layer[:, query] for layer in kind.layers], "<f4").tobytes()


def has_rest(layer: int | str, head: int | str) -> bool:
    """Whether a map is a mean over heads or over layers; of the mean of both there is only one."""
    return (layer == "mean") != (head == "mean")


def _places(kind: Attention) -> list[tuple[int | str, int | str]]:
    """Layer and head of every map: heads and means, then rollouts."""
    heads = [*range(kind.heads), "mean"]
    places = [(layer, head) for layer in [*range(kind.depth), "mean"] for head in heads]
    return places + [(layer, "rollout") for layer in range(kind.depth if kind.same else 0)]


def thumb_places(kind: Attention) -> list[tuple[int | str, int | str]]:
    """Layer and head of every thumbnail: heads, means, maxima, rollouts."""
    layers, heads = range(kind.depth), range(kind.heads)
    places: list[tuple[int | str, int | str]] = [(one, other) for one in layers for other in heads]
    for how in ("mean", "max"):
        places += [*((layer, how) for layer in layers), *((how, head) for head in heads)]
        places.append((how, how))
    return places + [(layer, "rollout") for layer in (layers if kind.same else ())]


def described(kind: Attention) -> dict:
    """What the page needs to know of a kind."""
    gold = kind.gold and {
        name: sorted(map(list, pairs))
        for name, pairs in zip(("sure", "possible"), kind.gold, strict=True)
    }
    return {
        "name": kind.name,
        "layers": kind.depth,
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
        "scores": score_names(kind),
        "gold": gold,
    }
