"""What the page is told at once, and what it may ask for by name, made when it asks."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from seqviz.view.attention_explorer.packing import (
    Layout,
    coded,
    decoded,
    near,
    packed,
    rest,
    thumbnails,
    unpacked,
    wide,
)
from seqviz.view.attention_explorer.rollups import Rollups, largest, mean, near_rollout, rollout
from seqviz.view.attention_explorer.scores import score_names, scores
from seqviz.view.attention_explorer.shown import Screen, Shown
from seqviz.view.attention_explorer.values import Attention

ROW = re.compile(r"(\d{1,4}) row (\d{1,6})")


class Parts(Mapping):
    """Names to bytes: "g l h" for a map of kind g, "g scores", "g thumbs", "g row q".

    Scores and thumbnails are of what is on screen: their names end as `ending` says.
    Iteration gives what a page without a kernel needs: no thumbnails and rows, which it makes
    itself, and "rest" of a mean or a rollout in place of the whole: what it differs from what the
    page expects, which is short beside the heads. `items` makes these a layer at a time.
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
        self._tables = cache(self._of_heads)
        self._pictures = cache(self._of_maps)

    def __iter__(self) -> Iterator[str]:
        yield from (self._name(*place) for place in self._maps.values())
        yield from self._scores

    def _name(self, g: int, layer: int | str, head: int | str) -> str:
        """What a map is called in a page without a kernel."""
        rest = has_rest(layer, head) and not self.half
        return f"{g} {layer} {head}{' rest' * rest}"

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Names and bytes of all that a page without a kernel needs."""
        for g in range(len(self.kinds)):
            for (layer, head), part in self._of_kind(g):
                yield self._name(g, layer, head), part
        yield from ((name, self[name]) for name in self._scores)

    def _of_kind(self, g: int) -> Iterator[tuple[tuple, bytes]]:
        """Layer, head and bytes of every map of a kind; every head is coded and read back once."""
        kind, layout = self.kinds[g], self.layouts[g]
        known = np.zeros((kind.heads, *kind.shape))  # sums over the layers of what the page decodes
        back, whole, whole_back = np.zeros((3, *kind.shape))
        scratch = rolled = rolled_back = None
        for layer, weights in zip(kind.numbers, map(wide, kind.layers), strict=True):
            if scratch is None or scratch.dtype != weights.dtype:
                scratch = np.empty_like(weights)
            parts = coded(weights, layout, scratch)
            back[:] = 0
            for head in range(kind.heads):
                yield (layer, head), parts[head].tobytes()
                one = decoded(parts[head : head + 1], layout)[0]
                back += one
                known[head] += one
            own = weights.mean(axis=0, dtype=float)
            part = packed(own, layout)
            yield (layer, "mean"), self._short(part, back / kind.heads, layout)
            back_own, _ = unpacked(part, layout)
            if kind.same:
                rolled = rollout(own, rolled)
                part = packed(rolled, layout)
                expected = near_rollout(back_own, rolled_back)
                yield (layer, "rollout"), self._short(part, expected, layout)
                rolled_back, _ = unpacked(part, layout)
            whole += own
            whole_back += back_own
        for head in range(kind.heads):
            own = packed(mean(weights[head] for weights in kind.layers), layout)
            yield ("mean", head), self._short(own, known[head] / kind.depth, layout)
        own = packed(whole / kind.depth, layout)
        yield ("mean", "mean"), self._short(own, whole_back / kind.depth, layout)

    def _short(self, part: bytes, expected: np.ndarray, layout: Layout) -> bytes:
        """A packed map in a page, which knows about what it is."""
        return part if self.half else rest(part, expected, layout)

    def pieces(self) -> Iterator[tuple[str, list[bytes]]]:
        """What a page holds of `items`; each piece deflates by its own code.

        The floats of all maps of a kind stand together, in the order of `items`: of the first
        floats the lowest bytes of every map, then the next. Alone they deflate by a third better.
        """
        floats = [[] for _ in self.kinds]
        for name, part in self.items():
            if name in self._scores:
                yield name, [part]
                continue
            g = int(name.split()[0])
            start, fours = self.layouts[g].start, self.layouts[g].fours
            floats[g].append(part[:start])
            codes = part[start:]
            yield name, [codes[:fours], codes[fours:]] if name.endswith(" rest") else [codes]
        for g, layout in enumerate(self.layouts):
            maps = np.frombuffer(b"".join(floats[g]), np.uint8)
            planes = maps.reshape(len(floats[g]), -1, layout.shape[0]).swapaxes(0, 1)
            yield f"{g} floats", [plane.tobytes() for plane in planes]

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
        if name in self._scores:
            g, words, specials = self._scores[name]
            return lambda: self._tables(g, words)[specials]
        if name in self._thumbs:
            return lambda: self._pictures(*self._thumbs[name])
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
        """One map as the page decodes it, and what its rows lost."""
        return unpacked(self.map(g, layer, head), self.layouts[g])

    def shown(self, g: int, layer: int | str, head: int | str, screen: Screen) -> Shown:
        """One map on screen, of the floats; a maximum is of the heads as they stand there."""
        if "max" not in (layer, head):
            return screen.shown(self.rollups[g].map(layer, head))
        places = self.rollups[g].members(layer, head)
        maps = (self.shown(g, *place, screen).weights for place in places)
        return screen.named(largest(maps))

    def decoded(self, g: int, layer: int | str, head: int | str) -> np.ndarray:
        """One map as the page decodes it, float64 (Q, K)."""
        weights, _ = self.read(g, layer, head)
        return weights

    def _members(self, g: int, layer: int | str, head: int | str) -> Iterator[np.ndarray]:
        """The decoded maps that one is the mean of: heads; of all heads the means of the layers."""
        whole = layer == head == "mean"
        places = [(one, "mean") for one in self.kinds[g].numbers]
        for place in places if whole else self.rollups[g].members(layer, head):
            yield self.decoded(g, *place)

    def _rest(self, g: int, layer: int | str, head: int | str) -> bytes:
        """A mean or a rollout as what it differs from what the decoded maps give."""
        if head == "rollout":
            numbers, place = self.kinds[g].numbers, self.kinds[g].place(layer)
            before, _ = self.read(g, numbers[place - 1], head) if place else (None, None)
            expected = near_rollout(self.read(g, layer, "mean")[0], before)
        else:
            expected = mean(self._members(g, layer, head))
        return rest(self.map(g, layer, head), expected, self.layouts[g])

    def _of_heads(self, g: int, words: bool) -> dict[str, bytes]:
        """Scores of all heads of a kind in each state of the special tokens, by 0.01 %.

        Their lowest bytes come first, the highest last: they deflate by a fifth better.
        """
        tables = scores(self.kinds[g], words)
        return {
            state: near(table, 12).reshape(-1, 1).view(np.uint8).T.tobytes()
            for state, table in tables.items()
        }

    def _of_maps(self, g: int, words: bool, specials: str) -> bytes:
        """Thumbnails of a kind: all heads, then means, maxima and rollouts."""
        kind = self.kinds[g]
        screen = Screen(kind, words, specials)

        def small(maps: np.ndarray) -> bytes:
            return thumbnails(screen.shown(maps).weights)

        heads, means, maxima, rollouts = [], [], [], []
        whole, most, rolled = np.zeros(kind.shape), None, None
        for weights in kind.layers:
            own = weights.mean(axis=0, dtype=float)
            shown = screen.shown(weights).weights
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
    """Whether the page knows about what a map is: not of heads."""
    return head in ("mean", "rollout") or layer == "mean"


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
        "scores": score_names(kind),
        "gold": gold,
    }
