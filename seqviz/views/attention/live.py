"""A view of a function of a text: another text, and heads silenced, run the model again."""

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import traitlets

from seqviz.views.attention.asked import Asked
from seqviz.views.attention.checkpoints import ALONE, difference
from seqviz.views.attention.parts import described
from seqviz.views.attention.reading import Answer
from seqviz.views.attention.silence import (
    Head,
    facts_of,
    heads_of,
    listed,
    of_families,
    paired,
    staying,
)
from seqviz.views.attention.values import Attention
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.checking import within
from seqviz.views.shared.traits import Choice, Text, Whole, checks, control
from seqviz.views.shared.widget import told

NOT_LIVE = (
    "silent: this view shows weights that were handed in and has no model to run: hand in a "
    "function of a text that takes silent, attention(f, text=...), or use sv.explore"
)
NO_SECOND = (
    "second: this view shows weights that were handed in and has no model to read a second text: "
    "hand in a function of a text, attention(f, text=..., second=...), or use sv.explore"
)
NO_GRAPH = (
    "answers: this view runs a function of Python, which a page cannot: use "
    "sv.explore(model, tokenizer, text), which writes the model as a graph, or leave answers=False"
)
NO_BEAMS = (
    "beams: this view has no translator that writes its target: use sv.explore with a translator "
    "of sv.nn, and without target="
)
MOST_BEAMS = 8
WISHES = ("text", "silent", "second", "beams")  # of a page
NOT_TAKEN = (
    "silent: the function of the text has no keyword silent, so it cannot run without a head: "
    "write def f(text, silent=()), or use sv.explore"
)


@dataclass(frozen=True, eq=False)
class Second:
    """What the model made of the second text: with all heads, and `after` some are silenced."""

    text: str
    rest: Answer
    after: Answer | None

    @property
    def kinds(self) -> list[Attention]:
        """Its kinds, those without silenced heads last."""
        return [*self.rest.kinds, *(self.after.kinds if self.after else [])]

    @property
    def facts(self) -> dict:
        """What the page is told of it."""
        return {"text": self.text, "kinds": [described(kind) for kind in self.rest.kinds]}


class Live(Asked):
    """The part of the explorer that runs a model."""

    silent = control(traitlets.List())
    show = control(Choice(["after", "before", "difference"], "after"))
    second = control(Text(""))
    beams = control(Whole(1))

    _read = None  # the function of a text
    _writer = None  # what writes the target that is shown; its `beams` are the control's
    answering = None  # of a precision: what a page needs to run the model
    _can_silence = False
    _rest: Answer | None = None  # the answer with all heads
    _after: Answer | None = None  # the one without some
    _held: tuple[Head, ...] = ()  # the heads without which the parts are
    _second: Second | None = None  # the second text that the parts are of

    @property
    def _along(self) -> dict[str, bytes]:
        raise NotImplementedError

    def _hold(self, checkpoints: Mapping, after=None, second=None) -> dict:
        raise NotImplementedError

    def listen(
        self, read: Callable[..., Answer], text: str, rest: Answer, can_silence: bool
    ) -> None:
        """Let the page write a text, of which `read` makes an answer; `rest` is the first."""
        self._read, self._rest, self._can_silence = read, rest, can_silence
        self.facts = {**self.facts, **self._facts_of(text, rest)}

    def _answering(self, precision: str) -> Answering:
        if self._read is not None and self.answering is None:
            raise ValueError(NO_GRAPH)
        return self.answering(precision) if self.answering else super()._answering(precision)

    def _facts_of(
        self,
        text: str,
        rest: Answer,
        heads: Sequence[Head] = (),
        after: Answer | None = None,
        second: Second | None = None,
    ) -> dict:
        """What the page is told of a text and of its answers."""
        facts = {"text": text, "reads": rest.reads, "second": second and second.facts}
        return facts | ({"silence": facts_of(heads, rest, after)} if self._can_silence else {})

    @property
    def text(self) -> str:
        """The text that a live view shows."""
        if self._read is None:
            raise AttributeError("text: only a view made of a function of a text has one")
        return self.facts["text"]

    @text.setter
    def text(self, text: str) -> None:
        before = self.text
        rest = self._read(text)
        if text == before:
            return
        kept, gone = staying(self._held, rest.kinds)
        after = self._read(text, of_families(kept, rest.kinds)) if kept else None
        second = self._read_second(self.second, kept, rest)
        self._take_answers(rest, after, kept, text, second)
        if gone:
            warnings.warn(
                f"silent: {listed(gone)} of the text before: this text has not this attention, so "
                "it was let go",
                stacklevel=2,
            )

    @checks("silent")
    def _checked_silent(self, _, value) -> list[Head]:
        if value and self._read is None:
            raise ValueError(NOT_LIVE)
        if value and not self._can_silence:
            raise ValueError(NOT_TAKEN)
        return heads_of(value, self._rest.kinds) if value else []

    @checks("second")
    def _checked_second(self, _, value) -> str:
        if value and self._read is None:
            raise ValueError(NO_SECOND)
        return value

    @traitlets.observe("silent")
    def _silence(self, _) -> None:
        heads, rest = self.silent, self._rest
        if tuple(heads) == self._held:
            return
        try:
            after = self._read(self.text, of_families(heads, rest.kinds)) if heads else None
            known = self._second and self._second.rest
            second = self._read_second(self.second, heads, rest, known)
            self._take_answers(rest, after, heads, self.text, second)
        except BaseException:  # the picture stays, and so does the control
            self.silent = list(self._held)
            raise

    @traitlets.observe("second")
    def _compare(self, _) -> None:
        before = self._second.text if self._second else ""
        if self.second == before:
            return
        try:
            second = self._read_second(self.second, self._held, self._rest)
            self._take_answers(self._rest, self._after, self._held, self.text, second)
        except BaseException:  # the pane stays, and so does the control
            self.second = before
            raise

    def write_with(self, writer) -> None:
        """Let `beams` of this view be those of what writes its target."""
        self._writer = writer
        self.facts = {**self.facts, "writes": True}

    @checks("beams")
    def _checked_beams(self, _, value) -> int:
        if value != 1 and self._writer is None:
            raise ValueError(NO_BEAMS)
        return within("beams", value, 1, MOST_BEAMS)

    @traitlets.observe("beams")
    def _write_anew(self, _) -> None:
        before = self._writer.beams if self._writer else self.beams
        if self.beams == before:
            return
        self._writer.beams = self.beams
        try:
            rest = self._read(self.text)
            after = (
                self._read(self.text, of_families(self._held, rest.kinds)) if self._held else None
            )
            second = self._read_second(self.second, self._held, rest)
            self._take_answers(rest, after, self._held, self.text, second)
        except BaseException:  # the picture stays, and so does the control
            self._writer.beams = self.beams = before
            raise

    def _read_second(
        self, text: str, heads: Sequence[Head], first: Answer, known: Answer | None = None
    ) -> Second | None:
        """Read the second text with all heads, if that is not `known`, and without some."""
        if not text:
            return None
        try:
            rest, after = known or self._read(text), None
        except (TypeError, ValueError) as error:
            raise type(error)(re.sub(r"^text\b", "second", str(error))) from error
        if apart := difference(rest.kinds, first.kinds, sizes=False):
            what, came, expected = apart
            raise ValueError(
                f"second: of this text the {what} are {came}, of the first {expected}: expected "
                "the same, write a text that the model reads in the same way"
            )
        if heads:
            after = self._read(text, of_families(heads, rest.kinds))
            rest, after = paired(rest, after)
        return Second(text, rest, after)

    def _take_answers(
        self,
        rest: Answer,
        after: Answer | None,
        heads: Sequence[Head],
        text: str,
        second: Second | None,
    ) -> None:
        """Hold the answers with all heads and without some; the page is told at once."""
        if after:
            rest, after = paired(rest, after)
        facts = self._facts_of(text, rest, heads, after, second)
        facts |= self._hold({ALONE: rest.kinds}, after and after.kinds, second and second.kinds)
        another = text != self.text
        self._rest, self._after, self._second, self._held = rest, after, second, tuple(heads)
        with self.hold_sync():
            if another:
                self._look_anew()
            self.silent, self.second = list(heads), second.text if second else ""
            self.first = self._along
            self.facts = {**self.facts, **facts}

    def _answer(self, view, message: dict, buffers: list) -> None:
        wish = next((name for name in WISHES if name in message), None)
        if wish is None:
            return super()._answer(view, message, buffers)
        problem = ""
        try:
            setattr(self, wish, message[wish])
        except Exception as error:  # the page says it, and the person tries again
            problem = told(error)
        self.send({**message, "problem": problem})
