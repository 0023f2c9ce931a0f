"""Every head of every layer, one in focus: what attends to what, and with which weight."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

import numpy as np

from seqviz.telling import count, shown
from seqviz.views.attention.checkpoints import ALONE, Label, of_label
from seqviz.views.attention.controls import in_focus
from seqviz.views.attention.live import Live
from seqviz.views.attention.parts import IN_PAGE, Parts, described, ending
from seqviz.views.attention.silence import listed
from seqviz.views.attention.values import Attention, sizes
from seqviz.views.shared.bundle import module
from seqviz.views.shared.widget import style

SAVED = 2_000_000  # bytes of maps that go along with the first picture, and so into a notebook
MOST_ROWS = 2_000_000  # of a table
NAMED = 4  # of more heads only the number is said
HEADER = ["kind", "layer", "head", "query position", "query", "key position", "key", "weight"]
SHOWN = {"after": "after", "before": "before", "difference": "change by"}


class AttentionExplorer(Live):
    """Attention weights of all heads; `attention` builds it.

    Attributes
    ----------
    checkpoint : int or str
        Which checkpoint, where there are several: its step or its label.
    kind : str
        Which attention, where there are several: "encoder", "cross", "decoder", or a path.
    layer : int or str
        As the model numbers it, an array from 0, from the last if below 0; "mean" or "max" over the
        layers; a maximum is of the heads as they are shown, words merged, rows scaled.
    head : int, str or list of (layer, head)
        From 0, from the last if below 0; "mean" or "max" over the heads, "rollout" through the
        layers up to `layer`. A list of heads for the mean over these, or their maximum if `layer`
        is "max".
    query, key : int
        The tokens in focus, from 1; 0 for none. Set a string, and it is the place of the only
        token, or word, that is equal.
    side : str
        "query" or "key": which of the two is locked.
    step : int
        Of cross-attention, only the first so many queries are shown, as a decoder writes them; 0
        for all. A word merged from pieces is shown when all of them are written.
    threshold : float
        Lines of smaller weight are not drawn; of a difference those of a smaller share of the
        largest change.
    scale : str
        "linear", "log" (four decades) or "row" (each row from 0 to its maximum).
    specials : str
        "shown", "hidden", or "renormalised": hidden, and the rest of each row scaled to 1.
    between : str
        Where tokens are of several texts, "A to B": what the first text's tokens read of the
        second; "all" for everything. Scores stay those of all.
    words : bool
        Whether pieces are merged into words.
    rollup : str
        "mean", "max" or "rollout": what stands beside the heads for all of a layer.
    sort : str
        "place", the name of a head's score of what is shown, "cell": by the weight of the cell
        in focus, or "cost": by what silencing costs, once the page has asked for it.
    text : str
        What a live view shows; set it, or write in the page, and the model runs again.
    silent : list of (kind, layer, head)
        The heads that a live view's model runs without; set another list, or click, and it runs
        again. What it says with all heads and without these is held side by side, in half
        precision, as small changes need more digits.
    show : str
        While heads are silenced "after", the map without them, "before", or "difference": after
        minus before.
    why : bool
        Whether *why this weight* is open in place of the map: q times k number by number, the
        softmax, what is carried, for the head and the cell in focus; only where `sv.explore` has
        the model.
    cells : str
        "weights", or "written": the weight times the length of W_O v, what the head adds to the
        query for this key (Kobayashi and others 2020); only where `sv.explore` has the model.
    second : str
        A second text, which a live view's same head reads: its words stand under those of the
        first, lined up where they are equal. "" for none.
    beams : int
        Hypotheses that a translator keeps while it writes the target that is shown; 1 is greedy.
    least : float
        Heads whose score is below this are faded; above it for "entropy" and "error", where low
        is best. 0 for none.
    beside : str
        What stands beside the map where one of them fits: "heads" with the list, "lines", or
        "texts" while there is a second one; "" for these, else heads if there are several, else
        lines.
    """

    _esm = module("attention/view.js")
    _css = style("attention/style.css")

    def __init__(
        self, checkpoints: Mapping[Label, list[Attention]], half: bool, title: str, **controls
    ) -> None:
        self._half = half
        described_here = self._hold(checkpoints)
        parts = self.parts
        facts = {**described_here, "rolls": IN_PAGE, "title": title}
        label, first = next(iter(checkpoints.items()))
        controls = {"checkpoint": label, "kind": first[0].name, **controls}
        maps = in_focus(range(0, len(parts.kinds), len(first)), controls["layer"], controls["head"])
        super().__init__(facts, parts, ["0 scores", *maps], **controls)

    def _hold(
        self,
        checkpoints: Mapping[Label, list[Attention]],
        after: Sequence[Attention] | None = None,
        second: Sequence[Attention] | None = None,
    ) -> dict:
        """Hold the kinds at each checkpoint, and `after` heads are silenced; return the facts.

        The parts number the kinds of the first checkpoint, then those of the next, or those without
        silenced heads; last come those of a second text, in the same order. A difference needs the
        digits of half precision.
        """
        after = list(after or [])
        half = self._half or bool(after)
        self.checkpoints = {
            label: {kind.name: kind for kind in kinds} for label, kinds in checkpoints.items()
        }
        first = next(iter(checkpoints.values()))
        labels = [label for label in checkpoints if label != ALONE]
        kinds = [kind for kinds in checkpoints.values() for kind in kinds]
        self.parts = Parts([*kinds, *after, *(second or [])], half)
        self._of_first = len(kinds) + len(after)
        return {
            "kinds": [described(kind) for kind in first],
            "checkpoints": labels,
            "precision": "half" if half else "byte",
        }

    @property
    def _numbers(self) -> range:
        """The numbers of the kind in focus, at each checkpoint."""
        return range(list(self.kinds).index(self.kind), self._of_first, len(self.kinds))

    @property
    def _number(self) -> int:
        """The number of the kind in focus at the checkpoint in focus, or without silenced heads."""
        if self._held:
            return self._numbers[0 if self.show == "before" else -1]
        return self._numbers[list(self.checkpoints).index(self.checkpoint)]

    @property
    def _thumbs(self) -> str:
        """The part with the thumbnails as they are at first."""
        return f"{self._number} thumbs"

    def _make_ready(self) -> None:
        names = {*self.needs(), self._thumbs, *self._saved}
        if not self.first.keys() >= names:
            self.first = self._along
        super()._make_ready()

    @property
    def _saved(self) -> Iterable[str]:
        """What a page without a kernel needs, all heads, unless that is more than SAVED."""
        return self.parts if self.parts.size <= SAVED else ()

    @property
    def _along(self) -> dict[str, bytes]:
        """What goes along with the first picture; a page of its own makes thumbnails itself."""
        names = [*self.needs(), self._thumbs]
        saved = dict(self.parts.items()) if self._saved else {}
        return {**{name: self.part_of(name) for name in names if name not in saved}, **saved}

    def needs(self) -> list[str]:
        """The scores of the kind in focus and the head in focus, this at every checkpoint.

        What is no head is asked for.
        """
        words, specials, _ = self.here.state(self.words, self.specials)
        scores = f"{self._number} scores{ending(words, specials)}"
        at = range(self._numbers[0], len(self.parts.kinds), len(self.kinds))  # of both texts
        return [scores, *in_focus(at, self.layer, self.head)]

    def _plain(self) -> str:
        """One plain line: how much there is, which map is open, and where the cursor is locked."""
        name = f" ({self.kind})" if len(self.kinds) > 1 else ""
        moment = [] if self.checkpoint == ALONE else [of_label(self.checkpoint)]
        if self._held:
            moment = [f"{SHOWN[self.show]} silencing {listed(self._held)}"]
        sides = ("query", self.query, self.here.queries), ("key", self.key, self.here.keys)
        tokens = [f"{of} {shown(side.tokens[at - 1])}" for of, at, side in sides if at]
        where = ", ".join([place(self.layer, self.head), *moment, *tokens])
        return f"Attention{name} of {sizes(self.here)}; {where}"

    def table(self) -> list[list]:
        """Every weight that was handed in: a header, then a row for each.

        Beside it stand, where there are several, its checkpoint, the heads that were silenced, and
        whether it is of the first or the second text; and what is written, if `cells` says so.

        Raises
        ------
        ValueError
            If there are more than two million weights.
        """
        kinds = self.parts.kinds
        weights = sum(kind.depth * kind.heads * math.prod(kind.shape) for kind in kinds)
        if weights > MOST_ROWS:
            raise ValueError(
                f"table: there are {weights:,} weights, more than {MOST_ROWS:,}: np.savez of the "
                "arrays that you handed in is smaller and exact"
            )
        names, texts = [], [[]]
        moments = [[]]
        if self.checkpoint != ALONE:
            names, moments = ["checkpoint"], [[str(label)] for label in self.checkpoints]
        if self._held:
            names, moments = ["silent"], [[""], [listed(self._held)]]
        if self._of_first < len(kinds):
            names, texts = [*names, "text"], [["first"], ["second"]]
        table = [[*HEADER, *names]]
        runs = product(texts, moments, self.kinds)
        written = self.cells == "written"
        if written:
            table[0].append("written")
        for g, ((text, moment, _), kind) in enumerate(zip(runs, kinds, strict=True)):
            own = partial(self._lengths, g) if written else None
            table += rows(kind, [*moment, *text], own)
        return table

    def _lengths(self, g: int, layer: int, head: int) -> list:
        """What a head writes, by query and key; nothing of a second text."""
        if g < self._of_first:
            return np.frombuffer(self.part_of(f"written {g} {layer} {head}"), "<f4").tolist()
        return [""] * math.prod(self.parts.kinds[g].shape)


def rows(kind: Attention, beside: list[str], written: Callable | None = None) -> Iterator[list]:
    """The weights of a kind, `beside` in each row, and what a layer's head has written."""
    queries, keys = (
        [(str(k), token) for k, token in enumerate(side.tokens, 1)]
        for side in (kind.queries, kind.keys)
    )
    for layer, weights in zip(kind.numbers, kind.layers, strict=True):
        cells = product(range(kind.heads), queries, keys)
        lengths = [one for k in range(kind.heads) for one in written(layer, k)] if written else []
        more = [[one] for one in lengths] or [[]] * weights.size
        of_cells = zip(cells, weights.ravel().tolist(), more, strict=True)
        for (head, query, key), weight, length in of_cells:
            yield [kind.name, str(layer), str(head), *query, *key, weight, *beside, *length]


def place(layer: int | str, head: int | str | list) -> str:
    """Which map it is: layer 3, head 1; layer 3, mean of heads; mean of layers, head 1."""
    if isinstance(head, list):
        return f"{layer} of {some(head)}"
    if head == "rollout":
        return f"rollout to layer {layer}"
    if isinstance(layer, str) and layer == head:
        return f"{layer} of all heads"
    if isinstance(layer, str):
        return f"{layer} of layers, head {head}"
    return f"layer {layer}, {f'{head} of heads' if isinstance(head, str) else f'head {head}'}"


def some(heads: list) -> str:
    """Some heads: heads 2.1, 3.1 and 5.11, or how many there are."""
    if len(heads) > NAMED:
        return count(len(heads), "head")
    *others, last = (f"{layer}.{head}" for layer, head in heads)
    return f"heads {', '.join(others)} and {last}"
