"""What the axes of a weighted sum are: batch, head, query and key."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from seqviz.recording.weighing import WeightedSum

DIMS = ("batch", "head", "query", "key")
KEYS = ("key", "choice")
MOST_ROOM = 4  # places of all blocks for each position: what does not fill a window is padded
ORDER = ("batch", "batch and head", "head", "block", "query", "key", "choice")


@dataclass(frozen=True)
class Axes:
    """Names for the axes of a weighted sum.

    Attributes
    ----------
    names : dict
        Letter of the sum's equation to name.
    folded : str
        The letter of an axis that holds batch and heads, "" if none does.
    heads : int
        How many heads that axis holds.
    blocks : int
        Into how many blocks, such as windows, each item of the batch was cut.
    times : frozenset of int
        The numbers of positions that the running modules were given.
    cuts : tuple of (tensor, tensor)
        Of one item what may have been cut into the blocks, (time, unit), and they themselves.
    """

    names: dict[str, str]
    folded: str = ""
    heads: int = 1
    blocks: int = 1
    times: frozenset[int] = frozenset()
    cuts: tuple[tuple[Tensor, Tensor], ...] = ()

    def named(self, values: Tensor, letters: str) -> tuple[Tensor, list[str]]:
        """Part batch and heads, and return the name of each axis; "unit" has no letter here."""
        names = [self.names.get(letter, "unit") for letter in letters]
        if self.folded in letters and self.folded:
            place = letters.index(self.folded)
            values = values.unflatten(place, (-1, self.heads))
            names[place : place + 1] = ["batch", "head"]
        if self.blocks > 1 and "batch" in names:
            place = names.index("batch")
            values = values.unflatten(place, (-1, self.blocks))
            names[place : place + 1] = ["batch", "block"]
        return values, names

    def by_key(self, values: Tensor, letters: str) -> Tensor:
        """Put the axis of the keys last but one, before that of the units."""
        place = next((k for k, c in enumerate(letters) if self.names.get(c) in KEYS), None)
        return values if place is None or values.dim() < 2 else values.movedim(place, -2)

    def by_block(self, values: Tensor, letters: str) -> Tensor:
        """Put what blocks weigh in the order (block, key, unit); one block if all have the same."""
        values, names = self.named(values, letters)
        if "block" not in names:
            values, names = values.unsqueeze(0), ["block", *names]
        return values.movedim([names.index("block"), names.index("key")], [0, 1]).flatten(2)

    def map(self, weights: Tensor, letters: str) -> tuple[Tensor, tuple[str, ...]]:
        """Put the axes in order, batch, head, query and key among them."""
        weights, names = self.named(weights, letters)
        for name in DIMS[:3]:
            if name not in names and not (name != "query" and "batch and head" in names):
                weights, names = weights.unsqueeze(0), [name, *names]
        places = sorted(range(len(names)), key=lambda place: ORDER.index(names[place]))
        weights, names = weights.permute(places), [names[place] for place in places]
        for name in [name for name in names if names.count(name) == 2][1:]:  # heads in groups
            place = names.index(name)
            weights = weights.flatten(place, place + 1)
            del names[place]
        return weights, tuple(names)


def axes_of(
    sum: WeightedSum,
    heads: int | None,
    given: Sequence[int],
    stored: bool,
    outer: Sequence[Sequence[int]] = (),
) -> Axes | None:
    """Name the axes of a weighted sum; None if it has more than one axis of keys.

    Parameters
    ----------
    sum : WeightedSum
    heads : int or None
        The number of heads that the running module says it has.
    given : sequence of int
        The first sizes of what it was given: batch and time, or time and batch.
    stored : bool
        Whether the values are the module's own, as a codebook is, and not at positions.
    outer : sequence of sequence of int
        The sizes of what each running module was given, the innermost last.
    """
    of_weights, of_values, of_result = sum.letters
    size = dict(zip(of_weights, sum.weights.shape, strict=True))
    keys = [c for c in of_weights if c not in of_result]
    rest = [c for c in of_weights if c in of_result]
    query = [c for c in rest if c not in of_values][-1:]
    front = [c for c in rest if c not in query]
    if len(keys) != 1:
        return None
    experts = not query and len(front) == 2 and size[front[1]] != heads  # values at each position
    if experts:
        query = [front.pop()]
    groups = size[query[0]] if query and len(front) == 2 and 1 in given else 1
    if groups > 1 and size[front[1]] * groups == heads:  # one query: heads stand in its place
        front, query = [*front, *query], []
    queries = math.prod(size[c] for c in query)
    names = dict.fromkeys(query, "query") | {keys[0]: "choice" if stored or experts else "key"}
    if not front:
        return Axes(names)
    sizes = [size[c] for c in front]
    cut = sizes[1] if len(front) == 2 else 1  # into so many blocks, if it is no number of heads
    first = _of_one(sizes[0], cut * queries, heads, given)
    if len(front) == 1 or (len(front) == 2 and first == "folded" and heads not in sizes):
        of_front = [first, *["block"] * (len(front) - 1)]  # (batch and heads, block, ...)
        folded = front[0] if first == "folded" else ""
        axes = Axes(names | dict(zip(front, of_front, strict=True)), folded, heads or 1)
    else:
        whole = len(of_values) == sum.values.dim()  # else some axes are stretched, without a letter
        steps = dict(zip(of_values, sum.values.stride(), strict=True)) if whole else {}
        inner = [0 < steps.get(c, 0) < steps.get(keys[0], 0) and steps[c] for c in front]
        of_front = _of_several(sizes, heads, given, inner)
        axes = Axes(names | dict(zip(front, of_front, strict=True)))
    rows = [size[c] // (heads or 1) ** (c == axes.folded) for c in front if _is_batch(axes, c)]
    blocks = _blocks(rows[0], queries, outer) if rows and "block" not in axes.names.values() else 1
    return replace(axes, blocks=blocks, times=frozenset(of[1] for of in outer if len(of) > 1))


def _is_batch(axes: Axes, letter: str) -> bool:
    return letter == axes.folded or axes.names[letter] == "batch"


def _blocks(rows: int, queries: int, outer: Sequence[Sequence[int]]) -> int:
    """How many blocks an item was cut into, by the module around that was given its whole.

    The blocks of an item stand one behind another in the batch, and have room for all positions,
    but for one token of the whole, such as [CLS].
    """
    for of in (of for of in reversed(outer) if len(of) > 1):
        count = rows // of[0] if of[0] and rows % of[0] == 0 else 1
        time_first = rows == of[1] and queries == of[0]  # given (time, batch)
        room = count * queries
        fits = any(queries < time <= room + 1 and room <= MOST_ROOM * time for time in _times(of))
        if not time_first and count > 1 and fits:
            return count
    return 1


def _times(sizes: Sequence[int]) -> list[int]:
    """How many positions an item has; those of a picture stand in two axes, units last or first."""
    along = sizes[1:] if len(sizes) == 4 else ()
    return [sizes[1], *(along[k] * along[k + 1] for k in range(len(along) - 1))]


def _of_one(rows: int, queries: int, heads: int | None, given: Sequence[int]) -> str:
    """Say what the one axis in front is: the batch, or batch and heads in one ("folded")."""
    whole, parted = (
        rows in given or not given,
        bool(heads) and rows % heads == 0 and rows // heads in given,
    )
    if heads == 1 or rows == 1 or (whole and not parted):
        return "batch"
    if whole and parted:  # given is (batch, time) or (time, batch), and the time is the queries'
        return {rows: "folded", rows // heads: "batch"}.get(queries, "batch and head")
    return "folded" if heads and rows % heads == 0 else "batch and head"


def _of_several(
    sizes: list[int], heads: int | None, given: Sequence[int], inner: Sequence[int]
) -> list[str]:
    """Name the axes in front of query and key.

    Of axes as long as there are heads that is the heads' which has the smallest step in memory, as
    `inner` tells of those whose places lie inside one key; then the heads of a position are
    together. Where none does, it is the first.
    """
    if len(sizes) == 2:
        if sizes[0] != heads or sizes[1] == heads:
            return ["batch", "head"]
        cut = 1 in given and sizes[1] not in given  # a batch of one, cut into blocks
        return ["head", "block" if cut else "batch"]
    if heads and math.prod(sizes[1:3]) == heads and heads not in sizes[1:]:  # groups of heads
        return ["batch", "head", "head", *["block"] * (len(sizes) - 3)]
    alike = [k for k in range(1, len(sizes)) if sizes[k] == heads] or [1]
    place = min(alike, key=lambda k: inner[k] or math.inf)
    return ["batch", *("head" if k == place else "block" for k in range(1, len(sizes)))]
