"""A view of a function of a text: another text, and heads silenced, run the model again."""

import re
import warnings
from collections.abc import Callable, Mapping, Sequence

import traitlets

from seqviz.views.attention.checkpoints import ALONE
from seqviz.views.attention.controlled import Controlled
from seqviz.views.attention.reading import Answer
from seqviz.views.attention.second import NOT_LIVE as NO_SECOND
from seqviz.views.attention.second import (
    Second,
    SecondText,
    check_alike,
    facts_of_second,
)
from seqviz.views.attention.silence import (
    NOT_LIVE,
    NOT_TAKEN,
    Head,
    Refused,
    facts_of,
    heads_of,
    listed,
    of_families,
    paired,
    staying,
)
from seqviz.views.shared.traits import control
from seqviz.views.shared.widget import told


class Live(Controlled):
    """The part of the explorer that runs a model."""

    silent = control(traitlets.List())
    show = control(traitlets.Enum(["after", "before", "difference"], "after"))
    second = control(SecondText(""))

    _read = None  # the function of a text
    _can_silence = False
    _rest: Answer | None = None  # the answer with all heads
    _after: Answer | None = None  # the one without some
    _held: tuple[Head, ...] = ()  # the heads without which the parts are
    _second: Second | None = None  # the second text that the parts are of

    def _hold(self, checkpoints: Mapping, after=None, second=None) -> dict:
        raise NotImplementedError

    def _anew(self, kinds: list) -> None:
        raise NotImplementedError

    def _send_first(self) -> None:
        raise NotImplementedError

    def listen(
        self, read: Callable[..., Answer], text: str, rest: Answer, can_silence: bool
    ) -> None:
        """Let the page write a text, of which `read` makes an answer; `rest` is the first."""
        self._read, self._rest, self._can_silence = read, rest, can_silence
        silence = {"silence": facts_of([], rest, None)} if can_silence else {}
        told_of = {"text": text, "reads": rest.reads, **facts_of_second(None)}
        self.facts = {**self.facts, **told_of, **silence}

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

    @traitlets.validate("silent")
    def _checked_silent(self, proposal) -> list[Head]:
        if proposal.value and self._read is None:
            raise Refused(NOT_LIVE)
        if proposal.value and not self._can_silence:
            raise Refused(NOT_TAKEN)
        return heads_of(proposal.value, self._rest.kinds) if proposal.value else []

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

    @traitlets.validate("second")
    def _checked_second(self, proposal) -> str:
        if proposal.value and self._read is None:
            raise Refused(NO_SECOND)
        return proposal.value

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
        check_alike(first, rest)
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
        silence = {"silence": facts_of(heads, rest, after)} if self._can_silence else {}
        facts = self._hold({ALONE: rest.kinds}, after and after.kinds, second and second.kinds)
        another = text != self.text
        self._rest, self._after, self._second, self._held = rest, after, second, tuple(heads)
        with self.hold_sync():
            if another:
                self._anew(rest.kinds)
            self.silent, self.second = list(heads), second.text if second else ""
            self._send_first()
            told_of = {"text": text, "reads": rest.reads, **facts_of_second(second), **silence}
            self.facts = {**self.facts, **facts, **told_of}

    def _answer(self, view, message: dict, buffers: list) -> None:
        wish = next((name for name in ("text", "silent", "second") if name in message), None)
        if wish is None:
            return super()._answer(view, message, buffers)
        problem = ""
        try:
            setattr(self, wish, message[wish])
        except Exception as error:  # the page says it, and the person tries again
            problem = told(error)
        self.send({**message, "problem": problem})
