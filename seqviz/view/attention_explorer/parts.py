"""What the page is told at once, and what it may ask for by name, made when it asks."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from seqviz.view.attention_explorer.packing import packed, rest, thumb_shape, thumbnail, unpacked
from seqviz.view.attention_explorer.rollups import Rollups, mean, score_names
from seqviz.view.attention_explorer.values import Attention

CELL = re.compile(r"(\d{1,4}) cell (\d{1,6}) (\d{1,6})")


class Parts(Mapping):
    """Names to bytes: "g l h" for a map of kind g, "g scores", "g thumbs", "g cell q k".

    Iteration gives what a page without a kernel needs: no thumbnails and cells, which it makes
    itself, and "rest" of a mean, which is short beside the heads, in place of the mean.
    """

    def __init__(self, kinds: Sequence[Attention], half: bool) -> None:
        self.kinds, self.half = kinds, half
        self.rollups = [Rollups(kind) for kind in kinds]
        maps = [(g, *place) for g, kind in enumerate(kinds) for place in _places(kind)]
        self._maps = {f"{g} {layer} {head}": (g, layer, head) for g, layer, head in maps}
        self._thumbs = cache(self._all_thumbs)

    def __iter__(self) -> Iterator[str]:
        for name, (_, layer, head) in self._maps.items():
            yield f"{name} rest" if not self.half and has_rest(layer, head) else name
        yield from (f"{g} scores" for g in range(len(self.kinds)))

    def __len__(self) -> int:
        return len(self._maps) + len(self.kinds)

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
        whole = name.removesuffix(" rest")
        if whole in self._maps:
            g, layer, head = self._maps[whole]
            if whole == name:
                return lambda: self.map(g, layer, head)
            if has_rest(layer, head) and not self.half:
                return lambda: self._rest(g, layer, head)
        for g, (kind, rollups) in enumerate(zip(self.kinds, self.rollups, strict=True)):
            if name == f"{g} scores":
                return lambda rollups=rollups: rollups.scores.astype("<f4").tobytes()
            if name == f"{g} thumbs":
                return lambda g=g: self._thumbs(g)
            if (cell := CELL.fullmatch(name)) and cell[1] == str(g):
                at = int(cell[2]), int(cell[3])
                if at[0] < kind.shape[0] and at[1] < kind.shape[1]:
                    return lambda kind=kind: _cell(kind, *at)
        raise KeyError(name)

    def map(self, g: int, layer: int | str, head: int | str) -> bytes:
        """One map of a kind, packed."""
        return packed(self.rollups[g].map(layer, head), self.kinds[g].sums, self.half)

    def decoded(self, g: int, layer: int | str, head: int | str) -> np.ndarray:
        """One map as the page decodes it, float64; a maximum is of the decoded maps."""
        kind = self.kinds[g]
        if "max" in (layer, head):
            most = np.zeros(kind.shape)
            for place in self.rollups[g].members(layer, head):
                np.maximum(most, self.decoded(g, *place), out=most)
            return most
        return unpacked(self.map(g, layer, head), kind.shape, kind.sums, self.half)

    def _rest(self, g: int, layer: int | str, head: int | str) -> bytes:
        """A mean as the difference of its bytes to those that the decoded heads give."""
        maps = [self.decoded(g, *place) for place in self.rollups[g].members(layer, head)]
        return rest(self.map(g, layer, head), mean(maps), self.kinds[g].sums)

    def _all_thumbs(self, g: int) -> bytes:
        return b"".join(thumbnail(self.rollups[g].map(*place)) for place in _thumbs(self.kinds[g]))


def _cell(kind: Attention, query: int, key: int) -> bytes:
    """The weight of one cell in every head, float32 (layers, heads)."""
    return np.array([layer[:, query, key] for layer in kind.layers], "<f4").tobytes()


def has_rest(layer: int | str, head: int | str) -> bool:
    """Whether a map is a mean over heads or over layers; of the mean of both there is only one."""
    return (layer == "mean") != (head == "mean")


def _places(kind: Attention) -> list[tuple[int | str, int | str]]:
    """Layer and head of every map: heads and means, then rollouts."""
    heads = [*range(kind.heads), "mean"]
    places = [(layer, head) for layer in [*range(kind.depth), "mean"] for head in heads]
    return places + [(layer, "rollout") for layer in range(kind.depth if kind.same else 0)]


def _thumbs(kind: Attention) -> list[tuple[int | str, int | str]]:
    """Places in the order of the thumbnails: heads, means by layer, by head, of all, rollouts."""

    def rank(place: tuple[int | str, int | str]) -> int:
        layer, head = place
        if head == "rollout":
            return 4
        return 2 * (layer == "mean") + (head == "mean")

    return sorted(_places(kind), key=rank)


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
        "thumb": thumb_shape(kind.shape),
        "gold": gold,
    }
