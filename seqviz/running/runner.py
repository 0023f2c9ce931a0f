"""A model run on a text: what `sv.view.attention` shows of it."""

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from types import MappingProxyType

from torch import Tensor, nn

from seqviz.nn.resting import at_rest
from seqviz.recording import record
from seqviz.recording.inside import watchable
from seqviz.recording.near_misses import listed
from seqviz.recording.stand_in import users_level
from seqviz.running.answers import Answers
from seqviz.running.calling import Call
from seqviz.running.limits import beyond
from seqviz.running.maps import Maps
from seqviz.running.rest import device_of, moved
from seqviz.running.silencing import Head, silencing


class Runner:
    """Runs a model on a text, with all heads or without some.

    Parameters
    ----------
    model : nn.Module
    caller : callable
        Makes the call for a text.
    answers : Answers
        Finds what the model says.
    layers : collection of int, optional
        Which layers to keep, by the model's own numbers.
    told : dict
        Arguments of `sv.view.attention` that take the place of what the caller tells.
    links : mapping, optional
        Those that belong to one text, as it is written first: its gold links, and the "text".
    """

    def __init__(
        self,
        model: nn.Module,
        caller: Callable[[str], Call],
        answers: Answers,
        layers: Collection[int] | None,
        told: dict,
        links: Mapping = MappingProxyType({}),
    ):
        if not any(watchable(model)):
            raise _never_attends(model)
        self.model, self.caller, self.answers = model, caller, answers
        self.layers, self.told, self.links = layers, told, links
        self.call: Call | None = None  # of the last run with all heads
        self.maps: Maps | None = None
        self.said: tuple[str, Tensor] | None = None  # what `answers` chose of the last run
        self.linked: Sequence[str] | None = None  # the tokens that the links are of

    def __call__(self, text: str, silent: Sequence[Head] = ()) -> dict:
        """Run the model, and return arguments of `sv.view.attention`.

        Parameters
        ----------
        text : str
        silent : sequence of (family, layer, head)
            Heads to silence; what the model wrote with all of them stays its target.

        Raises
        ------
        ValueError
            If the text is empty, the model cannot read it, or never attends; if there is no such
            layer or head.
        """
        if not text.strip():
            raise ValueError("text: is empty: write at least one word")
        with at_rest(self.model):
            if self.call is None or self.call.text != text or not silent:
                call = self.caller(text)
                maps, returned = self._run(call)
                self.call, self.maps = call, maps
            return self._run(self.call, silent)[1] if silent else returned

    def _run(self, call: Call, silent: Sequence[Head] = ()) -> tuple[Maps, dict]:
        """The maps of a run, and all that is returned of it."""
        model, count = self.model, len(call.predicting)
        given = moved(call.arguments, device_of(model))
        by_place, by_name = ((), given) if isinstance(given, dict) else (given, {})
        with ExitStack() as stack:
            for block in silencing(model, self.maps, silent) if silent else ():
                stack.enter_context(block)
            rec = stack.enter_context(record(model, keep=("attention",)))
            last = stack.enter_context(self.answers.watching(rec.attention, count))
            output = self._output(by_place, by_name, count)
            maps = Maps.of(rec.attention, call.lengths, call.batch)
            if not maps.weights:
                raise (
                    _in_parts(model)
                    if any(rec.attention.values())
                    else _never_attends(model, rec.missed)
                )
        if maps.left:
            warnings.warn(_left_out(maps.left, call.batch), stacklevel=users_level())
        maps = maps if self.layers is None else maps.only(self.layers)
        self.said = self.answers.chosen(output, last, count)
        told = call.tokens | self.told | self.answers.of(self.said)
        if call.text == self.links.get("text"):
            self.linked = self.linked or call.predicting
            if call.predicting == self.linked:
                told |= {name: pairs for name, pairs in self.links.items() if name != "text"}
        return maps, {"weights": maps.weights, "reads": call.reads} | told

    def _output(self, by_place: Sequence, by_name: Mapping, count: int):
        try:
            return self.model(*by_place, **by_name)
        except IndexError as error:
            raise beyond(type(self.model).__name__, count) from error


def _never_attends(model: nn.Module, missed: Mapping[str, str] | None = None) -> ValueError:
    return ValueError(
        f"model: {type(model).__name__} never attends: no softmax was seen whose result weighs a "
        "sum. Recurrent nets are shown by sv.record and sv.view.gates; linear attention, kernels "
        "of their own and scripted code show none (give the original of what was scripted, load a "
        f"model of transformers with attn_implementation='eager'){listed(missed or {})}"
    )


def _left_out(left: Mapping[str, int], batch: int) -> str:
    of = ", ".join(f"{path!r} (a batch of {size})" for path, size in left.items())
    return (
        f"model: left out: {of}: the text is a batch of {batch}, these are of parts of it, or of "
        "something else, such as pictures: look at them with sv.record(model)"
    )


def _in_parts(model: nn.Module) -> ValueError:
    return ValueError(
        f"model: {type(model).__name__} attends inside parts of a text or over something else than "
        "tokens, so there is no map from token to token: look at what it does with sv.record(model)"
    )
