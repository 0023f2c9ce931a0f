"""Every head of every layer, one in focus: who looks at whom, and how hard."""

from collections.abc import Callable, Mapping

import traitlets

from seqviz.view.attention_explorer.checkpoints import ALONE, Label, of_label
from seqviz.view.attention_explorer.controls import (
    agreed,
    checked,
    in_focus,
    label_of,
    sorts,
)
from seqviz.view.attention_explorer.parts import Parts, described, ending
from seqviz.view.attention_explorer.rollups import IN_PAGE
from seqviz.view.attention_explorer.sentence import headline, rows
from seqviz.view.attention_explorer.shown import Screen, Shown
from seqviz.view.attention_explorer.values import Attention
from seqviz.view.shared.bundle import module
from seqviz.view.shared.traits import Number, Place, Whole, checks, control
from seqviz.view.shared.widget import View, style, told


class AttentionExplorer(View):
    """Attention weights of all heads; `attention` builds it.

    Attributes
    ----------
    checkpoint : int or str
        Which checkpoint, where there are several: its step or its label.
    kind : str
        Which attention, where there are several: "encoder", "cross", "decoder", or a path.
    layer : int or str
        As the model numbers it, an array from 0; "mean" or "max" over the layers; a maximum is of
        the heads as they are shown, words merged, rows scaled.
    head : int or str
        From 0; "mean" or "max" over the heads, "rollout" through the layers up to `layer`.
    query, key : int
        The tokens in focus, from 1; 0 for none.
    side : str
        "query" or "key": which of the two is locked.
    step : int
        Of cross-attention, only the first so many queries are shown, as a decoder writes them; 0
        for all. A word merged from pieces is shown when all of them are written.
    threshold : float
        Lines of smaller weight are not drawn.
    scale : str
        "linear", "log" (four decades) or "row" (each row from 0 to its maximum).
    specials : str
        "shown", "hidden", or "renormalised": hidden, and the rest of each row scaled to 1.
    words : bool
        Whether pieces are merged into words.
    rollup : str
        "mean", "max" or "rollout": what stands beside the heads for all of a layer.
    sort : str
        "place", the name of a head's score of what is shown, or "cell": by the weight of the
        cell in focus.
    text : str
        What a live view shows; set it, or write in the page, and the model runs again.
    least : float
        Heads whose score is below this are faded; above it for "entropy" and "error", where low
        is best. 0 for none.
    """

    _esm = module("attention_explorer/view.js")
    _css = style("attention_explorer/style.css")

    checkpoint = control(Place(ALONE))
    kind = control(traitlets.Unicode())
    layer = control(Place(0))
    head = control(Place(0))
    query = control(Whole(0))
    key = control(Whole(0))
    step = control(Whole(0))
    side = control(traitlets.Enum(["query", "key"], "query"))
    threshold = control(Number(0.02))
    scale = control(traitlets.Enum(["linear", "log", "row"], "linear"))
    specials = control(traitlets.Enum(["shown", "hidden", "renormalised"], "shown"))
    words = control(traitlets.Bool(False))
    rollup = control(traitlets.Enum(["mean", "max", "rollout"], "mean"))
    sort = control(traitlets.Unicode("place"))
    least = control(Number(0.0))

    def __init__(
        self, checkpoints: Mapping[Label, list[Attention]], half: bool, title: str, **controls
    ) -> None:
        self._half = half
        self._read = None
        parts, described_here = self._take(checkpoints)
        facts = {
            **described_here,
            "precision": "half" if half else "byte",
            "rolls": IN_PAGE,
            "title": title,
        }
        label, first = next(iter(checkpoints.items()))
        controls = {"checkpoint": label, "kind": first[0].name, **controls}
        maps = in_focus(range(0, len(parts.kinds), len(first)), controls["layer"], controls["head"])
        super().__init__(facts, parts, ["0 scores", *maps], **controls)

    def _take(self, checkpoints: Mapping[Label, list[Attention]]) -> tuple[Parts, dict]:
        """Hold the kinds at each checkpoint; return the parts and the facts that tell of them.

        The parts number the kinds of the first checkpoint, then those of the next.
        """
        self.checkpoints = {
            label: {kind.name: kind for kind in kinds} for label, kinds in checkpoints.items()
        }
        first = next(iter(checkpoints.values()))
        labels = [label for label in checkpoints if label != ALONE]
        facts = {"kinds": [described(kind) for kind in first], "checkpoints": labels}
        return Parts([kind for kinds in checkpoints.values() for kind in kinds], self._half), facts

    def listen(self, read: Callable[[str], list[Attention]], text: str) -> None:
        """Let the page write a text, of which `read` makes the kinds of attention."""
        self._read = read
        self.facts = {**self.facts, "text": text}

    @property
    def text(self) -> str:
        """The text that a live view shows."""
        if self._read is None:
            raise AttributeError("text: only a view made of a function of a text has one")
        return self.facts["text"]

    @text.setter
    def text(self, text: str) -> None:
        before = self.text
        kinds = self._read(text)
        if text == before:
            return
        self.parts, facts = self._take({ALONE: kinds})
        with self.hold_sync():
            self.query = self.key = self.step = 0
            self.kind = self.kind if self.kind in self.kinds else kinds[0].name
            self._stay_inside()
            self.first = {name: self.part(name) for name in [*self.needs(), self._thumbs]}
            self.facts = {**self.facts, **facts, "text": text}

    def _answer(self, view, message: dict, buffers: list) -> None:
        if "text" not in message:
            return super()._answer(view, message, buffers)
        problem = ""
        try:
            self.text = message["text"]
        except Exception as error:  # the page says it, and the person writes again
            problem = told(error)
        self.send({"text": message["text"], "problem": problem})

    @property
    def kinds(self) -> dict[str, Attention]:
        """The kinds by their names, at the checkpoint in focus."""
        return self.checkpoints[self.checkpoint]

    @property
    def here(self) -> Attention:
        """The kind in focus."""
        return self.kinds[self.kind]

    @property
    def _numbers(self) -> range:
        """The numbers of the kind in focus, at each checkpoint."""
        return range(list(self.kinds).index(self.kind), len(self.parts.kinds), len(self.kinds))

    @property
    def _number(self) -> int:
        """The number of the kind in focus at the checkpoint in focus."""
        return self._numbers[list(self.checkpoints).index(self.checkpoint)]

    @property
    def _thumbs(self) -> str:
        """The part with the thumbnails as they are at first."""
        return f"{self._number} thumbs"

    def _repr_mimebundle_(self, **kwargs):
        if self._thumbs not in self.first:  # a page of its own makes them itself
            names = dict.fromkeys([*self.first, *self.needs(), self._thumbs])
            self.first = {name: self.part(name) for name in names}
        return super()._repr_mimebundle_(**kwargs)

    def needs(self) -> list[str]:
        """The scores of the kind in focus and the head in focus, this at every checkpoint.

        What is no head is asked for.
        """
        scores = f"{self._number} scores{ending(*self.here.state(self.words, self.specials))}"
        return [scores, *in_focus(self._numbers, self.layer, self.head)]

    @checks(
        "checkpoint", "kind", "layer", "head", "query", "key", "step", "threshold", "sort", "least"
    )
    def _checked(self, name: str, value):
        if name == "checkpoint":
            return label_of(value, list(self.checkpoints))
        return checked(name, value, self.kinds, self.kind)

    @traitlets.observe("kind")
    def _stay_inside(self, _=None) -> None:
        here = self.here
        if isinstance(self.layer, int):
            self.layer = min(here.numbers, key=lambda number: abs(number - self.layer))
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

    @property
    def shown(self) -> Shown:
        """The map in focus as it stands on screen."""
        screen = Screen(self.here, self.words, self.specials)
        picture = self.parts.shown(self._number, self.layer, self.head, screen)
        return picture if self.here.same or not self.step else picture.written(self.step)

    @property
    def alt(self) -> str:
        """One true sentence: what the picture shows now."""
        name = self.kind if len(self.kinds) > 1 else ""
        moment = "" if self.checkpoint == ALONE else of_label(self.checkpoint)
        at = self.query, self.key, self.side, self.step
        return headline(self.here, name, self.shown, self.layer, self.head, at, moment)

    def table(self) -> list[list]:
        """Rows of what is on screen: every cell of the map in focus, as far as it is written."""
        beside = {} if self.checkpoint == ALONE else {"checkpoint": str(self.checkpoint)}
        return rows(self.here, self.shown, self.layer, self.head, beside)
