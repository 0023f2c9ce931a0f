"""The controls of the explorer: where layer, head, tokens and screen stand, and stay together."""

import traitlets

from seqviz.views.attention.checkpoints import ALONE
from seqviz.views.attention.controls import (
    Heads,
    agreed,
    checked,
    chosen_in,
    label_of,
    nearest,
    sorts,
)
from seqviz.views.attention.segments import ALL
from seqviz.views.attention.values import Attention
from seqviz.views.shared.traits import Number, Place, Whole, checks, control
from seqviz.views.shared.widget import View


class Controlled(View):
    """The part of the explorer that a person sets."""

    checkpoint = control(Place(ALONE))
    kind = control(traitlets.Unicode())
    layer = control(Place(0))
    head = control(Heads(0))
    query = control(Place(0))
    key = control(Place(0))
    step = control(Whole(0))
    side = control(traitlets.Enum(["query", "key"], "query"))
    threshold = control(Number(0.02))
    scale = control(traitlets.Enum(["linear", "log", "row"], "linear"))
    specials = control(traitlets.Enum(["shown", "hidden", "renormalised"], "shown"))
    between = control(traitlets.Unicode(ALL))
    words = control(traitlets.Bool(False))
    rollup = control(traitlets.Enum(["mean", "max", "rollout"], "mean"))
    sort = control(traitlets.Unicode("place"))
    least = control(Number(0.0))
    beside = control(traitlets.Enum(["", "heads", "lines", "texts"], ""))

    checkpoints: dict[int | str, dict[str, Attention]]

    @property
    def kinds(self) -> dict[str, Attention]:
        """The kinds by their names, at the checkpoint in focus."""
        return self.checkpoints[self.checkpoint]

    @property
    def here(self) -> Attention:
        """The kind in focus."""
        return self.kinds[self.kind]

    @checks(
        "checkpoint",
        "kind",
        "layer",
        "head",
        "query",
        "key",
        "step",
        "threshold",
        "between",
        "sort",
        "least",
    )
    def _checked(self, name: str, value):
        if name == "checkpoint":
            return label_of(value, list(self.checkpoints))
        return checked(name, value, self.kinds, self.kind)

    @traitlets.observe("kind")
    def _stay_inside(self, _=None) -> None:
        here = self.here
        if isinstance(self.head, list):
            self.layer, self.head = chosen_in(self.layer, self.head, here)
        if isinstance(self.layer, int):
            self.layer = nearest(self.layer, here)
        if isinstance(self.head, int):
            self.head = min(self.head, here.heads - 1)
        elif self.head == "rollout" and not here.same:
            self.head = "mean"
        if self.query > len(here.queries):
            self.query = 0
        if self.key > len(here.keys):
            self.key = 0
        self.step = 0
        if self.sort not in sorts(here):
            self.sort = "place"

    @traitlets.observe("layer", "head")
    def _agree(self, change) -> None:
        layer, head = agreed(self.layer, self.head, self.here.numbers[-1], change.name)
        if layer != self.layer:
            self.layer = layer
        if head != self.head:
            self.head = head
