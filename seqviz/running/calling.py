"""What a model is called with for a text: its arguments, and the tokens that they stand for."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from seqviz.running.limits import Limits
from seqviz.running.tokenizing import Reader, Reading

TOKENS = ("tokens", "key_tokens", "encoder_tokens", "decoder_tokens")
BESIDE = ("words", "special", "segments")
RETURNS = (
    "inputs: must return (arguments, tokens): a tensor, a tuple or a dict for the model, and a "
    "list of tokens or a dict of them"
)


@dataclass(frozen=True)
class Call:
    """How a model is called.

    Attributes
    ----------
    text : str
    arguments : tuple or dict
        By place or by name.
    tokens : dict
        What `sv.view.attention` is told of the tokens, by its arguments' names.
    batch : int or None
        Rows of the batch; None if the user knows.
    """

    text: str
    arguments: tuple | dict
    tokens: dict
    batch: int | None = 1

    @property
    def predicting(self) -> list[str]:
        """The tokens at which the model says something."""
        return list(self.tokens.get("decoder_tokens", self.tokens.get("tokens", ())))

    @property
    def reads(self) -> str:
        """What the model reads: "picture" if its only arguments are pixels, else "text"."""
        given = self.arguments.values() if isinstance(self.arguments, dict) else self.arguments
        tensors = [one for one in given if isinstance(one, Tensor)]
        floats = [one for one in tensors if one.is_floating_point()]
        pixels = any(one.dim() >= 4 for one in floats)
        return "picture" if pixels and len(floats) == len(tensors) else "text"

    @property
    def lengths(self) -> set[int]:
        """How many tokens the texts have."""
        return {len(self.tokens[name]) for name in TOKENS if name in self.tokens}


class OfInputs:
    """Makes a call by the user's own function."""

    def __init__(self, inputs: Callable[[str], tuple]):
        self.inputs = inputs

    def __call__(self, text: str) -> Call:
        """Return the call for a text."""
        given = self.inputs(text)
        if not isinstance(given, tuple) or len(given) != 2:
            raise TypeError(f"{RETURNS}; came {_kind(given)}")
        arguments, tokens = given
        if isinstance(arguments, Tensor):
            arguments = (arguments,)
        elif isinstance(arguments, Mapping):
            arguments = dict(arguments)
        elif not isinstance(arguments, tuple | list):
            raise TypeError(f"{RETURNS}; came {_kind(arguments)} as arguments")
        arguments = arguments if isinstance(arguments, dict) else tuple(arguments)
        return Call(text, arguments, _checked_tokens(tokens), batch=None)


class OneText:
    """Calls a model that reads ids: by the names of transformers if it has them, else by place."""

    def __init__(self, model: nn.Module, reader: Reader, pair: str | None):
        self.reader, self.pair = reader, pair
        self.limits, self.takes = Limits.of(model), parameters_of(model)
        self.of_transformers = hasattr(model, "config")
        if "input_ids" not in self.takes:
            self._check_one_argument(type(model).__name__)

    def _check_one_argument(self, name: str) -> None:
        needed = [
            parameter.name
            for parameter in self.takes.values()
            if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        ]
        if len(needed) > 1:
            raise TypeError(
                f"model: {name} takes {', '.join(needed)}, and a text gives ids only: give "
                "inputs=, a function of a text that returns (arguments, tokens)"
            )

    def __call__(self, text: str) -> Call:
        """Return the call for a text."""
        reading = self.reader.read(text, self.pair)
        name = "text" if self.pair is None else "text and text_pair"
        self.limits.check(name, reading, self.reader)
        if "input_ids" not in self.takes:
            return Call(text, (torch.tensor([reading.ids]),), of_sides(self.reader, tokens=reading))
        given = inputs_of(reading, self.takes)
        segments = given.get("token_type_ids")
        if segments is not None and not (self.of_transformers or segments.any()):
            del given["token_type_ids"]  # a model of sv.nn may know no segments
        return Call(text, given, of_sides(self.reader, tokens=reading))


def inputs_of(reading: Reading, takes: Mapping) -> dict[str, Tensor]:
    """Inputs by transformers' names, those that a model takes."""
    given = {"input_ids": reading.ids, "attention_mask": [1] * len(reading.ids)}
    if reading.segments is not None:
        given["token_type_ids"] = reading.segments
    return {name: torch.tensor([values]) for name, values in given.items() if name in takes}


def of_sides(*readers: Reader, **readings: Reading) -> dict:
    """What `sv.view.attention` is told of the tokens of a text, or of two."""
    words = {name: one.words for name, one in readings.items() if one.words is not None}
    special = dict.fromkeys(token for reader in readers for token in reader.special)
    told = {name: one.tokens for name, one in readings.items()} | {"special": [*special]}
    told |= {"words": words} if words else {}
    texts = [one.texts for one in readings.values() if one.texts is not None]
    return told | ({"segments": texts[0]} if len(readings) == 1 and texts else {})


def parameters_of(model: nn.Module) -> Mapping[str, inspect.Parameter]:
    """What a model's forward takes."""
    return inspect.signature(model.forward).parameters


def _checked_tokens(given) -> dict:
    tokens = dict(given) if isinstance(given, Mapping) else {"tokens": given}
    for name, one in tokens.items():
        if name not in TOKENS + BESIDE:
            raise TypeError(
                f"inputs: tokens are told as {', '.join(TOKENS + BESIDE)}; came {name!r}"
            )
        if name in TOKENS and not isinstance(one, Sequence):
            raise TypeError(f"{RETURNS}; came {_kind(one)} as {name}")
    return tokens


def _kind(given) -> str:
    return f"{len(given)} things" if isinstance(given, tuple) else type(given).__name__
