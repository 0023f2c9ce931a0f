"""What a view asks the model behind it, where there is one: of a weight, of a head, of a cause."""

from collections.abc import Callable

import traitlets

from seqviz.views.attention.controls import Controlled
from seqviz.views.shared.traits import Choice, checks, control
from seqviz.views.shared.widget import plain

NO_REASON = (
    "why: this view shows weights without their model, which alone has q and k: use "
    "sv.explore(model, tokenizer, text)"
)
NOT_WRITTEN = (
    "cells: this view shows weights without their model, which alone has what heads write: use "
    "sv.explore(model, tokenizer, text)"
)
NO_CAUSE = (
    "cause: this view shows weights without their model, into which states could be carried: use "
    "sv.explore(model, tokenizer, text)"
)
NO_OTHER = (
    "cause: there is no text to carry states from: write view.cause('another text'), with as many "
    "tokens, or set view.second"
)
OF_MODEL = ("why", "written", "cost")  # parts that need the model, by how their names begin


class Asked(Controlled):
    """The part of the explorer that has a model to ask."""

    why = control(traitlets.Bool(False))
    cells = control(Choice(["weights", "written"], "weights"))

    text: str
    _reason = None  # of the model: why a weight, what a head writes, what it costs to silence it
    _causes: Callable | None = None  # of this text and another one a view of causes

    def explain_with(self, reason) -> None:
        """Let the page ask what `reason` knows of the model: `why`, `written` and `cost`."""
        self._reason, self._has_model = reason, True
        self.facts = {**self.facts, "reasons": True}

    @checks("why")
    def _checked_why(self, _, value) -> bool:
        if value and self._reason is None:
            raise ValueError(NO_REASON)
        return value

    @checks("cells")
    def _checked_cells(self, _, value) -> str:
        if value == "written" and self._reason is None:
            raise ValueError(NOT_WRITTEN)
        return value

    def part_of(self, name: str) -> bytes:
        """What travels under this name: "why KIND LAYER HEAD QUERY" is why a weight is as it is.

        "written KIND LAYER HEAD" is what the head writes, "cost KIND LAYER HEAD" what it costs to
        silence it.
        """
        what, *numbers = name.split()
        if what not in OF_MODEL:
            return super().part_of(name)
        return getattr(self._reason, what)(*map(int, numbers))

    # ---- causes
    def cause_with(self, open_causes: Callable) -> None:
        """Let `cause` open both texts of this view."""
        self._causes = open_causes

    def cause(self, other: str | None = None, **controls):
        """Open `sv.cause` on this view's model: what does the answer depend on?

        Parameters
        ----------
        other : str, optional
            The text from which states are carried into this one; without it the second one.
            Easiest to read is one with other words and as many tokens.
        **controls
            As `sv.cause` takes them.

        Raises
        ------
        ValueError
            If there is no model, or no other text.
        """
        if self._causes is None:
            raise ValueError(NO_CAUSE)
        other = self.second if other is None else other
        if not other:
            raise ValueError(NO_OTHER)
        return self._causes(text=self.text, other=other, **controls)

    def _answer(self, view, message: dict, buffers: list) -> None:
        name = str(message.get("want", ""))
        if name.split(" ")[0] not in OF_MODEL or not self._reason:
            return super()._answer(view, message, buffers)
        try:
            self.send({"part": name}, [self.part_of(name)])
        except (TypeError, ValueError) as error:
            problem = plain(error, *OF_MODEL, "cells", "model")
            self.send({"part": name, "problem": problem})
